"""Every wrong kernel is found out, at its line; no right one is, and each computes what it should."""

from __future__ import annotations

import pytest
from faults import FOLDER, TENSOR, Clean, Faulty, check_found, check_right, kernels

FAULTY, CLEAN = kernels([path.stem for path in FOLDER.glob("*.py") if path.stem not in TENSOR])


@pytest.mark.parametrize(
    ("case", "arch"), [(c, a) for c in FAULTY for a in c.archs], ids=lambda v: getattr(v, "name", v)
)
def test_a_fault_is_found_at_its_line(case: Faulty, arch: str) -> None:
    check_found(case, arch)


@pytest.mark.parametrize(
    ("case", "arch"), [(c, a) for c in CLEAN for a in c.archs], ids=lambda v: getattr(v, "name", v)
)
def test_no_alarm_and_the_right_result(case: Clean, arch: str) -> None:
    check_right(case, arch)


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_without_checks_the_result_is_the_same(case: Clean) -> None:
    check_right(case, case.archs[0], ["final"], check="off")


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_any_schedule_gives_the_same(case: Clean) -> None:
    """Under one more order; `tests/fuzz/fuzz_corpus.py` tries more."""
    check_right(case, case.archs[0], ["final"], schedule="random", seed=0)
