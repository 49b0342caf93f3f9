"""The kernels that the simulator's benchmark times: right, proved where that can be, and counted alike either way."""

from __future__ import annotations

import numpy as np
import pytest
from kernel_sources import gathered, multiplied, ringed, transposed

import tilewright as tw
from tilewright.lang.primfunc import PrimFunc
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.simulate import Simulator

RNG = np.random.default_rng(0)
SQUARE = RNG.integers(-4, 4, (64, 64)).astype(np.float32)
RINGS = RNG.normal(size=(3, 20, 256)).astype(np.float32)
KERNELS: dict[str, tuple[PrimFunc, list[Array], Array, bool]] = {
    "transposed": (transposed(64), [SQUARE], SQUARE.T, True),
    "gathered": (gathered(64), [SQUARE], SQUARE[np.arange(64) ^ 5].T, False),
    "multiplied": (multiplied(64, 32, 32), [SQUARE, SQUARE.T.copy()], SQUARE @ SQUARE.T, True),
    "multiplied deep": (multiplied(64, 64, 32, 16), [SQUARE, SQUARE], SQUARE @ SQUARE, True),
    "ringed": (ringed(3, 20), [RINGS], np.roll(RINGS, -1, axis=2), True),
    "ringed deep": (ringed(3, 20, stages=5), [RINGS], np.roll(RINGS, -1, axis=2), True),
    "ringed, few turns": (ringed(3, 2, stages=4), [RINGS[:, :2].copy()], np.roll(RINGS[:, :2], -1, axis=2), True),
}


@pytest.mark.parametrize(("kernel", "given", "expected", "proved"), KERNELS.values(), ids=KERNELS)
def test_benchmarked_kernels(kernel: PrimFunc, given: list[Array], expected: Array, proved: bool) -> None:
    simulator = Simulator(tw.compile(kernel).lowered().module)
    reports = []
    for proofs in (True, False):
        result = np.zeros(expected.shape, np.float32)
        rows = [] if len(simulator.func.body.block.args) == len(given) + 1 else [np.arange(64, dtype=np.int32) ^ 5]
        report = simulator.run([*given, result, *rows], proofs=proofs)
        assert (result == expected).all()
        assert report.proved == (proofs and proved)
        reports.append(report.accesses)
    assert reports[0] == reports[1]


@pytest.mark.parametrize("turns", [1, 2, 3, 50, 500])
def test_counts_of_rings(turns: int) -> None:
    """Each turn of each warp loads and stores a row of global memory and one of shared memory."""
    arrays = [np.zeros((2, turns, 256), np.float32) for _ in range(2)]
    report = Simulator(tw.compile(ringed(2, turns)).lowered().module).run(arrays)
    assert sum(access.accesses for access in report.accesses) == 2 * 8 * 4 * turns
