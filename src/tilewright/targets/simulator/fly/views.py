"""Where the elements of a view lie, for all lanes: its layout evaluated at every coordinate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.errors import CompileError, SimulationError, UsageError
from tilewright.ir.fly.normal_form import innermost
from tilewright.ir.fly.types import AnyLayout, MemRef, View
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.inttuple import IntTuple, modes, product
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.layouts import value_of
from tilewright.targets.simulator.fly.numbers import quotient
from tilewright.targets.simulator.fly.values import Held
from tilewright.targets.simulator.memory.access import Array, Number

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


class Plain(NamedTuple):
    """A layout of which lanes know the integers."""

    shape: Coordinate
    stride: Coordinate


class Composed(NamedTuple):
    """outer(offset + inner), likewise."""

    outer: Swizzle | CoordSwizzle | Plain | Composed
    offset: Coordinate
    inner: Plain | Composed

    @property
    def shape(self) -> Coordinate:
        """That of the layout within."""
        return self.inner.shape


Laid: TypeAlias = "Plain | Composed"


def laid(layout: AnyLayout, numbers: Sequence[Number]) -> Laid:
    """The layout with these numbers for its run-time leaves, from left to right."""
    return _laid(layout, iter(numbers))


def _laid(layout: AnyLayout, numbers: Iterator[Number]) -> Laid:
    if isinstance(layout, Layout):
        return Plain(_tree(layout.shape, numbers), _tree(layout.stride, numbers))
    found = layout.outer
    outer = found if isinstance(found, Swizzle | CoordSwizzle) else _laid(found, numbers)
    return Composed(outer, _tree(layout.offset, numbers), _laid(layout.inner, numbers))


def _tree(tree: object, numbers: Iterator[Number]) -> Coordinate:
    if isinstance(tree, tuple):
        return tuple(_tree(item, numbers) for item in tree)
    if isinstance(tree, SymInt):
        return next(numbers)
    if not isinstance(tree, int):
        raise SimulationError(f"{tree} is no place in memory")
    return tree


def tree_of(value: object, numbers: Sequence[Number]) -> Coordinate:
    """The int tuple with these numbers for its run-time leaves."""
    return _tree(value, iter(numbers))


def offsets(view: View, held: Held, count: int) -> Array:
    """The offsets (element, blocks, threads) of the first elements, colexicographically; 1 where lanes agree."""
    if not held.numbers:
        return _static(view.layout, count)
    return _all(laid(view.layout, held.numbers), count)


def reach(layout: AnyLayout) -> int:
    """How many elements the layout reaches, whose integers are known.

    Raises:
        UsageError: it has too many to be looked at one by one.
    """
    count = product(innermost(layout).shape)
    if isinstance(layout, Layout):
        strides = [d if isinstance(d, int) else 0 for _, d in layout.flat]
        return 1 + sum((s - 1) * d for (s, _), d in zip(layout.flat, strides, strict=True) if d > 0) if count else 0
    if not 0 < count <= MOST_REACHED:
        raise UsageError(f"a swizzled layout of {count} elements; at most {MOST_REACHED} are looked at")
    return int(_static(layout, count).max()) + 1


@lru_cache(1024)
def _static(layout: AnyLayout, count: int) -> Array:
    found = _all(laid(layout, ()), count)
    found.flags.writeable = False
    return found


def _all(layout: Laid, count: int) -> Array:
    found = np.asarray(at_coordinate(layout, np.arange(count, dtype=np.int64)[:, None, None]))
    return found if found.ndim == 3 else np.broadcast_to(found, (count, 1, 1)).copy()


def at_coordinate(layout: Laid, coord: Coordinate) -> Number:
    """The layout at a coordinate, of integers and of arrays."""
    if isinstance(layout, Plain):
        return _crd2idx(coord, layout.shape, layout.stride)
    at = at_coordinate(layout.inner, coord) + _sum(layout.offset)
    if isinstance(layout.outer, Plain | Composed):
        return at_coordinate(layout.outer, at)
    if isinstance(layout.outer, CoordSwizzle):
        raise SimulationError(f"{layout.outer} swizzles coordinates, not memory")
    found: Number = layout.outer(at)  # type: ignore[arg-type]  # arrays of integers, and integers
    return found


def _sum(tree: Coordinate) -> Number:
    return sum(map(_sum, tree), start=0) if isinstance(tree, tuple) else tree


def size_of(shape: Coordinate) -> Number:
    """The product of its extents."""
    if not isinstance(shape, tuple):
        return shape
    total: Number = 1
    for item in shape:
        total = total * size_of(item)
    return total


def _crd2idx(coord: Coordinate, shape: Coordinate, stride: Coordinate) -> Number:
    if isinstance(coord, tuple):
        parts = zip(coord, _modes(shape), _modes(stride), strict=True)
        return sum((_crd2idx(c, s, d) for c, s, d in parts), start=0)
    if not isinstance(stride, tuple):
        return coord * stride
    total: Number = 0
    rest: Number = coord
    pairs = list(zip(_modes(shape), stride, strict=True))
    for axis, (s, d) in enumerate(pairs):
        extent, last = size_of(s), axis == len(pairs) - 1
        within = rest if last else rest - extent * quotient(rest, extent)
        total = total + _crd2idx(within, s, d)
        rest = rest if last else quotient(rest, extent)
    return total


def _modes(tree: Coordinate) -> tuple[Coordinate, ...]:
    return tree if isinstance(tree, tuple) else (tree,)


def coordinate_bounds(coord: Coordinate, shape: Coordinate) -> list[tuple[Number, Number]]:
    """Each integer of a coordinate with the extent that it has to lie below."""
    if isinstance(coord, tuple) and isinstance(shape, tuple):
        return [pair for c, s in zip(coord, shape, strict=True) for pair in coordinate_bounds(c, s)]
    if isinstance(coord, tuple):
        return coordinate_bounds(coord[0], shape)
    return [(coord, size_of(shape))]
