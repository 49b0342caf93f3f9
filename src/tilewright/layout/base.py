"""`LayoutBase`: what layouts of every kind share. The algebra becomes methods of it in `operations`."""

from __future__ import annotations

from types import GenericAlias
from typing import TYPE_CHECKING, Any

from tilewright.errors import LayoutError, shown
from tilewright.layout.drawn import Drawn
from tilewright.layout.inttuple import IntTuple


class LayoutBase(Drawn):
    """A function from coordinates of `shape`; every operation of the algebra is a method too.

    `Layout`, `ComposedLayout` and `GuardedLayout` are its kinds, and `isinstance(value, tw.LayoutLike)` asks for any.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def shape(self) -> IntTuple: ...  # noqa: D102  # the kinds have the words
        @property
        def size(self) -> int: ...  # noqa: D102
        @property
        def rank(self) -> int: ...  # noqa: D102
        @property
        def depth(self) -> int: ...  # noqa: D102
        @property
        def cosize(self) -> int: ...  # noqa: D102
        def __call__(self, *coord: Any) -> Any: ...  # noqa: D102

    else:
        __class_getitem__ = classmethod(GenericAlias)  # `Layout[int]`


def as_layout(value: Any) -> Any:
    """The layout itself, of whichever kind.

    Raises:
        LayoutError: the value is no layout.
    """
    if isinstance(value, LayoutBase):
        return value
    raise LayoutError(f"expected a layout, got {shown(value)}")
