"""No kernel runs for ever on target `host`: a block that takes more steps than it may is stopped, and told where."""

from __future__ import annotations

import time

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import SimulationError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T
from tilewright.targets.host.turns import FEW, OPS

TARGETS = ("host", "host -compiler=llvmlite")


@T.prim_func
def endless(A: T.Buffer((32,), "int32"), N: T.int64) -> None:
    T.device_entry()
    T.cta_id([2])
    t = T.thread_id([32])
    while A[t] * 0 < N:
        A[t] = A[t] * 3 + 1


@T.prim_func
def far(A: T.Buffer((32,), "int32"), N: T.int64) -> None:
    T.device_entry()
    T.cta_id([2])
    t = T.thread_id([32])
    for _ in T.serial(N - 7):
        A[t] = A[t] + 1


@T.prim_func
def strided(A: T.Buffer((32,), "int32"), N: T.int64) -> None:
    T.device_entry()
    T.cta_id([2])
    t = T.thread_id([32])
    for _ in T.serial(-N, N, step=2305843009213693952):
        A[t] = A[t] + 1


@T.prim_func
def wide(A: T.Buffer((32,), "int32"), N: T.int64) -> None:
    T.device_entry()
    T.cta_id([2])
    t = T.thread_id([32])
    if N > 0:
        for _i, _j, _k in T.grid(4096, 4096, 4096):
            A[t] = A[t] + 1


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("kernel", "line"), [(endless, "while"), (far, "for _"), (wide, "for _i, _j, _k")], ids=str)
@pytest.mark.parametrize("check", ["on", "off"])
def test_what_does_not_end_is_stopped_and_told(kernel: PrimFunc, line: str, target: str, check: str) -> None:
    """In the words of the simulator's limit, with the loop; what ends before is left alone."""
    made = tw.compile(kernel, target=target, steps=50, check=check)  # type: ignore[misc]  # a `Check`
    made(np.zeros(32, np.int32), 0)
    begun = time.process_time()
    text = rf"(?s)block \(0,0,0\) thread \(\d+,0,0\): its block takes more than 50 steps.*steps=.*{line}"
    with pytest.raises(SimulationError, match=text):
        made(np.zeros(32, np.int32), 2**30)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize("target", TARGETS)
def test_turns_are_counted_as_they_are_done(target: str) -> None:
    """Where a kernel is stopped it is so with fewer steps, too; it never is where it does fewer ops than a step has."""
    for turns in (0, 1, 20, OPS // 32, FEW, 10**6, 2**40, 2**62):
        ended = [_ends(target, turns, steps) for steps in (1, 30, 1000)]
        assert ended == sorted(ended)
        assert ended[0] >= (turns * 32 * 8 <= OPS)
        assert ended[2] <= (turns * 32 <= 1000 * OPS)


def _ends(target: str, turns: int, steps: int) -> bool:
    a = np.zeros(32, np.int32)
    try:
        tw.compile(far, target=target, steps=steps)(a, turns + 7)
    except SimulationError:
        return False
    assert (a == 2 * turns).all()
    return True


def test_steps_of_a_loop_count_however_far_apart_its_bounds_lie() -> None:
    """Some turns, whatever the numbers: no difference of bounds that wraps makes them many, or none."""
    kernel = tw.compile(strided, target="host", steps=1)
    for bound in (0, 1, 7, 2**31, 2**60, 2**60 + 1, 2**61, 2**61 + 1, 2**62):
        kernel(a := np.zeros(32, np.int32), bound)
        assert (a == 2 * len(range(-bound, bound, 2**61))).all(), bound
