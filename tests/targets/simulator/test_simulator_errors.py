"""What the machine leaves undefined is found, wherever it is planted, and nothing else is reported."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np
import pytest
from final_kernels import Permute, Transpose, kernel

from tilewright.errors import (
    BarrierError,
    OutOfBoundsError,
    RaceError,
    SimulationError,
    UninitializedError,
)
from tilewright.ir.text import parse_module
from tilewright.targets.simulator.simulate import simulate

SHARED = '%smem = memref.alloca() : memref<64xf32, "shared">'
REGS = '%regs = memref.alloca() : memref<4xf32, "local">'
ONE = "%one = arith.constant 1.0 : f32"


def load(buffer: str, index: str, name: str = "%v") -> str:
    return f"{name} = memref.load {buffer}[{index}] : {TYPES[buffer]}"


def store(value: str, buffer: str, index: str) -> str:
    return f"memref.store {value}, {buffer}[{index}] : {TYPES[buffer]}"


TYPES = {"%A": "memref<64xf32>", "%smem": 'memref<64xf32, "shared">', "%regs": 'memref<4xf32, "local">'}
NEXT = "%n = arith.addi %tx, %c1 : index\n%next = arith.remui %n, %block : index"
GUARD = "%few = arith.cmpi ult, %tx, %c5 : index"


class Planted(NamedTuple):
    error: type[SimulationError]
    message: str
    body: list[str]
    block: int = 32
    grid: int = 1


PLANTED = {
    "load beyond a global buffer": Planted(
        OutOfBoundsError,
        r"block \(2,0,0\) thread \(0,0,0\) reads element 64 of A, which has 64 elements",
        ["%at = arith.muli %bx, %block : index", "%i = arith.addi %at, %tx : index", load("%A", "%i")],
        grid=3,
    ),
    "store below a global buffer": Planted(
        OutOfBoundsError,
        r"thread \(0,0,0\) writes element -3 of A",
        [ONE, "%i = arith.subi %tx, %c3 : index", store("%one", "%A", "%i")],
    ),
    "store beyond a shared buffer": Planted(
        OutOfBoundsError,
        r"thread \(22,0,0\) writes element 66 of smem, which has 64",
        [SHARED, ONE, "%i = arith.muli %tx, %c3 : index", store("%one", "%smem", "%i")],
    ),
    "beyond the registers": Planted(
        OutOfBoundsError, "writes element 4 of regs, which has 4", [REGS, ONE, store("%one", "%regs", "%c4")]
    ),
    "beyond the registers, by the lane": Planted(
        OutOfBoundsError, "writes element 4 of regs", [REGS, ONE, store("%one", "%regs", "%tx")]
    ),
    "unwritten shared memory": Planted(
        UninitializedError,
        r"thread \(31,0,0\) reads element 32 of smem \(byte 128\), which nothing has written",
        [
            SHARED,
            ONE,
            store("%one", "%smem", "%tx"),
            'tile.sync "warp"',
            "%i = arith.addi %tx, %c1 : index",
            load("%smem", "%i"),
        ],
    ),
    "unwritten registers": Planted(
        UninitializedError, "reads unwritten element 2 of its regs", [REGS, load("%regs", "%c2")]
    ),
    "registers that only some lanes wrote": Planted(
        UninitializedError,
        r"thread \(5,0,0\) reads unwritten element 0 of its regs",
        [REGS, ONE, GUARD, f"scf.if %few {{ {store('%one', '%regs', '%c0')} }}", load("%regs", "%c0")],
    ),
    "neighbours in shared memory without a barrier": Planted(
        RaceError,
        r"thread \(0,0,0\) reads element 1 of smem \(byte 4\), which block \(0,0,0\) thread \(1,0,0\) writes with no",
        [SHARED, ONE, store("%one", "%smem", "%tx"), NEXT, load("%smem", "%next")],
    ),
    "another warp's element after a warp barrier": Planted(
        RaceError,
        r"thread \(31,0,0\) reads element 32 of smem",
        [SHARED, ONE, store("%one", "%smem", "%tx"), 'tile.sync "warp"', NEXT, load("%smem", "%next")],
        block=64,
    ),
    "a write after a read": Planted(
        RaceError,
        r"writes element \d+ of smem \(byte \d+\), which block \(0,0,0\) thread \(\d+,0,0\) reads with no barrier",
        [
            SHARED,
            ONE,
            store("%one", "%smem", "%tx"),
            'tile.sync "cta"',
            NEXT,
            load("%smem", "%next"),
            store("%v", "%smem", "%tx"),
        ],
    ),
    "the next iteration writes what this one reads": Planted(
        RaceError,
        r"writes element \d+ of smem \(byte \d+\), which block \(0,0,0\) thread \(\d+,0,0\) reads",
        [
            SHARED,
            ONE,
            NEXT,
            "scf.for %s = %c0 to %c5 step %c1 {",
            store("%one", "%smem", "%tx"),
            'tile.sync "cta"',
            load("%smem", "%next"),
            "}",
        ],
    ),
    "the next iteration writes its own shared buffer, which is the same memory": Planted(
        RaceError,
        r"writes element \d+ of smem \(byte \d+\), which block \(0,0,0\) thread \(\d+,0,0\) reads",
        [
            ONE,
            NEXT,
            "scf.for %s = %c0 to %c5 step %c1 {",
            SHARED,
            store("%one", "%smem", "%tx"),
            'tile.sync "cta"',
            load("%smem", "%next"),
            "}",
        ],
    ),
    "a shared buffer forgets between iterations": Planted(
        UninitializedError,
        r"of smem \(byte \d+\), which nothing has written",
        [
            ONE,
            "scf.for %s = %c0 to %c5 step %c1 {",
            SHARED,
            "%first = arith.cmpi eq, %s, %c0 : index",
            f"scf.if %first {{ {store('%one', '%smem', '%tx')} }}",
            load("%smem", "%tx"),
            "}",
        ],
    ),
    "two values for one element": Planted(
        RaceError,
        r"writes element 0 of A \(byte 0\), which block \(0,0,0\) thread \(31,0,0\) writes",
        ["%w = arith.index_cast %tx : index to i32", "%f = arith.sitofp %w : i32 to f32", store("%f", "%A", "%c0")],
    ),
    "blocks that write one element": Planted(
        RaceError,
        r"thread \(0,0,0\) writes element 0 of A \(byte 0\), which block \(\d,0,0\) thread \(0,0,0\) writes",
        ["%w = arith.index_cast %bx : index to i32", "%f = arith.sitofp %w : i32 to f32", store("%f", "%A", "%tx")],
        grid=3,
    ),
    "a block reads what another writes": Planted(
        RaceError,
        r"of A \(byte \d+\), which block \(\d,0,0\) thread",
        [
            "%at = arith.muli %bx, %block : index",
            "%i = arith.addi %at, %tx : index",
            load("%A", "%tx"),
            "%more = arith.addf %v, %v : f32",
            store("%more", "%A", "%i"),
        ],
        grid=2,
    ),
    "a barrier that some lanes miss": Planted(
        BarrierError,
        r"thread \(5,0,0\) does not reach a barrier of its warp that others wait at",
        [GUARD, 'scf.if %few { tile.sync "warp" }'],
    ),
    "a barrier that one warp misses": Planted(
        BarrierError,
        r"thread \(32,0,0\) does not reach a barrier of its cta",
        ["%few = arith.cmpi ult, %tx, %c32 : index", 'scf.if %few { tile.sync "cta" }'],
        block=64,
    ),
    "a division by zero": Planted(SimulationError, "division by zero", ["%q = arith.divui %c1, %tx : index"]),
    "a shift by the lane": Planted(
        SimulationError, r"a shift by a number outside 0\.\.63", ["%q = arith.shli %c1, %k : index"], block=128
    ),
    "a shift by all bits": Planted(
        SimulationError,
        r"a shift by a number outside 0\.\.63",
        ["%s = arith.addi %tx, %c32 : index", "%m = arith.addi %s, %c1 : index", "%q = arith.shli %c1, %m : index"],
    ),
    "a shift by all bits, which is known": Planted(
        SimulationError,
        r"a shift by a number outside 0\.\.63",
        ["%c64 = arith.constant 64 : index", "%q = arith.shli %c1, %c64 : index"],
    ),
    "a shift the other way": Planted(
        SimulationError,
        r"a shift by a number outside 0\.\.63",
        ["%m = arith.subi %tx, %c1 : index", "%q = arith.shli %c1, %m : index"],
    ),
    "a step of zero": Planted(
        SimulationError, "the step of a loop must be positive, got 0", ["scf.for %i = %c0 to %c5 step %c0 { }"]
    ),
}


@pytest.mark.parametrize("proofs", [True, False])
@pytest.mark.parametrize("name", PLANTED)
def test_planted_error_is_found(name: str, proofs: bool) -> None:
    planted = PLANTED[name]
    body = "\n".join(["%k = arith.muli %tx, %c2 : index", *planted.body])
    text = kernel(body, "%A: memref<64xf32>", planted.block, planted.grid, constants=33)
    with pytest.raises(planted.error, match=planted.message) as caught:
        simulate(parse_module(text), [np.arange(64, dtype=np.float32)], proofs=proofs)
    assert type(caught.value) is planted.error
    assert re.search(r"\n  in `.*(memref|arith|scf|tile)\.", str(caught.value)), "names the op"


def test_the_source_line_is_named() -> None:
    text = kernel('%v = memref.load %A[%block] : memref<32xf32> loc("kernel.py":7:5)')
    with pytest.raises(OutOfBoundsError, match=r"at kernel\.py:7:5"):
        simulate(parse_module(text), [np.zeros(32, np.float32)])


CLEAN = {
    "neighbours after a barrier": (
        [SHARED, ONE, store("%one", "%smem", "%tx"), 'tile.sync "cta"', NEXT, load("%smem", "%next")],
        64,
    ),
    "iterations that are kept apart": (
        [
            SHARED,
            ONE,
            NEXT,
            "scf.for %s = %c0 to %c5 step %c1 {",
            store("%one", "%smem", "%tx"),
            'tile.sync "cta"',
            load("%smem", "%next"),
            'tile.sync "cta"',
            "}",
        ],
        64,
    ),
    "warps that only use their own part": (
        [
            SHARED,
            ONE,
            store("%one", "%smem", "%tx"),
            'tile.sync "warp"',
            "%n = arith.xori %tx, %c1 : index",
            load("%smem", "%n"),
        ],
        64,
    ),
    "a barrier of a whole warp in a branch": (
        ["%few = arith.cmpi ult, %tx, %c32 : index", 'scf.if %few { tile.sync "warp" }'],
        64,
    ),
    "a lane that reads and writes its own": (
        [load("%A", "%tx"), store("%v", "%A", "%tx"), load("%A", "%tx", "%w")],
        32,
    ),
    "a division that the zero lane skips": (
        ["%some = arith.cmpi ne, %tx, %c0 : index", "scf.if %some { %q = arith.divui %c1, %tx : index }"],
        32,
    ),
    "lanes that read one element": ([load("%A", "%c0")], 64),
}


@pytest.mark.parametrize("proofs", [True, False])
@pytest.mark.parametrize("name", CLEAN)
def test_clean_kernel_is_not_reported(name: str, proofs: bool) -> None:
    body, block = CLEAN[name]
    text = kernel("\n".join(body), "%A: memref<64xf32>", block, constants=33)
    simulate(parse_module(text), [np.zeros(64, np.float32)], proofs=proofs)


@pytest.mark.parametrize("proofs", [True, False])
def test_a_transpose_needs_its_barrier(proofs: bool) -> None:
    a = np.arange(64 * 64, dtype=np.float32)
    for sync in ("", 'tile.sync "warp"'):
        with pytest.raises(RaceError, match=r"of tile \(byte \d+\), which block"):
            simulate(parse_module(Transpose(64, sync=sync).text()), [a, a.copy()], proofs=proofs)


@pytest.mark.parametrize("proofs", [True, False])
def test_an_in_place_permute_needs_its_barrier(proofs: bool) -> None:
    """Between two buffers it does not: each lane writes what it has read itself."""
    module = parse_module(Permute(sync="").text())
    a = np.arange(256, dtype=np.float32)
    simulate(module, [a, np.zeros_like(a)], proofs=proofs)
    with pytest.raises(RaceError):
        simulate(module, [a, a], proofs=proofs)


def test_a_failed_proof_leaves_the_arrays_to_the_checked_run() -> None:
    """Where one element of one block decides, the lockstep run finds it, whatever the recording said."""
    text = kernel(
        """
      %at = arith.muli %bx, %block : index
      %i = arith.addi %at, %tx : index
      %first = arith.cmpi eq, %bx, %c0 : index
      scf.if %first {
        %v = memref.load %A[%i] : memref<96xf32>
        %w = arith.addf %v, %v : f32
        memref.store %w, %A[%i] : memref<96xf32>
      }""",
        "%A: memref<96xf32>",
        grid=3,
    )
    a: Any = np.ones(96, np.float32)
    report = simulate(parse_module(text), [a])
    assert not report.proved
    assert a.tolist() == [2.0] * 32 + [1.0] * 64
