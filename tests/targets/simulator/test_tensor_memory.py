"""The same of kernels that use tensor memory."""

from __future__ import annotations

import pytest
from faults import TENSOR, Clean, Faulty, check_found, check_right, kernels

FAULTY, CLEAN = kernels(TENSOR)


@pytest.mark.parametrize("case", FAULTY, ids=lambda case: case.name)
def test_a_fault_is_found_at_its_line(case: Faulty) -> None:
    check_found(case)


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name, scope="module")
def test_no_alarm_and_the_right_result(case: Clean) -> None:
    for arch in case.archs:
        check_right(case, arch)


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name, scope="module")
def test_without_checks_the_result_is_the_same(case: Clean) -> None:
    check_right(case, case.archs[0], ["final"], check="off")


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name, scope="module")
def test_any_schedule_gives_the_same(case: Clean) -> None:
    """Under one more order; `tests/fuzz/fuzz_corpus.py` tries more."""
    check_right(case, case.archs[0], ["final"], schedule="random", seed=0)
