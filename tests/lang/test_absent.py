"""Every name of TIRx is one of the language, or is told apart: what to write instead."""

from __future__ import annotations

import re
from collections import Counter
from fnmatch import fnmatchcase
from functools import reduce
from pathlib import Path

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import KernelError
from tilewright.lang.absent import ABSENT, refused
from tilewright.lang.names import SCOPES
from tilewright.lang.scripts import from_source
from tilewright.script import tirx as T

# Public names of TIRx 0.27 that its kernels and tests use, or its pages list; instructions by their family.
NAMES = (Path(__file__).parents[1] / "data" / "tirx_names.txt").read_text().split()
LEAST = {"T": 116, "T.cuda": 57, "T.ptx": 28, "T.tile": 1}  # so many are here


def is_here(name: str) -> bool:
    try:
        reduce(getattr, name.split(".")[1:], T)
    except AttributeError:
        return False
    return True


def family(name: str) -> str:
    found, _, _ = name.removeprefix("T.").partition(".")
    return f"T.{found}" if f"T.{found}" in LEAST and name != f"T.{found}" else "T"


def test_a_name_is_here_or_says_what_to_write() -> None:
    for name in NAMES:
        if not is_here(name):
            assert refused(name.removeprefix("T.")), name
            with pytest.raises(AttributeError, match="; "):
                reduce(getattr, name.split(".")[1:], T)
        else:
            assert not refused(name.removeprefix("T.")) or family(name) == "T.tile", name


def test_so_many_are_here() -> None:
    found = Counter(family(name) for name in NAMES if is_here(name))
    assert found == LEAST


def test_no_reason_is_of_a_name_that_nobody_has() -> None:
    """But for primitives by their scopes, and the namespace of another library."""
    paths = [name.removeprefix("T.") for name in NAMES]
    unused = [pattern for pattern in ABSENT if not any(fnmatchcase(path, pattern) for path in paths)]
    assert {pattern.partition(".")[0] for pattern in unused} <= {"nvshmem", *SCOPES}


def test_what_a_reason_names_is_there() -> None:
    named = {(path, name) for path, why in ABSENT.items() for name in re.findall(r"\bT(?:\.\w+)+", why)}
    assert len(named) > 100
    assert [(path, name) for path, name in sorted(named) if not is_here(name)] == []


PRIMITIVES = (
    "add sub mul fdiv maximum minimum fma select sqrt exp exp2 log2 reciprocal silu cast fill zero memset sum max min "
    "copy copy_async gemm gemm_async binary_chain binary_reduce unary_reduce reduce_negate"
)


@pytest.mark.parametrize("scope", ["tile", "tile.warp", *SCOPES])
def test_every_tile_primitive_says_what_does_it_here(scope: str) -> None:
    told = {name: refused(f"{scope}.{name}") for name in PRIMITIVES.split()}
    assert all("T." in why or "D[i] = " in why for why in told.values()), told
    of_trainium = 4
    assert len(set(told.values())) == len(told) - of_trainium  # fill and memset are one, and those of Trainium


@T.prim_func
def summed(A: T.Buffer((2, 96), "int32"), B: T.Buffer((2, 96, 3), "int32")):
    T.device_entry()
    b = T.cta_id([2])
    t = T.thread_id([96])
    scratch = T.alloc_shared((3,), "int32")
    count = T.shared_scalar("int32")
    least = T.alloc_scalar("int32")
    if t == 0:
        count = 0
    least = T.cuda.cta_min(A[b, t], 3, scratch)
    B[b, t, 0] = T.cuda.cta_sum(A[b, t], 3, scratch)
    B[b, t, 1] = T.cuda.cta_reduce(A[b, t], "max", 3, scratch) + T.Cast("int32", t)
    B[b, t, 2] = least + count
    T.tvm_storage_sync("shared")
    T.tvm_storage_sync("warp")


@pytest.mark.parametrize("target", ["simulator", "host"])
def test_a_block_reduces(target: str) -> None:
    a = np.random.default_rng(3).integers(-1000, 1000, (2, 96)).astype(np.int32)
    b = np.zeros((2, 96, 3), np.int32)
    tw.compile(summed, target=target)(a, b)
    assert (b[..., 0] == a.sum(axis=1)[:, None]).all()
    assert (b[..., 1] == a.max(axis=1)[:, None] + np.arange(96)).all()
    assert (b[..., 2] == a.min(axis=1)[:, None]).all()


def test_a_kernel_is_told_so_too() -> None:
    source = """
def kernel(A: T.Buffer((32,), "int32")):
    T.cta_id([1])
    t = T.thread_id([32])
    T.ptx.prefetch.tensormap(A)
"""
    with pytest.raises(KernelError, match="changes no result"):
        from_source(source)


@T.inline
def doubled(x):
    return x + x


@T.inline()
def stored(B, t, x):
    B[t] = x


@T.prim_func
def named(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])

    @T.inline
    def shifted(x):
        return x + T.f32(0.5)

    own: T.let = doubled(A[t])
    lane: T.let[T.i32] = t
    for i in T.vectorized(2):
        for _ in T.parallel(2):
            own = shifted(own) + T.cast(i, "float32")
    other = T.tvm_warp_shuffle_xor(0xFFFFFFFF, own, 1, 32, 32)
    stored(B, t, T.tvm_warp_shuffle(0xFFFFFFFF, other, lane % 16, 16, 32))
    x: T.u32 = 3
    B[t] = B[t] + T.cast(x, "float32")


def test_names_that_other_names_stand_for() -> None:
    a, b = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    tw.compile(named)(a, b)
    own = 2 * a + 0.5 * 4 + 2
    other = own[np.arange(64) ^ 1]
    assert (b == other.reshape(4, 16)[:, np.arange(16)].reshape(-1) + 3).all()
    from_source(named.script())


def biased(bias: int | None) -> T.PrimFunc:
    def bias_of(t, more=None):
        if more is not None:
            return t + more
        return t

    @T.prim_func
    def kernel(B: T.Buffer((32,), "int32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        if bias is None:
            B[t] = bias_of(t)
        else:
            B[t] = bias_of(t, bias)

    return kernel


@pytest.mark.parametrize("bias", [None, 0, 3])
def test_what_is_none_is_known(bias: int | None) -> None:
    b = np.zeros(32, np.int32)
    tw.compile(biased(bias))(b)
    assert (b == np.arange(32) + (bias or 0)).all()
    source = "def k(N: T.int32):\n    T.cta_id([1])\n    T.thread_id([4])\n    if N is 3:\n        return\n"
    with pytest.raises(KernelError, match="asks for None only"):
        from_source(source)
