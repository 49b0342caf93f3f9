"""Shared-memory layout atoms pasted as CUTLASS names them, and as the C++ types that they are."""

from __future__ import annotations

from itertools import product

import pytest

import tilewright as tw
from tilewright.atoms.shared_atoms import SHARED_ATOMS, SPARSE_ATOMS
from tilewright.errors import LayoutError, NotationError

TYPES = {
    "cutlass::float_e2m1_t": 4, "int8_t": 8, "float_e4m3_t": 8, "cutlass::half_t": 16, "bfloat16_t": 16, "float": 32,
    "cute::tfloat32_t": 32, "double": 64,
}  # fmt: skip
SPELLED = ("{}", "GMMA::{}", "cute::SM90::GMMA::{}{{}}", "UMMA::{}", "const cute::UMMA::{}{{}}")
SWIZZLES = {"INTER": (0, 4, 3), "SW32": (1, 4, 3), "SW64": (2, 4, 3), "SW128": (3, 4, 3), "SW128_32B": (2, 5, 2)}


@pytest.mark.parametrize("name", SHARED_ATOMS)
def test_a_name_and_its_type_are_the_atom(name: str) -> None:
    """Law: the name, and the type that the compiler prints for it, are the same layout in elements."""
    _, major, *words = name.removesuffix("_Atom").split("_")
    b, m, s = SWIZZLES["_".join(words)]
    for (element, bits), spelled in product(TYPES.items(), SPELLED):
        atom = tw.atoms.smem(name, bits)
        assert tw.parse(spelled.format(f"{name}<{element}>")) == atom
    for bits in set(TYPES.values()):
        width, lines = (32 if words[0] == "INTER" else int(words[0][2:]) * 2) * 4 // bits, 4 if m == 5 else 8
        shape, stride = ((lines, width), (width, 1)) if major == "K" else ((width, lines), (1, width))
        plain = f"Layout<Shape<_{shape[0]},_{shape[1]}>,Stride<_{stride[0]},_{stride[1]}>>"
        typed = f"cute::ComposedLayout<cute::Swizzle<{b},{m},{s}>, cute::smem_ptr_flag_bits<{bits}>, cute::{plain}>"
        found, atom = tw.parse(typed, tw.ComposedLayout), tw.atoms.smem(name, bits)
        assert (found.inner, [found(i) for i in range(found.size)]) == (atom.inner, [atom(i) for i in range(atom.size)])
    assert tw.parse(f"{name}_Bits") == tw.atoms.smem(name, 1)


@pytest.mark.parametrize("name", SPARSE_ATOMS)
@pytest.mark.parametrize("sparsity", [2, 4])
def test_a_sparse_name_its_type_and_its_print_are_the_atom(name: str, sparsity: int) -> None:
    """Law: where the stored one of so many neighbours lies, however the text says it."""
    bits = 16
    dense = tw.atoms.smem(name.replace("_SpAtom", "_Atom"), bits)
    rows, columns = dense.inner.shape
    down, along = (d * sparsity for d in dense.inner.stride)
    swizzle = f"Swizzle<{dense.outer.b},{dense.outer.m + 1},{dense.outer.s}>"  # of bytes
    plain = f"({rows},({sparsity},{columns})):({down},(1,{along}))"
    layout = f"Layout<Shape<_{rows},Shape<_{sparsity},_{columns}>>,Stride<_{down},Stride<_1,_{along}>>>"
    typed = f"ComposedLayout<{swizzle},smem_sparse_ptr_flag_bits<{sparsity},{bits}>,{layout}>"
    printed = f"Sw{swizzle.removeprefix('Swizzle')} o smem_sparse<{sparsity}>_ptr[{bits}b](unset) o {plain}"
    named = [f"{name}<half_t,{n}>" for n in (sparsity, f" cute::Int<{sparsity}>{{}}", f"C<{sparsity}>")]
    for text in (*named, f"GMMA::{named[0]}{{}}", typed, printed, f"const cute::{typed}&"):
        found = tw.parse(text, tw.ComposedLayout)
        assert tuple(tw.size(extent) for extent in found.shape) == (rows, columns * sparsity)
        for i in range(found.size):
            assert found(i) == dense(i % rows, i // rows // sparsity), text


def test_a_name_repeated_to_a_shape() -> None:
    text = "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, make_shape(_128{}, Int<128>{}))"
    atom = tw.atoms.smem("K_SW128", 16)
    assert tw.parse(text) == tw.tile_to_shape(atom, (128, 128))
    ordered = "cute::tile_to_shape(Layout_K_SW128_Atom<half_t>{}, Shape<_128,_128,_3>{}, Step<_2,_1,_3>{})"
    assert tw.parse(ordered) == tw.tile_to_shape(atom, (128, 128, 3), (2, 1, 3))


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("Layout_K_SW128_Atom", NotationError, "the element type, such as Layout_K_SW128_Atom<half_t>"),
        ("Layout_K_SW128_Atom<hal_t>", NotationError, "did you mean 'half_t'"),
        ("Layout_K_SW128_Atom<8>", NotationError, "an element type"),
        ("Layout_K_SW128_Atom<half_t", NotationError, "expected '>'"),
        ("Layout_K_SW96_Atom<half_t>", NotationError, "expected"),
        ("Layout_K_SW128_Atom<float_e2m3_t>", LayoutError, "of 6 bits"),
        ("Layout_K_SW128_SpAtom", NotationError, "such as Layout_K_SW128_SpAtom<half_t, 2>"),
        ("Layout_K_SW128_SpAtom<half_t>", NotationError, "how many elements share a place"),
        ("Layout_K_SW128_SpAtom<half_t, 0>", LayoutError, "1 to 65536 elements is stored, got 0"),
        ("Layout_K_SW128_SpAtom_Bits", NotationError, "expected"),
        ("Sw<3,4,3> o smem_sparse<0>_ptr[16b](unset) o (8,128):(128,1)", LayoutError, "is stored, got 0"),
        ("Sw<3,4,3> o smem_sparse<2>_ptr[16b](unset) o (8,128):(127,1)", LayoutError, "no layout has this function"),
        ("tile_to_shape(_4, _5)", LayoutError, "a layout is repeated"),
        ("tile_to_shape(Layout_K_SW128_Atom<half_t>{}, Layout_K_INTER_Atom<half_t>{})", LayoutError, "of integers"),
        ("tile_to_shape(Layout_K_SW128_Atom<half_t>{}, Shape<_12,_64>{})", LayoutError, "12"),
    ],
)  # fmt: skip
def test_refusals_have_a_caret(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as found:
        tw.parse(text)
    assert str(found.value).splitlines()[-1].strip() == "^"
