"""`tilewright show` and `tilewright eval`, as a person at a terminal sees them."""

from __future__ import annotations

import json

import pytest

from tilewright.cli.main import main
from tilewright.cli.show import REVERSED

BLOCKED = "#ttg.blocked<{sizePerThread=[2],threadsPerWarp=[4],warpsPerCTA=[2],order=[0]}>"


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(words) == status
    out, err = capsys.readouterr()
    assert (err == "") == (status != 2)
    return out + err


def test_show_prints_every_notation_the_sizes_and_the_values(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "show", "(4,2):(2,1)").splitlines()
    assert lines[:6] == [
        "cute: (4,2):(2,1)",
        "tirx: TileLayout(S[(2, 4):(1, 2)])" + REVERSED,
        "linear: {dim0 = [[2], [4]], dim1 = [[1]]} -> {offset = 8}",
        "fly: (4,2):(2,1)",
        "cpp: Layout<Shape<Int<4>,Int<2>>,Stride<Int<2>,Int<1>>>",
        "size 8, cosize 8, rank 2, depth 1",
    ]
    assert [line for line in lines if line[:2] in ("0 ", "1 ", "2 ", "3 ")] == ["0 0 1", "1 2 3", "2 4 5", "3 6 7"]


def test_show_pictures_shared_memory_as_its_tile(capsys: pytest.CaptureFixture[str]) -> None:
    """Row r of the tile, 64 columns: vectors of 8 elements trade places by r."""
    swizzled = "#ttg.swizzled_shared<{vec=8, perPhase=1, maxPhase=8, order=[1, 0]}>"
    lines = said(capsys, "show", swizzled).partition("right:")[2].splitlines()[1:]
    for number in range(8):
        cells = [int(cell) for line in lines if line.startswith(f"{number} ") for cell in line.split()[1:]]
        assert cells == [64 * number + (column ^ 8 * number) for column in range(64)]


def test_show_gives_the_reason_of_a_refusal(capsys: pytest.CaptureFixture[str]) -> None:
    assert "linear: no — (3,4):(1,3) is not linear under XOR: extent 3" in said(capsys, "show", "(3,4):(1,3)")
    alone = said(capsys, "show", "--as", "linear", "(3,4):(1,3)", status=1)
    assert (alone.startswith("linear: no — "), alone.count("\n")) == (True, 1)


@pytest.mark.parametrize(
    ("view", "words", "expected"),
    [
        ("cute", "S[(8,64):(64,1)]", "(64,8):(1,64)"),
        ("tirx", "Sw<3,3,3> o 0 o (64,8):(1,64)", "ComposeLayout(3, 3, 3, TileLayout(S[(8, 64):(64, 1)]))"),
        ("fly", "[4; _; (2,4):(1@0,8@0)]", "[4|*|(2,4):(1E0,8E0)]"),
        ("cute", "(_4, (_2, 8))", "(4,(2,8))"),
        ("linear", BLOCKED, "{register = [[1]], lane = [[2], [4]], warp = [[8]], block = []} -> {dim0 = 16}"),
        ("triton", BLOCKED, "#ttg.linear<{register = [[1]], lane = [[2], [4]], warp = [[8]], block = []}>"),
        ("places", BLOCKED, "TileLayout(S[(2, 4, 2):(1 @ warpid, 1 @ laneid, 1)])"),
    ],
)
def test_show_as_prints_one_line(capsys: pytest.CaptureFixture[str], view: str, words: str, expected: str) -> None:
    assert said(capsys, "show", words, "--as", view) == expected + "\n"


def test_show_json_holds_texts_and_refusals(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(said(capsys, "show", "--json", "(4,2):(1@laneid,1)"))
    assert (report["kind"], report["size"], report["cosize"]) == ("Layout", 8, 8)
    assert report["notations"]["tirx"] == "TileLayout(S[(2, 4):(1, 1 @ laneid)])"
    assert "1@laneid" in report["refusals"]["fly"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["(4,(2,8)):(1,(16,4))", "5", "(1,5)", "(1,(1,2))"], ["5 -> 17", "(1,5) -> 25", "(1,(1,2)) -> 25"]),
        (["(4,(2,8)):(1,(16,4))", "(_,5)"], ["(_,5) -> (4):(1) + 24"]),
        (["(4,8):(1@0,1@1)", "9"], ["9 -> (1,2)"]),
        (["Sw<3,3,3>", "197"], ["197 -> 221"]),
        (["S[8,64]", "(3,5)"], ["(3,5) -> m=197"]),
        (["S[8] + R[2:8@m]", "3"], ["3 -> m=3 and m=11"]),
        (["--shape", "(2,4)", "S[8:1@laneid]", "(1,2)"], ["(1,2) -> laneid=6"]),
        (
            ["{lane = [[1], [2]], warp = [[0]]} -> {offset = 4}", "lane=3, warp=1", "2"],
            ["lane=3, warp=1 -> offset=3", "2 -> 2"],
        ),
    ],
)
def test_eval_prints_a_line_for_each_coordinate(
    capsys: pytest.CaptureFixture[str], words: list[str], expected: list[str]
) -> None:
    assert said(capsys, "eval", *words).splitlines() == expected


def test_eval_json(capsys: pytest.CaptureFixture[str]) -> None:
    report = json.loads(said(capsys, "eval", "--json", "S[8:1@tx] + R[2:8@tx]", "3"))
    assert report == {"3": {"value": [{"tx": 3}, {"tx": 11}], "in_domain": True}}
    sliced = json.loads(said(capsys, "eval", "--json", "(4,8):(1,4)", "(_,5)"))
    assert sliced == {"(_,5)": {"value": {"layout": "(4):(1)", "offset": 20}, "in_domain": True}}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["show", "(4,8"], "expected ',' or ')', got the end of the text"),
        (["show", "(0,4):(1,2)"], "at least 1, got 0"),
        (["show", "4:1", "--as", "svg"], "invalid choice"),
        (["eval", "(4,8)", "3"], "is no layout"),
        (["eval", "4:1", "x"], "expected an integer"),
        (["eval", "(4,8):(1,4)", "(1,2,3)"], "has more modes than the shape"),
        (["eval", "4:1", "3", "--shape", "(2,2)"], "--shape is for TIRx"),
        (["eval", "{lane = [[1]]} -> {x = 2}", "lane=5"], "5"),
    ],
)
def test_bad_input_is_one_message_and_status_2(
    capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    err = said(capsys, *words, status=2)
    assert message in err
    assert "Traceback" not in err
