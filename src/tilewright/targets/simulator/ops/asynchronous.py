"""Handlers of asynchronous work: what sets out is checked where it begins, and done by the engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.errors import SimulationError, UsageError
from tilewright.ir.tile.address import AddressOp
from tilewright.ir.tile.asynchronous import AsyncCommitOp, AsyncWaitOp, CpAsyncOp, FenceOp
from tilewright.ir.tile.bulk import BULK_BYTES, BulkCopyOp, TensorCopyOp
from tilewright.ir.tile.types import GLOBAL, SHARED
from tilewright.targets.launch import parameter_name, where
from tilewright.targets.simulator.agents.engine import Side, Transfer
from tilewright.targets.simulator.memory.mapped import Mapped
from tilewright.targets.simulator.ops.addressed import Active, Operand, address
from tilewright.targets.simulator.ops.atomic import FUNCTIONS
from tilewright.targets.simulator.ops.mbarrier import MBARRIER_HANDLERS, Word
from tilewright.targets.simulator.order.clocks import (
    GENERIC,
    GLOBAL_PROXY,
    MBARRIERS,
    SHARED_PROXY,
    Flags,
    Numbers,
    Present,
)
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step
from tilewright.targets.simulator.sites import Site

_PROXIES = {SHARED: SHARED_PROXY, GLOBAL: GLOBAL_PROXY}
_FENCED: Mapping[str, tuple[int, ...]] = {
    "proxy.async": (SHARED_PROXY, GLOBAL_PROXY, MBARRIERS),
    "proxy.async.shared": (SHARED_PROXY, MBARRIERS),
    "proxy.async.global": (GLOBAL_PROXY,),
    "mbarrier_init": (MBARRIERS,),
}


def _begin(active: Active, transfer: Transfer, generic: bool) -> None:
    """Checks what a copy is to read and write, as the lanes or as an engine does it, and sends it off."""
    lanes, everyone = active.lanes, np.ones(len(active.rows), bool)
    for side in (transfer.source, transfer.target):
        plane = GENERIC if generic else _PROXIES[side.site.space]
        present = Present(lanes.machine.clocks, side.actors(everyone, active.actor), plane)
        side.memory.begin(side.chosen(everyone), lanes, present, side.site)
    lanes.machine.engine.begin(transfer)


def _transfer(kind: str, active: Active, source: Side, target: Side, count: Numbers) -> Transfer:
    group = active.lanes.machine.engine.committed(kind)[active.rows, active.threads]
    return Transfer(kind, active.rows, active.threads, active.actor, source, target, group, count)


def _cp_async(compiler: Compiler, op: CpAsyncOp) -> Step:
    target, source = Operand.of(compiler, op, op.dst, "store"), Operand.of(compiler, op, op.src, "load")
    count = op.bytes.value.data
    elements = 8 * count // target.bits
    size = None if op.size is None else compiler.slot(op.size)

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        to, of = active.number(frame, target.slot), active.number(frame, source.slot)
        inside = _read(frame, active, size, count, target.bits, elements, op)
        at = target.span(frame, active, to, elements)
        target.align(active, to, count)
        if inside is None:
            read = source.span(frame, active, of, elements)
            source.align(active, of, count)
        else:
            some = inside.any(axis=1)
            read = source.span(frame, active, np.where(some, of, 0), 1) + np.where(inside, np.arange(elements), 0)
            source.span(frame, active, np.where(some, of + inside.sum(axis=1) - 1, 0), 1)
            source.align(active, np.where(some, of, 0), count)
        sides = Side(source.held(frame), read, source.site, inside), Side(target.held(frame), at, target.site)
        _begin(active, _transfer("cp", active, *sides, np.full(len(to), count)), generic=True)

    return step


def _read(
    frame: Frame, active: Active, size: int | None, count: int, bits: int, elements: int, op: Operation
) -> Flags | None:
    """Which elements are read, where not all are."""
    if size is None:
        return None
    bytes_ = active.number(frame, size)
    wrong = (bytes_ < 0) | (bytes_ > count) | (8 * bytes_ % bits != 0)
    if wrong.any():
        bad = int(np.argmax(wrong))
        raise SimulationError(f"{active.name(bad)} reads {bytes_[bad]} bytes for a copy of {count}\n{where(op)}")
    return np.asarray(np.arange(elements) < (8 * bytes_ // bits)[:, None])


def _commit(compiler: Compiler, op: AsyncCommitOp) -> Step:
    kind = op.kind.data

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        active.lanes.machine.engine.committed(kind)[active.rows, active.threads] += 1

    return step


def _wait(compiler: Compiler, op: AsyncWaitOp) -> Step:
    kind, pending = op.kind.data, op.pending.value.data

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        active.lanes.machine.engine.wait(kind, pending, active.flags())

    return step


def _fence(compiler: Compiler, op: FenceOp) -> Step:
    planes = _FENCED[op.kind.data]

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        rows, lanes, _ = active.among(np.ones(len(active.rows), bool))
        active.lanes.machine.clocks.fence(rows, lanes, planes)

    return step


# ---- bulk copies


@dataclass(frozen=True, eq=False)
class Completion:
    """How a bulk copy is waited for: by an mbarrier, or by its lane's groups."""

    word: Word | None

    @staticmethod
    def of(compiler: Compiler, op: Operation, barrier: SSAValue | None) -> Completion:
        """That of an op."""
        return Completion(None if barrier is None else Word.of(compiler, op, barrier))

    def begin(self, frame: Frame, active: Active, source: Side, target: Side, count: Numbers, op: Operation) -> None:
        """Checks the copy and sends it off."""
        transfer = _transfer("load" if self.word else "bulk", active, source, target, count)
        transfer.function = FUNCTIONS[_reduction(op)] if transfer.changes else None
        if self.word is not None:
            transfer.barrier = self.word.used(frame, active, MBARRIERS)
        _begin(active, transfer, generic=False)


def _reduction(op: Operation) -> str:
    assert isinstance(op, BulkCopyOp | TensorCopyOp), "these are the bulk copies"
    return op.reduction.data if op.reduction is not None else ""


def _kinds(op: BulkCopyOp | TensorCopyOp) -> tuple[str, str]:
    """What is done to the source, and to the target."""
    return "load", "store" if op.reduction is None else "atomic"


def _bulk(compiler: Compiler, op: BulkCopyOp) -> Step:
    reads, writes = _kinds(op)
    source, target = Operand.of(compiler, op, op.src, reads), Operand.of(compiler, op, op.dst, writes)
    size, completion = compiler.slot(op.bytes), Completion.of(compiler, op, op.barrier)

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        counts = np.unique(active.number(frame, size))
        if len(counts) > 1:
            raise SimulationError(f"threads copy {counts[0]} and {counts[1]} bytes in one step\n{where(op)}")
        count = int(counts[0])
        if count < 0 or count % BULK_BYTES:
            raise SimulationError(f"a bulk copy of {count} bytes; it moves multiples of {BULK_BYTES}\n{where(op)}")
        sides = []
        for operand in (source, target):
            first = active.number(frame, operand.slot)
            at = operand.span(frame, active, first, 8 * count // operand.bits)
            operand.align(active, first, BULK_BYTES)
            sides.append(Side(operand.held(frame), at, operand.site))
        completion.begin(frame, active, sides[0], sides[1], np.full(len(active.rows), count), op)

    return step


def _tensor(compiler: Compiler, op: TensorCopyOp) -> Step:
    loads = op.kind.data == "load"
    reads, writes = _kinds(op)
    tile = Operand.of(compiler, op, op.tile, writes if loads else reads)
    map_, coordinates = compiler.slot(op.map), [compiler.slot(value) for value in op.coordinates]
    site = _map_site(compiler, op, reads if loads else writes)
    completion = Completion.of(compiler, op, op.barrier)

    def step(frame: Frame) -> None:
        active, mapped = Active.of(frame), frame.values[map_]
        assert isinstance(mapped, Mapped), "a tensor map is bound to its parameter"
        described = mapped.map
        _fits(described.array.ndim, len(coordinates), described.element.bits, tile.bits, op)
        first = active.number(frame, tile.slot)
        places = described.places()
        tile.span(frame, active, first, len(places))
        tile.align(active, first, described.alignment)
        at = tile.start(frame, active)[:, None] + first[:, None] + places
        there, inside = described.positions([active.number(frame, slot) for slot in coordinates])
        outer = Side(mapped.memory, there, site, None if inside.all() else inside)
        inner = Side(tile.held(frame), at, tile.site)
        count = np.full(len(first), described.bytes)
        completion.begin(frame, active, *((outer, inner) if loads else (inner, outer)), count, op)

    return step


def _map_site(compiler: Compiler, op: TensorCopyOp, kind: str) -> Site:
    site = Site(op, kind, op.map, parameter_name(op.map), GLOBAL, 0, counted=False)
    compiler.sites.append(site)
    return site


def _fits(rank: int, given: int, bits: int, tile_bits: int, op: Operation) -> None:
    if rank != given:
        raise UsageError(f"a tensor of {rank} dimensions for a copy with {given} coordinates\n{where(op)}")
    if bits != tile_bits:
        raise UsageError(f"a tensor of {bits}-bit elements for a tile of {tile_bits}-bit ones\n{where(op)}")


ASYNC_HANDLERS: Mapping[type[Operation], Handler] = {
    AddressOp: address,
    CpAsyncOp: _cp_async,
    AsyncCommitOp: _commit,
    AsyncWaitOp: _wait,
    FenceOp: _fence,
    BulkCopyOp: _bulk,
    TensorCopyOp: _tensor,
    **MBARRIER_HANDLERS,
}
