"""The notebook's widget as Python sees it: what is held, set and asked; what is refused leaves it as it was."""

from __future__ import annotations

import json
import sys
from importlib.resources import files

import numpy
import pytest
import traitlets

import tilewright as tw
from tilewright.errors import TilewrightError, UsageError
from tilewright.explorer.engine import Engine
from tilewright.explorer.fields import FieldError
from tilewright.figures.draw import draw
from tilewright.figures.links import BY
from tilewright.layout.inttuple import to_text
from tilewright.notebook.held import FOUND, cell_at, find
from tilewright.notebook.widget import Explorer

TILE = tw.composition(tw.Swizzle(2, 0, 2), tw.Layout((4, 8), (8, 1)))
ENGINE = Engine()


def answered(*, tab="layout", **inputs):
    return ENGINE.answer(tab, inputs).scenes


def test_each_cell_is_held_as_what_the_layout_makes_of_it():
    widget = tw.explore(TILE)
    seen = []
    widget.observe(lambda change: seen.append(change["new"]), "held")
    for number in range(tw.size(TILE)):
        widget.set_state({"_at": [0, 0, number]})  # as a click does
        assert widget.held.offset == TILE(*widget.held.coordinate)
    assert len({one.coordinate for one in seen}) == len(seen) == tw.size(TILE)


def test_a_held_cell_has_all_that_its_key_has():
    tv = tw.Layout(((4, 8), (2, 2)), ((32, 1), (16, 8)))
    for scenes in (draw(tv, kind="tv").scene,), answered(tab="placement"), answered(tab="banks"):
        for scene in scenes:
            for number, cell in [*enumerate(scene.panels[0].cells)][::7]:
                held = cell_at([scene], [0, 0, number])
                assert all(getattr(held, name) == there for name, there in cell.key._asdict().items())
                assert held.at == (0, 0, number)
                assert held.index == (cell.key.elements[0] if cell.key.elements else None)
                assert (held.thread, held.value) == (cell.key.owner[0] if cell.key.owner else (None, None))


def test_of_several_scenes_and_owners_the_one_is_told_that_is_meant():
    first, second = draw(TILE).scene, draw(tw.Layout((4, 8), (1, 4))).scene
    assert [cell_at([first, second], [scene, 0, 13]).offset for scene in (0, 1)] == [TILE(1, 5), 21]
    assert find([first, second], {"scene": 1, "coordinate": (1, 5)}).offset == 21
    copied = draw(tw.Layout(((2, 2), (2, 2)), ((0, 1), (0, 2))), kind="tv").scene  # two threads have an element twice
    held = find([copied], {"index": 3})
    assert {tuple(owner) for owner in held.owner} == {(thread, value) for thread in (2, 3) for value in (2, 3)}
    assert (held.thread, held.value) == held.owner[0] != held.owner[-1]


def test_a_cell_is_found_by_each_name_that_it_has():
    scenes = (*answered(tab="placement"), *answered(tab="banks"))
    for number in (0, 5, 21):
        held = cell_at(scenes, [0, 0, number])
        for name, read in FOUND.items():
            for value in read(held):
                if value is not None:
                    assert value in read(find(scenes, {name: value}))
    assert BY.keys() < FOUND.keys()


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"offset": 99}, "no cell of the picture has offset=99"),
        ({"offset": True}, "no cell"),
        ({"offset": "3"}, "no cell"),
        ({"coordinate": [0, 1]}, "no cell"),
        ({"ofset": 3}, "did you mean offset?"),
    ],
)
def test_what_no_cell_has_is_refused(wanted, said):
    with pytest.raises(UsageError) as caught:
        find((draw(TILE).scene,), wanted)
    assert said in str(caught.value)


def test_what_is_held_can_be_set_and_let_go():
    widget = tw.explore(TILE)
    held = widget.hold(row=1, column=2)
    assert widget.get_state(["_at"]) == {"_at": [*held.at]}  # which the page hears
    widget.held = None
    assert widget.get_state(["_at"]) == {"_at": None}
    widget.held = held
    assert widget.held == held
    other = tw.explore(tw.Layout((2, 2)))
    other.held = held  # has no such cell
    assert other.held is None


def test_new_inputs_hold_the_cell_anew_wrong_ones_leave_it_and_smaller_ones_let_it_go():
    widget = tw.explore(inputs={"a": "(4,8):(8,1)"})
    widget.hold(coordinate=(1, 5))
    widget.inputs = {"a": "(4,8):(1,4)"}
    assert (widget.held.coordinate, widget.held.offset) == ((1, 5), 21)
    widget.inputs = {"a": "(4,8):(1,4"}
    assert widget.held.offset == 21
    with pytest.raises(FieldError) as caught:
        _ = widget.answer
    assert (caught.value.field, caught.value.position) == ("a", 10)
    widget.inputs = {"a": "(2,2):(1,2)"}
    assert widget.held is None


def test_what_is_held_explains_itself_as_it_does_by_a_click():
    widget = tw.explore(tab="placement", inputs={"shape": "(4,32)"})
    held = widget.hold(coordinate=(2, 5))
    assert widget.inputs == {"shape": "(4,32)", "at": to_text(held.coordinate)}
    assert widget.answer == ENGINE.answer("placement", {"shape": "(4,32)", "at": "(2,5)"})


WRONG = [
    {"tab": "nothing"},
    {"tab": None},
    {"tab": ["layout"]},
    {"inputs": []},
    {"inputs": {"a": 4}},
    {"inputs": None},
    {"_at": "abc"},
    {"_at": [0, 0]},
    {"_at": [0, -1, 0]},
    {"_at": [0, True, 0]},
    {"_at": {"scene": 0}},
    {"inputs": {"a": "(2,2)"}, "_at": [0, 0, 1.5]},
]


@pytest.mark.parametrize("state", WRONG, ids=str)
def test_a_state_that_cannot_be_is_our_error_and_changes_nothing(state):
    widget = tw.explore()
    widget.hold(offset=3)
    before = widget.get_state(), widget.held
    with pytest.raises(UsageError) as caught:
        widget.set_state(state)
    assert isinstance(caught.value, traitlets.TraitError)
    assert (widget.get_state(), widget.held) == before


def test_a_place_that_there_is_not_holds_nothing():
    widget = tw.explore(TILE)
    for place in ([0, 0, 99], [0, 7, 0], [7, 0, 0], [10**30] * 3):
        widget.set_state({"_at": place})
        assert widget.held is None
        assert widget.get_state(["_at"]) == {"_at": None}


def sent(widget, monkeypatch, content, buffers=()):
    """What the widget replies to a message."""
    replies = []
    monkeypatch.setattr(Explorer, "send", lambda self, content, buffers: replies.append((content["id"], *buffers)))
    widget._handle_custom_msg(content, buffers)
    ((name, reply),) = replies
    return name, reply.decode()


@pytest.mark.parametrize("tab", ENGINE.tabs)
def test_a_message_is_answered_as_the_engine_answers(tab, monkeypatch):
    request = json.dumps({"ask": "answer", "tab": tab, "inputs": dict(ENGINE.tabs[tab].presets[0].inputs)})
    assert sent(tw.explore(), monkeypatch, {"id": "x.1", "ask": request}) == ("x.1", ENGINE.text(request))


def test_hostile_messages_get_a_problem_each_and_the_widget_lives_on(monkeypatch):
    widget = tw.explore()
    hostile = [
        None,
        3,
        [],
        "ask",
        {},
        {"id": []},
        {"id": "x" * 999, "ask": "{}"},
        {"ask": 3},
        {"drop": 1},
        {"drop": True},
    ]
    hostile += [{"id": "a", "ask": text} for text in ("", "[" * 9999, '"\\ud800"', "x" * 99_999, "import os")]
    for content in hostile:
        name, reply = sent(widget, monkeypatch, content)
        assert json.loads(reply)["problems"][0]["message"]
        assert len(name) <= 1
    for content, buffers in (({"drop": 1}, [b"{}"]), ({"drop": True}, [b"{}", b"{}"])):
        _, reply = sent(widget, monkeypatch, content, buffers)
        assert "a message asks a text, or drops one buffer" in reply
    _, reply = sent(widget, monkeypatch, {"id": "b", "ask": '{"ask": "tabs"}'})
    assert [tab["name"] for tab in json.loads(reply)["tabs"]] == [*ENGINE.tabs]


def test_a_trace_that_is_dropped_is_the_widgets_own(monkeypatch):
    first, second = tw.explore(), tw.explore()
    text = b'{"schema":"tilewright.trace"}'
    assert sent(first, monkeypatch, {"id": "c", "drop": True}, [memoryview(text)]) == ("c", Engine().drop(text))
    assert first.engine.traces is not second.engine.traces


def shipped():
    return (files("tilewright.explorer.trace") / "shipped/mbarrier.json").read_text()


def test_a_trace_is_kept_and_shown():
    widget = tw.explore()
    text = shipped()
    for given in (text, text.encode()):
        widget.drop(given)
        assert widget.tab == "kernel"
        assert widget.answer.facts == ENGINE.answer("kernel", {"trace": "mbarrier and bulk copies"}).facts
    for given in ("nonsense", b"{}", None, {}, "\ud800"):
        before = widget.get_state()
        with pytest.raises(UsageError):
            widget.drop(given)
        assert widget.get_state() == before
    with pytest.raises(UsageError, match="there is no tab 'kernel'"):
        tw.explore(TILE).drop(text)


PICTURES = [
    (TILE, {}),
    (tw.Layout((8, 8)), {"kind": "banks", "element_bits": 32}),
    (tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN"), {}),
    (tw.parse("S[(8,4):(4@laneid,1@laneid)]"), {"highlight": [(None, 3)]}),
]


@pytest.mark.parametrize(("obj", "options"), PICTURES, ids=["grid", "banks", "mma", "placement"])
def test_a_picture_is_the_one_that_draw_draws(obj, options):
    figure = draw(obj, **options)
    for widget in (tw.explore(obj, **options), tw.explore(figure)):
        assert widget.answer.scenes == (figure.scene,)
        assert [*widget.engine.tabs] == [widget.tab] == ["picture"]


@pytest.mark.parametrize(
    "given",
    [
        {"tab": "nothing"},
        {"inputs": {"a": 3}},
        {"kind": "tv"},
        {"dtype": "float32"},
        {"highlight": [3]},
        {"obj": TILE, "tab": "layout"},
        {"obj": TILE, "inputs": {"a": "4"}},
        {"obj": TILE, "kind": "nothing"},
        {"obj": draw(TILE), "kind": "grid"},
        {"obj": "nonsense"},
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused(given):
    with pytest.raises(UsageError):
        tw.explore(**given)


def test_without_anywidget_the_error_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "tilewright.notebook.widget")
    monkeypatch.setitem(sys.modules, "anywidget", None)
    for asked in (tw.explore, lambda: tw.explore(TILE), lambda: __import__("tilewright.notebook").notebook.Explorer):
        with pytest.raises(UsageError, match=r"pip install 'tilewright\[notebook\]'"):
            asked()


def test_notebooks_are_given_a_widget():
    (data, _) = tw.explore(TILE)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/plain"].startswith("<Explorer: tab 'picture'")


@pytest.mark.parametrize(
    "wrong", [numpy.zeros(3), numpy.zeros((2, 3)), numpy.zeros(0), 3, object()], ids=lambda x: str(x)[:9]
)
@pytest.mark.parametrize("name", ["tab", "inputs", "highlight"])
@pytest.mark.parametrize("given", [(), (tw.Layout((4, 8)),)], ids=["tabs", "picture"])
def test_arguments_of_any_type_are_refused_in_words(name, wrong, given):
    with pytest.raises(TilewrightError):
        tw.explore(*given, **{name: wrong})
