"""Pointers and views: what ops on layouts do to the layout of a memref or coordinate tensor, and moved pointers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from math import gcd
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar, overload

from tilewright.errors import LayoutError
from tilewright.ir.fly.normal_form import bare
from tilewright.ir.fly.rules import coordinates, structure
from tilewright.ir.fly.rules.coordinates import is_number, presented
from tilewright.ir.fly.types import AnyLayout, Coordinate, CoordTensor, MemRef, Pointer, View
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout.arithmetic import int_tuple_add
from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.construct import make_identity_layout
from tilewright.layout.inttuple import IntTuple, leaves
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.expression import div_of
from tilewright.notation.printers import to_fly

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Tree

P = ParamSpec("P")
R = TypeVar("R")


@overload
def of_view(
    rule: Callable[Concatenate[AnyLayout | Tree, P], R],
) -> Callable[Concatenate[AnyLayout | Tree | View, P], R | View]: ...
@overload
def of_view(rule: Callable[Concatenate[AnyLayout, P], R]) -> Callable[Concatenate[AnyLayout | View, P], R | View]: ...
def of_view(rule: Callable[..., R]) -> Callable[..., R | View]:
    """The rule for layouts also for views: a layout that it gives views the same memory."""

    @wraps(rule)
    def run(value: AnyLayout | Tree | View, *rest: object) -> R | View:
        if not isinstance(value, MemRef | CoordTensor):
            return rule(value, *rest)
        found = rule(value.layout, *rest)
        return replace(value, layout=found) if isinstance(found, Layout | ComposedLayout) else found

    return run


def get_layout(view: View) -> AnyLayout:
    """The layout of a view."""
    return view.layout


def get_iter(view: View) -> Pointer | Tree:
    """The pointer of a memref, the base of a coordinate tensor."""
    return view.pointer if isinstance(view, MemRef) else view.base


def make_view(iterator: Pointer | Tree, layout: AnyLayout) -> View:
    """A pointer under a layout is a memref, a coordinate one a coordinate tensor."""
    return MemRef(iterator, layout) if isinstance(iterator, Pointer) else CoordTensor(iterator, layout)


def make_identity_tensor(shape: IntTuple) -> CoordTensor:
    """The coordinate tensor that holds at every coordinate the coordinate itself."""
    layout = make_identity_layout(shape)
    return CoordTensor(presented(algebra.coprofile(layout)), layout)


def add_offset(iterator: Pointer | Tree, offset: Tree) -> Pointer | Tree:
    """The moved pointer, aligned as far as its new place is known; or the sum of two coordinates."""
    if not isinstance(iterator, Pointer):
        return _sum(iterator, offset)
    if isinstance(offset, tuple):
        got = f"!fly.int_tuple<{to_fly(offset)}>"
        raise LayoutError(f"AddOffsetOp: offset must be a scalar (leaf int) IntTuple, got '{got}'")
    return moved(iterator, offset)


def moved(pointer: Pointer, offset: Tree) -> Pointer:
    """The moved pointer, aligned as far as its new place is known."""
    by = offset[0] if isinstance(offset, tuple) and len(offset) == 1 else offset
    if not is_number(by):
        raise LayoutError("add_offset: a pointer moves by an integer")
    align = max(pointer.natural, gcd(pointer.align, div_of(by) * pointer.bits // 8))
    return replace(pointer, align=align, distance=pointer.distance + by)


_sum = coordinates.of_elements(int_tuple_add)


def slice_(value: AnyLayout | Tree | View, coord: Coordinate) -> AnyLayout | Tree | View:
    """The modes under None; a view also moves to the coordinate."""
    return part(value, coord) if isinstance(value, MemRef | CoordTensor) else structure.slice_(value, coord)


def part(view: View, coord: Coordinate) -> View:
    """The modes of a view under None, moved to the coordinate."""
    if coord is None:
        return view
    if isinstance(view.layout, ComposedLayout):
        return replace(view, layout=structure.slice_layout(view.layout, coord))
    kept, offset = coordinates.slice_and_offset(view.layout, coord)
    if isinstance(view, MemRef):
        return MemRef(moved(view.pointer, offset), bare(kept))
    return CoordTensor(shifted(view.base, offset), bare(kept))


def shifted(base: Tree, by: Tree) -> Tree:
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
    return _sum(base, by)
