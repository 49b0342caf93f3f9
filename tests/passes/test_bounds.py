"""A lowering drops no check: a coordinate outside its dimension is found at every stage and on the host."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.cf import AssertOp

from tilewright.errors import OutOfBoundsError, SimulationError
from tilewright.ir.text import parse_module, print_module
from tilewright.passes.pipeline import STAGES, run
from tilewright.runtime.compile import compile
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import S, TileLayout

COLUMNS = TileLayout(S[(1, 4, 32) : (128, 1, 4)])


@T.prim_func
def load(A: T.Buffer((8, 8), "int32"), B: T.Buffer((64,), "int32")):
    T.cta_id([2])
    t = T.thread_id([64])
    B[t] = A[0, t]


@T.prim_func
def store(A: T.Buffer((64,), "int32"), B: T.Buffer((8, 8), "int32")):
    T.cta_id([1])
    t = T.thread_id([64])
    B[t - 1, 1] = A[t]


@T.prim_func
def swizzled(A: T.Buffer((8, 12), "int32"), B: T.Buffer((96,), "int32")):
    T.cta_id([2])
    t = T.thread_id([8])
    for i in range(12):
        B[t * 12 + i] = A[t, i ^ t]


@T.prim_func
def masked(A: T.Buffer((4, 8), "int32"), B: T.Buffer((64,), "int32")):
    T.cta_id([2])
    t = T.thread_id([32])
    if t > 2 and t % 2 == 0:
        B[t] = A[t // 8 % 4, t // 4 + 1]


@T.prim_func
def by_data(A: T.Buffer((4, 8), "int32"), B: T.Buffer((64,), "int32")):
    T.cta_id([1])
    t = T.thread_id([4])
    B[t] = A[t, A[t, 7] // 3]


@T.prim_func
def by_block(A: T.Buffer((8, 4), "int32"), B: T.Buffer((8,), "int32")):
    b = T.cta_id([8])
    t = T.thread_id([1])
    B[b] = A[b // 4, b % 8 + t]


@T.prim_func
def shared(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    T.cta_id([1])
    t = T.thread_id([32])
    tile = T.alloc_shared((8, 8), "int32")
    tile[t // 8, t % 8] = A[t]
    T.cuda.cta_sync()
    B[t] = tile[0, t]


@T.prim_func
def registers(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32")):
    T.cta_id([1])
    t = T.thread_id([32])
    own = T.alloc_local((2, 4), "int32")
    for i in range(8):
        own[i // 4, i % 4] = A[t]
    for i in range(8):
        B[t] = own[0, i]


@T.prim_func
def looped(A: T.Buffer((64, 4, 32), "int32"), B: T.Buffer((64, 2, 64), "int32")):
    T.cta_id([1])
    t = T.thread_id([32])
    for s in T.serial(0, 64):
        B[s, t // 16, t] = A[s, t // 8 + 1, t]


@T.prim_func
def region(A: T.Buffer((2, 8, 32), "float32"), B: T.Buffer((1, 4, 32), "float32", layout=COLUMNS)):
    T.cta_id([1])
    T.thread_id([32])
    for s in T.serial(0, 3):
        Tx.warp.permute_layout(B, A[0:1, 4 * s : 4 * s + 4, 0:32])


@T.prim_func
def tail(A: T.Buffer((2, 8, 32), "float32"), B: T.Buffer((1, 4, 32), "float32", layout=COLUMNS)):
    T.cta_id([1])
    T.thread_id([32])
    for s in T.serial(0, 2):
        Tx.warp.permute_layout(B, A[0:1, 7 * s : 7 * s + 4, 0:32])


WRONG = {
    load: "block (0,0,0) thread (8,0,0) reads coordinate 8 in dimension 1 of A, which has extent 8",
    store: "block (0,0,0) thread (0,0,0) writes coordinate -1 in dimension 0 of B, which has extent 8",
    swizzled: "block (0,0,0) thread (4,0,0) reads coordinate 12 in dimension 1 of A, which has extent 12",
    masked: "block (0,0,0) thread (28,0,0) reads coordinate 8 in dimension 1 of A, which has extent 8",
    by_data: "block (0,0,0) thread (3,0,0) reads coordinate 10 in dimension 1 of A, which has extent 8",
    by_block: "block (4,0,0) thread (0,0,0) reads coordinate 4 in dimension 1 of A, which has extent 4",
    shared: "block (0,0,0) thread (8,0,0) reads coordinate 8 in dimension 1 of tile, which has extent 8",
    registers: "block (0,0,0) thread (0,0,0) reads coordinate 4 in dimension 1 of own, which has extent 4",
    looped: "block (0,0,0) thread (24,0,0) reads coordinate 4 in dimension 1 of A, which has extent 4",
    region: "block (0,0,0) thread (0,0,0) accesses coordinate 8 in dimension 1 of A, which has extent 8",
    tail: "block (0,0,0) thread (0,0,0) accesses coordinate 10 in dimension 1 of A, which has extent 8",
}


def arrays(kernel: T.PrimFunc) -> list[np.ndarray]:
    made = [np.zeros(p.shape, p.element.numpy()) for p in compile(kernel).text.parameters]
    made[0][...] = np.arange(made[0].size)
    return made


def assertions(kernel: T.PrimFunc) -> int:
    return sum(isinstance(op, AssertOp) for op in run(kernel.module).module.walk())


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("kernel", WRONG, ids=lambda kernel: kernel.name)
def test_every_stage_finds_the_coordinate(kernel: T.PrimFunc, stage: str) -> None:
    with pytest.raises(OutOfBoundsError) as found:
        simulate(run(kernel.module, stage, verify_each=True).module, arrays(kernel))
    message, *place = str(found.value).splitlines()
    assert message == WRONG[kernel]
    assert __file__ in place[0]


@pytest.mark.parametrize("kernel", [store, masked, shared, registers, region], ids=lambda kernel: kernel.name)
def test_the_host_finds_the_coordinate(kernel: T.PrimFunc) -> None:
    with pytest.raises(OutOfBoundsError) as found:
        compile(kernel, target="host")(*arrays(kernel))
    message, place, *_ = str(found.value).splitlines()
    if kernel is not registers:  # threads run one after another here: another may be first
        assert message == WRONG[kernel]
    assert __file__ in place


@pytest.mark.parametrize("kernel", WRONG, ids=lambda kernel: kernel.name)
def test_cuda_text_has_no_assertions(kernel: T.PrimFunc) -> None:
    assert "assert" not in compile(kernel).source
    assert "check" not in compile(kernel).source


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 12), st.sampled_from((-2, -1, 1, 2, 3)), st.integers(-6, 9), st.integers(1, 9), st.integers(1, 3))
def test_a_coordinate_is_found_exactly_where_it_is_outside(
    columns: int, factor: int, start: int, limit: int, blocks: int
) -> None:
    @T.prim_func
    def affine(A: T.Buffer((9, columns), "int32"), B: T.Buffer((3, 8), "int32")):
        b = T.cta_id([blocks])
        t = T.thread_id([8])
        if t < limit:
            B[b, t] = A[2 * b, t * factor + start]

    a, reached = np.arange(9 * columns, dtype=np.int32), [t * factor + start for t in range(min(limit, 8))]
    wrong = [(t, at) for t, at in enumerate(reached) if not 0 <= at < columns]
    for stage in STAGES:
        b = np.zeros((3, 8), np.int32)
        if wrong:
            (thread, at), tail = wrong[0], f"in dimension 1 of A, which has extent {columns}"
            with pytest.raises(OutOfBoundsError, match=rf"thread \({thread},0,0\) reads coordinate {at} {tail}"):
                simulate(run(affine.module, stage, verify_each=True).module, [a, b])
        else:
            simulate(run(affine.module, stage, verify_each=True).module, [a, b])
            for block in range(blocks):
                assert b[block].tolist() == [*(2 * block * columns + at for at in reached), *[0] * 8][:8]


def test_proved_bounds_need_no_assertion() -> None:
    @T.prim_func
    def f(
        A: T.Buffer((4, 8, 16), "int32"),
        B: T.Buffer((4, 8, 16), "int32", layout=TileLayout(S[(4, 8, 16) : (1, 4, 32)])),
    ):
        b = T.cta_id([4])
        t = T.thread_id([32])
        for i, j in T.grid(2, 2):
            B[b, t // 4, (t % 4 * 4 + i * 2 + j) ^ 5] = A[3 - b, t % 8, T.min(t // 2, 15)]

    assert assertions(f) == 0


def test_one_assertion_does_for_equal_coordinates() -> None:
    @T.prim_func
    def f(A: T.Buffer((8, 8), "int32"), B: T.Buffer((8, 8), "int32")):
        T.cta_id([1])
        t = T.thread_id([16])
        A[0, t % 9] += 1
        for i in range(8):
            B[i, t % 9] = A[i, t % 9] * A[i, t % 9]

    assert assertions(f) == 1


def test_an_assertion_stays_where_nothing_uses_the_element() -> None:
    @T.prim_func
    def f(A: T.Buffer((8, 8), "int32")):
        T.cta_id([1])
        t = T.thread_id([16])
        unread = T.alloc_local((8,), "int32")
        for i in range(2):
            unread[i] = A[i, t]

    with pytest.raises(OutOfBoundsError, match="thread \\(8,0,0\\) reads coordinate 8 in dimension 1 of A"):
        simulate(run(f.module).module, [np.zeros(64, np.int32)])
    assert "for" not in compile(f).source.split("{", 1)[1]


@pytest.mark.parametrize("steps", [4, 8])
def test_assertions_keep_the_fast_path(steps: int) -> None:
    """Bounds that hold, though no range proves them, are proved for all blocks and iterations at once."""

    @T.prim_func
    def f(A: T.Buffer((64, 8), "int32"), B: T.Buffer((64, 8), "int32")):
        b = T.cta_id([64 // steps])
        t = T.thread_id([12])
        if t < 8:
            for s in T.serial(0, steps):
                B[b * steps + s, t] = A[b * steps + s, t] + 1

    assert assertions(f) == 1
    a, b = np.arange(512, dtype=np.int32), np.zeros(512, np.int32)
    assert simulate(run(f.module).module, [a, b]).proved
    assert (b == a + 1).all()


def test_assertions_survive_the_text() -> None:
    for kernel, message in WRONG.items():
        module = run(kernel.module).module
        again = parse_module(print_module(module))
        assert print_module(again) == print_module(module)
        with pytest.raises(OutOfBoundsError) as found:
            simulate(again, arrays(kernel))
        assert str(found.value).splitlines()[0] == message


ANY = """func.func @f(%A: memref<64xi32>) attributes {
  tile.grid = array<i64: 2, 1, 1>, tile.block = array<i64: 32, 1, 1>} {
  %tx = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %even = arith.andi %tx, %c1 : index
  %c20 = arith.constant LIMIT : index
  %low = arith.cmpi ult, %tx, %c20 : index
  %same = arith.cmpi ult, %even, %c20 : index
  scf.if %low {
    cf.assert %same, "only here"
  }
  cf.assert %low, "threads are below a limit"
  memref.store %one, %A[%tx] : memref<64xi32>
  func.return
}"""


def test_other_conditions_can_be_asserted() -> None:
    a = np.zeros(64, np.int32)
    simulate(parse_module(ANY.replace("LIMIT", "32")), [a])
    assert a.tolist() == [1] * 32 + [0] * 32
    with pytest.raises(
        SimulationError, match=r"^block \(0,0,0\) thread \(20,0,0\): threads are below a limit"
    ) as found:
        simulate(parse_module(ANY.replace("LIMIT", "20")), [np.zeros(64, np.int32)])
    assert not isinstance(found.value, OutOfBoundsError)
