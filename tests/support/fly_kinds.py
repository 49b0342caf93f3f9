"""Random calls of a `fly` op with operands of every kind, mostly those that its row of the table asks for."""

from __future__ import annotations

from functools import cache

from fly_calls import Call
from strategies import Chooser
from vectors import rows

from tilewright.ir.fly.kinds import Kind, Many, Maybe
from tilewright.ir.fly.op_attributes import SEGMENTS
from tilewright.ir.fly.table import TABLE
from tilewright.ir.fly.type_reader import read

COPY = "!fly.copy_atom<!fly.universal_copy<64>, 16>"
MFMA = "!fly.mma_atom<!fly_rocdl.cdna3.mfma<16x16x16, (f16, f16) -> f32>>"
EVERY_KIND = [
    "!fly.int_tuple<*>", "!fly.int_tuple<?E2>", "!fly.int_tuple<-1>", "!fly.int_tuple<()>", "!fly.int_tuple<(*,3)>",
    "!fly.int_tuple<(1E0,?{i64 div=8})>", "!fly.layout<(4,8):(1E0,1E1)>", "!fly.layout<(4,8):(1E0,1)>",
    "!fly.layout<?:?E0>", "!fly.layout<(?{div=4},(?{i64},2)):(?,(1,?{i64 div=8}))>", "!fly.layout<((4)):((1))>",
    "!fly.composed_layout<32:2 o 5 o [32:1 o 7 o (4,8):(1,4)]>", "!fly.composed_layout<32:2 o ? o (?,8):(1,?)>",
    "!fly.composed_layout<S<3,3,3> o (0,0) o (4,8):(1E0,1E1)>",
    "!fly.composed_layout<CS<3,0,[1],0,[0]> o (0,0) o (4,8):(1E0,1E1)>",
    "!fly.tile<[4|*|(2,4):(1,8)|[2|2]]>", "!fly.tile<4:2>", "!fly.tile<[4|8]>", "!fly.tile<*>",
    "!fly.swizzle<S<3,3,3>>", "!fly.swizzle<S<4,1,0>>", "!fly.coord_swizzle<CS<3,0,[1],0,[2,0]>>",
    "!fly.basis<3E0E1>", "!fly.ptr<f16, shared, align<16>>", "!fly.ptr<f32, global>",
    "!fly.ptr<f16, #fly_rocdl.buffer_desc>", "!fly.ptr<vector<4xf32>, shared, S<3,3,3>>",
    "!fly.memref<f16, register, (4,8):(1,4)>", "!fly.memref<f32, register, (4,2,3):(1,4,8)>",
    "!fly.memref<f32, global, (?,?):(?{i64 div=4},1), align<16>, S<3,3,3>>", "!fly.memref<i1, register, 1:1>",
    "!fly.memref<f32, shared, S<3,3,3> o 8 o (8,4):(4,1), align<64>>", "!fly.memref<f16, global, (4,8):(1E0,1E1)>",
    "!fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>", "!fly.coord_tensor<(?,0), (4,?):(1E0,1E1)>",
    "!fly.coord_tensor<0, (4,8):(1,4)>", "!fly.coord_tensor<(0,0), S<1,1,1> o (0,0) o (4,8):(1E0,1E1)>",
    COPY, MFMA, "!fly.universal_copy<64>", "!fly.copy_atom<!fly_rocdl.cdna3.buffer_copy<64>, 16>",
    "!fly.tiled_copy<!fly.copy_atom<!fly.universal_copy<64>, 32>, <((4,8),(2,2)):((64,1),(32,8))>, <[16|16]>>",
    f"!fly.tiled_mma<{MFMA}, <(2,2,1):(1,2,0)>>", "i1", "i32", "i64", "f16", "index", "vector<4xf16>", "!llvm.ptr<3>",
]  # fmt: skip
ATTRIBUTES: dict[str, list[object]] = {
    "mode": [[], [0], [1, 0], [2], [-1]],
    "indices": [[], [0], [1, 0], [5], [-1]],
    "begin": [0, 1, -1],
    "end": [0, 1, 2, -1],
    "n": [None, -1, 0, 1, 3, 10**5],
    "old_type_bits": [8, 16, 0, -8],
    "new_type_bits": [8, 32, 0, -8],
    "leaf_idx": [0, 1, 9, -1],
    "dynamicOnly": [None, True],
    "dtype": [None, "f16", "no type"],
    "operand_id": ["a", "b", "c", "d"],
    "stages": [None, 0, 1, 2, 10**5],
    "valBits": [16, 0],
    "field": ["soffset", "imm_offset", "scale_a"],
    "format": ["{}"],
    "llvm_address_space": [0, 3],
    "traversalOrder": [None, "kmn"],
    "dictAttrs": [None],
    "regClass": ['#fly.register_class<"amdgcn", "VGPR_32">'],
    "start": [None, 0, 8, -1],
    "registerAlignment": [None, 2, 3, 0],
    "bitOffset": [0, 32, 10**6, -1],
    "storageBits": [64, 0, -1],
}


@cache
def texts() -> list[str]:
    """Types of every kind, and a part of those that FlyDSL's answers are stored for."""
    vectors = {f"!fly.{kind}<{text}>" for row in rows("flydsl.jsonl.gz") for kind, text in row["args"]}
    return EVERY_KIND + sorted(text for text in vectors if len(text) < 100)[::5]


@cache
def admitted(kind: Kind[object]) -> list[str]:
    """The texts of values of that kind, the simplest first."""
    return [text for text in texts() if read(text) in kind]


def call_of(pick: Chooser, name: str) -> Call:
    """A call of the op; its attributes are of all sorts."""
    row, operands, sizes = TABLE[name], list[str](), list[int]()
    for operand in row.kinds:
        least = 0 if isinstance(operand, Many | Maybe) else 1
        sizes.append(pick.integer(least, 2 if isinstance(operand, Many) else 1))
        for _ in range(sizes[-1]):
            fitting = admitted(operand.kind) if pick.integer(0, 7) else texts()
            operands.append(pick.one(fitting if pick.integer(0, 1) else fitting[: len(EVERY_KIND)]))
    given = {a.names[0]: pick.one(ATTRIBUTES[a.names[0]]) for a in row.attributes}
    if row.written and pick.integer(0, 4):
        given["result"] = [pick.one(EVERY_KIND) for _ in range(pick.one((1, 1, 1, 0, 2)))]
    if row.groups and pick.integer(0, 4):
        given[SEGMENTS.names[0]] = sizes
    return name, operands, {name: value for name, value in given.items() if value is not None}
