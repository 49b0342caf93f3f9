"""The JSON of a scene: nothing is lost, nothing wrong is taken."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from drawn import figures
from hypothesis import given
from hypothesis import strategies as st
from scenes import scenes

from tilewright.errors import UsageError
from tilewright.figures.draw import draw
from tilewright.figures.figure import Figure
from tilewright.figures.scene import SCHEMA, Scene
from tilewright.layout.layout import Layout

FIGURES = figures()
PLAIN = draw(Layout((2, 3), (3, 1)), element_bits=16).scene.to_json()


@given(scenes(keyed=True))
def test_a_scene_reads_back(scene: Scene) -> None:
    plain = scene.to_json()
    assert Scene.from_json(plain) == scene
    assert json.loads(json.dumps(plain)) == plain
    assert Scene.from_json(json.loads(Figure(scene).json())) == scene


@pytest.mark.parametrize("name", FIGURES)
def test_every_picture_reads_back_and_is_written_the_same(name: str) -> None:
    figure = FIGURES[name]
    back = Figure(Scene.from_json(json.loads(figure.json())))
    assert back == figure
    assert (back.svg(), back.text()) == (figure.svg(), figure.text())


def test_columns_are_as_long_as_there_are_cells() -> None:
    for figure in FIGURES.values():
        for panel in figure.scene.to_json()["panels"]:  # type: ignore[attr-defined]  # JSON of known form
            assert len({len(column) for column in panel["cells"].values()}) == 1


def changed(path: str, value: object) -> Any:
    """The plain scene with another value at a path such as `panels.0.cells.row`."""
    plain = copy.deepcopy(PLAIN)
    *way, last = (int(step) if step.isdigit() else step for step in path.split("."))
    node: Any = plain
    for step in way:
        node = node[step]
    node[last] = value
    return plain


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("schema", "tilewright.scene/2", f"scene.schema must be '{SCHEMA}', got 'tilewright.scene/2'"),
        ("title", 3, "scene.title must be a text, got 3"),
        ("panels", {}, "scene.panels must be a list"),
        ("panels.0", 7, "scene.panels[0] must be an object, got 7"),
        ("panels.0.place", [1], "scene.panels[0].place must be a row and a column"),
        ("panels.0.rows.rules", [9], "scene.panels[0].rows.rules[0] must be an integer from 0 to 1, got 9"),
        ("panels.0.cells.row", [0, 0, 0, 1, 1, 2], "scene.panels[0].cells.row[5] must be an integer from 0 to 1"),
        ("panels.0.cells.row", [0], "scene.panels[0].cells.column must be a list of 1 items"),
        ("panels.0.cells.label", ["a"], "scene.panels[0].cells.label must be a list of 6 items"),
        ("panels.0.cells.tone.4", 8, "scene.panels[0].cells.tone[4] must be an integer from 0 to 7, got 8"),
        ("panels.0.cells.tone.4", True, "scene.panels[0].cells.tone[4] must be an integer from 0 to 7, got True"),
        ("panels.0.cells.marked", [0] * 6, "scene.panels[0].cells.marked[0] must be true or false"),
        ("panels.0.cells.elements.1", 5, "scene.panels[0].cells.elements[1] must be a list, got 5"),
        ("panels.0.cells.offset.1", 1.5, "scene.panels[0].cells.offset[1] must be an integer, got 1.5"),
        ("panels.0.cells.offset.1", 2**70, "scene.panels[0].cells.offset[1] must be an integer"),
        (
            "panels.0.cells.coordinate.2",
            ["x"],
            "scene.panels[0].cells.coordinate[2] must be an integer, got ['x']",
        ),
        ("panels.0.cells.owner", [[[1]]] * 6, "scene.panels[0].cells.owner[0] must be a thread and a value"),
        ("panels.0.cells.place", [[3]] * 6, "scene.panels[0].cells.place[0] must be an object"),
        ("legend.palette", "loud", "scene.legend.palette must be hues or steps, got 'loud'"),
        ("legend.swatches", [{"tone": 8}], "scene.legend.swatches[0].tone must be an integer from 0 to 7"),
        ("arrows", [[]], "scene.arrows[0] must be a start and an end"),
        ("arrows", [[{"panel": 1}] * 2], "scene.arrows[0][0].panel must be an integer from 0 to 0, got 1"),
        ("panels.0.rows.labels", [], "scene.panels[0].rows.labels must be a list of one or more labels"),
        ("notes", "n", "scene.notes must be a list"),
    ],
)
def test_what_is_no_scene_is_refused_with_its_place(path: str, value: object, words: str) -> None:
    with pytest.raises(UsageError) as error:
        Scene.from_json(changed(path, value))
    assert words in str(error.value)


@pytest.mark.parametrize("value", [None, 3, "scene", [], {}, [{}]])
def test_other_values_are_no_scenes(value: object) -> None:
    with pytest.raises(UsageError, match="scene"):
        Scene.from_json(value)


def test_deep_lists_are_refused() -> None:
    deep: object = 1
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(UsageError, match="coordinate"):
        Scene.from_json(changed("panels.0.cells.coordinate.0", deep))


def paths(node: object, way: str = "") -> list[str]:
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    below = [(f"{way}.{name}" if way else str(name), value) for name, value in items]
    return [path for name, value in below for path in (name, *paths(value, name))]


junk = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.lists(st.integers(), max_size=2)
)


@given(st.sampled_from(paths(PLAIN)), junk)
def test_junk_anywhere_is_taken_or_refused(path: str, value: object) -> None:
    try:
        scene = Scene.from_json(changed(path, value))
    except UsageError:
        return
    assert Scene.from_json(scene.to_json()) == scene
    assert Figure(scene).svg()


@pytest.mark.parametrize("form", [Figure.svg, Figure.text, Figure.html])
def test_a_scene_without_panels_can_be_written(form: Callable[[Figure], str]) -> None:
    assert form(Figure(Scene.from_json({"schema": SCHEMA, "legend": {"palette": "hues"}, "notes": ["empty"]})))
