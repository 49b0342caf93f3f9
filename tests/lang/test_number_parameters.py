"""Numbers that a kernel takes beside its arrays: by value, on every target, at every stage."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_driver import fake_driver
from hypothesis import given, settings
from hypothesis import strategies as st
from on_gpu import TARGETS

import tilewright as tw
from tilewright.errors import DispatchError, KernelError, UsageError
from tilewright.passes.pipeline import STAGES
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.targets.arguments import bind
from tilewright.targets.cuda.driver import Driver
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.simulate import simulate

ROWS = 8


@T.prim_func
def scaled(
    A: T.Buffer((ROWS, 32), "float32"),
    n: T.int32,
    B: T.Buffer((ROWS, 32), "float32"),
    alpha: T.float32,
    skip: T.int64,
    beta: T.float64,
):
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([32])
    for i in T.serial(b, n, 2):
        if i + skip < ROWS:
            B[i + skip, t] = A[i, t] * alpha + T.cast(beta, "float32") + T.cast(n, "float32")


def expected(a: Any, n: int, alpha: float, skip: int, beta: float) -> Any:
    found = np.zeros_like(a)
    rows = np.arange(min(n, ROWS - skip)) if min(n, ROWS - skip) > 0 else np.arange(0)
    found[rows + skip] = a[rows] * np.float32(alpha) + np.float32(beta) + np.float32(n)
    return found


@given(st.integers(-1, ROWS), st.floats(-4, 4, width=16), st.integers(0, ROWS), st.floats(-4, 4, width=16))
@settings(max_examples=25)
def test_numbers_are_what_they_are_at_every_stage(n: int, alpha: float, skip: int, beta: float) -> None:
    a = np.arange(ROWS * 32, dtype=np.float32).reshape(ROWS, 32)
    kernel = tw.compile(scaled)
    for stage in STAGES:
        b = np.zeros_like(a)
        kernel.simulate(a, n, b, alpha, skip, beta, stage=stage)
        assert b.tobytes() == expected(a, n, alpha, skip, beta).tobytes()


def test_numbers_on_every_target_and_through_the_driver(tmp_path: Path) -> None:
    a, numbers = np.arange(ROWS * 32, dtype=np.float32).reshape(ROWS, 32), (5, 2.5, 2, np.float64(0.5))
    arguments: tuple[Any, ...] = (a, numbers[0], np.zeros_like(a), *numbers[1:])
    for target in TARGETS:
        arguments[2][:] = 0
        tw.compile(scaled, target=target)(*arguments)
        assert (arguments[2] == expected(a, *numbers)).all()
    kernel = tw.compile(scaled, target="cuda")
    arguments[2][:] = 0
    text = kernel.text
    Driver.open(fake_driver(tmp_path, text)).launch(
        kernel.cubin, text.name, text.launch, bind(kernel_of(kernel.lowered().module), arguments)
    )
    assert (arguments[2] == expected(a, *numbers)).all()


def test_numbers_in_the_text_and_in_the_script(tmp_path: Path) -> None:
    head = tw.compile(scaled).source.splitlines()[0]
    pointers = "float* __restrict__ A_ptr, int n, float* __restrict__ B_ptr"
    assert head.endswith(f"scaled_kernel({pointers}, float alpha, long long skip, double beta) {{")
    file = tmp_path / "kernel.py"
    file.write_text(f"from tilewright.script import tirx as T\n{scaled.script()}")
    again = runpy.run_path(str(file))["scaled"]
    assert again.script() == scaled.script()
    assert again.params == ("A", "n", "B", "alpha", "skip", "beta")


WRONG = {
    "n takes a number of type int32, got 1.5": (1, 1.5),
    "n takes a number of type int32, got 2147483648": (1, 2**31),
    "n takes a number of type int32, got None": (1, None),
    "alpha takes a number of type float32, got 'x'": (3, "x"),
    "alpha takes a number of type float32, got 1e": (3, 1e300),
    "skip takes a number of type int64, got 9223372036854775808": (4, 2**63),
}


@pytest.mark.parametrize("why", WRONG)
def test_what_is_no_such_number(why: str) -> None:
    a = np.zeros((ROWS, 32), np.float32)
    arguments: list[Any] = [a, 1, a.copy(), 1.0, 0, 0.0]
    position, value = WRONG[why]
    arguments[position] = value
    with pytest.raises(UsageError) as caught:
        tw.compile(scaled)(*arguments)
    assert str(caught.value).startswith(why)


def test_an_extent_that_a_kernel_takes_reaches_dispatch() -> None:
    @T.prim_func
    def f(A_buf: T.Buffer((2, 1, 4, 32)), B_buf: T.Buffer((2, 1, 4, 32)), n: T.int32):
        T.cta_id([1])
        T.thread_id([32])
        for s in T.serial(2):
            Tx.warp.permute_layout(B_buf[s, 0:1, 0:n, 0:32], A_buf[s, 0:1, 0:n, 0:32])

    with pytest.raises(DispatchError, match=r"extents must be compile-time integers: src=\[1, 1, \?, 32\] vs dst="):
        tw.compile(f)
    a, b = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
    simulate(f.module, [a, b, 3])
    assert b.reshape(2, 4, 32)[:, :3].tolist() == a.reshape(2, 4, 32)[:, :3].tolist()
    assert not b.reshape(2, 4, 32)[:, 3].any()


def test_other_types_are_no_numbers_of_a_kernel() -> None:
    def f(A: T.Buffer((4, 32)), n: T.uint8):
        T.cta_id([1])

    with pytest.raises(KernelError, match=r"or, for a number, T\.int32, T\.int64, T\.float32, T\.float64"):
        T.prim_func(f)


@T.prim_func
def as_often_as_told(A: T.Buffer((8,), "int32"), B: T.Buffer((8,), "int32"), C: T.Buffer((8,), "uint8")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([8])
    n: T.int32 = A[t]
    total: T.int32 = 0
    for i in T.serial(n):
        total = total + T.cast(i, "int32")
    for j in T.serial(A[t] % 2, n):
        total = total + T.cast(j, "int32")
    for k, m in T.grid(C[t], 2):
        total = total + T.cast(k + m, "int32")
    B[t] = total


@pytest.mark.parametrize("target", ["simulator", "host"])
def test_loops_are_bounded_by_elements(target: str) -> None:
    a, b, c = np.arange(-2, 6, dtype=np.int32), np.zeros(8, np.int32), np.arange(8, dtype=np.uint8)
    tw.compile(as_often_as_told, target=target)(a, b, c)
    pairs = [(int(n), int(k)) for n, k in zip(a, c, strict=True)]
    assert b.tolist() == [
        sum(range(n)) + sum(range(n % 2, n)) + sum(i + m for i in range(k) for m in range(2)) for n, k in pairs
    ]
