"""Sizes: how many elements, and how far they reach on each axis."""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.layout.axes import Axis
from tilewright.tirx.iters import Parts, terms

Reach = tuple[int, int]


def size(parts: Parts, axis: Axis | None = None) -> int:
    """The product of the shard's extents, of all iters or of those on one axis."""
    total = 1
    for it in parts.shard:
        if axis is None or any(a is axis for a, _ in terms(it.stride, it.axis)):
            total = total * it.extent
    return total


def reach(parts: Parts, axis: Axis | None = None) -> Reach:
    """The smallest and the largest value on one axis, replicas and offset included.

    With axis None: the sums of these over all memory axes.
    """
    low, high = 0, 0
    for value in _values(parts, axis):
        low, high = (low + value, high) if value < 0 else (low, high + value)
    start = sum(value for a, value in parts.offset if _counts(a, axis))
    return start + low, start + high


def span(parts: Parts, axis: Axis | None = None) -> int:
    """The cells from 0 to the last one; with negative strides, from the first to the last one.

    TVM's `span` where no stride is negative: the largest value plus 1, offset included.
    """
    return _from_zero(parts, axis) if _ascending(parts, axis) else extent(parts, axis)


def extent(parts: Parts, axis: Axis | None = None) -> int:
    """The cells from the first to the last one: largest - smallest + 1."""
    low, high = reach(parts, axis)
    return high - low + 1


def cosize(parts: Parts, axis: Axis | None = None) -> int:
    """The largest value plus 1."""
    return reach(parts, axis)[1] + 1


def _from_zero(parts: Parts, axis: Axis | None) -> int:
    start = sum(value for a, value in parts.offset if _counts(a, axis))
    return 1 + start + sum(_values(parts, axis))


def _ascending(parts: Parts, axis: Axis | None) -> bool:
    return not any(isinstance(value, int) and value < 0 for value in _values(parts, axis))


def _values(parts: Parts, axis: Axis | None) -> Iterable[int]:
    return (
        (it.extent - 1) * value
        for it in (*parts.shard, *parts.replica)
        for a, value in terms(it.stride, it.axis)
        if _counts(a, axis)
    )


def _counts(candidate: Axis, axis: Axis | None) -> bool:
    return candidate is axis if axis is not None else candidate.is_memory()
