"""Tilers: a layout; an integer n, which is n:1; None, which keeps a mode; or a tuple of tilers, one a mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, SupportsIndex, TypeAlias, overload

from tilewright.errors import LayoutError
from tilewright.layout.axes import MEMORY, AxisSum, components, from_terms
from tilewright.layout.base import LayoutBase, is_pair, no_layout
from tilewright.layout.inttuple import MAX_DEPTH, as_int_tuple
from tilewright.layout.kinds import Kind
from tilewright.layout.layout import Layout, concatenate, modes_alone, trusted, within

if TYPE_CHECKING:
    from tilewright.layout.axes import AxisKey, Known, Value
    from tilewright.layout.inttuple import Elements, Ints, IntTuple
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt


def is_tiler(value: object) -> bool:
    """Is it a plain layout, an integer above 0, None, or a tuple or list of tilers?

    >>> is_tiler((4, None, Layout(8, 2))), is_tiler((4, "8"))
    (True, False)
    """
    try:
        as_tiler(value)
    except LayoutError:
        return False
    return True


if TYPE_CHECKING:
    # As `as_tiler` gives it, without lists.
    CheckedTiler: TypeAlias = "Layout | int | tuple[CheckedTiler, ...] | None"
    KnownTiler: TypeAlias = (
        "Layout[Known] | SupportsIndex | tuple[KnownTiler, ...] | list[KnownTiler] | list[int] | None"
    )
    Tiler: TypeAlias = "KnownTiler | Layout[Value] | SymInt | tuple[Tiler, ...] | list[Tiler]"
else:
    Tiler = Kind(
        "Tiler",
        is_tiler,
        "A layout, an integer n for n:1, None to keep a mode, or a tuple of them.\n\n"
        "    Raises:\n        LayoutError: it is called: a kind of values makes none.\n\n"
        "    >>> isinstance((4, None, Layout(8)), Tiler), isinstance('4', Tiler)\n    (True, False)\n    ",
    )


def as_tiler(value: object, depth: int = 0) -> CheckedTiler:
    """The tiler, checked, with lists turned into tuples.

    Raises:
        LayoutError: something that is none of None, integer, layout, tuple; an integer below 1, or on an axis.
    """
    if value is None or isinstance(value, Layout):
        return value
    if isinstance(value, LayoutBase):
        raise LayoutError(f"a tile is a plain layout, not {value}")
    if isinstance(value, tuple | list):
        if depth >= MAX_DEPTH:
            raise LayoutError(f"tiler is nested deeper than {MAX_DEPTH}")
        return tuple(as_tiler(item, depth + 1) for item in value)
    extent = as_int_tuple(value)
    _require_extent(extent)
    return extent


def _require_extent(extent: Elements) -> None:
    if isinstance(extent, AxisSum):
        raise LayoutError(f"a tile is an integer or a layout, got {extent}")
    if type(extent) is int and extent < 1:
        raise LayoutError(f"a tile has at least one element, got {extent}")


@overload
def layout_or_shape(value: Layout[V]) -> Layout[V]: ...
@overload
def layout_or_shape(value: Tiler | Ints) -> Layout: ...
def layout_or_shape(value: Tiler | Ints) -> Layout:
    """The layout itself, or the compact layout of a shape.

    Raises:
        LayoutError: a pair that may be meant as (shape, stride).

    >>> print(layout_or_shape((4, 8)), layout_or_shape(Layout(4, 2)))
    (4,8):(1,4) 4:2
    """
    if isinstance(value, Layout):
        return value
    if is_pair(value):
        raise LayoutError(f"a layout or a shape is expected, got {no_layout(value)}, or Layout(..) of the nested shape")
    return Layout(as_int_tuple(value))


@overload
def tiler_to_layout(tiler: Layout[V]) -> Layout[V]: ...
@overload
def tiler_to_layout(tiler: SupportsIndex) -> Layout[int]: ...
@overload
def tiler_to_layout(tiler: tuple[KnownTiler, ...] | list[KnownTiler] | list[int]) -> Layout[IntTuple]: ...
@overload
def tiler_to_layout(tiler: Tiler) -> Layout[Value]: ...
def tiler_to_layout(tiler: Tiler) -> Layout:
    """The one layout T with composition(A, T) == composition(A, tiler): its values are coordinates, tile k's in mode k.

    T((c0, c1, ..)) == (tile0(c0), tile1(c1), ..); a single tile, an integer n for n:1 or a layout, is its own layout.

    Raises:
        LayoutError: None, which keeps a mode whose extent only A tells; a tile in a tuple on a named axis.

    >>> print(tiler_to_layout((4, Layout(5, 3))), tiler_to_layout((4, Layout(5, 3)))(2, 4))
    (4,5):(1@0,3@1) (2, 12)
    """
    return _placed(as_tiler(tiler), ())


def _placed(tiler: CheckedTiler, path: tuple[int, ...]) -> Layout:
    if tiler is None:
        raise LayoutError("tiler_to_layout: None keeps a mode, whose extent no tiler tells: write the extent")
    if isinstance(tiler, tuple):
        parts = [_placed(part, (*path, i)) for i, part in enumerate(tiler)]
        return within(concatenate(parts), [axis for part in parts for axis in part.axes if axis != MEMORY])
    layout = tiler if isinstance(tiler, Layout) else trusted(tiler, 1)
    if not path:
        return layout
    moved = trusted(layout.shape, _moved(layout.stride, path))
    return within(moved, [_below(axis, path) for axis in layout.axes or (MEMORY,)])


def _moved(stride: Elements, path: tuple[int, ...]) -> Elements:
    if isinstance(stride, tuple):
        return tuple(_moved(d, path) for d in stride)
    return from_terms([(_below(axis, path), value) for axis, value in components(stride)])


def _below(axis: AxisKey, path: tuple[int, ...]) -> tuple[int, ...]:
    """The position of a value in the mode at that path."""
    if isinstance(axis, tuple):
        return (*path, *axis)
    if axis != MEMORY:
        raise LayoutError(f"tiler_to_layout: a tile has values on the axis {axis}, which is no position in a mode")
    return path


def tiler_text(tiler: object) -> str:
    """The tiler as text: `[4:1; _]`."""
    if isinstance(tiler, tuple):
        return f"[{'; '.join(map(tiler_text, tiler))}]"
    return "_" if tiler is None else str(tiler)


def by_mode(
    function: Callable[[Layout, Layout | int], Layout], layout: Layout, tiler: CheckedTiler, keep_rest: bool
) -> Layout:
    """`function(mode, tile)` where the tiler has a layout or an integer, the mode itself where it has None.

    Modes of the layout beyond the tiler are kept or dropped.

    Raises:
        LayoutError: the tiler has more modes than the layout.
    """
    if tiler is None:
        return layout
    if not isinstance(tiler, tuple):
        return function(layout, tiler)
    if len(tiler) > layout.rank:
        raise LayoutError(f"the tiler {tiler_text(tiler)} has {len(tiler)} modes, more than {layout}")
    parts = [by_mode(function, mode, part, keep_rest) for mode, part in zip(layout, tiler, strict=False)]
    rest = modes_alone(layout)[len(parts) :] if keep_rest else []
    return concatenate([*parts, *rest])


def unzip(layout: Layout, tiler: CheckedTiler) -> list[Layout]:
    """[the tiles, the rests] of a layout divided or multiplied by mode; where the tiler keeps a mode it is the tile."""
    if tiler is None:
        return [layout, trusted(1, 0)]
    if not isinstance(tiler, tuple):
        return modes_alone(layout)
    modes = modes_alone(layout)
    pairs = [unzip(mode, part) for mode, part in zip(modes, tiler, strict=False)]
    return [concatenate([p[0] for p in pairs]), concatenate([*(p[1] for p in pairs), *modes[len(pairs) :]])]


def modes_of(layout: Layout) -> list[Layout]:
    """The modes to spread out; a layout of one mode stays as it is, as in CuTe."""
    return modes_alone(layout) if layout.rank > 1 else [layout]
