"""Threads that became loops do what threads did: each kernel is simulated before and after, with every check."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus import Case, cases
from cut_kernels import cut, same_when_cut
from final_kernels import kernel
from hypothesis import given, settings
from hypothesis import strategies as st
from loop_kernels import Looped, looped_kernels, pipelines, strides
from xdsl.dialects.builtin import ModuleOp

from tilewright.arch import get as get_arch
from tilewright.errors import CompileError, SimulationError
from tilewright.ir.text import parse_module
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.launch import kernel_of, parameters_of
from tilewright.targets.simulator.limits import Limits
from tilewright.targets.simulator.simulate import simulate

CORPUS = Path(__file__).parents[1] / "targets" / "simulator" / "corpus"
# What kernels of the corpus do that no loops have, by the words of the refusal.
WHY = (
    "is one step of all lanes",
    "works asynchronously",
    "a loop waits for",
    "numbered barriers",
    "blocks of a cluster",
)


@cache
def final(case: Case) -> ModuleOp:
    return run(case.kernel.module, lanes=get_arch(case.arch).lanes).module


@cache
def refusal(case: Case) -> str:
    """What the pass says of a kernel; empty where it cuts it."""
    try:
        cut(final(case), get_arch(case.arch).lanes)
    except CompileError as error:
        return str(error)
    return ""


CLEAN = [case for case in cases(CORPUS) if case.error is None]


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_kernels_of_the_corpus(case: Case) -> None:
    if refusal(case):
        return  # the refusals are looked at together
    module, arrays = final(case), list[Any]()
    for parameter in parameters_of(kernel_of(module)):
        numbers = np.arange(parameter.size or 1) % 50 * (parameter.name[0] != "F")
        arrays.append(numbers.astype(parameter.element.numpy()))
    same_when_cut(module, arrays, case.arch, get_arch(case.arch).lanes)


def test_a_refusal_says_why() -> None:
    """One of these reasons; twenty kernels and more are cut."""
    refused = [why for why in map(refusal, CLEAN) if why]
    assert [why for why in refused if not any(word in why for word in WHY)] == []
    assert len(CLEAN) - len(refused) >= 20


@settings(max_examples=6, deadline=None)
@given(looped_kernels() | pipelines() | strides())
def test_nested_loops_rings_and_barriers(program: Looped) -> None:
    module, sizes = parse_module(program.text()), program.sizes
    registers = program.blocks * program.threads * 3
    arrays = [np.arange(sizes["A"]), np.zeros(sizes["B"], np.int64), np.zeros(registers, np.int64)]
    try:
        simulate(module, [array.copy() for array in arrays], limits=Limits(steps=20_000))
    except SimulationError:
        return  # a race, or a run that is too long here
    same_when_cut(module, arrays)


LANES = st.sampled_from((1, 2, 4, 8, 16, 32))
SHUFFLES = st.tuples(st.sampled_from(("idx", "up", "down", "xor")), LANES, st.integers(0, 31))


@settings(max_examples=6, deadline=None)
@given(
    st.sampled_from((32, 64)),
    st.sampled_from((1, 2, 3)),
    st.lists(SHUFFLES, min_size=1, max_size=3),
    st.sampled_from(("any", "all")),
)
def test_shuffles_and_votes(lanes: int, warps: int, shuffles: list[tuple[str, int, int]], vote: str) -> None:
    """In a loop around them, by a distance that differs between the turns; of a ballot of 64 lanes 32 go on."""
    threads, lines = warps * lanes, []
    for number, (kind, width, by) in enumerate(shuffles):
        lines += [
            f"%c{number} = arith.constant {by} : index",
            f"%x{number} = arith.xori %i, %c{number} : index",
            f"%b{number} = arith.{'addi %tx' if kind == 'idx' else 'andi %low'}, %x{number} : index",
            f'%s{number} = tile.shuffle "{kind}" %v{number}, %b{number}, {width} : i32',
            f"%v{number + 1} = arith.addi %s{number}, %v{number} : i32",
        ]
    body = "\n".join(lines)
    text = f"""
func.func @f(%A: memref<{threads}xi32>) attributes {{
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: {threads}, 1, 1>}} {{
  %tx = gpu.thread_id x
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %low = arith.constant 31 : index
  %bound = arith.constant 2000 : i32
  %none = arith.constant 0 : i32
  %start = memref.load %A[%tx] : memref<{threads}xi32>
  %end = scf.for %i = %zero to %three step %one iter_args(%v0 = %start) -> (i32) {{
    {body}
    %less = arith.cmpi slt, %v{len(shuffles)}, %bound : i32
    %vote = tile.vote "{vote}" %less : i1
    %mask = tile.vote "ballot" %less : ui{lanes}
    %all = builtin.unrealized_conversion_cast %mask : ui{lanes} to i{lanes}
    %bits = {"arith.trunci %all : i64 to i32" if lanes == 64 else "arith.addi %all, %none : i32"}
    %next = scf.if %vote -> (i32) {{
      %shown = tile.shuffle "xor" %bits, %one, 32 : i32
      scf.yield %shown : i32
    }} else {{
      scf.yield %v{len(shuffles)} : i32
    }}
    scf.yield %next : i32
  }}
  memref.store %end, %A[%tx] : memref<{threads}xi32>
  func.return
}}"""
    arch = {32: "sm_90", 64: "gfx942"}[lanes]
    same_when_cut(parse_module(text), [np.arange(threads, dtype=np.int32) * 7], arch, lanes)


@T.prim_func
def shaped(A: T.Buffer((2, 3, 4), "int32"), N: T.int32) -> None:
    T.device_entry()
    T.cta_id([1])
    tx, ty, tz = T.thread_id([4, 3, 2])
    s = T.alloc_shared((2, 3, 4), "int32")
    r = T.alloc_local((2,), "int32")
    n = T.alloc_shared((1,), "int32")
    if (tx == 0) & (ty == 0) & (tz == 0):
        n[0] = N
    s[tz, ty, tx] = A[tz, ty, tx]
    r[0] = A[tz, ty, tx]
    T.cuda.cta_sync()
    for i in T.serial(0, 5):
        if n[0] > T.cast(i, "int32"):
            r[1] = s[1 - tz, (ty + 1) % 3, (tx + i) % 4]
            T.cuda.cta_sync()
            s[tz, ty, tx] = r[1] + r[0]
        T.cuda.cta_sync()
    left: T.int32 = n[0]
    while left > 0:
        r[0] = s[tz, (ty + 2) % 3, tx] + left
        T.cuda.cta_sync()
        left = left - 1
        s[tz, ty, tx] = r[0]
        T.cuda.cta_sync()
    A[tz, ty, tx] = s[tz, ty, tx]


@pytest.mark.parametrize("number", [0, 1, 4])
def test_loops_around_barriers_whose_bounds_are_loaded(number: int) -> None:
    """In a block of three dimensions; a value that a branch and a `while` ask is loaded too."""
    array = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    same_when_cut(run(shaped.module).module, [array.reshape(-1), np.array(number, np.int32)])


PARTING = """
%few = arith.cmpi ult, %tx, %c5 : index
scf.if %few { tile.sync "cta" }"""


def test_threads_that_part_fail_an_assertion() -> None:
    module = cut(parse_module(kernel(PARTING)))
    with pytest.raises(SimulationError, match="part at a barrier"):
        simulate(module, [np.zeros(32, np.float32)])
