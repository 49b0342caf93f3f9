"""`ComposedLayout`: outer(offset + inner(c)), where outer is a swizzle or another layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum, coordinate_of, element_at
from tilewright.layout.base import LayoutBase
from tilewright.layout.inttuple import IntTuple, to_text
from tilewright.layout.layout import Layout, crd2idx, present
from tilewright.layout.swizzle import Swizzle


@dataclass(frozen=True, slots=True)
class ComposedLayout(LayoutBase):
    """`outer o offset o inner`: R(c) = outer(offset + inner(c)). Domain, size and rank are inner's.

    The offset of a coordinate tensor is itself a coordinate.

    Source: CuTe's `ComposedLayout`.

    >>> swizzled = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((8, 64), (64, 1)))
    >>> print(swizzled, swizzled(3, 5))
    Sw<3,3,3> o 0 o (8,64):(64,1) 221
    """

    outer: Swizzle | Layout | ComposedLayout
    offset: Any
    inner: Layout | ComposedLayout

    @property
    def shape(self) -> IntTuple:
        """The shape of the inner layout."""
        return self.inner.shape

    @property
    def size(self) -> Any:
        """The number of coordinates."""
        return self.inner.size

    @property
    def rank(self) -> int:
        """The number of top-level modes."""
        return self.inner.rank

    @property
    def depth(self) -> int:
        """The nesting depth of the shape."""
        return self.inner.depth

    def __call__(self, *coord: Any) -> Any:
        """outer(offset + inner(coord))."""
        if isinstance(self.offset, tuple | AxisSum) and isinstance(self.inner, Layout):
            value = self._in_module(self.inner, self.offset, coord[0] if len(coord) == 1 else coord)
            return value if isinstance(self.outer, Swizzle) and self.outer.b == 0 else self.outer(value)
        return self.outer(self.offset + self.inner(*coord))

    @staticmethod
    def _in_module(inner: Layout, offset: Any, coord: Any) -> Any:
        # The offset of a coordinate tensor is a coordinate, and gives the values its profile.
        value = crd2idx(coord, inner.shape, inner.stride)
        if isinstance(offset, tuple):
            return coordinate_of(element_at(offset) + value, offset)
        return present(offset + value, (inner.stride, offset))

    @property
    def cosize(self) -> Any:
        """The largest value + 1."""
        return 1 + max(self(i) for i in range(self.size))

    def over_inner(self, change: Callable[[Any], Any]) -> ComposedLayout:
        """The same outer function and offset over a changed inner layout."""
        return ComposedLayout(self.outer, self.offset, change(self.inner))

    def recast(self, factor: int, up: bool) -> ComposedLayout:
        """Wider or narrower elements by the factor, a power of two."""
        bits = factor.bit_length() - 1
        outer = self.outer
        if not isinstance(outer, Swizzle) or factor != 1 << bits:
            raise LayoutError(f"recast by {factor}: not known for {self}")
        if up:
            lost = max(0, bits - outer.m)
            outer = Swizzle(max(0, outer.b - lost), max(0, outer.m - bits), outer.s)
        else:
            outer = Swizzle(outer.b, outer.m + bits, outer.s)
        offset = self.offset // factor if up else self.offset * factor
        from tilewright.layout.recast import downcast, upcast

        return ComposedLayout(outer, offset, (upcast if up else downcast)(self.inner, factor))

    def __getitem__(self, mode: Any) -> ComposedLayout:
        """The composed layout of one mode."""
        return self.over_inner(lambda inner: inner[mode])

    def __str__(self) -> str:
        # A chain groups from the left, so a composed inner part needs brackets.
        inner = f"[{self.inner}]" if isinstance(self.inner, ComposedLayout) else str(self.inner)
        return f"{self.outer} o {to_text(self.offset)} o {inner}"
