"""`eval` says which coordinates lie outside the domain, and answers all the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tilewright.cli.main import main
from tilewright.notation import parse

LAYOUTS = ["(4,8):(8,1)", "(4,(2,3)):(1,(4,8))", "8:2", "Sw<1,1,2> o 0 o (4,6):(6,1)", "(4,6):(1@0,1@1)"]
TIRX = ["S[4,6]", "S[(4,6):(1@laneid,1)] + R[2:8]", "ComposeLayout(1, 1, 2, S[4,6])"]


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[Any, list[str]]:
    assert main(["eval", "--json", *words]) == 0
    out, err = capsys.readouterr()
    return json.loads(out), err.splitlines()


@given(st.sampled_from(LAYOUTS), st.integers(-3, 40), st.integers(-2, 5), st.integers(-2, 9))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_domain_is_that_of_the_shape(
    capsys: pytest.CaptureFixture[str], text: str, flat: int, i: int, j: int
) -> None:
    layout = parse(text)
    coords = [str(flat)] if layout.rank == 1 else [str(flat), f"({i},{j})", f"(_,{j})"]
    found, notes = asked(capsys, text, "--", *coords)
    inside = {str(flat): 0 <= flat < layout.size}
    if layout.rank > 1:
        rows, columns = layout[0].size, layout.size // layout[0].size
        inside |= {f"({i},{j})": 0 <= i < rows and 0 <= j < columns, f"(_,{j})": 0 <= j < columns}
    assert {words: one["in_domain"] for words, one in found.items()} == inside
    assert len(notes) == sum(not known for known in inside.values())
    for words, note in zip((words for words in inside if not inside[words]), notes, strict=True):
        assert note.startswith(f"tilewright eval: {words} lies outside the domain ")
    value = layout(flat)
    assert found[str(flat)]["value"] == (list(value) if isinstance(value, tuple) else value)


@given(st.sampled_from(TIRX), st.integers(-3, 40), st.integers(-2, 5), st.integers(-2, 9))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_domain_of_tirx_layouts(capsys: pytest.CaptureFixture[str], text: str, flat: int, i: int, j: int) -> None:
    found, notes = asked(capsys, text, "--", str(flat), f"({i},{j})")
    assert found[str(flat)]["in_domain"] == (0 <= flat < 24)
    assert found[f"({i},{j})"]["in_domain"] == (0 <= i < 4 and 0 <= j < 6)
    again, _ = asked(capsys, text, "--shape", "(3,8)", "--", f"({i},{j})")
    assert again[f"({i},{j})"]["in_domain"] == (0 <= i < 3 and 0 <= j < 8)
    assert len(notes) == sum(not one["in_domain"] for one in found.values())


def test_what_only_run_time_knows_is_null(capsys: pytest.CaptureFixture[str]) -> None:
    found, notes = asked(capsys, "(4,?):(1,4)", "(1,9)", "(4,0)")
    assert [one["in_domain"] for one in found.values()] == [None, False]
    assert len(notes) == 1


@pytest.mark.parametrize("text", ["Sw<3,3,3>", "SwizzleLayout(3, 3, 3)"])
def test_a_swizzle_permutes_all_numbers(capsys: pytest.CaptureFixture[str], text: str) -> None:
    found, notes = asked(capsys, text, "100000")
    assert found["100000"]["in_domain"] is True
    assert not notes


@pytest.mark.parametrize(
    ("coord", "said"),
    [("-1", True), ("(-1,0)", False), ("(0,-1)", True), ("(_,-1)", True), ("32", False), ("3", False)],
)
def test_the_note_says_how_a_negative_integer_is_split(
    capsys: pytest.CaptureFixture[str], coord: str, said: bool
) -> None:
    assert main(["eval", "(4,(2,4)):(8,(1,2))", coord]) == 0
    assert ("rounding down as CuTe's Python does (its C++: towards zero)" in capsys.readouterr().err) == said


def test_a_linear_layout_is_asked_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    blocked = "#ttg.blocked<{sizePerThread=[1,4],threadsPerWarp=[8,4],warpsPerCTA=[4,1],order=[1,0]}>"
    assert main(["eval", blocked, "(0,5)"]) == 2
    message = capsys.readouterr().err
    assert "no coordinate (0,5): write 'register=0, lane=0, warp=0, block=0', or one index" in message
    assert main(["eval", blocked, message.split("'")[1]]) == 0, "what the message says is understood"


@given(st.integers(0, 3), st.integers(0, 1), st.integers(0, 2))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_outermost_parentheses_may_be_left_out(capsys: pytest.CaptureFixture[str], i: int, j: int, k: int) -> None:
    words = (f"{i},({j},{k})", f"({i},({j},{k}))", f"{i}, {j + 2 * k}")
    found, notes = asked(capsys, "(4,(2,3)):(1,(4,8))", *words)
    assert [one["value"] for one in found.values()] == [i + 4 * j + 8 * k] * len(found)
    assert not notes
