"""The corpus: every planted fault is found at its line, no kernel without fault is refused, in whatever order."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus import STAGES, Case, cases

CASES = list(cases(Path(__file__).parent / "corpus"))
FAULTS = [case for case in CASES if case.error is not None]
CLEAN = [case for case in CASES if case.error is None]


@pytest.mark.parametrize("case", FAULTS, ids=lambda case: case.kernel.name)
def test_a_fault_is_found_at_its_line(case: Case) -> None:
    assert case.error is not None
    for stage in STAGES:
        with pytest.raises(case.error) as caught:
            case.run(stage)
        assert type(caught.value) is case.error
        assert f"{case.file}:{case.line}:" in str(caught.value), str(caught.value)


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.kernel.name)
def test_no_false_alarm(case: Case) -> None:
    first, *others = (case.run(stage) for stage in STAGES)
    others += [case.run("final", proofs=False), case.run("final", schedule="random", seed=5)]
    for arrays in others:
        assert all((one == other).all() for one, other in zip(first, arrays, strict=True))
