"""The tab of layouts says what the layouts answer: at a coordinate, along a slice, and of two operands."""

from __future__ import annotations

import pytest
from explored import drawn
from formulas import worked
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
from tilewright.explorer.engine import Engine
from tilewright.explorer.tabs.layout_operations import BINARY, BY_MODE, UNARY
from tilewright.explorer.tabs.layout_steps import index_formula
from tilewright.layout.construct import make_layout_right
from tilewright.layout.inttuple import to_text

ENGINE = Engine()
TAB = ENGINE.tabs["layout"]
DEEP = "((2,2),(2,4)):((1,4),(2,8))"
SWIZZLED = "Swizzle<2,0,3> o 0 o (8,8):(8,1)"


def shown(**inputs):
    return ENGINE.reply({"ask": "answer", "tab": "layout", "inputs": inputs})


def calculated(formula, index):
    """A formula of the index, as Python reads it."""
    outer, _, inner = formula.partition(" with x = ")
    names = {"i": index} | ({"x": worked(inner, i=index)} if inner else {})
    return worked(outer, **names)


extents = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 40)), min_size=1, max_size=4)


@given(extents, st.sampled_from([None, tw.Swizzle(2, 0, 3), tw.Swizzle(1, 2, -2)]))
def test_the_formula_of_the_index_gives_every_value(modes, swizzle):
    shape, stride = zip(*modes, strict=True)
    layout = tw.Layout(shape, stride)
    for seen in (layout, *([tw.ComposedLayout(swizzle, 3, layout)] if swizzle else [])):
        formula = index_formula(seen)
        assert [calculated(formula, index) for index in range(layout.size)] == [seen(i) for i in range(layout.size)]


@pytest.mark.parametrize("text", ["(4,8):(8,1)", DEEP, SWIZZLED, "12:3", "(3,(2,2)):(1,(3,6))"])
def test_each_held_cell_is_explained_with_its_value(text):
    layout = tw.parse(text)
    cells = drawn(shown(a=text))[0].cells
    for at, offset in list(zip(cells.coordinate, cells.offset, strict=True))[::5]:
        (step,) = shown(a=text, at=to_text(at))["steps"]
        assert step["text"].endswith(f" = {offset}")
        assert all(line["text"].endswith(f"= {offset}") for line in step["steps"][-1:] if "(i)" in line["text"])
        assert offset == layout(at)


@pytest.mark.parametrize(("text", "part"), [("(4,8):(8,1)", "(2,_)"), (DEEP, "((0,_),(_,1))"), (SWIZZLED, "(_,3)")])
def test_a_slice_colours_its_cells_and_is_told_as_a_layout(text, part):
    layout, coordinate = tw.parse(text), tw.parse(part)
    reply = shown(a=text, slice=part)
    cells = drawn(reply)[0].cells
    coloured = {offset for offset, tone in zip(cells.offset, cells.tone, strict=True) if tone is not None}
    rest, offset = tw.slice_and_offset(coordinate, layout)
    assert dict(reply["facts"])["slice"] == f"{to_text(rest) if isinstance(rest, tuple) else rest} from {offset} on"
    assert len(coloured) == rest.size
    if isinstance(layout, tw.Layout):
        assert coloured == {rest(i) + offset for i in range(rest.size)}


OPERANDS = {
    "composition": "(2,4):(4,1)",
    "complement in": "64",
    "upcast": "2",
    "downcast": "2",
    "recast_layout": "(16,32)",
    "tile_to_shape": "(16,16)",
    "max_common_layout": "(4,8):(8,1)",
}


@pytest.mark.parametrize("name", [*UNARY, *BINARY])
def test_every_operation_shows_the_result_of_the_algebra(name):
    a, b = "(4,8):(8,1)", OPERANDS.get(name, "(2,4):(1,2)")
    given_b = (tw.parse(b),) if name in BINARY else ()
    reply = shown(a=a, operation=name, b=b, at="(1,1)")
    operation = getattr(tw, name.split()[0])
    result = operation(tw.parse(a), *(given_b[0] if name == "recast_layout" else given_b))
    assert dict(reply["facts"])["result"] == str(result)
    assert reply["steps"][0]["text"].endswith(f"= {result}")
    assert [note.split(":")[0] for note in reply["scenes"][0]["notes"]] == ["in each cell"]  # the steps stand below
    values = {step["text"].split(" = ")[0]: step["text"] for step in reply["steps"][1:]}
    assert values["a(1,1)"] == "a(1,1) = 9"
    if isinstance(result, tw.Layout) and result.rank == 2 and "result(1,1)" in values:
        assert values["result(1,1)"] == f"result(1,1) = {result(1, 1)}"


def test_a_composition_explains_one_operand_within_the_other():
    reply = shown(a="(6,2):(8,2)", operation="composition", b="(4,3):(3,1)", at="(1,2)")
    a, b = tw.parse("(6,2):(8,2)"), tw.parse("(4,3):(3,1)")
    assert reply["steps"][-1]["text"] == f"a(b(1,2)) = a({b(1, 2)}) = {a(b(1, 2))}"
    assert f"result(1,2) = {a(b(1, 2))}" in [step["text"] for step in reply["steps"]]


@pytest.mark.parametrize("more", [{}, {"operation": "right_inverse"}])
@pytest.mark.parametrize("at", ["(9,9)", "(1,2,3)", "99"])
def test_a_coordinate_that_no_layout_has_any_more_leaves_the_picture(at, more):
    reply = shown(at=at, **more)
    assert reply["scenes"]
    assert "coordinate" in reply["steps"][-1]["text"]


@pytest.mark.parametrize("name", BY_MODE)
def test_an_operation_on_one_mode_leaves_the_others(name):
    reply = shown(a="(4,(8,2)):(16,(2,1))", operation=name, b="2", mode="1,0")
    if "problems" not in reply:  # not every operation takes a number, or a mode like that
        result = tw.parse(dict(reply["facts"])["result"])
        assert result[0] == tw.Layout(4, 16)
        assert result[1][1] == tw.Layout(2, 1)


@pytest.mark.parametrize(
    ("field", "text", "more"),
    [
        *(("at", text, {}) for text in ("x", "(_,1)", "1:2")),
        *(("slice", text, {}) for text in ("(4,_)", "(_,_,_)", "x")),
        *(("mode", text, {"operation": "coalesce"}) for text in ("7", "x", "_")),
        ("b", "(16", {"operation": "recast_layout"}),
        ("b", "16", {"operation": "recast_layout"}),
    ],
)
def test_what_is_wrong_is_told_at_its_field(field, text, more):
    (problem,) = shown(**{field: text}, **more)["problems"]
    assert problem["field"] == field


@given(st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple))
def test_a_shape_alone_is_the_row_major_tile(shape):
    tile = str(make_layout_right(shape))
    assert shown(a=str(shape)) == shown(a=tile)


RIGHT = st.recursive(
    st.sampled_from(["2", "_4", "Int<3>", "1"]), lambda x: st.lists(x, min_size=1, max_size=3), max_leaves=6
)


def tuples(parts):
    """A tuple's text, and where its leaves stand."""
    if isinstance(parts, str):
        return parts, [0]
    text, places = "(", []
    for part in parts:
        own, within = tuples(part)
        places += [len(text) + at for at in within]
        text += f"{own}, "
    return text + ")", places


@settings(max_examples=40)
@given(RIGHT, RIGHT, st.sampled_from(["_", "-1", "0", "*", "None", "?", "1@laneid", "()", "E0"]))
@pytest.mark.parametrize("operation", ["(none)", "coalesce"])
def test_the_caret_is_under_the_extent_that_is_none(operation, before, after, wrong):
    text, places = tuples([before, wrong, after])
    (problem,) = shown(a=text, operation=operation)["problems"]
    count = len(tuples(before)[1])
    assert (problem["field"], problem["position"]) == ("a", places[count])
    assert "a shape of positive integers" in problem["message"]


@pytest.mark.parametrize(
    "text", ["0", "_", "-1", "?", "()", "[4|(2,4):(1,8)]", "(4,(2,4):(1,8))", "cute::Shape<_4,cute::Underscore>"]
)
def test_where_no_extent_is_told_the_caret_is_under_all_of_it(text):
    (problem,) = shown(a=text)["problems"]
    assert problem["position"] == 0
