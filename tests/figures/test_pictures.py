"""A picture shows what the object answers: read the cells back and compare."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.errors import UsageError
from tilewright.figures.cell import Cell
from tilewright.figures.draw import KINDS, draw
from tilewright.figures.figure import Figure
from tilewright.figures.scene import MAX_CELLS, Panel
from tilewright.figures.stack import stack
from tilewright.figures.thread_value import VALUES
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle

modes = st.recursive(st.integers(1, 4), lambda inner: st.lists(inner, min_size=1, max_size=2).map(tuple), max_leaves=3)
shapes = st.lists(modes, min_size=1, max_size=3).map(tuple)


@st.composite
def layouts(draw_: st.DrawFn) -> Layout:
    shape = draw_(shapes)

    def strides(mode: object) -> object:
        return tuple(map(strides, mode)) if isinstance(mode, tuple) else draw_(st.integers(-5, 40))

    return Layout(shape, strides(shape))


def panel(figure: Figure) -> Panel:
    (only,) = figure.scene.panels
    return only


def cells(figure: Figure) -> dict[tuple[int, int], Cell]:
    return {(cell.row, cell.column): cell for cell in panel(figure).cells}


@given(layouts())
def test_every_cell_of_a_grid_is_the_layout_there(layout: Layout) -> None:
    found = cells(draw(layout))
    rows = panel(draw(layout)).rows.count
    assert len(found) == layout.size
    for (row, column), cell in found.items():
        index = row + rows * column if layout.rank > 1 else 32 * row + column
        assert cell.label == str(layout(index))
        assert cell.note.endswith(f" -> {layout(index)}")


@given(st.integers(1, 6), st.integers(1, 6), st.integers(-9, 9), st.integers(-9, 9))
def test_rows_are_mode_0_and_columns_mode_1(rows: int, columns: int, down: int, right: int) -> None:
    layout = Layout((rows, columns), (down, right))
    for (row, column), cell in cells(draw(layout)).items():
        assert cell.label == str(layout(row, column))


@given(layouts(), st.sampled_from(["offset", "row", "column", "index"]))
def test_equal_keys_have_equal_tones_and_the_legend_names_them(layout: Layout, color: str) -> None:
    figure = draw(layout, color=color)
    named = {swatch.tone for swatch in figure.scene.legend.swatches}
    keys: dict[int, int | None] = {}
    for (row, column), cell in cells(figure).items():
        index = row + panel(figure).rows.count * column if layout.rank > 1 else 32 * row + column
        key = {"offset": layout(index), "row": row, "column": column, "index": index}[color]
        assert cell.tone in named
        assert keys.setdefault(key, cell.tone) == cell.tone


def test_steps_grow_with_the_offset() -> None:
    found = sorted(cells(draw(Layout((8, 16), (16, 1)))).values(), key=lambda cell: int(cell.label))
    tones = [cell.tone for cell in found]
    assert tones == sorted(tones)
    assert set(tones) == set(range(8))


def test_banks_of_the_128_byte_swizzle() -> None:
    """Document 003: column 0 of the (8,64) half tile lies on banks 0, 4, ... 28, and on bank 0 without the swizzle."""
    plain = Layout((8, 64), (64, 1))
    swizzled = ComposedLayout(Swizzle(3, 3, 3), 0, plain)
    column = [cells(draw(swizzled, color="bank", element_bits=16))[row, 0] for row in range(8)]
    assert [cell.note.split("bank ")[1].split(",")[0] for cell in column] == [str(4 * row) for row in range(8)]
    assert len({cell.tone for cell in column}) == 8
    assert {cells(draw(plain, color="bank", element_bits=16))[row, 0].tone for row in range(8)} == {0}


def test_a_swizzle_is_drawn_as_the_permutation_it_is() -> None:
    found = cells(draw(Swizzle(2, 1, 3)))
    assert sorted(int(cell.label) for cell in found.values()) == list(range(64))
    assert all(int(cell.label) == Swizzle(2, 1, 3)(16 * row + column) for (row, column), cell in found.items())


def test_inner_modes_are_ruled_off() -> None:
    ruled = panel(draw(Layout(((2, 3), (4, 2, 2)), ((1, 2), (6, 24, 48)))))
    assert ruled.rows.rules == (2, 4)
    assert ruled.columns.rules == (4, 8, 12)


@given(st.permutations(range(16)), st.integers(1, 3))
def test_a_thread_value_picture_shows_every_owner(order: list[int], threads: int) -> None:
    threads = 2**threads
    layout = Layout((threads, 16 // threads), (16 // threads, 1))
    found = cells(draw(layout, kind="tv", tile=(4, 4)))
    for thread in range(threads):
        for value in range(16 // threads):
            index = layout(thread, value)
            assert found[index % 4, index // 4].label == f"T{thread}\nV{value}"


def test_shared_and_missing_owners_are_told() -> None:
    figure = draw(Layout(((2, 2), 2), ((1, 0), 2)), kind="tv", tile=(2, 3))
    found = cells(figure)
    assert found[1, 0].label == "T1+1\nV0"
    assert (1, 2) not in found
    plus = "T0+1: T0 V0 and T2 V0 have this element; each that is marked so has owners 2 threads apart"
    assert figure.scene.notes[1:] == (plus, "2 elements of the tile have no owner")


def test_what_all_threads_have_is_drawn_once() -> None:
    figure = draw(Layout((4, 2), (0, 2)), kind="tv", tile=(2, 2))
    found = cells(figure)
    assert (found[0, 1].label, found[0, 1].note) == ("V1", "(0,1): all 4 threads value 1")
    assert figure.scene.notes == (
        f"{VALUES}; all 4 threads have the whole tile",
        "2 elements of the tile have no owner",
    )


@pytest.mark.parametrize(
    ("kind", "options", "words"),
    [
        ("cake", {}, "unknown kind of picture 'cake'; choose grid"),
        ("grid", {"colour": "row"}, "no option 'colour'; it has shape, color"),
        ("grid", {"color": "lanes"}, "unknown color 'lanes'"),
        ("grid", {"color": "bank"}, "say how wide an element is"),
        ("grid", {"color": "bank", "element_bits": -3}, "element_bits must be between"),
        ("grid", {"shape": (3, 5)}, "does not have (rows, columns) of 16 cells"),
        ("grid", {"shape": 16}, "does not have (rows, columns) of 16 cells"),
        ("banks", {}, "say how wide an element is"),
        ("banks", {"element_bits": 16, "report": "x"}, "report is what bank_conflicts answered, got 'x'"),
        ("tv", {"tile": (3, 4)}, "thread 3 value 0 lies at 12, outside of the tile (3, 4)"),
        ("tv", {"color": "row"}, "unknown color 'row'; choose thread or value"),
    ],
)
def test_wrong_requests_are_refused_with_the_choices(kind: str, options: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError) as error:
        draw(Layout((4, 4), (4, 1)), kind=kind, **options)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_layout_is_refused(kind: str) -> None:
    for thing in (3, "text", None, [1, 2]):
        with pytest.raises(UsageError):
            draw(thing, kind=kind, **({"element_bits": 16} if kind in ("banks", "memory") else {}))


def test_the_limit_of_cells() -> None:
    assert len(panel(draw(Layout((256, 256)))).cells) == MAX_CELLS
    for huge in (Layout((MAX_CELLS + 1, 1)), Layout(2**40), Swizzle(10, 10, 20)):
        with pytest.raises(UsageError, match="65536"):
            draw(huge)
    with pytest.raises(UsageError, match="65536"):
        draw(Layout((2, 2), (1, 2)), kind="tv", tile=(2**30, 2**30))


def test_stacked_figures_keep_their_cells_under_their_names() -> None:
    one, two = draw(Layout((2, 3))), draw(Layout((3, 2)))
    scene = stack("both", {"one": one, "two": two}).scene
    assert [part.title for part in scene.panels] == ["one", "two"]
    assert [part.cells for part in scene.panels] == [panel(one).cells, panel(two).cells]
    for wrong in ({}, {"one": one, "rows": draw(Layout((2, 3)), color="row")}):
        with pytest.raises(UsageError, match="share one palette"):
            stack("wrong", wrong)
