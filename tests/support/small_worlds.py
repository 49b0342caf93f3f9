"""Everything small: all layouts of up to three leaves, all pairs of up to two, all swizzles of up to four bits.

`unary()` and `binary()` list the cases; `judge_unary` and `judge_binary` say what is wrong, or nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product as box
from itertools import starmap

import oracle
from answers import lawful
from oracle import modes

import tilewright as tw
from tilewright import Layout, LayoutError, Swizzle

EXTENTS, STRIDES = range(1, 5), range(9)
LEAVES = list(box(EXTENTS, STRIDES))
UNARY = ("coalesce", "complement", "right_inverse", "left_inverse", "cosize", "upcast", "downcast")
BINARY = ("composition", "logical_divide", "logical_product")


def unary() -> Iterator[Layout]:
    """All layouts of one to three leaves, extents up to 4, strides up to 8: 48,024."""
    for count in (1, 2, 3):
        for leaves in box(LEAVES, repeat=count):
            yield _layout(leaves)


def binary() -> Iterator[tuple[Layout, Layout]]:
    """All pairs of layouts of one or two leaves: 1,774,224."""
    return box(_pairable(), repeat=2)


def pair(index: int) -> tuple[Layout, Layout]:
    """The pair of that number among `binary()`."""
    world = _pairable()
    return world[index // len(world)], world[index % len(world)]


def swizzles() -> Iterator[Swizzle]:
    """All swizzles with B, M <= 4 and |S| <= 6."""
    return starmap(Swizzle, ((b, m, s) for b in range(5) for m in range(5) for s in range(-6, 7) if abs(s) >= b))


def judge_unary(a: Layout) -> str:
    """What an operation of one layout answers wrongly; refusals must have a reason."""
    for name in UNARY:
        more = [2] if name in ("upcast", "downcast") else []
        try:
            found = getattr(tw, name)(a, *more)
        except LayoutError as refusal:
            if _exists(name, a) or "undecided" in str(refusal):
                return f"{name}({a}) is refused: {refusal}"
        else:
            if not lawful(name, [a, *more], found):
                return f"{name}({a}) gives {found}"
    return ""


def judge_binary(a: Layout, b: Layout) -> str:
    """What an operation of two layouts answers wrongly."""
    for name in BINARY:
        try:
            found = getattr(tw, name)(a, b)
        except LayoutError as refusal:
            if (name == "composition" and oracle.composable(a, b)) or "undecided" in str(refusal):
                return f"{name}({a}, {b}) is refused: {refusal}"
        else:
            if not lawful(name, [a, b], found):
                return f"{name}({a}, {b}) gives {found}"
    return ""


_WORLD: list[Layout] = []


def _pairable() -> list[Layout]:
    if not _WORLD:
        _WORLD.extend(_layout(leaves) for count in (1, 2) for leaves in box(LEAVES, repeat=count))
    return _WORLD


def _layout(leaves: tuple[tuple[int, int], ...]) -> Layout:
    if len(leaves) == 1:
        return Layout(*leaves[0])
    return Layout(tuple(s for s, _ in leaves), tuple(d for _, d in leaves))


def _exists(name: str, a: Layout) -> bool:
    """Is there an answer that must not be refused?"""
    if name in ("coalesce", "right_inverse", "cosize"):
        return True
    if name == "left_inverse":
        return oracle.is_injective(a) and oracle.has_left_inverse(a)
    if name == "complement":
        return _has_complement(a)
    live = [(s, d) for s, d in modes(a) if s > 1]
    if name == "downcast":
        return sum(d == 1 for _, d in live) == 1
    wide = oracle.wide_elements(a, 2)
    return wide is not None and oracle.fit(wide) is not None


def _has_complement(a: Layout) -> bool:
    """Are the modes apart, and is there room for cosize // size copies between them?"""
    reach = size = room = cosize = 1
    for stride, extent in sorted((d, s) for s, d in modes(a) if s > 1 and d):
        if stride < reach:
            return False
        room *= stride // reach
        size *= extent
        cosize += (extent - 1) * stride
        reach = stride * extent
    return room >= cosize // size
