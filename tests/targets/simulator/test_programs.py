"""Programs as people write them: each slip is found at its line, none is found where there is none, in any order."""

from __future__ import annotations

import pytest
from faults import PROGRAMS, Clean, Faulty, check_found, check_found_in_order, check_right, kernels

FAULTY, CLEAN = kernels([path.stem for path in PROGRAMS.glob("*.py")])
SEED, EVERY = 3, 4  # of the order, and of how many faults one is tried under it; `fuzz_corpus` tries all


@pytest.mark.parametrize("case", FAULTY, ids=lambda case: case.name)
def test_a_fault_is_found_at_its_line(case: Faulty) -> None:
    check_found(case)


@pytest.mark.parametrize("case", FAULTY[::EVERY], ids=lambda case: case.name)
def test_a_fault_is_found_in_any_order(case: Faulty) -> None:
    check_found_in_order(case, SEED)


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_no_alarm_and_the_right_result(case: Clean) -> None:
    for arch in case.archs:
        check_right(case, arch)
        check_right(case, arch, ["final"], schedule="random", seed=SEED)
