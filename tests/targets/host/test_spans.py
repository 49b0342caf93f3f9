"""Loops over threads whose assertions are asked at their ends do what they did, and say what they said."""

from __future__ import annotations

import random

import numpy as np
import pytest
from cut_kernels import MANY, cut
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.cf import AssertOp

from tilewright.errors import TilewrightError
from tilewright.ir.text import parse_module, verify
from tilewright.targets.host.spans import asked_at_ends
from tilewright.targets.simulator.simulate import simulate

THREADS, SIZE = 16, 64
# What threads ask before they count: a condition of theirs, or none; each with whether loops of it are split.
CONDITIONS = {
    "%less = arith.cmpi slt, %i, %n : i32": True,
    "%less = arith.cmpi sle, %i, %n : i32": True,
    "%less = arith.cmpi sgt, %n, %i : i32": True,
    """%few = arith.cmpi sge, %n, %i : i32
    %some = arith.cmpi ne, %b, %n : i32
    %less = arith.andi %some, %few : i1""": True,
    "%less = arith.cmpi slt, %i, %i2 : i32": False,
    "%less = arith.cmpi ne, %i, %n : i32": False,
    "": True,
}
INSIDE = """
%zero = arith.constant 0 : i32
%one = arith.constant 1 : i64
%low = arith.cmpi sge, %i{at}, %zero : i32
%wide = arith.extsi %i{at} : i32 to i64
%behind = arith.addi %wide, %one : i64
%size = arith.extsi %s : i32 to i64
%high = arith.cmpi sge, %size, %behind : i64
%inside = arith.andi %low, %high : i1
cf.assert %inside, "it is inside" {{tile.bounds}}
%at = arith.index_cast %i{at} : i32 to index
%x = memref.load %A[%at] : memref<64xi32>
%y = arith.addi %x, %i{at} : i32
memref.store %y, %A[%at] : memref<64xi32>
"""
COORDINATE = """
%at = arith.index_cast %i{at} : i32 to index
%size = arith.constant 64 : index
%inside = arith.cmpi ult, %at, %size : index
cf.assert %inside, "dimension 0 of A, which has extent 64" {{tile.bounds}}
%x = memref.load %A[%at] : memref<64xi32>
%y = arith.addi %x, %x : i32
memref.store %y, %A[%at] : memref<64xi32>
"""


def kernel(condition: str, work: str, step: int) -> ModuleOp:
    """Threads with i = b + t and i2 = b + t * step, which wrap, and what they do where a condition holds."""
    inner = work.format(at=2 if step != 1 else "")
    body = f"{condition}\nscf.if %less {{{inner}}}" if condition else inner
    return parse_module(f"""
func.func @f(%A: memref<64xi32>, %b: i32, %n: i32, %s: i32) attributes {{
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: {THREADS}, 1, 1>}} {{
  %tx = gpu.thread_id x
  %t = arith.index_cast %tx : index to i32
  %step = arith.constant {-step} : i32
  %i = arith.addi %b, %t : i32
  %grown = arith.muli %t, %step : i32
  %i2 = arith.subi %b, %grown : i32
  {body}
  func.return
}}""")


def outcome(module: ModuleOp, given: tuple[int, int, int]) -> tuple[bytes, str]:
    """The memory behind a run, and what is wrong with it."""
    memory = np.arange(SIZE, dtype=np.int32)
    try:
        simulate(module, [memory, *(np.array(x, np.int32) for x in given)], limits=MANY)
    except TilewrightError as error:
        return memory.tobytes(), f"{type(error).__name__}: {error}"
    return memory.tobytes(), ""


def drawn(seed: int) -> tuple[int, int, int]:
    """Where threads begin, where they end, and how many elements there are."""
    rng = random.Random(seed)
    edge = (1 << 31) - rng.randrange(20)
    begin = rng.choice([rng.randrange(-20, 60), rng.randrange(30), edge, -edge])
    return (
        begin,
        rng.choice([begin + rng.randrange(-3, 20), rng.randrange(70), 1 << 30]) % (1 << 31),
        rng.choice([SIZE, SIZE, rng.randrange(SIZE)]),
    )


EDGES = (
    (-5, 30, SIZE),
    (60, 80, SIZE),
    ((1 << 31) - 5, (1 << 31) - 1, SIZE),
    (31, 60, SIZE),
    (7, 7, SIZE),
    (10, 15, SIZE),
)
"""Threads begin before the memory, leave it, wrap, stay within, begin at their end, and end before the block does."""


def split(module: ModuleOp) -> tuple[ModuleOp, bool]:
    """The module with its loops asked at their ends, and whether there was one."""
    made = module.clone()
    asked_at_ends(made)
    verify(made)
    loops = [op for op in made.walk() if isinstance(op, scf.ForOp)]
    return made, any(not any(isinstance(op, AssertOp) for op in loop.walk()) for loop in loops)


@pytest.mark.parametrize("step", [1, 3, -2])
@pytest.mark.parametrize("work", [INSIDE, COORDINATE], ids=["inside", "coordinate"])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_runs_and_faults_are_the_same(condition: str, work: str, step: int) -> None:
    before = cut(kernel(condition, work, step))
    after, was_split = split(before)
    assert was_split == CONDITIONS[condition]
    for given in (*EDGES, drawn(step)):
        assert outcome(before, given) == outcome(after, given), given


@pytest.mark.parametrize(("begin", "end"), [(-(1 << 63), 1 << 62), ((1 << 63) - 5, (1 << 63) - 1), (3, 9), (9, 3)])
def test_threads_are_counted_in_64_bits(begin: int, end: int) -> None:
    """Between two numbers there may be more than 64 bits hold."""
    condition = f"""%t64 = arith.index_cast %tx : index to i64
      %m = arith.constant {begin} : i64
      %j = arith.addi %m, %t64 : i64
      %o = arith.constant {end} : i64
      %less = arith.cmpi slt, %j, %o : i64"""
    before = cut(kernel(condition, INSIDE, 1))
    after, was_split = split(before)
    assert was_split
    assert outcome(before, (5, 0, SIZE)) == outcome(after, (5, 0, SIZE))


def test_what_may_fail_between_the_ends_is_asked_of_each() -> None:
    """That a number is another one than n says nothing of those between two of which it holds."""
    different = """
      %other = arith.cmpi ne, %i{at}, %n : i32
      cf.assert %other, "it is another" {{tile.bounds}}
      memref.store %i{at}, %A[%tx] : memref<64xi32>"""
    before = cut(kernel("", different, 1))
    after, was_split = split(before)
    assert not was_split
    assert outcome(after, (3, 7, SIZE))[1] == outcome(before, (3, 7, SIZE))[1] != ""


def unasked(module: ModuleOp) -> ModuleOp:
    """The module split, without the loop that asks."""
    made, _ = split(module)
    chosen = next(op for op in made.walk() if isinstance(op, scf.IfOp))
    for op in list(chosen.false_region.block.ops):
        if isinstance(op, scf.ForOp):
            chosen.false_region.block.detach_op(op)
    return made


def test_what_lies_inside_is_not_asked_thread_by_thread() -> None:
    """The loop with assertions is for those that fail: without it right runs are the same."""
    for step, begin in ((1, 0), (3, 0), (-2, 45)):
        before = cut(kernel("", INSIDE, step))
        assert outcome(before, (begin, 0, SIZE)) == outcome(unasked(before), (begin, 0, SIZE))
    before = cut(kernel(next(iter(CONDITIONS)), INSIDE, 1))
    after = unasked(before)
    for given in ((0, 16, SIZE), (40, 100, SIZE), (60, 64, SIZE), (5, 5, 3), (9, 2, 0)):
        assert outcome(before, given) == outcome(after, given)
    assert outcome(before, (60, 65, SIZE)) != outcome(after, (60, 65, SIZE))
