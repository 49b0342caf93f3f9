"""What ops on coordinates infer: indices, slices' offsets, and sums, in fly's own form."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from math import gcd
from typing import Any

from tilewright.errors import LayoutError
from tilewright.ir.fly.lattice import Leaf
from tilewright.ir.fly.types import XorShift
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout import query
from tilewright.layout.arithmetic import quotient, remainder
from tilewright.layout.axes import AxisSum, element_at
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import leaves, product
from tilewright.layout.layout import Layout
from tilewright.layout.slicing import zeros_for_none
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.expression import div_of
from tilewright.layout.symbolic.symint import SymInt

Rule = Callable[..., Any]


def is_number(value: Any) -> bool:
    """Is it one integer?"""
    return type(value) is int or isinstance(value, SymInt)


def crd2idx(coord: Any, layout: Any) -> Any:
    """The value at a coordinate, whose integers are split as C divides; of a swizzle the swizzled offset."""
    if isinstance(layout, XorShift | Swizzle):
        return _swizzled(layout, query.get_scalar(coord))
    found = layout(coord)
    if isinstance(layout, Layout):
        if isinstance(found, tuple) and len(layout.flat) == 1:
            return element_at(found) or found
        return _split(coord, layout.shape, layout.stride) if is_number(found) else found
    place = crd2idx(coord, layout.inner) if isinstance(layout, ComposedLayout) else None
    if is_number(place) and is_number(layout.offset):
        return crd2idx(layout.offset + place, layout.outer)
    return found


def _swizzled(swizzle: XorShift | Swizzle, offset: Any) -> Any:
    # Of bits that may move a type knows those below the swizzle's base.
    if offset is None:
        raise LayoutError("`*` is no offset that a swizzle moves")
    if swizzle.b == 0:
        return offset
    found: Any = swizzle(offset)
    if not isinstance(found, Leaf):
        return found
    return type(found).forgotten(found.polynomial, found.width, gcd(div_of(offset), 1 << swizzle.m))


def slice_and_offset(layout: Any, coord: Any) -> tuple[Any, Any]:
    """The modes under None, and where the others lead, with their integers split as C divides."""
    kept, offset = algebra.slice_and_offset(layout, coord)
    return kept, _split(zeros_for_none(coord), layout.shape, layout.stride) if isinstance(layout, Layout) else offset


def _split(coord: Any, shape: Any, stride: Any) -> Any:
    # An index is split by top-level modes first, by the size of each: of run-time extents the divisors depend on it.
    if isinstance(coord, tuple):
        return sum(map(_split, coord, shape, stride))
    if not isinstance(shape, tuple):
        return coord * stride
    total: Any = 0
    for s, d in zip(shape[:-1], stride, strict=False):
        size = product(s)
        total = total + _split(remainder(coord, size), s, d)
        coord = quotient(coord, size)
    return total + _split(coord, shape[-1], stride[-1])


def get_flat_coord(index: Any, layout: Any) -> Any:
    """One integer for every top-level mode."""
    found = algebra.get_flat_coord(index, layout)
    return (found,) if isinstance(layout.shape, tuple) and len(layout.shape) == 1 else found


def of_elements(rule: Rule) -> Rule:
    """The rule for sums, where a sum of elements of the module of strides is written as the coordinate that it is."""

    @wraps(rule)
    def run(a: Any, b: Any) -> Any:
        known = {*elements(a), *elements(b)}
        return _as_coordinates(rule(a, b), known)

    return run


def elements(value: Any) -> list[AxisSum]:
    """The elements of the module of strides among the leaves."""
    return [leaf for leaf in leaves(value) if isinstance(leaf, AxisSum)]


def _as_coordinates(value: Any, known: set[AxisSum]) -> Any:
    if isinstance(value, tuple):
        return tuple(_as_coordinates(item, known) for item in value)
    return coordinate(value) if isinstance(value, AxisSum) and value not in known else value


def coordinate(element: AxisSum) -> Any:
    """The coordinate that an element of the module of strides is, with no more modes than it needs.

    >>> from tilewright.layout.axes import term
    >>> coordinate(term(3, (1,)) + term(2, (2, 0)))
    (0, 3, (2,))
    """
    return _parts(dict(element.terms))


def _parts(parts: dict[Any, Any], path: tuple[int, ...] = ()) -> Any:
    below = [p for p in parts if isinstance(p, tuple) and p[: len(path)] == path]
    if not below or (len(below) < len(parts) and not path):
        raise LayoutError("the sum of an integer and a coordinate is neither")
    if path in parts:
        return parts[path]
    count = 1 + max(p[len(path)] for p in below)
    positions = ((*path, i) for i in range(count))
    return tuple(_parts(parts, at) if any(p[: len(at)] == at for p in below) else 0 for at in positions)
