"""Only instructions that exist can be built, under every name that they have, and none takes an element apart."""

from __future__ import annotations

import re
from itertools import product

import numpy
import pytest

import tilewright as tw
from tilewright.atoms import catalog, copy_amd, copy_universal, rdna, rocdl, sm90, sm100, sm120
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.layout import Layout

WIDTHS = (1, 2, 4, 6, 8, 16, 32, 64, 128)
SMALL = 20_000


def is_cut(side: Layout, bits: int) -> bool:
    """Does some element of `bits` bits of some thread lie in pieces, or across elements?"""
    if side[1].size == 1:
        return False
    threads, values = (mode(numpy.arange(mode.size)) for mode in side)
    elements = (threads[:, None] + values).reshape(len(threads), -1, bits)
    first = elements[:, :, :1]
    return bool((elements != first + numpy.arange(bits)).any() or (first % bits).any())


def accepts(atom: CopyAtom, bits: int) -> bool:
    try:
        return bool(atom.with_element(bits))
    except LayoutError:
        return False


def test_no_instruction_takes_an_element_apart() -> None:
    """`with_element` accepts exactly the widths whose elements stay whole where the two sides differ."""
    seen = set()
    for name in catalog.list(kind="copy"):
        atom = catalog.copy(name)
        sides = {atom.src_bits, atom.dst_bits, atom.ref_bits}
        if len(sides) == 1 or max(side.size for side in sides) > SMALL or frozenset(sides) in seen:
            continue
        seen.add(frozenset(sides))
        for bits in WIDTHS:
            fits = all(side[1].size % bits == 0 for side in sides)
            whole = fits and not any(is_cut(side, bits) for side in sides)
            assert accepts(atom, bits) == whole, (name, bits)
    assert len(seen) >= 20


def test_one_bit_stands_for_a_value_of_any_width_where_one_thread_has_it() -> None:
    one, other, four = Layout((1, 1), (0, 0)), Layout((1, 1), (1, 1)), Layout((4, 1), (1, 0))
    assert accepts(CopyAtom("one", Layout(1), one, other, other, "any"), 16)
    turned = CopyAtom("turned", Layout(4), four, Layout(((2, 2), 1), ((2, 1), 0)), four, "any")
    assert not accepts(turned, 16)
    assert not accepts(CopyAtom("four", Layout(4), four, four, four, "any"), 16)


def test_ldmatrix_with_trans_has_no_32_bit_elements() -> None:
    with pytest.raises(LayoutError, match="would cut 32-bit elements: at the destination a thread has runs of 16 bits"):
        tw.make_copy_atom("SM75_U16x8_LDSM_T", "float32")


def test_wgmma_has_all_of_cutlass_s_shapes() -> None:
    """320 atoms with the usual N and 736 with the others, of which integers have fewer."""
    dense = [name for name in catalog.list(kind="mma") if name.startswith("SM90_64x")]
    usual = [name for name in dense if re.match(r"SM90_64x(8|16|32|64|96|128|192|256)x", name)]
    assert (len(usual), len(dense) - len(usual)) == (320, 736)


@pytest.mark.parametrize("n", [0, 12, 40, 264, -8])
def test_wgmma_refuses_other_shapes(n: int) -> None:
    with pytest.raises(UsageError, match=f"not SS with N = {n}"):
        sm90.wgmma(n, "S32S8S8", "SS", "_TN")


@pytest.mark.parametrize(
    ("kind", "m", "n", "ctas", "source", "sparse"),
    [
        ("S8", 128, 24, 1, "SS", False),
        ("F16BF16", 128, 24, 1, "TS", False),
        ("F16BF16", 128, 24, 2, "SS", False),
        ("F16BF16", 96, 64, 1, "SS", False),
        ("F8F6F4", 256, 48, 2, "SS", True),
        ("MXF8F6F4", 64, 64, 1, "SS", False),
        ("MXF8F6F4", 128, 64, 2, "SS", False),
        ("MXF4", 128, 64, 1, "SS", True),
        ("MXF4", 128, 64, 1, "RS", False),
        ("MXF4_ULTRA", 128, 24, 1, "SS", False),
        ("F16BF16", 128, 264, 1, "SS", False),
        ("F64", 128, 64, 1, "SS", False),
    ],
)
def test_tcgen05_refuses_shapes_that_it_lacks(kind: str, m: int, n: int, ctas: int, source: str, sparse: bool) -> None:
    with pytest.raises(UsageError):
        sm100.tcgen05(kind, m, n, ctas=ctas, source=source, sparse=sparse)


def test_tcgen05_builds_every_n_that_it_names() -> None:
    for kind, row in sm100.KINDS.items():
        for ctas in (1, 2):
            for m in row.rows[ctas - 1]:
                found = sm100.extents_of_n(kind, m, ctas)
                assert max(found) == 256
                for n in (found[0], found[1], 256):
                    assert sm100.tcgen05(kind, m, n, ctas=ctas).shape_mnk[:2] == (m, n)


def test_scale_vectors_count_the_elements_that_a_holds() -> None:
    """A sparse A holds half of K, so that twice as many elements of K share a scale."""
    for sparse, packed in product((False, True), repeat=2):
        for block in (16, 32) if packed else (32,):
            atom = sm120.narrow_mma("E2M1", "E2M1", scaled=block * (1 + sparse), sparse=sparse, packed=packed)
            factors = int(re.search(r"scale_vec::(\d)X", atom.instruction)[1])
            assert atom.shape_mnk[2] == factors * block * atom.sparsity
            assert atom.scale[1] == block * atom.sparsity
    with pytest.raises(UsageError, match="16 elements per scale"):
        sm120.narrow_mma("E4M3", "E4M3", scaled=16)
    with pytest.raises(UsageError, match="packed"):
        sm120.narrow_mma("E4M3", "E2M1", packed=True)


@pytest.mark.parametrize(
    ("generation", "k", "types"),
    [
        ("RDNA4", 32, ("f32", "f16", "f16", "f32")),
        ("RDNA4", 16, ("f32", "f32", "f32", "f32")),
        ("GFX1250", 4, ("f32", "f16", "f16", "f32")),
        ("RDNA3", 16, ("f32", "e4m3", "e4m3", "f32")),
        ("RDNA5", 16, ("f32", "f16", "f16", "f32")),
    ],
)
def test_wmma_refuses_what_a_generation_lacks(generation: str, k: int, types: tuple[str, str, str, str]) -> None:
    with pytest.raises(UsageError, match="there is no"):
        rdna.wmma(generation, k, types)


def test_unsigned_integers_share_the_wmma_of_signed_ones() -> None:
    assert rdna.wmma("RDNA4", 16, ("i32", "u8", "i8", "i32")).instruction == "v_wmma_i32_16x16x16_iu8"


@pytest.mark.parametrize(
    ("cutlass", "ours"),
    [
        ("SM90::GMMA::MMA_64x64x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::K>", "SM90_64x64x16_F32F16F16_SS"),
        ("SM90::GMMA::SPARSE::GMMA_64x8x64_F32E4M3E4M3_SS_TN<>", "SM90_SPARSE_64x8x64_F32E4M3E4M3_SS_TN"),
        ("SM80_CP_ASYNC_CACHEALWAYS<cute::uint128_t>", "SM80_CP_ASYNC_CACHEALWAYS<uint128_t>"),
        ("SM80_CP_ASYNC_CACHEALWAYS<float>/half_t", "SM80_CP_ASYNC_CACHEALWAYS<uint32_t>"),
        ("AutoVectorizingCopyWithAssumedAlignment<128>", "DefaultCopy"),
        ("UniversalCopy<cute::uint128_t>", "UniversalCopy128b"),
    ],
)
def test_cutlass_s_spellings(cutlass: str, ours: str) -> None:
    find = catalog.mma if "GMMA" in cutlass else catalog.copy
    assert find(cutlass).name == ours


def test_a_pair_of_ctas_loads_two_runs() -> None:
    atom = catalog.copy("SM100_TMA_2SM_LOAD<1024>")
    assert (str(atom.thr_layout), str(atom.src_bits)) == ("2:1", "(2,1024):(1024,1)")


def test_flydsl_s_names_and_arguments() -> None:
    assert rocdl.MFMA(16, 16, 4, "Float32").name == "CDNA3_16x16x4_F32F32F32F32"
    assert rocdl.MFMA(16, 16, 32, "Int8", "Int32").shape_mnk == (16, 16, 32)
    assert rocdl.MFMA_Scale(32, 32, 64, "Float4E2M1FN").scale == ("float8_e8m0fnu", 32)
    assert rocdl.WMMA(16, 16, 32, "Float16").arch == "gfx1250"
    assert rocdl.WMMA(16, 16, 16, "Float16", generation="RDNA3").replicas == (2, 2, 1)
    assert rocdl.WMMA_Scale(16, 16, 128, "Float8E4M3FN").shape_mnk == (16, 16, 128)
    assert rocdl.BufferCopy(64) == rocdl.BufferCopy64b() == catalog.copy("BufferCopy64b")
    assert rocdl.BufferAtomicAdd("Float32").instruction == "buffer_atomic_add"
    assert str(rocdl.BufferAtomicPkAdd("Float16").tv_layout_src) == "(1,2):(0,1)"
    assert rocdl.LDSReadTrans16_64b() == catalog.copy("LDSReadTrans16_64b")
    assert tw.UniversalAtomicMax("Float32").name == "UniversalAtomicMax32b"
    assert tw.rocdl is rocdl


def test_introspection_under_every_name() -> None:
    """Document 002's names, the release's and CuTe's are the same values."""
    mma, copy = catalog.mma("SM80_16x8x16_F32F16F16F32_TN"), tw.make_copy_atom("SM75_U32x4_LDSM_N", "float16")
    tiled = tw.make_tiled_mma(mma, Layout((2, 2, 1)))
    copies = tw.make_tiled_copy_A(copy, tiled)
    for held, names in (
        (copy, "tv_layout_src layout_src_tv"),
        (copy, "tv_layout_dst layout_dst_tv"),
        (copy, "thr_layout thr_id"),
        *((mma, f"tv_layout_{x} layout_{x}_tv") for x in "ABC"),
        *((tiled, f"tiled_tv_layout_{x} tv_layout_{x}_tiled layout{x}_TV") for x in "ABC"),
        (copies, "tiled_tv_layout_S layout_src_tv_tiled layoutS_TV"),
        (copies, "tiled_tv_layout_D layout_dst_tv_tiled layoutD_TV"),
        (copies, "layout_tv layout_tv_tiled tiled_layout_TV"),
        (copies, "tiler tile_mn tiler_mn"),
        (tiled.get_slice(7), "thread thr_idx"),
        (copies.get_slice(7), "thread thr_idx"),
    ):
        first, *others = names.split()
        assert all(getattr(held, other) == getattr(held, first) for other in others), names
    assert (tiled.shape_mnk, tiled.thr_layout, tiled.tv_layout_B) == (mma.shape_mnk, mma.thr_layout, mma.tv_layout_B)
    assert (copies.tv_layout_src, copies.tv_layout_dst) == (copy.tv_layout_src, copy.tv_layout_dst)
    assert tiled.thr_slice(3) == tiled.get_slice(3)


@pytest.mark.parametrize(
    "make",
    [
        lambda: rocdl.BufferCopyLDS(64),
        lambda: rocdl.BufferCopy(96),
        lambda: rocdl.BufferAtomic("xor", "float32"),
        lambda: rocdl.BufferAtomic("add", "float16"),
        lambda: rocdl.LDSReadTrans(8, 96),
        lambda: rocdl.MFMA(7, 7, 3, "float32"),
        lambda: rocdl.WMMA(32, 16, 128, "float4_e2m1fn"),
        lambda: rocdl.WMMA_Scale(16, 16, 128, "float4_e2m1fn"),
        lambda: tw.UniversalCopy(96),
        lambda: tw.UniversalAtomic("add", "int8"),
        lambda: copy_universal.cp_async("ALWAYS", "_NANFILL", 128),
        lambda: copy_universal.cp_async("NEVER", "", 128),
        lambda: copy_universal.cp_async("GLOBAL", "", 64),
        lambda: copy_universal.cp_async("ALWAYS", "", True),
        lambda: copy_universal.tma("SM90_TMA", 1024),
        lambda: copy_universal.tma("SM90_TMA_LOAD", 1000),
        lambda: copy_amd.run("BufferStore", 128),
    ],
)
def test_flydsl_s_names_refuse_what_there_is_not(make: object) -> None:
    with pytest.raises(UsageError):
        make()
