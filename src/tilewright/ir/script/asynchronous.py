"""Asynchronous work as statements of a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from tilewright.ir.script.printer import Printer, Statement
from tilewright.ir.tile.address import address_of
from tilewright.ir.tile.asynchronous import ALL, AsyncCommitOp, AsyncWaitOp, CpAsyncOp, FenceOp
from tilewright.ir.tile.bulk import BulkCopyOp, TensorCopyOp
from tilewright.ir.tile.cluster import ClusterArriveOp, ClusterWaitOp, StAsyncOp
from tilewright.ir.tile.mbarriers import MbarrierOp, MbarrierTestOp, MbarrierWaitOp
from tilewright.ir.tile.remote import remote_of

_FENCES: Mapping[str, str] = {
    "proxy.async": "proxy.async_",
    "proxy.async.shared": "proxy.async_.shared__cta",
    "proxy.async.global": "proxy.async_.global_",
    "mbarrier_init": "mbarrier_init.release.cluster",
}
_MBARRIERS: Mapping[str, str] = {
    "cp_async.arrive": "cp.async_.mbarrier.arrive.shared.b64",
    "cp_async.arrive.noinc": "cp.async_.mbarrier.arrive.noinc.shared.b64",
}
_BULK: Mapping[str, str] = {
    "load": "shared::cluster.global.mbarrier::complete_tx::bytes",
    "store": "global.shared::cta.bulk_group",
    "share": "shared::cluster.shared::cta.mbarrier::complete_tx::bytes",
}


def _call(out: Printer, name: str, operands: Sequence[SSAValue | int | None]) -> None:
    texts = (str(x) if isinstance(x, int) else out.show.of(x) for x in operands if x is not None)
    out.emit(f"T.ptx{name}({', '.join(texts)})")


def _cp_async(out: Printer, op: CpAsyncOp) -> None:
    _call(out, ".cp.async_.ca.shared.global_", (op.dst, op.src, op.bytes.value.data, op.size))


def _commit(out: Printer, op: AsyncCommitOp) -> None:
    _call(out, f".cp.async_{'.bulk' if op.kind.data == 'bulk' else ''}.commit_group", ())


def _wait(out: Printer, op: AsyncWaitOp) -> None:
    kind, count = op.kind.data.removeprefix("cp"), op.pending.value.data
    head, _, read = kind.partition(".")
    if count == ALL:
        return _call(out, ".cp.async_.wait_all", ())
    return _call(out, f".cp.async_{'.' + head if head else ''}.wait_group{'.read' if read else ''}", (count,))


def _mbarrier(out: Printer, op: MbarrierOp) -> None:
    order = "" if op.order is None else f".{op.order.data}.cluster"
    space = ".shared" if remote_of(address_of(op.barrier).memory) is None else ".shared__cluster"
    name = _MBARRIERS.get(op.kind.data, f"mbarrier.{op.kind.data}{order}{space}.b64")
    _call(out, f".{name}", (op.barrier, op.number))


def _mbarrier_wait(out: Printer, op: MbarrierWaitOp) -> None:
    out.emit(f"T.cuda.mbarrier_wait({out.show.of(op.barrier)}, {out.show.of(op.parity)})")


def _fence(out: Printer, op: FenceOp) -> None:
    _call(out, f".fence.{_FENCES[op.kind.data]}", ())


def _bulk(out: Printer, op: BulkCopyOp) -> None:
    name = _copy("", op.kind.data, op.reduction, op.mask is not None)
    _call(out, name, (op.dst, op.src, op.bytes, op.barrier, op.mask))


def _tensor(out: Printer, op: TensorCopyOp) -> None:
    name = _copy(f".tensor.{len(op.coordinates)}d", op.kind.data, op.reduction, op.mask is not None)
    last = (op.tile,) if op.barrier is None else (op.barrier,)
    first = () if op.barrier is None else (op.tile,)
    _call(out, name, (*first, op.map, *op.coordinates, *last, op.mask))


def _copy(what: str, kind: str, reduction: StringAttr | None, multicast: bool) -> str:
    verb, change = ("cp", "") if reduction is None else ("cp.reduce", f".{reduction.data}")
    several = ".multicast::cluster" if multicast else ""
    return f'["{verb}.async.bulk{what}.{_BULK[kind]}{several}{change}"]'


def _store(out: Printer, op: StAsyncOp) -> None:
    verb, change = ("st", "") if op.reduction is None else ("red", f".{op.reduction.data}")
    vector = f".v{len(op.values)}" if len(op.values) > 1 else ""
    name = f'["{verb}.async.shared::cluster.mbarrier::complete_tx::bytes{change}{vector}"]'
    _call(out, name, (op.dst, *op.values, op.barrier))


def _cluster_arrive(out: Printer, op: ClusterArriveOp) -> None:
    _call(out, f".barrier.cluster.arrive.{op.order.data}{_aligned(op)}", ())


def _cluster_wait(out: Printer, op: ClusterWaitOp) -> None:
    _call(out, f".barrier.cluster.wait.acquire{_aligned(op)}", ())


def _aligned(op: ClusterArriveOp | ClusterWaitOp) -> str:
    return "" if op.aligned is None else ".aligned"


def _test(out: Printer, op: MbarrierTestOp) -> None:
    out.define(op.result)


ASYNCHRONOUS_STATEMENTS: Mapping[type[Operation], Statement] = {
    CpAsyncOp: _cp_async,
    AsyncCommitOp: _commit,
    AsyncWaitOp: _wait,
    MbarrierOp: _mbarrier,
    MbarrierWaitOp: _mbarrier_wait,
    MbarrierTestOp: _test,
    FenceOp: _fence,
    BulkCopyOp: _bulk,
    TensorCopyOp: _tensor,
    StAsyncOp: _store,
    ClusterArriveOp: _cluster_arrive,
    ClusterWaitOp: _cluster_wait,
}
