import pytest
from atom_vectors import cute_copy_atoms, cute_mma_atoms, fly_atoms, same_function, without_blanks

from tilewright.atoms import catalog
from tilewright.atoms.coverage import owners
from tilewright.atoms.find import find as found_atoms
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_mma import make_tiled_mma
from tilewright.errors import LayoutError, NotationError, TilewrightError, UsageError
from tilewright.layout.layout import Layout
from tilewright.notation import parse
from tilewright.notation.fly_atoms import parse_fly_atom


def test_mma_atoms_are_cutlass_s_to_the_letter():
    wrong = []
    for row in cute_mma_atoms():
        atom = catalog.mma(row["name"])
        found = [atom.thr_layout, atom.tv_layout_A, atom.tv_layout_B, atom.tv_layout_C, without_blanks(atom.shape_mnk)]
        expected = [row[key] for key in ("ThrID", "ALayout", "BLayout", "CLayout", "Shape_MNK")]
        if list(map(str, found)) != expected and not row.get("peer_wrong"):
            wrong.append(row["name"])
    assert not wrong


def test_mma_operands_have_cutlass_s_bits():
    for row in cute_mma_atoms():
        atom = catalog.mma(row["name"])
        a, b = atom.dtypes[1].bits // atom.sparsity, atom.dtypes[2].bits
        # 6- and 4-bit elements in the 8-bit container, and 3M Gauss complex, are other types in CUTLASS.
        if "F8F6F4" not in row["name"] and "GC64" not in row["name"]:
            assert [a, b] == row["bitsABC"][:2], row["name"]


def test_copy_atoms_are_cutlass_s_to_the_letter():
    wrong = []
    for row in cute_copy_atoms():
        atom = catalog.copy(row["name"]).with_element(row["val_bits"])
        found = [atom.thr_layout, atom.src_bits, atom.dst_bits, atom.ref_bits]
        found += [atom.tv_layout_src, atom.tv_layout_dst, atom.tv_layout_ref]
        keys = ("ThrID", "SrcLayout_bits", "DstLayout_bits", "RefLayout_bits")
        expected = [row[k] for k in (*keys, "ValLayoutSrc", "ValLayoutDst", "ValLayoutRef")]
        if list(map(str, found)) != expected:
            wrong.append(row["name"])
    assert not wrong


@pytest.mark.parametrize("row", [r for r in fly_atoms() if not r.get("peer_wrong")], ids=lambda r: r["type"])
def test_fly_atoms_are_the_same_functions(row):
    atom = parse_fly_atom(row["type"])
    for key, text in row.items():
        if key.startswith(("tv_layout", "thr_layout")):
            assert same_function(getattr(atom, key), text), key
        if key == "shape_mnk":
            assert without_blanks(atom.shape_mnk) == text


def test_a_fly_atom_whose_layouts_do_not_cover_its_tile_has_those_of_its_instruction():
    """FlyDSL takes 4x4x4 for one product of a rule that has no lanes for it; the hardware does 16 of them."""
    (row,) = [row for row in fly_atoms() if row.get("peer_wrong")]
    atom = parse_fly_atom(row["type"])
    assert (atom.name, atom.blocks) == ("CDNA3_4x4x4_16B_F32F16F16F32", 16)
    assert without_blanks(atom.shape_mnk) == row["shape_mnk"]
    assert same_function(atom.thr_layout, row["thr_layout"])


def test_mma_cover_every_atom_owns_every_element_as_declared():
    """Law 62: the image of every operand is the whole tile, each element as often as declared."""
    names = catalog.list(kind="mma")
    assert len(names) > 2000
    for name in names:
        atom = catalog.mma(name)
        assert atom.name == name
        for operand, declared in zip("ABC", atom.replicas, strict=True):
            rows, columns = atom.tile(operand)
            layout, elements = atom.tv_layout(operand), rows * columns * atom.blocks
            assert owners(layout, elements) == declared
            assert layout.size == elements * declared


def test_every_copy_atom_can_be_built_and_named():
    for name in catalog.list(kind="copy"):
        assert catalog.copy(name).name == name


def test_closed_coverage_test_equals_enumeration():
    """Law 60 on small layouts: `owners` counts what enumeration counts, or refuses where it is uneven."""
    from itertools import product

    for shape, stride in product(product((1, 2, 3), repeat=2), product((0, 1, 2, 3, 4), repeat=2)):
        layout = Layout(shape, stride)
        values = [layout(i) for i in range(layout.size)]
        elements = max(values) + 1
        counts = {values.count(e) for e in range(elements)}
        if len(counts) == 1 and 0 not in counts:
            assert owners(layout, elements) == counts.pop()
        else:
            with pytest.raises(LayoutError):
                owners(layout, elements)


@pytest.mark.parametrize(
    ("a", "message"),
    [
        (Layout((32, 4), (4, 2)), "covers"),
        (Layout((16, 8), (1, 16)), "32 threads"),
        (Layout(((4, 8), (2, 4)), ((32, 1), (16, 8))), "covers|owners"),
    ],
)
def test_a_wrong_atom_cannot_be_built(a, message):
    good = catalog.mma("SM80_16x8x8_F32F16F16F32_TN")
    with pytest.raises(LayoutError, match=message):
        MmaAtom("wrong", good.shape_mnk, good.types, good.thr_layout, a, good.tv_layout_B, good.tv_layout_C, good.arch)


@pytest.mark.parametrize("find", [catalog.mma, catalog.copy])
@pytest.mark.parametrize("name", ["m16n8k16", "v_mfma_f32_32x32x8_f16", "ldmatrix.sync.aligned.m8n8.x4.shared.b16"])
def test_the_name_of_an_instruction_names_its_atoms(find, name):
    named = catalog.list(name, kind=find.__name__)
    with pytest.raises(UsageError) as caught:
        find(name)
    assert all(atom in str(caught.value) for atom in named[:3])
    assert bool(named) == ("atoms of that instruction" in str(caught.value))


def test_unknown_names_get_a_suggestion():
    with pytest.raises(UsageError, match="SM80_16x8x16_F32F16F16F32_TN"):
        catalog.mma("SM80_16x8x16_F32F16F16F32_NT")
    with pytest.raises(UsageError, match="LDSM"):
        catalog.copy("SM75_U32x8_LDSM_N")


@pytest.mark.parametrize(
    "name",
    [
        "",
        "<>",
        "SM100_MMA_F16BF16_SS<",
        "SM100_MMA_F16BF16_SS<cute::half_t,cute::half_t,float,100,128>",
        "SM100_MMA_F16BF16_SS<nope,cute::half_t,float,128,128>",
        "SM120::SM120_16x8x64_TN_VS<a,b,c,d,32>",
        "UniversalFMA<>",
        "UniversalCopy<uint7_t>",
        "x" * 10000,
    ],
)
def test_hostile_names_raise_our_error(name):
    for find in (catalog.mma, catalog.copy):
        with pytest.raises((UsageError, LayoutError)):
            find(name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "!fly.copy_atom",
        "!fly.copy_atom<!fly.universal_copy<128>>",
        "!fly.copy_atom<!fly.universal_copy<100>, 4>",
        "!fly.copy_atom<!fly.universal_copy<32>, 0>",
        "!fly.copy_atom<!fly.universal_copy<32>, 24>",
        "!fly.mma_atom<!fly_rocdl.cdna3.mfma<7x7x3, (f32, f32) -> f32>>",
        "!fly.mma_atom<!fly_rocdl.cdna3.mfma<4x4x8, (f16, f16) -> f32>>",
        "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x4, (f32) -> f32>>",
        "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x4, (f32, f32)>>",
        "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x4, (index, f32) -> f32>>",
        "!fly.mma_atom<" * 500,
    ],
)
def test_hostile_fly_types_raise_our_error(text):
    with pytest.raises(NotationError):
        parse_fly_atom(text)


@pytest.mark.parametrize("kind", ["mma", "copy"])
def test_names_tell_mmas_from_copies_and_misspelled_ones_the_right_one(kind: str) -> None:
    names = catalog.list(kind=kind)
    assert all(catalog.has_mma(name) == (kind == "mma") for name in names)
    for name in [name for name in names if "<" not in name and "x" in name][::500]:
        with pytest.raises(TilewrightError, match=f"close names: {name}") as caught:
            parse(f"{name}Q")
        assert f"no {'MMA' if kind == 'mma' else 'copy'} atom" in str(caught.value)


def test_lists_of_what_is_found_are_short() -> None:
    tiled = make_tiled_mma(catalog.mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)))
    assert repr(tiled) == f"<{tiled}>"
    assert "<svg" in (tiled._repr_html_() or "")
    assert repr(tiled.get_slice(3)) == f"ThrMma(tiled_mma=<{tiled}>, thread=3)"
    for atom in (*found_atoms(16, 8, 16), catalog.copy("SM75_U32x4_LDSM_N")):
        assert atom.name in repr(atom)
        assert len(repr(atom).splitlines()) == 1
