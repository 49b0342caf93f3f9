"""Shuffles, votes and reductions of a warp: their definition by one lane after the other, and every target."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xdsl.dialects.builtin import ModuleOp

import tilewright as tw
from tilewright.errors import BarrierError, CompileError, KernelError, SimulationError
from tilewright.ir.text import parse_module, print_module
from tilewright.script import tirx as T
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.simulator.simulate import simulate

HEAD = """func.func @f(%A: memref<128xi32>, %B: memref<128xi32>) attributes {
    tile.grid = array<i64: 2, 1, 1>, tile.block = array<i64: 64, 1, 1>} {
  %tx = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %bx = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
  %c64 = arith.constant 64 : index
  %row = arith.muli %bx, %c64 : index
  %at = arith.addi %row, %tx : index
  %a = memref.load %A[%at] : memref<128xi32>
"""
TAIL = "\nmemref.store %r, %B[%at] : memref<128xi32>\nfunc.return }"


def module(body: str, block: int = 64) -> ModuleOp:
    return parse_module(HEAD.replace("64, 1, 1>} {", f"{block}, 1, 1>}} {{") + body + TAIL)


def lane_of(kind: str, lane: int, by: int, width: int) -> int:
    """The lane that a lane reads, from CUDA's words."""
    base = lane - lane % width
    if kind == "idx":
        return base + by % width
    other = {"up": lane - by, "down": lane + by, "xor": lane ^ by}[kind]
    inside = {"up": other >= base, "down": other < base + width, "xor": other < base + width}[kind]
    return other if inside else lane


def result(body: str, proofs: bool, arch: str = "sm_90", block: int = 64) -> list[int]:
    a, b = np.arange(128, dtype=np.int32) * 3 + 1, np.zeros(128, np.int32)
    simulate(module(body, block), [a, b], arch=arch, proofs=proofs)
    return [int(x) for x in (b - 1) // 3]


@pytest.mark.hypothesis
@given(
    st.sampled_from(["idx", "up", "down", "xor"]),
    st.sampled_from([1, 2, 4, 8, 16, 32]),
    st.lists(st.integers(0, 31), min_size=64, max_size=64) | st.integers(0, 31),
    st.booleans(),
)
def test_shuffles_are_cudas(kind: str, width: int, by: int | list[int], proofs: bool) -> None:
    """By one number for all lanes, or one for each."""
    numbers = [by] * 64 if isinstance(by, int) else by
    table = f"tile.lookup [{', '.join(map(str, numbers))}][%tx]"
    distance = f"%by = arith.constant {by} : index" if isinstance(by, int) else f"%by = {table}"
    found = result(f'{distance}\n%r = tile.shuffle "{kind}" %a, %by, {width} : i32', proofs)
    expected = [
        64 * block + 32 * (t // 32) + lane_of(kind, t % 32, numbers[t], width) for block in range(2) for t in range(64)
    ]
    assert found == expected


def test_a_wave_of_64_lanes_shuffles_as_one() -> None:
    body = '%by = arith.constant 32 : index\n%r = tile.shuffle "xor" %a, %by, 64 : i32'
    assert result(body, True, "gfx942") == [64 * block + (t ^ 32) for block in range(2) for t in range(64)]


WRONG = {
    "by too much": (
        '%by = arith.constant 32 : index\n%r = tile.shuffle "up" %a, %by, 32 : i32',
        SimulationError,
        "a shuffle up by 32 of lanes 0 to 31",
    ),
    "a part of the warp": (
        """%c5 = arith.constant 5 : index
        %few = arith.cmpi ult, %tx, %c5 : index
        %r = scf.if %few -> (i32) {
          %x = tile.shuffle "xor" %a, %c5, 32 : i32
          scf.yield %x : i32
        } else { scf.yield %a : i32 }""",
        BarrierError,
        r"thread \(5,0,0\) does not reach an instruction of its warp that others wait at",
    ),
}


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize("proofs", [True, False])
def test_what_is_wrong_is_named(name: str, proofs: bool) -> None:
    body, error, text = WRONG[name]
    with pytest.raises(error, match=text):
        result(body, proofs)


@pytest.mark.parametrize("proofs", [True, False])
def test_lanes_that_a_short_warp_does_not_have_are_not_read(proofs: bool) -> None:
    body = '%by = arith.constant 16 : index\n%r = tile.shuffle "xor" %a, %by, 32 : i32'
    with pytest.raises(SimulationError, match="a shuffle reads thread 55 of a block of 40"):
        result(body, proofs, block=40)


# ---- the language


@T.prim_func
def parted(B: T.handle, F: T.handle) -> None:
    b_buf = T.match_buffer(B, (2, 64), "int32")
    flags = T.match_buffer(F, (2,), "uint32")
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([64])
    x: T.int32 = T.cuda.__shfl_xor_sync(0xFFFFFFFF, T.int32(7), 1)
    every: T.int32 = T.cast(T.cuda.all_sync(0xFFFFFFFF, 2 > 1), "int32")
    count: T.int32 = T.cuda.syncthreads_count(2 > 1)
    if t == 40:
        T.ptx.st.release.gpu.global_.u32(flags.ptr_to([b]), 1)
    if t % 3 == 1:
        f: T.uint32 = 0
        while f == 0:
            T.ptx.ld.acquire.gpu.global_.u32(f, flags.ptr_to([b]))
    b_buf[b, t] = 1000 * x + 100 * every + count


@pytest.mark.parametrize("seed", range(3))
def test_what_all_lanes_told_alike_goes_with_those_that_part(seed: int) -> None:
    """A shuffle or vote of one number is a number of each lane, also where lanes then wait in different places."""
    b = np.zeros((2, 64), np.int32)
    schedule: Any = "random" if seed else "lockstep"
    tw.compile(parted)(b, np.zeros(2, np.uint32), schedule=schedule, seed=seed)
    assert (b == 7164).all()


@T.prim_func
def reductions(A: T.handle, B: T.handle, C: T.handle) -> None:
    a = T.match_buffer(A, (4, 64), "float32")
    b = T.match_buffer(B, (4, 6, 64), "float32")
    c = T.match_buffer(C, (4, 3, 64), "uint32")
    T.device_entry()
    r = T.cta_id([4])
    t = T.thread_id([64])
    x = a[r, t]
    b[r, 0, t] = T.cuda.warp_sum(x)
    b[r, 1, t] = T.cuda.warp_max(x)
    b[r, 2, t] = T.cuda.warp_min(x, 8)
    b[r, 3, t] = T.cuda.__shfl_sync(0xFFFFFFFF, x, t % 7, 16)
    b[r, 4, t] = T.cuda.__shfl_down_sync(0xFFFFFFFF, x, 3)
    b[r, 5, t] = T.cuda.__shfl_up_sync(0xFFFFFFFF, x, 5, 8)
    c[r, 0, t] = T.cuda.ballot_sync(0xFFFFFFFF, x > 0.5)
    c[r, 1, t] = T.cast(T.cuda.any_sync(0xFFFFFFFF, x > 0.97), "uint32")
    c[r, 2, t] = T.cast(T.cuda.all_sync(0xFFFFFFFF, x > 0.03), "uint32")


def expected(a: Any) -> tuple[Any, Any]:
    rows, lane = a.reshape(8, 32), np.arange(32)
    total = rows
    for distance in (16, 8, 4, 2, 1):
        total = total + total[:, lane ^ distance]
    lowest = np.repeat(rows.reshape(8, 4, 8).min(axis=2), 8, axis=1)
    source = {"idx": (np.arange(64) % 7, 16), "down": (np.full(64, 3), 32), "up": (np.full(64, 5), 8)}
    moved = []
    for kind, (by, width) in source.items():
        at = [32 * (t // 32) + lane_of(kind, t % 32, int(by[t]), width) for t in range(64)]
        moved.append(a[:, at])
    first = [x.reshape(4, 64) for x in (total, np.repeat(rows.max(axis=1, keepdims=True), 32, axis=1), lowest)]
    ballot = ((rows > 0.5) * (1 << lane)).sum(axis=1, keepdims=True)
    votes = [ballot, (rows > 0.97).any(axis=1, keepdims=True), (rows > 0.03).all(axis=1, keepdims=True)]
    spread = [np.repeat(vote.astype(np.uint32), 32, axis=1).reshape(4, 64) for vote in votes]
    return np.stack([*first, *moved], axis=1), np.stack(spread, axis=1)


@pytest.mark.parametrize("target", ["simulator", "host"])
def test_reductions_and_votes(target: str) -> None:
    a = np.random.default_rng(1).random((4, 64)).astype(np.float32)
    b, c = np.zeros((4, 6, 64), np.float32), np.zeros((4, 3, 64), np.uint32)
    tw.compile(reductions, target=target)(a, b, c)
    floats, words = expected(a)
    assert (b == floats).all()
    assert (c == words).all()


def test_every_stage_computes_the_same_and_reads_back() -> None:
    kernel = tw.compile(reductions)
    a = np.random.default_rng(2).random((4, 64)).astype(np.float32)
    floats, words = expected(a)
    for stage in kernel.stages:
        b, c = np.zeros((4, 6, 64), np.float32), np.zeros((4, 3, 64), np.uint32)
        kernel.simulate(a, b, c, stage=stage)
        assert (b == floats).all()
        assert (c == words).all()
        text = kernel.ir(stage)
        assert print_module(parse_module(text)) == text


def test_nvrtc_takes_them() -> None:
    source = tw.compile(reductions, target="cuda:sm_90a").source
    assert source.count("__shfl_xor_sync") == 13
    assert len(compile_cubin(source, "sm_90a")) > 1000


def test_masks_and_widths_are_checked() -> None:
    with pytest.raises(KernelError, match=r"0xFFFFFFFF, of all lanes, or a uint32 or uint64 of some; got 0"):

        @T.prim_func
        def few(A: T.handle) -> None:
            a = T.match_buffer(A, (32,), "float32")
            T.device_entry()
            t = T.thread_id([32])
            a[t] = T.cuda.__shfl_xor_sync(0, a[t], 1)

    with pytest.raises(KernelError, match=r"the width of T\.cuda\.warp_sum is a power of two up to 64 or .*, got 12"):

        @T.prim_func
        def odd(A: T.handle) -> None:
            a = T.match_buffer(A, (32,), "float32")
            T.device_entry()
            t = T.thread_id([32])
            a[t] = T.cuda.warp_sum(a[t], 12)

    with pytest.raises(KernelError, match="moves an element of 32 or 64 bits"):

        @T.prim_func
        def narrow(A: T.handle) -> None:
            a = T.match_buffer(A, (32,), "float16")
            T.device_entry()
            t = T.thread_id([32])
            a[t] = T.cuda.warp_sum(a[t])


def test_a_wrong_kind_is_refused() -> None:
    with pytest.raises(CompileError, match=r"tile\.shuffle kind 'left' is none of idx, up, down, xor"):
        result('%by = arith.constant 1 : index\n%r = tile.shuffle "left" %a, %by, 32 : i32', True)
