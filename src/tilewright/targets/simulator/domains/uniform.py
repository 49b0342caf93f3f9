"""The fast run: record one entry for all, prove it safe for all, then only move the data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import cast

import numpy as np
from xdsl.dialects.cf import AssertOp
from xdsl.dialects.memref import AllocaOp

from tilewright.errors import SimulationError
from tilewright.ir.core.effects import is_pure
from tilewright.targets.arguments import Array
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.domains.costs import tally
from tilewright.targets.simulator.domains.lockstep import Machine
from tilewright.targets.simulator.domains.loops import LoopRecorder
from tilewright.targets.simulator.domains.prove import prove
from tilewright.targets.simulator.domains.record import Recorded
from tilewright.targets.simulator.domains.replay import replay, turns_of
from tilewright.targets.simulator.limits import Fuel, Limits
from tilewright.targets.simulator.memory.access import NotUniformError
from tilewright.targets.simulator.observers.tally import Tally
from tilewright.targets.simulator.ops.control import LoopStep
from tilewright.targets.simulator.program import Program, run

TURNS = 4  # events of loops for each step that the limits allow: they take less time than checked steps


def run_uniform(program: Program, launch: Launch, storage: list[Array], counts: Tally, limits: Limits) -> Tally | None:
    """Runs the kernel in place and returns the counts; None, and nothing done, where the proof fails.

    An error that shows up here only means that the lockstep run, which describes errors, has to find it.
    """
    for loop in _batched_loops(program):
        recorder = LoopRecorder(launch, Fuel(limits), counts.spec.lanes, _trips(program, loop))
        if recorder.entries * launch.threads > limits.threads or not recorder.entries:
            continue
        try:
            record(program, recorder, loop, storage)
            prove(recorder, Machine(launch, np.zeros(1, np.int64), counts, recorder.fuel).lanes())
        except (NotUniformError, SimulationError):
            continue
        if turns_of(recorder) > TURNS * limits.steps:
            continue
        tally(recorder, counts)
        replay(recorder)
        return counts
    return None


def record(program: Program, recorder: LoopRecorder, loop: LoopStep | None, storage: Sequence[Array]) -> None:
    """Records one turn of the loop for all, and what comes before it; without a loop the whole program."""
    memories = [Recorded(len(data), data.dtype, data, recorder=recorder) if data.ndim else data[()] for data in storage]
    frame = program.frame(recorder, memories)
    if loop is None:
        program.run(frame)
        return
    run((step for _, step in takewhile(lambda item: item[1] is not loop, program.steps)), frame)
    loop.turn(frame, recorder.iteration())


def _batched_loops(program: Program) -> Iterator[LoopStep | None]:
    """The loop that can be part of the batch, if there is one: it holds every effect of the kernel. Then no loop."""
    loops = [step for _, step in program.steps if isinstance(step, LoopStep)]
    if (
        len(loops) == 1
        and _nothing_beside(program, loops[0])
        and not loops[0].carried
        and all(_constant(program, s) for s in loops[0].bounds)
    ):
        yield loops[0]
    yield None


def _nothing_beside(program: Program, loop: LoopStep) -> bool:
    """Is there no effect outside the loop? Assertions before it are executed while recording."""
    steps = iter(program.steps)
    before = takewhile(lambda item: item[1] is not loop, steps)
    return all(is_pure(op) or isinstance(op, AllocaOp | AssertOp) for op, _ in before) and all(
        is_pure(op) or isinstance(op, AllocaOp) for op, _ in steps
    )


def _constant(program: Program, slot: int) -> bool:
    return type(program.constants[slot]) is int


def _trips(program: Program, loop: LoopStep | None) -> range:
    if loop is None:
        return range(1)
    low, high, by = (cast(int, program.constants[slot]) for slot in loop.bounds)
    return range(low, high, by) if by > 0 else range(0)
