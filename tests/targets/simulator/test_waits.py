"""Kernels whose warps run apart: what they compute, and what the simulator says of those that are wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from translation import literally

import tilewright as tw
from tilewright.errors import BarrierError, RaceError, SimulationError
from tilewright.ir.text import parse_module
from tilewright.script import tirx as T
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.simulator.simulate import Simulator

HEAD = """func.func @f(%A: memref<{size}xi64>) attributes {{
    tile.grid = array<i64: {blocks}, 1, 1>, tile.block = array<i64: {threads}, 1, 1>}} {{
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %bx = "gpu.block_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %S = memref.alloca() : memref<64xi64, "shared">
  %first = arith.cmpi ult, %tx, %c32 : index
"""


def kernel(body: str, threads: int = 64, blocks: int = 2, size: int = 256) -> Simulator:
    head = HEAD.format(threads=threads, blocks=blocks, size=size)
    return Simulator(parse_module(head + body + "\nfunc.return }"))


@T.prim_func
def pipeline(A: T.handle, B: T.handle) -> None:
    """Two stages of shared memory: warp 0 fills, warp 1 empties."""
    a = T.match_buffer(A, (4, 4, 32), "float32")
    b = T.match_buffer(B, (4, 4, 32), "float32")
    T.device_entry()
    bx = T.cta_id([4])
    t = T.thread_id([64])
    s = T.alloc_shared((2, 32), "float32")
    if t < 32:
        for k in T.serial(4):
            T.ptx.bar.sync(3 + k % 2, 64)
            s[k % 2, t] = a[bx, k, t] * 2.0
            T.ptx.bar.arrive(1 + k % 2, 64)
    else:
        T.ptx.bar.arrive(3, 64)
        T.ptx.bar.arrive(4, 64)
        for k in T.serial(4):
            T.ptx.bar.sync(1 + k % 2, 64)
            b[bx, k, 63 - t] = s[k % 2, t - 32]
            if k < 2:
                T.ptx.bar.arrive(3 + k % 2, 64)
    T.cuda.cta_sync()


@pytest.mark.parametrize("run", [tw.compile(pipeline), partial(literally, pipeline)])
def test_a_producer_and_a_consumer(run: Callable[..., None]) -> None:
    a = np.arange(512, dtype=np.float32).reshape(4, 4, 32)
    b = np.zeros_like(a)
    run(a, b)
    assert (b == 2 * a[:, :, ::-1]).all()


def test_nvrtc_takes_it() -> None:
    assert len(compile_cubin(tw.compile(pipeline, target="cuda:sm_90a").source, "sm_90a")) > 1000


@T.prim_func
def left_alone(A: T.handle) -> None:
    a = T.match_buffer(A, (2, 32), "int32")
    T.device_entry()
    rank = T.cta_id_in_cluster([2])
    bx = T.cta_id([2])
    t = T.thread_id([32])
    a[bx, t] = t
    if rank == 0:
        T.cuda.cluster_sync()


def test_of_a_cluster_those_are_counted_who_have_come() -> None:
    with pytest.raises(BarrierError, match="for its cluster, of which 1 of 2 blocks have come; the others never will"):
        tw.compile(left_alone)(np.zeros((2, 32), np.int32))


WRITE = '%v = arith.constant 7 : i64\n memref.store %v, %S[%tx] : memref<64xi64, "shared">'
READ = """%other = arith.subi %tx, %c32 : index
    %w = memref.load %S[%other] : memref<64xi64, "shared">"""
APART = "scf.if %first {{\n {} \n}} else {{\n {} \n}}"

WRONG: dict[str, tuple[str, type[SimulationError], str]] = {
    "nobody else comes": (
        APART.format('tile.bar "sync" %c1, 64', ""),
        BarrierError,
        r"waits at barrier 1, to which 32 of 64 threads have come; the others never will",
    ),
    "each at its own": (
        APART.format('tile.bar "sync" %c1, 64', 'tile.bar "sync" %c2, 64'),
        BarrierError,
        r"waits at barrier 1, to which 32 of 64",
    ),
    "they may come again before the others": (
        'tile.bar "arrive" %c1, 64\n tile.bar "arrive" %c1, 64',
        BarrierError,
        r"comes to barrier 1, to which others have come with no barrier between: two groups meet there",
    ),
    "one may come before two that wait for nobody": (
        'tile.bar "sync" %c1, 32\n' + APART.format('tile.bar "sync" %c1, 64', 'tile.bar "sync" %c1, 64'),
        BarrierError,
        r"thread \(0,0,0\) comes to barrier 1, to which others have come",
    ),
    "different counts": (
        APART.format('tile.bar "arrive" %c1, 64', 'tile.bar "arrive" %c1, 96'),
        BarrierError,
        r"barrier 1 is to have 96 threads here and 64 elsewhere",
    ),
    "a part of a warp": (
        "%few = arith.cmpi ult, %tx, %c2 : index\n scf.if %few {\n" + 'tile.bar "arrive" %c1, 64' + "\n}",
        BarrierError,
        r"does not reach a barrier of its warp",
    ),
    "no such barrier": ('tile.bar "sync" %c64, 64', BarrierError, "expected one barrier from 0 to 15, got 64"),
    "the first that is none": ('tile.bar "sync" %c16, 64', BarrierError, "expected one barrier from 0 to 15, got 16"),
    "a barrier for each lane": ('tile.bar "sync" %tx, 64', BarrierError, "does not reach a barrier of its warp"),
    "a block's barrier that a warp leaves out": (
        APART.format('tile.sync "cta"', "") + '\ntile.bar "sync" %c1, 64',
        BarrierError,
        "waits for its block, of which 32 of 64 threads have come|waits at barrier 1, to which 32 of 64",
    ),
    "read before it is written": (
        APART.format(WRITE + '\ntile.bar "arrive" %c1, 64', READ + '\ntile.bar "sync" %c1, 64'),
        RaceError,
        "block",
    ),
    "written after the arrival": (
        APART.format('tile.bar "arrive" %c1, 64\n' + WRITE, 'tile.bar "sync" %c1, 64\n' + READ),
        SimulationError,
        "block",
    ),
    "arrivals give no sight": (
        APART.format(WRITE + '\ntile.bar "sync" %c1, 64', 'tile.bar "arrive" %c1, 64\n' + READ),
        RaceError,
        r"reads element 0 of S \(byte 0\), which block .* writes",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_named(name: str) -> None:
    body, error, text = WRONG[name]
    with pytest.raises(error, match=text):
        kernel(body).run([np.zeros(256, np.int64)])


def test_two_groups_at_one_number() -> None:
    """Of two warps each: whoever of them came together would be chance."""
    with pytest.raises(BarrierError, match="128 threads come to barrier 1, which has 64; each group of warps"):
        kernel('tile.bar "sync" %c1, 64', threads=128).run([np.zeros(256, np.int64)])


def test_warps_that_each_complete_a_barrier_need_no_order() -> None:
    for schedule in ("lockstep", "random"):
        body = 'tile.bar "sync" %c1, 32\n tile.bar "arrive" %c1, 32\n tile.sync "cta"\n tile.bar "sync" %c1, 128'
        kernel(body, threads=128).run([np.zeros(256, np.int64)], schedule=schedule)


def test_what_is_right_is_not() -> None:
    body = APART.format(WRITE + '\ntile.bar "arrive" %c1, 64', 'tile.bar "sync" %c1, 64\n' + READ)
    kernel(body).run([np.zeros(256, np.int64)])


# ---- random kernels of warps that wait for each other, against one warp after the other


@st.composite
def exchanges(draw: Callable[..., int]) -> tuple[int, list[tuple[int, int]]]:
    """So many warps, and pairs of them: the first writes for the second, one pair after the other."""
    warps = draw(st.integers(2, 4))
    pair = st.permutations(range(warps)).map(lambda order: (order[0], order[1]))
    return warps, draw(st.lists(pair, min_size=1, max_size=6))


def exchange(warps: int, pairs: list[tuple[int, int]], late: int | None) -> Simulator:
    """Each warp counts up what it is given. In pair `late` the reader does not wait."""
    lines = ["%warp = arith.divui %tx, %c32 : index", "%lane = arith.remui %tx, %c32 : index"]
    lines += ["%at = arith.muli %bx, %c64 : index", "%mine = arith.addi %at, %lane : index"]
    lines += [f"%n{i} = arith.constant {i} : index" for i in range(16)]
    for i, (giver, taker) in enumerate(pairs):
        first, second = f"%n{1 + 2 * (i % 7)}", f"%n{2 + 2 * (i % 7)}"
        waits = "" if late == i else f'tile.bar "sync" {first}, 64'
        gives = 'tile.bar "arrive"' if late != i else "//"
        lines.append(f"""
        %g{i} = arith.cmpi eq, %warp, %n{giver} : index
        %t{i} = arith.cmpi eq, %warp, %n{taker} : index
        scf.if %g{i} {{
          %x{i} = arith.constant {i + 1} : i64
          memref.store %x{i}, %S[%lane] : memref<64xi64, "shared">
          {gives} {first}, 64
          tile.bar "sync" {second}, 64
        }}
        scf.if %t{i} {{
          {waits}
          %r{i} = memref.load %S[%lane] : memref<64xi64, "shared">
          memref.store %r{i}, %A[%mine] : memref<256xi64>
          tile.bar "arrive" {second}, 64
        }}
        tile.sync "cta" """)
    return kernel("\n".join(lines), threads=32 * warps)


@pytest.mark.hypothesis
@settings(max_examples=25)
@given(exchanges(), st.data())
def test_warps_that_exchange(drawn: tuple[int, list[tuple[int, int]]], data: st.DataObject) -> None:
    warps, pairs = drawn
    memory = np.zeros(256, np.int64)
    exchange(warps, pairs, None).run([memory])
    expected = np.zeros(256, np.int64)
    expected[[64 * block + lane for block in range(2) for lane in range(32)]] = len(pairs)
    assert (memory == expected).all()
    late = data.draw(st.integers(0, len(pairs) - 1))
    with pytest.raises(SimulationError):
        exchange(warps, pairs, late).run([memory])


def test_waves_of_64_lanes_exchange_without_a_barrier_of_the_block() -> None:
    """On gfx942 these are one wave; on sm_90 they are two warps."""
    body = f"""{WRITE}
    tile.sync "warp"
    %c63 = arith.constant 63 : index
    %back = arith.subi %c63, %tx : index
    %r = memref.load %S[%back] : memref<64xi64, "shared">"""
    kernel(body).run([np.zeros(256, np.int64)], arch="gfx942", proofs=False)
    kernel(body).run([np.zeros(256, np.int64)], arch="gfx942")
    with pytest.raises(RaceError):
        kernel(body).run([np.zeros(256, np.int64)], arch="sm_90")
