"""The types of CuTe that stand in a compiler's words, also within templates that nobody here knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tilewright.atoms import catalog
from tilewright.atoms.shared_atoms import ALL_SHARED
from tilewright.errors import NotationError
from tilewright.notation.atom_types import TYPES
from tilewright.notation.cutlass import NAMES
from tilewright.notation.words import NAMESPACES

_NAME = re.compile(r"(?:[A-Za-z_]\w*::)*[A-Za-z_]\w*")
_BRACKET = re.compile(r"(?<!-)>|<")
_LAYOUTS = frozenset(("Layout", "ComposedLayout", "Swizzle", "Tensor", *TYPES, *ALL_SHARED))
_KNOWN = frozenset((*NAMES, *_LAYOUTS))
_AROUND = frozenset("<>")
_MOST = 60  # characters of a name in a refusal


@dataclass(frozen=True)
class Part:
    """A type in a message, and where it stands."""

    text: str
    at: int
    end: int

    @property
    def is_layout(self) -> bool:
        """Is it a layout, a swizzle, a tensor or an atom, and no tuple?"""
        return _own(self.text.partition("<")[0]) in _LAYOUTS


def closings(text: str) -> Mapping[int, int]:
    """Where each angle bracket is closed, that is: the place behind.

    >>> closings("a<b<c>, d->e>")
    {3: 6, 1: 13}
    """
    opened: list[int] = []
    found: dict[int, int] = {}
    for bracket in _BRACKET.finditer(text):
        if bracket[0] == "<":
            opened.append(bracket.start())
        elif opened:
            found[opened.pop()] = bracket.end()
    return found


def parts(text: str, closes: Mapping[int, int], within: Part | None = None) -> Iterator[Part]:
    """The types that stand in no other type that is known; within one, those of layouts that stand in it.

    Raises:
        NotationError: one that is not closed, or with brackets around it that are no part of it.
    """
    at, end = (within.at + len(within.text.partition("<")[0]) + 1, within.end) if within else (0, len(text))
    unknown = end if within else 0  # where the template ends in which nothing but layouts counts
    while found := _NAME.search(text, at, end):
        at, inside = found.end(), found.start() < unknown
        if not _opens(text, at):
            if not inside and _is_operation(found[0]):
                yield _checked(text, Part(found[0], found.start(), at))
            continue
        closed = closes.get(at)
        if closed is None:
            raise NotationError(f"the type {found[0][:_MOST]}<.. of a message is not closed", text, found.start())
        if _is_known(found[0]) and (_own(found[0]) in _LAYOUTS or not inside):
            part = Part(text[found.start() : closed], found.start(), closed)
            yield part if inside else _checked(text, part)
            at = closed
        elif not _is_known(found[0]) and _is_slip(found[0]):
            at = closed
        else:
            unknown = max(unknown, closed)


def known_name(text: str) -> tuple[str, int] | None:
    """The first name with angle brackets that is known, and where it stands."""
    names = (found for found in _NAME.finditer(text) if _is_known(found[0]) and text[found.end() :][:1] == "<")
    return next(((found[0], found.start()) for found in names), None)


def is_unknown_template(text: str) -> bool:
    """Is the whole text one type whose template nobody here knows?

    >>> is_unknown_template("mine::always<cute::Layout<cute::_4> >::value"), is_unknown_template("f<_4>(x)")
    (True, False)
    """
    found = _WHOLE.match(text)
    if not found or _is_known(found[1]):
        return False
    closed = closings(text).get(found.end() - 1)
    return closed is not None and _BEHIND.fullmatch(text, closed) is not None


_WHOLE = re.compile(rf"\s*(?:(?:const|struct|class|typename) )*({_NAME.pattern})<")
_BEHIND = re.compile(r"(?:::\w+)*\s*(?:const)?[\s&*]*(?:\{\})?\s*;?\s*")


def _opens(text: str, at: int) -> bool:
    """Is it a type's bracket, and no comparison or shift?"""
    return text[at : at + 1] == "<" and text[at : at + 2] not in ("<<", "<=") and text[at + 1 : at + 2] != " "


def _own(name: str) -> str:
    return name.rpartition("::")[2]


def _in_cute(name: str) -> bool:
    return all(space in NAMESPACES for space in name.split("::")[:-1])


def _is_known(name: str) -> bool:
    return _own(name) in _KNOWN and _in_cute(name)


def _is_slip(name: str) -> bool:
    """Is it a known name elsewhere, or but for a letter? What stands in it might not be what was meant."""
    own = _own(name)
    return len(own) <= _LONGEST and not _shorter(own).isdisjoint(_NEARLY)


def _shorter(name: str) -> set[str]:
    """The name, and what it is without one of its letters; names with a common one are a letter apart."""
    return {name, *(name[:i] + name[i + 1 :] for i in range(len(name)))}


_NEARLY = frozenset[str]().union(*map(_shorter, _KNOWN))
_LONGEST = 1 + max(map(len, _KNOWN))


def _is_operation(name: str) -> bool:
    return _own(name).startswith("SM") and _in_cute(name) and catalog.named(_own(name))


def _checked(text: str, part: Part) -> Part:
    before, after = text[: part.at].rstrip()[-1:], text[part.end :].lstrip()[:1]
    if before in _AROUND or after in _AROUND or text[part.end : part.end + 1].isalnum():
        place = part.at if before in _AROUND else part.end
        what = "brackets around a type of a message, that are no part of it"
        raise NotationError(what, text, min(place, len(text) - 1))
    return part
