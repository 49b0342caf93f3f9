"""Every op of the release and of its guide is inferred, or says why not; what ops are given is checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fly_outcomes import GOOD, outcome
from run_time_cases import CASES, World, answered
from strategies import Dice

from tilewright.errors import LayoutError, NotationError
from tilewright.ir.fly import infer
from tilewright.ir.fly.infer import result_types
from tilewright.ir.fly.leaves import mapped
from tilewright.ir.fly.table import NOT_INFERRED, TABLE
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import Tile
from tilewright.layout import operations
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.symint import SymInt

RELEASED = (Path(__file__).parents[2] / "data" / "flydsl_ops.txt").read_text().split()
GUIDE = [
    "make_shape",
    "make_stride",
    "make_layout",
    "make_coord",
    "make_int_tuple",
    "make_ordered_layout",
    "crd2idx",
    "idx2crd",
    "size",
    "cosize",
    "get_shape",
    "get_stride",
    "select",
    "get_scalar",
    "composition",
    "complement",
    "coalesce",
    "right_inverse",
    "logical_product",
    "zipped_product",
    "tiled_product",
    "flat_product",
    "raked_product",
    "block_product",
    "logical_divide",
    "zipped_divide",
    "tiled_divide",
    "flat_divide",
    "group",
    "append",
    "prepend",
    "zip",
    "recast_layout",
    "get",
    "rank",
    "depth",
    "slice",
    "make_identity_layout",
    "make_identity_tensor",
    "int_tuple_add",
    "int_tuple_sub",
    "int_tuple_mul",
    "int_tuple_div",
    "int_tuple_product",
    "int_tuple_product_each",
    "get_layout",
    "get_iter",
    "make_view",
    "add_offset",
    "memref.alloca",
    "memref.load",
    "memref.store",
    "memref.load_vec",
    "memref.store_vec",
    "make_copy_atom",
    "make_mma_atom",
    "make_tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_mma",
    "tiled_copy.partition_src",
    "tiled_copy.partition_dst",
    "tiled_copy.retile",
    "tiled_mma.partition",
    "mma.make_fragment",
    "copy",
    "gemm",
    "print",
]


def test_every_op_is_in_the_table() -> None:
    assert {name.removeprefix("fly.") for name in RELEASED} - set(TABLE) == set(NOT_INFERRED)
    assert set(GUIDE) <= set(TABLE)
    assert not set(NOT_INFERRED) & set(TABLE)


@pytest.mark.parametrize("name", NOT_INFERRED)
def test_what_is_not_inferred_says_why(name: str) -> None:
    with pytest.raises(NotationError, match=NOT_INFERRED[name]):
        infer(name, [])


# ---- what ops take

LAYOUT, TUPLE = "!fly.layout<(4,8):(1,4)>", "!fly.int_tuple<(4,8)>"
MEMREF = "!fly.memref<f16, register, 4:1>"
WIDE = "!fly.memref<f32, register, (4,1):(1,0)>"
MFMA = "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>"
COPY = "!fly.copy_atom<!fly.universal_copy<64>, 16>"
BUFFER = "!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16>"
POINTER = "!fly.ptr<f16, shared, align<16>>"
GLOBAL = "!fly.memref<f16, global, 4:1>"

ANSWERS: list[tuple[str, list[str], dict[str, Any], tuple[str, ...]]] = [
    ("get_dyn_shared", [], {}, ("!fly.ptr<i8, shared, align<1024>>",)),
    ("get_leaves", ["!fly.int_tuple<(4,(?{i64},?))>"], {"dynamicOnly": True}, ("i64", "i32")),
    ("get_scalar", ["!fly.int_tuple<(?{i64})>"], {}, ("i64",)),
    ("equal", [TUPLE, "!fly.int_tuple<(?,8)>"], {}, ("i1",)),
    ("make_shape", ["i32", "i64"], {"result": "!fly.int_tuple<(4,(?,?{i64}))>"}, ("!fly.int_tuple<(4,(?,?{i64}))>",)),
    ("make_shape", ["!fly.int_tuple<4>", "!fly.int_tuple<8>"], {}, (TUPLE,)),
    ("static", [], {"result": LAYOUT}, (LAYOUT,)),
    (
        "memref.alloca",
        [LAYOUT],
        {"result": "!fly.memref<f16, register, (4,8):(1,4)>"},
        ("!fly.memref<f16, register, (4,8):(1,4)>",),
    ),
    ("memref.load", [GLOBAL, "!fly.int_tuple<?>"], {}, ("f16",)),
    (
        "memref.load",
        ["!fly.coord_tensor<(0,5), (4,8):(1E0,1E1)>", "!fly.int_tuple<(1,2)>"],
        {},
        ("!fly.int_tuple<(1,7)>",),
    ),
    ("memref.store", ["f16", GLOBAL, "!fly.int_tuple<3>"], {}, ()),
    ("memref.load_vec", [GLOBAL], {}, ("vector<4xf16>",)),
    ("memref.store_vec", ["vector<4xf16>", GLOBAL], {}, ()),
    ("ptrtoint", [POINTER], {}, ("i32",)),
    ("to_llvm_ptr", [POINTER], {"llvm_address_space": 3}, ("!llvm.ptr<3>",)),
    ("add_offset", [POINTER, "!fly.int_tuple<?{div=4}>"], {}, ("!fly.ptr<f16, shared, align<8>>",)),
    ("apply_swizzle", [POINTER, "!fly.swizzle<S<3,3,3>>"], {}, ("!fly.ptr<f16, shared, align<16>, S<3,3,3>>",)),
    (
        "decomposition",
        ["!fly.memref<f32, shared, S<3,3,3> o 8 o (8,4):(4,1), align<64>>"],
        {},
        ("!fly.memref<f32, shared, (8,4):(4,1), align<32>>",),
    ),
    ("recast_iter", [POINTER], {"result": "!fly.ptr<f32, shared, align<16>>"}, ("!fly.ptr<f32, shared, align<16>>",)),
    ("atom.set_value", [BUFFER, "i32"], {"field": "soffset"}, (BUFFER,)),
    ("make_copy_atom", [], {"valBits": 16, "result": COPY}, (COPY,)),
    ("copy", [COPY, GLOBAL, MEMREF], {}, ()),
    ("copy", [COPY, GLOBAL, MEMREF, "!fly.memref<i1, register, 1:1>"], {}, ()),
    ("copy_atom_call", [COPY, GLOBAL, MEMREF], {}, ()),
    ("copy_atom_call_ssa", [COPY, GLOBAL], {"result": "vector<4xf16>"}, ("vector<4xf16>",)),
    ("copy_atom_call_ssa", [COPY, "vector<4xf16>", GLOBAL], {"operandSegmentSizes": [1, 1, 1, 0]}, ()),
    ("mma_atom_call", [MFMA, WIDE, MEMREF, MEMREF, WIDE], {}, ()),
    (
        "mma_atom_call_ssa",
        [MFMA, "vector<4xf16>", "vector<4xf16>", "vector<4xf32>"],
        {"result": "vector<4xf32>"},
        ("vector<4xf32>",),
    ),
    ("gemm", [MFMA, WIDE, MEMREF, MEMREF, WIDE], {"traversalOrder": "kmn"}, ()),
    ("print", ["i32", LAYOUT], {"format": "{}"}, ()),
    ("fly_rocdl.get_buffer_rsrc", ["!fly.ptr<f16, #fly_rocdl.buffer_desc>"], {}, ("!llvm.ptr<8>",)),
]


@pytest.mark.parametrize(("name", "types", "attributes", "expected"), ANSWERS)
def test_results(name: str, types: list[str], attributes: dict[str, Any], expected: tuple[str, ...]) -> None:
    assert result_types(name, types, attributes) == expected
    assert infer(f"fly.{name}", types, attributes) == ", ".join(
        "true" if name == "equal" and "?" not in types[1] else text for text in expected
    )


REFUSED: list[tuple[str, list[str], dict[str, Any], str]] = [
    ("crd2idx", [LAYOUT], {}, "expected 2 operands, but found 1"),
    ("get", [LAYOUT], {}, "requires attribute 'mode'"),
    ("get", [LAYOUT], {"mode": "x"}, "made of integers"),
    ("tiled_mma.partition", [LAYOUT] * 3, {"operand_id": "e"}, "one of a, b, c, d"),
    ("static", [], {}, "written, not inferred"),
    ("static", [], {"result": "!fly.int_tuple<(4,?)>"}, "at run time only"),
    ("static", [], {"result": 4}, "the text of a type"),
    ("make_shape", ["i32"], {"result": "!fly.int_tuple<(?,?)>"}, "need the operands i32, i32"),
    ("memref.alloca", [LAYOUT], {"result": GLOBAL}, "does not lie as"),
    ("memref.store", ["f32", GLOBAL, "!fly.int_tuple<3>"], {}, "points at f16"),
    ("memref.store_vec", ["vector<3xf16>", GLOBAL], {}, "holds vector<4xf16>"),
    ("memref.load_vec", ["!fly.memref<f16, global, ?:1>"], {}, "must be static"),
    ("ptrtoint", ["!fly.ptr<f16, register>"], {}, "expected Shared or Global"),
    ("recast_iter", [POINTER], {"result": "!fly.ptr<f16, global>"}, "address space must match source"),
    ("atom.set_value", [BUFFER, "i32"], {"field": "imm_offset"}, "no field 'imm_offset'; its fields: soffset"),
    ("atom.set_value", [BUFFER, "f32"], {"field": "soffset"}, "is an i32"),
    ("make_copy_atom", [], {"valBits": 32, "result": COPY}, "values of 16"),
    ("copy", [MFMA, GLOBAL, MEMREF], {}, "expected !fly.copy_atom"),
    ("copy", [COPY, GLOBAL, "!fly.memref<f16, register, 8:1>"], {}, "has 4 elements"),
    ("copy", [COPY, GLOBAL, "!fly.memref<f32, register, 4:1>"], {}, "differ in bits"),
    ("copy_atom_call", [COPY, GLOBAL, "!fly.memref<f16, register, 2:1>"], {}, "moves 4 values"),
    ("copy_atom_call_ssa", [COPY, GLOBAL], {}, "one result, or a destination"),
    ("mma_atom_call", [MFMA, WIDE, WIDE, MEMREF, WIDE], {}, "takes a in f16"),
    ("mma_atom_call", [MFMA, WIDE, MEMREF, "!fly.memref<f16, register, 2:1>", WIDE], {}, "takes 4 values of b"),
    ("gemm", [MFMA, WIDE, MEMREF, MEMREF, WIDE], {"operandSegmentSizes": [1, 1, 2, 1, 1, 0]}, "do not group 5"),
    ("fly_rocdl.get_buffer_rsrc", [POINTER], {}, "expected a pointer into a buffer"),
]


@pytest.mark.parametrize(("name", "types", "attributes", "why"), REFUSED)
def test_refusals(name: str, types: list[str], attributes: dict[str, Any], why: str) -> None:
    with pytest.raises((LayoutError, NotationError)) as caught:
        infer(name, types, attributes)
    assert why in str(caught.value)


def test_a_gemm_whose_operands_do_not_fit_is_refused() -> None:
    def memref(element: str, shape: str) -> str:
        return f"!fly.memref<{element}, register, {shape}>"

    d, a, b = memref("f32", "(4,2,3):(1,4,8)"), memref("f16", "(4,2,5):(1,4,8)"), memref("f16", "(4,3,5):(1,4,12)")
    assert infer("gemm", [MFMA, d, a, b, d]) == ""
    for wrong in ([d, b, a, d], [d, a, a, d], [d, a, b, memref("f32", "(4,3,3):(1,4,12)")]):
        with pytest.raises(LayoutError, match=r"gemm: mode \d of"):
            infer("gemm", [MFMA, *wrong])


# ---- random calls


def test_random_calls_give_types_or_our_refusals() -> None:
    found = [outcome(Dice(seed)) for seed in range(400)]
    assert [made for made in found if made[1] not in GOOD] == []
    assert sum(what == "inferred" for _, what, _ in found) > 200


ALGEBRA = [
    "coalesce",
    "composition",
    "complement",
    "right_inverse",
    "left_inverse",
    "logical_divide",
    "zipped_divide",
    "tiled_divide",
    "flat_divide",
    "logical_product",
    "zipped_product",
    "raked_product",
    "blocked_product",
    "append",
    "prepend",
    "slice",
    "crd2idx",
    "crd2crd",
    "idx2crd",
    "zip",
    "make_ordered_layout",
    "make_composed_layout",
    "flatten",
    "cosize",
    "coshape",
    "coprofile",
]


@pytest.mark.parametrize("name", ALGEBRA)
def test_what_the_algebra_answers_for_unrelated_leaves_has_a_type(name: str) -> None:
    """A type's leaves are numbers of their own, so the algebra is asked about leaves of their own too."""
    for seed in range(12):
        try:
            args = apart(CASES[name](World(Dice((3 << 32) + seed))))
        except LayoutError:
            continue
        found = answered(getattr(operations, name), *args)
        if not isinstance(found, Exception):
            operands = args[::-1] if name == "slice" else args  # the op takes the coordinate last
            infer(name, [write(as_type(name, i, arg)) for i, arg in enumerate(operands)])


def apart(args: Any) -> tuple[Any, ...]:
    names = iter(range(1000))
    kinds = (Layout, ComposedLayout, tuple, SymInt)

    def fresh(leaf: SymInt) -> SymInt:
        return SymInt(f"v{next(names)}", width=leaf.width, div=leaf.div)

    return tuple(mapped(arg, fresh) if isinstance(arg, kinds) else arg for arg in args)


def as_type(name: str, position: int, arg: Any) -> Any:
    tiled = position and ("divide" in name or "product" in name or name == "composition")
    return Tile(arg if isinstance(arg, tuple) else (arg,)) if tiled and not isinstance(arg, Layout) else arg
