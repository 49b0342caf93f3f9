"""Every wrong kernel is found out, at its line; no right one is, and each computes what it should."""

from __future__ import annotations

import pytest
from faults import FOLDER, Clean, Faulty, check_found, check_right, kernels

FAULTY, CLEAN = kernels([path.stem for path in FOLDER.glob("*.py")])


@pytest.mark.parametrize("case", FAULTY, ids=lambda case: case.name)
def test_a_fault_is_found_at_its_line(case: Faulty) -> None:
    check_found(case)


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_no_alarm_and_the_right_result(case: Clean) -> None:
    """At every stage; without checks; and under one more order, of which `tests/fuzz/fuzz_corpus.py` tries more."""
    for arch in case.archs:
        check_right(case, arch)
    check_right(case, case.archs[0], ["final"], check="off")
    check_right(case, case.archs[0], ["final"], schedule="random", seed=0)
