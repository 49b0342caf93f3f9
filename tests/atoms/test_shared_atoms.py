"""The shared-memory layout atoms and modes: against the definitions in bits, the hardware's XOR, and TIRx's tiles."""

from __future__ import annotations

from itertools import product

import pytest
from descriptor_oracle import MODES as MANUAL
from descriptor_oracle import moved

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle, UsageError
from tilewright.atoms.shared_modes import MODES, NUMBERED, mode_of
from tilewright.tirx.hardware.shared import SwizzleMode, mma_atom_layout

BITS = (1, 2, 4, 8, 16, 32, 64, 128)
# CUTLASS: swizzle of bytes, and the layout in bits
CUTLASS = {
    "Layout_MN_INTER_Atom": ((0, 4, 3), "(128,8):(1,128)"),
    "Layout_MN_SW32_Atom": ((1, 4, 3), "(256,8):(1,256)"),
    "Layout_MN_SW64_Atom": ((2, 4, 3), "(512,8):(1,512)"),
    "Layout_MN_SW128_Atom": ((3, 4, 3), "(1024,8):(1,1024)"),
    "Layout_K_INTER_Atom": ((0, 4, 3), "(8,128):(128,1)"),
    "Layout_K_SW32_Atom": ((1, 4, 3), "(8,256):(256,1)"),
    "Layout_K_SW64_Atom": ((2, 4, 3), "(8,512):(512,1)"),
    "Layout_K_SW128_Atom": ((3, 4, 3), "(8,1024):(1024,1)"),
    "Layout_MN_SW128_32B_Atom": ((2, 5, 2), "(1024,4):(1,1024)"),
}


SPARSE = {name.replace("_Atom", "_SpAtom"): name for name in CUTLASS}


def test_the_names_are_cutlass_s() -> None:
    assert set(tw.atoms.list(kind="smem")) == {*CUTLASS, *SPARSE}
    assert set(CUTLASS) < set(tw.atoms.list())
    for kind in ("", "Sp"):
        names = tw.atoms.list(f"K SW _{kind}Atom", kind="smem", arch="sm_90")
        assert names == tuple(f"Layout_K_SW{n}_{kind}Atom" for n in (32, 64, 128))
    assert tw.atoms.list(kind="smem", arch="sm_100") == ("Layout_MN_SW128_32B_Atom", "Layout_MN_SW128_32B_SpAtom")


@pytest.mark.parametrize("name", SPARSE)
@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("sparsity", [2, 4])
def test_a_sparse_atom_is_cutlass_s_product_behind_a_pointer_that_divides(name: str, bits: int, sparsity: int) -> None:
    """blocked_product(Layout<_1, S>, the dense atom's layout), whose offsets a sparse pointer divides by S."""
    (b, m, s), _ = CUTLASS[SPARSE[name]]
    dense, in_bits = tw.atoms.smem(SPARSE[name], bits), Swizzle(b, m + 3, s)
    counted = tw.blocked_product(Layout((1, sparsity)), dense.inner)
    row = tw.atoms.shared_atoms.of_sparsity(tw.atoms.shared_atoms.shared_atom(name), sparsity)
    atom = row.layout(bits)
    assert row.extents(bits) == tuple(tw.size(mode) for mode in atom.inner)
    assert [tw.size(mode) for mode in atom.inner] == [tw.size(mode) for mode in counted]
    for i in range(counted.size):
        assert atom(i) * bits == in_bits(counted(i) // sparsity * bits)
    assert {atom(i) for i in range(atom.size)} == {dense(i) for i in range(dense.size)}
    if sparsity == 2:
        assert tw.atoms.smem(name, bits) == atom


@pytest.mark.parametrize("name", CUTLASS)
@pytest.mark.parametrize("bits", BITS)
def test_an_atom_is_the_layout_in_bits_by_elements(name: str, bits: int) -> None:
    """Law: elements of the atom are blocks of bits of the same atom in bits."""
    (b, m, s), text = CUTLASS[name]
    in_bits = ComposedLayout(Swizzle(b, m + 3, s), 0, tw.parse(text))
    atom = tw.atoms.smem(name, bits)
    rows, columns = (tw.size(mode) for mode in atom.inner)
    k_major = "_K_" in name
    for i, j in product(range(rows), range(columns)):
        assert atom(i, j) * bits == in_bits(*((i, j * bits) if k_major else (i * bits, j)))


@pytest.mark.parametrize("name", CUTLASS)
@pytest.mark.parametrize("dtype", ["f16", "bf16", "tf32", "e4m3", "e2m1", "int8", "f64"])
def test_an_atom_permutes_its_block(name: str, dtype: str) -> None:
    atom = tw.atoms.smem(name, dtype)
    assert sorted(atom(i) for i in range(atom.size)) == list(range(atom.size))


@pytest.mark.parametrize("name", MANUAL)
@pytest.mark.parametrize("bits", BITS)
def test_a_mode_moves_elements_as_the_hardware_does(name: str, bits: int) -> None:
    mode = MODES[name]
    assert (mode.span, mode.chunk, mode.flip, mode.since) == MANUAL[name]
    if mode.flip and bits == 128:
        with pytest.raises(LayoutError, match="would cut 128-bit elements"):
            mode.flipping(bits)
        return
    swizzle, flip = mode.swizzle(bits), mode.flipping(bits) or Swizzle(0, 0, 0)
    for element in range(0, 4096 * 8 // bits, max(1, 32 // bits)):
        assert flip(swizzle(element)) * bits == swizzle(flip(element)) * bits == moved(element * bits, name)


def test_tirx_has_the_same_modes() -> None:
    for mode, dtype in product(SwizzleMode, ("float16", "float8_e4m3fn", "float32")):
        bits = tw.atoms.shared_atoms.bits_of(dtype)
        atom = tw.atoms.smem(f"Layout_K_{'INTER' if mode == 0 else f'SW{16 << mode}'}_Atom", dtype)
        flat = mma_atom_layout(dtype, mode)
        rows, columns = (tw.size(m) for m in atom.inner)
        assert NUMBERED[mode].width(bits) == columns
        assert all(flat.apply(i * columns + j)["m"] == atom(i, j) for i, j in product(range(rows), range(columns)))


@pytest.mark.parametrize(
    "name", ["GMMA::Layout_K_SW128_Atom", "UMMA::Layout_K_SW128_Atom", "K_SW128", "SmemLayoutAtomKind.K_SW128"]
)
def test_other_spellings_of_a_name(name: str) -> None:
    assert (
        tw.atoms.smem(name, "f16")
        == tw.atoms.smem("Layout_K_SW128_Atom", 16)
        == tw.parse("Sw<3,3,3> o 0 o (8,64):(64,1)")
    )


@pytest.mark.parametrize(
    ("name", "element", "error", "message"),
    [
        ("Layout_K_SW12_Atom", "f16", UsageError, "close names: Layout_K_SW128_Atom"),
        ("zzz", "f16", UsageError, "there are Layout_K_INTER_Atom, Layout_K_SW32_Atom"),
        (7, "f16", UsageError, "is a text"),
        ("Layout_K_SW128_Atom", "e2m3", LayoutError, "no whole number of elements of 6 bits"),
        ("Layout_K_SW128_Atom", "f17", UsageError, "unknown element type"),
        ("Layout_K_SW128_Atom", 129, UsageError, "1 to 128 bits"),
        ("Layout_K_SW128_SpAtm", 16, UsageError, "close names: Layout_K_SW128_SpAtom"),
        ("Layout_K_SW128_Atom<half_t, 2>", None, UsageError, "those of sparse ones are called Layout_K_SW128_SpAtom"),
        ("Layout_K_SW128_SpAtom<half_t, 0>", None, LayoutError, "1 to 65536 elements is stored, got 0"),
    ],
)
def test_refusals(name: str, element: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        tw.atoms.smem(name, element)


def test_a_swizzle_is_a_mode_only_where_it_is_that_of_the_mode() -> None:
    for b, m, s in product(range(6), range(6), range(-5, 6)):
        if abs(s) >= b:
            found = mode_of(Swizzle(b, m, s), 16)
            assert found == next(
                (mode.name for mode in NUMBERED if b and mode.swizzle(16) == Swizzle(b, m, s)), None if b else "none"
            )


def test_an_atom_prints() -> None:
    assert str(tw.atoms.smem("Layout_MN_SW128_32B_Atom", "f32")) == "Sw<2,3,2> o 0 o (32,4):(1,32)"
    assert Layout((8, 64), (64, 1)) == tw.atoms.smem("Layout_K_SW128_Atom", "bf16").inner


@pytest.mark.parametrize("name", [*CUTLASS, *SPARSE])
def test_an_atom_is_drawn_with_its_offsets(name: str) -> None:
    atom = tw.atoms.smem(name, "f16")
    cells = tw.draw(atom).scene.panels[0].cells
    assert {(cell.row, cell.column): cell.label for cell in cells} == {
        (i, j): str(atom(i, j)) for i in range(tw.size(atom.inner[0])) for j in range(tw.size(atom.inner[1]))
    }


def test_a_name_may_say_its_type() -> None:
    for name in tw.atoms.list(kind="smem"):
        for spelled, bits in (
            ("{}<half_t>", 16),
            ("GMMA::{}<cutlass::float_e4m3_t>{{}}", 8),
            (" UMMA::{}<float> ", 32),
        ):
            assert tw.atoms.smem(spelled.format(name)) == tw.atoms.smem(name, bits)


@pytest.mark.parametrize(
    "given", [("K_SW128",), ("Layout_K_SW128_Atom<half_t>", 16), ("K_SW128<hlf>",), (None,)], ids=str
)
def test_a_name_without_one_type_is_refused(given: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        tw.atoms.smem(*given)
