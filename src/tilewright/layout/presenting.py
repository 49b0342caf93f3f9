"""Module elements as a caller sees them: an int, a coordinate tuple, or `{axis: int}`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tilewright.layout.axes import AxisKey, AxisSum, components
from tilewright.layout.inttuple import leaves


def coprofile_axes(spans: Any) -> tuple[AxisKey, ...]:
    """Every axis that occurs in a tree of module elements, in first-seen order."""
    return tuple(dict.fromkeys(axis for leaf in leaves(spans) for axis, _ in components(leaf)))


def present(value: Any, spans: Any) -> Any:
    """A module element as the caller sees it; `spans` is a tree of the elements that span the codomain (strides).

    Coordinate positions give a tuple with the codomain's profile; named axes give a dict.
    """
    if not any(isinstance(leaf, AxisSum) for leaf in leaves(spans)):
        return value
    return present_parts(dict(components(value)), spans)


def present_parts(parts: Mapping[AxisKey, Any], spans: Any) -> Any:
    """`present` for a value that is given axis by axis."""
    axes = coprofile_axes(spans)
    found = {axis: parts.get(axis, 0) for axis in axes}
    return _coordinate(found, 0) if all(isinstance(axis, tuple) for axis in axes) else found


def _coordinate(values: dict[AxisKey, Any], level: int) -> Any:
    count = 1 + max(int(path[level]) for path in values)
    out = []
    for position in range(count):
        here = {path: v for path, v in values.items() if path[level] == position}
        deeper = {path: v for path, v in here.items() if len(path) > level + 1}
        out.append(_coordinate(deeper, level + 1) if deeper else sum(here.values()))
    return tuple(out)
