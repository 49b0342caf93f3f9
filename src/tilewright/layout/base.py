"""`LayoutBase`: what layouts of every kind share. The algebra becomes methods of it in `operations`."""

from __future__ import annotations

from collections.abc import Sequence
from types import GenericAlias
from typing import TYPE_CHECKING, ClassVar, TypeGuard, TypeVar, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout.drawn import Drawn
from tilewright.layout.inttuple import IntTuple, as_int_tuple, congruent
from tilewright.layout.view import View

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.axes import Presented
    from tilewright.layout.extent import Extent
    from tilewright.layout.indexing import Coordinate


Kind = TypeVar("Kind", bound="LayoutBase")


class LayoutBase(Drawn):
    """A function from coordinates of `shape`; every operation of the algebra is a method too.

    `Layout`, `ComposedLayout` and `GuardedLayout` are its kinds, and `isinstance(value, tw.LayoutLike)` asks for any.

    Raises:
        LayoutError: it is made: its kinds are.

    >>> from tilewright.layout.layout import Layout
    >>> isinstance(Layout(4), LayoutBase), isinstance((4, 1), LayoutBase)
    (True, False)
    """

    __slots__ = ()

    def __init__(self, *_: object) -> None:
        raise LayoutError("LayoutLike names layouts of every kind, and makes none; write Layout(shape, stride)")

    if TYPE_CHECKING:

        @property
        def shape(self) -> IntTuple: ...  # noqa: D102  # the kinds have the words

        size: ClassVar[Extent]

        @property
        def rank(self) -> int: ...  # noqa: D102
        @property
        def depth(self) -> int: ...  # noqa: D102

        cosize: ClassVar[Extent]

        def __call__(self, *coord: Coordinate) -> Presented | NDArray[int64] | LayoutBase: ...  # noqa: D102

    else:
        __class_getitem__ = classmethod(GenericAlias)  # `Layout[int]`


@overload
def as_layout(value: Kind) -> Kind: ...
@overload
def as_layout(value: object) -> LayoutBase: ...
def as_layout(value: object) -> LayoutBase:
    """The layout itself, of whichever kind.

    Raises:
        LayoutError: the value is no layout.
    """
    if isinstance(value, LayoutBase):
        return value
    raise LayoutError(f"expected a layout, got {no_layout(value)}")


def layout_of(value: object) -> LayoutBase:
    """The layout itself, or the one through which something is seen.

    Raises:
        LayoutError: the value is neither a layout nor anything seen through one.

    >>> from tilewright.layout.layout import Layout
    >>> print(layout_of(Layout(4, 2)))
    4:2
    """
    return as_layout(value.layout if isinstance(value, View) else value)


def no_layout(value: object) -> str:
    """How a message shows what stands where a layout is expected; of a pair or a text also how to get the layout.

    >>> no_layout(((8, 16), (1, 8)))
    '((8, 16), (1, 8)); write Layout((8, 16), (1, 8))'
    >>> no_layout("4:1")
    "'4:1'; tw.parse reads texts"
    """
    if isinstance(value, str):
        return f"{shown(value)}; tw.parse reads texts"
    if isinstance(value, View):
        return f"{shown(value)}; its layout is .layout"
    if hasattr(value, "__array_interface__"):
        return f"an array of shape {shown(getattr(value, 'shape', None))}; write tw.Tensor(array)"
    return f"{shown(value)}; write Layout({shown(value[0])}, {shown(value[1])})" if is_pair(value) else shown(value)


def is_pair(value: object) -> TypeGuard[Sequence[object]]:
    """Does it look like (shape, stride)?

    >>> is_pair(((8, 16), (1, 8))), is_pair((8, 16)), is_pair(((4, 8), 2))
    (True, False, False)
    """
    if not isinstance(value, tuple | list) or len(value) != 2 or not all(isinstance(v, tuple | list) for v in value):
        return False
    try:
        shape, stride = map(as_int_tuple, value)
    except LayoutError:
        return False
    return congruent(shape, stride)
