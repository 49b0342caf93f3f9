"""What a tensor asks of its layout: addresses that are integers, known now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.base import no_layout
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.indexing import contains, is_coord
from tilewright.layout.inttuple import MAX_DEPTH, as_int_tuple, to_text
from tilewright.layout.layout import Layout
from tilewright.layout.query import bounds
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.guards import GuardedLayout, depends_on_run_time
from tilewright.layout.table import table

if TYPE_CHECKING:
    from typing import TypeAlias

    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.base import LayoutBase
    from tilewright.layout.inttuple import IntTuple

    Addresses: TypeAlias = "Layout[int] | ComposedLayout[int]"


def addressing(layout: object) -> Addresses:
    """A layout whose values are known integers.

    Raises:
        LayoutError: no layout, one that run time alone knows, or values on axes.
    """
    if isinstance(layout, GuardedLayout) or depends_on_run_time(layout):
        raise LayoutError(
            f"{shown(str(layout))} has sizes that only run time knows; a tensor's are known: tw.substitute"
        )
    if not isinstance(layout, Layout | ComposedLayout):
        raise LayoutError(f"a tensor has a layout of offsets, got {no_layout(layout)}")
    if layout.on_axes:
        raise LayoutError(
            f"a tensor has a layout of offsets in memory, and {layout} has coordinates or axes for values"
        )
    return layout


def start_and_rest(layout: Addresses) -> tuple[int, Addresses]:
    """The offset that a slice keeps inside, and the layout without: a pointer moves by the one."""
    if isinstance(layout, ComposedLayout) and layout.outer == Swizzle(0, 0, 0) and type(layout.offset) is int:
        start, rest = start_and_rest(layout.inner)
        return layout.offset + start, rest
    return 0, layout


def reach(layout: Addresses) -> tuple[int, int]:
    """The least and the largest value.

    Raises:
        LayoutError: more than 2^24 elements of a composed layout.
    """
    if isinstance(layout, Layout):
        return bounds(layout)
    values = addresses(layout)
    return int(values.min()), int(values.max())


def addresses(layout: Addresses) -> NDArray[int64]:
    """The values as an array, a dimension a mode."""
    found = table(layout)
    assert not isinstance(found, tuple | dict), "offsets are integers"
    return found


def in_order(layout: Addresses) -> NDArray[int64]:
    """The values one after the other, by colexicographic coordinate."""
    return addresses(layout).ravel(order="F")


def coordinate(key: object, layout: LayoutBase) -> IntTuple:
    """An index as a coordinate of the layout: `:` stands for None.

    Raises:
        UsageError: a range of indices, or what is no coordinate.
        LayoutError: it lies outside of the shape.
    """
    wanted = _with_none(key)
    if not is_coord(wanted):
        raise UsageError(
            f"a tensor is indexed by integers, and None (or `:`) for modes that are kept, got {shown(key)}"
        )
    where = as_int_tuple(wanted)
    if where is not None and not _inside(where, layout.shape):
        raise LayoutError(
            f"coordinate {to_text(where)} is outside of a tensor of shape {to_text(layout.shape)}; "
            "coordinates begin at 0 (-1 would be the last in an array, and before the first in a kernel)"
        )
    return where


def _with_none(key: object, levels: int = MAX_DEPTH) -> object:
    if isinstance(key, tuple | list) and levels:
        return tuple(_with_none(item, levels - 1) for item in key)
    if isinstance(key, slice) and key != slice(None):
        raise UsageError(f"a slice chooses among whole modes, t[2:4, j]; {shown(key)} stands inside of one")
    return None if isinstance(key, slice) else key


def _inside(where: IntTuple, shape: IntTuple) -> bool:
    """Does it fit the shape, None anywhere?"""
    if where is None:
        return True
    if not isinstance(where, tuple):
        return bool(contains(where, shape))
    return isinstance(shape, tuple) and len(where) == len(shape) and all(map(_inside, where, shape))
