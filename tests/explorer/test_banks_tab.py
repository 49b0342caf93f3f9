"""The tab of banks counts what the analysis counts, and a suggestion that is applied repairs what it says."""

from __future__ import annotations

import pytest
from explored import drawn

import tilewright as tw
from tilewright.asked.accesses import Question, access, tile
from tilewright.dtypes import dtype
from tilewright.explorer.engine import Engine

ENGINE = Engine()
TAB = ENGINE.tabs["banks"]


def shown(**inputs):
    return ENGINE.reply({"ask": "answer", "tab": "banks", "inputs": inputs})


@pytest.mark.parametrize("preset", TAB.presets, ids=lambda preset: preset.name)
def test_the_counts_are_those_of_the_analysis(preset):
    given = {field.name: field.default for field in TAB.fields} | dict(preset.inputs)
    bits = dtype(given["dtype"]).bits
    asked = Question(*tile(given["tile"]), bits, tw.arch.get(given["arch"]))
    found = [
        one for one in (access(text, asked) for text in given["accesses"].split("\n")) if one.instruction != "wgmma"
    ]
    reports = [tw.bank_conflicts(asked.layout, one, element_bits=bits, arch=asked.spec) for one in found]
    tables = shown(**preset.inputs)["tables"]
    rows = [row["cells"][2:4] for row in tables[0]["rows"]] if tables else []
    assert rows == [[str(report.wavefronts), str(report.ideal)] for report in reports]


@pytest.mark.parametrize("preset", TAB.presets[:1] + TAB.presets[2:3], ids=lambda preset: preset.name)
def test_an_applied_suggestion_costs_what_it_says(preset):
    ranking = shown(**{**preset.inputs, "suggest": "1"})["tables"][-1]["rows"]
    for row in ranking[:3]:
        after = shown(**{**preset.inputs, **row["apply"]})["tables"][0]["rows"]
        assert sum(int(one["cells"][2]) for one in after) == int(row["cells"][3])
    best = shown(**{**preset.inputs, **ranking[0]["apply"]})["tables"][0]["rows"]
    assert all(one["cells"][-1] == "conflict-free" for one in best)


def test_a_moment_shows_a_phase_and_the_elements_that_it_wants():
    reply = shown()
    tiles, phases = (panel.cells for panel in drawn(reply))
    for row, frame in enumerate(reply["frames"]):
        (_, _, wanted), (_, _, elements) = sorted(frame["marks"], key=lambda mark: -mark[1])
        assert {phases.row[cell] for cell in wanted} == {row}
        banks = {phases.bank[cell] for cell in wanted if phases.label[cell]}
        assert {tiles.bank[cell] for cell in elements} == banks


WRONG = [
    *(("tile", "(8,"), ("tile", "S[8:1@laneid]"), ("base", "x"), ("arch", "sm_1")),
    *(("accesses", text) for text in ("", "rows 5b", "\n".join(["rows 16B"] * 9))),
]


@pytest.mark.parametrize(("field", "text"), WRONG)
def test_what_is_wrong_is_told_at_its_field(field, text):
    (problem,) = shown(**{field: text})["problems"]
    assert problem["field"] == field
