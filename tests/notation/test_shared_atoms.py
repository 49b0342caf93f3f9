"""Shared-memory layout atoms pasted as CUTLASS names them, and as the C++ types that they are."""

from __future__ import annotations

from itertools import product

import pytest

import tilewright as tw
from tilewright.atoms.shared_atoms import SHARED_ATOMS
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
        ("tile_to_shape(_4, _5)", LayoutError, "a layout is repeated"),
        ("tile_to_shape(Layout_K_SW128_Atom<half_t>{}, Layout_K_INTER_Atom<half_t>{})", LayoutError, "of integers"),
        ("tile_to_shape(Layout_K_SW128_Atom<half_t>{}, Shape<_12,_64>{})", LayoutError, "12"),
    ],
)  # fmt: skip
def test_refusals_have_a_caret(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as found:
        tw.parse(text)
    assert str(found.value).splitlines()[-1].strip() == "^"
