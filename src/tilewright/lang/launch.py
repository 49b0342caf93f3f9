"""The launch: how many blocks and threads, and which of them runs."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, i64
from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.attributes import BLOCK, CLUSTER, GRID, LANES, WARPS
from tilewright.ir.core.lanes import WARPS_OF_GROUP, WarpSizeOp
from tilewright.ir.core.ranges import Index
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, int_tuple, show


def _device_entry(t: Tracer) -> None:
    return None


def _cta_id(t: Tracer, extents: Value) -> Value:
    return _ids(t, extents, GRID, t.block)


def _thread_id(t: Tracer, extents: Value = None) -> Value:
    return t.thread("x") if extents is None else _ids(t, extents, BLOCK, t.thread)


def _ids(t: Tracer, extents: Value, attribute: str, make: Callable[[str], SSAValue]) -> Value:
    counts = int_tuple(extents, "a launch extent")
    if not 1 <= len(counts) <= 3 or min(counts) < 1:
        raise KernelError(f"a launch has one to three extents of at least 1, got {list(counts)}")
    t.launch(attribute, counts)
    made = tuple(make(axis) for axis in "xyz"[: len(counts)])
    return made[0] if len(made) == 1 else made


# ---- warps, whose lanes only the target knows


_COUNTED = {LANES: "lanes of a warp", WARPS: "warps of a block", CLUSTER: "blocks of a cluster"}


def _note(t: Tracer, attribute: str, count: int) -> None:
    noted = IntegerAttr(count, i64)
    before = t.function.attributes.setdefault(attribute, noted)
    if before != noted and isinstance(before, IntegerAttr):
        what = _COUNTED[attribute]
        raise KernelError(f"{count} {what} contradict {before.value.data}, given before")


def _one(extents: Value, name: str) -> int | None:
    """The one extent that is given, if any is."""
    if extents is None:
        return None
    count, *more = int_tuple(extents, f"the extent of T.{name}") or (0,)
    if more or count < 1:
        raise KernelError(f"T.{name} takes one extent of at least 1, got {show(extents)}")
    return count


def _group_of(extents: Value, name: str) -> None:
    count = _one(extents, name)
    if count not in (None, WARPS_OF_GROUP):
        raise KernelError(f"a warpgroup has {WARPS_OF_GROUP} warps, got {count}")


def _warp_size(t: Tracer) -> SSAValue:
    return t.builder.insert(WarpSizeOp()).result


def _warp_id(t: Tracer, extents: Value = None) -> Index:
    count = _one(extents, "warp_id")
    if count is not None:
        _note(t, WARPS, count)
    return t.index.div(t.thread("x"), _warp_size(t))


def _lane_id(t: Tracer, extents: Value = None) -> Value:
    count = _one(extents, "lane_id")
    if count is not None:
        _note(t, LANES, count)
    return t.index.mod(t.thread("x"), _warp_size(t))


def _group(t: Tracer) -> Index:
    """The threads of a warpgroup."""
    return t.index.mul(_warp_size(t), WARPS_OF_GROUP)


def _warpgroup_id(t: Tracer, extents: Value = None) -> Value:
    count = _one(extents, "warpgroup_id")
    if count is not None:
        _note(t, WARPS, count * WARPS_OF_GROUP)
    return t.index.div(_warp_id(t), WARPS_OF_GROUP)


def _warp_id_in_wg(t: Tracer, extents: Value = None) -> Value:
    _group_of(extents, "warp_id_in_wg")
    return t.index.mod(_warp_id(t), WARPS_OF_GROUP)


def _thread_id_in_wg(t: Tracer, extents: Value = None) -> Value:
    count = _one(extents, "thread_id_in_wg")
    if count is not None:
        if count % WARPS_OF_GROUP:
            raise KernelError(f"a warpgroup has {WARPS_OF_GROUP} warps, got {count} threads")
        _note(t, LANES, count // WARPS_OF_GROUP)
    return t.index.mod(t.thread("x"), _group(t))


# ---- clusters: so many blocks along x


def _clusters(t: Tracer, extents: Value, name: str) -> int:
    """The blocks of a cluster, which the kernel says here or has said."""
    count = _one(extents, name)
    if count is not None:
        _note(t, CLUSTER, count)
    found = t.function.attributes.get(CLUSTER)
    if not isinstance(found, IntegerAttr):
        raise KernelError(f"T.{name} without an extent; T.cta_id_in_cluster([n]) says how many blocks a cluster has")
    return int(found.value.data)


def _cta_id_in_cluster(t: Tracer, extents: Value = None) -> Value:
    return t.index.mod(t.block("x"), _clusters(t, extents, "cta_id_in_cluster"))


def _cluster_id(t: Tracer, extents: Value = None) -> Value:
    size, count = _clusters(t, None, "cluster_id"), _one(extents, "cluster_id")
    if count is not None:
        t.launch(GRID, (count * size,))
    return t.index.div(t.block("x"), size)


def _cta_id_in_pair(t: Tracer) -> Value:
    return t.index.mod(t.block("x"), 2)


def thread_rank(t: Tracer) -> Index:
    """x + extent of x * (y + extent of y * z)."""
    block = t.function.attributes.get(BLOCK)
    if not isinstance(block, DenseArrayBase):
        raise KernelError("T.cuda.thread_rank needs the extents of the block: T.thread_id([..]) comes before")
    x, y, _ = block.get_values()
    planes = t.index.add(t.thread("y"), t.index.mul(t.thread("z"), int(y)))
    return t.index.add(t.thread("x"), t.index.mul(planes, int(x)))


LAUNCH = (
    Function("device_entry", _device_entry, "What follows runs on the device."),
    Function("cta_id", _cta_id, "The block's coordinate in the grid of these extents."),
    Function("thread_id", _thread_id, "The thread's coordinate in its block of these extents."),
    Function("warp_size", _warp_size, "The lanes of a warp of the target."),
    Function("warp_id", _warp_id, "The warp's number in its block of so many warps."),
    Function("lane_id", _lane_id, "The thread's number in its warp."),
    Function("warpgroup_id", _warpgroup_id, "The number of the four warps in their block of so many."),
    Function("warp_id_in_wg", _warp_id_in_wg, "The warp's number in its warpgroup."),
    Function("thread_id_in_wg", _thread_id_in_wg, "The thread's number in its warpgroup."),
    Function("cta_id_in_cluster", _cta_id_in_cluster, "The block's number in its cluster of so many, along x."),
    Function("cluster_id", _cluster_id, "The cluster's number; the grid has so many clusters."),
    Function("cuda.thread_rank", thread_rank, "The thread's number in its block, x fastest."),
    Function("cta_id_in_pair", _cta_id_in_pair, "The block's number in its pair of blocks."),
)
