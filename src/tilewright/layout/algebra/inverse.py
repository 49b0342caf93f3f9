"""Inverses of a layout: right, left, and the null space."""

from __future__ import annotations

from collections.abc import Callable
from operator import eq
from typing import TYPE_CHECKING, overload

from tilewright.errors import LayoutError
from tilewright.layout.algebra.by_axis import join_domain, modes_by_axis, ordered
from tilewright.layout.algebra.inverse_search import longer_right_inverse, proved_left_inverse
from tilewright.layout.algebra.modes import Follows, Modes, by_stride, chain, coalesced, from_modes
from tilewright.layout.arithmetic import is_equal
from tilewright.layout.inttuple import flatten, side_by_side
from tilewright.layout.layout import Layout, compact_stride, trusted
from tilewright.layout.steps import LOG, Derivation, record

if TYPE_CHECKING:
    from tilewright.layout.axes import Known, Value
    from tilewright.layout.symbolic.symint import SymInt

Mode = tuple[int, int, int]  # stride, extent, and the step of its coordinate in the domain


@overload
def right_inverse(layout: Layout[Known]) -> Layout[int]: ...
@overload
def right_inverse(layout: Layout[Value]) -> Layout[int | SymInt]: ...
def right_inverse(layout: Layout[Value]) -> Layout:
    """R with A(R(i)) == i for every i of R: as many i as the modes of A reach from 0 on without a gap.

    Modes whose stride does not follow from the others are left out, and of several with one stride all but the first.
    Where A has negative strides the longest R is sought. If the values of A are coordinates then so are those that R
    takes, mode by mode.

    Raises:
        LayoutError: a run-time stride is negative: the longest R is not sought among values that are not known.

    Source: CuTe's `right_inverse`.

    >>> print(right_inverse(Layout((8, 16), (16, 1))))
    (16,8):(8,1)
    """
    modes = coalesced(layout.shape, layout.stride)
    if layout.on_axes:
        return _by_axis(_right, layout, modes)
    found = from_modes(*_right(layout, _with_coordinates(modes)))
    if any(stride < 0 for stride in modes[1]):
        found = longer_right_inverse(layout, found)
    if LOG.get() is not None:
        _tell("right_inverse", layout, modes, found)
    return found


def chained_inverse(layout: Layout) -> Layout:
    """The right inverse made of the modes whose strides follow from one another, 1 first; CuTe's answer.

    >>> print(chained_inverse(Layout((4, 2), (-1, 4))), right_inverse(Layout((4, 2), (-1, 4))))
    1:0 2:7
    """
    modes = coalesced(layout.shape, layout.stride)
    return from_modes(*_right(layout, _with_coordinates(modes), eq))


@overload
def left_inverse(layout: Layout[Known]) -> Layout[int]: ...
@overload
def left_inverse(layout: Layout[Value]) -> Layout[int | SymInt]: ...
def left_inverse(layout: Layout[Value]) -> Layout:
    """R with R(A(i)) == i for every i of A. Where A is not injective: A(R(A(i))) == A(i).

    The gaps in A's values get stride 0. If the values of A are coordinates then so are those that R takes.

    Raises:
        LayoutError: no such layout is found, or A takes negative values.

    Source: CuTe's `left_inverse`.

    >>> print(left_inverse(Layout((3, 4), (1, 5))), left_inverse(Layout(4, 2)))
    (5,4):(1,3) (2,4):(0,1)
    """
    modes = coalesced(layout.shape, layout.stride)
    if layout.on_axes:
        return _by_axis(_left, layout, modes)
    found = from_modes(*_left(layout, _with_coordinates(modes)))
    if LOG.get() is not None:
        _tell("left_inverse", layout, modes, found)
    return found


@overload
def nullspace(layout: Layout[Known]) -> Layout[int]: ...
@overload
def nullspace(layout: Layout[Value]) -> Layout[int | SymInt]: ...
def nullspace(layout: Layout[Value]) -> Layout:
    """N with A(N(i)) == 0 for every i of N: the modes of stride 0.

    N is injective; its size is the product of the extents of these modes, and 1:0 where there are none.

    Raises:
        LayoutError: no layout.

    >>> print(nullspace(Layout((4, 8), (0, 1))), nullspace(Layout(8)))
    4:1 1:0
    """
    extents = flatten(layout.shape)
    zeros = [k for k, d in enumerate(flatten(layout.stride)) if is_equal(d, 0)]
    steps = flatten(compact_stride(extents))
    return from_modes([extents[k] for k in zeros], [steps[k] for k in zeros])


def _with_coordinates(modes: Modes) -> list[Mode]:
    out, step = [], 1
    for extent, stride in zip(*modes, strict=True):
        out.append((stride, extent, step))
        step *= extent
    return out


def _tell(rule: str, layout: Layout, modes: Modes, found: Layout) -> None:
    """For a derivation: the modes in the order in which they are taken, and where their digits go."""
    moves = [Derivation("coalesce", (layout,), from_modes(*modes))]
    for stride, extent, step in by_stride(_with_coordinates(modes), modes[1]):
        moves.append(Derivation("mode", (f"{extent}:{stride}",), f"{extent}:{step} of the coordinate"))
    record(rule, (layout,), found, tuple(moves))


def _right(layout: Layout, modes: list[Mode], follows: Follows = is_equal) -> Modes:
    found = chain(modes, follows)
    if not found:
        return [], []
    _, extents, steps = side_by_side(*found)  # triples
    return coalesced(extents, steps)


def _left(layout: Layout, modes: list[Mode]) -> Modes:
    """The digits of a value between one stride and the next are the coordinate in the mode below."""
    extents: list[int] = []
    steps: list[int] = []
    reach, above, last = 1, 0, (1, 0)
    sound = True
    for stride, extent, step in by_stride(modes, [mode[0] for mode in modes]):
        if stride < 0:
            raise LayoutError(f"left_inverse of {layout}: mode {extent}:{stride} takes negative values")
        if is_equal(stride, 0):
            continue
        sound = sound and not stride % reach and stride >= above
        extents.append(stride // reach)
        steps.append(last[1])
        reach, above, last = stride, stride * extent, (extent, step)
    if not extents:
        return [extent for _, extent, _ in modes], [0 for _ in modes]
    found = coalesced((*extents, last[0]), (*steps, last[1]))
    return found if sound else proved_left_inverse(layout, found)


def _by_axis(invert: Callable[[Layout, list[Mode]], Modes], layout: Layout, modes: Modes) -> Layout:
    """One inverse for every axis; together they take a coordinate, `join_domain` says of which profile.

    An axis on which only modes of extent 1 lie has its place in that coordinate too.
    """
    steps = flatten(compact_stride(tuple(modes[0])))
    where = dict.fromkeys(ordered(layout.axes), trusted(1, 0))
    for axis, part in modes_by_axis([*zip(modes[0], steps, strict=True)], modes[1]).items():
        found = [(d, s, step) for (s, step), d in zip(*part, strict=True)]
        where[axis] = from_modes(*invert(layout, found))
    return join_domain(where)
