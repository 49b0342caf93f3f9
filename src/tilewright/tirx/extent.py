"""Sizes: how many elements, and how far they reach on each axis."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError
from tilewright.layout.axes import Axis
from tilewright.layout.inttuple import MAX_INT, in_64_bits
from tilewright.layout.parts import plain_size
from tilewright.layout.parts import require_64_bits as require_parts
from tilewright.tirx.iters import Iter, Iters, Parts, terms
from tilewright.tirx.text import notation

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Element

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
    return in_64_bits(_from_zero(parts, axis)) if _ascending(parts, axis) else extent(parts, axis)


def extent(parts: Parts, axis: Axis | None = None) -> int:
    """The cells from the first to the last one: largest - smallest + 1."""
    low, high = reach(parts, axis)
    return in_64_bits(high - low + 1)


def cosize(parts: Parts, axis: Axis | None = None) -> int:
    """The largest value plus 1."""
    return in_64_bits(reach(parts, axis)[1] + 1)


def require_64_bits(parts: Parts) -> None:
    """Refuses more elements than 64 bits number, and places that they do not hold."""
    if not (_is_plain(parts.shard) and _is_plain(parts.replica)):
        shape, stride = tuple([it.extent for it in parts.shard]), tuple(map(_element, parts.shard))
        require_parts(shape, stride, notation(parts), [(it.extent, _element(it)) for it in parts.replica])
    for axis, start in parts.offset:
        if type(start) is int and abs(start) >= 1 << 32:
            _require_moved(parts, axis, start)


def _is_plain(iters: Iters) -> bool:
    return 0 < plain_size(tuple([it.extent for it in iters]), tuple([it.stride for it in iters]), 0) < MAX_INT


def _element(it: Iter) -> Element:
    return it.stride if it.axis is None else it.stride @ it.axis


def _require_moved(parts: Parts, axis: Axis, start: int) -> None:
    steps = [v for v in _values(parts, axis) if type(v) is int and (v > 0) == (start > 0)]
    if abs(start) + sum(map(abs, steps)) + 1 >= MAX_INT:
        raise LayoutError(f"{notation(parts)} reaches {start + sum(steps)}@{axis.name}, outside (-2^63, 2^63 - 1)")


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
