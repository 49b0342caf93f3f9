"""The layout half needs the standard library alone: tabs answer the same without numpy, xDSL and sockets."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tilewright.explorer.engine import Engine
from tilewright.explorer.tab import Tab
from tilewright.notation import parse
from tilewright.tirx.hardware.fragments import mma_fragment_layout

ENGINE = Engine()

BARE = """
import json, sys

class Absent:
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in ("numpy", "ml_dtypes", "xdsl", "socket"):
            raise ModuleNotFoundError(f"{name} is not here", name=name)

sys.meta_path.insert(0, Absent())

from tilewright.explorer.engine import Engine

engine = Engine()
json.dump([engine.reply(request) for request in json.load(sys.stdin)], sys.stdout)
"""


def requests(tab: Tab) -> list[dict[str, object]]:
    """A tab's presets, and the last choice of each of its fields."""
    choices = [{field.name: field.options[-1]} for field in tab.fields if field.options]
    asked = [*(dict(preset.inputs) for preset in tab.presets), *choices]
    return [{"ask": "answer", "tab": tab.name, "inputs": inputs} for inputs in asked]


def without(asked: list[dict[str, object]]) -> list[object]:
    """The replies to requests in an interpreter without them."""
    said = subprocess.run(
        [sys.executable, "-c", BARE], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert said.returncode == 0, said.stderr
    return json.loads(said.stdout)


@pytest.fixture(scope="module")
def bare() -> dict[str, list[object]]:
    """What each tab replies without them, in one interpreter."""
    asked = {name: requests(tab) for name, tab in ENGINE.tabs.items()}
    replies = iter(without([request for each in asked.values() for request in each]))
    return {name: [next(replies) for _ in each] for name, each in asked.items()}


@pytest.mark.parametrize("tab", ENGINE.tabs)
def test_a_tab_answers_the_same_without_numpy(bare, tab):
    for request, reply in zip(requests(ENGINE.tabs[tab]), bare[tab], strict=True):
        assert json.loads(json.dumps(ENGINE.reply(request))) == reply, request


def test_what_needs_numpy_is_told_at_its_field():
    inputs = {"tile": "(128,64):(64,1)", "accesses": "load rows 4B", "dtype": "float32"}
    (reply,) = without([{"ask": "answer", "tab": "banks", "inputs": inputs}])
    (problem,) = reply["problems"]
    assert problem["field"] == "accesses"
    assert problem["message"] == "8192 elements need numpy; without it the limit is 4096"


def test_the_fragment_that_is_written_out_is_the_instruction_s():
    (preset,) = (preset for preset in ENGINE.tabs["placement"].presets if preset.name == "WGMMA D fragment")
    answer = ENGINE.reply({"ask": "answer", "tab": "placement", "inputs": dict(preset.inputs)})
    assert parse(dict(answer["facts"])["layout"]) == mma_fragment_layout("SM90_64x8x16_F32F16F16_SS", "C")
