"""Whole lines of compilers: the one type of CuTe that stands in them.

    error: static assertion failed: .. [with X = cute::Layout<..>]
    error: no type named 'y' in 'struct cute::Layout<..>'           error: "T1" (aka "cute::TiledCopy<..>")
    In instantiation of 'f(const cute::Layout<A, B>&) [with A = cute::tuple<..>; B = cute::tuple<..>]'

What stands around a type is passed over, but never a name with angle brackets that nobody here knows:
`Laxout<Shape<..>>` is not read as its shape. A template's parameters are what `[with ..]` says that they are. Equal
types count as one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from tilewright.atoms import catalog
from tilewright.atoms.shared_atoms import ALL_SHARED
from tilewright.errors import LayoutError, NotationError, caret
from tilewright.notation.atom_types import TYPES
from tilewright.notation.cutlass import NAMES
from tilewright.notation.printers import text as written
from tilewright.notation.words import NAMESPACES

Found = TypeVar("Found")

MAX_MESSAGE = 1 << 20
NEW_LINE = "\n"
_MOST_LISTED = 4
_MOST_SHOWN = 60  # characters of a text that a refusal lists
_MARKS = re.compile(
    r"\b(?:error|warning|note|remark)(?: [A-Z]+[0-9]+)? ?:|\[with |static.?assert|instantiation of|required from"
    r"|no matching function|no type named|aka "
)
_NAME = re.compile(r"(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*")
_OPENS = "[with "
_WITH = re.compile(r"\[with ([^\[\]]*)\]")
_BOUND = re.compile(r"\s*(\w+) ?= ?(.*\S)", re.DOTALL)
_KNOWN = frozenset((*NAMES, *TYPES, *ALL_SHARED, "Tensor"))
_AROUND = frozenset("<>")


@dataclass(frozen=True)
class _Type:
    """A type in a message, what it says, and where it stands."""

    text: str
    at: int
    end: int


def is_message(text: str) -> bool:
    """Does a compiler speak?

    >>> is_message("a.cu(3): error: static assertion failed"), is_message("(4,8):(8,1)")
    (True, False)
    """
    return len(text) <= MAX_MESSAGE and _MARKS.search(text) is not None


def message(text: str, read: Callable[[str], Found], wanted: Callable[[Found], bool]) -> str:
    """The only type in a message of which `read` makes something that is `wanted`; equal ones are one.

    Raises:
        NotationError: there is none, several, or one that cannot be read; a caret shows where.
        LayoutError: the one that there is can be read, but its numbers are no such object.
    """
    types = list(_types(text))
    if text.count(_OPENS) > len(_WITH.findall(text)):
        raise NotationError("the message breaks off: `[with ..` is not closed", text, text.rindex(_OPENS))
    found = [(part, _read(text, part, read)) for part in types]
    apart: list[tuple[_Type, Found]] = []
    for part, value in found:
        if wanted(value) and not any(value == other for _, other in apart):
            apart.append((part, value))
    if not apart:
        raise _nothing(text)
    if len(apart) > 1:
        listed = "; ".join(f"{_shown(written(value))} at {part.at}" for part, value in apart[:_MOST_LISTED])
        what = f"{len(apart)} types stand in the message, {listed}; paste the one that is meant, or ask for its kind"
        raise NotationError(what, text, apart[1][0].at)
    return apart[0][0].text


def _nothing(text: str) -> NotationError:
    """Nothing was found: does something stand where nobody looks?"""
    inside = next(
        (found for found in _NAME.finditer(text) if _is_known(found[0]) and text[found.end() :][:1] == "<"), None
    )
    if inside is None:
        return NotationError("a message without a type of CuTe; paste the type alone", text, len(text))
    what = f"{inside[0]}<..> stands inside a type that is not known here; paste it alone"
    return NotationError(what, text, inside.start())


def _shown(words: str) -> str:
    return words if len(words) <= _MOST_SHOWN else f"{words[: _MOST_SHOWN - 3]}..."


def _read(text: str, part: _Type, read: Callable[[str], Found]) -> Found:
    try:
        return read(part.text)
    except NotationError as error:
        raise NotationError(str(error).partition(NEW_LINE)[0], text, part.at) from None
    except LayoutError as error:
        raise LayoutError(f"{str(error).partition(NEW_LINE)[0]}\n{caret(text, part.at)}") from None


def _types(text: str) -> Iterator[_Type]:
    """The types at which a message does not stop, those of templates with what their parameters are."""
    bound = {name: value for found in _WITH.finditer(text) for name, value in _bindings(found[1])}
    parts = list(_parts(text))
    told = [(part, _filled(part.text, bound)) for part in parts]
    used = {value for part, filled in told if filled != part.text for value in _values_in(part.text, bound)}
    for part, filled in told:
        if filled == part.text and (part.text in used or _is_generic(part.text)):
            continue
        yield _Type(filled, part.at, part.end)


def _bindings(words: str) -> Iterator[tuple[str, str]]:
    depth = start = 0
    for at, char in enumerate(ended := words + ";"):
        depth += _deeper(ended, at)
        if depth == 0 and char in ";,":
            found = _BOUND.fullmatch(words[start:at])
            if found:
                yield found[1], found[2]
            start = at + 1


def _filled(words: str, bound: Mapping[str, str]) -> str:
    """The type with its template's parameters replaced by what they are."""
    return re.sub(r"\b\w+\b(?! ?<|::)", lambda found: bound.get(found[0], found[0]), words)


def _values_in(words: str, bound: Mapping[str, str]) -> Iterator[str]:
    return (bound[name] for name in re.findall(r"\b\w+\b", words) if name in bound)


def _is_generic(words: str) -> bool:
    """Are its arguments names alone, parameters of a template of which nothing is said?"""
    _, mark, inside = words.partition("<")
    return mark == "<" and "<" not in inside and not re.search(r"[0-9]", inside)


def _parts(text: str) -> Iterator[_Type]:
    """The types of CuTe that stand in no other type."""
    at = 0
    while found := _NAME.search(text, at):
        at = found.end()
        if text[at : at + 1] == "<" and text[at : at + 2] not in ("<<", "<=") and text[at + 1 : at + 2] != " ":
            at = _closed(text, found.start(), at)
        elif not _is_operation(found[0]):
            continue
        if _is_known(found[0]) or _is_operation(found[0]):
            _check_around(text, found.start(), at)
            yield _Type(text[found.start() : at], found.start(), at)


def _is_known(name: str) -> bool:
    *spaces, own = name.split("::")
    return own in _KNOWN and all(space in NAMESPACES for space in spaces)


def _is_operation(name: str) -> bool:
    *spaces, own = name.split("::")
    return own.startswith("SM") and all(space in NAMESPACES for space in spaces) and catalog.named(own)


def _closed(text: str, start: int, at: int) -> int:
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += _deeper(text, i)
        if not depth:
            return i + 1
    raise NotationError(f"the type {_shown(text[start:at])}<.. of a message is not closed", text, start)


def _deeper(text: str, at: int) -> int:
    """1 where a list of arguments opens, -1 where one closes; the head of an arrow closes none."""
    return (text[at] == "<") - (text[at] == ">" and text[at - 1] != "-")


def _check_around(text: str, start: int, end: int) -> None:
    before, after = text[:start].rstrip()[-1:], text[end:].lstrip()[:1]
    if before in _AROUND or after in _AROUND or text[end : end + 1].isalnum():
        place = start if before in _AROUND else end
        raise NotationError(
            "brackets around a type of a message, that are no part of it", text, min(place, len(text) - 1)
        )
