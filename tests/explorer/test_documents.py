"""Every number that documents 003 and 004 state, beside what the page answers; `slips` are where they are wrong.

`documents_003_004.json` holds the statements, as formulas of the coordinate where they are formulas.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from explored import drawn
from formulas import worked

from tilewright.explorer.engine import Engine

ENGINE = Engine()
STATED = json.loads((Path(__file__).parents[1] / "data/documents_003_004.json").read_text())


def asked(tab, **inputs):
    reply = ENGINE.reply({"ask": "answer", "tab": tab, "inputs": inputs})
    assert "problems" not in reply, reply
    return reply


def said(formulas, **names):
    return {axis: worked(text, **names) for axis, text in formulas.items()}


# ---- 003: placements


@pytest.mark.parametrize("one", STATED["placements"], ids=lambda one: one["said"])
def test_every_element_lies_where_the_formulas_say(one):
    tab = ENGINE.tabs["placement"]  # asked itself: JSON of so many cells takes longer than they do
    elements = tab.answer(tab.inputs(one["inputs"])).scenes[0].panels[0].cells
    found = set()
    for coordinate, places in zip(elements.coordinate, elements.place, strict=True):
        names = dict(zip(one["names"], coordinate, strict=True))
        wanted = [said(one["axes"], r=r, **names) for r in range(one["copies"])]
        assert sorted(map(sorted, map(dict.items, map(dict, places)))) == sorted(map(sorted, map(dict.items, wanted)))
        found.update(places)
    for axis, (first, end) in one.get("covered", {}).items():
        assert {dict(place)[axis] for place in found} == set(range(first, end))
    for axis, positions in one.get("found", {}).items():
        assert sorted({dict(place)[axis] for place in found}) == positions


def test_the_steps_flatten_and_split_as_stated():
    stated, names = STATED["steps"], {"i": 2, "j": 5}
    flat, split, *_ = [step["text"] for step in asked("placement", at=stated["at"])["steps"][0]["steps"]]
    assert flat.startswith(f"flat = {worked(stated['flat'], **names)},")
    assert split.endswith(": " + ", ".join(str(worked(digit, **names)) for digit in stated["digits"]))


@pytest.mark.parametrize("one", STATED["presets"].values(), ids=STATED["presets"])
def test_ready_made_layouts_lie_where_it_is_stated(one):
    preset = next(preset for preset in ENGINE.tabs["placement"].presets if preset.name == one["preset"])
    cells = drawn(asked("placement", **preset.inputs))[0].cells
    for (i, j), (place,) in zip(cells.coordinate, cells.place, strict=True):
        assert dict(place) == said(one["axes"], i=i, j=j)


@pytest.mark.parametrize("one", STATED["memory"], ids=lambda one: one["swizzle"])
def test_addresses_bytes_banks_and_lines_are_the_stated_ones(one):
    inputs = {"shape": "(8,64)", "shard": "(8,64):(64@m,1@m)", "replica": "", "offset": ""}
    reply = asked("placement", **inputs, swizzle=one["swizzle"])
    cells = drawn(reply)[0].cells
    for (i, j), offset, bank, line in zip(cells.coordinate, cells.offset, cells.bank, cells.line, strict=True):
        address = worked(one["address"], i=i, j=j)
        byte = worked(STATED["bank"]["byte"], address=address)
        assert offset == address
        assert (bank, line) == tuple(worked(STATED["bank"][name], byte=byte) for name in ("bank", "line"))
    banks = ", ".join(map(str, one["banks_of_column_0"]))
    assert reply["frames"][0]["text"].endswith(f": {banks}")
    if "parameters" in one:
        assert dict(reply["facts"])["swizzle"] == one["parameters"]


# ---- 004: one mode


@pytest.mark.parametrize("one", STATED["choices"]["rows"], ids=lambda one: f"R = {one['R']}")
def test_what_follows_from_each_r_is_as_stated(one):
    stated = STATED["choices"]
    reply = asked("permutation", F=str(stated["F"]), block=str(stated["block"]), R=str(one["R"]))
    facts, right = dict(reply["facts"]), one | stated["slips"].get(str(one["R"]), {})
    assert facts["period = F R"] == str(one["period"])
    assert facts["repetitions = block / period"] == f"{stated['block']} / {one['period']} = {one['repetitions']}"
    assert facts["elements of a thread"] == f"{one['shape']} = {one['R'] * one['repetitions']}"
    groups = [frame["text"] for frame in reply["frames"]]
    assert groups == [", ".join(map(str, group)) for group in one["elements"]]
    row = next(row["cells"] for row in reply["tables"][0]["rows"] if row["cells"][0] == str(one["R"]))
    assert row[1:4] == [str(one["period"]), str(one["repetitions"]), f"{right['bits']} bits"]


def test_the_choice_and_the_lists_of_threads_are_as_stated():
    stated = STATED["choices"]
    reply = asked("permutation")
    assert dict(reply["facts"])["permutation"] == stated["permutation for R = 4"]
    lists = dict(row["cells"] for row in reply["tables"][1]["rows"])
    for thread, elements in stated["columns of threads for R = 4"].items():
        assert lists[thread] == elements
    for element, best in stated["rule of thumb"].items():
        assert asked("permutation", dtype=element, R="0")["tables"][0]["rows"][0]["cells"][0] == str(best)


# ---- 004: tiles


@pytest.mark.parametrize("one", STATED["tiles"], ids=["tensor cores", "threads"])
def test_coverage_steps_and_accumulators_are_as_stated(one):
    reply = asked("permutation", **one["inputs"])
    facts, right = dict(reply["facts"]), one | one["slips"]
    for name, numbers in (("covered at once", "covered"), ("expansion", "expansion"), ("steps", "steps")):
        assert facts[name] == " x ".join(map(str, one[numbers]))
    times = one["to cover"] // one["in C"]
    assert facts["to cover"].endswith(f"= {one['to cover']} of C, {times} times the {one['in C']} covered at once")
    assert facts["accumulators"] == f"{right['accumulators']} ({right['bytes']} bytes)"
    account = " ".join(step["text"] for step in reply["steps"])
    per_step, per_tile = right["calls"]
    assert f"{per_step} per K step" in account
    assert f"{per_tile} per tile" in account
    (steps,) = (panel for panel in drawn(reply, 1) if " the tile: " in panel.title)
    assert list(steps.rows.labels) == list(steps.columns.labels) == one["ranges"]
    assert list(steps.cells.label) == [str(number) for number in range(len(one["ranges"]) ** 2)]


def test_where_it_is_wrong_the_page_says_so():
    cases = ({}, {"of": "a tiled MMA"}, STATED["tiles"][1]["inputs"])
    rows = [row["cells"] for inputs in cases for row in asked("permutation", **inputs)["tables"][-1]["rows"]]
    assert [places for places, *_ in rows] == [
        *("permutation for R = 4", "elements of thread 0 for R = 1", "shapes of a thread for R = 1 and R = 8"),
        *("coalescing for R = 1", "stores for R = 8", "accumulators of a thread", "MMA calls per K step"),
        *("whose responsibility 32 x 32 is", "columns of a warp", "choice of the grouping", "picture of the warps"),
        "neighbouring threads",
    ]
    others = [asked("permutation", block="64", R="2"), asked("permutation", of="a tiled MMA", layout="(4,1,1)", M="64")]
    assert not any("slips" in table["title"] for reply in others for table in reply["tables"])
