"""Operations that order strides, axis by axis: modes sorted out by the axis on which they lie, and put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from tilewright.errors import LayoutError
from tilewright.layout.algebra.modes import Modes, coalesced, from_modes
from tilewright.layout.axes import AxisKey, AxisSum, components, term
from tilewright.layout.inttuple import IntTuple, product
from tilewright.layout.layout import Layout, concatenate, trusted

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element

E = TypeVar("E")


def is_plain(steps: Iterable[Element]) -> bool:
    """Are all strides integers, on no axis?"""
    return AxisSum not in map(type, steps)


def modes_by_axis(extents: Sequence[E], steps: Sequence[Element]) -> dict[AxisKey, tuple[list[E], list[int]]]:
    """The modes on every axis, with the values as strides.

    Raises:
        LayoutError: a stride lies on several axes at once.
    """
    parts: dict[AxisKey, tuple[list[E], list[int]]] = {}
    for extent, step in zip(extents, steps, strict=True):
        found = components(step)
        if len(found) > 1:
            raise LayoutError(f"the stride {step} lies on several axes, which have no common order")
        for axis, value in found:
            part = parts.setdefault(axis, ([], []))
            part[0].append(extent)
            part[1].append(value)
    return dict(sorted(parts.items(), key=_order))


def ordered(axes: Iterable[AxisKey]) -> list[AxisKey]:
    """Positions first, then names.

    >>> ordered(["laneid", (1,), (0, 2)])
    [(0, 2), (1,), 'laneid']
    """
    return sorted(axes, key=lambda axis: _order((axis, 0)))


def join(parts: Iterable[tuple[AxisKey, Modes]]) -> Layout:
    """The layout of the modes of all axes, axis after axis."""
    extents: list[int] = []
    steps: list[Element] = []
    for axis, (more, values) in parts:
        extents += more
        steps += [value * term(1, axis) for value in values]
    flat = trusted(tuple(extents), tuple(steps))
    return from_modes(*coalesced(flat.shape, flat.stride))


def join_domain(parts: Mapping[AxisKey, Layout]) -> Layout:
    """The layout whose coordinate has one part for every axis: positions nest as in the paths, names follow in order.

    >>> print(join_domain({(0,): Layout(4), (1, 1): Layout(8, 4)}))
    (4,(1,8)):(1,(0,4))
    """
    named = [layout for axis, layout in parts.items() if isinstance(axis, str)]
    paths = {axis: layout for axis, layout in parts.items() if isinstance(axis, tuple)}
    top = [_below(paths, (i,)) for i in range(1 + max((path[0] for path in paths), default=-1))]
    return concatenate([*top, *named])


def _below(paths: Mapping[tuple[int, ...], Layout], at: tuple[int, ...]) -> Layout:
    inside = [path[len(at)] for path in paths if path[: len(at)] == at and len(path) > len(at)]
    if inside:
        return concatenate([_below(paths, (*at, i)) for i in range(1 + max(inside))])
    return paths.get(at, trusted(1, 0))


def targets(
    target: IntTuple | dict[AxisKey, IntTuple] | None, parts: Mapping[AxisKey, Modes]
) -> dict[AxisKey, IntTuple]:
    """The cotarget of every axis: of those of the modes, and of those that the cotarget names beside them.

    Without a cotarget it is what the modes reach. A coordinate names every position that no mode goes below; an integer
    is the cotarget of the only axis.

    Raises:
        LayoutError: the cotarget says nothing about an axis.
    """
    if target is None:
        return {axis: 1 + sum((s - 1) * abs(d) for s, d in zip(*part, strict=True)) for axis, part in parts.items()}
    found: dict[AxisKey, IntTuple]
    if isinstance(target, dict):
        found = dict(target)
    elif len(parts) == 1 and not (isinstance(target, tuple) and isinstance(next(iter(parts)), tuple)):
        found = dict.fromkeys(parts, product(target))
    else:
        found = _positions(target, (), {axis for axis in parts if isinstance(axis, tuple)})
    for axis in parts:
        if axis not in found:
            raise LayoutError(f"the cotarget says nothing about the axis {axis}: give a coordinate or {{axis: int}}")
    return dict(sorted(found.items(), key=_order))


def _positions(target: IntTuple, at: tuple[int, ...], paths: set[tuple[int, ...]]) -> dict[AxisKey, IntTuple]:
    below = any(len(path) > len(at) and path[: len(at)] == at for path in paths)
    if isinstance(target, tuple) and (below or not at):
        out: dict[AxisKey, IntTuple] = {}
        for i, item in enumerate(target):
            out |= _positions(item, (*at, i), paths)
        return out
    return {at: product(target)} if at else {}


def _order(item: tuple[AxisKey, object]) -> tuple[bool, tuple[int, ...], str]:
    axis = item[0]
    return (False, axis, "") if isinstance(axis, tuple) else (True, (), axis)
