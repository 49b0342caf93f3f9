"""Every access of chosen lanes, in the order in which they make them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, cast

import numpy as np
from xdsl.dialects import memref
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Operation, SSAValue
from xdsl.traits import IsTerminator

from tilewright.errors import (
    AlignmentError,
    BarrierError,
    OutOfBoundsError,
    RaceError,
    SimulationError,
    UninitializedError,
)
from tilewright.ir.core.effects import is_allocation, is_pure
from tilewright.ir.core.location import source
from tilewright.ir.tile import ops as tile
from tilewright.ir.tile import printing, together
from tilewright.ir.tile.asynchronous import CpAsyncOp
from tilewright.ir.tile.bulk import BulkCopyOp, TensorCopyOp
from tilewright.ir.tile.cluster import StAsyncOp
from tilewright.ir.tile.mbarriers import MBARRIER_OPS
from tilewright.ir.tile.types import BufferType, space_of
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array, Mask, Number
from tilewright.targets.simulator.observers.acts import Act
from tilewright.targets.simulator.observers.selection import Selection
from tilewright.targets.simulator.observers.trace_report import Event, Fault, Trace, TracedOp
from tilewright.targets.simulator.observers.watch import After
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.ops.scalar import memref_type
from tilewright.targets.simulator.ops.tile import place_of
from tilewright.targets.simulator.program import Compiler, Frame, buffer_name, start_bytes
from tilewright.targets.simulator.sides import Side
from tilewright.targets.simulator.sites import Site

MOST_EVENTS = 1_000_000
SILENT = (AssertOp, printing.InspectOp)
FAULTS: Mapping[type[SimulationError], str] = {
    RaceError: "race",
    UninitializedError: "uninitialised",
    OutOfBoundsError: "out of bounds",
    BarrierError: "barrier",
    AlignmentError: "alignment",
}
ACTING = (*MBARRIER_OPS, BulkCopyOp, TensorCopyOp, StAsyncOp, CpAsyncOp)  # these tell what they do themselves


class Access(NamedTuple):
    """What an op touches: its kind, the memory and where in it, and the value that it moves."""

    kind: str
    memory: SSAValue | None = None
    indices: tuple[SSAValue, ...] = ()
    value: SSAValue | None = None


@dataclass
class TraceRecorder:
    """Writes down what the chosen lanes do; at most a million events, then `truncated`."""

    selection: Selection
    launch: Launch
    lanes: int
    events: list[Event] = field(default_factory=list)
    step: int = 0
    truncated: bool = False
    written: int = 0  # elements that copies have, among the events
    _acting: dict[tuple[Site, str], TracedOp] = field(default_factory=dict)

    def of(self, compiler: Compiler, op: Operation) -> After | None:
        """Writes an event for each chosen lane that is active; pure ops and allocations are left out."""
        access = accessed(op)
        if access is None or isinstance(op, ACTING):
            return None
        described = _described(op, access)
        slots = [compiler.slot(index) for index in access.indices]
        value = None if access.value is None else compiler.slot(access.value)
        place = None if access.memory is None else place_of(compiler, op, access.memory, access.indices)
        tiled = access.memory is not None and isinstance(access.memory.type, BufferType)
        told: dict[Site, TracedOp] = {}

        def after(frame: Frame) -> None:
            self.step += 1
            lanes = cast(Lockstep, frame.domain)
            rows = self.selection.rows(lanes.blocks)
            columns = self.selection.columns(lanes.threads, lanes.warp_size)
            chosen = _Chosen(frame.mask, lanes, rows, columns)
            heard = list(lanes.machine.hearing.of(op)) if place is None and lanes.machine.hearing else []
            for entry in heard:
                some = _Chosen(entry.mask, lanes, rows, columns)
                what = told.get(entry.site) or told.setdefault(entry.site, _accessing(op, entry.site))
                for block, thread, at in zip(*some.who, some.numbers(entry.elements), strict=True):
                    self.add(Event(self.step, what, block, thread, (), at))
            if heard or not len(chosen.at[0]):
                return
            elements = chosen.numbers(cast(Number, place(frame))) if place else _nothing(chosen)
            values = chosen.numbers(frame.number(value)) if value is not None else _nothing(chosen)
            places = [chosen.numbers(frame.number(slot)) for slot in slots] if tiled else []
            where = list(zip(*places, strict=True)) if places else [()] * len(chosen.at[0])
            for block, thread, element, number, c in zip(*chosen.who, elements, values, where, strict=True):
                self.add(Event(self.step, described, block, thread, c, element, number))

        return after

    def told(self, acts: Sequence[Act]) -> None:
        """Writes an event for each chosen lane of what they do together."""
        self.step += 1
        for act in acts:
            key = act.site, act.kind
            op = self._acting.get(key) or self._acting.setdefault(key, _accessing(act.site.op, act.site, act.kind))
            for entry in np.flatnonzero(self._chosen(act)).tolist():
                self.add(_event_of(self.step, op, act, entry))

    def _chosen(self, act: Act) -> Array:
        rows, columns = np.zeros(len(act.blocks), bool), np.zeros(len(act.blocks), bool)
        rows[self.selection.rows(act.blocks)] = True
        columns[self.selection.columns(act.threads, self.lanes)] = True
        return rows & columns

    def trace(self, kernel: str, lanes: int, interrupted: bool = False, error: SimulationError | None = None) -> Trace:
        """What was written down; the accesses that an error is about are a last step, whoever made them."""
        fault = None if error is None else self._fault(error)
        events = tuple(self.events)
        return Trace(kernel, self.launch, lanes, self.selection, events, self.truncated, interrupted, fault)

    def _fault(self, error: SimulationError) -> Fault:
        kind = next((name for known, name in FAULTS.items() if isinstance(error, known)), "undefined")
        sides = [side for side in error.sides if isinstance(side, Side)]
        self.step += bool(sides)
        for side in sides:
            op = _accessing(side.site.op, side.site, f"{kind}: {side.does}")
            if side.block is not None and side.thread is not None:
                element = side.element if side.element >= 0 else None
                self.add(Event(self.step, op, side.block, side.thread, (), element))
        return Fault(kind, str(error), self.step)

    def add(self, event: Event) -> None:
        """One more event, if there is room."""
        if len(self.events) + self.written < MOST_EVENTS:
            self.events.append(event)
            self.written += len(event.moved)
        else:
            self.truncated = True


class _Chosen:
    """The chosen lanes that are active: where they are in (blocks, threads), and who they are."""

    def __init__(self, mask: Mask, lanes: Lockstep, rows: Array, columns: Array) -> None:
        self.shape = lanes.shape
        grid = np.ix_(rows, columns)
        active = np.ones((len(rows), len(columns)), bool)
        if mask is not None:
            active = np.broadcast_to(mask, self.shape)[grid]
        row, column = np.nonzero(active)
        self.at = rows[row], columns[column]
        self.who: tuple[list[int], list[int]] = (
            lanes.blocks[self.at[0]].tolist(),
            lanes.threads[self.at[1]].tolist(),
        )

    def numbers(self, values: Number) -> list[Any]:
        """The indices or elements that they hold, as Python's numbers."""
        found: list[Any] = np.broadcast_to(np.asarray(values), self.shape)[self.at].tolist()
        return found


def _nothing(chosen: _Chosen) -> list[None]:
    """No value for each."""
    return [None] * len(chosen.at[0])


# ---- what an op touches


def _load(op: memref.LoadOp) -> Access:
    return Access("load", op.memref, tuple(op.indices), op.res)


def _store(op: memref.StoreOp) -> Access:
    return Access("store", op.memref, tuple(op.indices), op.value)


def _tile_load(op: tile.LoadOp) -> Access:
    return Access("load", op.buffer, tuple(op.indices), op.result)


def _tile_store(op: tile.StoreOp) -> Access:
    return Access("store", op.buffer, tuple(op.indices), op.value)


def _atomic(op: tile.AtomicOp) -> Access:
    return Access(f"atomic {op.kind.data}", op.memory, tuple(op.indices), op.value)


ACCESSES: Mapping[type[Operation], Callable[..., Access]] = {
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    tile.LoadOp: _tile_load,
    tile.StoreOp: _tile_store,
    tile.AtomicOp: _atomic,
    together.SyncOp: lambda op: Access("barrier"),
    together.BarOp: lambda op: Access(f"barrier {op.kind.data}"),
    together.ShuffleOp: lambda op: Access("shuffle", value=op.result),
    together.VoteOp: lambda op: Access("vote", value=op.result),
    together.BlockVoteOp: lambda op: Access("vote", value=op.result),
    printing.PrintOp: lambda op: Access("print"),
}


def accessed(op: Operation) -> Access | None:
    """What the op touches; None for one that computes, allocates, or steers. Others have their own name as kind."""
    if type(op) in ACCESSES:
        return ACCESSES[type(op)](op)
    silent = op.regions or is_pure(op) or is_allocation(op) or op.has_trait(IsTerminator)
    return None if silent or isinstance(op, SILENT) else Access(op.name.rpartition(".")[2])


def _described(op: Operation, access: Access) -> TracedOp:
    at, memory = source(op.location), access.memory
    place = (at.filename.data, at.line.data, at.column.data) if at else ("", 0, 0)
    text = str(op)
    if memory is None:
        return TracedOp(access.kind, text, *place)
    if isinstance(memory.type, BufferType):
        space, element = memory.type.scope, memory.type.element
    else:
        space, element = space_of(memory), memref_type(memory).element_type
    width = numpy_type(element).itemsize
    return TracedOp(access.kind, text, *place, buffer_name(memory), space, width, start_bytes(memory))


def _event_of(step: int, op: TracedOp, act: Act, entry: int) -> Event:
    """What one lane does there."""
    value = None if act.value is None else act.value[entry].item()
    size = None if act.bytes is None else int(act.bytes[entry])
    moved: tuple[tuple[int, Any], ...] = ()
    if act.moved is not None:
        elements, values, inside = (None if part is None else part[entry] for part in act.moved)
        assert elements is not None, "what is moved lies somewhere"
        assert values is not None, "and is something"
        some = np.ones(len(elements), bool) if inside is None else inside
        moved = tuple(zip(elements[some].tolist(), values[some].tolist(), strict=True))
    where = int(act.elements[entry])
    return Event(step, op, int(act.blocks[entry]), int(act.threads[entry]), (), where, value, size, moved)


def _accessing(op: Operation, site: Site, kind: str = "") -> TracedOp:
    """The op with the memory that it was heard to access."""
    at = source(op.location)
    place = (at.filename.data, at.line.data, at.column.data) if at else ("", 0, 0)
    width = site.step_bytes or site.width_bytes
    return TracedOp(kind or site.kind, str(op), *place, site.buffer, site.space, width, site.base_bytes)
