"""Target `host` at length: of N random kernels with loops, rings and barriers, those without fault give the same bits.

python tests/fuzz/fuzz_host.py 2000 [SEED]
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from loop_kernels import REGISTERS, Looped, looped_kernels, pipelines, strides

from tilewright.arch.target import Target
from tilewright.errors import SimulationError
from tilewright.ir.text import parse_module
from tilewright.runtime.on_host import HostExecutor
from tilewright.targets.simulator.limits import Limits
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import simulate

LIMITS = Limits(steps=100_000)


def check(program: Looped) -> str:
    """`same`, or `fault` where the simulator finds one.

    Raises:
        AssertionError: the host gives other bits.
    """
    module, sizes = parse_module(program.text()), program.sizes
    registers = np.zeros(program.blocks * program.threads * REGISTERS, np.int64)
    ours = [np.arange(sizes["A"]), np.zeros(sizes["B"], np.int64), registers]
    theirs = [array.copy() for array in ours]
    try:
        simulate(module, ours, limits=LIMITS)
    except SimulationError:
        return "fault"
    HostExecutor.of(module, Target("host"))(theirs, SimOptions())
    assert [array.tobytes() for array in ours] == [array.tobytes() for array in theirs], program.text()
    return "same"


def main(count: int, start: int) -> int:
    """Prints what became of the kernels; 1 where one was wrong."""
    found: Counter[str] = Counter()

    @seed(start)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    @given(looped_kernels() | pipelines() | strides())
    def each(program: Looped) -> None:
        found[check(program)] += 1

    begin = time.time()
    try:
        each()
    finally:
        print(f"{sum(found.values())} kernels in {time.time() - begin:.0f} s: {dict(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(int((*sys.argv, "2000")[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1))
