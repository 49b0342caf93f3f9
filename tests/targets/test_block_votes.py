"""Votes of a block, wherever its threads wait; which lanes go together; who holds what all hold."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from headers import ready
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import tilewright as tw
from tilewright.errors import BarrierError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.runtime.kernel import CompiledKernel
from tilewright.script import tirx as T
from tilewright.targets.arguments import bind
from tilewright.targets.host.compiler import WARNINGS, compile_host
from tilewright.targets.launch import kernel_of

BLOCKS, THREADS, TURNS = 3, 96, 4
Numbers = NDArray[np.int32]


@T.prim_func
def votes(A: T.Buffer((3, 96), "int32"), B: T.Buffer((4, 3, 96, 3), "int32")):
    T.device_entry()
    b = T.cta_id([3])
    t = T.thread_id([96])
    for i in range(4):
        B[i, b, t, 0] = T.cast(T.cuda.syncthreads_and(A[b, t] > i), "int32")
        B[i, b, t, 1] = T.cast(T.cuda.__syncthreads_or(A[b, t] > i + 4), "int32")
        B[i, b, t, 2] = T.cuda.__syncthreads_count(A[b, t] % 4 == i)


@T.prim_func
def apart(A: T.Buffer((3, 96), "int32"), B: T.Buffer((4, 3, 96, 3), "int32")):
    """The same in warps that go by themselves, of which one comes later."""
    T.device_entry()
    b = T.cta_id([3])
    t = T.thread_id([96])
    for i in range(4):
        if t < 64:
            T.ptx.bar.sync(1, 64)
        B[i, b, t, 0] = T.cast(T.cuda.syncthreads_and(A[b, t] > i), "int32")
        if t >= 64:
            T.ptx.bar.sync(2, 32)
        B[i, b, t, 1] = T.cast(T.cuda.__syncthreads_or(A[b, t] > i + 4), "int32")
        B[i, b, t, 2] = T.cuda.__syncthreads_count(A[b, t] % 4 == i)


def expected(a: Numbers) -> Numbers:
    turns = [((a > i).all(1), (a > i + 4).any(1), (a % 4 == i).sum(1)) for i in range(TURNS)]
    made = np.array(turns).transpose(0, 2, 1)[:, :, None]
    return np.broadcast_to(made, (TURNS, BLOCKS, THREADS, 3)).astype(np.int32)


def drawn(seed: int) -> Numbers:
    rng = np.random.default_rng(seed)
    return rng.integers(rng.integers(0, 5), rng.integers(5, 10), (BLOCKS, THREADS)).astype(np.int32)


SEEDS = 4
KERNELS = pytest.mark.parametrize("kernel", [votes, apart], ids=lambda kernel: kernel.name)


@KERNELS
def test_every_thread_learns_what_its_block_found(kernel: PrimFunc) -> None:
    compiled = tw.compile(kernel)
    for stage in compiled.stages:
        assert script(parse_module(compiled.ir(stage))) == compiled.script(stage)
    module = compiled.lowered().module
    literal = compile_host(module, range(2), ready(WARNINGS))
    for seed in range(SEEDS):
        a = drawn(seed)

        def check(run: Callable[[Numbers, Numbers], object], a: Numbers = a) -> None:
            b = np.zeros((TURNS, BLOCKS, THREADS, 3), np.int32)
            run(a, b)
            assert (b == expected(a)).all()

        for stage in compiled.stages:
            check(partial(compiled.simulate, stage=stage))
        check(partial(compiled, schedule="random", seed=seed))
        check(lambda *arrays: literal.run(bind(kernel_of(module), arrays)))


@KERNELS
def test_cuda_has_words_for_it(kernel: PrimFunc) -> None:
    compiled = tw.compile(kernel, target="cuda:sm_90")
    assert isinstance(compiled, CompiledKernel)
    assert compiled.cubin.startswith(b"\x7fELF")
    assert "__syncthreads_and(" in compiled.source
    assert tw.compile(kernel, target="host").way.startswith("fibers; no loops: ")


@T.prim_func
def shared(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
    """It is a barrier, too: what was written before is seen behind it."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "int32")
    s[t] = A[t]
    n = T.cuda.syncthreads_count(A[t] > 0)
    B[t] = s[63 - t] + n


@T.prim_func
def missing(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    if t < 40:
        A[t] = T.cuda.syncthreads_count(A[t] > 0)


@T.prim_func
def never(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    if t < 32:
        A[t] = T.cuda.syncthreads_count(A[t] > 0)
    else:
        T.ptx.bar.sync(1, 32)


def test_it_is_a_barrier_that_none_may_miss() -> None:
    a, b = np.arange(64, dtype=np.int32), np.zeros(64, np.int32)
    tw.compile(shared)(a, b)
    assert (b == a[::-1] + 63).all()
    assert tw.compile(shared).simulate(a, b, schedule="random", seed=1).agreed == ()
    with pytest.raises(BarrierError, match=r"thread \(40,0,0\) does not reach a barrier of its cta"):
        tw.compile(missing)(a)
    with pytest.raises(BarrierError, match="for its block, of which 32 of 64 threads have come"):
        tw.compile(never)(a)


@T.prim_func
def together(A: T.Buffer((80,), "int32"), M: T.Buffer((80,), "uint32"), N: T.Buffer((80,), "uint32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([80])
    M[t] = T.cuda.__activemask()
    if A[t] > 0:
        N[t] = T.cuda.__activemask()


@given(st.lists(st.booleans(), min_size=80, max_size=80))
def test_active_lanes(flags: list[bool]) -> None:
    a = np.array(flags).astype(np.int32)
    whole, some = np.zeros(80, np.uint32), np.zeros(80, np.uint32)
    tw.compile(together)(a, whole, some)
    for first, size in ((0, 32), (32, 32), (64, 16)):
        bits = sum(1 << lane for lane in range(size) if flags[first + lane])
        assert set(whole[first : first + size].tolist()) == {2**size - 1}
        assert some[first : first + size].tolist() == [bits * flags[first + lane] for lane in range(size)]


@T.prim_func
def alike(A: T.Buffer((64,), "int32"), M: T.Buffer((64,), "uint32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    M[t] = T.cuda.__match_all_sync(0xFFFFFFFF, A[t])


@given(st.integers(-5, 5), st.integers(0, 63), st.integers(-5, 5))
def test_who_holds_what_all_hold(value: int, place: int, other: int) -> None:
    a = np.full(64, value, np.int32)
    a[place] = other
    masks = []
    for target in ("simulator", "host"):
        m = np.zeros(64, np.uint32)
        tw.compile(alike, target=target)(a, m)
        masks.append(m.tolist())
    alike_ = [2**32 - 1 if len(set(a[w : w + 32].tolist())) == 1 else 0 for w in (0, 32)]
    assert masks == [[alike_[t // 32] for t in range(64)]] * 2
