"""Module elements as a caller sees them: an int, a coordinate tuple, or `{axis: int}`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from tilewright.layout.axes import MEMORY, AxisKey, components
from tilewright.layout.inttuple import IntTuple, leaves

if TYPE_CHECKING:
    from tilewright.layout.axes import Presented
    from tilewright.layout.inttuple import Element, Elements, IntTuple


def coprofile_axes(spans: Elements) -> tuple[AxisKey, ...]:
    """Every axis that occurs in a tree of module elements, in first-seen order."""
    return tuple(dict.fromkeys(axis for leaf in leaves(spans) for axis, _ in components(leaf)))


def present(value: Element, axes: tuple[AxisKey, ...]) -> Presented:
    """A module element as the caller sees it, where the codomain has these axes.

    Coordinate positions give a tuple with the codomain's profile; named axes give a dict.

    >>> present(0, ((0,), (1, 0))), present(3, ("m",)), present(3, ("laneid", "m"))
    ((0, (0,)), 3, {'laneid': 0, 'm': 3})
    """
    if axes == (MEMORY,) or not axes:
        return value
    return present_parts(dict(components(value)), axes)


def present_parts(parts: Mapping[AxisKey, int], axes: tuple[AxisKey, ...]) -> IntTuple | dict[AxisKey, int]:
    """`present` for a value that is given axis by axis."""
    profile = profile_of(axes)
    return {axis: parts.get(axis, 0) for axis in axes} if profile is None else _coordinate(parts, profile, ())


@lru_cache
def profile_of(axes: tuple[AxisKey, ...]) -> IntTuple | None:
    """The zero coordinate with integers at these positions; None where they are none, or one is within another.

    >>> profile_of(((0,), (1, 1))), profile_of(((0,), (0, 1))), profile_of(((0,), "m"))
    ((0, (0, 0)), None, None)
    """
    paths = sorted(axis for axis in axes if isinstance(axis, tuple))
    if len(paths) < len(axes) or any(b[: len(a)] == a for a, b in pairwise(paths)):
        return None
    return _profile(paths, 0)


def _profile(paths: list[tuple[int, ...]], level: int) -> IntTuple:
    if len(paths[0]) == level:
        return 0
    inside = {i: [path for path in paths if path[level] == i] for i in range(1 + paths[-1][level])}
    return tuple(_profile(part, level + 1) if part else 0 for part in inside.values())


def _coordinate(parts: Mapping[AxisKey, int], profile: IntTuple, path: tuple[int, ...]) -> IntTuple:
    if isinstance(profile, tuple):
        return tuple([_coordinate(parts, item, (*path, i)) for i, item in enumerate(profile)])
    return parts.get(path, 0)
