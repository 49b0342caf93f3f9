"""`predicate`: which elements of a ragged tile lie inside the tensor that it is a tile of."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.numeric import Numeric
from tilewright.lang.core.numerics.types import Boolean
from tilewright.lang.fly.functions.algebra import is_profile_congruent, tuple_of
from tilewright.lang.fly.functions.memory import make_rmem_tensor
from tilewright.lang.fly.functions.queries import ShapedLike, elem_less, get_shape, size
from tilewright.lang.fly.values.base import expect
from tilewright.lang.fly.values.int_tuple import IntTuple, IntTupleLike
from tilewright.lang.fly.values.layouts import LayoutLike, layout_of
from tilewright.lang.fly.values.memory import CoordinateTensor, Tensor

__all__ = ["predicate"]

Tile: TypeAlias = "Tensor | LayoutLike"
MOST = 1 << 12


def predicate(tile: Tile, extent: ShapedLike) -> Tensor:
    """A tensor of truth values of the tile's shape, in registers: p[c] says whether 0 <= tile(c) < extent, by mode.

    FlyDSL has no such name: it is `fx.elem_less` of each coordinate. `tw.predicate` is the same outside of kernels.

    Args:
        tile: coordinates, of a known shape: a tile, or a thread's part, of `make_identity_tensor(shape)`, or a layout
            whose values are coordinates.
        extent: of the coordinates, a shape, known or of run time; or the layout or tensor that has it.

    Raises:
        KernelError: elements of memory, coordinates of another profile than the extent, a shape that run time alone
            knows, more than 2^12 elements.

    >>> import numpy
    >>> import tilewright.compiler as flyc
    >>> import tilewright.expr as fx
    >>> @flyc.kernel
    ... def last_row(x: fx.Tensor):
    ...     row = fx.zipped_divide(fx.make_identity_tensor((4, 8)), (1, 8))[None, (2, fx.block_idx.x)]
    ...     fx.printf("{}", fx.predicate(row, x).load())
    >>> @flyc.jit
    ... def run(x: fx.Tensor):
    ...     last_row(x).launch(grid=1, block=1)
    >>> run(numpy.zeros((3, 5), "float32"))
    [True, True, True, True, True, False, False, False]
    """
    value, shape = _values(tile), get_shape(tile)
    limit = tuple_of(extent)
    if not is_profile_congruent(value(0), limit):
        raise KernelError(
            f"predicate: the values of {tile}, such as {value(0)}, are no coordinates of the shape {limit.text}; "
            "tiles of fx.make_identity_tensor(shape) have them"
        )
    count = _count(tile, shape)
    inside = make_rmem_tensor(shape, Boolean)
    for i in range(count):
        inside[i] = _inside(value(i), limit)
    return inside


def _values(tile: Tile) -> Callable[[int], IntTuple]:
    """Its coordinates by their number."""
    if not isinstance(tile, Tensor):
        layout = layout_of(tile)
        return lambda i: expect(layout(i), IntTuple, "a coordinate")
    if not isinstance(tile, CoordinateTensor):
        raise KernelError(f"{tile} has elements of memory; predicate asks for coordinates: fx.make_identity_tensor")
    return lambda i: expect(tile[i], IntTuple, "a coordinate")


def _count(tile: Tile, shape: IntTuple) -> int:
    if not shape.is_static:
        raise KernelError(f"predicate: {tile} has extents that only run time knows; a thread's part has known ones")
    count = size(shape).get_static_leaf_int
    if count > MOST:
        raise KernelError(f"predicate: {tile} has {count} elements, of which at most {MOST} are compared; take a part")
    return count


def _inside(at: IntTuple, extent: IntTuple) -> Numeric:
    return elem_less(_before(at.kind), at) & elem_less(at, extent)


def _before(kind: object) -> IntTupleLike:
    """What lies before the first coordinate of a profile."""
    return tuple(map(_before, kind)) if isinstance(kind, tuple) else -1
