"""The dialect on xDSL: what is printed is read back, older spellings become the release's, types are checked."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from xdsl.utils.exceptions import VerifyException

from tilewright.errors import TilewrightError
from tilewright.ir.fly.dialect_types import from_text, type_of
from tilewright.ir.fly.ops import OPS as CLASSES
from tilewright.ir.fly.ops import result_types
from tilewright.ir.text import parse_module, print_module

ATOM = "!fly.copy_atom<!fly.universal_copy<128>, 32>"
BUFFER = "!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<128>, 32>"
FMA = "!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>"
PARTS = "!fly.int_tuple<0>, !fly.int_tuple<1>"
OPS = [
    "fly.static : !fly.int_tuple<(4,8)>",
    "fly.make_copy_atom {valBits = 32 : i32} : " + ATOM,
    "fly.make_mma_atom : " + FMA,
    "fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>",
    "fly.get_shape(%l) : (!fly.layout<(4,8):(1,4)>) -> !fly.int_tuple<(4,8)>",
    "fly.append (%l, %l) : (!fly.layout<(4,8):(1,4)>, !fly.layout<(4,8):(1,4)>) -> "
    "!fly.layout<(4,8,(4,8)):(1,4,(1,4))>",
    "fly.append<3> (%l, %l) : (!fly.layout<(4,8):(1,4)>, !fly.layout<(4,8):(1,4)>) -> "
    "!fly.layout<(4,8,(4,8)):(1,4,(1,4))>",
    "fly.get(%l) {mode = array<i32: 1>} : (!fly.layout<(4,8):(1,4)>) -> !fly.layout<8:4>",
    "fly.recast_layout(%l) {new_type_bits = 8 : i32, old_type_bits = 16 : i32} : (!fly.layout<(4,8):(1,4)>) -> "
    "!fly.layout<(8,8):(1,8)>",
    'fly.atom.set_value(%c, "soffset", %i) : (' + BUFFER + ", i32) -> " + BUFFER,
]


def _module(op: str) -> str:
    return f"func.func @f(%l: !fly.layout<(4,8):(1,4)>, %c: {BUFFER}, %i: i32) {{\n  %r = {op}\n  func.return\n}}\n"


@pytest.mark.parametrize("op", OPS)
def test_an_op_is_printed_as_it_is_written(op: str) -> None:
    module = parse_module(_module(op))
    assert f"%r = {op}\n" in print_module(module)
    generic = print_module(module, generic=True)
    assert print_module(parse_module(generic)) == print_module(module)


@pytest.mark.parametrize(
    ("older", "released"),
    [
        ("!fly.pointer<f16>", "!fly.ptr<f16, global>"),
        ("!fly.copy_atom_universal_copy<128, 32>", ATOM),
        ("!fly.mma_atom_universal_fma<1x1x1, (f32, f32) -> f32>", FMA),
        ("!fly<layout<(4, 8) : (1, 4)>>", "!fly.layout<(4,8):(1,4)>"),
    ],
)
def test_an_older_spelling_is_the_released_type(older: str, released: str) -> None:
    printed = print_module(parse_module(f"func.func private @f({older})"))
    assert f"@f({released})" in printed


def test_types_are_equal_where_their_texts_are() -> None:
    assert from_text("!fly.layout<(4, 8):(1, ?)>") == from_text("!fly.layout<(4,8):(1,?)>")
    assert str(type_of((4, (8, None)))) == "!fly.int_tuple<(4,(8,*))>"


def test_a_wrong_type_is_told_with_the_right_one() -> None:
    wrong = "fly.get_shape(%l) : (!fly.layout<(4,8):(1,4)>) -> !fly.int_tuple<(4,9)>"
    with pytest.raises(TilewrightError, match=r"inferred type\(s\) '!fly.int_tuple<\(4,8\)>' are incompatible"):
        parse_module(_module(wrong))


@pytest.mark.parametrize(
    "attribute", ["#fly<mma_operand c>", "#fly<address_space shared>", "#fly<atomic_op max>", "#fly_rocdl.buffer_desc"]
)
def test_an_attribute_is_printed_as_it_is_written(attribute: str) -> None:
    module = parse_module(f"func.func private @f() attributes {{which = {attribute}}}")
    assert f"which = {attribute}}}" in print_module(module)
    assert print_module(parse_module(print_module(module))) == print_module(module)


LIT = Path(__file__).parents[2] / "mlir" / "fly"


def test_every_op_is_read_inferred_and_printed_in_a_lit_test() -> None:
    told = "\n".join(path.read_text() for path in LIT.glob("*.mlir") if path.stem != "wrong_result")
    checked = set(re.findall(r"// CHECK: .*?\b(fly[a-z_]*\.[\w.]+)", told))
    assert {op.name for op in CLASSES.values()} <= checked


def test_every_op_refuses_a_wrong_result_in_a_lit_test() -> None:
    refused = re.findall(r"expected-error @\+[12] \{\{'(fly[\w.]+)' op", (LIT / "wrong_result.mlir").read_text())
    assert {op.name for op in CLASSES.values()} == set(refused)


def test_a_truth_is_not_taken_for_the_integer_that_it_equals() -> None:
    layout = from_text("!fly.layout<(4,8):(1,4)>")
    assert result_types("group", [layout], {"begin": 0, "end": 1}) == result_types(
        "group", [layout], {"begin": 0, "end": 1}
    )
    with pytest.raises(VerifyException, match="'begin' is an integer, got False"):
        result_types("group", [layout], {"begin": False, "end": 1})
