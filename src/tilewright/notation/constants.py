"""Compile-time integers of C++, in the spellings of sources, of compilers' messages and of profilers.

    constant = ("Int" | "C") "<" number ">" | ("constant" | "integral_constant") "<" type "," number ">"
    number   = ["(" word {word} ")"] 4 ["u" | "l" ..]         the cast that nvcc's demangler writes, `(int)4`; `4UL`

A type of integers may have several words, `unsigned long long`; run time knows the value of a number of such a type.
"""

from __future__ import annotations

from tilewright.layout.symbolic.operators import as_int
from tilewright.layout.symbolic.symint import SymInt
from tilewright.notation.reader import Reader

_CONSTANTS = ("Int", "C")
_TYPED = ("constant", "integral_constant")
_WIDE = ("long", "int64_t", "uint64_t", "size_t", "ssize_t", "ptrdiff_t")
_NARROW = ("int", "unsigned", "signed", "int32_t", "uint32_t")
_SUFFIXES = frozenset("uUlL")
_MOST_WORDS = 4


def at_constant(r: Reader) -> bool:
    """Does an integer follow that C++ knows when it compiles, by a name?"""
    return r.at_name(*_CONSTANTS, *_TYPED) and r.look().kind == "<"


def constant(r: Reader) -> int:
    """`Int<4>`, `C<(int)4>`, `integral_constant<int, 4>`."""
    typed = r.take().text in _TYPED
    r.expect("<")
    if typed:
        pass_namespace(r)
        integer_type(r)
        r.expect(",")
    found = number(r)
    r.expect(">")
    return found


def pass_namespace(r: Reader) -> None:
    """Pass `std::`, or `cuda::std::`."""
    while r.at("name") and r.look().kind == ":" and r.look(2).kind == ":":
        r.expect_name("std", "cuda")
        r.take()
        r.take()


def at_cast(r: Reader) -> bool:
    """Does a number follow that is cast to a type?"""
    words = 0
    while r.look(words + 1).text in (*_WIDE, *_NARROW) and words < _MOST_WORDS:
        words += 1
    return r.at("(") and words > 0 and r.look(words + 1).kind == ")" and r.look(words + 2).kind in ("int", "-")


def number(r: Reader) -> int:
    """An integer as C++ writes it."""
    if at_cast(r):
        r.take()
        integer_type(r)
        r.take()
    found = r.integer()
    suffix = r.token
    if suffix.kind == "name" and set(suffix.text) <= _SUFFIXES and suffix.at == r.last.end:
        r.take()
    return found


def at_integer_type(r: Reader) -> bool:
    """Does the name of a type of integers follow?"""
    return r.at_name(*_WIDE, *_NARROW)


def integer_type(r: Reader) -> SymInt:
    """`int`, `long long`: a number of so many bits that run time knows."""
    words = [r.expect_name(*_WIDE, *_NARROW)]
    while at_integer_type(r) and len(words) < _MOST_WORDS:
        words.append(r.take().text)
    return SymInt(width=64 if {*words} & {*_WIDE} else 32)


def run_time(r: Reader) -> int:
    """The same as an integer of a layout."""
    return as_int(integer_type(r))
