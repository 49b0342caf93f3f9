"""Register layouts."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from tilewright.dtypes import dtype as element_type
from tilewright.layout.algebra.coalesce import without_zeros
from tilewright.layout.algebra.product import tiled_product
from tilewright.layout.construct import ordered_layout
from tilewright.layout.inttuple import modes
from tilewright.layout.layout import Layout, compact_stride, trusted

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike
    from tilewright.layout.axes import Known, Value
    from tilewright.layout.symbolic.symint import SymInt


@overload
def make_fragment_like(tensor: Layout[Known], dtype: DTypeLike | None = None) -> Layout[int]: ...
@overload
def make_fragment_like(tensor: Layout[Value], dtype: DTypeLike | None = None) -> Layout[int | SymInt]: ...
def make_fragment_like(tensor: Layout[Value], dtype: DTypeLike | None = None) -> Layout:
    """A register layout: mode 0 compact and fastest, the other modes compact in the order of their strides.

    Args:
        tensor: the layout of what the fragment is like.
        dtype: the element type of a tensor's fragment, as in FlyDSL. A layout has none: it is checked, and no more.

    Raises:
        UsageError: `dtype` is no element type.
        LayoutError: no layout.

    Source: CuTe's `make_fragment_like`, FlyDSL's `make_fragment_layout_like`.

    >>> print(make_fragment_like(Layout(((4, 2), 3, 5), ((8, 1), 100, 7))))
    ((4,2),3,5):((1,4),40,8)
    """
    layout = tensor
    if dtype is not None:
        element_type(dtype)
    if layout.rank < 2:
        return trusted(layout.shape, compact_stride(layout.shape))
    first = layout[0]
    vector = trusted(first.shape, compact_stride(without_zeros(first.shape, first.stride)))
    return tiled_product(vector, ordered_layout(modes(layout.shape)[1:], modes(layout.stride)[1:]))
