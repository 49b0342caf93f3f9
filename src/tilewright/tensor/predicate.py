"""`predicate`: which elements of a ragged tile lie inside the tensor that it is a tile of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.errors import LayoutError, shown
from tilewright.layout.base import as_layout
from tilewright.layout.compare import congruent, shape_of
from tilewright.layout.inttuple import IntTuple, as_int_tuple, leaves, to_text
from tilewright.layout.layout import Layout
from tilewright.tensor.memory import Pointer
from tilewright.tensor.tensor import Tensor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tilewright.layout.base import LayoutBase
    from tilewright.layout.inttuple import IntTupleLike
    from tilewright.layout.view import View

MOST = 1 << 20


def predicate(tile: LayoutBase, extent: IntTupleLike | LayoutBase | View) -> Tensor:
    """A tensor of truth values of the tile's shape: p[c] says whether 0 <= tile(c) < extent, in every mode.

    Args:
        tile: coordinates: a tile, or a thread's part, of `make_identity_tensor(shape)`; or flat coordinates, as a
            divide of a layout `n:1` gives.
        extent: of the coordinates, a shape; or the layout or tensor that has it.

    Raises:
        LayoutError: values that are no coordinates of such a shape, sizes that run time knows, more than 2^20 elements.

    >>> from tilewright.layout.construct import make_identity_tensor
    >>> from tilewright.layout.operations import local_tile
    >>> predicate(local_tile(make_identity_tensor((5, 6)), (4, 4), (1, 1)), (5, 6)).numpy().astype(int).tolist()
    [[1, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    """
    import numpy

    layout, limit = as_layout(tile), shape_of(extent)
    if type(layout.size) is not int or layout.size > MOST:
        raise LayoutError(f"predicate: {layout} has {layout.size} elements, of which at most {MOST} are listed")
    found = numpy.fromiter((_inside(layout, i, limit) for i in range(layout.size)), numpy.bool_, layout.size)
    return Tensor(Pointer(found), Layout(layout.shape))


def _inside(layout: LayoutBase, i: int, extent: IntTuple) -> bool:
    return all(0 <= at < most for at, most in _pairs(layout, layout(i), extent))


def _pairs(layout: LayoutBase, value: object, extent: IntTuple) -> Iterator[tuple[int, int]]:
    """The numbers of a coordinate, with the extents that bound them."""
    at = None if isinstance(value, dict) else as_int_tuple(value)
    if at is None or not congruent(at, extent):
        raise LayoutError(
            f"predicate: the values of {layout}, such as {shown(value)}, are no coordinates of the shape "
            f"{to_text(extent)}; tiles of tw.make_identity_tensor(shape) have them"
        )
    for number, most in zip(leaves(at), leaves(extent), strict=True):
        if type(number) is not int or type(most) is not int:
            raise LayoutError(f"predicate: {layout} and {to_text(extent)} are to be known: tw.substitute")
        yield number, most
