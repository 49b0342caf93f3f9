"""Integers that become indices, and what nobody has to carry: functions compute what they did."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, ModuleOp

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.arch import Target
from tilewright.ir.text import parse_module
from tilewright.passes.fly_flat.carried import drop_unchanged
from tilewright.passes.fly_flat.widened import widen
from tilewright.targets.simulator.simulate import Simulator

LANES = 32


def made(body: str) -> ModuleOp:
    """A kernel of some lanes %t that stores an integer %r of each."""
    attributes = f"tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: {LANES}, 1, 1>"
    return parse_module(f"""func.func @k(%out: memref<{LANES}xi32>) attributes {{{attributes}}} {{
        %t = gpu.thread_id x
        {body}
        memref.store %r, %out[%t] : memref<{LANES}xi32>
        func.return }}""")


def result(module: ModuleOp) -> list[int]:
    out = np.zeros(LANES, np.int32)
    Simulator(module).run([out])
    return [int(number) for number in out]


def widened(body: str) -> tuple[list[int], list[int], ModuleOp]:
    """What a kernel gives before, what after, and what it is then."""
    module, other = made(body), made(body)
    widen(other)
    other.verify()
    return result(module), result(other), other


def wrapped(number: int) -> int:
    return (number + 2**31) % 2**32 - 2**31


@pytest.mark.parametrize("by", [1, 2**25, 2**26, 2**31, 2**33 + 5])
@pytest.mark.parametrize("start", [0, -3, 2**31 - 1])
def test_indices_beyond_the_integer_are_cut(by: int, start: int) -> None:
    """The integer that an index is cast to wraps, and so do comparisons and quotients of it."""
    head = f"""%by = arith.constant {by} : index
        %start = arith.constant {start} : index
        %scaled = arith.muli %t, %by : index
        %place = arith.addi %scaled, %start : index
        %i = arith.index_cast %place : index to i32
        %c = arith.constant 5 : i32\n"""
    numbers = [wrapped(t * by + start) for t in range(LANES)]
    before, after, _ = widened(head + "%less = arith.cmpi slt, %i, %c : i32\n%r = arith.extui %less : i1 to i32")
    assert before == after == [number < 5 for number in numbers]
    before, after, _ = widened(head + "%r = arith.addi %i, %c : i32")
    assert before == after == [wrapped(number + 5) for number in numbers]


DIVISIONS = {"divsi", "floordivsi", "divui", "remsi", "remui"}


@pytest.mark.parametrize("name", sorted(DIVISIONS))
@pytest.mark.parametrize(("start", "by"), [(0, 3), (-9, 3), (-9, 7), (-40, 4), (5, 1), (-1, 2**31 - 1)])
def test_quotients_of_what_may_be_negative_stay_what_they_were(name: str, start: int, by: int) -> None:
    """A quotient of natural numbers becomes one of indices, of which more may be known; no other does."""
    before, after, module = widened(f"""%start = arith.constant {start} : index
        %place = arith.addi %t, %start : index
        %i = arith.index_cast %place : index to i32
        %c = arith.constant {by} : i32
        %q = arith.{name} %i, %c : i32
        %back = arith.index_cast %q : i32 to index
        %two = arith.constant 2 : index
        %twice = arith.muli %back, %two : index
        %r = arith.index_cast %twice : index to i32""")
    assert before == after
    quotients = [op for op in module.walk() if isinstance(op, arith.DivUIOp | arith.RemUIOp)]
    assert any(isinstance(op.result.type, IndexType) for op in quotients) == (start >= 0)


LOOP = """%none = arith.constant 0 : index
    %one = arith.constant 1 : index
    %zero = arith.constant 0 : i32
    %i = arith.index_cast %t : index to i32
    %r, %kept = scf.for %k = %none to %t step %one iter_args(%sum = %zero, %same = %i) -> (i32, i32) {
        %more = arith.addi %sum, %same : i32
        scf.yield %more, %GIVEN : i32, i32
    }"""


@pytest.mark.parametrize("given", ["same", "i"])
def test_what_a_loop_gives_back_as_it_was_or_began_nobody_carries(given: str) -> None:
    module = made(LOOP.replace("GIVEN", given))
    drop_unchanged(module)
    module.verify()
    (loop,) = (op for op in module.walk() if isinstance(op, scf.ForOp))
    assert len(loop.results) == 1
    assert result(module) == [t * t for t in range(LANES)]


@flyc.kernel
def strided_kernel(A: fx.Tensor, B: fx.Tensor, n: fx.Int32) -> None:
    """Rows of run-time distance, of a buffer that says where it ends."""
    tid = fx.thread_idx.x
    view = fx.make_view(fx.get_iter(A), fx.make_layout((4, 8), (n, 1)))
    buffer = fx.rocdl.make_buffer_tensor(view, num_records_bytes=4 * 100)
    register = fx.make_rmem_tensor(4, fx.Float32)
    fx.copy_atom_call(fx.make_copy_atom(fx.rocdl.BufferCopy128b(), fx.Float32), fx.slice(buffer, (None, tid)), register)
    found = register.load()
    for i in fx.range_constexpr(4):
        B[4 * tid + i] = found[i]


@flyc.jit
def strided(A: fx.Tensor, B: fx.Tensor, n: fx.Int32) -> None:
    strided_kernel(A, B, n).launch(grid=1, block=8)


@pytest.mark.parametrize("n", [8, 13, 40])
def test_views_of_buffers_have_their_own_run_time_strides(n: int) -> None:
    """The numbers of a view are those of its pointer, of a buffer three, and then those of its layout."""
    a = np.arange(1, 129, dtype=np.float32)
    places = np.arange(8)[:, None] + n * np.arange(4)
    wanted = np.where(places < 100, a[np.minimum(places, 127)], 0).reshape(-1)
    for stage in ("fly", "flat"):
        b = np.zeros(32, np.float32)
        with Target("simulator:gfx942"):
            strided.simulate(stage, a, b, n)
        assert b.tolist() == wanted.tolist(), stage
