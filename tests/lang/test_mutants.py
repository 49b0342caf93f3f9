"""Whatever is written in a kernel ends in one of our errors or means the same at every stage."""

from __future__ import annotations

import random
import runpy
from collections import Counter
from pathlib import Path

import pytest
from mutants import KERNEL, define, mutants

FUZZ = runpy.run_path(str(Path(__file__).parents[1] / "fuzz" / "fuzz_kernels.py"))


def test_the_kernel_itself_is_right() -> None:
    assert FUZZ["verdict"]("from __future__ import annotations\n" + KERNEL, 0) == "ok"


@pytest.mark.parametrize("seed", range(2))
def test_mutants_end_in_our_errors_or_agree(seed: int) -> None:
    verdicts = Counter(FUZZ["verdict"](source, i) for i, source in enumerate(mutants(random.Random(seed), 30)))
    assert [found for found in verdicts if found.startswith("WRONG")] == []
    assert verdicts["KernelError"] > 12


def test_a_mutant_is_a_kernel_in_a_file() -> None:
    (source,) = mutants(random.Random(0), 1)
    assert define(source, "<one>").__code__.co_filename == "<one>"
