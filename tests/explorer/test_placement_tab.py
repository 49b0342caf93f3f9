"""What the tab of placements shows is what the layouts answer."""

from __future__ import annotations

import pytest
from explored import drawn, lines_run

from tilewright.explorer.engine import Engine
from tilewright.notation import parse

ENGINE = Engine()
TAB = ENGINE.tabs["placement"]


def shown(**inputs):
    return ENGINE.reply({"ask": "answer", "tab": "placement", "inputs": inputs})


@pytest.mark.parametrize("preset", TAB.presets, ids=lambda preset: preset.name)
def test_every_place_is_one_of_its_elements_and_the_other_way_round(preset):
    reply = shown(**preset.inputs)
    layout = parse(dict(reply["facts"])["layout"])
    elements, places = (panel.cells for panel in drawn(reply))
    numbers = [element for (element,) in elements.elements]
    assert sorted(numbers) == list(range(layout.size()))
    if not any(elements.place):  # in memory: words, which the pictures' own tests compare
        assert list(elements.offset) == [layout.apply(number)["m"] for number in numbers]
        return
    told = {
        (number, key(dict(place))) for number, copies in zip(numbers, elements.place, strict=True) for place in copies
    }
    true = {(number, key(place)) for number in numbers for place in copies_of(layout.apply(number))}
    there = {
        (number, key(dict(place)))
        for held, (place,) in zip(places.elements, places.place, strict=True)
        for number in held
    }
    assert told == true == there


NAMED = (
    *("shard to lanes", "shard with registers", "shard with replica", "tensor-core tile", "2x2 mesh"),
    *("mesh with replica", "P/F scratchpad", "TLane/TCol", "1-D", "shared tile, plain"),
    *(f"shared tile, {mode} swizzle" for mode in ("32B", "64B", "128B")),
    *("WGMMA D fragment", "tcgen05.ld 32x32b", "accumulator of two SMs", "scale factors"),
)


def test_the_presets_have_their_names():
    assert set(NAMED) <= {preset.name for preset in TAB.presets}


def key(place):
    return tuple(sorted((str(axis), position) for axis, position in place.items()))


def copies_of(found):
    return [found] if isinstance(found, dict) else list(found)


@pytest.mark.parametrize(("mode", "banks"), [("none", 1), ("32B", 2), ("64B", 4), ("128B", 8)])
def test_the_first_column_of_a_tile_of_halves_meets_as_many_banks_as_its_swizzle_gives(mode, banks):
    reply = shown(shape="(8,64)", shard="(8,64):(64@m,1@m)", replica="", offset="", swizzle=mode)
    assert f" in {banks} bank" in reply["frames"][0]["text"]
    (_, _, tile), (_, _, words) = reply["frames"][0]["marks"]
    assert len(tile) == 8
    cells = drawn(reply)[1].cells
    assert len({cells.bank[word] for word in words}) == banks


def test_the_steps_are_those_of_the_element_asked_for():
    steps = shown(at="(2,5)")["steps"][0]["steps"]
    assert steps[0]["text"] == "flat = 37, of (2, 5) in (8, 16)"
    assert "outside the shape" in shown(at="(8,0)")["steps"][0]["text"]  # of a tile that has changed since a click
    assert shown(at="(x")["problems"][0]["field"] == "at"


@pytest.mark.parametrize("at", ["(2,5)", "(8,0)", "500", "(1,2,3,4,5)"])
def test_the_lines_of_python_run_whatever_the_tile_has_become_since_the_click(at, capsys):
    reply = shown(at=at)
    lines_run(reply["python"])
    steps = reply["steps"][0]
    assert [line["text"] for line in steps["steps"]] == capsys.readouterr().out.splitlines()[1:]


@pytest.mark.parametrize("shape", ["", "(8,16)", "(8,2,8)"])
def test_a_clicked_element_is_explained_with_the_places_that_its_cell_has(shape):
    cells = drawn(shown(shape=shape, replica="", offset=""))[0].cells
    for coordinate, (place,) in list(zip(cells.coordinate, cells.place, strict=True))[5::37]:
        steps = shown(shape=shape, replica="", offset="", at=str(coordinate))["steps"][0]["steps"]
        told = {line["text"].split(" = ")[0]: int(line["text"].split(" = ")[-1]) for line in steps[2:]}
        assert told == dict(place)


@pytest.mark.parametrize(
    ("field", "text", "position"),
    [
        ("shard", "(8,4:(4@laneid)", 4),
        ("shard", "8:1@nowhere", -1),
        ("replica", "2:", 2),
        ("offset", "5@", 2),
        ("shape", "(8,x)", 3),
    ],
)
def test_a_wrong_part_is_told_at_its_own_field_and_place(field, text, position):
    (problem,) = shown(**{field: text})["problems"]
    assert problem["field"] == field
    assert position in (-1, problem["position"])
