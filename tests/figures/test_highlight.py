"""What is highlighted has a colour and nothing else has: slices of layouts, threads and values of partitions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright import ComposedLayout, Layout, Swizzle, draw
from tilewright.errors import UsageError
from tilewright.figures.figure import Figure
from tilewright.figures.palette import TONES
from tilewright.tirx.layout import S, TileLayout

NESTED = Layout((4, (2, 3)), (2, (1, 8)))


def coloured(figure: Figure, panel: int = 0) -> dict[tuple[int, int], int]:
    return {(cell.row, cell.column): cell.tone for cell in figure.scene.panels[panel].cells if cell.tone is not None}


@given(st.sampled_from([None, *range(4)]), st.sampled_from([None, *range(6), (None, 2), (1, None), (0, 1)]))
def test_a_slice_is_what_slicing_gives(row: int | None, column: object) -> None:
    figure = draw(NESTED, highlight=[(row, column)])
    values = sorted(int(cell.label) for cell in figure.scene.panels[0].cells if cell.tone is not None)
    if row is not None and column is not None and None not in (column if isinstance(column, tuple) else ()):
        assert values == [NESTED(row, column)]
    else:
        part, offset = tw.slice_and_offset((row, column), NESTED)
        assert values == sorted(offset + part(i) for i in range(part.size))


@given(st.none() | st.integers(-9, 9), st.none() | st.integers(-9, 9), st.none() | st.sampled_from([-3, -1, 1, 2, 5]))
def test_ranges_are_those_of_python(start: int | None, stop: int | None, step: int | None) -> None:
    figure = draw(Layout((8, 4)), highlight=[(slice(start, stop, step), 1)])
    assert sorted(coloured(figure)) == sorted((row, 1) for row in range(8)[start:stop:step])
    (swatch,) = figure.scene.legend.swatches
    ends = [int(end) if end else None for end in swatch.text[1:-1].split(",")[0].split(":")]
    assert range(8)[slice(*ends)] == range(8)[start:stop:step]


def test_several_have_a_colour_each_and_frames_where_they_meet() -> None:
    figure = draw(ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 4), (4, 1))), highlight=[(None, 3), (2, None)])
    assert coloured(figure) == {**{(2, c): 1 for c in range(4)}, **{(r, 3): 0 for r in range(4)}}
    assert [(c.row, c.column) for c in figure.scene.panels[0].cells if c.marked] == [(2, 3)]
    assert [swatch.text for swatch in figure.scene.legend.swatches] == ["(_,3)", "(2,_)"]
    assert figure.scene.notes[1:] == ("framed: in several of these",)


def test_colours_that_come_again_are_those_of_the_legend() -> None:
    count = TONES + 2
    figure = draw(Layout((count,)), highlight=[(i,) for i in range(count)])
    found = coloured(figure)
    assert [found[0, i] for i in range(count)] == [swatch.tone for swatch in figure.scene.legend.swatches]
    assert set(found.values()) == set(range(TONES))


@pytest.mark.parametrize("asked", [3, (3,), slice(3, 4), (slice(3, 4),)])
def test_the_coordinate_of_one_mode_stands_alone_or_in_brackets(asked: object) -> None:
    for layout in (Layout(8), Layout((8,)), Layout(((2, 4),))):
        figure = draw(layout, highlight=[asked])
        assert [cell.label for cell in figure.scene.panels[0].cells if cell.tone is not None] == ["3"]


def test_a_tile_layout_counts_its_last_extent_fastest() -> None:
    figure = draw(TileLayout(S[(2, 3, 4) : (12, 4, 1)]), highlight=[(1, None, 2)])
    assert sorted(coloured(figure)) == [(1, column) for column in (2, 6, 10)]


def test_slices_are_found_again_in_memory() -> None:
    tile = Layout((4, 32), (32, 1))
    figure = draw(tile, kind="memory", element_bits=32, highlight=[(2, None)])
    assert sorted(coloured(figure)) == [(2, bank) for bank in range(32)]


@pytest.mark.parametrize("thread", [0, 5, 127])
def test_a_thread_of_a_tiled_mma_is_its_partition(thread: int) -> None:
    tiled = tw.make_tiled_mma(tw.atoms.mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)))
    figure = draw(tiled.get_slice(thread))
    assert draw(tiled, highlight=[thread]) == figure
    for panel, operand in enumerate("ABC"):
        part = tiled.get_slice(thread).partition(operand, tw.make_identity_tensor(tiled.tile(operand)))
        places = {part(i) for i in range(part.size)}
        turned = {(k, n) for n, k in places} if operand == "B" else places
        assert set(coloured(figure, panel)) == turned


def test_values_of_threads() -> None:
    figure = draw(Layout((4, 4), (4, 1)), kind="tv", tile=(4, 4), highlight=[(1, None), (None, slice(2, 3))])
    assert coloured(figure) == {**{(2, c): 1 for c in range(4)}, **{(r, 1): 0 for r in range(4)}}
    assert [swatch.text for swatch in figure.scene.legend.swatches] == ["T1", "V2:3"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ([(9, None)], "is no coordinate of the shape (4,(2,3))"),
        ([(None, (1, 3))], "is no coordinate"),
        ([(None, None, 0)], "is no coordinate"),
        (["x"], "is no coordinate"),
        ([(True, None)], "is no coordinate"),
        ([(slice(0, 4, 0), None)], "is no coordinate"),
        ([(slice("a"), None)], "is no coordinate"),
        ([(slice(1.5, None), None)], "is no coordinate"),
        (3, "highlight is a list of coordinates"),
    ],
)
def test_what_is_no_slice_is_refused(asked: list[object], words: str) -> None:
    with pytest.raises(UsageError) as error:
        draw(NESTED, highlight=asked)
    assert words in str(error.value)


@pytest.mark.parametrize("asked", [-1, 4, slice(4, 9), (1, 4), (None, slice(2, 2)), slice(0, 2, 0), slice(0.5)])
def test_who_has_nothing_is_refused(asked: object) -> None:
    with pytest.raises(UsageError, match=r"highlight .* (colours nothing|is no thread)"):
        draw(Layout((4, 4), (4, 1)), kind="tv", tile=(4, 4), highlight=[0, asked])


def test_pictures_without_coordinates_refuse() -> None:
    with pytest.raises(UsageError, match="is no thread"):
        draw(Layout((4, 4)), kind="tv", highlight=[(1, 2, 3)])
    with pytest.raises(UsageError, match="has nothing to highlight"):
        draw(Swizzle(1, 0, 1), kind="swizzle", highlight=[(0, 0)])
