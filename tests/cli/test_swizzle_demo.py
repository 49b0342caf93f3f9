"""`tilewright demo swizzle`: the tables of a half tile, addresses and costs, its slips, one line for bad input."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tilewright.analysis.swizzle.half_tile import movements
from tilewright.analysis.swizzle.half_tile_tables import slips, tables
from tilewright.cli.demos import swizzle_text
from tilewright.cli.main import main
from tilewright.layout.swizzle import Swizzle


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def shown(capsys: pytest.CaptureFixture[str], *options: str, status: int = 0) -> str:
    assert main(["demo", "swizzle", *options]) == status
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_all_tables_costs_and_slips_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys)
    lines = {tuple(line.split()) for line in text.splitlines()}
    for table in tables():
        assert table.title in text
        for row in table.rows:
            assert tuple(" ".join(row).split()) in lines
    assert {("ColMajor<16,2>", "4", "8", "4"), ("RowMajor<16,2>", "4", "4", "4")} <= {line[-4:] for line in lines}
    assert all(slip.right in text and slip.why in text for slip in slips())
    assert "1536 of 1536 elements" in text


def test_one_lane(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--lane", "20")
    step = movements()[0].step(20)
    assert f"{step.lane} {step.lane_row} {step.lane_col} {step.i} {step.j} {step.number} {step.swizzled}" in " ".join(
        text.split()
    )


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(shown(capsys, "--json"))
    assert (found["swizzle"], found["yyy_mask"], found["zzz_mask"]) == ("Sw<2,3,3>", 0b11000000, 0b11000)
    assert [table["title"] for table in found["tables"]] == [table.title for table in tables()]
    assert [cost["wavefronts"] for cost in found["costs"]] == [4, 4, 8, 8]
    assert found["smallest_swizzle"] == "Sw<1,3,3>"
    assert len(found["addresses"]["registers -> shared, RowMajor<8,4>"]) == 4


@pytest.mark.parametrize(("words", "status"), [("1,3,3", 0), ("Sw<3,3,3>", 0), ("0,3,3", 1), ("1,5,2", 1)])
def test_other_swizzles(words: str, status: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 1 where a movement has conflicts; the slips of the note belong to its own swizzle."""
    text = shown(capsys, "--swizzle", words, status=status)
    assert "half tiles slips" not in text


@pytest.mark.parametrize("picture", ["bits", "columns", "rows", "registers", "back"])
def test_pictures(picture: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "picture   a.svg" in shown(capsys, "--svg", "a.svg", "--picture", picture)
    ElementTree.fromstring(Path("a.svg").read_text())


def test_an_element_that_is_lost_is_found() -> None:
    for movement in movements(Swizzle(1, 3, 3)):
        assert swizzle_text.lost(movement) == []


def test_a_loss_is_a_finding(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("tilewright.cli.demos.swizzle_text.lost", lambda _: [3])
    assert "1532 of 1536" in shown(capsys, status=1)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--swizzle 2,3", "three numbers"),
        ("--swizzle x,y,z", "three numbers"),
        ("--swizzle 3,3,1", "overlap"),
        ("--swizzle 2,2,3", "takes vectors of 8 elements apart"),
        ("--lane 32", "lanes 0 to 31"),
        ("--picture moon", "invalid choice"),
        ("--svg no/such.svg", "cannot write"),
        ("--svg mine.svg", "is there already"),
    ],
)
def test_bad_input_is_one_line(options: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("mine.svg").write_text("mine")
    assert main(["demo", "swizzle", *options.split()]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert words in err
    assert Path("mine.svg").read_text() == "mine"
