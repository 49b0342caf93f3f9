"""Atomic changes of memory: one lane after the other, on every target and at every stage."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright.errors import CompileError, KernelError, OutOfBoundsError, RaceError, UninitializedError
from tilewright.ir.text import parse_module, print_module
from tilewright.script import tirx as T
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.simulator.memory.flat import updated
from tilewright.targets.simulator.simulate import simulate


@T.prim_func
def histogram(A: T.handle, H: T.handle, C: T.handle, N: T.handle) -> None:
    """Counts of the elements of each row in shared memory, added to those of all; a sum; who came how late."""
    a = T.match_buffer(A, (4, 64), "int32")
    h = T.match_buffer(H, (16,), "uint32")
    c = T.match_buffer(C, (4, 2), "float32")
    n = T.match_buffer(N, (4, 64), "uint32")
    T.device_entry()
    r = T.cta_id([4])
    t = T.thread_id([64])
    s = T.alloc_shared((16,), "uint32")
    if t < 16:
        s[t] = T.uint32(0)
    T.cuda.cta_sync()
    n[r, t] = T.cuda.atomic_add(T.address_of(s[a[r, t]]), 1)
    T.cuda.cta_sync()
    if t < 16:
        T.cuda.atomic_add(T.address_of(h[t]), s[t])
    T.cuda.atomic_add(T.address_of(c[r, t % 2]), 0.5)


def arrays() -> tuple[Any, ...]:
    a = np.random.default_rng(3).integers(0, 16, (4, 64)).astype(np.int32)
    return a, np.zeros(16, np.uint32), np.zeros((4, 2), np.float32), np.zeros((4, 64), np.uint32)


def check(a: Any, h: Any, c: Any, n: Any) -> None:
    assert (h == np.bincount(a.ravel(), minlength=16)).all()
    assert (c == 16).all()
    for row, late in zip(a, n, strict=True):
        for value in range(16):
            found = sorted(late[row == value].tolist())
            assert found == list(range(len(found)))


@pytest.mark.parametrize("target", ["simulator", "host"])
def test_counts_and_sums(target: str) -> None:
    given = arrays()
    tw.compile(histogram, target=target)(*given)
    check(*given)


def test_every_stage_counts_alike_and_reads_back() -> None:
    kernel = tw.compile(histogram)
    for stage in kernel.stages:
        given = arrays()
        kernel.simulate(*given, stage=stage)
        check(*given)
        assert print_module(parse_module(kernel.ir(stage))) == kernel.ir(stage)


def test_nvrtc_takes_them() -> None:
    assert len(compile_cubin(tw.compile(histogram, target="cuda:sm_90a").source, "sm_90a")) > 1000


FUNCTIONS = {
    "add": lambda x, y: x + y,
    "min": min,
    "max": max,
    "and": lambda x, y: x & y,
    "or": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
    "exch": lambda x, y: y,
}
UFUNCS = {"add": np.add, "min": np.minimum, "max": np.maximum, "and": np.bitwise_and, "or": np.bitwise_or}
UFUNCS |= {"xor": np.bitwise_xor, "exch": None}
CTYPES = {"i32": np.int32, "ui32": np.uint32, "i64": np.int64, "ui64": np.uint64}

WRITTEN = """func.func @f(%A: memref<8x{kind}>, %B: memref<32x{kind}>, %V: memref<32x{kind}>) attributes {{
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 32, 1, 1>}} {{
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %i = tile.lookup [{places}][%tx]
  %v = memref.load %V[%tx] : memref<32x{kind}>
  %r = tile.atomic "{name}" %v, %A[%i] : {kind}, memref<8x{kind}> -> {kind}
  memref.store %r, %B[%tx] : memref<32x{kind}>
  func.return
}}"""


@given(
    st.sampled_from(sorted(FUNCTIONS)),
    st.lists(st.integers(0, 3), min_size=1, max_size=12),
    st.lists(st.integers(0, 40), min_size=12, max_size=12),
)
def test_lanes_take_turns(name: str, places: list[int], values: list[int]) -> None:
    memory = [5, 9, 0, 33]
    data = np.array(memory)
    before = updated(data, np.array(places), np.array(values[: len(places)]), UFUNCS[name])
    for place, value, found in zip(places, values, before.tolist(), strict=False):
        assert found == memory[place]
        memory[place] = FUNCTIONS[name](memory[place], value)
    assert data.tolist() == memory


@pytest.mark.parametrize("kind", sorted(CTYPES))
@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_kinds_and_types_on_simulator_and_host(name: str, kind: str) -> None:
    """Each type wraps and compares as itself; the host runs the CUDA text."""
    rng = np.random.default_rng(sum(map(ord, name + kind)))
    places, dtype = rng.integers(0, 8, 32).tolist(), CTYPES[kind]
    limits = np.iinfo(dtype)
    first = rng.integers(limits.min, limits.max, 40, dtype=dtype, endpoint=True)
    module = parse_module(WRITTEN.format(kind=kind, name=name, places=", ".join(map(str, places))))
    found = []
    for run in (simulate, tw.compile(module, target="host").__call__):
        a, b, v = first[:8].copy(), np.zeros(32, dtype), first[8:].copy()
        run(module, [a, b, v]) if run is simulate else run(a, b, v)
        found.append((a.tolist(), b.tolist()))
    assert found[0] == found[1]


RACES = {
    "a plain write": ("memref.store %v, %A[%c0] : memref<8xi32>", RaceError),
    "a plain read": ("%w = memref.load %A[%c0] : memref<8xi32>", RaceError),
    "another atomic": ('%w = tile.atomic "max" %v, %A[%c0] : i32, memref<8xi32> -> i32', None),
}


@pytest.mark.parametrize("name", RACES)
@pytest.mark.parametrize("atomic_first", [True, False])
def test_they_race_with_what_is_not_atomic(name: str, atomic_first: bool) -> None:
    other, error = RACES[name]
    mine = '%u = tile.atomic "add" %v, %A[%c0] : i32, memref<8xi32> -> i32'
    lines = [mine, other] if atomic_first else [other, mine]
    text = f"""func.func @f(%A: memref<8xi32>) attributes {{
        tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 64, 1, 1>}} {{
      %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %v = arith.constant 1 : i32
      %one = arith.cmpi ult, %tx, %c1 : index
      {lines[0] if atomic_first else f"scf.if %one {{ {lines[0]} }}"}
      {lines[1]}
      func.return
    }}"""
    if error is None:
        simulate(parse_module(text), [np.zeros(8, np.int32)])
        return
    with pytest.raises(error, match="element 0 of A"):
        simulate(parse_module(text), [np.zeros(8, np.int32)])


SHARED = """func.func @f(%A: memref<8xi32>) attributes {{
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 32, 1, 1>}} {{
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %v = arith.constant 1 : i32
  %S = memref.alloca() : memref<{size}xi32, "{space}">
  %r = tile.atomic "{kind}" %v, %S[%tx] : i32, memref<{size}xi32, "{space}"> -> i32
  func.return
}}"""


@pytest.mark.parametrize(
    ("size", "space", "kind", "error", "text"),
    [
        (32, "shared", "add", UninitializedError, r"reads element 0 of S \(byte 0\), which nothing has written"),
        (31, "shared", "add", OutOfBoundsError, "changes element 31 of S, which has 31 elements"),
        (32, "local", "add", CompileError, "registers need no atomic access"),
        (32, "shared", "sub", CompileError, "kind 'sub' is none of add, min, max, and, or, xor, exch"),
    ],
)
def test_what_is_wrong_is_named(size: int, space: str, kind: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        simulate(parse_module(SHARED.format(size=size, space=space, kind=kind)), [np.zeros(8, np.int32)])


def test_the_language_says_what_it_takes() -> None:
    with pytest.raises(KernelError, match=r"takes an address, such as T\.address_of\(buffer\[i\]\)"):

        @T.prim_func
        def value(A: T.handle) -> None:
            a = T.match_buffer(A, (32,), "int32")
            T.device_entry()
            t = T.thread_id([32])
            T.cuda.atomic_add(a[t], 1)

    with pytest.raises(KernelError, match=r"T\.cuda\.atomic_add of a float32 in memory of int32"):

        @T.prim_func
        def other(A: T.handle) -> None:
            a = T.match_buffer(A, (32,), "int32")
            T.device_entry()
            t = T.thread_id([32])
            T.cuda.atomic_add(T.address_of(a[t]), T.float32(1))

    with pytest.raises(KernelError, match="not a region"):

        @T.prim_func
        def region(A: T.handle) -> None:
            a = T.match_buffer(A, (32,), "int32")
            T.device_entry()
            T.thread_id([32])
            T.cuda.atomic_add(T.address_of(a[0:4]), 1)
