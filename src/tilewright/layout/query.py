"""What a layout or an int tuple is: size, rank, depth, codomain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout import inttuple
from tilewright.layout.axes import AxisKey, AxisSum, components, from_terms
from tilewright.layout.base import LayoutBase, as_layout
from tilewright.layout.compare import shape_of
from tilewright.layout.inttuple import IntTuple, as_int_tuple, modes, positions_of, product
from tilewright.layout.layout import Layout, present
from tilewright.layout.symbolic.guards import depends_on_run_time
from tilewright.layout.symbolic.operators import maximum, minimum

if TYPE_CHECKING:
    from tilewright.layout.axes import Known, Value
    from tilewright.layout.composed import ComposedLayout
    from tilewright.layout.inttuple import Element, Elements, IntTupleLike, KnownInts
    from tilewright.layout.symbolic.symint import SymInt
    from tilewright.layout.view import View


@overload
def size(
    int_tuple: Layout[Known] | ComposedLayout[Known] | KnownInts, *path: int, mode: int | Sequence[int] = ()
) -> int: ...
@overload
def size(int_tuple: IntTupleLike | LayoutBase | View, *path: int, mode: int | Sequence[int] = ()) -> int | SymInt: ...
def size(int_tuple: IntTupleLike | LayoutBase | View, *path: int, mode: int | Sequence[int] = ()) -> int | SymInt:
    """The number of coordinates, the product of the extents; of the mode at a path, which `mode` may also say.

    Raises:
        LayoutError: no such mode, or one without an extent: None, or a value on an axis.

    >>> size((8, 16)), size(Layout((4, (2, 8)))), size((4, (2, 8)), 1), size((4, (2, 8)), mode=[1, 0])
    (128, 64, 16, 2)
    """
    shape = _at(shape_of(int_tuple), path, mode)
    if shape.__class__ is not int:
        _require_extents(shape)
    return product(shape)


def rank(int_or_tuple: IntTupleLike | LayoutBase | View, *path: int, mode: int | Sequence[int] = ()) -> int:
    """The number of top-level modes; 1 for a leaf. `size` says what a path and `mode` are.

    Raises:
        LayoutError: neither a layout nor an int tuple, or a path that leads nowhere.

    >>> rank((4, (2, 8))), rank((4, (2, 8, 3)), 1), rank((4, (2, 8, 3)), mode=[1])
    (2, 3, 3)
    """
    return inttuple.rank(_at(shape_of(int_or_tuple), path, mode))


def depth(int_or_tuple: IntTupleLike | LayoutBase | View, *path: int, mode: int | Sequence[int] = ()) -> int:
    """The nesting depth; 0 for a leaf. `size` says what a path and `mode` are.

    Raises:
        LayoutError: neither a layout nor an int tuple, or a path that leads nowhere.

    >>> depth((8, (4, 2))), depth((8, (4, 2)), mode=1)
    (2, 1)
    """
    return inttuple.depth(_at(shape_of(int_or_tuple), path, mode))


@overload
def bounds(layout: Layout[int]) -> tuple[int, int]: ...
@overload
def bounds(layout: Layout[Value]) -> tuple[Element, Element]: ...
def bounds(layout: Layout) -> tuple[Element, Element]:
    """The least and the largest value, axis by axis, over the whole domain.

    >>> bounds(Layout((4, 4), (-1, 4)))
    (-3, 12)
    """
    low: Element = 0
    high: Element = 0
    for s, d in layout.flat:
        below, above = _split_signs(d)
        low = low + below * (s - 1)
        high = high + above * (s - 1)
    return low, high


@overload
def cosize(layout: Layout[Known]) -> int: ...
@overload
def cosize(layout: Layout[Value]) -> int | SymInt: ...
def cosize(layout: Layout[Value]) -> int | SymInt:
    """The largest value + 1: the size of an array that holds every offset; over several axes the product of `coshape`.

    Raises:
        LayoutError: the value is no layout.

    >>> cosize(Layout((8, 16))), cosize(Layout((4, 4), (-1, 4)))
    (128, 13)
    """
    top = _largest(layout.shape, layout.stride)
    if not isinstance(top, AxisSum):
        return top + 1
    extents = coshape(layout)
    return product(tuple(extents.values()) if isinstance(extents, dict) else extents)


def coshape(layout: Layout[Value]) -> IntTuple | dict[AxisKey, int]:
    """The codomain's shape: the largest value + 1 on every axis, as a coordinate tuple or `{axis: int}`.

    Raises:
        LayoutError: no layout.

    >>> from tilewright.layout.construct import make_identity_layout
    >>> coshape(Layout((4, 8), (1, 4))), coshape(make_identity_layout((4, 8)))
    (32, (4, 8))
    """
    return _map_present(bounds(layout)[1], layout.axes, lambda v: v + 1)


def coprofile(layout: Layout[Value]) -> IntTuple | dict[AxisKey, int]:
    """A zero for every coordinate of the codomain; `with_coprofile` gives a layout another.

    Raises:
        LayoutError: no layout.

    >>> from tilewright.layout.construct import make_identity_layout
    >>> coprofile(Layout((4, 8))), coprofile(make_identity_layout((4, (2, 8))))
    (0, (0, (0, 0)))
    """
    return _map_present(0, layout.axes, lambda v: 0)


def get_shape(layout: LayoutBase) -> IntTuple:
    """The shape.

    Raises:
        LayoutError: no layout.

    >>> get_shape(Layout((8, 16)))
    (8, 16)
    """
    return as_layout(layout).shape


def get_stride(layout: LayoutBase) -> IntTuple:
    """The stride of a plain layout.

    Raises:
        LayoutError: a composed layout, whose values have no strides.

    >>> get_stride(Layout((8, 16)))
    (1, 8)
    """
    layout = as_layout(layout)
    if not isinstance(layout, Layout):
        raise LayoutError(f"{layout} is composed: it has no strides of its own; see `.inner`")
    return layout.stride


def get_scalar(int_tuple: IntTupleLike) -> int:
    """The integer of a leaf, or of a tuple around one.

    Raises:
        LayoutError: more than one leaf.

    >>> get_scalar(8), get_scalar((8,))
    (8, 8)
    """
    checked = as_int_tuple(int_tuple)
    flat = inttuple.flatten(checked)
    if len(flat) != 1:
        raise LayoutError(f"get_scalar: {inttuple.to_text(checked)} has {len(flat)} leaves")
    return flat[0]


def get_leaves(input: IntTupleLike, dynamic_only: bool = False) -> tuple[int, ...]:
    """The leaves of an int tuple from left to right; with `dynamic_only` those alone that are known at run time only.

    Raises:
        LayoutError: no int tuple.

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> get_leaves((4, (2, 8))), len(get_leaves((4, SymInt("n")), dynamic_only=True))
    ((4, 2, 8), 1)
    """
    if not isinstance(dynamic_only, bool):
        raise LayoutError(f"dynamic_only is True or False, got {shown(dynamic_only)}")
    flat = inttuple.flatten(as_int_tuple(input))
    return tuple(filter(depends_on_run_time, flat)) if dynamic_only else flat


def _largest(shape: IntTuple, stride: Elements) -> Element:
    """The largest value, axis by axis."""
    if isinstance(shape, tuple) or isinstance(stride, tuple):
        return sum(map(_largest, modes(shape), modes(stride)))
    if stride.__class__ is int:
        return (shape - 1) * stride if stride > 0 else 0
    return _split_signs(stride)[1] * (shape - 1)


def _require_extents(shape: IntTuple) -> None:
    for leaf in inttuple.leaves(shape):
        if leaf is None or isinstance(leaf, AxisSum):
            raise LayoutError(f"{inttuple.to_text(shape)} has no size: {inttuple.to_text(leaf)} is no extent")


def _at(shape: IntTuple, path: tuple[int, ...], mode: int | Sequence[int]) -> IntTuple:
    for position in positions_of(path, mode=mode) if path or mode != () else ():
        parts = inttuple.modes(shape)
        if type(position) is not int or not -len(parts) <= position < len(parts):
            raise LayoutError(f"{inttuple.to_text(shape)} has no mode {shown(position)}")
        shape = parts[position]
    return shape


@overload
def _split_signs(element: int) -> tuple[int, int]: ...
@overload
def _split_signs(element: Element) -> tuple[Element, Element]: ...
def _split_signs(element: Element) -> tuple[Element, Element]:
    """The negative and the positive part of a module element."""
    if type(element) is int:
        return (element, 0) if element < 0 else (0, element)
    if isinstance(element, AxisSum):
        parts = [(axis, _split_signs(v)) for axis, v in components(element)]
        return from_terms((a, p[0]) for a, p in parts), from_terms((a, p[1]) for a, p in parts)
    return minimum(element, 0), maximum(element, 0)


def _map_present(
    value: Element, axes: tuple[AxisKey, ...], change: Callable[[int], int]
) -> IntTuple | dict[AxisKey, int]:
    shown = present(value, axes)

    def walk(node: IntTuple) -> IntTuple:
        return tuple(map(walk, node)) if isinstance(node, tuple) else change(node)

    assert not isinstance(shown, AxisSum), "the strides span every axis of the value"
    return {axis: change(v) for axis, v in shown.items()} if isinstance(shown, dict) else walk(shown)
