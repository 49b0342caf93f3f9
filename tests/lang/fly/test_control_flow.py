"""Control flow: what is traced computes what Python computes, for every thread."""

from __future__ import annotations

from pathlib import Path

import pytest
from fx_programs import Program, traced_and_plain


@pytest.mark.parametrize("seed", range(14))
def test_random_programs(tmp_path: Path, seed: int) -> None:
    found, wanted = traced_and_plain(tmp_path / f"program{seed}.py", Program(seed).text, seed)
    assert found == wanted
