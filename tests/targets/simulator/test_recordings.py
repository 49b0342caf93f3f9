"""What is recorded once for all is what each turn of each block does for itself: values, costs, faults and steps.

Those without a fault are proved.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from cpu import within
from final_kernels import kernel
from loop_kernels import Looped, outcome
from recorded_kernels import CASES, GLOBAL, PARAMETERS, PLACES, RACES, SIZE, Case, Found, ring

from tilewright.errors import SimulationError
from tilewright.ir.text import parse_module
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.domains.affine import Affine, evaluated
from tilewright.targets.simulator.domains.record import Recorder
from tilewright.targets.simulator.limits import Fuel, Limits
from tilewright.targets.simulator.simulate import Simulator


def agreed(fast: Found, slow: Found, fault: str) -> None:
    assert fast[:2] == slow[:2]
    assert fast[0].startswith(fault)
    assert bool(fast[0]) == bool(fault)
    if fast[2] is not None and slow[2] is not None:
        assert (fast[2].proved, slow[2].proved) == (True, False)
        assert fast[2].accesses == slow[2].accesses


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_what_is_recorded_is_what_each_turn_does(case: Case) -> None:
    with within(2):
        agreed(case.run(True), case.run(False), case.fault)


def test_what_is_recorded_takes_as_many_steps() -> None:
    """Attempts in vain take none, and a loop whose turns an argument tells takes its steps in each turn around it."""
    text = kernel(
        f"""{PLACES}
      %m = arith.index_cast %many : i64 to index
      scf.for %i = %c0 to %n step %c1 {{
        scf.for %j = %c0 to %m step %c1 {{
          %v = memref.load %A[%at] : {GLOBAL}
          %more = arith.addi %v, %v : i64
          memref.store %more, %B[%at] : {GLOBAL}
        }}{ring(4)}
      }}""",
        f"{PARAMETERS}, %many: i64",
    )
    simulator, taken = Simulator(parse_module(text)), list[int]()
    arrays = [np.arange(SIZE), np.zeros(SIZE, np.int64), np.array(5)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Fuel, "burn", lambda fuel, steps, op: taken.append(steps))
        simulator.run(arrays, proofs=False)
    assert simulator.run(arrays, limits=Limits(steps=sum(taken))).proved
    for proofs in (True, False):
        with pytest.raises(SimulationError, match="simulated ops"):
            simulator.run(arrays, proofs=proofs, limits=Limits(steps=sum(taken) - 1))


def test_an_entry_is_a_block_and_a_turn() -> None:
    launch = Launch((2, 3, 1), (32, 1, 1))
    recorder = Recorder(launch, Fuel(Limits()), 32, range(1, 9, 2))
    found = (recorder.block_id(0), recorder.block_id(1), recorder.iteration())
    entries = [evaluated(value, slice(0, 24), {})[:, 0] for value in found if isinstance(value, Affine)]
    assert sorted(zip(*(entry.tolist() for entry in entries), strict=True)) == list(
        product(range(2), range(3), range(1, 9, 2))
    )


@pytest.mark.parametrize(("looped", "fault"), RACES.values(), ids=RACES)
def test_accesses_that_meet_are_found(looped: Looped, fault: str) -> None:
    simulator = Simulator(parse_module(looped.text()))
    agreed(outcome(simulator, looped, True), outcome(simulator, looped, False), fault)
