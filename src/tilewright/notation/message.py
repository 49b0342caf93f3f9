"""Whole lines of compilers: the one type of CuTe that stands in them.

    error: static assertion failed: .. [with X = cute::Layout<..>]
    error: no type named 'y' in 'struct cute::Layout<..>'           error: "T1" (aka "cute::TiledCopy<..>")
    In instantiation of 'f(const cute::Layout<A, B>&) [with A = cute::tuple<..>; B = cute::tuple<..>]'
    cute::always<cute::Layout<..> >::value                          std::integral_constant<cute::Layout<..>, 3>

What stands around a type is passed over. Within a template that nobody here knows, and within a tuple that cannot be
read, the types of layouts and atoms count, and no tuples: `Laxout<Shape<..>>` is not read as its shape. A template's
parameters are what `[with ..]` says that they are. Equal types count as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from tilewright.errors import LayoutError, NotationError, caret
from tilewright.notation.message_parts import Part, closings, is_unknown_template, known_name, parts
from tilewright.notation.printers import text as written

Found = TypeVar("Found")

MAX_MESSAGE = 1 << 20
NEW_LINE = "\n"
_MOST_LISTED = 4
_MOST_SHOWN = 60  # characters of a text that a refusal lists
_MARKS = re.compile(
    r"\b(?:error|warning|note|remark)(?: [A-Z]+[0-9]+)? ?:|\[with |static.?assert|instantiation of|required from"
    r"|no matching function|no type named|aka "
)
_OPENS = "[with "
_WITH = re.compile(r"\[with ([^\[\]]*)\]")
_BOUND = re.compile(r"\s*(\w+) ?= ?(.*\S)", re.DOTALL)


def is_message(text: str) -> bool:
    """Does a compiler speak, or is it a type that holds what is meant?

    >>> is_message("a.cu(3): error: static assertion failed"), is_message("(4,8):(8,1)")
    (True, False)
    >>> is_message("cute::always<cute::Layout<cute::_4> >::value")
    True
    """
    return len(text) <= MAX_MESSAGE and (_MARKS.search(text) is not None or _holds_a_type(text))


def _holds_a_type(text: str) -> bool:
    return is_unknown_template(text) and any(part.is_layout for part in parts(text, closings(text)))


def message(text: str, read: Callable[[str], Found], wanted: Callable[[Found], bool]) -> str:
    """The only type in a message of which `read` makes something that is `wanted`; equal ones are one.

    Raises:
        NotationError: there is none, several, or one that cannot be read; carets show where.
        LayoutError: the one that there is can be read, but its numbers are no such object.
    """
    if text.count(_OPENS) > len(_WITH.findall(text)):
        raise NotationError("the message breaks off: `[with ..` is not closed", text, text.rindex(_OPENS))
    said = _Said(text, closings(text), _all_bound(text))
    apart: list[tuple[Part, Found]] = []
    for part, value in said.values(said.types(), read, wanted):
        if wanted(value) and not any(value == other for _, other in apart):
            apart.append((part, value))
    if not apart:
        raise _nothing(text)
    if len(apart) > 1:
        raise _several(text, [(part.at, written(value)) for part, value in apart])
    return apart[0][0].text


@dataclass(frozen=True)
class _Said:
    """A message: its text, where brackets close, and what parameters of templates are."""

    text: str
    closes: Mapping[int, int]
    bound: Mapping[str, str]

    def types(self, within: Part | None = None) -> list[Part]:
        """The types at which it does not stop, those of templates with what their parameters are."""
        told = [(part, _filled(part.text, self.bound)) for part in parts(self.text, self.closes, within)]
        used = {value for part, filled in told if filled != part.text for value in _values_in(part.text, self.bound)}
        generic = (part for part, filled in told if filled == part.text and _is_generic(part.text))
        passed = {*generic, *(part for part, filled in told if filled == part.text and part.text in used)}
        return [replace(part, text=filled) for part, filled in told if part not in passed]

    def values(
        self, types: list[Part], read: Callable[[str], Found], wanted: Callable[[Found], bool]
    ) -> Iterator[tuple[Part, Found]]:
        """What they say; of a tuple that cannot be read, or is not wanted, what stands in it."""
        for part in types:
            inner = [] if part.is_layout else self.types(part)
            value = self._value(part, read, bool(inner))
            if value is not None and (wanted(value) or not inner):
                yield part, value
            else:
                yield from self.values(inner, read, wanted)

    def _value(self, part: Part, read: Callable[[str], Found], may_fail: bool) -> Found | None:
        try:
            return _read(self.text, part, read)
        except NotationError:
            if may_fail:
                return None
            raise


def _several(text: str, found: list[tuple[int, str]]) -> NotationError:
    """Each of the first with a caret under it."""
    listed, more = found[:_MOST_LISTED], len(found) - _MOST_LISTED
    others = f" and {more} more" if more > 0 else ""
    what = f"{len(found)} types stand in the message; paste the one that is meant, or ask for its kind"
    blocks = [f"{_shown(words)} at {at}\n{caret(text, at)}" for at, words in listed[:-1]]
    at, words = listed[-1]
    return NotationError(NEW_LINE.join([what, *blocks, f"{_shown(words)} at {at}{others}"]), text, at)


def _nothing(text: str) -> NotationError:
    """Nothing was found: does something stand where nobody looks?"""
    inside = known_name(text)
    if inside is None:
        return NotationError("a message without a type of CuTe; paste the type alone", text, len(text))
    name, at = inside
    return NotationError(f"{name}<..> stands inside a type that is not known here; paste it alone", text, at)


def _shown(words: str) -> str:
    return words if len(words) <= _MOST_SHOWN else f"{words[: _MOST_SHOWN - 3]}..."


def _read(text: str, part: Part, read: Callable[[str], Found]) -> Found:
    try:
        return read(part.text)
    except NotationError as error:
        raise NotationError(str(error).partition(NEW_LINE)[0], text, part.at) from None
    except LayoutError as error:
        raise LayoutError(f"{str(error).partition(NEW_LINE)[0]}\n{caret(text, part.at)}") from None


def _all_bound(text: str) -> Mapping[str, str]:
    return {name: value for found in _WITH.finditer(text) for name, value in _bindings(found[1])}


def _bindings(words: str) -> Iterator[tuple[str, str]]:
    depth = start = 0
    for at, char in enumerate(ended := words + ";"):
        depth += _deeper(ended, at)
        if depth == 0 and char in ";,":
            found = _BOUND.fullmatch(words[start:at])
            if found:
                yield found[1], found[2]
            start = at + 1


def _deeper(text: str, at: int) -> int:
    """1 where a list of arguments opens, -1 where one closes; the head of an arrow closes none."""
    return (text[at] == "<") - (text[at] == ">" and text[at - 1] != "-")


def _filled(words: str, bound: Mapping[str, str]) -> str:
    """The type with its template's parameters replaced by what they are."""
    return re.sub(r"\b\w+\b(?! ?<|::)", lambda found: bound.get(found[0], found[0]), words)


def _values_in(words: str, bound: Mapping[str, str]) -> Iterator[str]:
    return (bound[name] for name in re.findall(r"\b\w+\b", words) if name in bound)


def _is_generic(words: str) -> bool:
    """Are its arguments names alone, parameters of a template of which nothing is said?"""
    _, mark, inside = words.partition("<")
    return mark == "<" and "<" not in inside and not re.search(r"[0-9]", inside)
