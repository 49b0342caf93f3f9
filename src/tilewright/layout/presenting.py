"""Module elements as a caller sees them: an int, a coordinate tuple, or `{axis: int}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from tilewright.layout.axes import AxisKey, AxisSum, components
from tilewright.layout.inttuple import leaves

if TYPE_CHECKING:

    from tilewright.layout.axes import Presented
    from tilewright.layout.inttuple import Element, Elements, IntTuple


def coprofile_axes(spans: Elements) -> tuple[AxisKey, ...]:
    """Every axis that occurs in a tree of module elements, in first-seen order."""
    return tuple(dict.fromkeys(axis for leaf in leaves(spans) for axis, _ in components(leaf)))


def present(value: Element, spans: Elements) -> Presented:
    """A module element as the caller sees it; `spans` is a tree of the elements that span the codomain (strides).

    Coordinate positions give a tuple with the codomain's profile; named axes give a dict.
    """
    if not any(isinstance(leaf, AxisSum) for leaf in leaves(spans)):
        return value
    return present_parts(dict(components(value)), spans)


def present_parts(parts: Mapping[AxisKey, int], spans: Elements) -> IntTuple | dict[AxisKey, int]:
    """`present` for a value that is given axis by axis."""
    axes = coprofile_axes(spans)
    found = {axis: parts.get(axis, 0) for axis in axes}
    paths = {axis: value for axis, value in found.items() if isinstance(axis, tuple)}
    return _coordinate(paths, 0) if len(paths) == len(found) else found


def _coordinate(values: dict[tuple[int, ...], int], level: int) -> tuple[IntTuple, ...]:
    count = 1 + max(path[level] for path in values)
    out: list[IntTuple] = []
    for position in range(count):
        here = {path: v for path, v in values.items() if path[level] == position}
        deeper = {path: v for path, v in here.items() if len(path) > level + 1}
        out.append(_coordinate(deeper, level + 1) if deeper else sum(here.values()))
    return tuple(out)
