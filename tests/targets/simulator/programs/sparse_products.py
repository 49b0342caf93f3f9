"""Products of warps with a sparse A: tiles of two warps, whose metadata lanes hold."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty
from sparse_numbers import Sparse, drawn

from tilewright.atoms import catalog
from tilewright.errors import BarrierError, SimulationError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

AMPERE = ("sm_80",)
HALF, DEEP = "SM80_SPARSE_16x8x16_F32F16F16F32_TN", "SM80_SPARSE_16x8x32_F32F16F16F32_TN"
ATOMS = {HALF: 4, DEEP: 2, "SM80_SPARSE_16x8x16_F32TF32TF32F32_TN": 2, "SM80_SPARSE_16x8x64_S32S8S8S32_TN": 1}


def tiles(fault: str, atom: str = DEEP, selector: int = 0) -> PrimFunc:
    """32 rows times 8 columns: of a row lanes hold runs of 32 bits, 16 bytes apart, and its metadata by PTX's figures."""
    found = catalog.mma(atom)
    kind, result = ("float32" if x.name == "tfloat32" else x.name for x in (found.dtypes[1], found.dtypes[0]))
    depth, run = found.shape_mnk[2], 32 // found.dtypes[1].bits
    va, vb = depth // 4, depth // 4

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, U: T.handle, D: T.handle) -> None:
        a = T.match_buffer(A, (32, depth // 2), kind)
        b = T.match_buffer(B, (8, depth), kind)
        u = T.match_buffer(U, (64,), "uint32")
        out = T.match_buffer(D, (32, 8), result)
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        x = T.alloc_local((va,), kind)
        y = T.alloc_local((vb,), kind)
        w = T.alloc_local((1,), "uint32")
        d = T.alloc_local((4,), result)
        for i in T.serial(va):
            row, column = T.meta_var(t // 32 * 16 + t % 32 // 4 + i // run % 2 * 8), T.meta_var(t % 4 * run + i % run + i // (2 * run) * (4 * run))
            if fault != "A not there" or i < 2 * run:
                x[i] = a[row, column]
        for i in T.serial(vb):
            y[i] = b[t % 32 // 4, t % 4 * run + i % run + i // run * (4 * run)]
        for i in T.serial(4):
            d[i] = out[t // 32 * 16 + t % 32 // 4 + i // 2 * 8, t % 4 * 2 + i % 2]
        if fault != "no metadata":
            w[0] = u[t]
        if fault == "says no place":
            if t == 36:
                w[0] = u[t] | T.uint32(15)
        if fault == "half a warp":
            if t < 48:
                T.mma_atom(atom, d, x, y, d, metadata=w[0], selector=selector)  # here: half a warp
        else:
            T.mma_atom(atom, d, x, y, d, metadata=w[0], selector=selector)  # here: no metadata, says no place, A not there
        for i in T.serial(4):
            out[t // 32 * 16 + t % 32 // 4 + i // 2 * 8, t % 4 * 2 + i % 2] = d[i]

    return kernel


def metadata(nibbles: Any, selector: int) -> Any:
    """Words of the lanes of two warps; lanes without a say have nonsense."""
    chunks, words = nibbles.shape[1], np.full(64, 0xFFFFFFFF, np.uint32)
    own: dict[int, int] = {}
    for row, chunk in np.ndindex(*nibbles.shape):
        lane = row // 16 * 32 + row % 8 * 4
        if chunks == 16:
            lane, place = lane + row // 8 % 2 + 2 * (chunk // 8), chunk % 8
        else:
            lane, place = lane + chunks // 4 * selector + chunk // 4, chunk % 4 + row // 8 % 2 * 4
        own[lane] = own.get(lane, 0) | int(nibbles[row, chunk]) << (4 * place)
    for lane, word in own.items():
        words[lane] = word
    return words


def operands(atom: str = DEEP, selector: int = 0) -> tuple[list[Any], Any]:
    """What the kernel is given, and what D is to be."""
    rng, found = np.random.default_rng(3), catalog.mma(atom)
    d, a, b, _ = found.dtypes
    sparse, right, start = Sparse.of(rng, a, 32, found.shape_mnk[2]), drawn(rng, b, (8, found.shape_mnk[2])), drawn(rng, d, (32, 8))
    given = [sparse.stored.astype(a.numpy()), right.astype(b.numpy()), metadata(sparse.nibbles, selector), start.astype(d.numpy())]
    return given, (sparse.whole @ right.T + start).astype(d.numpy())


def given(atom: str = DEEP, selector: int = 0) -> list[Any]:
    return operands(atom, selector)[0]


def check(found: list[Any], atom: str = DEEP, selector: int = 0) -> None:
    assert (found[3] == operands(atom, selector)[1]).all()


def _faults(*found: tuple[str, type[Exception], str]) -> list[Faulty]:
    return [Faulty(tiles, name, error, given, match, AMPERE) for name, error, match in found]


FAULTY = [
    *_faults(
        ("no metadata", UninitializedError, "unwritten element 0 of its w"),
        ("A not there", UninitializedError, "unwritten element 4 of its x"),
        ("says no place", SimulationError, r"\(32,0,0\) and its warp give the metadata 0b1111 for elements 0 to 3 of row 1 of A"),
        ("half a warp", BarrierError, "does not reach an instruction of its warp"),
    )
]
CLEAN = [
    Clean(f"sparse tiles of two warps, {atom}, selector {selector}", partial(tiles, "", atom, selector), partial(given, atom, selector), partial(check, atom=atom, selector=selector), AMPERE)
    for atom, selectors in ATOMS.items()
    for selector in range(selectors)
]
