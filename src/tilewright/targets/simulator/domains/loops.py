"""Loops of a recording: the events of one iteration stand for all, or for all that lie alike.

A loop is recorded in pieces, of which each is repeated so many times: an iteration is one turn of the loop, or several,
where ring buffers make turns differ by their number modulo a period. What an iteration gives to the next is found by
recording it: it stays the same, grows by a constant, or is data. Few turns are recorded one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from typing import TypeAlias

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.core.attributes import UNROLL
from tilewright.targets.simulator.domains.affine import (
    Affine,
    Counter,
    DemandError,
    added,
    affine,
    bounds,
    difference,
    scaled,
)
from tilewright.targets.simulator.domains.events import Carried, Event, Repeat, Traced
from tilewright.targets.simulator.domains.record import Recorder
from tilewright.targets.simulator.memory.access import NotUniformError, Operand, Symbolic, Value, same
from tilewright.targets.simulator.memory.runs import Column
from tilewright.targets.simulator.program import Frame, Loop

MAX_PERIOD = 64
MAX_CUTS = 8
FEW = 256  # ops of all turns, which are recorded one by one

DATA = "data"
Key: TypeAlias = tuple[Operation | None, int]


@dataclass(eq=False)
class Plan:
    """How a loop is recorded: the turns of an iteration, where it is cut, and what its iterations carry along.

    By key of a cell: the constant by which it grows, or DATA; none where it stays the same.
    """

    period: int
    cuts: set[int] = field(default_factory=set)
    roles: dict[Key, int | str] = field(default_factory=dict)

    @staticmethod
    def of(loop: Loop, turns: int) -> Plan:
        """What to try first."""
        few = turns * loop.work <= FEW or (UNROLL in loop.op.attributes and turns <= MAX_PERIOD)
        return Plan(max(1, turns) if few else 1)

    def refine(self, demand: DemandError) -> None:
        """Follows the demand, or raises `NotUniformError`."""
        self.roles.clear()  # what an iteration gives to the next depends on how many turns it is
        self.period *= demand.times
        if demand.cut is not None:
            if demand.cut in self.cuts:
                raise NotUniformError
            self.cuts.add(demand.cut)
        if self.period > MAX_PERIOD or len(self.cuts) > MAX_CUTS:
            raise NotUniformError


@dataclass(frozen=True, eq=False)
class Cell:
    """Where a value lies that iterations may carry along: a slot of the frame, or a register."""

    key: Key
    values: list[Value] | list[Operand | Column | None]
    at: int

    def get(self) -> Operand | None:
        """What it holds."""
        found = self.values[self.at]
        assert found is None or isinstance(found, int | np.ndarray | np.generic | Symbolic), "a cell holds a number"
        return found

    def put(self, value: Operand | None) -> None:
        """It shall hold this."""
        self.values[self.at] = value


@dataclass(eq=False)
class LoopRecorder(Recorder):
    """The domain that records."""

    plans: dict[Operation, Plan] = field(default_factory=dict)

    def repeat(self, loop: Loop, frame: Frame, trips: range) -> None:
        """Records all turns of a loop."""
        plan = self.plans.get(loop.op) or self.plans.setdefault(loop.op, self.plan(loop, len(trips)))
        before = _State(self, frame, loop)
        while True:
            try:
                self._pieces(loop, frame, trips, plan)
            except DemandError as demand:
                if demand.counter.loop is not loop.op:
                    raise
                plan.refine(demand)
                before.restore()
            else:
                return

    def plan(self, loop: Loop, turns: int) -> Plan:
        """How a loop is recorded at first."""
        return Plan.of(loop, turns)

    def _pieces(self, loop: Loop, frame: Frame, trips: range, plan: Plan) -> None:
        marks = (0, *sorted(cut for cut in plan.cuts if cut < len(trips)), len(trips))
        for first, last in pairwise(marks):
            times = (last - first) // plan.period
            done = first
            if times > 1:
                self._piece(loop, frame, trips, Counter(loop.op, times, plan.period, first), plan)
                done += times * plan.period
            for turn in range(done, last):
                loop.turn(frame, trips[turn])

    def _piece(self, loop: Loop, frame: Frame, trips: range, counter: Counter, plan: Plan) -> None:
        """Records an iteration, again until it is known what it carries along."""
        before = _State(self, frame, loop)
        while True:
            entered = [_enter(cell, plan.roles.get(cell.key), counter, self) for cell in before.cells]
            body = self._iteration(loop, frame, trips, counter)
            learnt = {}
            for cell, (first, given) in zip(before.cells, entered, strict=True):
                role = plan.roles.get(cell.key)
                if first is not None and role != DATA and _grown(given, cell.get()) != (role or 0):
                    learnt[cell.key] = DATA if role is not None else _role(first, cell.get())
            if not learnt:
                break
            plan.roles.update(learnt)
            before.restore()
        carried = [
            _leave(cell, plan.roles.get(cell.key), counter, pair)
            for cell, pair in zip(before.cells, entered, strict=True)
        ]
        self.record(Repeat(counter, tuple(body), tuple(found for found in carried if found is not None)))

    def _iteration(self, loop: Loop, frame: Frame, trips: range, counter: Counter) -> list[Event]:
        outer, turns = self.events, []
        self.times *= counter.trips
        for turn in range(counter.first, counter.first + counter.period):
            self.events = []
            loop.turn(frame, affine(None, trips[turn], {counter: counter.period * trips.step}))
            turns.append(self.events)
        self.times //= counter.trips
        self.events = outer
        return self.joined(loop, turns)

    def joined(self, loop: Loop, turns: Sequence[Sequence[Event]]) -> list[Event]:
        """The events of the turns of an iteration."""
        return list(chain.from_iterable(turns))


class _State:
    """What a vain attempt has changed. Which registers are written stays: the next attempt begins as it did."""

    def __init__(self, recorder: LoopRecorder, frame: Frame, loop: Loop) -> None:
        self.recorder, self.frame = recorder, frame
        self.events, self.length, self.registers = recorder.events, len(recorder.events), len(recorder.registers)
        self.mask, self.names, self.times, self.steps = frame.mask, recorder.names, recorder.times, recorder.fuel.steps
        self.cells = [Cell((None, number), frame.values, slot) for number, slot in enumerate(loop.carried)]
        self.cells += [
            Cell((op, at), registers.cells, at) for op, registers in recorder.registers for at in range(registers.size)
        ]
        self.values = [cell.get() for cell in self.cells]

    def restore(self) -> None:
        """Takes it back."""
        recorder, self.frame.mask = self.recorder, self.mask
        recorder.events, recorder.names, recorder.times = self.events, self.names, self.times
        recorder.fuel.steps = self.steps
        del recorder.events[self.length :], recorder.registers[self.registers :]
        for cell, value in zip(self.cells, self.values, strict=True):
            cell.put(value)


def _enter(
    cell: Cell, role: int | str | None, counter: Counter, recorder: Recorder
) -> tuple[Operand | None, Operand | None]:
    """What the cell holds before the first iteration, and before any: that it is given now."""
    first = given = cell.get()
    if first is not None and role is not None:
        given = recorder.traced() if isinstance(role, str) else added(first, affine(None, 0, {counter: role}))
        cell.put(given)
    return first, given


def _leave(
    cell: Cell, role: int | str | None, counter: Counter, pair: tuple[Operand | None, Operand | None]
) -> Carried | None:
    """Gives the cell what it holds after the last iteration."""
    first, given = pair
    last = cell.get()
    if first is None:
        if isinstance(last, Affine) and counter in last.steps:
            cell.put(
                added(last, affine(None, last.steps[counter] * (counter.trips - 1), {counter: -last.steps[counter]}))
            )
        return None
    if isinstance(given, Traced) and role == DATA:
        assert last is not None, "what was written stays written"
        cell.put(given)
        return Carried(given.name, first, last)
    cell.put(first if not isinstance(role, int) else added(first, scaled(role, counter.trips) or 0))
    return None


def _role(first: Operand, last: Operand | None) -> int | str:
    grown = _grown(first, last)
    return DATA if grown is None else grown


def _grown(before: Operand | None, after: Operand | None) -> int | None:
    """By which constant; 0 where it is the same; None where it is neither."""
    if before is after:
        return 0
    if before is None or after is None or isinstance(before, Traced) or isinstance(after, Traced):
        return None
    found = difference(after, before)
    if found is None:
        if isinstance(before, Symbolic) or isinstance(after, Symbolic):
            return None
        return 0 if same(before, after) else None
    low, high = (None, 0) if isinstance(found, Symbolic) else bounds(found)
    return low if low == high else None
