"""The ready-made layouts: what they must be by their hardware rules, beyond the recorded texts."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from tirx_model import points, size, table

from tilewright.atoms import list as list_atoms
from tilewright.atoms import mma
from tilewright.errors import LayoutError, TilewrightError
from tilewright.tirx.hardware.tcgen05 import REPEATS
from tilewright.tirx.hardware.tmem import DATAPATHS
from tilewright.tirx.layout import (
    ComposeLayout,
    CoordSet,
    R,
    S,
    SwizzleLayout,
    SwizzleMode,
    TCol,
    TileLayout,
    TLane,
    explain_element,
    get_swizzle_mode_from_layout,
    laneid,
    m,
    mma_atom_layout,
    mma_atom_shape,
    mma_fragment_layout,
    mma_shared_layout,
    sf_smem_layout,
    sf_tmem_layout,
    tcgen05_atom_layout,
    tmem_datapath_layout,
    tmem_mma_operand_layout,
    warpid,
    wg_local_layout,
)


@pytest.mark.parametrize("letter", DATAPATHS)
@pytest.mark.parametrize("cols", [4, 64, 512])
def test_a_datapath_places_each_element_once_on_128_lanes(letter: str, cols: int) -> None:
    path = DATAPATHS[letter]
    layout = tmem_datapath_layout(letter, path.rows, cols)
    assert layout.size() == path.rows * cols
    assert layout.is_injective()
    assert layout.cosize("TLane") <= 128
    assert layout.span("TCol") * path.folds == cols
    if path.has_slabs:
        upper = tmem_datapath_layout(letter, path.rows, cols, sub_slab=1)
        assert TileLayout(layout.shard, [], layout.offset).is_injective()
        assert not set(layout.table()["TLane"].tolist()) & set(upper.table()["TLane"].tolist())


def test_the_tmem_tile_of_document_003() -> None:
    layout = TileLayout(S[(2, 128, 112) : (112 @ TCol, 1 @ TLane, 1 @ TCol)])
    for a, lane, c in ((0, 0, 0), (1, 127, 111), (1, 5, 7)):
        assert layout.apply(a, lane, c, shape=(2, 128, 112)) == {"TLane": lane, "TCol": 112 * a + c}
    assert (layout.span("TCol"), layout.span("TLane"), layout.is_bijective()) == (224, 128, True)


def test_the_scale_factors_of_document_003_are_seen_by_all_warps() -> None:
    layout = TileLayout(S[(32, 4) : (1 @ TLane, 1 @ TCol)] + R[4 : 32 @ TLane])
    for r, s in points((32, 4)):
        assert layout.apply(r, s, shape=(32, 4)) == [{"TLane": r + 32 * q, "TCol": s} for q in range(4)]
    seen = [place["TLane"] for r in range(32) for place in layout.apply(r, 0, shape=(32, 4))]
    assert sorted(seen) == list(range(128))


def test_the_swizzle_of_document_003_spreads_a_column_over_the_banks() -> None:
    plain = TileLayout(S[(8, 64) : (64 @ m, 1 @ m)])
    swizzled = ComposeLayout(SwizzleLayout(per_element=3, swizzle_len=3, atom_len=3), plain)
    for i, j in points((8, 64)):
        q, r = divmod(j, 8)
        assert swizzled.apply(i, j, shape=(8, 64)) == {"m": 64 * i + 8 * (q ^ i) + r}
    banks = {
        layout: [explain_element(layout, (i, 0), (8, 64), 16).memory[0].bank for i in range(8)]
        for layout in (plain, swizzled)
    }
    assert banks == {plain: [0] * 8, swizzled: [0, 4, 8, 12, 16, 20, 24, 28]}


def test_the_steps_of_an_element() -> None:
    layout = TileLayout(S[(8, 2, 4, 2) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2 : 4 @ warpid] + 5 @ warpid)
    steps = explain_element(layout, (2, 5), (8, 16), 16)
    assert (steps.flat, steps.digits) == (37, (2, 0, 2, 1))
    assert steps.terms == (("laneid", 2, 4), ("warpid", 0, 1), ("laneid", 2, 1), ("m", 1, 1))
    assert (steps.shard, steps.base) == (
        {"laneid": 10, "warpid": 0, "m": 1},
        {"laneid": 10, "warpid": 5, "m": 1},
    )
    assert steps.owners == ({"laneid": 10, "warpid": 5}, {"laneid": 10, "warpid": 9})
    assert steps.memory == ()
    shared = explain_element(ComposeLayout(3, 3, 3, TileLayout(S[8, 64])), 3 * 64 + 5, element_bits=16)
    (place,) = shared.memory
    assert (place.address, place.swizzled, place.byte, place.bank, place.line) == (197, 221, 442, 14, 3)
    assert "address 197, swizzled 221: byte 442, bank 14, line 3" in str(shared)
    nibbles = explain_element(SwizzleLayout(5, 3, 3), 67, element_bits=4)
    assert nibbles.memory[0].byte == nibbles.memory[0].swizzled // 2
    for outside in ((8, 0), (0, -1), (1,)):
        with pytest.raises(LayoutError, match="outside"):
            explain_element(layout, outside, (8, 16))


def all_register_tiles() -> list[tuple[str, tuple[int, int], str]]:
    cases = product(REPEATS, (64, 128), ("float32", "float16"), (1, 4, 32))
    out = []
    for shape, rows, dtype, repeat in cases:
        factor = int(shape.split("x")[1][:-1]) // 32 * (2 if dtype == "float16" else 1)
        if shape == "32x32b" and rows == 64:
            if dtype == "float16":
                continue
            factor = 2
        out.append((shape, (rows, factor * repeat), dtype))
    return out


@pytest.mark.parametrize(("shape", "tile", "dtype"), all_register_tiles())
def test_a_register_tile_is_owned_once_by_128_threads(shape: str, tile: tuple[int, int], dtype: str) -> None:
    layout = tcgen05_atom_layout(shape, tile, dtype)
    assert layout.is_bijective()
    threads = layout.canonicalize(target="cuda")
    assert threads.span("tid_in_wg") == 128
    assert threads.span("m") * 128 == tile[0] * tile[1]
    assert tcgen05_atom_layout(f".{shape}", tile, dtype) == layout  # as PTX writes it


@pytest.mark.parametrize("mode", SwizzleMode)
@pytest.mark.parametrize("dtype", ["float16", "int8", "float32", "float64", "float4_e2m1fn"])
def test_swizzled_tiles_are_permutations_of_whole_atoms(mode: SwizzleMode, dtype: str) -> None:
    atom = mma_atom_layout(dtype, mode)
    assert sorted(atom.base(x)["m"] for x in range(size(atom))) == list(range(size(atom)))
    width = size(atom) // 8
    layout: Any = mma_shared_layout(dtype, int(mode), (2, 16, 4 * width))
    assert layout.is_bijective()
    assert get_swizzle_mode_from_layout(layout) is mode
    if mode:
        assert mma_atom_shape(dtype, mode, (2, 16, 64)) == [1, 8, width]
        first = layout.slice((2, 16, 4 * width), ((0, 1), (0, 8), (0, width)))
        assert table(first) == table(atom)


def test_tiles_that_are_not_whole_atoms_are_refused() -> None:
    for shape in ((64, 16), (64, 48), (12, 64), (64,)):
        with pytest.raises(LayoutError):
            mma_shared_layout("float16", 3, shape)
    assert mma_shared_layout("int8", 0, (64, 24)) == TileLayout(S[1536:1])
    with pytest.raises(LayoutError, match="no whole number"):
        mma_shared_layout("float6_e2m3fn", 3, (8, 64))
    with pytest.raises(LayoutError, match="swizzle_inner=False"):
        get_swizzle_mode_from_layout(SwizzleLayout(3, 3, 3, swizzle_inner=False))
    assert get_swizzle_mode_from_layout(SwizzleLayout(3, 4, 4)) is None
    for mode in (4, -1, "a"):
        with pytest.raises(LayoutError, match="swizzle mode"):
            mma_atom_layout("float16", mode)  # type: ignore[arg-type]  # a mode that is none


@pytest.mark.parametrize(("rows", "factors"), [(128, 4), (256, 16), (384, 8)])
@pytest.mark.parametrize("sf_per_mma", [1, 2, 4])
def test_scale_factors_are_stored_once_and_seen_by_every_warp(rows: int, factors: int, sf_per_mma: int) -> None:
    shared = sf_smem_layout(rows, factors, sf_per_mma)
    assert shared.is_bijective()
    tmem = sf_tmem_layout(rows, factors, sf_per_mma)
    assert tmem.is_injective()
    assert (tmem.span("TLane"), tmem.size()) == (128, rows * factors)
    assert isinstance(tmem.apply(0), CoordSet)
    staged = sf_tmem_layout(rows, factors, sf_per_mma, sf_reuse=2, pipe_depth=3)
    assert staged.size() == 6 * tmem.size()
    assert factors > 4 or staged.span("TCol") == 3 * tmem.span("TCol")
    assert TileLayout(staged.shard[:-1], staged.replica).is_injective() == (factors == 4)
    assert staged.slice((3, tmem.size(), 2), ((0, 1), (0, tmem.size()), (0, 1))).equivalent(tmem)


def test_scale_factors_that_fill_no_cells_are_refused() -> None:
    for bad in ((64, 4, 4), (128, 3, 1), (128, 4, 3), (128, 0, 1), (128, 4, 0)):
        with pytest.raises(LayoutError):
            sf_smem_layout(*bad)
    for bad in ((48, 4, 4), (64, 4, 3), (64, 8, 8)):
        with pytest.raises(LayoutError):
            sf_tmem_layout(*bad)


def test_grouped_accumulators() -> None:
    flat = tmem_mma_operand_layout("D", (64, 128), "float32", M=128, cta_group=2, group=(2, 2, 32))
    split = tmem_mma_operand_layout("D", (64, 2, 2, 32), "float32", M=128, cta_group=2)
    assert flat == split
    for wrong in ({"group": (2, 3, 32)}, {"group": (2, 2, 16)}, {"M": 256, "group": (2, 2, 32)}, {"sparse": True}):
        with pytest.raises(LayoutError):
            tmem_mma_operand_layout("D", (64, 128), "float32", **{"M": 128, "cta_group": 2, **wrong})


def test_register_fragments_of_mma_sync() -> None:
    assert mma_fragment_layout("SM80_16x8x8_F32F16F16F32_TN", "D") == TileLayout(
        S[(2, 8, 4, 2) : (2, 4 @ laneid, 1 @ laneid, 1)]
    )
    wide = mma_fragment_layout("SM80_16x8x16_F32F16F16F32_TN", "B")
    narrow = mma_fragment_layout("SM80_16x8x8_F32F16F16F32_TN", "B")
    assert wide.equivalent(narrow.tile_to([16, 8], [8, 8]))


def test_every_register_operand_has_a_fragment() -> None:
    """Sampled over the catalog: each element lies where the atom's thread-value layout says."""
    checked = 0
    for name in list_atoms()[::23]:
        try:
            atom = mma(name)
        except TilewrightError:
            continue
        for operand, space in zip("ABC", atom.spaces, strict=True):
            if space != "register":
                with pytest.raises(LayoutError, match="not in registers"):
                    mma_fragment_layout(atom, operand)
                continue
            layout = mma_fragment_layout(atom, operand)
            rows, columns = atom.tile(operand)
            axis = "tid_in_wg" if atom.threads == 128 else "laneid"
            tv = atom.tv_layout(operand)
            for thread, value in ((0, 0), (atom.threads - 1, tv[1].size - 1), (atom.threads // 2, tv[1].size // 2)):
                block, element = divmod(tv(thread, value), rows * columns)
                column, row = divmod(element, rows)
                within = column * rows + row if operand == "B" else row * columns + column
                flat = block * rows * columns + within
                found = layout.apply(flat)
                places = list(found) if isinstance(found, CoordSet) else [found]
                wanted = {axis: atom.thr_layout(thread), "m": value}
                assert any({k: v for k, v in p.items() if v} == {k: v for k, v in wanted.items() if v} for p in places)
                checked += 1
    assert checked > 300


def test_one_row_per_thread() -> None:
    assert wg_local_layout(8, rows=64).apply(3, 5, shape=(64, 8)) == {"tid_in_wg": 3, "m": 5}
