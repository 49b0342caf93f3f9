"""The run-time leaves of a value of a type: found, changed, and named before an operation is inferred."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from tilewright.ir.fly.lattice import leaf
from tilewright.ir.fly.types import AnyLayout, Basis, CoordTensor, MemRef, Tile, Value, is_tree
from tilewright.layout.axes import AxisSum, from_terms
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.operators import as_int
from tilewright.layout.symbolic.symint import Integer, SymInt

if TYPE_CHECKING:
    from tilewright.layout.algebra.tiler import CheckedTiler
    from tilewright.layout.inttuple import Element, Elements, IntTuple, Tree

Change: TypeAlias = Callable[[SymInt], Integer]


def is_run_time(value: object) -> TypeGuard[SymInt]:
    """Is it a run-time integer, for which `int` stands elsewhere?"""
    return isinstance(value, SymInt)


def named(value: Value, operand: int) -> Value:
    """The value with every run-time leaf a variable of its own, named by the operand and its place there.

    >>> a, b = (named(Layout(SymInt(div=8), 1), i) for i in (0, 1))
    >>> print(a.shape - b.shape, a.shape - a.shape)
    ?{div=8} 0
    """
    places = count()
    return mapped(value, lambda x: leaf(f"{operand}.{next(places)}", x.width, x.div))


def mapped(value: Value, change: Change) -> Value:
    """The value with `change(leaf)` for each of its run-time leaves, from left to right."""
    match value:
        case Layout() | ComposedLayout():
            return _layout(value, change)
        case Tile():
            return Tile(_tiler(value.tiler, change))
        case Basis():
            return Basis(_leaf(value.element, change))
        case MemRef():
            return MemRef(value.pointer, _layout(value.layout, change))
        case CoordTensor():
            return CoordTensor(_tree(value.base, change), _layout(value.layout, change))
    return _tree(value, change) if is_tree(value) else value


def _tree(tree: Tree, change: Change) -> Tree:
    if isinstance(tree, tuple):
        return tuple(_tree(item, change) for item in tree)
    return tree if tree is None else _leaf(tree, change)


def _leaf(leaf: Element, change: Change) -> Element:
    if isinstance(leaf, AxisSum):
        return from_terms((axis, _integer(number, change)) for axis, number in leaf.terms)
    return _integer(leaf, change)


def _integer(number: int, change: Change) -> int:
    return as_int(change(number)) if is_run_time(number) else number


def _layout(layout: AnyLayout, change: Change) -> AnyLayout:
    if isinstance(layout, Layout):
        return _plain(layout, change)
    outer = layout.outer if isinstance(layout.outer, Swizzle | CoordSwizzle) else _layout(layout.outer, change)
    return ComposedLayout(outer, _tree(layout.offset, change), _layout(layout.inner, change))


def _plain(layout: Layout, change: Change) -> Layout:
    if layout.is_static:
        return layout
    return trusted(_integers(layout.shape, change), _strides(layout.stride, change))


def _integers(tree: IntTuple, change: Change) -> IntTuple:
    return tuple(_integers(item, change) for item in tree) if isinstance(tree, tuple) else _integer(tree, change)


def _strides(tree: Elements, change: Change) -> Elements:
    return tuple(_strides(item, change) for item in tree) if isinstance(tree, tuple) else _leaf(tree, change)


def _tiler(tiler: CheckedTiler, change: Change) -> CheckedTiler:
    if isinstance(tiler, tuple):
        return tuple(_tiler(item, change) for item in tiler)
    if isinstance(tiler, Layout):
        return _plain(tiler, change)
    return tiler if tiler is None else _integer(tiler, change)


def run_time_leaves(value: Value) -> list[SymInt]:
    """The run-time leaves of a value, from left to right.

    >>> [str(leaf) for leaf in run_time_leaves(Layout((SymInt(div=8), 4), (1, SymInt(width=64))))]
    ['?{div=8}', '?{i64}']
    """
    found: list[SymInt] = []

    def note(leaf: SymInt) -> SymInt:
        found.append(leaf)
        return leaf

    mapped(value, note)
    return found
