"""Which kinds of operands ops take: what is of another kind is named, and nothing but our errors comes out."""

from __future__ import annotations

import random
from typing import Any

import pytest
from vectors import rows

from tilewright.errors import LayoutError, NotationError
from tilewright.ir.fly.attributes import SEGMENTS
from tilewright.ir.fly.canonical import read, write
from tilewright.ir.fly.infer import InferenceError, result_types
from tilewright.ir.fly.kinds import INT_TUPLE, TILE, Kind, Many, Maybe
from tilewright.ir.fly.rows import Op
from tilewright.ir.fly.table import TABLE

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
}


def texts() -> list[str]:
    vectors = {f"!fly.{kind}<{text}>" for row in rows("flydsl.jsonl.gz") for kind, text in row["args"]}
    return EVERY_KIND + sorted(text for text in vectors if len(text) < 100)[::5]


TEXTS = texts()


def of(kind: Kind[object]) -> list[str]:
    return [text for text in TEXTS if read(text) in kind]


def call(rng: random.Random, row: Op) -> tuple[list[str], dict[str, Any]]:
    """Operands mostly of the row's kinds, often the simplest ones of them; attributes of all sorts."""
    operands, sizes = [], []
    for operand in row.kinds:
        sizes.append(rng.randint(0 if isinstance(operand, Many | Maybe) else 1, 2 if isinstance(operand, Many) else 1))
        for _ in range(sizes[-1]):
            fitting = ADMITTED[operand.kind] if rng.randrange(8) else TEXTS
            operands.append(rng.choice(fitting if rng.randrange(2) else fitting[: len(EVERY_KIND)]))
    given = {a.names[0]: rng.choice(ATTRIBUTES[a.names[0]]) for a in row.attributes}
    if row.written and rng.randrange(5):
        given["result"] = [rng.choice(EVERY_KIND) for _ in range(rng.choice((1, 1, 1, 0, 2)))]
    if row.groups and rng.randrange(5):
        given[SEGMENTS.names[0]] = sizes
    return operands, {name: value for name, value in given.items() if value is not None}


ADMITTED = {operand.kind: of(operand.kind) for row in TABLE.values() for operand in row.kinds}


@pytest.mark.parametrize("name", TABLE)
def test_calls_with_operands_of_every_kind_give_types_or_our_refusals(name: str) -> None:
    rng = random.Random(name)
    for _ in range(50):
        operands, given = call(rng, TABLE[name])
        try:
            found = result_types(name, operands, given)
        except (LayoutError, NotationError):
            continue
        assert [write(read(text)) for text in found] == list(found), (operands, given)


SIMPLE = {kind: next(iter(fitting)) for kind, fitting in ADMITTED.items()}


@pytest.mark.parametrize("name", [name for name, row in TABLE.items() if row.kinds and not row.written])
def test_an_operand_of_another_kind_is_named_with_what_was_expected(name: str) -> None:
    row = TABLE[name]
    given = {a.names[0]: ATTRIBUTES[a.names[0]][-1] for a in row.attributes}
    operands = [SIMPLE[operand.kind] for operand in row.kinds]
    for i, operand in enumerate(row.kinds):
        for text in EVERY_KIND:
            if read(text) in operand.kind:
                continue
            with pytest.raises(InferenceError) as refusal:
                result_types(name, [*operands[:i], text, *operands[i + 1 :]], given)
            assert refusal.value.notes == (f"operand #{i} is {write(read(text))}, expected {operand.kind}",)
            assert refusal.value.sentence.startswith(operand.kind.sentence.partition("{")[0])


def test_kinds_are_joined() -> None:
    either = INT_TUPLE | TILE
    assert all(value in either for value in (3, (4, (None, 5)), read("!fly.tile<[4|8]>")))
    assert not any(value in either for value in (read("i32"), read("!fly.layout<4:1>"), "4"))
    assert str(either) == "an int tuple or a tile"
