"""Advice for tiles under descriptors: what the hardware demands, however the tile is spelled."""

from __future__ import annotations

import json
from typing import Any

import pytest
from descriptor_cases import case, complaint, respelled
from strategies import Dice

import tilewright as tw
from tilewright import Access, Layout, LayoutError, UsageError, suggest_swizzle
from tilewright.dtypes import DTYPES
from tilewright.tirx.layout import ComposeLayout, S, TileLayout

TMA, WGMMA, TCGEN05 = (Access(instruction=name) for name in ("tma", "wgmma", "tcgen05"))
CASES = 60


def ldmatrix(rows: int, columns: int) -> Access:
    return Access(Layout((rows, (8, columns // 8)), (1, (rows, rows * 8))), instruction="ldmatrix")


@pytest.mark.parametrize("first", range(0, CASES, CASES // 3))
def test_no_mode_on_no_canonical_layout_beats_the_advice_and_the_hardware_does_as_it_says(first: int) -> None:
    """Against enumeration, TMA box by box and matrix descriptors offset by offset; tests/fuzz goes on."""
    complaints = {seed: complaint(case(Dice(seed))) for seed in range(first, first + CASES // 3)}
    assert {seed: text for seed, text in complaints.items() if text} == {}


@pytest.mark.parametrize("seed", range(25))
def test_the_spelling_of_a_tile_cannot_matter(seed: int) -> None:
    pick = Dice(seed)
    one = case(pick)
    other = respelled(pick, one.layout)

    def answer(layout: Layout) -> Any:
        try:
            found = suggest_swizzle(layout, one.asked, element_bits=one.bits, arch=one.arch)
        except LayoutError as error:
            return str(error).replace(str(layout), "the tile")
        facts = [(advice.mode, advice.wavefronts, advice.atom, advice.box, advice.alignment_bytes) for advice in found]
        return facts, [[advice.layout(i) for i in range(layout.size)] for advice in found]

    assert answer(one.layout) == answer(other)


def test_the_same_function_in_two_spellings() -> None:
    nested, flat = Layout((8, (8, 8)), (64, (1, 8))), Layout((8, 64), (64, 1))
    one, other = (suggest_swizzle(tile, TMA, element_bits=16) for tile in (nested, flat))
    assert [(a.mode, a.box, tw.coalesce(a.layout)) for a in one] == [
        (a.mode, a.box, tw.coalesce(a.layout)) for a in other
    ]
    assert (str(one[0].layout), str(other[0].layout)) == (
        "Sw<3,3,3> o 0 o (8,(8,8)):(64,(1,8))",
        "Sw<3,3,3> o 0 o (8,64):(64,1)",
    )
    assert tw.recognise(one[0].layout, 16).atom == "Layout_K_SW128_Atom"


@pytest.mark.parametrize("asked", [[TMA], [WGMMA], [TMA, ldmatrix(64, 128)], [TMA, WGMMA, ldmatrix(64, 128)]])
def test_rows_wider_than_the_swizzle_are_split(asked: list[Access]) -> None:
    best = suggest_swizzle(Layout((64, 128), (128, 1)), asked, element_bits=16)[0]
    assert str(best.layout) == "Sw<3,3,3> o 0 o (64,(64,2)):(64,(1,4096))"
    assert (best.mode, best.atom, best.alignment_bytes) == ("128B", "Layout_K_SW128_Atom", 1024)
    assert (best.box.extents, best.box.copies, best.box.swizzle) == ((64, 64), 2, "CU_TENSOR_MAP_SWIZZLE_128B")
    assert (best.conflict_free, best.padding) == (True, None)


@pytest.mark.parametrize(
    ("columns", "modes"),
    [(64, {"128B", "64B", "32B", "none"}), (32, {"64B", "32B", "none"}), (16, {"32B", "none"}), (8, {"none"})],
)
def test_a_row_is_as_wide_as_the_swizzle(columns: int, modes: set[str]) -> None:
    ranking = suggest_swizzle(Layout((32, columns), (columns, 1)), TMA, element_bits=16)
    assert {advice.mode for advice in ranking} == modes
    assert ranking[0].mode == max(modes, key=lambda mode: int(mode.rstrip("B")) if mode != "none" else 0)


@pytest.mark.parametrize(
    ("shape", "bits", "extents", "copies"),
    [
        ((512, 64), 16, (64, 256), 2),
        ((768, 64), 16, (64, 256), 3),
        ((300, 64), 16, (64, 150), 2),
        ((8, 512), 8, (128, 8), 4),
        ((1, 128), 16, (64, 1), 2),
        ((8, 264), 8, (8, 264), 0),
    ],
)
def test_a_box_has_at_most_256_of_each(
    shape: tuple[int, int], bits: int, extents: tuple[int, int], copies: int
) -> None:
    tile = Layout(shape, (shape[1], 1))
    if not copies:
        with pytest.raises(LayoutError, match="no multiple of"):
            suggest_swizzle(tile, TMA, element_bits=bits)
        return
    box = suggest_swizzle(tile, TMA, element_bits=bits)[0].box
    assert (box.extents, box.copies) == (extents, copies)


@pytest.mark.parametrize("bits", [1, 2, 128])
def test_tensor_maps_have_no_such_elements(bits: int) -> None:
    with pytest.raises(LayoutError, match="tensor maps have elements of 4, 8, 16, 32, 64 bits"):
        suggest_swizzle(Layout((8, 1024 // bits), (1024 // bits, 1)), TMA, element_bits=bits)


@pytest.mark.parametrize(("unit", "least"), [(TMA, 128), (WGMMA, 16)])
def test_alignment_is_the_repeat_of_the_pattern_and_what_the_unit_demands(unit: Access, least: int) -> None:
    ranking = suggest_swizzle(Layout((32, 64), (64, 1)), unit, element_bits=16)
    alignments = {advice.mode: advice.alignment_bytes for advice in ranking}
    assert alignments == {"128B": 1024, "64B": 512, "32B": 256, "none": least}


def test_atoms_that_one_instruction_reads_lie_at_one_stride() -> None:
    """An instruction takes 32 bytes along K: two columns of chunks, with one leading offset."""
    chunks = [Layout((8, (8, *counts)), (8, (1, 64, steps))) for counts, steps in (((2, 3), 512), ((3, 2), 512))]
    kept = [any(a.layout.inner == tile for a in suggest_swizzle(tile, WGMMA, element_bits=16)) for tile in chunks]
    assert kept == [True, False]
    uneven = Layout(((8, 2, 2), 32), ((1, 256, 1024), 8))
    assert all(advice.layout.inner != uneven for advice in suggest_swizzle(uneven, WGMMA, element_bits=16))


def test_chunks_of_32_and_64_bytes_come_with_sm_100() -> None:
    narrow = {"128B_ATOM_32B", "128B_ATOM_32B_FLIP_8B", "128B_ATOM_64B"}
    tile = Layout((32, 32), (32, 1))
    old, new = (suggest_swizzle(tile, TMA, element_bits=32, arch=arch) for arch in ("sm_90", "sm_100"))
    assert {advice.mode for advice in new} - {advice.mode for advice in old} == narrow
    assert new[0].mode == "128B"


@pytest.mark.parametrize("bits", [4, 8, 16, 32, 64])
@pytest.mark.parametrize("k_major", [True, False])
def test_which_operands_the_tensor_cores_take(bits: int, k_major: bool) -> None:
    tile = Layout((128, 256), (256, 1) if k_major else (1, 128))

    def best(unit: Access) -> str | None:
        try:
            return suggest_swizzle(tile, unit, element_bits=bits)[0].atom
        except LayoutError:
            return None

    k, mn = "Layout_K_SW128_Atom", "Layout_MN_SW128_Atom"
    hopper = {(8, True): k, (16, True): k, (32, True): k, (16, False): mn}
    blackwell = hopper | {(4, True): k, (8, False): mn, (32, False): "Layout_MN_SW128_32B_Atom"}
    assert (best(WGMMA), best(TCGEN05)) == (hopper.get((bits, k_major)), blackwell.get((bits, k_major)))


@pytest.mark.parametrize(
    ("bits", "modes"),
    [(8, {"128B", "64B", "32B", "none"}), (16, {"128B", "64B", "32B", "none"}), (32, {"128B_ATOM_32B"})],
)
def test_chunks_of_32_bytes_are_for_mn_major_operands_of_32_bits(bits: int, modes: set[str]) -> None:
    tile = Layout((128, 64), (1, 128))
    assert {advice.mode for advice in suggest_swizzle(tile, TCGEN05, element_bits=bits)} == modes
    rows = suggest_swizzle(Layout((64, 128), (128, 1)), TCGEN05, element_bits=bits)
    assert {advice.mode for advice in rows} == {"128B", "64B", "32B", "none"}


def test_the_flip_of_8_bytes_is_counted_and_cuts_longer_vectors() -> None:
    tile, flip = Layout((8, 32), (32, 1)), "128B_ATOM_32B_FLIP_8B"
    # Words 8 of row 0 and 2 of row 1: both in chunk 1 of 32 bytes, and in one bank once halves of row 1 trade places.
    two = Access(tw.ComposedLayout(Layout(256), 17, Layout(2, 47)))
    found = {a.mode: a for a in suggest_swizzle(tile, [TMA, two], element_bits=32, arch="sm_100")}
    assert (found["128B_ATOM_32B"].excess, found[flip].excess) == (0, 1)
    assert all(advice.reports[0].excess == advice.excess for advice in found.values())
    for bytes_, kept in ((8, True), (16, False)):
        n = bytes_ // 4
        rows = Access(Layout((8, (n, 32 // n)), (1, (8, 8 * n))), 8 * bytes_)
        ranking = suggest_swizzle(tile, [TMA, rows], element_bits=32, arch="sm_100")
        assert (flip in {advice.mode for advice in ranking}) == kept


def test_tirx_has_one_swizzle_on_a_tile_so_no_flip() -> None:
    ranking = suggest_swizzle(TileLayout(S[(8, 32) : (32, 1)]), TMA, element_bits=32, arch="sm_100")
    assert {advice.mode for advice in ranking} == {"128B", "64B", "32B", "none", "128B_ATOM_32B", "128B_ATOM_64B"}


def test_no_padding_is_proposed_and_a_padded_tile_is_packed() -> None:
    padded = Layout((64, 64), (72, 1))
    for asked in ([TMA], [WGMMA], [TCGEN05], [TMA, ldmatrix(64, 64)]):
        ranking = suggest_swizzle(padded, asked, element_bits=16)
        assert {advice.padding for advice in ranking} == {None}
        assert str(ranking[0].layout) == "Sw<3,3,3> o 0 o (64,64):(64,1)"


def test_a_tile_that_is_canonical_keeps_its_places() -> None:
    tile = tw.parse("Sw<3,3,3> o 0 o ((8,8),(64,2)):((64,1024),(1,512))")
    assert suggest_swizzle(tile, WGMMA, element_bits=16)[0].layout == tile


def test_stages_stay_modes() -> None:
    tile = Layout((64, 64, 4), (64, 1, 4096))
    assert str(suggest_swizzle(tile, WGMMA, element_bits=16)[0].layout) == "Sw<3,3,3> o 0 o (64,64,4):(64,1,4096)"


def test_tiles_of_tirx_get_layouts_of_tirx() -> None:
    best = suggest_swizzle(TileLayout(S[(64, 128) : (128, 1)]), [TMA, WGMMA], element_bits=16)[0]
    assert best.layout == ComposeLayout(3, 3, 3, TileLayout(S[(64, 2, 64) : (64, 4096, 1)]))
    assert (best.atom, best.box.extents) == ("Layout_K_SW128_Atom", (64, 64))


@pytest.mark.parametrize(
    ("unit", "arch", "message"),
    [
        (WGMMA, "sm_100", "sm_100 has no wgmma"),
        (TCGEN05, "sm_90", "sm_90 has no tcgen05; it came with sm_100"),
        (TCGEN05, "sm_120", "sm_120 has no tcgen05"),
        (TMA, "sm_80", "sm_80 has no tma"),
        (TMA, "gfx942", "gfx942 has no tma"),
    ],
)
def test_an_architecture_without_the_unit(unit: Access, arch: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        suggest_swizzle(Layout((64, 64), (64, 1)), unit, element_bits=16, arch=arch)


@pytest.mark.parametrize(
    ("tile", "asked", "bits", "message"),
    [
        (Layout((8, 60), (60, 1)), [TMA], 16, "rows of 60 elements of 16 bits are no multiple of 16 bytes"),
        (Layout((60, 64), (64, 1)), [WGMMA], 16, "none, 32B, 64B, 128B: wgmma takes multiples of 8 along MN"),
        (Layout((64, 64), (1, 64)), [WGMMA], 8, "none, 32B, 64B, 128B: wgmma takes operands of 8 bits K-major only"),
        (Layout((64, 64), (1, 64)), [TCGEN05], 4, "128B_ATOM_32B: tcgen05 takes operands of 4 bits K-major only"),
        (Layout((64, 64), (64, 1)), [TCGEN05], 64, "operands of 4, 8, 16, 32 bits, not of 64"),
        (Layout((64, 8), (8, 1)), [WGMMA], 16, "multiples of 8 along MN and of 16 along K; the tile has 64 and 8"),
        (Layout((8, 64), (64, 1)), [TMA, Access(Layout((32, 16), (16, 1)), 128)], 16, "consecutive"),
    ],
)
def test_refusals_say_which_demand_fails(tile: Layout, asked: list[Access], bits: int, message: str) -> None:
    with pytest.raises(LayoutError, match=message):
        suggest_swizzle(tile, asked, element_bits=bits)


def test_advice_prints_and_dumps() -> None:
    ranking = suggest_swizzle(Layout((64, 128), (128, 1)), [TMA, ldmatrix(64, 128)], element_bits=16)
    text = str(ranking)
    assert "layout Sw<3,3,3> o 0 o (64,(64,2)):(64,(1,4096))" in text
    assert "tensor map: box {64, 64} 2 times, CU_TENSOR_MAP_SWIZZLE_128B" in text
    plain = json.loads(json.dumps(ranking.to_json()))[0]
    assert (plain["atom"], plain["descriptors"]) == ("Layout_K_SW128_Atom", ["tma"])
    assert plain["box"] == {"extents": [64, 64], "copies": 2, "swizzle": "CU_TENSOR_MAP_SWIZZLE_128B"}
    lanes = suggest_swizzle(Layout((8, 64), (64, 1)), ldmatrix(8, 64), element_bits=16)[0]
    assert (lanes.atom, lanes.box.extents) == ("Layout_K_SW128_Atom", (64, 8)), "lanes alone get the same facts"


@pytest.mark.parametrize("unit", ["wgmma", "tcgen05"])
def test_a_unit_has_kinds_not_bits(unit: str) -> None:
    """Source: PTX ISA; the types of the kinds f16, tf32, f8f6f4, i8 and mxf4, and of wgmma's."""
    both = {"int8", "uint8", "float8_e4m3fn", "float8_e5m2", "float16", "bfloat16", "tfloat32", "float32"}
    kinds = both | ({"float4_e2m1fn"} if unit == "tcgen05" else {"uint1"})
    asked, tile = Access(instruction=unit), Layout((64, 256), (256, 1))
    for name, known in DTYPES.items():
        if known.bits & (known.bits - 1):
            continue
        if name in kinds:
            assert suggest_swizzle(tile, asked, element_bits=known)[0].element_bits == known.bits
        else:
            with pytest.raises(UsageError, match=rf"{unit} has no operands of {name}; it has .*float16"):
                suggest_swizzle(tile, asked, element_bits=name)
    assert suggest_swizzle(tile, TMA, element_bits="int4")[0].mode == "128B", "TMA moves bits"


def test_types_of_6_bits_lie_in_8() -> None:
    for name in ("e3m2", "e2m3"):
        with pytest.raises(UsageError, match=r"6 bits .* 16 of them in 16 bytes, as elements of 8 bits"):
            suggest_swizzle(Layout((64, 128), (128, 1)), TCGEN05, element_bits=name)
    with pytest.raises(UsageError, match=r"6 bits do not stay whole$"):
        suggest_swizzle(Layout((64, 128), (128, 1)), TCGEN05, element_bits=6)


def test_a_row_of_the_ranking_is_its_layout() -> None:
    """What stands in a row, the swizzle around the layout, is the layout that is advised, flips included."""
    ranking = suggest_swizzle(Layout((64, 32), (32, 1)), TMA, element_bits=32, arch="sm_100")
    lines = str(ranking).splitlines()
    rows = lines[-1 - len(ranking) : -1]
    flips = 0
    for line, advice in zip(rows, ranking, strict=True):
        found = tw.parse(line.split("  ")[-1])
        assert isinstance(found, Layout | tw.ComposedLayout)
        whole = found if isinstance(found, tw.ComposedLayout) else tw.ComposedLayout(advice.swizzle, 0, found)
        assert [whole(i) for i in range(64)] == [advice.layout(i) for i in range(64)]
        flips += "FLIP" in line and found is whole
    assert flips == 1


def test_where_no_lanes_were_named_no_conflicts_are_spoken_of() -> None:
    text = str(suggest_swizzle(Layout((64, 64), (64, 1)), [TMA, WGMMA], element_bits=16))
    assert "free of conflicts" not in text
    assert "what lanes do with it was not asked" in text
    assert "free of conflicts" in str(
        suggest_swizzle(Layout((64, 64), (64, 1)), [TMA, ldmatrix(64, 64)], element_bits=16)
    )
