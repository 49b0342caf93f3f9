"""Columns that are worked out where they are asked for are the lists that they stand for, also through JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import product
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tilewright.figures.answers import answers
from tilewright.figures.cells import COLUMNS, Cells
from tilewright.figures.scene import Panel, Ruler, Scene
from tilewright.figures.series import Alone, Crossed, OnCopies, Owned, Same, Words, picked, words
from tilewright.figures.values import label, places, story
from tilewright.layout.axes import AXES
from tilewright.tirx.iters import Iter
from tilewright.tirx.layout import ComposeLayout, SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

numbers, texts = st.integers(-100, 100), st.text("ab%\n<", max_size=3)


@st.composite
def columns(draw: st.DrawFn, rows: int, across: int, item: st.SearchStrategy[Any]) -> Sequence[Any]:
    size = rows * across
    sides = (st.lists(item, min_size=n, max_size=n).map(tuple) for n in (rows, across))
    listed = st.lists(item, min_size=size, max_size=size)
    return draw(listed | st.builds(Crossed, *sides) | st.builds(Same, item, st.just(size)))


@st.composite
def cells(draw: st.DrawFn) -> tuple[Cells, int]:
    rows, across = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    count, text = columns(rows, across, numbers), columns(rows, across, texts)
    offset, byte, name, one, other = (draw(kind) for kind in (count, count, text, count, count))
    copies = OnCopies(rows * across, ({"laneid": one, "m": other}, {"laneid": offset, "m": one}))
    found = Cells(
        range(rows * across),
        across,
        label=words(rows * across, offset, draw(texts), one),
        note=words(rows * across, name, draw(texts), words(rows * across, "+", byte), offset),
        formula=name,
        elements=Alone(offset),
        offset=offset,
        place=copies,
        owner=Owned(((one, other), (Same(None, rows * across), byte))),
        byte=byte,
        bank=byte,
        group=offset,
        tone=Same(draw(st.none() | st.integers(0, 7)), rows * across),
    )
    return found, rows


def written(found: Cells) -> Cells:
    """The same cells, every column a list."""
    return Cells(list(found.at), found.width, **{name: list(found.columns[name]) for name in COLUMNS})


def scene(found: Cells, rows: int) -> Scene:
    return Scene("", (Panel("", Ruler(("",) * rows), Ruler(("",) * found.width), found),))


@given(cells())
def test_a_column_is_the_list_of_its_items(given: tuple[Cells, int]) -> None:
    found, _ = given
    for values in found.columns.values():
        assert list(values) == [values[at] for at in range(len(found))] == list(values[:])
    assert found == written(found) == Cells.of(list(found), found.width)
    assert [found[at] for at in range(len(found))] == list(found)


@given(cells())
def test_columns_are_read_back_in_the_same_form(given: tuple[Cells, int]) -> None:
    whole = scene(*given)
    plain = json.loads(json.dumps(whole.to_json()))
    assert Scene.from_json(plain) == whole == Scene.from_json(scene(written(given[0]), given[1]).to_json())
    assert Scene.from_json(plain).to_json() == plain


@given(st.lists(st.dictionaries(st.sampled_from(["", "m", "laneid"]), st.just((3, 4))), max_size=2))
def test_places_on_no_axis_are_places(copies: list[dict[str, Sequence[int]]]) -> None:
    found = OnCopies(2, tuple(copies))
    assert list(found) == [found[0], found[1]]


@given(cells())
@settings(max_examples=10)
def test_the_simplest_form_is_written(given: tuple[Cells, int]) -> None:
    """Without places where cells follow each other, without parts of texts that say nothing."""
    found, _ = given
    for whole in (found, written(found), Cells.of(list(found), found.width)):
        assert isinstance(whole.at, range)
    text = words(2, "", "a", "", (1, 2), "", words(2, (3, 4), ""), "")
    assert isinstance(text, Words)
    assert "" not in text.parts


ITERS = st.lists(
    st.tuples(st.integers(1, 3), st.sampled_from([0, 1, 2, 4, -1]), st.sampled_from(["m", "laneid", "warpid"])),
    max_size=3,
)


@given(ITERS.filter(bool), ITERS)
@example(
    [(3, 1, "laneid")], [(2, 4, "warpid"), (2, 8, "m")]
)  # copies that lie alike on an axis, not next to each other
@example([(3, 1, "laneid")], [(2, 1, "laneid")])  # where copies overlap
@example([(3, 1, "laneid")], [(2, 2, "laneid"), (2, -1, "laneid")])  # some in the same place
def test_answers_of_copies_are_told_as_each_is(
    shard: list[tuple[int, int, str]], replica: list[tuple[int, int, str]]
) -> None:
    held, copies = ([Iter(extent, step, AXES[axis]) for extent, step, axis in some] for some in (shard, replica))
    layout = TileLayout(held, copies)
    everywhere = all(axis == "m" and step >= 0 for _, step, axis in (*shard, *replica))
    for one in (layout, ComposeLayout(SwizzleLayout(0, 2, 2), layout)) if everywhere else (layout,):
        found = answers(one)
        assert list(found.labels()) == [label(value, places(value)) for value in found]
        assert list(words(found.size, *found.told())) == [story(value) for value in found]


@given(cells(), st.data())
def test_picked_and_turned_cells_are_the_cells_themselves(given: tuple[Cells, int], data: st.DataObject) -> None:
    found, rows = given
    some = data.draw(st.lists(st.integers(0, len(found) - 1), unique=True))
    assert list(found.picked(some)) == [found[at] for at in some]
    assert {len(column) for column in found.picked(some).columns.values()} == {len(some)}
    for numbers in (some, range(len(found))[::-1], range(1, len(found))):
        assert list(picked(found.note, numbers)) == [found.note[at] for at in numbers]
    turned = found.transposed(rows)
    assert turned.transposed(found.width) == found
    for row, column in product(range(rows), range(found.width)):
        there = turned[column * rows + row]
        assert there == found[row * found.width + column]._replace(row=column, column=row)
    corner = found.corner(1, found.width)
    assert list(corner) == [cell for cell in found if cell.row == 0]
