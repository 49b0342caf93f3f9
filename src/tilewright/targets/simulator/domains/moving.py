"""What a kernel that asks no data does, found once for all blocks: recorded, proved, and run on one block's names."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tilewright.targets.launch import Launch
from tilewright.targets.simulator.domains.at_once import at_once
from tilewright.targets.simulator.domains.costs import tally_later
from tilewright.targets.simulator.domains.everywhere import everywhere
from tilewright.targets.simulator.domains.lockstep import Machine
from tilewright.targets.simulator.domains.moves import MoveRecorder
from tilewright.targets.simulator.domains.naming import UNWRITTEN, Namer
from tilewright.targets.simulator.domains.origins import Origins, Writes, apart
from tilewright.targets.simulator.domains.prove import prove
from tilewright.targets.simulator.domains.uniform import record
from tilewright.targets.simulator.limits import Fuel, Limits
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.observers.tally import Tally
from tilewright.targets.simulator.program import Program


def moving(
    program: Program,
    launch: Launch,
    storage: Sequence[Array],
    counts: Tally,
    limits: Limits,
    checks: bool,
    origins: Origins,
) -> Writes:
    """What all blocks leave in the arrays, whose names are put into `origins`; costs are counted later.

    Raises:
        NotUniformError: blocks differ in more than where they work, or a proof fails.
        SimulationError: a fault, which the run that describes it has to find.
    """
    recorder = MoveRecorder(launch, Fuel(limits), counts.spec.lanes, spec=counts.spec)
    record(program, recorder, None, storage)
    prove(recorder, Machine(launch, np.zeros(1, np.int64), counts, recorder.fuel).lanes(), checks)
    namer = Namer(launch.threads, at_once(recorder.events), UNWRITTEN if checks else 0, Origins(origins.fast))
    namer.run(recorder.events)
    tally_later(recorder, counts)
    return everywhere(namer, origins, apart(storage), launch.blocks)
