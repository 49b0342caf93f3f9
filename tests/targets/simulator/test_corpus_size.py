"""How large the corpus is. Of which kinds its faults are is counted by `tests/fuzz/fuzz_fault_kinds.py`."""

from __future__ import annotations

from corpus import cases
from fault_table import CORPUS
from faults import kernels

LEAST_FAULTS, LEAST_CLEAN = 240, 150


def test_the_corpus_has_enough_kernels() -> None:
    wrong, right = kernels()
    everything = cases(CORPUS)
    assert sum(case.error is not None for case in everything) + len(wrong) >= LEAST_FAULTS
    assert sum(case.error is None for case in everything) + len(right) >= LEAST_CLEAN
