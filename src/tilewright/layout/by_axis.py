"""Operations that order strides, axis by axis: modes sorted out by the axis on which they lie, and put together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import MEMORY, AxisKey, AxisSum, components, term
from tilewright.layout.inttuple import product
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.modes import Modes, coalesced, from_modes
from tilewright.layout.tiler import concatenate


def is_plain(steps: Iterable[Any]) -> bool:
    """Are all strides integers, on no axis?"""
    return AxisSum not in map(type, steps)


def modes_by_axis(extents: list[Any], steps: list[Any]) -> dict[AxisKey, Modes]:
    """The modes on every axis, with the values as strides.

    Raises:
        LayoutError: a stride lies on several axes at once.
    """
    parts: dict[AxisKey, Modes] = {}
    for extent, step in zip(extents, steps, strict=True):
        found = components(step)
        if len(found) > 1:
            raise LayoutError(f"the stride {step} lies on several axes, which have no common order")
        for axis, value in found:
            part = parts.setdefault(axis, ([], []))
            part[0].append(extent)
            part[1].append(value)
    return dict(sorted(parts.items(), key=_order))


def join(parts: Iterable[tuple[AxisKey, Modes]]) -> Layout:
    """The layout of the modes of all axes, axis after axis."""
    extents: list[Any] = []
    steps: list[Any] = []
    for axis, (more, values) in parts:
        extents += more
        steps += [value * term(1, axis) for value in values]
    return from_modes(*coalesced(tuple(extents), tuple(steps)))


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


def target_on(target: Any, axis: AxisKey, modes: Modes) -> Any:
    """The part of a cotarget on one axis; without a cotarget, what the modes reach.

    Raises:
        LayoutError: the cotarget says nothing about the axis.
    """
    if target is None:
        return 1 + sum((s - 1) * abs(d) for s, d in zip(*modes, strict=True))
    if isinstance(target, dict) and axis in target:
        return target[axis]
    if isinstance(axis, tuple):
        for position in axis:
            target = target[position] if isinstance(target, tuple) and position < len(target) else None
    elif axis != MEMORY or isinstance(target, dict):
        target = None
    if target is None:
        raise LayoutError(f"the cotarget says nothing about the axis {axis}: give a coordinate or {{axis: int}}")
    return product(target)


def _order(item: tuple[AxisKey, Modes]) -> tuple[Any, ...]:
    return (0, item[0]) if isinstance(item[0], tuple) else (1, item[0])
