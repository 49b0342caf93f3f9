"""What a warp finds out together beside shuffles and votes, against Python; naps change nothing."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import BarrierError, KernelError
from tilewright.ir.script.tirx import script
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.simulate import simulate

KINDS: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: (a + b) & 0xFFFFFFFF,
    "min": min,
    "max": max,
    "and": operator.and_,
    "or": operator.or_,
    "xor": operator.xor,
}
NUMBERS = np.random.default_rng(5).integers(0, 1 << 32, 64, dtype=np.uint32)


@T.prim_func
def every(A: T.Buffer((64,), "uint32"), B: T.Buffer((12, 64), "uint32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    x: T.uint32 = A[t]
    T.ptx.redux_sync.add.u32(x, A[t], 0xFFFFFFFF)
    B[0, t] = x
    T.ptx.redux_sync.min.u32(x, A[t], 0xFFFFFFFF)
    B[1, t] = x
    T.ptx.redux_sync.max.u32(x, A[t], 0xFFFFFFFF)
    B[2, t] = x
    T.ptx["redux_sync.and.b32"](x, A[t], 0xFFFFFFFF)
    B[3, t] = x
    T.ptx["redux_sync.or.b32"](x, A[t], 0xFFFFFFFF)
    B[4, t] = x
    T.ptx.redux_sync.xor.b32(x, A[t], 0xFFFFFFFF)
    B[5, t] = x
    T.cuda.nano_sleep(100)
    B[6, t] = T.cuda.reduce_add_sync_u32(0xFFFFFFFF, A[t])
    B[7, t] = T.cuda.reduce_min_sync_u32(0xFFFFFFFF, A[t])
    B[8, t] = T.cuda.__reduce_max_sync(0xFFFFFFFF, A[t])
    B[9, t] = T.cuda.__reduce_and_sync(0xFFFFFFFF, A[t])
    B[10, t] = T.cuda.__reduce_or_sync(0xFFFFFFFF, A[t])
    B[11, t] = T.cuda.warp_reduce(A[t], "max", 8)
    T.cuda.__nanosleep(t)


def expected() -> np.ndarray[tuple[int, int], np.dtype[np.uint32]]:
    def of(kind: str, width: int) -> list[int]:
        groups = NUMBERS.reshape(-1, width).tolist()
        return [functools.reduce(KINDS[kind], group) for group in groups for _ in range(width)]

    rows = [of(kind, 32) for kind in ("add", "min", "max", "and", "or", "xor", "add", "min", "max", "and", "or")]
    return np.array([*rows, of("max", 8)], np.uint32)


@pytest.mark.parametrize("stage", ["tile", "final"])
def test_reductions_are_those_of_python(stage: str) -> None:
    found = np.zeros((12, 64), np.uint32)
    simulate(run(every.module, stage).module, [NUMBERS.copy(), found])
    assert (found == expected()).all()


def test_the_host_the_script_and_cuda_have_them() -> None:
    found = np.zeros((12, 64), np.uint32)
    kernel = tw.compile(every, target="host")
    kernel(NUMBERS.copy(), found)
    assert (found == expected()).all()
    assert "T.cuda.nano_sleep(100)" in script(every.module)
    assert tw.compile(every, target="cuda:sm_90a").source.count("__nanosleep(") == 2


@pytest.mark.parametrize("kind", ["int32", "uint32"])
def test_lanes_that_hold_the_same(kind: str) -> None:
    @T.prim_func
    def same(A: T.Buffer((64,), kind), B: T.Buffer((64,), "uint32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        B[t] = T.cuda.__match_any_sync(0xFFFFFFFF, A[t])

    for seed in range(3):
        numbers = np.random.default_rng(seed).integers(-3 if kind == "int32" else 0, 4, 64).astype(kind)
        found = np.zeros(64, np.uint32)
        simulate(run(same.module).module, [numbers, found])
        for warp in (0, 32):
            held = numbers[warp : warp + 32]
            bits = [sum(1 << i for i in range(32) if held[i] == held[lane]) for lane in range(32)]
            assert found[warp : warp + 32].tolist() == bits


def test_lanes_that_are_missing_are_told() -> None:
    @T.prim_func
    def torn(A: T.Buffer((64,), "uint32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        if t < 40:
            A[t] = T.cuda.__reduce_add_sync(0xFFFFFFFF, A[t])

    with pytest.raises(BarrierError, match=r"(?s)warp.*test_reductions\.py"):
        tw.compile(torn)(np.zeros(64, np.uint32))


@pytest.mark.parametrize(
    ("mask", "kind", "words"), [(1, "uint32", "for all lanes of a warp"), (-1, "float32", "takes an int32 or uint32")]
)
def test_what_is_refused(mask: int, kind: str, words: str) -> None:
    with pytest.raises(KernelError, match=words):

        @T.prim_func
        def refused(A: T.Buffer((32,), kind)) -> None:
            T.device_entry()
            T.cta_id([1])
            t = T.thread_id([32])
            A[t] = T.cuda.__reduce_add_sync(mask, A[t])
