"""What users hold is analysed as what it does: partitions, descriptors, fragments; and says what it lacks."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import numpy as np
import pytest
from partition_oracle import disagreement, random_case

import tilewright as tw
from tilewright import ComposedLayout, Layout, Swizzle
from tilewright.analysis.banks.instructions import parse_instruction
from tilewright.analysis.held.fragments import thread_value_of
from tilewright.analysis.held.said import common_architecture
from tilewright.arch import get as get_arch
from tilewright.atoms.catalog import copy, mma
from tilewright.atoms.shared_atoms import shared_atom
from tilewright.atoms.tiled_copy import make_tiled_copy_A, make_tiled_copy_tv
from tilewright.atoms.tiled_mma import TiledMma, make_tiled_mma
from tilewright.layout.operations import tile_to_shape
from tilewright.tirx.layout import R, S, TileLayout, laneid, warpid

ROWS = Layout((64, 64), (64, 1))
SWIZZLED = ComposedLayout(Swizzle(3, 3, 3), 0, ROWS)
LDMATRIX = copy("SM75_U32x4_LDSM_N")
CP_ASYNC = copy("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>")
TILED = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)), (32, 32, 16))
K_MAJOR = "SM90_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>"
WGMMA = make_tiled_mma(mma(K_MAJOR))


def test_a_tiled_copy_costs_what_its_partitions_cost() -> None:
    cases = [random_case(random.Random(seed)) for seed in range(20)]
    assert [wrong for wrong in map(disagreement, cases) if wrong] == []


def test_an_operand_by_a_copy_is_the_copy_that_matches() -> None:
    by_hand = make_tiled_copy_A(LDMATRIX.with_element(16), TILED)
    report = tw.bank_conflicts(ROWS, (TILED, "A"), copy=LDMATRIX)
    assert report.to_json() == tw.bank_conflicts(ROWS, by_hand).to_json()
    assert tw.bank_conflicts(SWIZZLED, (TILED, "A"), copy=LDMATRIX).conflict_free < report.excess


def test_registers_without_a_copy_take_the_widest_loads_and_say_so() -> None:
    report = tw.bank_conflicts(ROWS, (TILED, "B"))
    assert "widest loads" in report.notes[0]
    assert 8 * report.width_bytes == 32  # pairs along K, as the atom holds them
    whole = TILED.tidfrg("B", Layout((64, 64)))
    assert report.wavefronts == tw.bank_conflicts(ROWS, whole, element_bits=16, vector_bits=32).wavefronts
    with pytest.raises(tw.LayoutError):
        tw.bank_conflicts(ROWS, whole, element_bits=16, vector_bits=64)


@pytest.mark.parametrize("name", ["Layout_K_INTER_Atom", "Layout_K_SW32_Atom", "Layout_K_SW64_Atom"])
def test_a_described_operand_is_read_without_conflicts(name: str) -> None:
    tile = tile_to_shape(shared_atom(name).layout(16), (64, 64))
    report = tw.bank_conflicts(tile, (WGMMA, "A"))
    assert (report.wavefronts, report.ideal) == (64 * 64 * 2 // 128, 64 * 64 * 2 // 128)
    assert name in report.notes[0]


@pytest.mark.parametrize(
    ("tile", "operand", "message"),
    [
        (ROWS, "A", "which has the swizzle"),
        (tile_to_shape(shared_atom("Layout_K_SW128_Atom").layout(16), (96, 64)), "A", "is 64 x 16; the tile has 96 x"),
        (Layout((64, 24), (24, 1)), "A", "is 64 x 16; the tile has 64 x 24"),
    ],
)
def test_what_no_descriptor_describes_is_refused(tile: Any, operand: str, message: str) -> None:
    with pytest.raises(tw.LayoutError, match=message):
        tw.bank_conflicts(tile, (WGMMA, operand))


def test_a_fragment_of_tirx_is_the_operand_that_it_is() -> None:
    atom = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"))
    fragment = TileLayout(S[(2, 8, 4, 2) : (2, 4 @ laneid, 1 @ laneid, 1)])  # the atom's C
    for tile in (Layout((16, 8), (8, 1)), Layout((16, 8), (1, 16)), TileLayout(S[(16, 8) : (8, 1)])):
        as_c = tw.bank_conflicts(tile, (atom, "C"), kind="load")
        assert tw.bank_conflicts(tile, fragment, element_bits=32).by_instruction == as_c.by_instruction


def test_copies_of_a_fragment_read_the_same() -> None:
    one = TileLayout(S[(8, 4) : (4 @ laneid, 1 @ laneid)])
    two = TileLayout(S[(8, 4) : (4 @ laneid, 1 @ laneid)] + tw.tirx.layout.R[2 : 1 @ warpid])
    once, twice = (tw.bank_conflicts(Layout((8, 4)), it, element_bits=32).wavefronts for it in (one, two))
    assert twice == 2 * once


@pytest.mark.parametrize(
    ("rows", "copies", "starts"),
    [
        (8, R[2 : 1 @ warpid], (0, 32)),
        (4, R[2 : 16 @ laneid], (0, 16)),
        (4, R[(2, 2) : (16 @ laneid, 1 @ warpid)], (0, 16, 32, 48)),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_fragment_turned_around_finds_every_element_where_it_is(
    rows: int, copies: Any, starts: tuple[int, ...], turned: bool
) -> None:
    down, right = (1, rows) if turned else (4, 1)
    fragment = TileLayout(S[(rows, 4, 2) : (down @ laneid, right @ laneid, 1)] + copies)
    found = thread_value_of(fragment, 32)
    for i, j, value, start in product(range(rows), range(4), range(2), starts):
        assert found((start + down * i + right * j, value)) == 8 * i + 2 * j + value


def test_a_fragment_is_stored_where_the_tile_is_written_and_starts_with_a_warp() -> None:
    spread = S[(8, 4) : (4 @ laneid, 1 @ laneid)]
    for side, kind in (("S", "load"), ("D", "store"), (None, "load")):
        assert tw.bank_conflicts(Layout((8, 4)), TileLayout(spread), element_bits=32, side=side).kind == kind
    assert tw.bank_conflicts(Layout((8, 4)), TileLayout(spread + 32 @ laneid), element_bits=32).wavefronts == 1
    with pytest.raises(tw.LayoutError, match="starts inside a warp of 32 lanes"):
        tw.bank_conflicts(Layout((8, 4)), TileLayout(spread + 5 @ laneid), element_bits=32)


def test_an_atom_alone_takes_the_whole_tile() -> None:
    rows = tw.bank_conflicts(ROWS, LDMATRIX, element_bits="f16")
    assert (rows.wavefronts, rows.ideal) == (64 * 8, 64)
    assert tw.bank_conflicts(SWIZZLED, LDMATRIX, element_bits="f16").conflict_free
    assert tw.bank_conflicts(ROWS, CP_ASYNC, element_bits="f16").conflict_free


@pytest.mark.parametrize("atom", ["SM75_U32x4_LDSM_N", "LDSReadTrans16_64b"])
def test_all_lanes_of_a_wave_take_part_in_an_atom_alone(atom: str) -> None:
    """Of what 16 of 64 lanes transpose among themselves there are four in an instruction."""
    given = copy(atom)
    found = tw.bank_conflicts(ROWS, given, element_bits="f16")
    lanes = get_arch(found.arch).lanes
    assert len(found.by_instruction) * lanes * found.width_bytes == 2 * ROWS.size
    served = {(phase.instruction, lane) for phase in found.phases for lane in phase.lanes}
    assert len(served) == lanes * len(found.by_instruction)


def test_swizzles_are_suggested_for_what_users_hold() -> None:
    loads = make_tiled_copy_tv(CP_ASYNC.with_element(16), Layout((16, 8), (8, 1)), Layout((1, 8)))
    best = tw.suggest_swizzle(ROWS, [(TILED, "A"), (loads, "D"), make_tiled_copy_A(LDMATRIX.with_element(16), TILED)])
    assert (best[0].swizzle, best[0].conflict_free) == (Swizzle(3, 3, 3), True)
    assert tw.suggest_swizzle(ROWS, (WGMMA, "A"))[0].mode == "128B"
    assert tw.bank_conflicts(best[0].layout, (TILED, "A")).conflict_free


def test_global_memory_takes_the_other_side() -> None:
    loads = make_tiled_copy_tv(CP_ASYNC.with_element(16), Layout((16, 8), (8, 1)), Layout((1, 8)))
    report = tw.coalescing(ROWS, loads)
    assert (report.kind, report.vector_bits, report.coalesced) == ("load", 128, True)
    assert tw.bank_conflicts(ROWS, loads).kind == "store"


def test_lanes_of_matrices_of_16_rows_count_twice() -> None:
    words = copy("SM100_U8x8_LDSM_T").instruction
    assert parse_instruction(words, "load", get_arch("sm_100")).lanes == 16
    assert parse_instruction(words.replace("m16n16", "m8n16"), "load", get_arch("sm_100")).lanes == 8


def test_results_are_stored_and_operands_loaded() -> None:
    kinds = [tw.bank_conflicts(ROWS, (TILED, operand)).kind for operand in "ABC"]
    assert kinds == ["load", "load", "store"]
    assert tw.bank_conflicts(ROWS, (TILED, "C"), side="S").kind == "load"
    assert tw.bank_conflicts(ROWS, (TILED, "C"), kind="load").kind == "load"
    plain = {operand: tw.bank_conflicts(ROWS, (TILED, operand), copy=copy("UniversalCopy32b")).kind for operand in "AC"}
    assert plain == {"A": "load", "C": "store"}
    assert tw.bank_conflicts(ROWS, (TILED, "C")).width_bytes == 8  # two floats


def test_the_widest_loads_are_those_of_the_memory_and_of_where_the_tile_begins() -> None:
    rows = TileLayout(S[(32, 16) : (1 @ laneid, 1)])
    tile = Layout((32, 16), (16, 1))
    shared = [tw.bank_conflicts(tile, rows, element_bits=32, arch="sm_100", base_bytes=at) for at in (0, 8, 4)]
    assert [report.width_bytes for report in shared] == [16, 8, 4]
    assert tw.coalescing(tile, rows, element_bits=32, arch="sm_100").vector_bits == 256


def test_several_accesses_are_asked_of_the_latest_of_their_architectures() -> None:
    later = (tw.Access(instruction="tcgen05"), (TILED, "A"))
    assert {common_architecture(given).name for given in (later, later[::-1])} == {"sm_100"}


def tiled_of_bits() -> object:
    return make_tiled_copy_tv(copy("UniversalCopy128b"), Layout(32), Layout((1, 128)))


REFUSED: list[tuple[str, Any, dict[str, Any]]] = [
    ("say which operand", TILED, {}),
    ("beside an MMA stands 'A'", (TILED, "S"), {}),
    ("beside a copy 'S' or 'D'", (LDMATRIX, "A"), {}),
    ("side is 'S'", LDMATRIX, {"side": "left"}),
    ("side D of SM75_U32x4_LDSM_N lies in register", LDMATRIX, {"side": "D"}),
    ("say side 'S' where it reads", copy("UniversalCopy128b"), {}),
    ("moves elements of 1 bits, and element_bits is 16", tiled_of_bits(), {"side": "S"}),
    ("copy is a copy atom or the name of one, got 4", (TILED, "A"), {"copy": 4}),
    ("there is no copy atom 'ldmatrix'; atoms of that", (TILED, "A"), {"copy": "ldmatrix"}),
    ("takes no copy atom", (WGMMA, "A"), {"copy": LDMATRIX}),
    ("side is 'S'", LDMATRIX, {"side": np.zeros(2)}),
    ("no lanes, and no bank conflicts", copy("SM90_TMA_LOAD<65536>"), {}),
    ("whose lanes access no banks", copy("SM100_UTCCP_128dp256bit_1cta"), {}),
    ("lies in tensor memory", (make_tiled_mma(mma("SM100_MMA_TF32_SS<128,64>")), "C"), {}),
]


@pytest.mark.parametrize(("message", "held", "options"), REFUSED)
def test_what_is_missing_is_said(message: str, held: Any, options: dict[str, Any]) -> None:
    with pytest.raises(tw.UsageError, match=message):
        tw.bank_conflicts(ROWS, held, **({"element_bits": 16} | options))


def test_elements_of_unknown_width_are_asked_for() -> None:
    with pytest.raises(tw.UsageError, match="say how wide an element is"):
        tw.bank_conflicts(ROWS, LDMATRIX)
    assert isinstance(TILED, TiledMma)
    assert tw.bank_conflicts(ROWS, (TILED, "A")).width_bytes == 4


SAME_A = ("SPARSE_16x8x32", "16x8x16")
SPARSE, DENSE = (
    make_tiled_mma(mma(f"SM80_{name}_F32F16F16F32_TN"), Layout((2, 2, 1)), (32, 32, k))
    for name, k in zip(SAME_A, (64, 32), strict=True)
)


@pytest.mark.parametrize("tile", [ROWS, SWIZZLED, Layout((32, 64), (72, 1)), Layout((64, 32), (40, 1))])
@pytest.mark.parametrize("by", [None, LDMATRIX])
def test_a_sparse_operand_is_read_as_the_half_that_it_stores(tile: Any, by: Any) -> None:
    """A of mma.sp.m16n8k32 lies in registers as A of mma.m16n8k16 does (PTX ISA, fragments of mma.sp)."""
    sparse, dense = (tw.bank_conflicts(tile, (tiled, "A"), copy=by) for tiled in (SPARSE, DENSE))
    assert sparse.by_instruction == dense.by_instruction
    assert list(sparse.phases) == list(dense.phases)
    assert "stores, M x K/2" in sparse.notes[-1 if by else 1]


@pytest.mark.parametrize("name", ["K_INTER", "K_SW64", "K_SW128", "MN_SW128"])
@pytest.mark.parametrize(
    "given", [(SPARSE, None), (SPARSE, LDMATRIX), ("SM90_SPARSE_64x8x32_F32F16F16_SS", None)], ids=str
)
def test_a_tile_that_counts_all_of_a_sparse_operand_costs_what_its_stored_half_does(name: str, given: Any) -> None:
    """CUTLASS's layout of a sparse A, and the dense one of the half of which it is made."""
    if (name, given[1]) == ("MN_SW128", LDMATRIX):
        return  # whose rows lie along K
    dense = tw.tile_to_shape(tw.atoms.smem(name, "f16"), (64, 64))
    sparse = tw.tile_to_shape(tw.atoms.smem(f"Layout_{name}_SpAtom", "f16"), (64, 128))
    tiled = given[0] if isinstance(given[0], TiledMma) else make_tiled_mma(mma(given[0]))
    half, whole = (tw.bank_conflicts(tile, (tiled, "A"), copy=given[1], element_bits=16) for tile in (dense, sparse))
    assert whole.by_instruction == half.by_instruction
    assert list(whole.phases) == list(half.phases)


STORED = ("SM80_SPARSE_16x8x32_F32F16F16F32_TN", "SM120_SPARSE_16x8x128_F32E2M1E2M1F32_TN_VS32")
STORED += (
    "SM90_SPARSE_64x8x32_F32F16F16_RS",
    "SM90_SPARSE_64x8x64_F32E4M3E4M3_SS_TN",
    "SM100_MMA_TF32_SS_SPARSE<64,64>",
)


@pytest.mark.parametrize("name", STORED)
def test_every_element_that_is_stored_of_a_sparse_operand_is_read(name: str) -> None:
    atom = mma(name)
    found = atom.stored_layout("A")
    rows, columns = atom.stored("A")
    assert found[0].size == atom.threads
    counts = np.bincount(found(np.arange(found.size)), minlength=rows * columns)
    assert set(counts.tolist()) == {atom.replicas[0]}


@pytest.mark.parametrize("iters", [(8, 8, 64), (64, 4, 16), (4, 16, 8, 8)])
def test_neighbouring_iters_are_one_mode_where_tiles_say_which(iters: tuple[int, ...]) -> None:
    """Row-major, padded by a row of 8 elements each: as one iter a mode, however many iters spell it."""
    whole = TileLayout(S[(64, 64) : (72, 1)])
    strides = tuple(int(np.prod(iters[i + 1 :])) for i in range(len(iters)))
    spelled = TileLayout(S[iters : tuple(s if s < 64 else s // 64 * 72 for s in strides)])
    big = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((4, 1, 1)), (64, 8, 64))
    for access, by in (((big, "A"), LDMATRIX), ((big, "A"), None)):
        found, wanted = (tw.bank_conflicts(tile, access, copy=by) for tile in (spelled, whole))
        assert found.by_instruction == wanted.by_instruction


@pytest.mark.parametrize("shape", [(8, 64), (24, 64), (16, 96), (8, 128)])
def test_a_tile_of_parts_of_tiles_is_refused_and_no_element_is_counted_twice(shape: tuple[int, int]) -> None:
    copies = make_tiled_copy_tv(copy("UniversalCopy128b").with_element(16), Layout((16, 8), (8, 1)), Layout((1, 8)))
    for tile in (Layout(shape, (shape[1], 1)), tile_to_shape(shared_atom("Layout_K_SW64_Atom").layout(16), shape)):
        with pytest.raises(
            tw.LayoutError, match=f"a tile of {shape[0]}x{shape[1]} elements is no whole tiles of 16x64"
        ):
            tw.bank_conflicts(tile, copies, side="S", element_bits=16)


def test_iters_that_may_be_joined_in_two_ways_are_refused() -> None:
    small = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"))
    with pytest.raises(tw.LayoutError, match=r"tiles \(16,16\): as \(16,64\) or \(32,32\)"):
        tw.bank_conflicts(TileLayout(S[(16, 2, 32) : (64, 32, 1)]), (small, "A"))
