"""`TypedLayout`: a layout that knows how wide the elements are that it places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.dtypes import bits_of
from tilewright.errors import LayoutError, shown
from tilewright.layout.base import no_layout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.drawn import Drawn
from tilewright.layout.layout import Layout
from tilewright.layout.view import View, changed

if TYPE_CHECKING:
    from typing import Self

    from tilewright.dtypes import DTypeLike
    from tilewright.layout.view import Change


@dataclass(frozen=True, init=False, repr=False)
class TypedLayout(View, Drawn):
    """A layout and the width of its elements, which nobody asks for again: analyses, pictures, recasts read it.

    Operations that select or move elements keep the width. `tw.parse(text, tw.TypedLayout)` has both from a printed
    tensor; a `tw.Tensor` is one that has its elements, too.

    Args:
        layout: a plain or composed layout.
        element_bits: the bits of an element, or its type.

    Raises:
        LayoutError: no layout, or no width of an element.
        UsageError: no type.

    >>> from tilewright.layout.layout import Layout
    >>> from tilewright.layout.operations import logical_divide, recast_layout
    >>> tile = TypedLayout(Layout((8, 64), (64, 1)), "f16")
    >>> print(tile, logical_divide(tile, (4, 8)), recast_layout(tile, "f32"), sep=", ")
    16b o (8,64):(64,1), 16b o ((4,2),(8,8)):((64,256),(1,8)), (8,32):(32,1)
    """

    _layout: Layout | ComposedLayout
    _bits: int

    def __init__(self, layout: object, element_bits: int | DTypeLike) -> None:
        bits = bits_of(element_bits)
        if type(bits) is not int or not 0 < bits < 1 << 16:
            raise LayoutError(f"an element has 1 to 65535 bits, got {shown(element_bits)}")
        if not isinstance(layout, Layout | ComposedLayout):
            raise LayoutError(f"a typed layout is of a plain or composed layout, got {no_layout(layout)}")
        object.__setattr__(self, "_layout", layout)
        object.__setattr__(self, "_bits", bits)

    @property
    def layout(self) -> Layout | ComposedLayout:
        """The layout."""
        return self._layout

    @property
    def element_bits(self) -> int:
        """The bits of an element."""
        return self._bits

    def over_layout(self, change: Change) -> Self:
        """Elements as wide, under what `change` makes of the layout."""
        return type(self)(changed(self._layout, change), self._bits)

    def afresh(self, change: Change, dtype: DTypeLike | None = None) -> Self:
        """As `over_layout`, of elements as wide or of another type."""
        return type(self)(changed(self._layout, change), self._bits if dtype is None else dtype)

    def __repr__(self) -> str:
        return f"TypedLayout({self._layout!r}, {self._bits})"

    def __str__(self) -> str:
        return f"{self._bits}b o {self._layout}"
