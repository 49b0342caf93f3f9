"""The simulator against the definition on random kernels: the same first error, or none and the same memories."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from race_oracle import SIZES, Small, Statement, small_kernels

from tilewright.errors import SimulationError
from tilewright.ir.text import parse_module
from tilewright.targets.simulator.report import SimulationReport
from tilewright.targets.simulator.simulate import Simulator


def outcome(
    simulator: Simulator, small: Small, proofs: bool
) -> tuple[str, dict[str, list[int]], SimulationReport | None]:
    a, b = (np.arange(-SIZES[name], 0) for name in "AB")
    b = a if small.aliased else b
    try:
        report = simulator.run([a, b], proofs=proofs)
    except SimulationError as error:
        return type(error).__name__, {}, None
    return "", {"A": a.tolist(), "B": b.tolist()}, report


@pytest.mark.hypothesis
@given(small_kernels())
def test_first_error_or_result_is_the_definitions(small: Small) -> None:
    error, memory = small.run()
    simulator = Simulator(parse_module(small.text()))
    checked, checked_memory, checked_report = outcome(simulator, small, proofs=False)
    proved, proved_memory, proved_report = outcome(simulator, small, proofs=True)
    assert (checked, proved) == (error, error)
    if not error:
        assert checked_memory == proved_memory == memory
        assert checked_report is not None
        assert proved_report is not None
        assert checked_report.accesses == proved_report.accesses


@pytest.mark.hypothesis
@given(small_kernels())
def test_proofs_are_not_vacuous(small: Small) -> None:
    """Where no lane is masked, no block meets another and nothing is carried along, the proof succeeds."""
    apart = tuple(
        Statement(s.kind, s.buffer, 8 if s.buffer != "S" else 0, 0, 1, 0) if s.kind in ("load", "store") else s
        for s in small.statements
    )
    small = Small(small.blocks, min(small.threads, 4), None, small.aliased, apart)
    error, _ = small.run()
    assume(not error)
    assert Simulator(parse_module(small.text())).run([np.zeros(24, np.int64), np.zeros(24, np.int64)]).proved
