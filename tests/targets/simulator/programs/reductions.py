"""Reductions: trees in shared memory, warps that add up their rows, softmax of rows, sums over blocks."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import BarrierError, OutOfBoundsError, RaceError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

BLOCKS, WIDE = 3, 128


def tree(fault: str) -> PrimFunc:
    """Each block adds up a row of 256 by a tree over its threads."""
    start = {"one level too many": WIDE, "half a tree": WIDE // 4}.get(fault, WIDE // 2)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (BLOCKS, 2 * WIDE), "float32")
        b = T.match_buffer(B, (BLOCKS,), "float32")
        T.device_entry()
        bx = T.cta_id([BLOCKS])
        t = T.thread_id([WIDE])
        s = T.alloc_shared((WIDE,), "float32")
        mine = T.alloc_local((2,), "float32")
        for i in T.serial(2 if fault != "a register is left out" else 1):
            mine[i] = a[bx + (1 if fault == "the next row" else 0), i * WIDE + t]  # here: the next row
        if fault == "not all lanes store":
            if t > 0:
                s[t] = mine[0] + mine[1]
        else:
            s[t] = mine[0] + mine[1]  # here: a register is left out
        w: T.int32 = start
        while w > 0:
            if fault == "meets while it is wide":
                if w >= T.warp_size():
                    T.cuda.cta_sync()
            elif fault == "warps meet":
                T.cuda.warp_sync()
            elif fault != "meets inside":
                T.cuda.cta_sync()
            if fault == "all lanes add":
                s[t] = s[t] + s[t + w]  # here: all lanes add
            else:
                if t < w:
                    if fault == "meets inside":
                        T.cuda.cta_sync()  # here: meets inside
                    s[t] = s[t] + s[t + w]  # here: one level too many, not all lanes store, meets while it is wide, warps meet
            w = w // 2
        if fault != "no barrier before the result":
            T.cuda.cta_sync()
        if fault == "each block to one element":
            if t == 0:
                b[0] = s[0]  # here: each block to one element
        elif fault == "each thread its own":
            b[bx] = s[t]  # here: each thread its own
        elif fault == "the last thread":
            if t == WIDE - 1:
                b[bx] = s[t + 1]  # here: the last thread
        elif fault == "the second thread":
            if t == WIDE - 1:
                b[bx] = s[0]
        elif fault == "no barrier before the result":
            if t == WIDE - 1:
                b[bx] = s[0]  # here: no barrier before the result
        else:
            if t == 0:
                b[bx] = s[0]

    return kernel


def rows() -> list[Any]:
    a = np.arange(BLOCKS * 2 * WIDE).reshape(BLOCKS, -1) % 31
    return [a.astype(np.float32), np.zeros(BLOCKS, np.float32)]


def check_rows(given: list[Any]) -> None:
    assert (given[1] == given[0].sum(axis=1)).all()


def by_warps(fault: str) -> PrimFunc:
    """Warps add up by shuffles, their sums lie in shared memory, and the first warp adds these."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (BLOCKS, WIDE), "int32")
        b = T.match_buffer(B, (BLOCKS,), "int32")
        T.device_entry()
        bx = T.cta_id([BLOCKS])
        t = T.thread_id([WIDE])
        lanes = T.warp_size()
        part = T.alloc_shared((4,), "int32")
        x: T.int32 = a[bx, t]
        if fault == "half of each warp":
            if t % lanes < lanes // 2:
                x = x + T.cuda.__shfl_down_sync(0xFFFFFFFF, x, 1)  # here: half of each warp
        if fault == "lanes with a number":
            if x % 2 == 0:
                x = T.cuda.warp_max(x)  # here: lanes with a number
        x = T.cuda.warp_sum(x, 32)
        if fault == "each lane stores":
            part[t // lanes] = a[bx, t]  # here: each lane stores
        elif fault == "to the lane's place":
            part[t % lanes // 8] = x + t // 8  # here: to the lane's place
        elif fault == "beyond the parts":
            if t % lanes == 0:
                part[t // lanes + 3] = x  # here: beyond the parts
        else:
            if t % 32 == 0:
                part[t // 32] = x
        if fault == "the first warp alone meets":
            if t < lanes:
                T.cuda.cta_sync()  # here: the first warp alone meets
        elif fault != "does not meet":
            T.cuda.cta_sync()
        if t < 4:
            total = part[0] + part[1] + part[2] + part[3]  # here: does not meet
            if fault == "four threads store":
                b[bx] = total + t  # here: four threads store
            else:
                if t == 3:
                    b[bx] = total

    return kernel


def numbers() -> list[Any]:
    return [(np.arange(BLOCKS * WIDE).reshape(BLOCKS, WIDE) % 17).astype(np.int32), np.zeros(BLOCKS, np.int32)]


def check_numbers(given: list[Any]) -> None:
    assert (given[1] == given[0].sum(axis=1)).all()


def softmax(fault: str) -> PrimFunc:
    """A warp takes a row of 96: its largest, the sum of the distances to it, and each over the sum."""
    width = {"a column more": 4}.get(fault, 3)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (8, 96), "float32")
        b = T.match_buffer(B, (8, 96), "float32")
        T.device_entry()
        bx = T.cta_id([4])
        t = T.thread_id([64])
        s = T.alloc_shared((2, 32), "float32")
        x = T.alloc_local((3,), "float32")
        row = bx * 2 + t // 32
        for i in T.serial(width):
            x[i] = a[row, i * 32 + t % 32]  # here: a column more
        largest: T.float32 = T.cuda.warp_max(x[0] + x[t // 32 + 2 if fault == "a fourth register" else 2])  # here: a fourth register
        total = T.alloc_local((1,), "float32")
        if fault != "the sum starts nowhere":
            total[0] = 0.0
        for i in T.serial(3):
            total[0] = total[0] + (largest - x[i])  # here: the sum starts nowhere
        s[t // 32, t % 32] = total[0]
        if fault != "lanes do not meet":
            T.cuda.warp_sync()
        every: T.float32 = 0.0
        for k in T.serial(32):
            every = every + s[t // 32 if fault != "the other warp" else 1 - t // 32, k]  # here: lanes do not meet, the other warp
        for i in T.serial(3):
            if fault == "the row of another block":
                b[(row + 1) % 8 // 2, i * 32 + t % 32] = x[i] / every  # here: the row of another block
            else:
                b[row, i * 32 + t % 32] = x[i] / every

    return kernel


def matrix() -> list[Any]:
    a = (np.arange(8 * 96).reshape(8, 96) % 13 + 1).astype(np.float32)
    return [a, np.zeros_like(a)]


def check_softmax(given: list[Any]) -> None:
    a = given[0]
    thirds = a.reshape(8, 3, 32)
    largest = (thirds[:, 0] + thirds[:, 2]).max(axis=1)[:, None, None]
    assert (given[1] == a / (largest - thirds).sum(axis=(1, 2), dtype=np.float32)[:, None]).all()


FAULTY = [
    Faulty(tree, "the next row", OutOfBoundsError, rows, "coordinate 3 in dimension 0 of a"),
    Faulty(tree, "a register is left out", UninitializedError, rows, "element 1 of its mine"),
    Faulty(tree, "not all lanes store", UninitializedError, rows, "element 0 of s"),
    Faulty(tree, "one level too many", OutOfBoundsError, rows, "of s, which has extent 128"),
    Faulty(tree, "all lanes add", OutOfBoundsError, rows, "of s, which has extent 128"),
    Faulty(tree, "meets inside", BarrierError, rows, "barrier of its cta"),
    Faulty(tree, "meets while it is wide", RaceError, rows, "no barrier"),
    Faulty(tree, "warps meet", RaceError, rows, "no barrier"),
    Faulty(tree, "no barrier before the result", RaceError, rows, "no barrier"),
    Faulty(tree, "each block to one element", RaceError, rows, "writes with no barrier"),
    Faulty(tree, "each thread its own", RaceError, rows, "writes with no barrier"),
    Faulty(tree, "the last thread", OutOfBoundsError, rows, "coordinate 128"),
    Faulty(by_warps, "half of each warp", BarrierError, numbers, "of its warp"),
    Faulty(by_warps, "lanes with a number", BarrierError, numbers, "of its warp"),
    Faulty(by_warps, "each lane stores", RaceError, numbers, "writes with no barrier"),
    Faulty(by_warps, "to the lane's place", RaceError, numbers, "writes with no barrier", ("sm_90",)),
    Faulty(by_warps, "to the lane's place", OutOfBoundsError, numbers, "extent 4", ("gfx942",)),
    Faulty(by_warps, "beyond the parts", OutOfBoundsError, numbers, "extent 4"),
    Faulty(by_warps, "the first warp alone meets", BarrierError, numbers, "of its cta"),
    Faulty(by_warps, "does not meet", RaceError, numbers, "no barrier", ("sm_90",)),
    Faulty(by_warps, "four threads store", RaceError, numbers, "writes with no barrier"),
    Faulty(softmax, "a column more", OutOfBoundsError, matrix),
    Faulty(softmax, "a fourth register", OutOfBoundsError, matrix, "dimension 0 of x"),
    Faulty(softmax, "the sum starts nowhere", UninitializedError, matrix, "its total"),
    Faulty(softmax, "lanes do not meet", RaceError, matrix, "no barrier"),
    Faulty(softmax, "the other warp", RaceError, matrix, "no barrier", ("sm_90",)),
    Faulty(softmax, "the row of another block", RaceError, matrix, "no barrier"),
]
CLEAN = [
    Clean("a tree over 128", partial(tree, ""), rows, check_rows),
    Clean("a tree, the last thread tells", partial(tree, "the second thread"), rows, check_rows),
    Clean("warps, then the parts", partial(by_warps, ""), numbers, check_numbers),
    Clean("rows over their sums", partial(softmax, ""), matrix, check_softmax),
]
