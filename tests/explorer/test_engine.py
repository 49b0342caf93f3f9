"""The engine answers what is asked and says what is wrong; nothing that is asked ends it, or takes long."""

from __future__ import annotations

import contextlib
import io
import json
from time import process_time

import pytest
from explored import lines_run

from tilewright.explorer.engine import Engine
from tilewright.explorer.fields import MOST as LONGEST
from tilewright.explorer.limits import MOST
from tilewright.figures.scene import Scene

ENGINE = Engine()
PRESETS = [(tab, preset) for tab in ENGINE.tabs.values() for preset in tab.presets]
HOSTILE = (
    *("", " ", "(" * 5000, "9" * 5000, "x" * 5000, "\x00", "²:1", "<script>alert(1)</script>", "import os"),
    *(
        "(999999999,999999999):(1,1)",
        "4096:1)",
        "((((((4,8),8),8),8),8),8):1",
        "-1:1",
        "0:1",
        "S[",
        "Swizzle<99,99,99>",
    ),
)


def answer(tab, **inputs):
    return ENGINE.reply({"ask": "answer", "tab": tab, "inputs": inputs})


@pytest.mark.parametrize(("tab", "preset"), PRESETS, ids=[f"{tab.name}: {preset.name}" for tab, preset in PRESETS])
def test_every_preset_is_answered_with_scenes_that_can_be_read_back(tab, preset):
    reply = json.loads(ENGINE.text(json.dumps({"ask": "answer", "tab": tab.name, "inputs": dict(preset.inputs)})))
    assert reply["scenes"]
    for scene in reply["scenes"]:
        assert Scene.from_json(scene).to_json() == scene


@pytest.mark.parametrize("tab", ENGINE.tabs)
def test_names_and_defaults_are_those_of_the_fields(tab):
    fields = {field.name: field for field in ENGINE.tabs[tab].fields}
    for field in fields.values():
        assert field.label
        assert field.kind != "choice" or field.default in field.options
        assert field.wanted is None or (
            field.wanted[0] in fields and set(field.wanted[1]) <= set(fields[field.wanted[0]].options) | {"1"}
        )
    for preset in ENGINE.tabs[tab].presets:
        assert preset.inputs.keys() <= fields.keys()


@pytest.mark.parametrize("tab", ENGINE.tabs)
def test_a_page_that_drops_defaults_knows_every_preset_by_its_inputs(tab):
    told = ENGINE.tabs[tab].to_json()
    defaults = {field["name"]: field["default"] for field in told["fields"]}
    seen = [frozenset(preset["inputs"].items()) for preset in told["presets"]]
    assert len(set(seen)) == len(seen)
    assert not any(defaults.items() & inputs for inputs in seen)


# Those of the tab of atoms are run by test_atoms_tab.py.
RUN = [(tab, preset) for tab, preset in PRESETS if tab.name != "atoms"]


@pytest.mark.parametrize(("tab", "preset"), RUN, ids=[f"{tab.name}: {preset.name}" for tab, preset in RUN])
def test_the_lines_of_python_run_and_draw_what_the_page_does(tab, preset):
    reply = answer(tab.name, **preset.inputs)
    with contextlib.redirect_stdout(io.StringIO()):
        known = lines_run(reply["python"])
    if tab.name in ("layout", "placement"):
        assert known["figure"].scene.to_json()["panels"] == reply["scenes"][0]["panels"]


def asking(fields, field):
    """Inputs with which the field is asked for."""
    if not field.wanted:
        return {}
    name, values = field.wanted
    return asking(fields, fields[name]) | {name: values[0]}


@pytest.mark.parametrize("tab", ENGINE.tabs)
def test_hostile_texts_get_a_problem_or_an_answer_soon(tab):
    fields = {field.name: field for field in ENGINE.tabs[tab].fields}
    for field in fields.values():
        for text in HOSTILE:
            begun = process_time()
            reply = answer(tab, **asking(fields, field), **{field.name: text})
            assert "scenes" in reply or all(problem["message"] for problem in reply["problems"])
            assert process_time() - begun < 2, (field.name, text)


def test_a_wrong_text_is_told_at_its_field_and_place():
    (problem,) = answer("layout", a="(4,8):(8,1")["problems"]
    assert (problem["field"], problem["position"]) == ("a", 10)
    assert ")" in problem["message"]
    assert "\n" not in problem["message"]  # the page draws the caret


@pytest.mark.parametrize(
    "request_",
    [
        None,
        3,
        [],
        {},
        {"ask": "answer"},
        {"ask": "answer", "tab": []},
        {"ask": "answer", "tab": "layout", "inputs": []},
        {"ask": "answer", "tab": "layout", "inputs": {"a": 4}},
        {"ask": "svg", "tab": "layout", "scene": 1},
        {"ask": "svg", "tab": "layout", "scene": -1},
        {"ask": "svg", "tab": "layout", "scene": True},
        {"ask": "svg", "tab": "layout", "scene": False},
    ],
)
def test_what_is_no_request_gets_a_problem(request_):
    assert ENGINE.reply(request_)["problems"]


def test_a_request_has_so_many_bytes_at_most():
    tabs = '{"ask":"tabs"}'
    assert "tabs" in json.loads(ENGINE.text(tabs.ljust(MOST)))
    assert "too long" in json.loads(ENGINE.text(tabs.ljust(MOST + 1)))["problems"][0]["message"]


def test_a_field_has_so_many_characters_at_most():
    assert "scenes" in answer("layout", a="4:1".ljust(LONGEST))
    (problem,) = answer("layout", a="4:1".ljust(LONGEST + 1))["problems"]
    assert (problem["field"], problem["position"]) == ("a", LONGEST)


def test_a_scene_is_written_as_svg():
    assert ENGINE.reply({"ask": "svg", "tab": "layout", "inputs": {"a": "4:1"}, "scene": 0})["svg"].startswith("<svg")
