"""Laws 62 and 63 through TIRx layouts: fragments of MMA and copy atoms cover their tiles, and compute and copy."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy
import pytest

from tilewright.atoms import CopyAtom, MmaAtom, catalog, semantics
from tilewright.errors import LayoutError, TilewrightError
from tilewright.tirx.layout import CoordSet, S, TileLayout, copy_fragment_layout, laneid, mma_fragment_layout, tid_in_wg

WGMMA_N = range(8, 257, 8)


def register_atoms() -> list[MmaAtom]:
    """One atom for each combination of layouts, all of whose operands lie in registers."""
    found = {}
    for name in catalog.list(kind="mma"):
        atom = catalog.mma(name)
        if set(atom.spaces) == {"register"} and atom.blocks == 1:
            layouts = (atom.tv_layout_A, atom.tv_layout_B, atom.tv_layout_C, atom.thr_layout)
            found.setdefault((atom.shape_mnk, *layouts), atom)
    return list(found.values())


def owners(layout: TileLayout, atom: MmaAtom | CopyAtom, size: int) -> list[list[tuple[int, int]]]:
    """The (logical thread, register slot) pairs of each element."""
    axis = "tid_in_wg" if atom.threads == 128 else "laneid"
    logical = {atom.thr_layout(t): t for t in range(atom.threads)}
    found = []
    for flat in range(size):
        places = layout.apply(flat)
        each = list(places) if isinstance(places, CoordSet) else [places]
        found.append([(logical[place.get(axis, 0)], place.get("m", 0)) for place in each])
    return found


def spread(layout: TileLayout, atom: MmaAtom | CopyAtom, matrix: Any, slots: int) -> Any:
    """The registers (thread, slot) after the layout has placed a row-major matrix."""
    registers = numpy.full((atom.threads, slots), numpy.nan)
    for value, places in zip(matrix.ravel(), owners(layout, atom, matrix.size), strict=True):
        for place in places:
            assert numpy.isnan(registers[place])
            registers[place] = value
    assert not numpy.isnan(registers).any()
    return registers


@pytest.mark.parametrize("atom", register_atoms(), ids=lambda atom: atom.name)
def test_a_product_through_the_fragments(atom: MmaAtom) -> None:
    """Each register of each thread holds one element, and what the instruction makes of them is A B + C."""
    rng = numpy.random.default_rng(63)
    m, n, k = atom.shape_mnk
    a, b, c = (rng.integers(-8, 8, shape).astype(float) for shape in ((m, k), (k, n), (m, n)))
    registers = [
        spread(mma_fragment_layout(atom, operand), atom, matrix, atom.tv_layout(operand)[1].size)
        for operand, matrix in zip("ABC", (a, b, c), strict=True)
    ]
    expected = spread(mma_fragment_layout(atom, "D"), atom, a @ b + c, registers[2].shape[1])
    assert (semantics.mma(atom, *registers) == expected).all()


@pytest.mark.parametrize("n", WGMMA_N)
def test_the_accumulators_of_a_warpgroup(n: int) -> None:
    """Row r of 64 is in warp r / 16, lanes 4 (r % 8) .. + 3; columns go by pairs over four lanes, then registers."""
    layout = mma_fragment_layout(f"SM90_64x{n}x16_F32F16F16_SS", "D")
    blocks = (n // 8, 4, 2) if n > 8 else (4, 2)
    strides = (4, 1 @ tid_in_wg, 1) if n > 8 else (1 @ tid_in_wg, 1)
    rows = TileLayout(S[(4, 2, 8, *blocks) : (32 @ tid_in_wg, 2, 4 @ tid_in_wg, *strides)])
    assert layout.equivalent(rows)
    assert layout.is_bijective()


@pytest.mark.parametrize("name", ["SM90_64x8x16_F32F16F16_RS", "SM90_64x8x8_F32TF32TF32_RS_TN"])
def test_the_register_operand_of_a_warpgroup_is_four_times_that_of_a_warp(name: str) -> None:
    group, warp = mma_fragment_layout(name, "A"), mma_fragment_layout(WARP_WIDE[name], "A")
    k = catalog.mma(name).shape_mnk[2]
    for row, column in product(range(64), range(k)):
        one, four = (f.apply(r, column, shape=(x, k)) for f, r, x in ((warp, row % 16, 16), (group, row, 64)))
        assert (four.get("tid_in_wg", 0), four.get("m", 0)) == (
            one.get("laneid", 0) + 32 * (row // 16),
            one.get("m", 0),
        )


WARP_WIDE = {
    "SM90_64x8x16_F32F16F16_RS": "SM80_16x8x16_F32F16F16F32_TN",
    "SM90_64x8x8_F32TF32TF32_RS_TN": "SM80_16x8x8_F32TF32TF32F32_TN",
}

MATRIX_MOVES = [name for name in catalog.list(kind="copy") if "LDSM" in name or "STSM" in name]


@pytest.mark.parametrize("name", MATRIX_MOVES)
@pytest.mark.parametrize("bits", [8, 16])
def test_a_matrix_move_through_its_fragment(name: str, bits: int) -> None:
    """Element e of the addressed rows, one after the other, arrives where the layout of the registers says."""
    if bits == 16 and "_U8" in name:
        with pytest.raises(LayoutError, match="would cut 16-bit elements"):
            copy_fragment_layout(name, bits)
        return
    atom = catalog.copy(name).with_element(bits)
    layout = copy_fragment_layout(atom, bits)
    loads = atom.spaces[1] == "register"
    addressed, held = (atom.tv_layout_src, atom.tv_layout_dst)[:: 1 if loads else -1]
    data = numpy.arange(held.cosize)
    registers = spread(layout, atom, data, held[1].size)
    memory = semantics.distribute(addressed, data.reshape(1, -1))
    moved = semantics.copy(atom, memory if loads else registers)
    assert (moved == (registers if loads else memory)).all()
    assert layout.is_bijective()
    assert layout.size() == held.size


def test_ldmatrix_loads_what_mma_sync_multiplies() -> None:
    """Four matrices, down M then along K, are operand A of m16n8k16; two along K, not transposed from (N, K), B."""
    x4, x2 = copy_fragment_layout("SM75_U32x4_LDSM_N", 16), copy_fragment_layout("SM75_U32x2_LDSM_N", 16)
    a, b = (mma_fragment_layout("SM80_16x8x16_F32F16F16F32_TN", operand) for operand in "AB")
    for row, k in product(range(16), range(16)):
        matrix = row // 8 + 2 * (k // 8)
        assert a.apply(row, k, shape=(16, 16)) == x4.apply(8 * matrix + row % 8, k % 8, shape=(32, 8))
    for k, n in product(range(16), range(8)):
        assert b.apply(k, n, shape=(16, 8)) == x2.apply(8 * (k // 8) + n, k % 8, shape=(16, 8))
    # From (K, N) in memory it is the transposing form that gives B.
    assert b.equivalent(copy_fragment_layout("SM75_U16x4_LDSM_T", 16))


def test_stmatrix_stores_what_ldmatrix_loads() -> None:
    for loads, stores in (("SM75_U32x4_LDSM_N", "SM90_U32x4_STSM_N"), ("SM75_U16x8_LDSM_T", "SM90_U16x8_STSM_T")):
        assert copy_fragment_layout(loads, 16) == copy_fragment_layout(stores, 16)
    expected = TileLayout(S[(4, 8, 4, 2) : (2, 4 @ laneid, 1 @ laneid, 1)])
    assert copy_fragment_layout("SM90_U32x4_STSM_N", "bfloat16") == expected


@pytest.mark.parametrize(
    ("name", "element", "reason"),
    [
        ("SM75_U32x2_LDSM_N", 64, "would cut 64-bit elements"),
        ("SM75_U16x8_LDSM_T", 32, "would cut 32-bit elements"),
        ("SM75_U32x1_LDSM_N", 48, "no 48-bit elements"),
        ("UniversalCopy128b", 16, "from any memory to any memory"),
        ("SM75_U32x1_MOVM_T", 16, "from register to register"),
        ("SM80_CP_ASYNC_CACHEALWAYS<uint128_t>", 16, "from global to shared"),
    ],
)
def test_copies_without_a_fragment_say_why(name: str, element: int, reason: str) -> None:
    with pytest.raises(LayoutError, match=reason):
        copy_fragment_layout(name, element)


@pytest.mark.parametrize("fragment", [mma_fragment_layout, copy_fragment_layout])
@pytest.mark.parametrize("atom", [3, None, [], "SM75_U32x9_LDSM_N"])
@pytest.mark.parametrize("what", ["C", 16, -1, [], None])
def test_other_arguments_are_refused_by_errors_of_our_own(fragment: Any, atom: Any, what: Any) -> None:
    with pytest.raises(TilewrightError):
        fragment(atom, what)
