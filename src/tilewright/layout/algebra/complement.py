"""Complement: the layout that fills the gaps of another one, up to a target."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, TypeAlias, overload

from tilewright.errors import LayoutError
from tilewright.layout import arithmetic
from tilewright.layout.algebra.by_axis import join, modes_by_axis, targets
from tilewright.layout.algebra.coalesce import without_zeros
from tilewright.layout.algebra.coverage import filled, uncovered
from tilewright.layout.algebra.modes import Modes, by_stride, coalesced, from_modes
from tilewright.layout.arithmetic import ceiling, is_equal, is_multiple
from tilewright.layout.axes import AxisSum
from tilewright.layout.base import LayoutBase
from tilewright.layout.indexing import idx2crd
from tilewright.layout.inttuple import (
    MAX_INT,
    IntTuple,
    as_int_tuple,
    flatten,
    leaves,
    product,
    to_text,
    unflatten,
)
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.query import cosize
from tilewright.layout.steps import LOG, explained, record
from tilewright.layout.symbolic.comparison import differs
from tilewright.layout.symbolic.conditions import all_of
from tilewright.layout.symbolic.operators import maximum
from tilewright.layout.witness import repeated

if TYPE_CHECKING:
    from tilewright.layout.axes import AxisKey, Known
    from tilewright.layout.composed import ComposedLayout
    from tilewright.layout.inttuple import IntTupleLike, KnownInts, Tree
    from tilewright.layout.methods import V
    from tilewright.layout.symbolic.symint import SymInt

    Target: TypeAlias = IntTuple | dict[AxisKey, IntTuple] | None


@overload
def complement(
    layout: Layout[V],
    codomain_size: KnownInts | Layout[Known] | ComposedLayout[Known] | Mapping[AxisKey, int] | None = None,
) -> Layout[V]: ...
@overload
def complement(
    layout: Layout[V], codomain_size: IntTupleLike | LayoutBase | Mapping[AxisKey, int]
) -> Layout[V | SymInt]: ...
def complement(layout: Layout[V], codomain_size: IntTupleLike | LayoutBase | Mapping[AxisKey, int] = None) -> Layout:
    """R such that all sums A(i) + R(j) are distinct, R is increasing, and there are at least as many as the cotarget.

    Modes of size 1 and of stride 0 do not count. Where the reach of A does not divide the cotarget, R goes beyond it.
    Without a cotarget R may leave offsets between the modes of A uncovered, as `explain` tells: what is asked for then
    is size(R) >= cosize(A) // size(A).
    Where strides lie on axes the complement is taken axis by axis, and the cotarget is a coordinate or `{axis: int}`;
    an integer will do for one axis.

    Args:
        layout: A. Its strides, sorted, must be apart: each at least the reach s * d of the one before it, and a
            multiple of it (then they chain) unless R is large enough all the same.
        codomain_size: The cotarget: an integer or a shape, 1 + the sum of (s - 1) * d if not given.

    Raises:
        LayoutError: the strides overlap or are negative, or too few sums would be left.

    Source: CuTe's `complement` and the three conditions on its result; "chains" are those of Shah, "A Note on the
    Algebra of CuTe Layouts".

    >>> print(complement(Layout((2, 2), (1, 6)), 24), complement(Layout(4, 2)))
    (3,2):(2,12) 2:1
    """
    return complement_in(layout, None if codomain_size is None else _target(codomain_size))[0]


@explained("complement", part=0)
def complement_in(layout: Layout, target: Target) -> tuple[Layout, bool]:
    """The complement, and whether the strides chain without gaps: then all offsets of the target are reached."""
    return _filled(layout, target, None)


@explained("room for copies")
def room_for(layout: Layout, places: int) -> Layout:
    """R of at least so many places, increasing, such that all sums A(i) + R(j) are distinct.

    Where the strides chain it is the complement in size(A) * places; else offsets between the modes stay uncovered.
    Where modes interlock and yet no element lies on another, the places follow each other beyond the last element.

    >>> print(room_for(Layout((3, 2), (1, 4)), 5), room_for(Layout((2, 3), (2, 3)), 5))
    5:8 5:9
    """
    try:
        return _filled(layout, layout.size * places, places)[0]
    except LayoutError:
        if not _interlocks(layout):
            raise
    return trusted(places, cosize(layout))


def _filled(layout: Layout, target: Target, places: int | None) -> tuple[Layout, bool]:
    modes = _counted(layout)
    if layout.on_axes:
        modes = _without_singles(modes)
    if not layout.on_axes and not isinstance(target, dict):
        extent = cosize(layout) if target is None else target
        extents, steps, whole = _fill(layout, modes, extent, places, target is None)
        return from_modes(extents, steps), whole
    parts = modes_by_axis(*modes) or {axis: ([], []) for axis in layout.axes}
    extents_of = targets(target, parts).items()
    found = {axis: _fill(layout, parts.get(axis, ([], [])), n, places, target is None) for axis, n in extents_of}
    return join((axis, part[:2]) for axis, part in found.items()), all(part[2] for part in found.values())


def _interlocks(layout: Layout) -> bool:
    """Is it known to be injective, with strides that are not negative?"""
    try:
        return layout.is_static and all(d >= 0 for _, d in layout.flat) and repeated(layout) is None
    except LayoutError:
        return False


def reach_of(layout: Layout) -> int:
    """The end of the last mode by stride: from there on `complement` repeats the layout.

    >>> reach_of(Layout((2, 4), (1, 3)))
    12
    """
    modes = _counted(layout)
    last = by_stride(zip(modes[1], modes[0], strict=True), modes[1])[-1:]
    return last[0][0] * last[0][1] if last else 1


def ceil_div(lhs: IntTupleLike, rhs: IntTupleLike | Layout[int | SymInt]) -> IntTuple:
    """The least c with c * rhs >= lhs, mode by mode; an integer divisor is used up from the first mode on.

    Where one of them is shorter its missing modes are 1; a tuple divides an integer by its product; for a layout `rhs`
    it is the shape of its complement in `lhs`.

    Raises:
        LayoutError: no int tuples, profiles that do not fit, or a divisor of 0.

    >>> ceil_div((7, 9), (2, 4)), ceil_div((2, (4, 4, 2)), 16), ceil_div((4, 4), Layout(4, 2))
    ((4, 3), (1, (1, 2, 2)), (2, 2))
    """
    return complement(rhs, lhs).shape if isinstance(rhs, Layout) else arithmetic.ceil_div(lhs, rhs)


def _target(value: IntTupleLike | LayoutBase | Mapping[AxisKey, int]) -> IntTuple | dict[AxisKey, IntTuple]:
    if type(value) is int and 0 < value < MAX_INT:
        return value
    if isinstance(value, dict):
        return {axis: _extents(extent) for axis, extent in value.items()}
    return _extents(value)


def _extents(value: object) -> IntTuple:
    target = value.shape if isinstance(value, LayoutBase) else as_int_tuple(value)
    _require_positive(target)
    return target


def _require_positive(target: Tree) -> None:
    if any(n is None or isinstance(n, AxisSum) or (type(n) is int and n < 1) for n in leaves(target)):
        raise LayoutError(f"complement: the cotarget must be positive, got {to_text(target)}")


def _counted(layout: Layout) -> Modes:
    # The modes that count: not those of stride 0.
    modes = coalesced(layout.shape, layout.stride)
    return coalesced(without_zeros(layout.shape, layout.stride), layout.stride) if 0 in modes[1] else modes


def _without_singles(modes: Modes) -> Modes:
    # Modes of size 1 say nothing about the axes that are to be filled.
    kept = [(s, d) for s, d in zip(*modes, strict=True) if not is_equal(s, 1)]
    return [s for s, _ in kept], [d for _, d in kept]


def _fill(
    layout: Layout, modes: Modes, target: IntTuple, places: int | None, gaps_may_stay: bool
) -> tuple[list[int], list[int], bool]:
    extents, steps, reach, whole = _gaps(layout, modes)
    rest = _times(target, reach) if whole or places is None else ceiling(places, prod(extents))
    if rest != 1:
        extents.append(rest)
        steps.append(reach)
    if not whole and places is None:
        _require_size(layout, target, modes, (extents, steps), gaps_may_stay)
    if LOG.get() is not None:
        _tell(modes, extents, steps, rest)
        both = [*zip(*modes, strict=True), *zip(extents, steps, strict=True)]
        _tell_gaps(both, target if places is None else None, whole)
    return extents, steps, whole


def _gaps(layout: Layout, modes: Modes) -> tuple[list[int], list[int], int, bool]:
    """The modes between those of the layout, where these end, and whether they chain."""
    extents: list[int] = []
    steps: list[int] = []
    reach, whole = 1, True
    for step, extent in by_stride(zip(modes[1], modes[0], strict=True), modes[1]):
        if step is not reach and extent.__class__ is not int and _vanishes(extent, step, reach):
            continue
        if step < reach:
            raise LayoutError(_overlap(layout, extent, step, reach))
        if whole and not is_multiple(step, reach):
            whole = False
        if step is not reach and step // reach != 1:
            extents.append(step // reach)
            steps.append(reach)
        reach = extent * step
    return extents, steps, reach, whole


def _vanishes(extent: int, step: int, reach: int) -> bool:
    # A mode of size 1 leaves no gap. Where there is none anyway it does not matter.
    return bool(all_of(is_equal(extent, 1), differs(step, reach)))


def _times(target: IntTuple, reach: int) -> int:
    """How often `reach` fits into the target, rounded up mode by mode."""
    if type(target) is int and type(reach) is int:
        return -(-target // reach)
    if type(reach) is int and reach == 1:
        return product(target)
    total, left, size = 1, reach, 1
    for n in flatten(target):
        total, left, size = total * ceiling(n, left), ceiling(left, n), size * n
    return maximum(total, ceiling(size, reach))


def _tell(modes: Modes, extents: list[int], steps: list[int], rest: int) -> None:
    """For a derivation: which gaps there are, and what comes after the last mode."""
    gaps = list(zip(extents, steps, strict=True))
    after = gaps.pop() if rest != 1 else None
    ordered = by_stride(zip(modes[1], modes[0], strict=True), modes[1])
    record("modes by stride", (), " ".join(f"{extent}:{step}" for step, extent in ordered) or "none")
    for extent, step in gaps:
        record("gap", (f"below stride {extent * step}",), f"{extent}:{step}")
    if after is not None:
        record("repeat up to the cotarget", (), f"{after[0]}:{after[1]}")


def _tell_gaps(modes: list[tuple[int, int]], target: IntTuple | None, whole: bool) -> None:
    """For a derivation: which offsets below the cotarget, or below the last sum, are no sum of A and R."""
    wanted = 1 + sum((extent - 1) * step for extent, step in modes) if target is None else product(target)
    if all(type(n) is int for n in (wanted, *(n for mode in modes for n in mode))):
        count, first = uncovered(modes, wanted)
        if count:
            record("left uncovered", (), f"{count} of {wanted} offsets, the first {first}")
    elif not whole:
        record("left uncovered", (), "offsets between modes whose strides do not chain")


def _require_size(layout: Layout, target: IntTuple, modes: Modes, found: Modes, gaps_may_stay: bool) -> None:
    wanted, inside, rest = product(target), prod(modes[0]), prod(found[0])
    if rest < wanted // inside or (inside * rest < wanted and not gaps_may_stay):
        raise LayoutError(
            f"complement of {layout} in {to_text(target)}: the strides do not chain, so that at most {inside * rest} "
            f"of {wanted} offsets would be reached{_lost(layout, target, modes, found)}"
        )


def _lost(layout: Layout, target: IntTuple, modes: Modes, found: Modes) -> str:
    """How many offsets, the first of them, and the layout that would not lose them, where all is known."""
    both = [*zip(*modes, strict=True), *zip(*found, strict=True)]
    if not layout.is_static or not all(type(n) is int for n in (*leaves(target), *(n for mode in both for n in mode))):
        return ""
    count, first = uncovered(both, product(target))
    place = f", at {to_text(idx2crd(first, target))}," if isinstance(target, tuple) else ""
    extents = filled(layout.flat)
    chains = "" if extents is None else f"; {Layout(unflatten(tuple(extents), layout.shape), layout.stride)} chains"
    return f": {count} are lost, of which {first}{place} is the first{chains}"


def _overlap(layout: Layout, extent: int, step: int, reach: int) -> str:
    if step < 0:
        return f"complement of {layout}: mode {extent}:{step} has a negative stride"
    return (
        f"complement of {layout}: mode {extent}:{step} starts below {reach}, the reach of the modes with smaller "
        f"strides, so that offsets overlap"
    )
