"""What Python would go on with for ever, or for long, while a function is traced: refused by what it is given.

Python's own loops over iterables, its functions that go through one to its end, and its integers that grow.
"""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from functools import partial, reduce
from types import BuiltinFunctionType, MappingProxyType
from typing import TypeAlias, cast

from tilewright.errors import KernelError, shown
from tilewright.lang.core.trace import MOST_TURNS, Trace, current

MOST_BITS = 1 << 14
"""Bits of an integer."""
MOST_FACTORS = 2048
Function: TypeAlias = "Callable[..., object]"
_COUNTED = (list, tuple, dict, set, frozenset, str, bytes, range)
_SEQUENCES = (list, tuple, str, bytes)


def finite(given: object) -> object:
    """An iterable as one whose items the trace counts; anything else, and where nothing is traced, as it is.

    Raises:
        KernelError: they are too many; of an iterable without a length, when the next one is asked for.

    >>> finite([1, 2])
    [1, 2]
    """
    trace = current()
    if trace is None or not isinstance(given, Iterable):
        return given
    if isinstance(given, _COUNTED):
        trace.go_through(len(given))
    return given if isinstance(given, Sized) else _turns(given, trace)


def _turns(given: Iterable[object], trace: Trace) -> Iterator[object]:
    for item in given:
        trace.go_through(1)
        yield item


def bounded(function: object) -> object:
    """A function of Python's that might not end, as one that refuses what it would not end with; any other as it is."""
    if type(function) is BuiltinFunctionType and function.__name__ in _THROUGH_METHODS:
        return partial(_through, cast("Function", function))
    known = type(function) in (BuiltinFunctionType, type)
    return _BOUNDED.get(cast("Function", function), function) if known else function


def _through(function: Function, *given: object, **named: object) -> object:
    return function(*map(finite, given), **named)


def times(a: object, b: object) -> object:
    """`a * b` of what is not too long."""
    require_small("*", a, b)
    return _OF["mul"](a, b)


def shifted(a: object, b: object) -> object:
    """`a << b` of what is not too long."""
    require_small("<<", a, b)
    return _OF["lshift"](a, b)


def power(base: object, exponent: object, *modulus: object) -> object:
    """`pow` of numbers whose result is not too long."""
    if modulus in ((), (None,)):
        require_small("**", base, exponent)
    return _POW(base, exponent, *modulus)


def in_place(sign: str, a: object, b: object) -> object:
    """`a *= b`, and the like."""
    require_small(sign, a, b)
    return _IN_PLACE[sign](a, b)


def _product(items: Iterable[object], *, start: object = 1) -> object:
    return reduce(times, cast("Iterable[object]", finite(items)), start)


def _factors(function: Function, *given: object) -> object:
    if given and isinstance(given[0], int) and given[0] > MOST_FACTORS:
        raise KernelError(f"{function.__name__} of numbers up to {MOST_FACTORS}, got {shown(given[0])}")
    return function(*given)


def require_small(sign: str, a: object, b: object) -> None:
    """Of `*`, `**` and `<<` of Python's integers, and of `*` of its sequences: is the result not too long?

    Raises:
        KernelError: it has more than 2**14 bits, or 2**20 items.
    """
    if isinstance(a, int) and isinstance(b, int):
        if _BITS[sign](a, b) > MOST_BITS:
            raise KernelError(
                f"a {sign} b of an a of {a.bit_length()} bits and b = {shown(b)} has more than {MOST_BITS} bits; "
                "numbers of run time have 64 at most"
            )
    elif sign == "*" and isinstance(a, (*_SEQUENCES, int)) and isinstance(b, (*_SEQUENCES, int)):
        items, count = (a, b) if isinstance(b, int) else (b, a)
        if isinstance(items, _SEQUENCES) and isinstance(count, int) and len(items) * count > MOST_TURNS:
            raise KernelError(
                f"a sequence has up to {MOST_TURNS} items while tracing, got {len(items)} * {shown(count)}"
            )


_OF = cast("Mapping[str, Function]", vars(operator))
_POW = cast("Function", builtins.pow)
_IN_PLACE: Mapping[str, Function] = MappingProxyType({"*": _OF["imul"], "**": _OF["ipow"], "<<": _OF["ilshift"]})
GROWING = frozenset(_IN_PLACE)
"""The operators of which a result may be longer than what they are given."""
_BITS: Mapping[str, Callable[[int, int], int]] = MappingProxyType(
    {
        "*": lambda a, b: a.bit_length() + b.bit_length(),
        "**": lambda a, b: a.bit_length() * b if abs(a) > 1 else 0,
        "<<": lambda a, b: a.bit_length() + b if a else 0,
    }
)
_THROUGH: tuple[Function, ...] = (
    *(all, any, sorted, sum, list, tuple, set, frozenset, dict, bytes, bytearray),
    *(reduce, math.fsum, max, min),
)
_THROUGH_METHODS = frozenset({"extend", "fromkeys", "join", "update", "union"})
_BOUNDED: Mapping[Function, Function] = MappingProxyType(
    {
        **{function: partial(_through, function) for function in _THROUGH},
        **{function: partial(_factors, function) for function in (math.factorial, math.comb, math.perm)},
        pow: power,
        operator.pow: power,
        operator.mul: times,
        operator.lshift: shifted,
        math.prod: _product,
    }
)
