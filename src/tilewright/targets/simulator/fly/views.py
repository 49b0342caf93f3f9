"""Where the elements of a view lie, for all lanes: its layout evaluated at every coordinate."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation, SSAValue

from tilewright.errors import CompileError, SimulationError, UsageError
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.normal_form import innermost
from tilewright.ir.fly.types import AnyLayout, MemRef
from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.inttuple import IntTuple, leaves, modes, product
from tilewright.layout.layout import Layout
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.layouts import value_of
from tilewright.targets.simulator.fly.numbers import quotient
from tilewright.targets.simulator.fly.values import Held, filled
from tilewright.targets.simulator.memory.access import Array, Number

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Elements

# Integers, and arrays that stand for one of each lane.
Coordinate: TypeAlias = "Number | tuple[Coordinate, ...]"
MOST = 1 << 16  # elements of a view that one op works on
MOST_REACHED = 1 << 24  # elements of a swizzled layout whose reach is asked for


def view_of(value: SSAValue, op: Operation) -> MemRef:
    """The view that a value is, of memory.

    Raises:
        CompileError: it is a view of coordinates.
    """
    found = value_of(value.type)
    if not isinstance(found, MemRef):
        raise CompileError(f"{op.name} works on memory, got {value.type}\n{where(op)}")
    return found


def count_of(view: MemRef, op: Operation) -> int:
    """How many elements it has.

    Raises:
        CompileError: that is known at run time only, or more than an op works on.
    """
    found = product(innermost(view.layout).shape)
    if not isinstance(found, int):
        raise CompileError(
            f"{op.name}: how many elements the view has is known at run time only; slice it\n{where(op)}"
        )
    if found > MOST:
        raise CompileError(f"{op.name}: a view of {found} elements; at most {MOST}, take tiles of it\n{where(op)}")
    return found


def extents_of(view: MemRef) -> list[IntTuple]:
    """The modes of its shape."""
    return list(modes(innermost(view.layout).shape))


def offsets(view: MemRef, held: Held, count: int) -> Array:
    """The offsets (element, blocks, threads) of the first elements, colexicographically; 1 where lanes agree."""
    if not run_time_leaves(view):
        return _static(view.layout, count)
    layout = filled(view.layout, held.numbers)
    assert isinstance(layout, Layout | ComposedLayout)
    return at_numbers(layout, np.arange(count, dtype=np.int64)[:, None, None])


def reach(layout: AnyLayout) -> int:
    """How many elements the layout reaches, whose integers are known.

    Raises:
        UsageError: it has none, or too many to be looked at one by one.
    """
    count = product(innermost(layout).shape)
    if isinstance(layout, Layout):
        return 1 + sum((s - 1) * _plain(d) for s, d in layout.flat if _plain(d) > 0) if count else 0
    if not 0 < count <= MOST_REACHED:
        raise UsageError(f"a swizzled layout of {count} elements; at most {MOST_REACHED} are looked at")
    return int(_static(layout, count).max()) + 1


@lru_cache(1024)
def _static(layout: AnyLayout, count: int) -> NDArray[np.int64]:
    found = at_numbers(layout, np.arange(count, dtype=np.int64)[:, None, None])
    found.flags.writeable = False
    return found


def at_numbers(layout: AnyLayout, numbers: Array) -> Array:
    """The layout at coordinates that are given by their numbers."""
    if isinstance(layout, ComposedLayout):
        return np.asarray(outer_at(layout, at_numbers(layout.inner, numbers)))
    found, rest = np.zeros((1, 1, 1), np.int64), numbers
    flat = layout.flat
    for axis, (extent, stride) in enumerate(flat):
        last = axis == len(flat) - 1
        found = found + (rest if last else rest % extent) * _plain(stride)
        rest = rest if last else rest // extent
    return found


def at_coordinate(layout: AnyLayout, coord: Coordinate) -> Number:
    """The layout at one coordinate, of integers and of arrays."""
    if isinstance(layout, ComposedLayout):
        return outer_at(layout, at_coordinate(layout.inner, coord))
    return _crd2idx(coord, layout.shape, layout.stride)


def _crd2idx(coord: Coordinate, shape: IntTuple, stride: Elements) -> Number:
    if isinstance(coord, tuple):
        parts = zip(coord, modes(shape), modes(stride), strict=True)
        return sum((_crd2idx(c, s, d) for c, s, d in parts), start=0)
    if not isinstance(shape, tuple):
        return coord * _plain(stride)
    total: Number = 0
    rest: Number = coord
    for axis, (s, d) in enumerate(zip(modes(shape), modes(stride), strict=True)):
        extent, last = product(s), axis == len(shape) - 1
        total = total + _crd2idx(rest if last else _rest(rest, extent), s, d)
        rest = rest if last else quotient(rest, extent)
    return total


def _rest(a: Number, b: Number) -> Number:
    return a - b * quotient(a, b)


def outer_at(layout: ComposedLayout, inner: Number) -> Number:
    """The outer function behind the offset."""
    at = inner + sum(leaves(layout.offset), start=0)
    outer = layout.outer
    if isinstance(outer, Layout | ComposedLayout):
        return at_coordinate(outer, at)
    if isinstance(outer, CoordSwizzle):
        raise SimulationError(f"{outer} swizzles coordinates, not memory")
    return outer(at)


def _plain(stride: object) -> int:
    if isinstance(stride, AxisSum):
        raise SimulationError(f"the stride {stride} leads to a coordinate, not into memory")
    return stride  # type: ignore[return-value]  # an integer, or an array that stands for one


def coordinate_bounds(coord: Coordinate, shape: IntTuple) -> list[tuple[Number, Number]]:
    """Each integer of a coordinate with the extent that it has to lie below."""
    if isinstance(coord, tuple) and isinstance(shape, tuple):
        return [pair for c, s in zip(coord, shape, strict=True) for pair in coordinate_bounds(c, s)]
    if isinstance(coord, tuple):
        return coordinate_bounds(coord[0], shape)
    return [(coord, product(shape))]
