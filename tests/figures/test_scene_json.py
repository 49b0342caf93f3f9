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
        ("schema", "tilewright.scene/1", f"scene.schema must be '{SCHEMA}', got 'tilewright.scene/1'"),
        ("title", 3, "scene.title must be a text, got 3"),
        ("panels", {}, "scene.panels must be a list"),
        ("panels.0", 7, "scene.panels[0] must be an object, got 7"),
        ("panels.0.place", [1], "scene.panels[0].place must be a row and a column"),
        ("panels.0.rows.rules", [9], "scene.panels[0].rows.rules[0] must be an integer from 0 to 1, got 9"),
        ("panels.0.cells", {"count": 7}, "scene.panels[0].cells.count must be an integer from 0 to 6, got 7"),
        ("panels.0.cells", {"count": 1, "row": [2], "column": [0]}, "cells.row[0] must be an integer from 0 to 1"),
        ("panels.0.cells", {"count": 2, "row": [0, 1], "column": [0]}, "cells.column must be a list of 2 items"),
        ("panels.0.cells.note", {"text": ["a"]}, "scene.panels[0].cells.note.text must be texts and one or more col"),
        ("panels.0.cells.note", {"text": ["a", {"of": "notes"}]}, "cells.note.text[1].of must be one of the columns"),
        ("panels.0.cells.note", {"of": "offset"}, "cells.note must be a list, or an object with all or rows or text"),
        ("panels.0.cells.note", {"text": ["x" * 3_000_000, [1] * 6]}, "cells.note must be at most 16777216 characters"),
        ("panels.0.cells.offset", {"rows": [0], "columns": [1, 2, 3]}, "what each of 3 columns has, and each of 2"),
        (
            "panels.0.cells.offset",
            {"rows": [0, None], "columns": [1, 2, 3]},
            "offset must be numbers alone, texts",
        ),
        ("panels.0.cells.tone", {"of": "offset"}, "tone must be a list, or an object with all"),
        ("panels.0.cells.group", {"of": "note"}, "cells.group.of must be one of the columns before it"),
        ("panels.0.cells.place", {"copies": [{"m": [1]}]}, "cells.place.copies[0].m must be a list of 6 items"),
        ("panels.0.cells.label", ["a"], "scene.panels[0].cells.label must be a list of 6 items"),
        ("panels.0.cells.tone.4", 8, "scene.panels[0].cells.tone[4] must be an integer from 0 to 7, got 8"),
        ("panels.0.cells.tone.4", True, "scene.panels[0].cells.tone[4] must be an integer from 0 to 7, got True"),
        ("panels.0.cells.marked", [0] * 6, "scene.panels[0].cells.marked[0] must be true or false"),
        ("panels.0.cells.elements", [1, "5", 2, 3, 4, 5], "scene.panels[0].cells.elements[1] must be a list, got '5'"),
        ("panels.0.cells.elements.rows.1", "5", "scene.panels[0].cells.elements.rows[1] must be an integer, got '5'"),
        ("panels.0.cells.offset.1", 1.5, "scene.panels[0].cells.offset[1] must be an integer, got 1.5"),
        ("panels.0.cells.offset.1", 2**70, "scene.panels[0].cells.offset[1] must be an integer"),
        (
            "panels.0.cells.coordinate.columns.2",
            ["x"],
            "scene.panels[0].cells.coordinate.columns[2] must be an integer, got ['x']",
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
        Scene.from_json(changed("panels.0.cells.coordinate.rows.0", deep))


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
