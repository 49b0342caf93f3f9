"""`return` ends a helper or a thread wherever it stands; texts of constants are joined while a kernel is read."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from translation import literally

import tilewright as tw
from tilewright.errors import KernelError
from tilewright.ir.script.tirx import script
from tilewright.lang.scripts import from_source
from tilewright.script import tirx as T

Array = np.ndarray[Any, np.dtype[Any]]
LOAD = "ld.global"


def fill(B: Any, t: Any, n: Any) -> None:
    for i in T.serial(8):
        if i == n:
            return
        B[t, i] = i + 1


def tell(B: Any, t: Any) -> None:
    if t > 40:
        if t > 50:
            return
        B[t, 7] = 5
    B[t, 6] = 4


def last(B: Any, t: Any) -> None:
    if t == 3:
        B[t, 0] = -1
        return
    for j in range(2):
        for i in T.unroll(4):
            if B[t, i + 4 * j] == 4:
                B[t, 1] = 10 * j + i
                return
    B[t, 2] = -2
    return


@T.prim_func
def early(A: T.Buffer((64,), "int32"), B: T.Buffer((64, 8), "int32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    if t > 60:
        return
    n: T.int32 = 0
    T.ptx[LOAD + ".s32"](n, A.ptr_to([t]))
    fill(B, t, n % 4)
    tell(B, t)
    last(B, t)
    while n < 100:
        n = n + 7
        if n % 5 == 0:
            return
    if n > 104:
        T.thread_return()
    width = 4
    x: T.int32 = 0
    T.ptx[f"{LOAD}.s{width * 8}"](x, A.ptr_to([t]))
    B[t, 5] = n + x


def expected(A: Array) -> Array:
    B = np.zeros((64, 8), np.int32)
    for t in range(61):
        n = int(A[t])
        B[t, : n % 4] = range(1, n % 4 + 1)
        B[t, 7] = 5 * (40 < t <= 50)
        B[t, 6] = 4 * (t <= 50)
        four = np.flatnonzero(B[t] == 4)
        if t == 3:
            B[t, 0] = -1
        elif len(four):
            B[t, 1] = 10 * (four[0] // 4) + four[0] % 4
        else:
            B[t, 2] = -2
        sums = n + 7 * np.arange(1, 16)
        sums = sums[: np.argmax(sums >= 100) + 1] if n < 100 else np.array([n])
        if n >= 100 or ((sums % 5 != 0).all() and sums[-1] <= 104):
            B[t, 5] = sums[-1] + A[t]
    return B


NUMBERS = np.random.default_rng(0).integers(0, 50, 64).astype(np.int32)


@pytest.mark.parametrize("stage", ["tile", "dispatched", "lowered", "final"])
def test_what_follows_a_return_is_not_done_at_any_stage(stage: str) -> None:
    from tilewright.passes.pipeline import run
    from tilewright.targets.simulator.simulate import simulate

    found = np.zeros((64, 8), np.int32)
    simulate(run(early.module, stage, lanes=32).module, [NUMBERS, found])
    assert (found == expected(NUMBERS)).all()


@pytest.mark.parametrize("target", ["host", "host -compiler=llvmlite", ""])
def test_nor_on_the_host_or_in_the_text(target: str) -> None:
    found = np.zeros((64, 8), np.int32)
    if target:
        tw.compile(early, target=target)(NUMBERS, found)
    else:
        literally(early, NUMBERS, found)
    assert (found == expected(NUMBERS)).all()


def test_its_script_is_read_back() -> None:
    text = script(early.module)
    assert script(from_source(text).module) == text


def test_tirx_returns_0() -> None:
    source = """
def kernel(A: T.Buffer((32,), "int32")):
    T.cta_id([1])
    t = T.thread_id([32])
    if A[t] > 3:
        {}
    A[t] = 7
"""
    assert from_source(source.format("return 0")).script() == from_source(source.format("return")).script()


def test_a_kernel_gives_nothing() -> None:
    def kernel(A: T.Buffer((4,), "int32")) -> Any:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([4])
        return t + 1

    with pytest.raises(KernelError, match=r"gives nothing; `return` ends the thread\n.*test_returns.py"):
        T.prim_func(kernel)


def test_texts_are_of_constants() -> None:
    def kernel(A: T.Buffer((4,), "int32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([4])
        x: T.int32 = 0
        T.ptx[f"ld.global.s{t}"](x, A.ptr_to([t]))

    with pytest.raises(KernelError, match="an f-string joins what is known"):
        T.prim_func(kernel)


@pytest.mark.parametrize("text", ["{4:>3}", "{0.5!r}", "{'a'!a:s}", "{3:02d}{'b'}"])
def test_f_strings_are_python_s(text: str) -> None:
    """They are written as Python writes them: a text that is refused names them."""
    wrong = eval(f'f"{text}"')  # Python's own answer
    source = f"""from tilewright.script import tirx as T
@T.prim_func
def kernel(A: T.Buffer((4,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([4])
    T.static_assert(False, f"{text}")
"""
    with pytest.raises(KernelError) as told:
        from_source(source)
    assert str(told.value).startswith(f"T.static_assert: {wrong}")
