"""Warpgroup products of a sparse A, whose metadata lanes hold."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty, Make

from tilewright.dtypes import dtype
from tilewright.errors import RaceError, SimulationError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

HOPPER = ("sm_90a",)
ATOMS = {
    "float16": "SM90_SPARSE_64x8x32_F32F16F16_SS",
    "bfloat16": "SM90_SPARSE_64x8x32_F32BF16BF16_SS",
    "float32": "SM90_SPARSE_64x8x16_F32TF32TF32_SS_TN",
    "int8": "SM90_SPARSE_64x8x64_S32S8S8_SS_TN",
    "float8_e4m3fn": "SM90_SPARSE_64x8x64_F32E4M3E4M3_SS_TN",
}


def sparse(fault: str, kind: str = "float16", selector: int = 0) -> PrimFunc:
    """64 rows of 32 bytes, of which as many elements are left out, times 8 columns of 64 bytes."""
    atom, half = ATOMS[kind], 32 * 8 // dtype(kind).bits
    result = "int32" if kind == "int8" else "float32"

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, U: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (64, half), kind)
        b = T.match_buffer(B, (8, 2 * half), kind)
        u = T.match_buffer(U, (128,), "uint32")
        out = T.match_buffer(D, (64, 8), result)
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        x = pool.alloc_mma((64, half), kind, swizzle_mode=1)
        y = pool.alloc_mma((8, 2 * half), kind, swizzle_mode=2)
        d = T.alloc_local((4,), result)
        w = T.alloc_local((1,), "uint32")
        for i in T.serial(half // 2):
            x[t // 2, t % 2 * (half // 2) + i] = a[t // 2, t % 2 * (half // 2) + i]
        for i in T.serial(half):
            if t < 16:
                y[t // 2, t % 2 * half + i] = b[t // 2, t % 2 * half + i]
        if fault != "no metadata":
            w[0] = u[t]
        if fault == "says nothing":
            if t == 41:
                w[0] = u[t] & T.uint32(0xFFFF0FFF)
        if fault != "no proxy fence":
            T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        T.ptx.wgmma.fence()
        T.wgmma_atom(atom, d, x, y, False, metadata=w[0], selector=selector)  # here: no metadata, says nothing, no proxy fence
        if fault == "overwritten meanwhile":
            x[3, t % half] = a[3, t % half]  # here: overwritten meanwhile
        T.ptx.wgmma.commit_group()
        T.ptx.wgmma.wait_group(0)
        for i in T.serial(4):
            out[t // 32 * 16 + t % 32 // 4 + i // 2 * 8, t % 4 * 2 + i % 2] = d[i]

    return kernel


def held(fault: str, kind: str = "float16", selector: int = 0) -> PrimFunc:
    """The same of an A that lanes hold: two rows, 8 apart, of each of which runs of 32 bits, 16 bytes apart."""
    atom, half = ATOMS[kind].replace("_SS", "_RS"), 32 * 8 // dtype(kind).bits
    result, run = "int32" if kind == "int8" else "float32", half // 8

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, U: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (64, half), kind)
        b = T.match_buffer(B, (8, 2 * half), kind)
        u = T.match_buffer(U, (128,), "uint32")
        out = T.match_buffer(D, (64, 8), result)
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        y = pool.alloc_mma((8, 2 * half), kind, swizzle_mode=2)
        x = T.alloc_local((4 * run,), kind)
        d = T.alloc_local((4,), result)
        for i in T.serial(4 * run):
            if fault != "A not there" or i < run:
                row, column = T.meta_var(t // 32 * 16 + t % 32 // 4 + i // run % 2 * 8), T.meta_var(t % 4 * run + i % run + i // (2 * run) * (4 * run))
                x[i] = a[row, column]
        for i in T.serial(half):
            if t < 16:
                y[t // 2, t % 2 * half + i] = b[t // 2, t % 2 * half + i]
        T.ptx.fence.proxy.async_.shared__cta()
        T.cuda.cta_sync()
        if fault != "no fence":
            T.ptx.wgmma.fence()
        word = u[t] & T.uint32(0xFFFF0FFF) if fault == "held says nothing" else u[t]
        T.wgmma_atom(atom, d, x, y, False, metadata=word, selector=selector)  # here: A not there, no fence, held says nothing
        if fault == "A changed meanwhile":
            x[0] = a[0, 0]  # here: A changed meanwhile
        T.ptx.wgmma.commit_group()
        T.ptx.wgmma.wait_group(0)
        for i in T.serial(4):
            out[t // 32 * 16 + t % 32 // 4 + i // 2 * 8, t % 4 * 2 + i % 2] = d[i]

    return kernel


# What four bits may say: the places of what is stored of two, and of four.
ONE, TWO = {0b0100: (0,), 0b1110: (1,)}, {n: (n & 3, n >> 2) for n in (4, 8, 12, 9, 13, 6, 14)}


def operands(kind: str = "float16", selector: int = 0, seed: int = 1) -> list[Any]:
    """Numbers, and metadata where lanes have it; others have what says nothing."""
    rng, element = np.random.default_rng(seed), dtype(kind).numpy()
    half, known = 32 // element.itemsize, ONE if kind == "float32" else TWO
    a, b = (rng.integers(-3, 4, shape).astype(np.float32).astype(element) for shape in ((64, half), (8, 2 * half)))
    chunks = half // (1 if kind == "float32" else 2)
    nibbles = rng.choice([*known], (64, chunks))
    words = np.zeros(128, np.uint32)
    for row, chunk in np.ndindex(64, chunks):
        lane = row // 16 * 32 + row % 8 * 4
        if chunks == 16:
            lane, place = lane + row // 8 % 2 + 2 * (chunk // 8), chunk % 8
        else:
            lane, place = lane + 2 * selector + chunk // 4, chunk % 4 + row // 8 % 2 * 4
        words[lane] |= np.uint32(int(nibbles[row, chunk]) << (4 * place))
    return [a, b, words, np.zeros((64, 8), np.int32 if kind == "int8" else np.float32), nibbles]


def given(kind: str = "float16", selector: int = 0) -> list[Any]:
    return operands(kind, selector)[:4]


def check(found: list[Any], kind: str = "float16", selector: int = 0) -> None:
    a, b, _, _, nibbles = operands(kind, selector)
    known, wide = (ONE, 2) if kind == "float32" else (TWO, 4)
    full = np.zeros((64, b.shape[1]))
    for row, chunk in np.ndindex(*nibbles.shape):
        places = known[int(nibbles[row, chunk])]
        for i, place in enumerate(places):
            full[row, wide * chunk + place] = a[row, len(places) * chunk + i]
    assert (found[3] == full @ b.astype(np.float64).T).all()


def _faults(make: Make, *found: tuple[str, type[Exception], str]) -> list[Faulty]:
    return [Faulty(make, name, error, given, match, HOPPER) for name, error, match in found]


FAULTY = [
    *_faults(
        sparse,
        ("no metadata", UninitializedError, "unwritten element 0 of its w"),
        ("says nothing", SimulationError, "the metadata 0b0000 for elements 28 to 31 of row 18 of A, which says no places"),
        ("no proxy fence", RaceError, "no fence.proxy.async"),
        ("overwritten meanwhile", RaceError, "a product on its way reads"),
    ),
    *_faults(
        held,
        ("A not there", UninitializedError, "unwritten element 2 of its x"),
        ("no fence", RaceError, "no wgmma.fence"),
        ("held says nothing", SimulationError, "of row 0 of A, which says no places"),
        ("A changed meanwhile", RaceError, "wgmma"),
    ),
]
CLEAN = [
    Clean(
        f"a sparse product of a warpgroup, {kind}, selector {selector}{', A in registers' * (make is held)}",
        partial(make, "", kind, selector),
        partial(given, kind, selector),
        partial(check, kind=kind, selector=selector),
        HOPPER,
    )
    for make in (sparse, held)
    for kind in ATOMS
    for selector in ((0,) if "8" in kind else (0, 1))
]
