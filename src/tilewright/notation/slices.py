"""Slices as pictures write them: `(_,3)`, `(0:4,3)`, `(0:8:2,_)`."""

from __future__ import annotations

from typing import TypeAlias

from tilewright.notation.elements import KEPT
from tilewright.notation.reader import Reader

Slice: TypeAlias = "int | slice | tuple[Slice, ...] | None"


def parse_slice(text: str) -> Slice:
    """A coordinate with `_` for a mode that stays and Python's slices for some of one, as `draw` highlights them.

    The outermost parentheses may be left out.

    Raises:
        NotationError: the text is no such coordinate; a caret shows where.

    >>> parse_slice("(_,3)"), parse_slice("0:4,(1,_)"), parse_slice("(0:8:2,:3)")
    ((None, 3), (slice(0, 4, None), (1, None)), (slice(0, 8, 2), slice(None, 3, None)))
    """
    r = Reader(text)
    parts = [_part(r)]
    while r.accept(","):
        parts.append(_part(r))
    r.expect_end()
    return tuple(parts) if len(parts) > 1 else parts[0]


def _part(r: Reader) -> Slice:
    if r.accept("("):
        return tuple(r.sequence(_part, ")"))
    if r.token.text in KEPT:
        r.take()
        return None
    if not r.at(":"):
        first = r.integer("an integer, `_` or a slice such as 0:4")
        return slice(first, *_ends(r)) if r.at(":") else first
    return slice(None, *_ends(r))


def _ends(r: Reader) -> list[int | None]:
    """The end and the step of a slice, each behind its colon."""
    ends: list[int | None] = []
    while len(ends) < 2 and r.accept(":"):
        ends.append(r.integer() if r.at("int") else None)
    return ends
