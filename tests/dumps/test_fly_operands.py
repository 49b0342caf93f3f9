"""Ops of a FlyDSL dump with other operands and types than they take: each is told by an error of ours."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from tilewright.arch import get
from tilewright.dumps.fly import access, gpu, layouts, machine, scalars
from tilewright.dumps.fly.access import Threads
from tilewright.dumps.fly.run import Run, Visit
from tilewright.dumps.fly.values import Leaves, Missing, Place, Struct, Value
from tilewright.dumps.fly.visit import Accesses
from tilewright.ir.fly.table import TABLE
from tilewright.ir.fly.types import MemRef
from tilewright.layout.layout import Layout
from tilewright.notation.ttgir_op import Op

PLACE = Place("f32", "shared", 32, 4, base="tile")
VALUES: tuple[Value, ...] = (
    3, np.arange(64), PLACE, MemRef(PLACE, Layout((4, 8), (8, 1))), Missing("it depends on data"), Struct((1, 2)),
    (2, 3), Layout((4, 8), (8, 1)),
)  # fmt: skip
TYPES = (
    "i32", "index", "vector<4xf32>", "!fly.ptr<f32, shared>", "!fly.memref<f32, shared, (4,8):(8,1)>", "!llvm.ptr<3>",
    "!fly.int_tuple<(?,?)>", "memref<4x8xf32, #gpu.address_space<workgroup>>", "!fly.layout<(4,8):(8,1)>", "f32",
)  # fmt: skip
WORDS = ((), ("[", "%a", "]"), ("[", "%a", "]", "[", "8", "]", "[", "1", "]"), ("slt", "%a"), ("-", "3"), ("[",))
NAMES = sorted({
    *gpu.RULES, *access.READINGS, *machine.READINGS, *scalars._ROWS, *(f"{access.TRANSPOSING[0]}16.b64",),
    *(f"fly.{name}" for name in (*layouts._OWN, *TABLE)),
})  # fmt: skip


def made(rng: random.Random, name: str, count: int, types: int) -> Op:
    texts = [rng.choice(TYPES) for _ in range(types)]
    inputs = rng.randint(0, types)
    operands = tuple(f"%{letter}" for letter in "abcdefg"[:count])
    return Op(name, 7, ("%r",), operands, tuple(texts[:inputs]), tuple(texts[inputs:]), {}, rng.choice(WORDS))


@pytest.mark.parametrize("part", range(4))
def test_an_op_with_any_operands_and_types_is_told_by_our_errors(part: int) -> None:
    """Every op that has a rule or a reading, with 0 to 6 operands of every kind and 0 to 3 types."""
    rng, spec = random.Random(part), get("gfx942")
    threads = Threads(64, np.ones(64, bool), Leaves(), spec.lanes)
    run = Run(threads, Visit(), {})
    for name, count, types in itertools.product(NAMES[part::4], range(7), range(4)):
        for _ in range(4):
            op, given = made(rng, name, count, types), rng.choices(VALUES, k=count)
            run.result(op, given)
            seen = Accesses(spec)
            seen(op, given, threads)
            assert all(one.op == name for one in seen.of(op, "not reached"))


@pytest.mark.parametrize("count", range(6))
def test_what_an_op_takes_is_said(count: int) -> None:
    threads = Threads(64, np.ones(64, bool), Leaves(), 64)
    found = Run(threads, Visit(), {}).result(Op("arith.select", 5, ("%r",)), [1] * count)
    wanted = 1 if count == 3 else Missing(f"arith.select on line 5 has {count} operands; it takes 3")
    assert found == wanted
