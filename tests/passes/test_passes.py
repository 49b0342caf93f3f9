"""What each pass does on its own."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from permutes import scale_factors
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tilewright.errors import CompileError, UsageError
from tilewright.ir.core.dependence import depends_on, reached_by
from tilewright.ir.dialects import context
from tilewright.ir.text import parse_module, print_module
from tilewright.ir.tile.ops import AllocBufferOp, PrimitiveOp
from tilewright.passes.cse import Cse
from tilewright.passes.dce import Dce
from tilewright.passes.lower_buffers import LowerBuffers
from tilewright.passes.pipeline import STAGES, run
from tilewright.passes.simplify import Simplify
from tilewright.targets.simulator.simulate import simulate

HEAD = """func.func @f(%A: memref<64xf32>, %n: index) attributes {
  tile.grid = array<i64: 2, 1, 1>, tile.block = array<i64: 64, 1, 1>} {
  %tx = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %bx = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c32 = arith.constant 32 : index
"""


def kernel(body: str) -> ModuleOp:
    return parse_module(HEAD + body + "\nfunc.return }")


def names(module: ModuleOp) -> list[str]:
    return [op.name for op in module.walk() if op.name not in ("builtin.module", "func.func", "func.return")]


def last(module: ModuleOp, name: str) -> Operation:
    return [op for op in module.walk() if op.name == name][-1]


# ---- dce


def test_dce_removes_what_nobody_uses() -> None:
    module = kernel("""
      %x = arith.addi %tx, %bx : index
      %y = memref.load %A[%x] : memref<64xf32>
      %own = memref.alloca() : memref<4xf32, "local">
      memref.store %y, %own[%c0] : memref<4xf32, "local">
      scf.for %i = %c0 to %n step %c1 { %z = arith.muli %i, %i : index }
    """)
    Dce().apply(context(), module)
    assert names(module) == []


def test_dce_keeps_stores_and_barriers() -> None:
    module = kernel("""
      %y = memref.load %A[%tx] : memref<64xf32>
      memref.store %y, %A[%c0] : memref<64xf32>
      scf.for %i = %c0 to %n step %c1 { tile.sync "warp" }
    """)
    Dce().apply(context(), module)
    kept = [name for name in names(module) if not name.startswith(("arith", "gpu"))]
    assert kept == ["memref.load", "memref.store", "scf.for", "tile.sync", "scf.yield"]


def test_dce_keeps_memory_that_is_read() -> None:
    module = kernel("""
      %own = memref.alloca() : memref<4xf32, "local">
      %y = memref.load %A[%tx] : memref<64xf32>
      memref.store %y, %own[%c0] : memref<4xf32, "local">
      %z = memref.load %own[%c0] : memref<4xf32, "local">
      memref.store %z, %A[%c0] : memref<64xf32>
    """)
    Dce().apply(context(), module)
    assert names(module).count("memref.store") == 2


# ---- cse


def test_cse_merges_equal_pure_ops_only_where_one_dominates() -> None:
    module = kernel("""
      scf.for %i = %c0 to %n step %c1 {
        %a = arith.addi %tx, %c5 : index
        %v = memref.load %A[%a] : memref<64xf32>
        memref.store %v, %A[%c0] : memref<64xf32>
        %b = arith.addi %tx, %c5 : index
        %w = memref.load %A[%b] : memref<64xf32>
        memref.store %w, %A[%c1] : memref<64xf32>
      }
      %c = arith.addi %tx, %c5 : index
      %x = memref.load %A[%c] : memref<64xf32>
      memref.store %x, %A[%c5] : memref<64xf32>
    """)
    Cse().apply(context(), module)
    assert names(module).count("arith.addi") == 2
    assert names(module).count("memref.load") == 3
    module.verify()


def test_cse_tells_attributes_apart() -> None:
    module = kernel("""
      %ty = "gpu.thread_id"() <{dimension = #gpu<dim y>}> : () -> index
      %t2 = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %x = arith.addi %ty, %t2 : index
      %v = memref.load %A[%x] : memref<64xf32>
      memref.store %v, %A[%tx] : memref<64xf32>
    """)
    Cse().apply(context(), module)
    assert names(module).count("gpu.thread_id") == 2


def test_cse_tells_operands_and_results_apart() -> None:
    """a - b is not b - a; one index as two types is two numbers."""
    module = kernel("""
      %x = arith.subi %tx, %bx : index
      %y = arith.subi %bx, %tx : index
      %short = arith.index_cast %tx : index to i8
      %long = arith.index_cast %tx : index to i64
      %again = arith.index_cast %tx : index to i64
    """)
    Cse().apply(context(), module)
    assert names(module).count("arith.subi") == 2
    assert names(module).count("arith.index_cast") == 2
    module.verify()


def test_what_is_asserted_once_is_not_asserted_again() -> None:
    """Whatever is said of it; another condition is."""
    module = kernel("""
      %x = arith.cmpi ult, %tx, %c5 : index
      %y = arith.cmpi ult, %tx, %c32 : index
      cf.assert %x, "one"
      cf.assert %x, "other"
      cf.assert %y, "one"
    """)
    Cse().apply(context(), module)
    assert names(module).count("cf.assert") == 2


# ---- simplify


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("arith.remui %tx, %c32", "arith.andi"),
        ("arith.divui %tx, %c32", "arith.shrui"),
        ("arith.remui %tx, %c5", "arith.remui"),
        ("arith.remui %n, %c32", "arith.remui"),  # n may be negative, where bits are not the unsigned remainder's
    ],
)
def test_powers_of_two_by_bits(before: str, after: str) -> None:
    module = kernel(f"%x = {before} : index\n %v = memref.load %A[%x] : memref<64xf32>")
    Simplify().apply(context(), module)
    assert last(module, "memref.load").operands[1].owner.name == after


def test_quotients_and_remainders_by_constants_are_those_of_integers() -> None:
    """By powers of two and by others, of every thread."""
    constants = range(1, 34)
    lines = []
    for c in constants:
        for at, op in enumerate(("divui", "remui")):
            lines += [
                f"%k{c}{at} = arith.constant {c} : index",
                f"%x{c}{at} = arith.{op} %tx, %k{c}{at} : index",
                f"%v{c}{at} = arith.index_cast %x{c}{at} : index to i64",
                f"%o{c}{at} = arith.constant {(2 * (c - 1) + at) * 64} : index",
                f"%p{c}{at} = arith.addi %o{c}{at}, %tx : index",
                f"memref.store %v{c}{at}, %B[%p{c}{at}] : memref<{2 * 64 * len(constants)}xi64>",
            ]
    head = HEAD.replace("%n: index", f"%B: memref<{2 * 64 * len(constants)}xi64>").replace("i64: 2, 1", "i64: 1, 1")
    module = parse_module(head + "\n".join(lines) + "\nfunc.return }")
    Simplify().apply(context(), module)
    found = np.zeros(2 * 64 * len(constants), np.int64)
    simulate(module, [np.zeros(64, np.float32), found])
    assert found.tolist() == [
        value for c in constants for row in ([t // c for t in range(64)], [t % c for t in range(64)]) for value in row
    ]
    assert names(module).count("arith.divui") == len(constants) - 6


# ---- lowering


def test_no_buffer_is_left_after_lowering() -> None:
    for stage in STAGES[2:]:
        assert "!tile." not in print_module(run(scale_factors().kernel().module, stage).module)


def test_arguments_take_the_names_of_their_buffers() -> None:
    assert "@f(%A_buf: memref<256xf32>, %B_buf: memref<256xf32>)" in print_module(
        run(scale_factors().kernel().module).module
    )


def test_elements_on_threads_are_no_memory() -> None:
    module = parse_module("""func.func @f(%A: memref<4xf32>, %i: index) {
      %a = tile.match_buffer %A : memref<4xf32> -> !tile.buffer<4x32xf32, "S[(4,32):(1,1@laneid)]">
      %x = tile.load %a[%i, %i] : !tile.buffer<4x32xf32, "S[(4,32):(1,1@laneid)]"> -> f32
      tile.store %x, %a[%i, %i] : f32, !tile.buffer<4x32xf32, "S[(4,32):(1,1@laneid)]">
      func.return
    }""")
    with pytest.raises(CompileError, match="puts elements on laneid, which memory does not have"):
        LowerBuffers().apply(context(), module)


def test_unknown_stages_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown stage 'fly'; the stages are tile, dispatched, lowered, final"):
        run(scale_factors().kernel().module, "fly")


# ---- what a value depends on


DEPENDENCE = {
    "%tx": {"lane", "warp"},
    "%bx": {"block"},
    "%n": set(),
    "%c5": set(),
    "(arith.divui %tx, %c32)": {"warp"},
    "(arith.shrui %tx, %c5)": {"warp"},
    "(arith.remui %tx, %c32)": {"lane"},
    "(arith.divui %tx, %c5)": {"lane", "warp"},
    "(arith.remui %tx, %c5)": {"lane", "warp"},
    "(arith.addi %bx, %tx)": {"lane", "warp", "block"},
}


@pytest.mark.parametrize("text", DEPENDENCE)
def test_dependence_on_lane_warp_and_block(text: str) -> None:
    op = text.strip("()")
    line = f"%x = {op} : index" if op.startswith("arith") else f"%x = arith.addi {op}, %c0 : index"
    module = kernel(line + "\n scf.for %i = %x to %n step %c1 { %v = memref.load %A[%i] : memref<64xf32> }")
    load = last(module, "memref.load")
    assert depends_on([load.operands[1]]) == DEPENDENCE[text]
    assert reached_by(load) == DEPENDENCE[text]


@pytest.mark.parametrize("name", ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
def test_a_comparison_that_parts_no_warp_depends_on_the_warp_alone(name: str) -> None:
    compare = getattr(operator, name if name in ("eq", "ne") else name[1:])
    for c in range(66):
        body = f"%c = arith.constant {c} : index\n %x = arith.cmpi {name}, %tx, %c : index"
        module = kernel(body + "\n scf.if %x { %v = memref.load %A[%tx] : memref<64xf32> }")
        parted = any(len({compare(x, c) for x in range(warp, warp + 32)}) == 2 for warp in (0, 32))
        never = name in ("eq", "ne") or not 0 < c < 64
        expected = {"lane", "warp"} if parted else {"warp"}
        found = reached_by(last(module, "memref.load"))
        assert found == expected or (not parted and never), (name, c)


def test_every_primitive_is_gone_after_dispatch() -> None:
    for stage in STAGES[1:]:
        module = run(scale_factors().kernel().module, stage).module
        assert not any(isinstance(op, PrimitiveOp) for op in module.walk())
        assert any(isinstance(op, AllocBufferOp | memref.AllocaOp) for op in module.walk())


def test_undefined_shifts_and_divisions_are_left_alone() -> None:
    module = kernel("""
      %huge = arith.constant 99999999999 : index
      %x = arith.shli %c1, %huge : index
      %y = arith.divui %x, %c0 : index
      %v = memref.load %A[%y] : memref<64xf32>
      memref.store %v, %A[%c0] : memref<64xf32>
    """)
    Simplify().apply(context(), module)
    assert {"arith.shli", "arith.divui"} <= set(names(module))
