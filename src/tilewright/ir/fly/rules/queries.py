"""What ops that ask something of layouts and int tuples infer."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from tilewright.errors import LayoutError
from tilewright.ir.fly.leaves import is_run_time, run_time_leaves
from tilewright.ir.fly.normal_form import innermost
from tilewright.ir.fly.rules.coordinates import is_number, presented
from tilewright.ir.fly.types import AnyLayout, Asked, Value
from tilewright.ir.fly.unguarded import algebra
from tilewright.layout import compare, query
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import IntTuple, leaves
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.symbolic.comparison import equals
from tilewright.layout.symbolic.conditions import Truth, all_of
from tilewright.notation.printers import to_fly

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Tree


def get_stride(layout: AnyLayout) -> IntTuple:
    """The strides of a plain layout."""
    if isinstance(layout, ComposedLayout):
        raise LayoutError("GetStrideOp: unsupported ComposedLayoutType")
    return query.get_stride(layout)


def equal(a: Tree | AnyLayout, b: Tree | AnyLayout) -> bool | Asked:
    """Are both the same int tuple? Of static ones the truth itself, else an `i1`."""
    if is_static(a) and is_static(b):
        return compare.equal(a, b)
    if isinstance(a, Layout) and isinstance(b, Layout):
        return Asked("i1", all_of(_same(a.shape, b.shape), _same(a.stride, b.stride)))
    return Asked("i1", _same(a, b))


def _same(a: Tree | AnyLayout, b: Tree | AnyLayout) -> Truth:
    if isinstance(a, tuple) and isinstance(b, tuple) and len(a) == len(b):
        return all_of(*map(_same, a, b))
    known = is_run_time(a) or is_run_time(b)
    return equals(a, b) if known and is_number(a) and is_number(b) else bool(a == b)


def elem_less(a: Tree | AnyLayout, b: Tree | AnyLayout) -> bool | Asked:
    """Is every leaf of a below that of b? Of static ones the truth itself, else an `i1`."""
    if is_static(a) and is_static(b):
        return compare.elem_less(a, b)
    return Asked("i1", _less(compare.shape_of(a), compare.shape_of(b)))


def _less(a: IntTuple, b: IntTuple) -> Truth:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return all_of(len(a) <= len(b), *(_less(x, y) for x, y in zip(a, b, strict=False)))
    if not is_number(a) or not is_number(b):
        raise LayoutError(f"elem_less: {to_fly(a)} and {to_fly(b)} are not ordered")
    return a < b


def coshape(layout: AnyLayout) -> Tree:
    """That of the innermost layout, as with `cosize`."""
    return presented(algebra.coshape(innermost(layout)))


def coprofile(layout: AnyLayout) -> Tree:
    """A zero for every coordinate of the codomain."""
    return presented(algebra.coprofile(layout))


def size(value: Tree | AnyLayout) -> int:
    """The number of coordinates; as in all trees `int` stands for a run-time one."""
    return cast(int, query.size(value))


def cosize(layout: AnyLayout) -> int:
    """That of the innermost layout: the memory that swizzles and offsets move about in is not counted."""
    return cast(int, query.cosize(innermost(layout)))


def is_static(value: Value) -> bool:
    """Are all its leaves known?"""
    return not run_time_leaves(value)


def get_leaf(value: Tree | Layout, index: int) -> Tree | Layout:
    """A leaf by its number, from left to right; of a layout as a layout."""
    found = [trusted(*mode) for mode in value.flat] if isinstance(value, Layout) else list(leaves(value))
    if not -len(found) <= index < len(found):
        raise LayoutError(f"get_leaf: {to_fly(value)} has {len(found)} leaves, no leaf {index}")
    return found[index]


def get(value: Tree | AnyLayout, mode: tuple[int, ...]) -> Tree | AnyLayout:
    """The mode at a path."""
    depth = query.depth(value)
    if len(mode) > depth:
        raise LayoutError(f"GetOp: mode length {len(mode)} exceeds input depth {depth}")
    return algebra.get(value, *mode)
