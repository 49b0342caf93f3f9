"""Swizzled views that a swizzle only moves: their elements lie to one another as in the plain layout."""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING

from tilewright.ir.fly.leaves import is_run_time
from tilewright.ir.fly.types import Value
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import leaves
from tilewright.layout.layout import Layout
from tilewright.layout.query import cosize
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Tree


def moves_as_a_whole(layout: Value) -> bool:
    """Is S(offset + L(c)) = S(offset) + L(c) for every c, which is told by the bits below those that S touches?

    >>> from tilewright.ir.fly.type_reader import read
    >>> def asked(text): return moves_as_a_whole(read(f"!fly.composed_layout<{text}>"))
    >>> asked("S<3,2,3> o ?{div=4} o 4:1"), asked("S<3,2,3> o ?{div=2} o 4:1"), asked("S<3,2,3> o 5 o (2,1):(1,0)")
    (True, False, True)
    """
    if not isinstance(layout, ComposedLayout) or not isinstance(layout.outer, Swizzle):
        return False
    inner = layout.inner
    if not isinstance(inner, Layout) or not inner.is_static or not _is_natural(inner):
        return False
    untouched = 1 << layout.outer.m
    return bool(_remainder(layout.offset, untouched) + cosize(inner) <= untouched)


def _is_natural(layout: Layout) -> bool:
    return all(isinstance(d, int) and d >= 0 for d in leaves(layout.stride))


def _remainder(offset: Tree, modulus: int) -> int:
    """The most that the offset may be modulo a power of two."""
    if is_run_time(offset):
        return modulus - gcd(offset.div, modulus)
    return offset % modulus if isinstance(offset, int) else modulus
