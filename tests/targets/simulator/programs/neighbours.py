"""Blocks of a cluster that reach each other's shared memory: halos from neighbours, sums in the first block."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import BarrierError, OutOfBoundsError, RaceError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

HOPPER = ("sm_90",)
WIDE = 64


def halos(fault: str, size: int = 2) -> PrimFunc:
    """Each block smooths its part of a row, whose next number is the next block's."""
    step = {"beyond the last block": 1, "before the first block": -1}.get(fault, 0)
    meet = fault not in ("one of the blocks meets", "ends at once")

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (8, WIDE), "int32")
        b = T.match_buffer(B, (8, WIDE), "int32")
        T.device_entry()
        bx = T.cta_id([8])
        rank = T.cta_id_in_cluster([size])
        t = T.thread_id([WIDE])
        s = T.alloc_shared((WIDE,), "int32")
        if fault != "the first is left out":
            s[t] = a[bx, t]
        else:
            if t > 0:
                s[t] = a[bx, t]
        if fault == "blocks meet by themselves":
            T.cuda.cta_sync()
        elif fault == "one of the blocks meets":
            if rank == 0:
                T.cuda.cluster_sync()  # here: one of the blocks meets
        elif fault != "nobody meets":
            T.cuda.cluster_sync()
        following = T.ptx.mapa(s, rank + step if step else (rank + 1) % size)
        x: T.int32 = 0
        if t < WIDE - 1:
            if fault == "one of the blocks meets":
                x = a[bx, t + 1]
            else:
                x = s[t + 1]  # here: nobody meets
        elif fault != "one of the blocks meets":
            if fault == "by the place in the row":
                x = following[t + 1]  # here: by the place in the row
            else:
                x = following[0]  # here: blocks meet by themselves, beyond the last block, before the first block, ends at once, the first is left out
        if fault == "cleared too early":
            s[t] = 0  # here: cleared too early
        if fault == "both write the halo":
            following[0] = x + rank  # here: both write the halo
        b[bx, t] = a[bx, t] + x
        if meet:
            T.cuda.cluster_sync()

    return kernel


def row() -> list[Any]:
    a = (np.arange(8 * WIDE).reshape(8, WIDE) ** 2 % 61).astype(np.int32)
    return [a, np.zeros_like(a)]


def check_halos(size: int, given: list[Any]) -> None:
    rows = given[0].reshape(8 // size, -1)
    assert (given[1].reshape(8 // size, -1) == rows + np.roll(rows, -1, axis=1)).all()


def gathered(fault: str, size: int = 4) -> PrimFunc:
    """Each block adds up its row; the first of the cluster adds what the others hold."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (8, WIDE), "int32")
        b = T.match_buffer(B, (8 // size,), "int32")
        T.device_entry()
        bx = T.cta_id([8])
        rank = T.cta_id_in_cluster([size])
        t = T.thread_id([WIDE])
        s = T.alloc_shared((1,), "int32")
        if t == 0:
            if fault != "one starts nowhere" or rank != 1:
                s[0] = 0
        T.cuda.cta_sync()
        T.cuda.atomic_add(s.ptr_to([0]), a[bx, t])  # here: one starts nowhere
        if fault != "no meeting before the sum":
            T.cuda.cluster_sync()
        else:
            T.cuda.cta_sync()
        if t == 0:
            if rank == 0 or fault == "all blocks add":
                total: T.int32 = s[0]
                for k in T.serial(1, size if fault != "one block more" else size + 1):
                    part = T.ptx.mapa(s, k)
                    total = total + part[0]  # here: no meeting before the sum, one block more
                b[bx // size] = total + (rank if fault == "all blocks add" else 0)  # here: all blocks add
        if fault == "cleared by its owner":
            if t == 1:
                s[0] = 0  # here: cleared by its owner
        if fault == "the rest does not meet":
            if t < 32:
                T.cuda.cluster_sync()  # here: the rest does not meet
        else:
            T.cuda.cluster_sync()

    return kernel


def sums(size: int) -> list[Any]:
    return [(np.arange(8 * WIDE).reshape(8, WIDE) % 19).astype(np.int32), np.zeros(8 // size, np.int32)]


def check_sums(size: int, given: list[Any]) -> None:
    assert (given[1] == given[0].reshape(8 // size, -1).sum(axis=1)).all()


FAULTY = [
    Faulty(halos, "nobody meets", RaceError, row, "no barrier", HOPPER),
    Faulty(halos, "blocks meet by themselves", RaceError, row, r"block \(1,0,0\).*block \(0,0,0\)|no barrier", HOPPER),
    Faulty(halos, "one of the blocks meets", BarrierError, row, "for its cluster", HOPPER),
    Faulty(halos, "beyond the last block", OutOfBoundsError, row, "of a cluster that has 2", HOPPER),
    Faulty(halos, "before the first block", OutOfBoundsError, row, "block -1 of a cluster that has 2", HOPPER),
    Faulty(halos, "ends at once", RaceError, row, "may end before", HOPPER),
    Faulty(halos, "by the place in the row", OutOfBoundsError, row, "64", HOPPER),
    Faulty(halos, "the first is left out", UninitializedError, row, "nothing has written", HOPPER),
    Faulty(halos, "cleared too early", RaceError, row, "no barrier", HOPPER),
    Faulty(halos, "both write the halo", RaceError, row, "no barrier", HOPPER),
    Faulty(gathered, "one starts nowhere", UninitializedError, partial(sums, 4), "element 0 of s", HOPPER),
    Faulty(gathered, "no meeting before the sum", RaceError, partial(sums, 4), "no barrier|nothing", HOPPER),
    Faulty(gathered, "one block more", OutOfBoundsError, partial(sums, 4), "of a cluster that has 4", HOPPER),
    Faulty(gathered, "all blocks add", RaceError, partial(sums, 4), "writes with no barrier", HOPPER),
    Faulty(gathered, "cleared by its owner", RaceError, partial(sums, 4), "no barrier", HOPPER),
    Faulty(gathered, "the rest does not meet", BarrierError, partial(sums, 4), "", HOPPER),
]
CLEAN = [
    *(
        Clean(f"halos of clusters of {size}", partial(halos, "", size), row, partial(check_halos, size), HOPPER)
        for size in (1, 2, 4, 8)
    ),
    *(
        Clean(
            f"sums of clusters of {size}", partial(gathered, "", size), partial(sums, size), partial(check_sums, size), HOPPER
        )
        for size in (2, 4, 8)
    ),
]
