"""What ops on coordinates infer: indices, slices' offsets, and sums, in fly's own form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from math import gcd
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from tilewright.errors import LayoutError, shown
from tilewright.ir.fly.lattice import is_leaf
from tilewright.ir.fly.leaves import is_run_time
from tilewright.ir.fly.types import AnyLayout, Coordinate, XorShift, is_tree
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout import query
from tilewright.layout.arithmetic import quotient, remainder
from tilewright.layout.axes import AxisKey, AxisSum, element_at
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.indexing import keeps
from tilewright.layout.inttuple import IntTuple, as_int_tuple, leaves, product
from tilewright.layout.layout import Layout
from tilewright.layout.slicing import zeros_for_none
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.expression import div_of
from tilewright.layout.symbolic.operators import as_int
from tilewright.notation.printers import to_fly

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element, Elements, IntTupleLike, Tree

Function: TypeAlias = AnyLayout | Swizzle | XorShift | CoordSwizzle


def is_number(value: object) -> TypeGuard[int]:
    """Is it one integer, known or at run time?"""
    return type(value) is int or is_run_time(value)


def crd2idx(coord: Tree, layout: Function) -> Tree | AnyLayout:
    """The value at a coordinate, or the modes that `*` keeps there."""
    if isinstance(layout, Layout | ComposedLayout) and keeps(coord):
        return layout(coord)
    return value_at(coord, layout)


def value_at(coord: Tree, layout: Function) -> Tree:
    """The value at a coordinate, whose integers are split as C divides; of a swizzle the swizzled offset."""
    if isinstance(layout, XorShift | Swizzle):
        return _swizzled(layout, query.get_scalar(coord))
    if is_run_time(coord) and isinstance(layout, Layout) and all(map(is_number, leaves(layout.stride))):
        return _split(as_int(coord), layout.shape, layout.stride)
    found = presented(layout(coord))
    if isinstance(layout, Layout):
        if isinstance(found, tuple) and len(layout.flat) == 1:
            return element_at(as_int_tuple(found)) or found
        return _split(as_int_tuple(coord), layout.shape, layout.stride) if is_number(found) else found
    if isinstance(layout, ComposedLayout):
        place, offset = value_at(coord, layout.inner), layout.offset
        if is_number(place) and is_number(offset):
            return value_at(offset + place, layout.outer)
    return found


def presented(found: object) -> Tree:
    """The value of a layout, for which fly has a text.

    Raises:
        LayoutError: it lies on axes that are no positions of a coordinate.
    """
    if is_tree(found):
        return found
    raise LayoutError(f"fly has no text for {shown(found)}")


def _swizzled(swizzle: XorShift | Swizzle, offset: int | None) -> int:
    # Of bits that may move a type knows those below the swizzle's base.
    if offset is None:
        raise LayoutError("`*` is no offset that a swizzle moves")
    if swizzle.b == 0:
        return offset
    found = swizzle(offset)
    if not is_leaf(found):
        return found
    return as_int(type(found).forgotten(found.polynomial, found.width, gcd(div_of(offset), 1 << swizzle.m)))


def slice_and_offset(layout: AnyLayout, coord: Coordinate) -> tuple[AnyLayout, Element]:
    """The modes under None, and where the others lead, with their integers split as C divides."""
    kept, offset = algebra.slice_and_offset(layout, coord)
    if not isinstance(layout, Layout):
        return kept, offset
    return kept, _split(zeros_for_none(as_int_tuple(coord)), layout.shape, layout.stride)


def _split(coord: IntTuple, shape: IntTuple, stride: Elements) -> Element:
    # An index is split by top-level modes first, by the size of each: of run-time extents the divisors depend on it.
    if isinstance(shape, tuple) and isinstance(stride, tuple):
        if isinstance(coord, tuple):
            return sum(map(_split, coord, shape, stride))
        if not shape:
            return 0
        total: Element = 0
        for s, d in zip(shape[:-1], stride, strict=False):
            size = product(s)
            total = total + _split(remainder(coord, size), s, d)
            coord = quotient(coord, size)
        return total + _split(coord, shape[-1], stride[-1])
    if isinstance(coord, tuple) or isinstance(stride, tuple):
        raise LayoutError(f"the coordinate {to_fly(coord)} does not fit the shape {to_fly(shape)}")
    return coord * stride


def idx2crd(index: IntTuple, layout: Layout | IntTuple) -> IntTuple:
    """The coordinate of an index."""
    return algebra.idx2crd(index, layout)


def get_flat_coord(index: IntTuple, layout: Layout) -> IntTuple:
    """One integer for every top-level mode."""
    found = algebra.get_flat_coord(query.get_scalar(index), layout)
    return (found,) if isinstance(layout.shape, tuple) and len(layout.shape) == 1 else found


def get_1d_coord(index: IntTuple, layout: Layout) -> int:
    """The index of the coordinate whose value is the index."""
    return algebra.get_1d_coord(query.get_scalar(index), layout)


def get_hier_coord(index: IntTuple, layout: Layout) -> IntTuple:
    """The coordinate whose value is the index."""
    return algebra.idx2crd(index, layout)


def of_elements(rule: Callable[[IntTupleLike, IntTupleLike], Tree]) -> Callable[[Tree, Tree], Tree]:
    """The rule for sums, where a sum of elements of the module of strides is written as the coordinate that it is.

    An element to which 0 is added, or nothing, stays one.
    """

    @wraps(rule)
    def run(a: Tree, b: Tree) -> Tree:
        return _as_coordinates(rule(a, b), a, b)

    return run


def elements(value: Tree) -> list[AxisSum]:
    """The elements of the module of strides among the leaves."""
    return [leaf for leaf in leaves(value) if isinstance(leaf, AxisSum)]


def _as_coordinates(value: Tree, a: Tree, b: Tree) -> Tree:
    if isinstance(value, tuple):
        return tuple(_as_coordinates(item, _mode(a, i), _mode(b, i)) for i, item in enumerate(value))
    both = not any(type(side) is int and side == 0 for side in (a, b))
    return coordinate(value) if isinstance(value, AxisSum) and both else value


def _mode(value: Tree, i: int) -> Tree:
    """What is added to a mode of a sum: an integer is added to the first one."""
    items = value if isinstance(value, tuple) else (value,)
    return items[i] if i < len(items) else 0


def coordinate(element: AxisSum) -> IntTuple:
    """The coordinate that an element of the module of strides is, with no more modes than it needs.

    >>> from tilewright.layout.axes import term
    >>> coordinate(term(3, (1,)) + term(2, (2, 0)))
    (0, 3, (2,))
    """
    return _parts(dict(element.terms))


def _parts(parts: Mapping[AxisKey, int], path: tuple[int, ...] = ()) -> IntTuple:
    below = [p for p in parts if isinstance(p, tuple) and p[: len(path)] == path]
    if not below or (len(below) < len(parts) and not path) or (path in parts and len(below) > 1):
        raise LayoutError("the sum of an integer and a coordinate is neither")
    if path in parts:
        return parts[path]
    count = 1 + max(p[len(path)] for p in below)
    positions = ((*path, i) for i in range(count))
    return tuple(_parts(parts, at) if any(p[: len(at)] == at for p in below) else 0 for at in positions)
