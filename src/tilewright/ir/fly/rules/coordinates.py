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
from tilewright.layout.axes import AxisKey, AxisSum, coordinate_in, element_at
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.indexing import keeps
from tilewright.layout.inttuple import IntTuple, as_int_tuple, leaves, prefix_product, product
from tilewright.layout.layout import Layout, present
from tilewright.layout.slicing import zeros_for_none
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.swizzled.slicing import moved
from tilewright.layout.symbolic.expression import Expression, div_of
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
        return sliced(layout, as_int_tuple(coord))
    return value_at(coord, layout)


def value_at(coord: Tree, layout: Function) -> Tree:
    """The value at a coordinate, whose integers are split as C divides; of a swizzle the swizzled offset."""
    if isinstance(layout, XorShift | Swizzle):
        return _swizzled(layout, query.get_scalar(coord))
    if isinstance(layout, CoordSwizzle) or not (is_run_time(coord) and isinstance(layout, Layout)):
        found = presented(layout(coord))  # which refuses what does not fit
        if isinstance(layout, CoordSwizzle):
            return found
    value = _element(coord, layout)
    if isinstance(value, AxisSum) and isinstance(layout, Layout) and len(layout.flat) == 1:
        return value
    return presented(present(value, layout.axes)) if layout.on_axes else value


def _element(coord: Tree, layout: AnyLayout) -> Element:
    """The value as an element of the module of strides."""
    if isinstance(layout, Layout):
        return _split(as_int_tuple(coord), layout.shape, layout.stride)
    offset = element_at(layout.offset) if isinstance(layout.offset, tuple) else layout.offset
    place = offset + _element(coord, layout.inner)
    if isinstance(layout.outer, CoordSwizzle):
        return layout.outer.at(place)
    if isinstance(layout.outer, Swizzle):
        return _swizzled(layout.outer, query.get_scalar(place))
    return _element(coordinate_in(place, layout.outer.shape) if isinstance(place, AxisSum) else place, layout.outer)


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
    kept = sliced(layout, coord)
    if not isinstance(layout, Layout):
        return kept, 0  # the offset stays inside
    return kept, _split(zeros_for_none(as_int_tuple(coord)), layout.shape, layout.stride)


def sliced(layout: AnyLayout, coord: Coordinate) -> AnyLayout:
    """The modes under None; a composed layout moves its offset to where the others lead."""
    if isinstance(layout, Layout):
        return algebra.slice(layout, coord)
    kept, offset = slice_and_offset(layout.inner, coord)
    return ComposedLayout(layout.outer, moved(layout.offset, offset), kept)


def _split(coord: IntTuple, shape: IntTuple, stride: Elements) -> Element:
    digits = leaves(_digits(coord, shape))
    return sum((c * d for c, d in zip(digits, leaves(stride), strict=True)), 0)


def _digits(coord: IntTuple, shape: IntTuple) -> IntTuple:
    # An index is split by top-level modes first, by the size of each: of run-time extents the divisors depend on it.
    if isinstance(coord, tuple):
        if not isinstance(shape, tuple) or len(coord) != len(shape):
            raise LayoutError(f"the coordinate {to_fly(coord)} does not fit the shape {to_fly(shape)}")
        return tuple(map(_digits, coord, shape))
    if not isinstance(shape, tuple):
        return coord
    found: list[IntTuple] = []
    for part in shape[:-1]:
        size = product(part)
        found.append(_digits(remainder(coord, size), part))
        coord = quotient(coord, size)
    return (*found, _digits(coord, shape[-1])) if shape else ()


def crd2crd(coord: IntTuple, source: IntTuple, target: IntTuple) -> IntTuple:
    """The coordinate in `target` that has the same index as the one in `source`, each split as C divides."""
    source, target = Layout(source).shape, Layout(target).shape
    return _digits(query.get_scalar(_split(as_int_tuple(coord), source, prefix_product(source))), target)


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


def of_extents(rule: Callable[[IntTupleLike, IntTupleLike], Tree]) -> Callable[[Tree, Tree], Tree]:
    """The rule for quotients of extents, which asks that run-time ones are not negative, and divisors positive.

    The quotient may cancel, as that of `n` by `n` does, and leave nobody else who would ask.
    """

    @wraps(rule)
    def run(a: Tree, b: Tree) -> Tree:
        for extent in leaves(a):
            if isinstance(extent, Expression) and not extent >= 0:
                raise LayoutError(f"division of {extent}, which is negative")
        for divisor in leaves(b):
            if isinstance(divisor, Expression) and not divisor >= 1:
                raise LayoutError(f"division by {divisor}, which is not positive")
        return rule(a, b)

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
