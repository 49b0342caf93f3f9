"""Ways to make int tuples and layouts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key
from itertools import groupby
from math import gcd
from operator import itemgetter
from typing import TYPE_CHECKING, Literal, SupportsIndex, TypeAlias, overload

from tilewright.errors import LayoutError, shown
from tilewright.layout.algebra.modes import coalesced, from_modes
from tilewright.layout.algebra.tiler import Tiler, as_tiler
from tilewright.layout.axes import MEMORY, AxisSum, components, term
from tilewright.layout.base import LayoutBase
from tilewright.layout.inttuple import IntTuple, as_int_tuple, flatten, leaves, modes, product, rank, to_text, unflatten
from tilewright.layout.layout import Layout, compact_stride, concatenate, trusted

if TYPE_CHECKING:
    from _typeshed import SupportsRichComparison

    from tilewright.layout.axes import Known, Value
    from tilewright.layout.inttuple import Element, Elements, Ints, IntTupleLike, KnownInts, Tree
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt


Ties: TypeAlias = Literal["position", "overlap"]
Ordered: TypeAlias = tuple[int, int]  # the order of a part, and how many elements the part has


def make_int_tuple(elems: IntTupleLike) -> IntTuple:
    """The int tuple, checked: a shape, a stride or a coordinate.

    Raises:
        LayoutError: no int tuple.

    >>> make_int_tuple([4, [2, 8]])
    (4, (2, 8))
    """
    return as_int_tuple(elems)


@overload
def make_shape(*shape: int) -> tuple[int, ...]: ...
@overload
def make_shape(*shape: Ints) -> tuple[IntTuple, ...]: ...
def make_shape(*shape: Ints) -> tuple[IntTuple, ...]:
    """The shape with these modes.

    Raises:
        LayoutError: a mode that is no int tuple.

    >>> make_shape(9, (4, 8))
    (9, (4, 8))
    """
    return modes(as_int_tuple(shape))


@overload
def make_stride(*stride: int) -> tuple[int, ...]: ...
@overload
def make_stride(*stride: IntTupleLike) -> tuple[IntTuple, ...]: ...
def make_stride(*stride: IntTupleLike) -> tuple[IntTuple, ...]:
    """The stride with these modes.

    Raises:
        LayoutError: a mode that is no int tuple.

    >>> make_stride(1, 8)
    (1, 8)
    """
    return modes(as_int_tuple(stride))


@overload
def make_coord(*coord: int) -> tuple[int, ...]: ...
@overload
def make_coord(*coord: IntTupleLike) -> tuple[IntTuple, ...]: ...
def make_coord(*coord: IntTupleLike) -> tuple[IntTuple, ...]:
    """The coordinate with these modes; None keeps a mode free.

    Raises:
        LayoutError: a mode that is no int tuple.

    >>> make_coord(3, None)
    (3, None)
    """
    return modes(as_int_tuple(coord))


def make_tile(*modes: Tiler) -> tuple[Tiler, ...]:
    """The tiler with these modes: integers, layouts, None, or tuples of them.

    Raises:
        LayoutError: a mode that is no tiler.

    >>> make_tile(4, None)
    (4, None)
    """
    return tuple(map(as_tiler, modes))


@overload
def make_layout(*layouts: Layout[V]) -> Layout[V]: ...
@overload
def make_layout(shape: KnownInts, stride: KnownInts | None = None) -> Layout[int]: ...
@overload
def make_layout(shape: Ints, stride: Ints | None = None) -> Layout[int | SymInt]: ...
@overload
def make_layout(shape: KnownInts, stride: IntTupleLike = None) -> Layout[Known]: ...
@overload
def make_layout(shape: Ints, stride: IntTupleLike = None) -> Layout[Value]: ...
def make_layout(
    *args: Layout[V] | Ints | IntTupleLike,
    shape: Ints | None = None,
    stride: Ints | IntTupleLike = None,
) -> Layout[V] | Layout[Value]:
    """`make_layout(shape[, stride])`, or the layout whose modes are the given layouts.

    Raises:
        LayoutError: no shape and stride of one profile, and no layouts.

    >>> print(make_layout((8, 16)), make_layout((8, 16), (16, 1)), make_layout(Layout(4), Layout(8, 4)))
    (8,16):(1,8) (8,16):(16,1) (4,8):(1,4)
    """
    layouts = [a for a in args if isinstance(a, Layout)]
    if args and len(layouts) == len(args):
        return concatenate(layouts)
    parts = [*([] if shape is None else [shape]), *args, *([] if stride is None else [stride])]
    if not 1 <= len(parts) <= 2 or any(isinstance(part, LayoutBase) for part in parts):
        raise LayoutError("make_layout takes a shape and perhaps a stride, or layouts")
    return Layout(*parts)  # type: ignore[arg-type]  # which refuses what is none of these


@overload
def make_layout_right(shape: KnownInts) -> Layout[int]: ...
@overload
def make_layout_right(shape: Ints) -> Layout[int | SymInt]: ...
def make_layout_right(shape: Ints) -> Layout:
    """The compact layout of a shape with the LAST mode fastest.

    Raises:
        LayoutError: no shape.

    >>> print(make_layout_right((4, 8)))
    (4,8):(8,1)
    """
    extents = Layout(shape).shape
    flipped = compact_stride(tuple(reversed(flatten(extents))))
    return trusted(extents, unflatten(tuple(reversed(flatten(flipped))), extents))


@overload
def make_ordered_layout(shape: KnownInts, order: KnownInts, *, ties: Ties = "position") -> Layout[int]: ...
@overload
def make_ordered_layout(shape: Ints, order: Ints, *, ties: Ties = "position") -> Layout[int | SymInt]: ...
def make_ordered_layout(shape: Ints, order: Ints, *, ties: Ties = "position") -> Layout:
    """The compact layout whose modes are fastest in increasing `order`; of equal orders the first is faster.

    One order may stand for a whole sub-shape, which is compact.

    Args:
        ties: `overlap` is the rule of CuTe C++ and FlyDSL: modes of equal order start at the same stride, and the next
            order after all of them, so that they overlap. `position` is NVIDIA's PyCuTe's. Both are one function
            where no two orders are equal.

    Raises:
        LayoutError: `order` is not weakly congruent to the shape; another way with ties.

    Source: CuTe's `make_ordered_layout`.

    >>> print(make_ordered_layout((4, 8, 2), (2, 0, 1)), make_ordered_layout((4, 8, 2), (0, 0, 1)))
    (4,8,2):(16,1,8) (4,8,2):(1,4,32)
    >>> print(make_ordered_layout((4, 8, 2), (0, 0, 1), ties="overlap"))
    (4,8,2):(1,1,32)
    """
    if ties not in ("position", "overlap"):
        raise LayoutError(f"modes of equal order go by position, or overlap, got ties={shown(ties)}")
    extents, ranks = Layout(shape).shape, as_int_tuple(order)
    return ordered_layout(extents, _in_turn(extents, ranks) if ties == "position" else ranks)


def ordered_layout(shape: IntTuple, order: IntTuple) -> Layout:
    """CuTe's `make_ordered_layout`, whose modes of equal order overlap."""
    return trusted(shape, ordered_stride(shape, order, compact_stride))


def ordered_stride(shape: IntTuple, order: IntTuple, compact: Callable[[IntTuple, int], IntTuple]) -> IntTuple:
    """The strides of `make_ordered_layout`; `compact(part, start)` are those of a part with one order."""
    _require_integers(order)
    parts = _ordered_parts(shape, order)
    starts = _starts([parts[i] for i in _placed(parts)])
    return _ordered_stride(shape, order, starts, compact)


def _placed(parts: list[Ordered]) -> list[int]:
    """The parts whose place among the others matters: of run-time orders not those of extent 1."""
    known = all(order.__class__ is int for order, _ in parts)
    return [i for i, (_, extent) in enumerate(parts) if known or extent != 1]


def _in_turn(shape: IntTuple, order: IntTuple) -> IntTuple:
    """The order in which no two parts are equal: of equal ones the first comes first."""
    _require_integers(order)
    parts = _ordered_parts(shape, order)
    live = _placed(parts)
    key = _key(parts)
    places = {i: place for place, i in enumerate(sorted(live, key=lambda i: key(parts[i])))}
    return unflatten(tuple(places.get(i, 0) for i in range(len(parts))), order)


def _key(parts: list[Ordered]) -> Callable[[Ordered], SupportsRichComparison]:
    return itemgetter(0) if all(order.__class__ is int for order, _ in parts) else cmp_to_key(_compare)


@overload
def make_layout_like(ref: Layout[Known]) -> Layout[int]: ...
@overload
def make_layout_like(ref: Layout[Value]) -> Layout[int | SymInt]: ...
def make_layout_like(ref: Layout[Value]) -> Layout:
    """The layout of the same shape with its modes in the same order: compact, if no two strides are equal.

    Modes of stride 0 keep it, and count as extent 1.

    Strides count by magnitude; coordinates colexicographically, so that the identity layout gives the compact one.
    Modes of equal stride start at one stride: they overlap, as in CuTe C++ and FlyDSL.

    Raises:
        LayoutError: strides on named axes, or coordinates known at run time only, which have no order.

    >>> print(make_layout_like(Layout((4, 8, 2), (16, 0, 1))), make_layout_like(make_identity_layout((4, 8))))
    (4,8,2):(2,0,1) (4,8):(1,4)
    >>> print(make_layout_like(Layout((4, 8), (5, 5))))
    (4,8):(1,1)
    """
    order = stride_order(tuple(leaves(ref.stride)))
    live = tuple(s if o else 1 for s, o in zip(flatten(ref.shape), order, strict=True))
    strides = ordered_stride(live, order, compact_stride)
    return trusted(ref.shape, unflatten(flatten(strides), ref.shape))


def stride_order(strides: tuple[Element, ...]) -> tuple[int, ...]:
    """An order of strides: 0 for 0, places from 1 on for known ones, magnitudes where one is known at run time only.

    >>> stride_order((8, 0, -2, 8)), stride_order((term(1, (1,)), term(4, (0,))))
    ((2, 0, 1, 2), (2, 1))
    """
    if any(not isinstance(d, int | AxisSum) for d in strides):
        return tuple(map(_magnitude, strides))
    keys = [_place(d) for d in strides]
    ranked: list[list[tuple[tuple[int, ...], int]]] = sorted([[], *(key for key in keys if key)])
    return tuple(map(ranked.index, keys))


@overload
def make_identity_layout(shape: SupportsIndex) -> Layout[int]: ...
@overload
def make_identity_layout(shape: SymInt) -> Layout[int | SymInt]: ...
@overload
def make_identity_layout(shape: Sequence[int]) -> Layout[tuple[int, ...]]: ...
@overload
def make_identity_layout(shape: KnownInts) -> Layout[IntTuple]: ...
@overload
def make_identity_layout(shape: Ints) -> Layout[Value]: ...
def make_identity_layout(shape: Ints | Sequence[int]) -> Layout:
    """The layout whose values are its own coordinates: strides are the positions `1@0`, `1@1`, ..

    What operations make of it has such values too, of the same profile.

    Raises:
        LayoutError: no shape.

    >>> layout = make_identity_layout((4, (2, 3)))
    >>> print(layout, layout(1, (0, 2)))
    (4,(2,3)):(1@0,(1@0@1,1@1@1)) (1, (0, 2))
    >>> make_identity_layout((8, 4, 1))[1](3)
    (0, 3, 0)
    """
    extents = Layout(as_int_tuple(shape)).shape

    def walk(node: IntTuple, path: tuple[int, ...]) -> Elements:
        if isinstance(node, tuple):
            return tuple(walk(item, (*path, i)) for i, item in enumerate(node))
        return term(1, path) if path else 1

    return trusted(extents, walk(extents, ()))


@overload
def make_identity_tensor(shape: SupportsIndex) -> Layout[int]: ...
@overload
def make_identity_tensor(shape: SymInt) -> Layout[int | SymInt]: ...
@overload
def make_identity_tensor(shape: Sequence[int]) -> Layout[tuple[int, ...]]: ...
@overload
def make_identity_tensor(shape: KnownInts) -> Layout[IntTuple]: ...
@overload
def make_identity_tensor(shape: Ints) -> Layout[Value]: ...
def make_identity_tensor(shape: Ints | Sequence[int]) -> Layout:
    """The identity layout: partitioning it tells which coordinates a thread owns.

    Raises:
        LayoutError: no shape.

    >>> make_identity_tensor((8, 16))(3, 5)
    (3, 5)
    """
    return make_identity_layout(shape)


def domain_distribute(shape: Ints | LayoutBase, count: int) -> Layout[int]:
    """A layout of at most `count` points spread over the modes of a shape, first modes first.

    Raises:
        LayoutError: no shape, or a count below 1.

    Source: CuTe's `domain_distribute`.

    >>> print(domain_distribute((15, 14), 6))
    (3,2):(1,15)
    """
    modes = flatten(shape.shape if isinstance(shape, LayoutBase) else Layout(shape).shape)
    left = as_int_tuple(count)
    if type(left) is not int or left < 1:
        raise LayoutError(f"domain_distribute: expected a positive number of points, got {to_text(left)}")
    shapes, strides, step = [], [], 1
    for extent in modes:
        take = gcd(extent, left)
        shapes.append(take)
        strides.append(step)
        step, left = step * extent, left // take
    return from_modes(*coalesced(tuple(shapes), tuple(strides)))


def _require_integers(order: Tree) -> None:
    if any(leaf is None or isinstance(leaf, AxisSum) for leaf in leaves(order)):
        raise LayoutError(f"an order is made of integers, got {to_text(order)}")


def _magnitude(stride: Element) -> int:
    if isinstance(stride, AxisSum):
        raise LayoutError(f"the stride {stride} has no place in an order beside run-time strides: it is not an integer")
    return abs(stride)


def _place(stride: Element) -> list[tuple[tuple[int, ...], int]]:
    """What compares as coordinates do colexicographically: the last position first."""
    found: list[tuple[tuple[int, ...], int]] = []
    for axis, value in components(stride):
        position = () if axis == MEMORY else axis
        if not isinstance(position, tuple) or not isinstance(value, int):
            raise LayoutError(f"the stride {stride} has no place in an order: it is no integer and no known coordinate")
        found.append((position, abs(value)))
    return sorted(found, reverse=True)


def _ordered_parts(shape: IntTuple, order: IntTuple) -> list[Ordered]:
    if not isinstance(order, tuple):
        return [(order, product(shape))]
    if rank(shape) != len(order) or not isinstance(shape, tuple):
        raise LayoutError(f"the order {to_text(order)} is not weakly congruent to the shape {to_text(shape)}")
    return [part for s, o in zip(shape, order, strict=True) for part in _ordered_parts(s, o)]


def _starts(parts: list[Ordered]) -> dict[int, int]:
    """Order -> the stride at which modes of that order start."""
    starts: dict[int, int] = {}
    step = 1
    key = _key(parts)
    for _, group in groupby(sorted(parts, key=key), key):
        orders, extents = zip(*group, strict=True)
        starts |= dict.fromkeys(orders, step)
        step = product((step, *extents))
    return starts


def _compare(a: Ordered, b: Ordered) -> int:
    # Which order is smaller? Where one is beyond the reach of the other they can be equal only if its extent is 1.
    (x, s), (y, t) = a, b
    if x == y or ((y >= 1) is True and (y * t <= x) is True):
        return int(x != y)
    if ((x >= 1) is True and (x * s <= y) is True) or x < y:
        return -1
    return int(bool(y < x))


def _ordered_stride(
    shape: IntTuple, order: IntTuple, starts: dict[int, int], compact: Callable[[IntTuple, int], IntTuple]
) -> IntTuple:
    if isinstance(order, tuple):
        return tuple(_ordered_stride(s, o, starts, compact) for s, o in zip(modes(shape), order, strict=True))
    return compact(shape, starts.get(order, 1))
