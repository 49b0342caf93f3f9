"""`ComposedLayout`: outer(offset + inner(c)), where outer is a swizzle or another layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle


@dataclass(frozen=True, slots=True)
class ComposedLayout:
    """`outer o offset o inner`: R(c) = outer(offset + inner(c)). Domain, size and rank are inner's.

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
        return self.outer(self.offset + self.inner(*coord))

    def __str__(self) -> str:
        return f"{self.outer} o {self.offset} o {self.inner}"
