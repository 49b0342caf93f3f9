"""Evaluation of many coordinates at once, with numpy."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import AxisSum, components
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.indexing import as_index, crd2idx
from tilewright.layout.inttuple import MAX_INT, IntTuple, leaves, product, to_text
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_TABLE = 2**24
MAX_MESH = 2**20


def as_indices(array: Any) -> NDArray[Any]:
    """The array as 64-bit integers.

    Raises:
        LayoutError: the array does not hold integers.
    """
    from numpy import asarray, int64

    found = asarray(array)
    if found.dtype.kind not in "iu":
        raise LayoutError(f"coordinates are integers, got an array of {found.dtype}")
    return found.astype(int64, copy=False)


def table(layout: Any) -> Any:
    """All values: an array with one dimension a top-level mode, table[i, j] == layout(i, j).

    Raises:
        LayoutError: more than 2^24 elements.

    >>> from tilewright.layout.layout import Layout
    >>> table(Layout((2, 3), (3, 1))).tolist()
    [[0, 1, 2], [3, 4, 5]]
    """
    if type(layout.size) is not int or layout.size > MAX_TABLE:
        raise LayoutError(f"a table of {layout.size} elements is too large: at most {MAX_TABLE}")
    if isinstance(layout, Layout) and not layout.on_axes:
        require_int64(layout.size - 1, layout.shape, layout.stride)
        return _sums(layout.shape, layout.stride)
    if isinstance(layout, ComposedLayout) and isinstance(layout.outer, Swizzle) and type(layout.offset) is int:
        values = table(layout.inner)
        if hasattr(values, "dtype"):
            return _swizzled(layout.outer, layout.offset, values)
    if layout.size > MAX_MESH:
        raise LayoutError(f"a table of {layout.size} elements of {layout} is too large: at most {MAX_MESH}")
    return layout(_mesh(layout.shape))


def _sums(shape: IntTuple, stride: IntTuple) -> NDArray[Any]:
    """The sums of the modes' values, one dimension a mode."""
    if not isinstance(shape, tuple) or not shape:
        return _line(shape or 1, stride or 0)
    out = _line(shape[0], stride[0])
    for s, d in zip(shape[1:], stride[1:], strict=True):
        out = out[..., None] + _line(s, d)
    return out


def _line(shape: IntTuple, stride: IntTuple) -> NDArray[Any]:
    """The values of one mode, colexicographically."""
    from numpy import arange, int64

    if isinstance(shape, tuple):
        return _sums(shape, stride).ravel(order="F")
    line: NDArray[Any] = arange(shape, dtype=int64) * stride
    return line


def _swizzled(swizzle: Swizzle, offset: int, values: NDArray[Any]) -> NDArray[Any]:
    """The swizzled values, in place."""
    if offset:
        values += offset
    read = values & swizzle.yyy_mask
    if swizzle.s >= 0:
        read >>= swizzle.s
    else:
        read <<= -swizzle.s
    values ^= read
    return values


def _mesh(shape: IntTuple) -> Any:
    """All coordinates of a shape: one array a top-level mode, that broadcast against each other."""
    from numpy import arange, int64, ix_

    if not isinstance(shape, tuple):
        return arange(product(shape), dtype=int64)
    return ix_(*(arange(product(s), dtype=int64) for s in shape))


def require_int64(coord: Any, shape: IntTuple, stride: IntTuple) -> None:
    """Refuses arrays of coordinates whose values could leave 64 bits."""
    if _most(coord, shape, stride) >= MAX_INT:
        raise LayoutError(f"the values at these coordinates of {to_text(shape)}:{to_text(stride)} leave 64 bits")


def _most(coord: Any, shape: IntTuple, stride: IntTuple) -> int:
    """A bound of the absolute values."""
    if isinstance(coord, tuple | list) and isinstance(shape, tuple):
        return sum(map(_most, coord, shape, stride))
    while isinstance(coord, tuple | list):
        coord = coord[0] if coord else 0
    extents, steps = list(leaves(shape)), list(leaves(stride))
    if not extents:
        return 0
    last = _largest(coord) // prod(extents[:-1]) + 1
    inside = sum((s - 1) * abs(d) for s, d in zip(extents[:-1], steps[:-1], strict=True))
    return int(inside + last * abs(steps[-1]))


def _largest(coord: Any) -> int:
    coord = as_index(coord)
    if not getattr(coord, "ndim", 0):
        return abs(int(coord))
    return max(abs(int(coord.max(initial=0))), abs(int(coord.min(initial=0))))


def by_axis(coord: Any, shape: IntTuple, stride: IntTuple) -> dict[Any, Any]:
    """The values at arrays of coordinates, axis by axis."""
    axes = dict.fromkeys(axis for leaf in leaves(stride) for axis, _ in components(leaf))
    return {axis: at_arrays(coord, shape, _on(stride, axis)) for axis in axes}


def at_arrays(coord: Any, shape: IntTuple, stride: IntTuple) -> Any:
    """The values at arrays of coordinates, where strides are integers.

    Raises:
        LayoutError: a value could leave 64 bits.
    """
    require_int64(coord, shape, stride)
    return crd2idx(coord, shape, stride)


def _on(stride: IntTuple, axis: Any) -> IntTuple:
    if isinstance(stride, tuple):
        return tuple(_on(d, axis) for d in stride)
    return stride.on(axis) if isinstance(stride, AxisSum) else dict(components(stride)).get(axis, 0)
