"""Atoms and tiled operations as C++ types, calls and prints of CuTe, beside what CUTLASS itself printed of them."""

from __future__ import annotations

from typing import Any

import pytest
from atom_vectors import cute_copy_atoms, cute_mma_atoms, rows, same_tv_layout

import tilewright as tw
from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_copy import TiledCopy, make_tiled_copy_A, make_tiled_copy_B, make_tiled_copy_C
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.errors import LayoutError, NotationError
from tilewright.notation import text

MMA = "SM80_16x8x16_F32F16F16F32_TN"
CUTE = rows("cute_tiled")
TILED_MMAS = [row for row in CUTE if row["op"] == "tiled_mma"]
COPIES = [row for row in CUTE if row["op"] == "tiled_copy_tv"]
MATCHING = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}


@pytest.mark.parametrize(
    "word",
    [
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
        "v_mfma_f32_32x32x8_f16",
        "llvm.amdgcn.mfma.f32.32x32x8f16",
        "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
        "stmatrix",
        "cp.async.cg.shared.global",
        "cp.async.cg.shared.global.L2::128B",
        "tcgen05.mma..",
        "tcgen05.mma.cta_group::1.kind::f16.collector::a::fill",
    ],
)
def test_the_name_of_an_instruction_is_refused_with_atoms_that_are_read(word: str) -> None:
    with pytest.raises(NotationError, match="write an atom of ") as refused:
        tw.parse(word)
    of, names = str(refused.value).splitlines()[0].split("write an atom of ")[1].split(": ")
    known, said = catalog.list(word if of == "it" else of), names.split(" and ")[0].split(", ")
    assert said
    assert of == "it" or word.startswith(f"{of}.")
    assert all(name in known and isinstance(tw.parse(name), MmaAtom | CopyAtom) for name in said)


@pytest.mark.parametrize("kind", ["mma", "copy"])
def test_every_atom_reads_back_from_its_text_and_from_its_name(kind: str) -> None:
    find = catalog.mma if kind == "mma" else catalog.copy
    names = catalog.list(kind=kind)[:: 3 if kind == "mma" else 1]
    assert [name for name in names if not tw.parse(name) == tw.parse(text(find(name))) == find(name)] == []


SPELLED = (
    "MMA_Atom<{}>",
    "cute::MMA_Atom<cute::MMA_Traits<cute::{}>>",
    "const cute::MMA_Atom<struct cute::{} >&",
    "MmaAtom=MMA_Atom<{}>{{}}",
    "using Atom = MMA_Atom<MMA_Traits<{}>>;",
)


@pytest.mark.parametrize("spelled", SPELLED)
def test_what_cutlass_prints_of_an_operation_is_held_by_the_atom_of_its_type(spelled: str) -> None:
    plain = [row for row in cute_mma_atoms() if "::SM" not in row["name"]]
    assert len(plain) > 400
    for row in plain[::7]:
        atom = tw.parse(spelled.format(row["name"]), MmaAtom)
        assert without_blanks(atom.shape_mnk) == row["Shape_MNK"]
        assert str(atom.tv_layout_C) == row["CLayout"]


def without_blanks(value: object) -> str:
    return str(value).replace(" ", "")


def test_what_cutlass_prints_of_a_copy_is_held_by_the_atom_of_its_type() -> None:
    halves = [row for row in cute_copy_atoms() if row["val_bits"] == 16 and "/" not in row["name"]]
    assert len(halves) > 20
    for row in halves:
        for spelled in ("Copy_Atom<{}, half_t>", "cute::Copy_Atom<cute::Copy_Traits<cute::{}>, cutlass::half_t>"):
            atom = tw.parse(spelled.format(row["name"]), CopyAtom)
            found = (atom.tv_layout_src, atom.tv_layout_dst, atom.tv_layout_ref)
            assert [str(x) for x in found] == [row[f"ValLayout{side}"] for side in ("Src", "Dst", "Ref")]


@pytest.mark.parametrize("row", TILED_MMAS[::2], ids=lambda row: str(row["plain"]))
def test_a_tiled_mma_is_the_one_that_cutlass_made_of_the_type(row: dict[str, Any]) -> None:
    config = row["config"]
    typed = f"TiledMMA<MMA_Atom<{config['atom']}>, {config['atom_layout']}, {config['permutation']}>"
    called = f"make_tiled_mma({config['atom']}{{}}, {config['atom_layout']}{{}}, {config['permutation']}{{}})"
    tiled = tw.parse(typed, TiledMma)
    assert tiled == tw.parse(called) == tw.parse(text(tiled))
    assert str(tiled.thr_layout_vmnk) == row["result"]["thr_layout_vmnk"]
    assert all(same_tv_layout(tiled, x, row["result"][f"layout{x}_TV"]) for x in "ABC")


@pytest.mark.parametrize("row", TILED_MMAS[::2], ids=lambda row: str(row["plain"]))
def test_a_printed_tiled_mma_is_the_typed_one_where_its_layouts_tell(row: dict[str, Any]) -> None:
    config, result = row["config"], row["result"]
    typed = tw.parse(
        f"TiledMMA<MMA_Atom<{config['atom']}>, {config['atom_layout']}, {config['permutation']}>", TiledMma
    )
    printed = (
        f"TiledMMA\n  ThrLayoutVMNK:  {result['thr_layout_vmnk']}\n  PermutationMNK: {result['permutation_mnk']}\n"
    )
    printed += printed_mma(typed.atom)
    found, said = told(printed)
    named = tw.parse(printed.replace("MMA_Atom", f"MMA_Atom<{typed.atom.name}>"), TiledMma)
    assert named.atom == typed.atom
    assert all(named.tiled_tv_layout(x) == typed.tiled_tv_layout(x) for x in "ABC")
    other, said_of_other = told(printed.replace("MMA_Atom", "MMA_Atom<SM70_8x8x4_F16F16F16F16_NN>"))
    assert other is None
    assert "SM70_8x8x4_F16F16F16F16_NN has other layouts" in said_of_other
    if found is None:
        assert typed.atom.name.split("<")[0] in said or " more; " in said
    else:
        assert isinstance(found, TiledMma)
        assert found.atom == typed.atom
        assert all(found.tiled_tv_layout(x) == typed.tiled_tv_layout(x) for x in "ABC")


def told(printed: str) -> tuple[object, str]:
    """What is read, or what is said of several atoms."""
    try:
        return tw.parse(printed), ""
    except NotationError as error:
        return None, str(error)


def printed_mma(atom: MmaAtom) -> str:
    layouts = "".join(f"  Layout{x}_TV: {atom.tv_layout(x)}\n" for x in "ABC")
    return f"MMA_Atom\n  ThrID:      {atom.thr_layout}\n  Shape_MNK:  {atom.shape_mnk}\n{layouts}"


def test_a_printed_atom_is_told_or_is_among_those_that_are_named() -> None:
    alone = 0
    for name in catalog.list(kind="mma")[:900:9]:
        if not name.startswith(("SM", "Universal")):
            continue
        found, said = told(printed_mma(catalog.mma(name)))
        assert found == catalog.mma(name) if found else name in said or " more; " in said
        alone += found is not None
    assert alone > 5


@pytest.mark.parametrize("row", COPIES, ids=lambda row: str(row["config"]))
def test_a_tiled_copy_is_the_one_that_cutlass_made(row: dict[str, Any]) -> None:
    config, result = row["config"], row["result"]
    atom = f"Copy_Atom<{config['copy_atom']}, {config['val_type']}>"
    called = tw.parse(f"make_tiled_copy({atom}{{}}, {config['thr_layout']}{{}}, {config['val_layout']}{{}})", TiledCopy)
    assert str(called.layout_tv) == result["tiled_layout_TV"]
    assert tw.parse(text(called)) == called
    layout, tile = tw.to_cpp(called.layout_tv), tw.to_cpp(tw.parse(result["tiler_mn"]))
    typed = tw.parse(f"cute::TiledCopy<cute::{atom}, {layout}, {tile}>", TiledCopy)
    assert (typed.tiled_tv_layout_S, typed.tiled_tv_layout_D) == (called.tiled_tv_layout_S, called.tiled_tv_layout_D)


@pytest.mark.parametrize("operand", "ABC")
def test_a_printed_tiled_copy_of_ldmatrix_is_told(operand: str) -> None:
    tiled = tw.parse(f"TiledMMA<MMA_Atom<{MMA}>, Layout<Shape<_2,_2>>, Tile<_32,_32,_16>>", TiledMma)
    made = MATCHING[operand](catalog.copy("SM75_U32x4_LDSM_N").with_element(16), tiled)
    atom = made.atom
    cpp = (
        f"TiledCopy\n  Tiler_MN:       {made.tiler}\n  TiledLayout_TV: {made.layout_tv}\nCopy_Atom\n"
        f"  ThrID:        {atom.thr_layout}\n  ValLayoutSrc: {atom.tv_layout_src}\n"
        f"  ValLayoutDst: {atom.tv_layout_dst}\n"
        f"  ValLayoutRef: {atom.tv_layout_ref}\n  ValueType:    16b\n"
    )
    dsl = (
        f"tiled: Tiled Copy\n  Tiler MN: {made.tiler}\n  TV Layout tiled: {made.layout_tv}\nCopy Atom\n"
        f"  ThrID: 32:1\n  TV Layout Src: {atom.tv_layout_src}\n  TV Layout Dst: {atom.tv_layout_dst}\n"
        "  Value type: f16"
    )
    assert tw.parse(cpp) == tw.parse(dsl) == made


@pytest.mark.parametrize("values", [(1, 2, 1), (2, 2, 2), (1, 1, 1)])
def test_a_layout_of_values_of_older_releases_enlarges_the_tile(values: tuple[int, int, int]) -> None:
    """CUTLASS until 3.3: the tile is atom x atoms x values, and threads take what else there is in turn."""
    shape = ",".join(f"_{n}" for n in values)
    older = f"TiledMMA<MMA_Atom<{MMA}>, Layout<Shape<_2,_2,_1>>, Layout<Shape<{shape}>>{{}}>"
    whole = ", Tile<Underscore,Underscore,Underscore>>"
    found = tw.parse(older.replace("{}", ""), TiledMma)
    assert (found == tw.parse(f"TiledMMA<MMA_Atom<{MMA}>, Layout<Shape<_2,_2,_1>>>")) is (set(values) == {1})
    assert found == tw.parse(older.replace("{}>", whole))
    assert found.tile_size_mnk == (32 * values[0], 16 * values[1], 16 * values[2])
    covered = tw.parse(f"TiledMMA<MMA_Atom<{MMA}>, Layout<Shape<_2,_2,_1>>>", TiledMma)
    tile = found.tile_size_mnk[:2]
    assert found.get_slice(37).partition_C(tw.Layout(tile)) == covered.get_slice(37).partition_C(tw.Layout(tile))


@pytest.mark.parametrize(
    ("typed", "cuts"),
    [
        ("MMA_Traits<SM100_MMA_F16BF16_SS, cutlass::half_t, cutlass::half_t, float, cute::C<128>, cute::C<64>>",
         (128, 64, 16)),
        ("cute::SM100_MMA_F16BF16_SS<cutlass::half_t, cutlass::half_t, float, (int)128, 64, (cute::UMMA::Major)0>",
         (128, 64, 16)),
        ("SM100_MMA_F16BF16_SS<half_t, half_t, float, _128, cute::Int<64>, UMMA::Major::K, UMMA::Major::K>",
         (128, 64, 16)),
        ("cute::SM90::GMMA::MMA_64x128x16_F32F16F16_SS<(cute::SM90::GMMA::Major)0, (cute::SM90::GMMA::Major)0>",
         (64, 128, 16)),
    ],
)  # fmt: skip
def test_arguments_of_operations_as_compilers_write_them(typed: str, cuts: tuple[int, int, int]) -> None:
    assert tw.parse(f"MMA_Atom<{typed}>", MmaAtom).shape_mnk == cuts


def test_the_bits_of_a_bulk_copy_stand_in_its_traits() -> None:
    told = "C<8192>, AuxTmaParams<tuple<ScaledBasis<C<1>, 0>>>"
    for traits in (f"SM90_TMA_LOAD, {told}", f"SM90_TMA_LOAD<8192>, {told}", "SM90_TMA_LOAD, (int)8192"):
        found = tw.parse(f"Copy_Atom<Copy_Traits<{traits}>, half_t>")
        assert found == catalog.copy("SM90_TMA_LOAD<8192>").with_element(16)


def test_elements_of_so_many_bits_or_bytes() -> None:
    for bits, spelled in ((16, "uint_bit_t<16>"), (16, "uint_byte_t<2>"), (32, "cute::uint_byte_t<4>")):
        found = tw.parse(f"Copy_Atom<SM75_U32x4_LDSM_N, {spelled}>")
        assert found == catalog.copy("SM75_U32x4_LDSM_N").with_element(bits)


def test_a_tiled_copy_is_called_with_threads_and_values_or_with_both_and_the_tile() -> None:
    atom, threads = "Copy_Atom<UniversalCopy<float>, float>", "Layout<Shape<_8,_4>,Stride<_4,_1>>"
    alone = tw.parse(f"make_tiled_copy({atom}{{}}, {threads}{{}})")
    assert alone == tw.parse(f"make_tiled_copy({atom}{{}}, {threads}{{}}, Layout<_1>{{}})")
    held = "Layout<Shape<Shape<_8,_4>,_2>,Stride<Stride<_1,_16>,_8>>, Shape<_8,_8>"
    assert tw.parse(f"TiledCopy<{atom}, {held}>") == tw.parse(f"make_tiled_copy({atom}{{}}, {held})")


LDSM = "Copy_Atom ThrID: 32:1 ValLayoutSrc: {} ValLayoutDst: (32,(2,4)):(2,(1,64)) ValueType: 16b"
TILED = f"TiledMMA ThrLayoutVMNK: {{}} PermutationMNK: (_,_,_) {printed_mma(catalog.mma(MMA))}".replace(
    "MMA_Atom", f"MMA_Atom<{MMA}>"
)


def test_a_field_of_which_nobody_knows_is_passed_over() -> None:
    plain = LDSM.format("(32,8):(8,1)")
    assert (
        tw.parse(f"{plain} Name of four words: 3")
        == tw.parse(plain)
        == catalog.copy("SM75_U32x4_LDSM_N").with_element(16)
    )


def test_no_stride_of_a_single_atom_is_asked() -> None:
    assert tw.parse(TILED.format("(32,2,2,1):(1,32,64,7)")) == tw.parse(TILED.format("(32,2,2,1):(1,32,64,0)"))


def test_a_printed_copy_is_told_or_is_among_those_that_are_named() -> None:
    for atom in (catalog.copy(name) for name in catalog.list(kind="copy") if "LDSM" in name):
        bits = 8 if atom.widened_bits or "U8" in atom.name else 16
        found, said = told(printed_copy(atom.with_element(bits), bits))
        assert found == atom.with_element(bits) if found else atom.name in said or " more; " in said


def printed_copy(atom: CopyAtom, bits: int) -> str:
    sides = f"ValLayoutSrc: {atom.tv_layout_src} ValLayoutDst: {atom.tv_layout_dst} ValLayoutRef: {atom.tv_layout_ref}"
    return f"Copy_Atom ThrID: {atom.thr_layout} {sides} ValueType: {bits}b"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("MMA_Atom<SM80_16x8x16_F32F16F16F33_TN>", "close names: SM80_16x8x16_F32F16F16F32_TN"),
        ("Copy_Atom<SM75_U32x4_LDSM_N>", "the element type, such as Copy_Atom<.., half_t>"),
        ("Copy_Atom<SM75_U32x4_LDSM_N, hlf>", "did you mean 'half'"),
        ("Copy_Atom<SM75_U32x4_LDSM_N, float", "expected '>'"),
        (f"TiledMMA<MMA_Atom<{MMA}>, _2>", "is a Layout<..> of constants"),
        (f"TiledMMA<MMA_Atom<{MMA}>, Layout<_2>, Tile<_17>>", "no multiple of the 32"),
        (f"TiledMMA<MMA_Atom<{MMA}>, Layout<_2>, Layout<Shape<_1,_2,_1>>, Tile<_32,_32,_16>>", "as one Tile<..>"),
        (f"TiledMMA<MMA_Atom<{MMA}>, Layout<_2>, Tile<_32>, Tile<_32>>", "the last argument"),
        (f"TiledMMA<{MMA}>", "expected 'MMA_Atom'"),
        ("TiledCopy<Copy_Atom<UniversalCopy<float>, float>, _2, _2>", "is a Layout<..> of constants"),
        ("make_tiled_copy(SM80_16x8x16_F32F16F16F32_TN{}, Layout<_2>{})", "takes a copy atom"),
        ("TiledMMA ThrLayoutVMNK: (32,1,1,1):(1,0,0,0) PermutationMNK: (_,_,_)", "expected the atom"),
        ("MMA_Atom ThrID: 32:1 Shape_MNK: (16,8,16)", "is missing"),
        (
            "Copy_Atom ThrID: 1:0 ValLayoutSrc: (1,3):(0,1) ValLayoutDst: (1,3):(0,1) ValueType: 16b",
            "no atom of CUTLASS",
        ),
        ("MMA_Atom ThrID: 32:1 ThrID: 32:1", "printed twice"),
        (f"{LDSM.format('(32,8):(8,1)')} TV Layout Src: (32,8):(8,1)", "printed twice"),
        (f"{LDSM.format('(32,8):(8,1)')} ValLayoutRef: (32,8):(8,1)", "no atom of CUTLASS"),
        (LDSM.format("((32,2),4):((8,1),2)"), "no atom of CUTLASS"),
        (f"{printed_mma(catalog.mma(MMA))} MMA_Atom ThrID: 32:1", "a second MMA is printed"),
        (f"{LDSM.format('(32,8):(8,1)')} TiledCopy<SM75_U32x4_LDSM_N> Tiler_MN: (32,8)", "expected the end"),
        (TILED.format("(32,2,2):(1,32,64)"), "over V, M, N and K, got (32,2,2)"),
        (TILED.format("(32,2,2,1):(1,33,64,0)"), "no layout of atoms of the threads 32:1 gives"),
        (f"make_tiled_mma({MMA}{{}}, Layout<_2>{{}}, Tile<_32>{{}}, Tile<_32>{{}})", "and a permutation"),
        ("make_tiled_copy(Copy_Atom<UniversalCopy<float>, float>, Layout<_8>, Layout<_1>, Layout<_1>)", "two layouts"),
        (f"TiledMMA<MMA_Atom<{MMA}>, Layout<_2>, Layout<Shape<_1,_1,_1>>, _, _>", "up to 3 arguments, got 4"),
        (f"TiledMMA<MMA_Atom<{MMA}>, Layout<_2>, Layout<Shape<_1,_2>>>", "is over M, N and K"),
        (f"TiledMMA<MMA_Atom<{MMA}>, Layout<Shape<int,_2>>>", "is a Layout<..> of constants"),
        ("Copy_Atom<SM90_TMA_LOAD<8192", "expected a type"),
    ],
)
def test_refusals_have_a_caret(words: str, said: str) -> None:
    with pytest.raises((NotationError, LayoutError)) as caught:
        tw.parse(words)
    assert said in str(caught.value)
    assert str(caught.value).endswith("^")
