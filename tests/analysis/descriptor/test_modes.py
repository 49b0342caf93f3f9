"""The modes of a tile under a descriptor stay: its rank and shape, what is contiguous, its places one to one."""

from __future__ import annotations

from math import prod
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
from tilewright import Access, Layout, LayoutError, suggest_swizzle
from tilewright.analysis.model.memory import without_swizzles
from tilewright.tirx.layout import S, TileLayout

UNITS = ("tma", "wgmma", "tcgen05")


@st.composite
def tiles(draw: st.DrawFn) -> Layout:
    """One to four modes in any order of memory, the innermost long; perhaps nested, perhaps with a gap."""
    extents = draw(st.lists(st.sampled_from([1, 2, 3, 4, 8, 16]), max_size=3))
    extents.insert(0, draw(st.sampled_from([8, 16, 24, 32, 64, 96, 128])))
    while prod(extents) > 4096:
        extents.pop()
    strides: list[int] = []
    step = 1
    for i, extent in enumerate(extents):
        strides.append(step)
        step = step * extent + (draw(st.sampled_from([0, 0, 8])) if i == 0 else 0)
    order = draw(st.permutations(range(len(extents))))
    shape, stride = tuple(extents[i] for i in order), tuple(strides[i] for i in order)
    nest = len(shape) > 2 and draw(st.booleans())
    return Layout((shape[0], shape[1:]), (stride[0], stride[1:])) if nest else Layout(shape, stride)


def ranking(tile: object, unit: str, bits: int) -> Any:
    try:
        return suggest_swizzle(tile, Access(instruction=unit), element_bits=bits)
    except LayoutError:
        return ()


@settings(max_examples=150)
@given(tiles(), st.sampled_from(UNITS), st.sampled_from([8, 16, 32]))
def test_a_placement_is_one_to_one_and_has_the_modes_of_the_tile(tile: Layout, unit: str, bits: int) -> None:
    for advice in ranking(tile, unit, bits):
        plain = without_swizzles(advice.layout)
        assert [mode.size for mode in plain] == [mode.size for mode in tile]
        # Parts of a mode that do not divide the lines of a placement give way to the mode as one.
        assert tw.compatible(tile.shape, plain.shape) or any(tw.rank(mode) > 1 for mode in tile), (tile, plain)
        places = sorted(map(advice.layout, range(tile.size)))
        own = without_swizzles(advice.layout) == tile
        assert len(set(places)) == tile.size
        assert own or places[-1] < tile.size, "a tile that is placed anew has no gaps"


@settings(max_examples=80)
@given(tiles(), st.sampled_from([8, 16, 32]))
def test_a_line_of_a_box_is_a_piece_of_the_contiguous_mode_and_line_follows_line(tile: Layout, bits: int) -> None:
    sizes = [mode.size for mode in tile]
    steps = [prod(sizes[:mode]) for mode in range(len(sizes))]
    for advice in ranking(tile, "tma", bits):
        plain, (wide, high) = without_swizzles(advice.layout), advice.box.extents
        index = {plain(i): i for i in range(tile.size)}
        for first in sorted(index)[:: wide * high]:
            corner = index[first]
            along, across = index[first + 1] - corner, index[first + wide] - corner if high > 1 else 0
            assert tile(corner + along) - tile(corner) == 1
            box = [[index[first + line * wide + i] for i in range(wide)] for line in range(high)]
            assert box == [[corner + line * across + i * along for i in range(wide)] for line in range(high)]
            for line in box:
                moving = [mode for mode, size in enumerate(sizes) if len({i // steps[mode] % size for i in line}) > 1]
                assert len(moving) == 1, (tile, advice.layout)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize(
    ("tile", "expected"),
    [
        (Layout((64, 2, 64), (128, 64, 1)), "(64,2,64):(64,4096,1)"),
        (Layout((64, (2, 64)), (128, (64, 1))), "(64,(2,64)):(64,(4096,1))"),
        (Layout((2, 64, 64), (4096, 64, 1)), "(2,64,64):(4096,64,1)"),
        (Layout((128, 64, 3), (64, 1, 8192)), "(128,64,3):(64,1,8192)"),
        (Layout((128, 64, 3), (1, 128, 8192)), "((64,2),64,3):((1,4096),64,8192)"),
    ],
)
def test_tiles_of_three_modes(tile: Layout, expected: str, unit: str) -> None:
    """Operands of tensor cores count the contiguous elements first; where a tile does not, the refusal says so."""
    operand = tile.flat[0][1] == 1 or tile.flat[1][1] == 1
    if unit != "tma" and not operand:
        with pytest.raises(
            LayoutError, match=r"Modes of (2|64) are counted before the 64 elements .*: order the modes"
        ):
            suggest_swizzle(tile, Access(instruction=unit), element_bits=16)
        return
    best = suggest_swizzle(tile, Access(instruction=unit), element_bits=16)[0]
    assert (best.mode, str(without_swizzles(best.layout))) == ("128B", expected)
    assert best.box is not None
    assert best.box.extents in ((64, 64), (64, 128))


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("bits", [4, 8, 16, 32, 64])
@pytest.mark.parametrize("strides", [(128, 1), (1, 64), (136, 1)])
def test_rows_and_columns_of_a_tirx_tile_are_those_of_the_tile_in_cute(
    unit: str, bits: int, strides: tuple[int, int]
) -> None:
    cute = ranking(Layout((64, 128), strides), unit, bits)
    tirx = list(ranking(TileLayout(S[(64, 128) : strides]), unit, bits))
    one = [a for a in cute if a.mode in {a.mode for a in tirx}]  # TIRx has no second swizzle

    def facts(advice: Any) -> Any:
        return advice.mode, advice.atom, advice.box, advice.alignment_bytes

    assert list(map(facts, tirx)) == list(map(facts, one))
    assert bool(tirx) == bool(cute)
    for ours, known in zip(tirx, one, strict=True):
        place = ours.layout.apply
        for row, column in ((0, 0), (5, 9), (63, 127), (17, 64)):
            assert place(row, column, shape=(64, 128)) == {"m": known.layout(row, column)}


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("tile", [Layout((64, 64), (0, 1)), Layout((64, 64), (1, 1)), Layout((64, 64, 2), (64, 1, 8))])
def test_a_tile_whose_elements_share_places_is_refused(unit: str, tile: Layout) -> None:
    with pytest.raises(LayoutError, match=rf"{tile.size} elements at \d+ places"):
        suggest_swizzle(tile, Access(instruction=unit), element_bits=16)


def test_a_tile_has_room_in_shared_memory() -> None:
    """A block of sm_90 has 227 KiB."""
    for lines, fits in ((227 * 8, True), (228 * 8, False)):
        assert bool(ranking(Layout((lines, 64), (64, 1)), "tma", 16)) == fits
    with pytest.raises(LayoutError, match="takes 2097152 bytes; a block of sm_90 has 232448"):
        suggest_swizzle(Layout((1024, 1024), (1024, 1)), Access(instruction="tma"), element_bits=16)


def test_a_box_brings_nothing_to_a_tile_without_neighbours() -> None:
    """Lanes may write such a tile anew for an operand; a box takes runs of memory, and there are none."""
    tile = Layout((64, 64), (128, 2))
    with pytest.raises(LayoutError, match="rows of 1 elements"):
        suggest_swizzle(tile, Access(instruction="tma"), element_bits=16)
    assert ranking(tile, "wgmma", 16)[0].mode == "128B"
