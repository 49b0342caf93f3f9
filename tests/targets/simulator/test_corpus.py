"""The corpus: every planted fault is found at its line, no kernel without fault is refused, in whatever order."""

from __future__ import annotations

from pathlib import Path

import pytest
from corpus import STAGES, Case, cases

from tilewright.errors import BarrierError, RaceError, SimulationError, UninitializedError

CASES = cases(Path(__file__).parent / "corpus")
SEED = 5  # `fuzz_corpus` tries many, and all faults
ORDERED = (RaceError, BarrierError, UninitializedError)
FAULTS = [case for case in CASES if case.error is not None]
CLEAN = [case for case in CASES if case.error is None]


def _name(value: Case | str) -> str:
    return value if isinstance(value, str) else value.name


@pytest.mark.parametrize(("case", "arch"), [(c, a) for c in FAULTS for a in c.archs], ids=_name)
def test_a_fault_is_found_at_its_line(case: Case, arch: str) -> None:
    assert case.error is not None
    for stage in STAGES:
        with pytest.raises(case.error) as caught:
            case.run(stage, arch)
        assert type(caught.value) is case.error
        assert f"{case.file}:{case.line}:" in str(caught.value).split("\n  at ")[1], str(caught.value)


@pytest.mark.parametrize("case", FAULTS[::8], ids=_name)
def test_a_fault_is_found_in_any_order(case: Case) -> None:
    """Which of two lanes comes second, and what one finds where it did not wait, is the order's."""
    with pytest.raises(SimulationError) as caught:
        case.run("final", schedule="random", seed=SEED)
    same = type(caught.value) is case.error and f"{case.file}:{case.line}:" in str(caught.value)
    assert same or case.error in ORDERED, str(caught.value)


@pytest.mark.parametrize(("case", "arch"), [(c, a) for c in CLEAN for a in c.archs], ids=_name)
def test_no_false_alarm(case: Case, arch: str) -> None:
    first, *others = (case.run(stage, arch) for stage in STAGES)
    others += [case.run("final", arch, proofs=False)]
    others += [case.run("final", arch, schedule="random", seed=SEED)]
    for arrays in others:
        assert all((one == other).all() for one, other in zip(first, arrays, strict=True))
