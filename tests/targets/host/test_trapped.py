"""What would end the process, or not end at all: divisions that processors trap, and loops that Ctrl-C leaves."""

from __future__ import annotations

import os
import signal
import threading
from itertools import product
from typing import Any

import numpy as np
import pytest
from final_kernels import kernel
from translation import run_both

import tilewright as tw
from tilewright.errors import SimulationError
from tilewright.script import tirx as T

TARGETS = ("host", "host -compiler=llvmlite")


@T.prim_func
def divided(A: T.Buffer((32,), "int32"), B: T.Buffer((32,), "int32"), Q: T.Buffer((2, 32), "int32")) -> None:
    T.device_entry()
    bx = T.cta_id([1])
    t = T.thread_id([32])
    if B[t] < 100:
        Q[bx, t] = A[t] // B[t]
        Q[1, t] = A[t] % B[t]


@T.prim_func
def by_number(A: T.Buffer((32,), "uint32"), N: T.int32) -> None:
    T.device_entry()
    bx = T.cta_id([1])
    t = T.thread_id([32])
    A[t * 7 % (N * 2 + bx)] = A[t] % T.cast(7, "uint32")


def told(made: Any, *given: Any) -> str:
    with pytest.raises(SimulationError) as caught:
        made(*given)
    return str(caught.value)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("check", ["on", "off"])
def test_divisions_are_those_of_the_simulator(target: str, check: Any) -> None:
    """By zero with the same words, also where nothing else is checked; the least number by -1 is itself."""
    ours, theirs = tw.compile(divided), tw.compile(divided, target=target, check=check)
    a = np.array([-(2**31), 7, -7, 5] * 8, np.int32)
    b = np.array([-1, -2, 3, 100] * 8, np.int32)
    results = [np.zeros((2, 32), np.int32) for _ in TARGETS]
    for run, result in zip((ours, theirs), results, strict=True):
        run(a, b, result)
    assert (results[0] == results[1]).all()
    assert results[0][0, :3].tolist() == [-(2**31), -4, -3]
    b[9] = 0
    assert told(theirs, a, b, results[0]) == told(ours, a, b, results[0])
    assert "block (0,0,0) thread (9,0,0): division by zero\n" in told(theirs, a, b, results[0])
    number = np.zeros(32, np.uint32), 0
    assert told(tw.compile(by_number, target=target), *number) == told(tw.compile(by_number), *number)


QUOTIENTS = {"divsi": -(2**63), "remsi": 0, "floordivsi": -(2**63), "ceildivsi": -(2**63)}
LEAST = """%number = memref.load %A[%tx] : memref<32xi64>
%other = memref.load %B[%tx] : memref<32xi64>
%least = arith.index_cast %number : i64 to index
%loaded = arith.index_cast %other : i64 to index
%constant = arith.constant -1 : index"""


def test_the_least_index_by_minus_one_is_itself() -> None:
    """On the simulator, in CUDA's text and in loops: an index has 64 bits, and processors trap its quotient."""
    lines, expected = [LEAST], []
    for i, (divisor, (op, value)) in enumerate(product(("loaded", "constant"), QUOTIENTS.items())):
        lines += [
            f"%o{i} = arith.constant {32 * i} : index",
            f"%p{i} = arith.addi %o{i}, %tx : index",
            f"%r{i} = arith.{op} %least, %{divisor} : index",
            f"%v{i} = arith.index_cast %r{i} : index to i64",
            f"memref.store %v{i}, %C[%p{i}] : memref<256xi64>",
        ]
        expected += [value] * 32
    text = kernel("\n".join(lines), "%A: memref<32xi64>, %B: memref<32xi64>, %C: memref<256xi64>")
    given = [np.full(32, -(2**63)), np.full(32, -1), np.zeros(256, np.int64)]
    assert run_both(text, given)[2].tolist() == expected


@T.prim_func
def endless(A: T.Buffer((32,), "int32"), N: T.int32) -> None:
    T.device_entry()
    bx = T.cta_id([2])
    t = T.thread_id([32])
    A[t] = A[t] * 3 + 1
    while A[t] * 0 + bx < N:
        A[t] = A[t] * 3 + 1


@pytest.mark.usefixtures("heeded")
def test_ctrl_c_leaves_a_loop_that_never_ends() -> None:
    """Whoever had the signal before has it again, and the kernel runs another time."""
    run, a, before = (
        tw.compile(endless, target="host", steps=2**40),
        np.zeros(32, np.int32),
        signal.getsignal(signal.SIGINT),
    )
    run(a, 0)
    assert (a == 4).all()
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        run(a, 2)
    timer.join()
    assert signal.getsignal(signal.SIGINT) is before
    again = np.zeros(32, np.int32)
    run(again, 0)
    assert (again == 4).all()
