"""Kernels made wrong: each still runs, or raises our error; what is wrong in the source, at a line of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from fx_mutants import verdict


@pytest.mark.parametrize("seed", range(60))
def test_mutants(tmp_path: Path, seed: int) -> None:
    verdict(seed, tmp_path / f"mutant{seed}.py")
