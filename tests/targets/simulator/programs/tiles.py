"""Tiles through shared memory: transposes with vectors and padded rows, stencils with halos in views, register windows."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import BarrierError, MisalignedError, OutOfBoundsError, RaceError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

SIDE, ROWS = 32, 3


def transpose(fault: str, pad: int = 4) -> PrimFunc:
    """A tile of 32 x 32 goes to shared memory in vectors of 16 bytes, and comes back by columns."""
    width = SIDE + {"rows of 33": 1, "rows of 34": 2}.get(fault, pad)
    skew = {"starts at the second": 1, "starts at the third": 2}.get(fault, 0)
    inner = {"stored one on": 1}.get(fault, 0)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (64, 68), "float32")
        b = T.match_buffer(B, (68, 64), "float32")
        T.device_entry()
        bx = T.cta_id([4])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        s = pool.alloc((SIDE, width), "float32")
        pool.commit()
        r = T.alloc_local((4,), "float32")
        x, y = bx % 2 * SIDE, bx // 2 * SIDE
        for k in T.serial(2):
            if fault == "pairs between":
                T.ptx.ld.global_.v2.f32(r[0], r[1], a.ptr_to([y + k * 16 + t // 8, x + t % 8 * 4 + 1]))  # here: pairs between
            T.ptx.ld.global_.v4.f32(r[0], r[1], r[2], r[3], a.ptr_to([y + k * 16 + t // 8, x + t % 8 * 4 + skew]))  # here: starts at the second, starts at the third
            if fault == "stored by scalars":
                for i in T.serial(4):
                    s[k * 16 + t // 8, t % 8 * 4 + i] = r[i]
            else:
                T.ptx.st.shared.v4.f32(s.ptr_to([k * 16 + t // 8, t % 8 * 4 + inner]), r[0], r[1], r[2], r[3])  # here: rows of 33, rows of 34, stored one on
        if fault == "warps meet":
            T.cuda.warp_sync()
        elif fault == "one of the rows meets":
            if t // 8 < 15:
                T.cuda.cta_sync()  # here: one of the rows meets
        elif fault != "does not meet":
            T.cuda.cta_sync()
        for k in T.serial(2):
            for i in T.serial(4 if fault != "a fifth column" else 5):
                r[i] = s[t % 8 * 4 + i, k * 16 + t // 8]  # here: warps meet, does not meet, a fifth column
            if fault == "stored by columns":
                T.ptx.st.global_.v4.f32(b.ptr_to([x + k * 16 + t // 8, y + t % 8 * 4 + 2]), r[0], r[1], r[2], r[3])  # here: stored by columns
            T.ptx.st.global_.v4.f32(b.ptr_to([(x if fault != "all blocks to one place" else 0) + k * 16 + t // 8, y + t % 8 * 4]), r[0], r[1], r[2], r[3])  # here: all blocks to one place

    return kernel


def square() -> list[Any]:
    return [np.arange(64 * 68).reshape(64, 68).astype(np.float32), np.zeros((68, 64), np.float32)]


def check_square(given: list[Any]) -> None:
    assert (given[1][:64] == given[0][:, :64].T).all()


def stencil(fault: str) -> PrimFunc:
    """Three neighbours of each of 128: the middle and the two halos of a row are views of one array."""
    ends = {"a halo of three": 3}.get(fault, 4)
    late = {"the middle begins late": 8}.get(fault, 4)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (ROWS, 136), "int32")
        b = T.match_buffer(B, (ROWS, 128), "int32")
        T.device_entry()
        bx = T.cta_id([ROWS])
        t = T.thread_id([128])
        s = T.alloc_shared((136,), "int32")
        left = T.decl_buffer((ends,), "int32", data=s.data, elem_offset=0)
        middle = T.decl_buffer((128,), "int32", data=s.data, elem_offset=late)
        right = T.decl_buffer((4,), "int32", data=s.data, elem_offset=132)
        grid = T.decl_buffer((16, 8), "int32", data=s.data, elem_offset=4)
        if fault == "the middle takes the halo":
            middle[t + 4] = a[bx, t + 4]  # here: the middle takes the halo
        else:
            middle[t] = a[bx, t + 4]  # here: the middle begins late
        if t < 4:
            if fault != "no left halo":
                left[t] = a[bx, t]  # here: a halo of three
            if fault == "the right halo at its place in the row":
                right[t + 132] = a[bx, t + 132]  # here: the right halo at its place in the row
            elif fault == "counted from the left":
                right[t - 1] = a[bx, t + 132]  # here: counted from the left
            else:
                right[t] = a[bx, t + 132]
        if fault != "does not meet":
            T.cuda.cta_sync()
        window = T.alloc_local((3,), "int32")
        for i in T.serial(3 if fault != "two neighbours" else 2):
            window[i] = s[t + 3 + i]  # here: no left halo, does not meet
        if fault == "four neighbours":
            window[bx + 1] = s[t + 6]  # here: four neighbours
        if fault == "the neighbour before":
            window[t % 4 - 1] = s[t + 6]  # here: the neighbour before
        if fault == "by rows of eight":
            b[bx, t] = grid[t // 8, t % 8 + 1]  # here: by rows of eight
        if fault == "by rows below":
            b[bx, t] = grid[t // 8 + 1, t % 8]  # here: by rows below
        if fault == "beyond the left view":
            b[bx, t] = left[t % 8]  # here: beyond the left view
        b[bx, t] = window[0] - 2 * window[1] + window[2]  # here: two neighbours

    return kernel


def line() -> list[Any]:
    a = (np.arange(ROWS * 136).reshape(ROWS, 136) ** 2 % 97).astype(np.int32)
    return [a, np.zeros((ROWS, 128), np.int32)]


def check_line(given: list[Any]) -> None:
    a = given[0]
    assert (given[1] == a[:, 3:131] - 2 * a[:, 4:132] + a[:, 5:133]).all()


def products(fault: str) -> PrimFunc:
    """C = A B of 32 x 32 by tiles of 8: each thread holds a row of four of C in registers."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle, C: T.handle) -> None:
        a = T.match_buffer(A, (32, 32), "float32")
        b = T.match_buffer(B, (32, 32), "float32")
        c = T.match_buffer(C, (32, 32), "float32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([128])
        x = T.alloc_shared((16, 8), "float32")
        y = T.alloc_shared((8, 32), "float32")
        d = T.alloc_local((4,), "float32")
        row, column = t // 8, t % 8 * 4
        for i in T.serial(4 if fault != "an accumulator is left out" else 3):
            d[i] = 0.0
        for k in T.serial(4 if fault != "a step too many" else 5):
            x[t // 8, t % 8] = a[bx * 16 + t // 8, k * 8 + t % 8]  # here: a step too many, no barrier behind
            for i in T.serial(2):
                y[t // 32 * 2 + i, t % 32] = b[k * 8 + t // 32 * 2 + i, t % 32]
            if fault == "a barrier in the last step":
                if k == 3:
                    T.cuda.cta_sync()
            elif fault == "some lanes meet":
                if t < 96 + k * 8:
                    T.cuda.cta_sync()  # here: some lanes meet
            elif fault != "no barrier before":
                T.cuda.cta_sync()
            for j in T.serial(8):
                for i in T.serial(4):
                    d[i if fault != "registers by columns" else column // 4 - 4 + i] = d[i] + x[row, j] * y[j, column + i]  # here: no barrier before, a barrier in the last step, registers by columns, an accumulator is left out
            if fault != "no barrier behind":
                T.cuda.cta_sync()
        for i in T.serial(4):
            if fault == "overlapping rows":
                c[bx * 16 + row, column // 2 + i] = d[i]  # here: overlapping rows
            elif fault == "blocks overlap":
                c[bx * 15 + row, column + i] = d[i]  # here: blocks overlap
            else:
                c[bx * 16 + row, column + i] = d[i + (1 if fault == "one accumulator on" else 0)]  # here: one accumulator on

    return kernel


def factors() -> list[Any]:
    a = (np.arange(1024).reshape(32, 32) % 5 - 2).astype(np.float32)
    return [a, (np.arange(1024).reshape(32, 32) % 7 - 3).astype(np.float32), np.zeros_like(a)]


def check_factors(given: list[Any]) -> None:
    assert (given[2] == given[0] @ given[1]).all()


FAULTY = [
    *(
        Faulty(transpose, name, MisalignedError, square, "no multiple of")
        for name in (
            "rows of 33",
            "rows of 34",
            "starts at the second",
            "starts at the third",
            "stored one on",
            "stored by columns",
            "pairs between",
        )
    ),
    Faulty(transpose, "a fifth column", OutOfBoundsError, square, "dimension 0 of (r|s)"),
    Faulty(transpose, "warps meet", RaceError, square, "no barrier"),
    Faulty(transpose, "does not meet", RaceError, square, "no barrier"),
    Faulty(transpose, "one of the rows meets", BarrierError, square, "of its cta"),
    Faulty(transpose, "all blocks to one place", RaceError, square, "writes with no barrier"),
    *(
        Faulty(stencil, name, OutOfBoundsError, line, f"dimension [01] of {view}")
        for name, view in (
            ("a halo of three", "left"),
            ("the middle takes the halo", "middle"),
            ("the right halo at its place in the row", "right"),
            ("counted from the left", "right"),
            ("by rows of eight", "grid"),
            ("by rows below", "grid"),
            ("beyond the left view", "left"),
            ("four neighbours", "window"),
            ("the neighbour before", "window"),
        )
    ),
    Faulty(stencil, "no left halo", UninitializedError, line, "element 3 of s"),
    Faulty(stencil, "two neighbours", UninitializedError, line, "element 2 of its window"),
    Faulty(stencil, "does not meet", RaceError, line, "no barrier|nothing has written"),
    Faulty(products, "an accumulator is left out", UninitializedError, factors, "element 3 of its d"),
    Faulty(products, "a step too many", OutOfBoundsError, factors, "dimension 1 of a"),
    Faulty(products, "no barrier behind", RaceError, factors, "no barrier"),
    Faulty(products, "no barrier before", RaceError, factors, "no barrier"),
    Faulty(products, "some lanes meet", BarrierError, factors, "of its cta"),
    Faulty(products, "registers by columns", OutOfBoundsError, factors, "of d"),
    Faulty(products, "one accumulator on", OutOfBoundsError, factors, "coordinate 4"),
    Faulty(products, "overlapping rows", RaceError, factors, "writes with no barrier"),
    Faulty(products, "blocks overlap", RaceError, factors, "writes with no barrier"),
]
CLEAN = [
    Clean("a transpose in vectors", partial(transpose, ""), square, check_square),
    Clean("a transpose, rows of 32", partial(transpose, "", 0), square, check_square),
    Clean("a transpose, rows of 40", partial(transpose, "", 8), square, check_square),
    Clean("a transpose, stored by scalars", partial(transpose, "stored by scalars", 1), square, check_square),
    Clean("neighbours with halos in views", partial(stencil, ""), line, check_line),
    Clean("products of tiles on registers", partial(products, ""), factors, check_factors),
]
