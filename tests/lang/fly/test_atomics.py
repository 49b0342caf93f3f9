"""Atomic accesses by LLVM's names against numpy: every change, what it gives back, swaps, orders, refusals."""

from __future__ import annotations

import numpy as np
import pytest

import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import KernelError, RaceError
from tilewright.ir.text import parse_module, print_module
from tilewright.passes.fly.pipeline import STAGES

pytestmark = pytest.mark.usefixtures("every_stage")
LANES = 32
WHOLE = {
    "add": np.add,
    "sub": np.subtract,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}
REAL = {name: WHOLE[name] for name in ("add", "sub", "min", "max")}


@flyc.kernel
def changed_kernel(A: fx.Tensor, V: fx.Tensor, B: fx.Tensor, word: fx.Constexpr, shared: fx.Constexpr):
    tid = fx.thread_idx.x
    ptr = fx.get_iter(A)
    if shared:
        ptr = fx.SharedAllocator().allocate(fx.Array[A.element_type, 4]).peek().ptr
        if tid < 4:
            ptr[tid] = A[tid]
        fx.barrier()
    B[tid] = getattr(fx, f"atomic_{word}")(ptr + tid % 3, V[tid], ordering=fx.AtomicOrdering.AcqRel)
    if shared:
        fx.barrier()
        if tid < 4:
            A[tid] = ptr[tid]


@flyc.jit
def changed(A: fx.Tensor, V: fx.Tensor, B: fx.Tensor, word: fx.Constexpr, shared: fx.Constexpr):
    changed_kernel(A, V, B, word, shared).launch(grid=1, block=LANES)


def expected(a: np.ndarray, v: np.ndarray, word: str, elements: int = 3) -> tuple[np.ndarray, np.ndarray]:
    held, before = a.copy(), np.zeros_like(v)
    for lane in range(LANES):
        at = lane % elements
        before[lane] = held[at]
        held[at] = v[lane] if word == "xchg" else WHOLE[word](held[at], v[lane])
    return held, before


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32])
def test_every_change_is_that_of_one_lane_after_another(dtype: type, shared: bool) -> None:
    rng = np.random.default_rng(0)
    for word in (*(REAL if dtype is np.float32 else WHOLE), "xchg"):
        a, v = rng.integers(-99, 99, 4).astype(dtype), rng.integers(-99, 99, LANES).astype(dtype)
        b, (held, before) = np.zeros_like(v), expected(a, v, word)
        changed(a, v, b, word, shared)
        assert (a.tolist(), b.tolist()) == (held.tolist(), before.tolist()), word


@flyc.kernel
def typed_kernel(A: fx.Tensor, V: fx.Tensor, B: fx.Tensor, kind: fx.Constexpr, words: fx.Constexpr):
    tid, ptr = fx.thread_idx.x, fx.get_iter(A)
    for i, word in enumerate(words):
        B[i, tid] = getattr(fx, f"atomic_{word}")(ptr + i, kind(V[tid]))


@flyc.jit
def typed(A: fx.Tensor, V: fx.Tensor, B: fx.Tensor, kind: fx.Constexpr, words: fx.Constexpr):
    typed_kernel(A, V, B, kind, words).launch(grid=1, block=LANES)


@pytest.mark.parametrize("kind", [fx.Uint32, fx.Float16, fx.BFloat16])
def test_numbers_of_other_types_change_as_such(kind: type) -> None:
    """Words whose highest bit is set are large, and 16 bits of a float are added as one."""
    rng, words = np.random.default_rng(1), (*REAL, "xchg")
    low, high = (0, 2**32) if kind is fx.Uint32 else (-9, 9)
    a, v = (rng.integers(low, high, n).astype(kind.numpy_dtype) for n in (5, LANES))
    b = np.zeros((5, LANES), a.dtype)
    wanted = [expected(a[i : i + 1], v, word, 1) for i, word in enumerate(words)]
    typed(a, v, b, kind, words)
    for i, (held, before) in enumerate(wanted):
        assert (a[i], b[i].tolist()) == (held[0], before.tolist()), words[i]


@flyc.kernel
def counted_kernel(A: fx.Tensor, B: fx.Tensor):
    """Each lane adds by swaps, as often as it takes; the last block to come reads what all have added."""
    tid, ptr = fx.thread_idx.x, fx.get_iter(A)
    old = fx.generic_load(ptr, memory_order=fx.AtomicOrdering.Monotonic)
    found, done = fx.atomic_cas(ptr, old, old + tid)
    while ~done:
        found, done = fx.atomic_cas(ptr, found, found + tid)
    fx.generic_store(ptr + 1, 7, memory_order=fx.AtomicOrdering.Monotonic)
    fx.memory_fence(syncscope=fx.rocdl.SyncScope.Agent, ordering=fx.AtomicOrdering.AcqRel)
    seen = fx.atomic_add(ptr + 2, 1)
    fx.barrier()
    if seen == 2 * LANES - 1:
        B[0] = fx.generic_load(ptr, memory_order=fx.AtomicOrdering.Acquire)
        B[1] = fx.generic_load(ptr + 1, memory_order=fx.AtomicOrdering.Acquire)


@flyc.jit
def counted(A: fx.Tensor, B: fx.Tensor):
    counted_kernel(A, B).launch(grid=2, block=LANES)


def test_swaps_loads_and_stores() -> None:
    a, b = np.zeros(3, np.int32), np.zeros(2, np.int32)
    counted(a, b)
    assert (a.tolist(), b.tolist()) == ([LANES * (LANES - 1), 7, 2 * LANES], [LANES * (LANES - 1), 7])
    for stage in STAGES:
        assert print_module(parse_module(counted.ir(stage))) == counted.ir(stage)


@flyc.kernel
def wrong_kernel(A: fx.Tensor, how: fx.Constexpr):
    ptr = fx.get_iter(A)
    if how == "type":
        fx.atomic_add(ptr, fx.Float32(1.0))
    elif how == "order":
        fx.atomic_add(ptr, 1, ordering=fx.AtomicOrdering.Unordered)
    elif how == "load":
        fx.generic_load(ptr, memory_order=fx.AtomicOrdering.Release)
    elif how == "float":
        fx.atomic_fmin(ptr, 1)
    elif how == "scope":
        fx.memory_fence(syncscope='x")')
    else:
        fx.generic_store(ptr, fx.thread_idx.x)


@flyc.jit
def wrong(A: fx.Tensor, how: fx.Constexpr):
    wrong_kernel(A, how).launch(grid=1, block=LANES)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("type", r"in memory of Int32 takes no Float32; convert it with \.to\(fx\.Int32\)"),
        ("order", "an atomic change is one of .* Monotonic"),
        ("load", "the order of a load is one of"),
        ("float", "atomic_fmin is of floats, got Int32"),
        ("scope", "a scope is one of fx.SyncScope"),
    ],
)
def test_what_is_refused(how: str, said: str) -> None:
    with pytest.raises(KernelError, match=said):
        wrong(np.zeros(4, np.int32), how)


def test_plain_stores_are_still_races() -> None:
    with pytest.raises(RaceError):
        wrong(np.zeros(4, np.int32), "race")
