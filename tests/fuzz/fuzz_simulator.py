"""Loops at length: N random kernels, N pipelines and N strided loops run recorded and turn by turn, with one outcome.

python tests/fuzz/fuzz_simulator.py 2000 [SEED]
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from loop_kernels import REGISTERS, Looped, looped_kernels, pipelines, strides

from tilewright.errors import SimulationError
from tilewright.ir.text import parse_module
from tilewright.targets.simulator.report import AccessReport
from tilewright.targets.simulator.simulate import Simulator

SLOW_SECONDS = 2.0
Decorator = Callable[[Callable[[], None]], Callable[[], None]]


def outcome(
    simulator: Simulator, looped: Looped, proofs: bool
) -> tuple[str, list[bytes], tuple[AccessReport, ...], bool]:
    """The text of the error, or the memories and costs; and whether it was proved."""
    sizes, lanes = looped.sizes, looped.blocks * looped.threads * REGISTERS
    arrays = [np.arange(sizes["A"]) * 7 + 1, np.zeros(sizes["B"], np.int64), np.zeros(lanes, np.int64)]
    try:
        report = simulator.run(arrays, proofs=proofs)
    except SimulationError as error:
        return f"{type(error).__name__}: {error}", [], (), False
    return "", [array.tobytes() for array in arrays], report.accesses, report.proved


def check(looped: Looped, seen: Counter[str]) -> None:
    """Compares both ways, and counts what came of it."""
    simulator = Simulator(parse_module(looped.text()))
    begin = time.process_time()
    *fast, proved = outcome(simulator, looped, proofs=True)
    seen["slow"] += time.process_time() - begin > SLOW_SECONDS
    *slow, _ = outcome(simulator, looped, proofs=False)
    if fast != slow:
        print(looped, fast[0], slow[0], looped.text(), sep="\n")
        raise SystemExit(1)
    error = fast[0].partition(":")[0]
    seen[error or ("proved" if proved else "each access")] += 1


def main() -> None:
    """Each kind of kernels, as many as asked for."""
    number, start = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    quick = settings(
        max_examples=number,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    for kind in (looped_kernels(), pipelines(), strides()):
        print(run(kind, seed(start), quick))


def run(kind: st.SearchStrategy[Looped], start: Decorator, quick: Decorator) -> dict[str, int]:
    """What came of kernels of one kind."""
    seen: Counter[str] = Counter()

    def one(looped: Looped) -> None:
        check(looped, seen)

    start(quick(given(kind)(one)))()
    return dict(seen)


if __name__ == "__main__":
    main()
