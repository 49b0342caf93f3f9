"""cp.async: copies that are waited for by groups, in one step and in rings of stages."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import AlignmentError, OutOfBoundsError, RaceError, SimulationError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T


def turned(fault: str) -> PrimFunc:
    """Rows of 8 elements are copied to shared memory, 16 bytes a thread, and read back turned round."""
    wait, cta = fault not in ("no wait", "store over a copy", "no commit"), fault != "no barrier"
    pending = 1 if fault in ("wrong group", "others commit") else 0
    skew = {"misaligned target": 4, "target outside": 8}.get(fault, 0)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 1024), "float16")
        b = T.match_buffer(B, (2, 128, 8), "float16")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([128])
        s = T.alloc_shared((1024 + (skew == 4) * 4,), "float16")
        if fault == "read before":
            b[bx, t, 0] = s[8 * t]  # here: read before
        if fault == "two to one place":
            T.ptx.cp.async_.ca.shared.global_(s.ptr_to([t // 2 * 8]), a.ptr_to([bx, 8 * t]), 16)  # here: two to one place
        if fault == "misaligned source":
            T.ptx.cp.async_.ca.shared.global_(s.ptr_to([8 * t]), a.ptr_to([bx, t]), 16)  # here: misaligned source
        if fault == "source outside":
            T.ptx.cp.async_.ca.shared.global_(s.ptr_to([8 * t]), a.ptr_to([1, 8 * t + 8]), 16)  # here: source outside
        if fault == "too many bytes":
            T.ptx.cp.async_.ca.shared.global_(s.ptr_to([8 * t]), a.ptr_to([bx, 8 * t]), 16, 2 * t)  # here: too many bytes
        if fault == "half an element":
            T.ptx.cp.async_.ca.shared.global_(s.ptr_to([8 * t]), a.ptr_to([bx, 8 * t]), 16, t % 16)  # here: half an element
        if fault == "misaligned part":
            T.ptx.cp.async_.ca.shared.global_(s.ptr_to([8 * t]), a.ptr_to([bx, 4 * t]), 16, 8)  # here: misaligned part
        T.ptx.cp.async_.cg.shared.global_(s.ptr_to([8 * t + skew]), a.ptr_to([bx, 8 * t]), 16)  # here: misaligned target, target outside
        if fault == "copied again":
            T.ptx.cp.async_.cg.shared.global_(s.ptr_to([8 * t]), a.ptr_to([bx, 8 * t]), 16)  # here: copied again
        if fault == "store over a copy":
            s[8 * t] = T.float16(1.0)  # here: store over a copy
        if fault == "source overwritten":
            a[bx, 8 * t] = T.float16(1.0)  # here: source overwritten
        if fault != "no commit":
            T.ptx.cp.async_.commit_group()
        if fault == "others commit":
            if t < 64:
                T.ptx.cp.async_.commit_group()
        if wait:
            T.ptx.cp.async_.wait_group(pending)
        if fault == "no commit":
            T.ptx.cp.async_.wait_group(0)
        if fault == "others wait":
            T.ptx.cp.async_.commit_group()
            T.ptx.cp.async_.cg.shared.global_(s.ptr_to([8 * t]), a.ptr_to([bx, 8 * t]), 16)
            if t < 64:
                T.ptx.cp.async_.wait_all()
        if cta:
            T.cuda.cta_sync()
        for i in T.serial(8):
            b[bx, t, i] = s[1023 - 8 * t - i]  # here: no wait, no barrier, wrong group, no commit, others wait, others commit

    return kernel


def arguments() -> list[Any]:
    a = np.random.default_rng(0).normal(size=(2, 1024)).astype(np.float16)
    return [a, np.zeros((2, 128, 8), np.float16)]


def check_turned(given: list[Any]) -> None:
    assert (given[1].reshape(2, -1) == given[0][:, ::-1]).all()


def ring(fault: str, stages: int = 3, tiles: int = 6, width: int = 4) -> PrimFunc:
    """Sums of tiles that go through a ring of stages: `stages - 1` copies are always on their way."""
    late = {"one group too few": stages - 1, "no group": stages}.get(fault, stages - 2)
    bytes_ = 4 * width

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (tiles, 64 * width), "float32")
        b = T.match_buffer(B, (64 * width,), "float32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((stages, 64 * width), "float32")
        total = T.alloc_local((width,), "float32")
        for i in T.serial(width):
            total[i] = 0.0
        for k in T.unroll(stages - 1):
            T.ptx.cp.async_.ca.shared.global_(s.ptr_to([k, width * t]), a.ptr_to([k, width * t]), bytes_)
            T.ptx.cp.async_.commit_group()
        for k in T.serial(tiles):
            T.ptx.cp.async_.wait_group(late)
            if fault != "no barrier":
                T.cuda.cta_sync()
            for i in T.serial(width):
                total[i] = total[i] + s[k % stages, width * (63 - t) + i]  # here: one group too few, no group, no barrier
            if fault == "overwritten at once":
                T.ptx.cp.async_.ca.shared.global_(s.ptr_to([k % stages, width * t]), a.ptr_to([k, width * t]), bytes_)  # here: overwritten at once
            if k + stages - 1 < tiles:
                n = k + stages - 1
                T.ptx.cp.async_.ca.shared.global_(s.ptr_to([n % stages, width * t]), a.ptr_to([n, width * t]), bytes_)
            T.ptx.cp.async_.commit_group()
        for i in T.serial(width):
            b[width * t + i] = total[i]

    return kernel


def ring_arguments(tiles: int = 6, width: int = 4) -> list[Any]:
    a = np.random.default_rng(1).integers(-9, 9, (tiles, 64 * width)).astype(np.float32)
    return [a, np.zeros(64 * width, np.float32)]


def check_ring(given: list[Any]) -> None:
    a, b = given
    width = len(b) // 64
    assert (b.reshape(64, width)[::-1].reshape(-1) == a.sum(axis=0)).all()


def filled(fault: str) -> PrimFunc:
    """Rows shorter than a copy: zeros fill the rest, and of no bytes the source may lie beyond the end."""
    known = 28 if fault == "two beyond the end" else 26

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (26,), "int32")
        b = T.match_buffer(B, (32,), "int32")
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((32,), "int32")
        if t < 8:
            some = T.min(T.max(known - 4 * t, 0), 4) if fault != "beyond the end" else 4
            T.ptx.cp.async_.ca.shared.global_(s.ptr_to([4 * t]), a.ptr_to([4 * t]), 16, 4 * some)  # here: beyond the end, two beyond the end
            T.ptx.cp.async_.wait_all()
        if fault != "no barrier":
            T.cuda.cta_sync()
        if t < 32:
            b[t] = s[31 - t]  # here: no barrier

    return kernel


def check_filled(given: list[Any]) -> None:
    assert (given[1][::-1] == np.append(given[0], [0] * 6)).all()


def filled_arguments() -> list[Any]:
    return [np.arange(1, 27, dtype=np.int32), np.zeros(32, np.int32)]


FAULTY = [
    Faulty(turned, "read before", UninitializedError, arguments, "nothing has written"),
    Faulty(turned, "no wait", RaceError, arguments, "a copy on its way writes, for which nobody has waited"),
    Faulty(turned, "no barrier", RaceError, arguments, "on its way|no barrier between"),
    Faulty(turned, "wrong group", RaceError, arguments, "a copy on its way writes"),
    Faulty(turned, "no commit", RaceError, arguments, "a copy on its way writes"),
    Faulty(turned, "others wait", RaceError, arguments, "a copy on its way writes"),
    Faulty(turned, "others commit", RaceError, arguments, "a copy on its way writes"),
    Faulty(turned, "misaligned target", AlignmentError, arguments, "a multiple of 16"),
    Faulty(turned, "target outside", OutOfBoundsError, arguments, "1024"),
    Faulty(turned, "misaligned source", AlignmentError, arguments, "a multiple of 16"),
    Faulty(turned, "source outside", OutOfBoundsError, arguments, "1024"),
    Faulty(turned, "too many bytes", SimulationError, arguments, "reads .* bytes for a copy of 16"),
    Faulty(turned, "half an element", SimulationError, arguments, "reads 1 bytes for a copy of 16"),
    Faulty(turned, "misaligned part", AlignmentError, arguments, "a multiple of 16"),
    Faulty(turned, "two to one place", RaceError, arguments, "which a copy on its way writes"),
    Faulty(turned, "copied again", RaceError, arguments, "a copy on its way writes"),
    Faulty(turned, "store over a copy", RaceError, arguments, "a copy on its way writes"),
    Faulty(turned, "source overwritten", RaceError, arguments, "a copy on its way reads"),
    Faulty(ring, "one group too few", RaceError, ring_arguments, "a copy on its way writes"),
    Faulty(ring, "no group", RaceError, ring_arguments, "a copy on its way writes"),
    Faulty(ring, "no barrier", RaceError, ring_arguments, "no barrier between"),
    Faulty(ring, "overwritten at once", RaceError, ring_arguments, "reads with no barrier between"),
    Faulty(filled, "beyond the end", OutOfBoundsError, filled_arguments, "26 elements|extent 26"),
    Faulty(filled, "two beyond the end", OutOfBoundsError, filled_arguments, "26"),
    Faulty(filled, "no barrier", RaceError, filled_arguments, "no barrier between|on its way"),
]
CLEAN = [
    Clean("rows turned round", partial(turned, ""), arguments, check_turned),
    Clean("zeros fill the rest", partial(filled, ""), filled_arguments, check_filled),
    *(
        Clean(
            f"ring of {stages} stages, {tiles} tiles, {width} elements",
            partial(ring, "", stages, tiles, width),
            partial(ring_arguments, tiles, width),
            check_ring,
        )
        for stages, tiles, width in ((2, 2, 4), (2, 5, 1), (3, 3, 2), (3, 6, 4), (4, 9, 4), (5, 8, 1))
    ),
]
