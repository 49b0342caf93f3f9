"""The tab of permutations shows who owns what as the layouts say, and derives its numbers as the analysis does."""

from __future__ import annotations

import pytest
from explored import drawn

import tilewright as tw
from tilewright.explorer.engine import Engine

ENGINE = Engine()


def shown(**inputs):
    return ENGINE.reply({"ask": "answer", "tab": "permutation", "inputs": inputs})


@pytest.mark.parametrize("preset", ENGINE.tabs["permutation"].presets, ids=lambda preset: preset.name)
def test_pictures_say_what_their_cells_show_and_leave_the_rest_to_the_words_below(preset):
    for scene in shown(**dict(preset.inputs))["scenes"]:
        assert scene["notes"][0].startswith("in each cell: ")
        assert len(scene["notes"]) <= 2


@pytest.mark.parametrize(
    ("F", "R", "block"), [(16, 4, 128), (16, 1, 128), (16, 8, 128), (4, 3, 24), (1, 1, 1), (8, 2, 64)]
)
def test_the_owners_are_those_of_the_groups(F, R, block):
    cells = drawn(shown(F=str(F), R=str(R), block=str(block)))[0].cells
    owners = {element: thread for (element,), ((thread, _),) in zip(cells.elements, cells.owner, strict=True)}
    assert owners == {element: element // R % F for element in range(block)}


def test_the_numbers_of_the_page_on_permutations():
    reply = shown()
    facts = dict(reply["facts"])
    assert facts["period = F R"] == "64"
    assert facts["repetitions = block / period"] == "128 / 64 = 2"
    assert facts["permutation"] == "(16,4):(4,1)"
    assert [frame["text"] for frame in reply["frames"]] == ["0, 1, 2, 3", "64, 65, 66, 67"]
    assert [row["cells"][0] for row in reply["tables"][0]["rows"]] == ["4", "8", "2", "1"]  # the best first
    for row in reply["tables"][0]["rows"]:
        assert dict(shown(**row["apply"])["facts"])["R (free)"] == row["cells"][0]


def test_the_walk_of_a_thread_is_the_order_of_its_registers():
    reply = shown(of="a tiled MMA", thread="5")
    tiled = tw.make_tiled_mma(tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN"), tw.Layout((2, 2, 1)), (32, 32, 16))
    elements = tw.analysis.explain_permutation(tiled, (128, 128, 32)).elements(5)
    cells = drawn(reply)[0].cells
    walked = [(cells.coordinate[frame["marks"][0][2][0]]) for frame in reply["frames"]]
    assert walked == [at for at in elements if max(at) < 32]
    assert all((5, value) in cells.owner[frame["marks"][0][2][0]] for value, frame in enumerate(reply["frames"][:4]))


@pytest.mark.parametrize(
    ("field", "text"),
    [("R", "3"), ("R", "-1"), ("F", "0"), ("block", "100"), ("thread", "16"), ("dtype", "x")],
)
def test_what_is_wrong_is_told_at_its_field(field, text):
    (problem,) = shown(**{field: text})["problems"]
    assert problem["field"] == field


@pytest.mark.parametrize(
    ("field", "text"),
    [("atom", "SM80_x"), ("layout", "(2,"), ("M", "(3,5"), ("tile", "(1,2)"), ("tile", "(100,128,32)")],
)
def test_what_is_wrong_of_a_tile_is_told_at_its_field(field, text):
    (problem,) = shown(**{"of": "a tiled MMA", field: text})["problems"]
    assert problem["field"] == field
