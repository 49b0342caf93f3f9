"""Barriers of warps and blocks."""

from __future__ import annotations

from collections.abc import Callable

from tilewright.errors import KernelError
from tilewright.ir.core.dependence import WARP
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.lanes import WARPS_OF_GROUP
from tilewright.ir.tile import together
from tilewright.ir.tile.cluster import ClusterArriveOp, ClusterWaitOp
from tilewright.lang.expressions import is_element
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, is_index, show
from tilewright.lang.words import Row, Words


def _sync(scope: str) -> Builder:
    def handler(t: Tracer) -> None:
        t.insert(together.SyncOp(scope))

    return handler


def _storage_sync(t: Tracer, scope: Value) -> None:
    named = {"shared": "cta", "shared.dyn": "cta", "warp": "warp"}.get(scope if isinstance(scope, str) else "")
    if named is None:
        raise KernelError(f'T.tvm_storage_sync is for "shared" memory or of a "warp", got {show(scope)}')
    _sync(named)(t)


def _bar(kind: str) -> Builder:
    def handler(t: Tracer, barrier: Value, threads: Value) -> None:
        if is_element(barrier) and element_dtype(barrier.type).is_integer:
            barrier = t.elements.as_index(barrier)
        if not is_index(barrier) and type(barrier) is not int:
            raise KernelError(f"T.ptx.bar.{kind} takes the number of a barrier, got {show(barrier)}")
        if type(barrier) is int and not 0 <= barrier < together.BARRIERS:
            raise KernelError(f"a block has the barriers 0 to {together.BARRIERS - 1}, got {barrier}")
        if type(threads) is not int or threads < 1:
            raise KernelError(f"T.ptx.bar.{kind} takes a constant number of threads, got {show(threads)}")
        t.insert(together.BarOp(kind, t.index.value(barrier), threads))

    return handler


def _warpgroup_sync(t: Tracer, barrier: Value) -> None:
    _bar("sync")(t, barrier, WARPS_OF_GROUP * WARP)


def _cluster_arrive(words: Words) -> Builder:
    if {"release", "relaxed"} <= words:
        raise KernelError("an arrival is release or relaxed, not both")

    def build(t: Tracer) -> None:
        t.insert(ClusterArriveOp("relaxed" if "relaxed" in words else "release", "aligned" in words))

    return build


def _cluster_wait(words: Words) -> Builder:
    def build(t: Tracer) -> None:
        t.insert(ClusterWaitOp("aligned" in words))

    return build


def _set_registers(kind: str) -> Callable[[Words], Builder]:
    def build(t: Tracer, count: Value) -> None:
        if type(count) is not int or count % 8 or not 24 <= count <= 256:
            raise KernelError(f"setmaxnreg takes a multiple of 8 from 24 to 256 registers, got {show(count)}")
        t.insert(together.RegistersOp(kind, count))

    return lambda words: build


BARRIERS = (
    Function("tvm_storage_sync", _storage_sync, "The threads of the block meet, or those of the warp."),
    Function("cuda.warp_sync", _sync("warp"), "The lanes of the warp meet, and see each other's writes."),
    Function("cuda.cta_sync", _sync("cta"), "The threads of the block meet, and see each other's writes."),
    Function("cuda.cluster_sync", _sync("cluster"), "The blocks of the cluster meet, and see each other's writes."),
    Function("ptx.bar.sync", _bar("sync"), "Waits until so many threads have come to the numbered barrier."),
    Function("cuda.warpgroup_sync", _warpgroup_sync, "The four warps of a warpgroup meet at the numbered barrier."),
    Function("ptx.bar.arrive", _bar("arrive"), "Comes to the numbered barrier, and goes on."),
)
CLUSTER_ROWS = (
    Row.of("barrier cluster arrive", "release relaxed aligned", _cluster_arrive, "Comes to its cluster's barrier."),
    Row.of("barrier cluster wait", "acquire aligned", _cluster_wait, "Waits there for all threads of the cluster."),
)
REGISTER_ROWS = tuple(
    Row.of(f"setmaxnreg {kind}", "sync aligned u32", _set_registers(kind), "How many registers a lane may have.")
    for kind in together.REGISTERS
)
