"""Loops, branches and choices at run time: every stage, its script read again, the host: what Python computes."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import control_programs as programs
import numpy as np
import pytest
from refusals import Kernel, check_refused, refusals
from same_ir import assert_same

import tilewright as tw
from tilewright.errors import OutOfBoundsError, SimulationError
from tilewright.ir.text import parse_module, print_module
from tilewright.lang.scripts import from_source
from tilewright.script import tirx as T
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.simulator.limits import Limits
from tilewright.targets.simulator.simulate import simulate

CASES: list[Any] = []
refused = refusals(CASES)


def drawn(seed: int) -> tuple[list[programs.Node], programs.Numbers]:
    rows = np.random.default_rng(seed).integers(0, 50, (programs.THREADS, programs.WIDTH))
    return programs.program(Random(seed)), rows.astype(np.int32)


@pytest.mark.parametrize("seed", range(4))  # `fuzz_control` draws more
def test_every_stage_and_its_script_compute_what_python_does(seed: int, tmp_path: Path) -> None:
    nodes, a = drawn(seed)
    expected = programs.expected(nodes, a)
    kernel = tw.compile(programs.written(programs.text(nodes, named=seed % 2 == 1), tmp_path))
    for stage in kernel.stages:
        b = np.zeros_like(expected)
        kernel.simulate(a, b, stage=stage)
        assert (b == expected).all()
        text = kernel.ir(stage)
        assert print_module(parse_module(text)) == text
        assert_same(kernel.lowered(stage).module, from_source(kernel.script(stage), stage).module)


@pytest.mark.parametrize(("seed", "named"), [(3, True), (34, False)])
def test_the_host_computes_it_too_and_nvrtc_takes_it(seed: int, named: bool, tmp_path: Path) -> None:
    nodes, a = drawn(seed)
    kernel = programs.written(programs.text(nodes, named), tmp_path)
    b = np.zeros((programs.THREADS, 4), np.int32)
    tw.compile(kernel, target="host")(a, b)
    assert (b == programs.expected(nodes, a)).all()
    assert len(compile_cubin(tw.compile(kernel, target="cuda:sm_90a").source, "sm_90a")) > 1000


@T.prim_func
def stencil(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    B[t] = T.if_then_else(t < 63, A[t + 1], 0.0)
    if t > 0 and A[t - 1] > 5.0:
        B[t] = A[t - 1]
    B[t] = B[t] + (A[t + 2] if t < 62 else 1.0)


def test_only_the_chosen_side_is_read() -> None:
    a = np.arange(64, dtype=np.float32)
    expected = np.append(a[1:], 0)
    expected[1:] = np.where(a[:-1] > 5, a[:-1], expected[1:])
    expected += np.append(a[2:], [1, 1])
    kernel = tw.compile(stencil)
    for stage in kernel.stages:
        b = np.zeros(64, np.float32)
        kernel.simulate(a, b, stage=stage)
        assert (b == expected).all()
    b = np.zeros(64, np.float32)
    tw.compile(stencil, target="host")(a, b)
    assert (b == expected).all()
    assert "T.if_then_else" not in kernel.script("tile")
    assert "B[tx] = v" in kernel.script("tile")
    assert "v = A[tx + 1] if tx < 63 else 0.0" in kernel.script("tile")
    assert "v_1 = tx > 0 and A[tx - 1] > 5.0" in kernel.script("tile")
    source = tw.compile(stencil, target="cuda:sm_90a").source
    assert "  if (threadIdx.x < 63) {\n    v = A_ptr[threadIdx.x + 1];\n  }\n  else {\n    v = 0.0f;\n  }" in source


def test_a_choice_that_cannot_go_wrong_stays_a_selection() -> None:
    @T.prim_func
    def simple(A: T.Buffer((64,), "int32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        A[t] = T.if_then_else(t < 32, t + 1, t // 2) + (A[t] if t < 64 else 0)
        A[t] = T.if_then_else(A[t] != 0, 12 // A[t], 0)

    text = tw.compile(simple).ir("tile")
    assert text.count("arith.select") == 1
    assert text.count("scf.if") == 2
    a = np.zeros(64, np.int32)
    tw.compile(simple)(a)
    start = np.where(np.arange(64) < 32, np.arange(64) + 1, np.arange(64) // 2)
    assert (a == np.where(start != 0, 12 // np.maximum(start, 1), 0)).all()


# ---- loops that do not end


ENDLESS = """func.func @f(%A: memref<64xi32>) attributes {
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 64, 1, 1>} {
  %t = gpu.thread_id x
  %c0 = arith.constant 0 : i32
  scf.while : () -> () {
    %a = memref.load %A[%t] : memref<64xi32>
    %more = arith.cmpi slt, %a, %c0 : i32
    scf.condition(%more)
  } do {
    BODY
    scf.yield
  }
  func.return }"""


@pytest.mark.parametrize(("body", "message"), [("", "nothing in it changes what it asks for"), ("STORE", "more than")])
def test_an_endless_loop_is_stopped_and_named(body: str, message: str) -> None:
    text = ENDLESS.replace("BODY", body.replace("STORE", "memref.store %a, %A[%t] : memref<64xi32>"))
    text = text.replace("memref.store %a", "memref.store %c") if body else text
    text = text.replace("%c0 = ", "%c = arith.constant -1 : i32\n  %c0 = ")
    a = np.zeros(64, np.int32)
    simulate(parse_module(text), [a])
    a[7] = -1
    with pytest.raises(SimulationError, match=message) as caught:
        simulate(parse_module(text), [a], limits=Limits(steps=20_000))
    assert "in `scf.while" in str(caught.value)


def test_bounds_hold_within_loops_and_sides() -> None:
    @T.prim_func
    def beyond(A: T.Buffer((64,), "int32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        i: T.int32 = 0
        while i < 34:
            A[t + i] = 1
            i = i + 1

    kernel = tw.compile(beyond)
    for stage in kernel.stages:
        with pytest.raises(OutOfBoundsError, match=r"thread \(31,0,0\) \w+s coordinate 64 in dimension 0 of A"):
            kernel.simulate(np.zeros(64, np.int32), stage=stage)


def test_an_assertion_of_the_kernel_is_checked_everywhere() -> None:
    @T.prim_func
    def asserted(A: T.Buffer((64,), "int32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        assert A[t] >= 0, "no negative numbers"
        A[t] = A[t] + 1

    kernel = tw.compile(asserted)
    a = np.zeros(64, np.int32)
    kernel(a)
    a[5] = -3
    for stage in kernel.stages:
        with pytest.raises(SimulationError, match=r"thread \(5,0,0\): no negative numbers"):
            kernel.simulate(a, stage=stage)
    with pytest.raises(SimulationError, match="no negative numbers"):
        tw.compile(asserted, target="host")(a)
    assert "__trap();" in tw.compile(asserted, target="cuda:sm_90a").source


@T.prim_func
def searched(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    place = 0
    for i in T.serial(8):
        if A[i] == t % 10:
            place = i
            break
            B[t] = 99
    else:
        place = 100
    left = t
    while left > 0:
        left = left - 3
    else:
        place = place + left
    B[t] = place


def test_what_follows_a_loop_that_nobody_left() -> None:
    def wanted(t: int) -> int:
        found = next((i for i in range(8) if a[i] == t % 10), 100)
        return found + (t - 3 * -(-t // 3))

    a = np.arange(64, dtype=np.int32)[::-1] % 10
    kernel = tw.compile(searched)
    for stage in kernel.stages:
        b = np.zeros(64, np.int32)
        kernel.simulate(a, b, stage=stage)
        assert b.tolist() == [wanted(t) for t in range(64)]
    assert "_ptr[1]" not in tw.compile(searched, target="cuda:sm_90a").source  # no register is written for a jump


@T.prim_func
def left_twice(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    found = 0
    for i in T.serial(8):
        if A[i] == t % 10:
            break
        found = found + 1
    if t < 40:
        for i in T.serial(found + 3):
            if i * i > t:
                break
            found = found + 100
            while found > 500:
                found = found - 7
                if found % 5 == 0:
                    break
    B[t] = found


def test_a_loop_that_is_left_may_stand_in_a_branch_behind_another() -> None:
    def wanted(t: int) -> int:
        found = next((i for i in range(8) if a[i] == t % 10), 8)
        for i in range(found + 3 if t < 40 else 0):
            if i * i > t:
                break
            found += 100
            while found > 500:
                found -= 7
                if found % 5 == 0:
                    break
        return found

    a = np.arange(64, dtype=np.int32)[::-1] % 10
    for target in ("simulator", "host"):
        b = np.zeros(64, np.int32)
        tw.compile(left_twice, target=target)(a, b)
        assert b.tolist() == [wanted(t) for t in range(64)]


# ---- what is refused


@refused("`break` leaves one loop", at="for i, j")
def two_loops(A: T.Buffer((4, 4))):
    for i, j in T.grid(4, 4):
        if A[i, j] > 0.0:
            break


@refused("operands of types float32 and int32", at="A[0] if A[0] > 0.0 else B[0]")
def two_types(A: T.Buffer((4,), "float32"), B: T.Buffer((4,), "int32")):
    A[0] = A[0] if A[0] > 0.0 else B[0]


@refused("'x' is declared with the type of a number", at="x: T.serial = 0")
def no_type():
    x: T.serial = 0  # noqa: F841


@refused("a value of type float32 into a buffer of int32", at="x = A[0]")
def another_type(A: T.Buffer((4,))):
    x: T.int32 = 0
    x = A[0]  # noqa: F841


@pytest.mark.parametrize(("kernel", "message", "at"), CASES)
def test_what_is_refused(kernel: Kernel, message: str, at: str) -> None:
    check_refused(kernel, message, at)
