"""Handlers of bulk and tensor copies, and of stores that count their bytes on an mbarrier."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import OutOfBoundsError, SimulationError, UsageError
from tilewright.ir.tile.address import AddressType
from tilewright.ir.tile.bulk import BULK_BYTES, BulkCopyOp, TensorCopyOp
from tilewright.ir.tile.cluster import StAsyncOp
from tilewright.ir.tile.types import GLOBAL
from tilewright.targets.launch import parameter_name, where
from tilewright.targets.simulator.agents.transfers import Side
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.mapped import Mapped
from tilewright.targets.simulator.observers.engines import in_global, in_shared
from tilewright.targets.simulator.ops.addressed import Active, Operand
from tilewright.targets.simulator.ops.atomic import FUNCTIONS
from tilewright.targets.simulator.ops.mbarrier import Word
from tilewright.targets.simulator.ops.setting_out import begin, transfer_of
from tilewright.targets.simulator.order.clocks import GENERIC, MBARRIERS, SHARED_PROXY, Flags, Numbers
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step
from tilewright.targets.simulator.sites import Site

ENGINE = "bulk"  # no instruction of a warp: banks have no rule of it


@dataclass(frozen=True, eq=False)
class Landing:
    """Where a copy comes down: the operand, and which blocks of the cluster a mask names; None: that of the operand."""

    operand: Operand
    word: Word
    mask: int | None
    op: Operation

    @staticmethod
    def of(compiler: Compiler, op: BulkCopyOp | TensorCopyOp | StAsyncOp, target: Operand) -> Landing | None:
        """That of a copy whose bytes count on an mbarrier."""
        if op.barrier is None:
            return None
        mask = None if isinstance(op, StAsyncOp) or op.mask is None else compiler.slot(op.mask)
        return Landing(target, Word.of(compiler, op, op.barrier), mask, op)

    def blocks(self, frame: Frame, active: Active, rows: Numbers) -> Iterator[tuple[Flags, Numbers]]:
        """For each copy of the data which entries make it, and the rows where it comes down."""
        if self.mask is None:
            yield np.ones(len(rows), bool), rows
            return
        size, mask = active.lanes.launch.cluster, active.number(frame, self.mask)
        wrong = (mask < 1) | (mask >= 1 << size)
        if wrong.any():
            bad = int(np.argmax(wrong))
            text = f"{active.name(bad)} copies to the blocks {mask[bad]:#b} of a cluster that has {size}"
            raise OutOfBoundsError(f"{text}\n{where(self.op)}")
        for rank in range(size):
            chosen = (mask >> rank & 1).astype(bool)
            if chosen.any():
                yield chosen, rows[chosen] // size * size + rank

    def begin(self, frame: Frame, active: Active, source: Side, target: Side, count: Numbers, plane: int) -> None:
        """Checks the copy, as an engine or (in the generic plane) the lanes make it, and sends it off."""
        barriers, words, at = self.word.places(frame, active)
        rows, there = self.operand.rows(frame, active), self.word.operand.rows(frame, active)
        if (rows != there).any():
            bad, size = int(np.argmax(rows != there)), active.lanes.launch.cluster
            text = f"to block {rows[bad] % size} of the cluster, with an mbarrier of block {there[bad] % size}"
            raise SimulationError(f"{active.name(bad)} copies {text}\n{where(self.op)}")
        if plane:
            _count(active, source)  # once for all blocks
        for chosen, landing in self.blocks(frame, active, rows):
            those, away = active[chosen], landing - rows[chosen]
            self.word.check(frame, those, at[chosen] + away * barriers.words, MBARRIERS if plane else GENERIC)
            sides = source[chosen], target[chosen].moved(away * target.memory.pitch)
            transfer = transfer_of("load", those, *sides, count[chosen])
            transfer.function = _function(self.op)
            transfer.barrier = barriers, landing, words[chosen]
            transfer.generic = plane == GENERIC
            _count(active, sides[1])
            begin(those, transfer, generic=transfer.generic)


def _leave(active: Active, source: Side, target: Side, count: Numbers, op: Operation) -> None:
    """Sends off a copy that is waited for by its lane's groups."""
    transfer = transfer_of("bulk", active, source, target, count)
    transfer.function = _function(op)
    for side in (source, target):
        _count(active, side)
    begin(active, transfer, generic=False)


def _count(active: Active, side: Side) -> None:
    """Adds what one side of the copies costs to the tally."""
    machine, size = active.lanes.machine, side.memory.data.dtype.itemsize
    tally = machine.tally
    if machine.hearing is not None:
        machine.hearing.touched.mark(side.site, side.at, side.inside)
    costs = in_shared(side.at, size) if side.memory.apart else in_global(tally.spec, side.at, size, side.inside)
    tally.add(side.site, costs)


def _function(op: Operation) -> np.ufunc | None:
    assert isinstance(op, BulkCopyOp | TensorCopyOp | StAsyncOp), "these are the bulk copies"
    return FUNCTIONS[op.reduction.data] if op.reduction is not None else None


def _kinds(op: BulkCopyOp | TensorCopyOp | StAsyncOp) -> tuple[str, str]:
    """What is done to the source, and to the target."""
    return "load", "store" if op.reduction is None else "atomic"


def _bulk(compiler: Compiler, op: BulkCopyOp) -> Step:
    reads, writes = _kinds(op)
    source = Operand.of(compiler, op, op.src, reads, BULK_BYTES, ENGINE)
    target = Operand.of(compiler, op, op.dst, writes, BULK_BYTES, ENGINE)
    size, landing = compiler.slot(op.bytes), Landing.of(compiler, op, target)

    def step(frame: Frame) -> None:
        everyone = Active.of(frame)
        counts = everyone.number(frame, size)
        _check_sizes(everyone, counts, op)
        for count in distinct_values(counts).tolist():
            copied(frame, everyone[counts == count], count)

    def copied(frame: Frame, active: Active, count: int) -> None:
        sides = []
        for operand in (source, target):
            first = active.number(frame, operand.slot)
            at = operand.span(frame, active, first, 8 * count // operand.bits)
            operand.align(active, first, BULK_BYTES)
            sides.append(Side(operand.held(frame), at, operand.site))
        moved = np.full(len(active.rows), count)
        if landing is None:
            _leave(active, sides[0], sides[1], moved, op)
        else:
            landing.begin(frame, active, sides[0], sides[1], moved, SHARED_PROXY)

    return step


def _check_sizes(active: Active, counts: Numbers, op: Operation) -> None:
    wrong = (counts < 0) | (counts % BULK_BYTES != 0)
    if wrong.any():
        bad = int(np.argmax(wrong))
        text = f"{active.name(bad)} begins a bulk copy of {counts[bad]} bytes; it moves multiples of {BULK_BYTES}"
        raise SimulationError(f"{text}\n{where(op)}")


def _tensor(compiler: Compiler, op: TensorCopyOp) -> Step:
    loads = op.kind.data == "load"
    reads, writes = _kinds(op)
    tile = Operand.of(compiler, op, op.tile, writes if loads else reads, BULK_BYTES, ENGINE)
    map_, coordinates = compiler.slot(op.map), [compiler.slot(value) for value in op.coordinates]
    site = _map_site(compiler, op, reads if loads else writes)
    landing = Landing.of(compiler, op, tile)

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
        if landing is None:
            _leave(active, inner, outer, count, op)
        else:
            landing.begin(frame, active, outer, inner, count, SHARED_PROXY)

    return step


def _map_site(compiler: Compiler, op: TensorCopyOp, kind: str) -> Site:
    site = Site(op, kind, op.map, parameter_name(op.map), GLOBAL, BULK_BYTES, instruction=ENGINE)
    compiler.sites.append(site)
    return site


def _fits(rank: int, given: int, bits: int, tile_bits: int, op: Operation) -> None:
    if rank != given:
        raise UsageError(f"a tensor of {rank} dimensions for a copy with {given} coordinates\n{where(op)}")
    if bits != tile_bits:
        raise UsageError(f"a tensor of {bits}-bit elements for a tile of {tile_bits}-bit ones\n{where(op)}")


def _store(compiler: Compiler, op: StAsyncOp) -> Step:
    count = len(op.values) * cast(AddressType, op.dst.type).dtype.bytes
    target = Operand.of(compiler, op, op.dst, _kinds(op)[1], count, ENGINE)
    values, landing = [compiler.slot(value) for value in op.values], Landing.of(compiler, op, target)
    assert landing is not None, "it has an mbarrier"
    size = len(values) * target.bits // 8

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        first = active.number(frame, target.slot)
        at = target.span(frame, active, first, len(values))
        target.align(active, first, size)
        held = np.stack([active.number(frame, slot) for slot in values], axis=1)
        registers = Memory(held.reshape(-1).astype(target.held(frame).data.dtype), held.size)
        source = Side(registers, np.arange(held.size).reshape(held.shape), target.site)
        sides = source, Side(target.held(frame), at, target.site)
        landing.begin(frame, active, *sides, np.full(len(first), size), GENERIC)

    return step


BULK_HANDLERS: Mapping[type[Operation], Handler] = {BulkCopyOp: _bulk, TensorCopyOp: _tensor, StAsyncOp: _store}
