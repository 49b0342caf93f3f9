"""All values of a layout at once, with numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, overload

from tilewright.errors import LayoutError
from tilewright.layout.bulk import require_sum_int64
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.indexing import is_array
from tilewright.layout.inttuple import IntTuple, product
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.axes import AxisKey
    from tilewright.layout.base import LayoutBase

    Table: TypeAlias = NDArray[int64] | tuple[NDArray[int64], ...] | dict[AxisKey, NDArray[int64]]

MAX_TABLE = 2**24
MAX_MESH = 2**20


@overload
def table(layout: Layout[int] | ComposedLayout[int]) -> NDArray[int64]: ...
@overload
def table(layout: LayoutBase) -> Table: ...
def table(layout: LayoutBase) -> Table:
    """All values: an array with one dimension a top-level mode, table[i, j] == layout(i, j).

    Where the values are coordinates: a tuple of arrays; on named axes: `{axis: array}`.

    Raises:
        LayoutError: more than 2^24 elements.

    >>> from tilewright.layout.layout import Layout
    >>> table(Layout((2, 3), (3, 1))).tolist()
    [[0, 1, 2], [3, 4, 5]]
    """
    if type(layout.size) is not int or layout.size > MAX_TABLE:
        raise LayoutError(f"a table of {layout.size} elements is too large: at most {MAX_TABLE}")
    if isinstance(layout, Layout) and not layout.on_axes:
        return _sums(layout.shape, layout.stride)
    if isinstance(layout, ComposedLayout) and isinstance(layout.outer, Swizzle) and type(layout.offset) is int:
        values = table(layout.inner)
        if is_array(values):
            return _swizzled(layout.outer, layout.offset, values)
    if layout.size > MAX_MESH:
        raise LayoutError(f"a table of {layout.size} elements of {layout} is too large: at most {MAX_MESH}")
    return layout(_mesh(layout.shape))  # type: ignore[return-value]  # of arrays arrays


def _sums(shape: IntTuple, stride: IntTuple) -> NDArray[int64]:
    """The sums of the modes' values, one dimension a mode."""
    if not isinstance(shape, tuple) or not isinstance(stride, tuple) or not shape:
        return _line(shape or 1, stride or 0)
    out = _line(shape[0], stride[0])
    for s, d in zip(shape[1:], stride[1:], strict=True):
        out = out[..., None] + _line(s, d)
    return out


def _line(shape: IntTuple, stride: IntTuple) -> NDArray[int64]:
    """The values of one mode, colexicographically."""
    from numpy import arange, int64

    if isinstance(shape, tuple) or isinstance(stride, tuple):
        return _sums(shape, stride).ravel(order="F")
    return arange(shape, dtype=int64) * stride


def _swizzled(swizzle: Swizzle, offset: int, values: NDArray[int64]) -> NDArray[int64]:
    """The swizzled values, in place."""
    if offset:
        require_sum_int64(offset, values)
        values += offset
    read = values & swizzle.yyy_mask
    if swizzle.s >= 0:
        read >>= swizzle.s
    else:
        read <<= -swizzle.s
    values ^= read
    return values


def _mesh(shape: IntTuple) -> NDArray[int64] | tuple[NDArray[int64], ...]:
    """All coordinates of a shape: one array a top-level mode, that broadcast against each other."""
    from numpy import arange, int64, ix_

    if not isinstance(shape, tuple):
        return arange(product(shape), dtype=int64)
    return ix_(*(arange(product(s), dtype=int64) for s in shape))
