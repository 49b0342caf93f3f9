"""Pointers and views: what ops on layouts do to the layout of a memref or coordinate tensor, and moved pointers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from math import gcd
from typing import Any

from tilewright.errors import LayoutError
from tilewright.ir.fly import coordinates, structure
from tilewright.ir.fly.forms import bare
from tilewright.ir.fly.types import CoordTensor, MemRef, Pointer
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout.arithmetic import int_tuple_add
from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.construct import make_identity_layout
from tilewright.layout.inttuple import leaves
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.symint import SymInt


def of_view(rule: Callable[..., Any]) -> Callable[..., Any]:
    """The rule for layouts also for views: a layout that it gives views the same memory."""

    @wraps(rule)
    def run(value: Any, *rest: Any) -> Any:
        if not isinstance(value, MemRef | CoordTensor):
            return rule(value, *rest)
        found = rule(value.layout, *rest)
        return replace(value, layout=found) if isinstance(found, Layout | ComposedLayout) else found

    return run


def get_layout(view: Any) -> Any:
    """The layout of a view."""
    return _view(view, "get_layout").layout


def get_iter(view: Any) -> Any:
    """The pointer of a memref, the base of a coordinate tensor."""
    found = _view(view, "get_iter")
    return found.pointer if isinstance(found, MemRef) else found.base


def make_view(iterator: Any, layout: Any) -> Any:
    """A pointer under a layout is a memref, a coordinate one a coordinate tensor."""
    if not isinstance(layout, Layout | ComposedLayout):
        raise LayoutError("make_view takes a pointer or a coordinate, and a layout")
    return MemRef(iterator, layout) if isinstance(iterator, Pointer) else CoordTensor(_int_tuple(iterator), layout)


def make_identity_tensor(shape: Any) -> CoordTensor:
    """The coordinate tensor that holds at every coordinate the coordinate itself."""
    layout = make_identity_layout(shape)
    return CoordTensor(algebra.coprofile(layout), layout)


def add_offset(iterator: Any, offset: Any) -> Any:
    """The moved pointer, aligned as far as its new place is known; or the sum of two coordinates."""
    if not isinstance(iterator, Pointer):
        return coordinates.of_elements(int_tuple_add)(_int_tuple(iterator), _int_tuple(offset))
    by = offset[0] if isinstance(offset, tuple) and len(offset) == 1 else offset
    if not isinstance(by, int | SymInt):
        raise LayoutError("add_offset: a pointer moves by an integer")
    step = (by.div if isinstance(by, SymInt) else by) * iterator.bits // 8
    align = max(iterator.natural, gcd(iterator.align, step))
    return replace(iterator, align=align, distance=iterator.distance + by)


def slice_(value: Any, coord: Any) -> Any:
    """The modes under None; a view also moves to the coordinate."""
    if not isinstance(value, MemRef | CoordTensor):
        return structure.slice_(value, coord)
    if coord is None:
        return value
    if isinstance(value.layout, ComposedLayout):
        return replace(value, layout=structure.slice_(value.layout, coord))
    kept, offset = coordinates.slice_and_offset(value.layout, coord)
    kept = bare(kept)
    if isinstance(value, MemRef):
        return MemRef(add_offset(value.pointer, offset), kept)
    return CoordTensor(shifted(value.base, offset), kept)


def shifted(base: Any, by: Any) -> Any:
    """A coordinate moved by another one, or by an element of the module of strides.

    >>> from tilewright.layout.axes import term
    >>> shifted((5, 7), term(2, (1,))), shifted((5, 7), (1, 1))
    ((5, 9), (6, 8))
    """
    if isinstance(by, AxisSum) and isinstance(base, tuple):
        by = coordinates.coordinate(by)
    if isinstance(base, tuple) and not isinstance(by, tuple):
        if by.__class__ is int and by == 0:
            return base
        if len(list(leaves(base))) != 1:
            raise LayoutError("a coordinate is moved by a coordinate, not by an integer")
        return int_tuple_add(base, by)
    return coordinates.of_elements(int_tuple_add)(base, by)


def _view(value: Any, name: str) -> MemRef | CoordTensor:
    if not isinstance(value, MemRef | CoordTensor):
        raise LayoutError(f"{name} takes a memref or a coordinate tensor")
    return value


def _int_tuple(value: Any) -> Any:
    if isinstance(value, Pointer | Layout | ComposedLayout) or any(
        isinstance(leaf, Layout | ComposedLayout) for leaf in leaves(value)
    ):
        raise LayoutError("expected a coordinate")
    return value
