"""Runs that are known beforehand, beside such that check and move everything."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tilewright.errors import SimulationError
from tilewright.targets.launch import parameters_of
from tilewright.targets.simulator.report import SimulationReport
from tilewright.targets.simulator.simulate import Simulator

Array = np.ndarray[Any, np.dtype[Any]]
Found = tuple[list[bytes], SimulationReport] | str


def drawn(simulator: Simulator, seed: int) -> list[Array]:
    """Small numbers for every parameter."""
    rng = np.random.default_rng(seed)
    shapes = [(parameter.size or 1, parameter.element.numpy()) for parameter in parameters_of(simulator.func)]
    return [rng.integers(-4 if kind.kind != "u" else 0, 5, size).astype(kind) for size, kind in shapes]


def outcome(simulator: Simulator, arrays: Sequence[Array], arch: str, **switches: Any) -> Found:
    """What is in the arrays then, and the report; or the fault's text."""
    try:
        report = simulator.run(arrays, arch=arch, **switches)
    except SimulationError as error:
        return str(error)
    return [array.tobytes() for array in arrays], report


def agree(simulator: Simulator, arch: str, seeds: int = 3, **switches: Any) -> Iterator[bool]:
    """Runs are as such that check and move everything; whether each was known beforehand."""
    for seed in range(seeds):
        found = outcome(simulator, drawn(simulator, seed), arch, **switches)
        wanted = outcome(simulator, drawn(simulator, seed), arch, proofs=False, **switches)
        if isinstance(found, str) or isinstance(wanted, str):
            assert found == wanted
            yield False
        else:
            assert found[0] == wanted[0]
            assert (found[1].accesses, found[1].agreed) == (wanted[1].accesses, wanted[1].agreed)
            assert not wanted[1].repeated
            yield found[1].repeated
