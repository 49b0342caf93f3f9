"""The tab of banks counts what the analysis counts, and a suggestion that is applied repairs what it says."""

from __future__ import annotations

import pytest
from explored import drawn, lines_run

import tilewright as tw
from tilewright.analysis.descriptor.demands import DESCRIPTORS
from tilewright.analysis.swizzle import half_tile_tables
from tilewright.asked.accesses import Question, access, tile
from tilewright.dtypes import dtype
from tilewright.explorer.engine import Engine

ENGINE = Engine()
TAB = ENGINE.tabs["banks"]
ACCESSES = [preset for preset in TAB.presets if "of" not in preset.inputs]
HALVES = [preset for preset in TAB.presets if "of" in preset.inputs]


def shown(**inputs):
    return ENGINE.reply({"ask": "answer", "tab": "banks", "inputs": inputs})


@pytest.mark.parametrize("preset", ACCESSES, ids=lambda preset: preset.name)
def test_the_counts_are_those_of_the_analysis(preset):
    given = {field.name: field.default for field in TAB.fields} | dict(preset.inputs)
    bits = dtype(given["dtype"]).bits
    asked = Question(*tile(given["tile"]), bits, tw.arch.get(given["arch"]))
    each = (access(text, asked) for text in given["accesses"].split("\n"))
    found = [one for one in each if one.instruction not in DESCRIPTORS]
    reports = [tw.bank_conflicts(asked.layout, one, element_bits=bits, arch=asked.spec) for one in found]
    tables = [table for table in shown(**preset.inputs)["tables"] if table["title"] == "what they cost"]
    rows = [row["cells"][2:4] for table in tables for row in table["rows"]]
    assert rows == [[str(report.wavefronts), str(report.ideal)] for report in reports]


@pytest.mark.parametrize("preset", ACCESSES, ids=lambda preset: preset.name)
def test_the_accesses_of_the_lines_of_python_cost_what_the_page_says(preset):
    reply = shown(**preset.inputs)
    known = lines_run(reply["python"].split("\nfor ")[0])
    bits, arch = dtype(preset.inputs.get("dtype", "float16")).bits, preset.inputs.get("arch", "sm_90")
    found = [tw.bank_conflicts(known["tile"], one, element_bits=bits, arch=arch) for one in known.get("lanes", ())]
    tables = [table for table in reply["tables"] if table["title"] == "what they cost"]
    told = [row["cells"][:3] for table in tables for row in table["rows"]]
    assert [
        [str(one.name), report.instruction, str(report.wavefronts)]
        for one, report in zip(known.get("lanes", ()), found, strict=True)
    ] == told


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
        assert frame["text"] == "32 words in 4 banks: 8 wavefronts"  # eight rows of 128 bytes, 16 of each
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


def test_a_wrong_tile_is_told_at_its_place():
    (problem,) = shown(tile="(64,64):(64,1")["problems"]
    assert (problem["field"], problem["position"]) == ("tile", 13)
    assert problem["message"].startswith("expected ',' or ')'")


@pytest.mark.parametrize("before", ["", "rows 16B\n", "rows 16B\n\n   ldmatrix.x4\n  "])
@pytest.mark.parametrize("wrong", ["rows 5b", "ldmatrix.x9", "(32,8):(8", "SM75_U32x4_LDSM_X"])
def test_a_wrong_access_is_told_at_its_line(before, wrong):
    (problem,) = shown(accesses=f"{before}{wrong}\nrows 16B")["problems"]
    assert (problem["field"], problem["position"]) == ("accesses", len(before))


# ---- operands under descriptors

SWIZZLED = "Sw<3,3,3> o 0 o "
DESCRIBED = [
    (SWIZZLED + "(64,64):(64,1)", "float16", "wgmma", "K"),
    (SWIZZLED + "(64,(64,2)):(64,(1,4096))", "float16", "wgmma", "K"),
    (SWIZZLED + "(64,64):(1,64)", "float16", "wgmma", "MN"),
    ("((8,8),(8,8)):((8,64),(1,512))", "bfloat16", "wgmma", "K"),
    ("Sw<3,4,3> o 0 o (32,128):(128,1)", "int8", "tcgen05", "K"),
]


@pytest.mark.parametrize(("text", "element", "unit", "major"), DESCRIBED)
def test_a_unit_reads_each_vector_where_the_tile_has_it(text, element, unit, major):
    layout, bits = tw.parse(text), dtype(element).bits
    reply = shown(tile=text, accesses=unit, dtype=element, arch="sm_90" if unit == "wgmma" else "sm_100")
    operand, memory = (panel.cells for panel in drawn(reply))
    length, size = 128 // bits, tw.size(layout)
    assert len(operand) == len(memory) == size // length
    along = (1, 0) if major == "MN" else (0, 1)
    for (mn, k), byte in zip(operand.coordinate, operand.byte, strict=True):
        held = [layout(mn + i * along[0], k + i * along[1]) * bits // 8 for i in range(length)]
        assert sorted(held) == [byte + i * bits // 8 for i in range(length)]
    for cell in memory:
        assert cell.key.byte == 128 * cell.key.line + 16 * cell.column
        assert cell.row == cell.key.line - min(memory.line)


@pytest.mark.parametrize(("text", "element", "unit", "major"), DESCRIBED)
def test_the_steps_and_bits_are_those_of_the_descriptor(text, element, unit, major):
    layout, bits = tw.parse(text), dtype(element).bits
    reply = shown(tile=text, accesses=unit, dtype=element, arch="sm_90" if unit == "wgmma" else "sm_100")
    facts, canonical = dict(reply["facts"]), tw.recognise(layout, element)
    assert facts["layout atom"].startswith(f"{canonical.atom}: {major}-major")
    for name, size in (("SBO", canonical.stride_bytes), ("LBO", canonical.leading_bytes)):
        assert facts[name].startswith("not used" if size is None else f"{size} bytes")
    assert f"{int(tw.descriptor(layout, element, unit=unit)):#018x}" in reply["tables"][0]["title"]
    cells = drawn(reply)[0].cells
    seen = []
    for number, frame in enumerate(reply["frames"]):
        first = number * 256 // bits
        (_, _, own), _ = frame["marks"]
        seen += own
        assert {cells.coordinate[at][1] // (256 // bits) for at in own} == {number}
        start = int(tw.descriptor(layout, element, unit=unit, at=(0, first)).fields.start)
        assert frame["text"].endswith(f"byte {start}")
    assert sorted(seen) == list(range(len(cells)))


def test_what_no_descriptor_describes_is_told_and_a_box_is():
    reply = shown(accesses="wgmma\ntma")
    assert "has the swizzle Sw<3,3,3>" in reply["notes"][0]
    assert dict(reply["facts"])["TMA"] == "box {64, 64} once, CU_TENSOR_MAP_SWIZZLE_NONE"


# ---- the half tile


def test_the_half_tile_has_all_tables_of_its_note_and_its_slips():
    """That these tables are the note's but for the slips is what the analysis' own tests compare."""
    found = [table for preset in HALVES for table in shown(**preset.inputs)["tables"]]
    rows = {table["title"]: [row["cells"] for row in table["rows"]] for table in found if "slips" not in table["title"]}
    assert rows == {one.title: [list(row) for row in one.rows] for one in half_tile_tables.tables()}
    slips = [tuple(row["cells"]) for table in found if "slips" in table["title"] for row in table["rows"]]
    assert sorted(slips) == sorted(slip[:4] for slip in half_tile_tables.slips())


@pytest.mark.parametrize("preset", HALVES[1:], ids=lambda preset: preset.name)
def test_the_lanes_served_together_meet_in_no_place_with_the_swizzle(preset):
    reply = shown(**preset.inputs)
    *_, stored = drawn(reply)
    assert len(reply["frames"]) in (4, 8)
    for frame in reply["frames"]:
        *_, (_, _, own) = frame["marks"]
        places = [stored.cells[cell].column for cell in own]
        assert sorted(places) == list(range(8))
        assert frame["text"].endswith("8 vectors in 8 places, 1 in one at most")
    (step, *_) = reply["steps"]
    assert step["text"].startswith("lane 4")


@pytest.mark.parametrize(("field", "text"), [("swizzle", "(4,8)"), ("swizzle", "Sw<4,3,4>"), ("lane", "32")])
def test_what_is_wrong_of_a_half_tile_is_told_at_its_field(field, text):
    (problem,) = shown(**{**HALVES[1].inputs, field: text})["problems"]
    assert problem["field"] == field
