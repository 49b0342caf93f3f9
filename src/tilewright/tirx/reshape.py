"""Element width, order and selection: pack, unpack, broadcast, permute, storage."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import Axis
from tilewright.tirx.iters import Iter, Iters, M, Parts, as_static, make_iter, on_axes, terms


def unpack(parts: Parts, num: object) -> Parts:
    """U(num * x + j) = num * L(x) + j@m: every element becomes `num` smaller ones.

    >>> unpack(Parts((Iter(8, 1),), (), ((M, 3),)), 2)
    Parts(shard=(Iter(8, 2, m), Iter(2, 1, m)), replica=(), offset=((m, 6),))
    """
    count = _positive(num)

    def wide(iters: Iters) -> Iters:
        return tuple(make_iter(it.extent, it.stride * count, it.axis) for it in iters)

    offset = tuple((axis, value * count) for axis, value in parts.offset)
    return Parts((*wide(parts.shard), make_iter(count, 1, M)), wide(parts.replica), offset)


def pack(parts: Parts, num: object, name: str) -> Parts:
    """P(x) = L(num * x) / num: `num` neighbours become one larger element.

    Raises:
        LayoutError: the last iter does not walk memory in steps of 1, or a stride, replica or offset is not a
            multiple of `num`, so that elements would be cut.
    """
    num = _positive(num)
    last = parts.shard[-1] if parts.shard else None
    if last is None or last.axis is None or last.axis.is_thread() or last.stride != 1 or last.extent % num:
        raise LayoutError(
            f"Layout {name} can not be packed into {num} elements: its last iter must be a multiple of {num} "
            "positions long, with stride 1 on a memory axis"
        )
    values = [v for it in (*parts.shard[:-1], *parts.replica) if it.extent != 1 for _, v in terms(it.stride, it.axis)]
    if any(value % num for value in [*values, *(v for _, v in parts.offset)]):
        raise LayoutError(
            f"Layout {name} can not be packed into {num} elements: a stride, replica or offset is not a "
            f"multiple of {num}, and an element would be cut"
        )

    def narrow(iters: Iters) -> Iters:
        return tuple(
            make_iter(it.extent, *on_axes((axis, v // num) for axis, v in terms(it.stride, it.axis))) for it in iters
        )

    shard = (*narrow(parts.shard[:-1]), make_iter(last.extent // num, 1, last.axis))
    return Parts(shard, narrow(parts.replica), tuple((axis, v // num) for axis, v in parts.offset))


def broadcast(parts: Parts, num: int, position: int, axis: Axis) -> Parts:
    """A new dimension of `num` coordinates that all see the same element: a stride-0 iter before `position`."""
    shard = list(parts.shard)
    position = as_static(position, "a position")
    where = position if position >= 0 else len(shard) + 1 + position
    if not 0 <= where <= len(shard):
        raise LayoutError(f"position {position} for the new dimension of a layout of {len(shard)} iters")
    shard.insert(where, Iter(num, 0, axis))
    return Parts(tuple(shard), parts.replica, parts.offset)


def storage(parts: Parts) -> Parts:
    """What one thread holds: thread axes dropped from shard, replica and offset."""

    def kept(iters: Iters) -> Iters:
        own = [(it.extent, [t for t in terms(it.stride, it.axis) if t[0].is_memory()]) for it in iters]
        return tuple(make_iter(extent, *on_axes(memory)) for extent, memory in own if memory)

    return Parts(kept(parts.shard), kept(parts.replica), tuple(t for t in parts.offset if t[0].is_memory()))


def permute(parts: Parts, order: Sequence[int]) -> Parts:
    """The iters in another order: the map with its digits permuted."""
    return Parts(tuple(parts.shard[k] for k in _order(order, len(parts.shard), "iters")), parts.replica, parts.offset)


def permute_groups(parts: Parts, seps: Sequence[int], order: Sequence[int]) -> Parts:
    """Whole groups of iters in another order; group g is `[seps[g] : seps[g + 1]]`."""
    ends = _integers(seps, "a separator")
    if [*ends[:1], *ends[-1:]] != [0, len(parts.shard)] or ends != sorted(ends):
        raise LayoutError(f"separators ascend from 0 to the number of iters, {len(parts.shard)}; got {shown(seps)}")
    groups = _order(order, len(ends) - 1, "groups")
    return permute(parts, [k for g in groups for k in range(ends[g], ends[g + 1])])


def _order(order: object, count: int, what: str) -> list[int]:
    made = _integers(order, "a position")
    if sorted(made) != [*range(count)]:
        raise LayoutError(f"invalid perm {shown(order)}: it names each of the {count} {what}, 0 to {count - 1}, once")
    return made


def _integers(items: object, what: str) -> list[int]:
    if isinstance(items, str) or not isinstance(items, Iterable):
        raise LayoutError(f"expected a sequence of integers, got {shown(items)}")
    return [as_static(item, what) for item in items]


def _positive(num: object) -> int:
    count = as_static(num, "num")
    if count < 1:
        raise LayoutError(f"num must be a positive integer, got {shown(num)}")
    return count
