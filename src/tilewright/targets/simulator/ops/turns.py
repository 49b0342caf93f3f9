"""In which turn of a loop something went wrong."""

from __future__ import annotations

import numpy as np
from xdsl.dialects import scf

from tilewright.errors import SimulationError
from tilewright.ir.core.location import source
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Operand, Symbolic
from tilewright.targets.simulator.program import Frame


def told(error: SimulationError, loop: scf.ForOp, counter: Operand, frame: Frame) -> None:
    """The error says the turn of the loop: the counter of the lane that it names, where lanes count for themselves."""
    found = _of_lane(error, counter, frame)
    if found is not None:
        error.within(f"{_name(loop)} = {found}")


def _name(loop: scf.ForOp) -> str:
    """The loop's variable; of a loop without a name its line."""
    at = source(loop.location)
    return loop.body.block.args[0].name_hint or (f"of the loop in line {at.line.data}" if at else "of a loop")


def _of_lane(error: SimulationError, counter: Operand, frame: Frame) -> int | None:
    if isinstance(counter, Symbolic) or not isinstance(frame.domain, Lockstep):
        return None
    numbers = distinct_values(np.asarray(counter))
    if len(numbers) == 1:
        return int(numbers[0])
    lanes, text = frame.domain, str(error)
    full = np.broadcast_to(np.asarray(counter), lanes.shape).reshape(-1)
    named = (i for i, actor in enumerate(lanes.actor.flat) if text.startswith(lanes.machine.name(int(actor)) + " "))
    lane = next(named, None)
    return None if lane is None else int(full[lane])
