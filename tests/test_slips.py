"""What users read names subjects, not the numbers that we give to sources; demos say which figures are corrected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tilewright.analysis.model.slip import Slip
from tilewright.analysis.permutation.slips import slips as of_permutations
from tilewright.analysis.swizzle.half_tile_tables import slips as of_half_tiles
from tilewright.cli.main import main

ROOT = Path(__file__).parents[1]
READ = sorted(p for part in ("src", "docs", "examples") for p in (ROOT / part).rglob("*") if p.suffix in (".py", ".md"))


def test_sources_go_by_their_names() -> None:
    numbered = re.compile(r"document[ _]0\d\d", re.IGNORECASE)
    files = [ROOT / "README.md", *READ]
    assert [str(file) for file in files if numbered.search(str(file) + file.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(("demo", "slips"), [("swizzle", of_half_tiles()), ("permutation", of_permutations())])
def test_each_figure_that_differs_is_told(
    demo: str, slips: tuple[Slip, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", demo]) == 0
    out = capsys.readouterr().out
    for slip in slips:
        assert all(line in out for line in slip.lines())
        assert not slip.table or f"{slip.table} (corrected: {slip.where})" in out


def test_a_slip_of_another_swizzle_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "swizzle", "--swizzle", "3,3,3"]) == 0
    assert "corrected" not in capsys.readouterr().out
