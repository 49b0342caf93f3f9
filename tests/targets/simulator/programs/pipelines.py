"""Producers and consumers: warps with roles that meet at numbered barriers, rings of cp.async, bulk stores of what is done."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty
from machines import WAVES

from tilewright.errors import BarrierError, OutOfBoundsError, RaceError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

STORE = "cp.async.bulk.global.shared::cta.bulk_group"
ADD = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32"


def roles(fault: str, stages: int = 2, steps: int = 5) -> PrimFunc:
    """64 threads fill a ring of stages, 64 others empty it: a full and an empty barrier a stage."""
    full, empty = 1, 1 + stages
    count = {"too many are expected": 192, "too few are expected": 64}.get(fault, 128)
    first = {"starts in the second": 1}.get(fault, 0)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, steps, 64), "int32")
        b = T.match_buffer(B, (2, steps, 64), "int32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([128])
        s = T.alloc_shared((stages, 64), "int32")
        if t < 64:
            for k in T.serial(steps):
                if fault == "fills without asking":
                    s[k % stages, t] = a[bx, k, t]
                else:
                    T.ptx.bar.sync(empty + k % stages, 128)  # here: nothing is given back, the last is not given back
                    s[(k + first) % stages, t] = a[bx, k, t]
                if fault == "tells nobody":
                    T.cuda.warp_sync()
                elif fault == "half of them tell":
                    if t < 32:
                        T.ptx.bar.arrive(full + k % stages, 128)  # here: half of them tell
                elif fault == "told twice":
                    T.ptx.bar.arrive(full + k % stages, 128)
                    T.ptx.bar.arrive(full + k % stages, 128)
                elif fault == "told at one barrier":
                    T.ptx.bar.arrive(full, 128)  # here: told at one barrier
                else:
                    T.ptx.bar.arrive(full + k % stages, count)  # here: too many are expected, fills without asking
        else:
            if fault != "nothing is given back":
                for k in T.serial(stages):
                    T.ptx.bar.arrive(empty + k, 128 if fault != "counts differ" else 96)  # here: counts differ
            for k in T.serial(steps if fault != "one more than there are" else steps + 1):
                if fault == "given back before it is read":
                    if k + stages < steps:
                        T.ptx.bar.arrive(empty + k % stages, 128)  # here: given back before it is read
                if fault == "beyond the last barrier":
                    T.ptx.bar.sync(full + 15 + k % stages, 128)  # here: beyond the last barrier
                elif fault == "takes without asking":
                    T.cuda.warp_sync()
                else:
                    T.ptx.bar.sync(full + k % stages, 128)  # here: tells nobody, one more than there are, fills without asking
                b[bx, k % steps, 127 - t] = s[k % stages, t - 64]  # here: takes without asking, starts in the second
                if fault == "given back to the full one":
                    T.ptx.bar.arrive(full + k % stages, 128)
                if fault == "all are given back":
                    T.ptx.bar.arrive(empty + k % stages, 128)
                elif fault != "given back before it is read" and fault != "the last is not given back":
                    if k + stages < steps:
                        T.ptx.bar.arrive(empty + k % stages, 128)

    return kernel


def rings(steps: int = 5) -> list[Any]:
    a = np.arange(2 * steps * 64).reshape(2, steps, 64).astype(np.int32)
    return [a, np.zeros_like(a)]


def check_rings(given: list[Any]) -> None:
    assert (given[1] == given[0][:, :, ::-1]).all()


def copied(fault: str, stages: int = 3, steps: int = 7) -> PrimFunc:
    """Each thread copies ahead into a ring of stages, and all read what others have copied."""
    ahead = {"waits for one too few": stages - 1}.get(fault, stages - 2)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, steps, 256), "int32")
        b = T.match_buffer(B, (2, 256), "int32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([64])
        s = T.alloc_shared((stages, 256), "int32")
        total = T.alloc_local((4,), "int32")
        for i in T.serial(4):
            total[i] = 0
        for k in T.serial(stages - 1):
            T.ptx.cp.async_.cg.shared.global_(s.ptr_to([k, t * 4]), a.ptr_to([bx, k, t * 4]), 16)
            T.ptx.cp.async_.commit_group()
        for k in T.serial(steps):
            if fault != "does not wait":
                T.ptx.cp.async_.wait_group(ahead)
            if fault != "does not meet":
                T.cuda.cta_sync()
            if fault == "reads the next stage":
                total[0] = total[0] + s[(k + 1) % stages, 255 - t * 4]  # here: reads the next stage
            if fault == "clears the next stage":
                s[(k + 1) % stages, t * 4] = 0  # here: clears the next stage
            for i in T.serial(4):
                total[i] = total[i] + s[k % stages, 255 - (t * 4 + i)] * (k + 1)  # here: does not wait, waits for one too few, does not meet
            if fault == "meets too late":
                T.ptx.cp.async_.cg.shared.global_(s.ptr_to([k % stages, t * 4]), a.ptr_to([bx, k, t * 4]), 16)  # here: meets too late
            if k + stages - 1 < steps:
                T.ptx.cp.async_.cg.shared.global_(s.ptr_to([(k + stages - 1) % stages, t * 4]), a.ptr_to([bx, k + stages - 1, t * 4]), 16)
            if fault == "source is changed":
                if k == 0:
                    a[bx, stages - 1, t * 4] = 0  # here: source is changed
            T.ptx.cp.async_.commit_group()
        for i in T.serial(4):
            b[bx, 255 - (t * 4 + i)] = total[i]

    return kernel


def stages(steps: int = 7) -> list[Any]:
    a = (np.arange(2 * steps * 256).reshape(2, steps, 256) % 23).astype(np.int32)
    return [a, np.zeros((2, 256), np.int32)]


def check_stages(given: list[Any]) -> None:
    weights = np.arange(1, given[0].shape[1] + 1)[None, :, None]
    assert (given[1] == (given[0] * weights).sum(axis=1)).all()


def stored(fault: str) -> PrimFunc:
    """Rows are doubled in shared memory, and two lanes send halves of them to global memory."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (4, 128), "int32")
        b = T.match_buffer(B, (4, 128), "int32")
        T.device_entry()
        bx = T.cta_id([4])
        t = T.thread_id([128])
        s = T.alloc_shared((128,), "int32")
        if fault != "a lane stores nothing":
            s[t] = a[bx, t] * 2
        else:
            if t != 77:
                s[t] = a[bx, t] * 2
        if fault != "no fence":
            T.ptx.fence.proxy.async_.shared__cta()
        if fault != "does not meet":
            T.cuda.cta_sync()
        if t % 64 == 0:
            if fault == "adds and does not wait":
                T.ptx[ADD](b.ptr_to([bx, t]), s.ptr_to([t]), 256)  # here: adds and does not wait
            elif fault == "beyond the end":
                T.ptx[STORE](b.ptr_to([3, t + bx * 32]), s.ptr_to([t]), 256)  # here: beyond the end
            else:
                T.ptx[STORE](b.ptr_to([bx, t]), s.ptr_to([t]), 256)  # here: no fence, does not meet, a lane stores nothing, does not wait, the other lane waits, no commit at the end, waits but for the last, waits in one block, one of the lanes waits
            if fault != "no commit at the end":
                T.ptx.cp.async_.bulk.commit_group()
            if fault == "waits but for the last":
                T.ptx.cp.async_.bulk.wait_group.read(1)
            elif fault == "waits in one block":
                if bx == 0:
                    T.ptx.cp.async_.bulk.wait_group.read(0)
            elif fault == "one of the lanes waits":
                if t == 0:
                    T.ptx.cp.async_.bulk.wait_group.read(0)
            elif fault != "does not wait" and fault != "the other lane waits" and fault != "adds and does not wait":
                T.ptx.cp.async_.bulk.wait_group.read(0)
        elif fault == "the other lane waits":
            T.ptx.cp.async_.bulk.wait_group.read(0)
        if fault == "cleared by the next":
            if t == 1:
                s[0] = 0
        if fault == "cleared meanwhile":
            s[t] = 0  # here: cleared meanwhile

    return kernel


def doubled() -> list[Any]:
    a = np.arange(4 * 128).reshape(4, 128).astype(np.int32)
    return [a, np.zeros_like(a)]


def check_doubled(given: list[Any]) -> None:
    assert (given[1] == 2 * given[0]).all()


FAULTY = [
    *(
        Faulty(roles, name, BarrierError, rings, match)
        for name, match in (
            ("nothing is given back", "at barrier 3, to which 64 of 128"),
            ("the last is not given back", "at barrier 3, to which 64 of 128"),
            ("counts differ", "barrier 3 is to have 96 threads here and 128 elsewhere"),
            ("tells nobody", "at barrier 1, to which 64 of 128"),
            ("fills without asking", "to barrier 1, to which others have come with no barrier between"),
            ("told at one barrier", "barrier"),
            ("one more than there are", "at barrier"),
            ("too many are expected", "barrier 1 is to have 192 threads here and 128 elsewhere"),
            ("beyond the last barrier", "from 0 to 15"),
        )
    ),
    Faulty(roles, "half of them tell", BarrierError, rings, "of its warp", (WAVES,)),
    Faulty(roles, "given back before it is read", BarrierError, rings, "no barrier"),
    Faulty(roles, "takes without asking", UninitializedError, rings, "of s"),
    Faulty(roles, "starts in the second", RaceError, rings, "no barrier"),
    Faulty(copied, "does not wait", RaceError, stages, "a copy on its way writes"),
    Faulty(copied, "waits for one too few", RaceError, stages, "a copy on its way writes"),
    Faulty(copied, "reads the next stage", RaceError, stages, "a copy on its way writes"),
    Faulty(copied, "does not meet", RaceError, stages, "no barrier|a copy on its way"),
    Faulty(copied, "clears the next stage", RaceError, stages, "a copy on its way writes"),
    Faulty(copied, "meets too late", RaceError, stages, "no barrier"),
    Faulty(copied, "source is changed", RaceError, stages, "a copy on its way reads"),
    Faulty(stored, "no fence", RaceError, doubled, "no fence.proxy.async"),
    Faulty(stored, "does not meet", RaceError, doubled, "no barrier"),
    Faulty(stored, "a lane stores nothing", UninitializedError, doubled, "element 77 of s"),
    Faulty(stored, "beyond the end", OutOfBoundsError, doubled, "of b"),
    *(
        Faulty(stored, name, RaceError, doubled, "the block ends")
        for name in (
            "does not wait",
            "the other lane waits",
            "adds and does not wait",
            "no commit at the end",
            "waits but for the last",
            "waits in one block",
            "one of the lanes waits",
        )
    ),
]
CLEAN = [
    *(
        Clean(
            f"roles with {stages_} stages, {steps} steps",
            partial(roles, "", stages_, steps),
            partial(rings, steps),
            check_rings,
        )
        for stages_, steps in ((1, 3), (2, 5), (3, 4), (4, 9))
    ),
    *(
        Clean(
            f"cp.async in {stages_} stages, {steps} steps",
            partial(copied, "", stages_, steps),
            partial(stages, steps),
            check_stages,
        )
        for stages_, steps in ((2, 3), (3, 7), (4, 4), (5, 9))
    ),
    Clean("halves that go by themselves", partial(stored, ""), doubled, check_doubled),
]
