"""Tensor memory: who has which columns, copies to and from registers, waits, fences."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

from tilewright.errors import (
    AlignmentError,
    BarrierError,
    OutOfBoundsError,
    RaceError,
    SimulationError,
    UninitializedError,
)
from tilewright.lang.primfunc import PrimFunc
from tilewright.script import tirx as T

BLACKWELL = ("sm_100a",)
LD = "tcgen05.ld.sync.aligned.32x32b.x8.b32"
ST = "tcgen05.st.sync.aligned.32x32b.x8.b32"
NARROW = "tcgen05.ld.sync.aligned.16x64b.x8.b32"


def moved(fault: str, columns: int = 32, threads: int = 128) -> PrimFunc:
    """Rows go to tensor memory and come back."""
    lane = {"another warp's lanes": 32, "askew": 16}.get(fault, 0)
    column = {"not allocated": 28, "beyond": 508}.get(fault, 0)
    given = {"too many back": columns * 2}.get(fault, columns)
    first = {"half a warp": 16}.get(fault, 0)

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 128, 8), "float32")
        b = T.match_buffer(B, (2, 128, 8), "float32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([128])
        where = T.alloc_shared((4,), "uint32")
        d = T.alloc_local((8,), "float32")
        e = T.alloc_local((8,), "float32")
        if t < 32:
            T.ptx.tcgen05.alloc.cta_group__1.sync.aligned.shared__cta.b32(where.ptr_to([0]), columns)  # here: leaked
            if fault == "used up":
                T.ptx.tcgen05.alloc.cta_group__1.sync.aligned.shared__cta.b32(where.ptr_to([1]), 256)
                T.ptx.tcgen05.alloc.cta_group__1.sync.aligned.shared__cta.b32(where.ptr_to([2]), 256)  # here: used up
            T.ptx.tcgen05.relinquish_alloc_permit.cta_group__1.sync.aligned()
            if fault == "after relinquish":
                T.ptx.tcgen05.alloc.cta_group__1.sync.aligned.shared__cta.b32(where.ptr_to([1]), 32)  # here: after relinquish
        if fault != "no barrier":
            T.cuda.cta_sync()
        at = T.cuda.get_tmem_addr(where[0], t // 32 * 32 ^ lane, column)  # here: no barrier
        for i in T.serial(8):
            d[i] = a[bx, t, i]
        if fault == "not one address":
            T.ptx[ST](at + T.cast(t % 2, "uint32"), *[d[i] for i in range(8)])  # here: not one address
        if fault == "registers not there":
            T.ptx[ST](at, *[e[i] for i in range(8)])  # here: registers not there
        if t >= first:
            if fault != "nothing there":
                T.ptx[ST](at, *[d[i] for i in range(8)])  # here: another warp's lanes, askew, not allocated, beyond, half a warp
            if fault != "no wait for the store":
                T.ptx.tcgen05.wait__st.sync.aligned()
            if fault == "over a load":
                T.ptx[LD](*[e[i] for i in range(8)], at)
                T.ptx[ST](at, *[d[i] for i in range(8)])  # here: over a load
            T.ptx[LD](*[d[i] for i in range(8)], at)  # here: nothing there, no wait for the store
            if fault == "loaded twice":
                T.ptx[LD](*[d[i] for i in range(8)], at)  # here: loaded twice
            if fault == "changed meanwhile":
                d[5] = 1.0  # here: changed meanwhile
            if fault == "the other wait":
                T.ptx.tcgen05.wait__st.sync.aligned()
            elif fault != "no wait for the load":
                T.ptx.tcgen05.wait__ld.sync.aligned()
        for i in T.serial(8):
            b[bx, t, i] = d[i]  # here: no wait for the load, the other wait
        if fault != "no barrier at the end":
            T.cuda.cta_sync()
        if fault != "leaked":
            if t < 32:
                T.ptx.tcgen05.dealloc.cta_group__1.sync.aligned.b32(where[0], given)  # here: too many back, no barrier at the end
                if fault == "given back twice":
                    T.ptx.tcgen05.dealloc.cta_group__1.sync.aligned.b32(where[0], given)  # here: given back twice

    return kernel


def handed(fault: str) -> PrimFunc:
    """A warpgroup stores, another one loads the same lanes, and the first one stores again."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 128, 8), "float32")
        b = T.match_buffer(B, (2, 128, 8), "float32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([256])
        where = T.alloc_shared((1,), "uint32")
        d = T.alloc_local((8,), "float32")
        if t < 32:
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 32)
        T.cuda.cta_sync()
        at = T.cuda.get_tmem_addr(where[0], t % 128 // 32 * 32, 8)
        if t < 128:
            for i in T.serial(8):
                d[i] = a[bx, t, i]
            T.ptx[ST](at, *[d[i] for i in range(8)])
            if fault != "not waited for":
                T.ptx.tcgen05.wait__st.sync.aligned()
            if fault != "not sent":
                T.ptx.tcgen05.fence__before_thread_sync()
        if fault != "not met":
            T.cuda.cta_sync()
        if t >= 128:
            if fault != "not let in":
                T.ptx.tcgen05.fence__after_thread_sync()
            T.ptx[LD](*[d[i] for i in range(8)], at)  # here: not waited for, not sent, not met, not let in
            if fault != "load not waited for":
                T.ptx.tcgen05.wait__ld.sync.aligned()
                for i in T.serial(8):
                    b[bx, t - 128, i] = d[i]
            if fault != "load not sent":
                T.ptx.tcgen05.fence__before_thread_sync()
        if fault != "load not met":
            T.ptx.bar.sync(1, 256)
        if t < 128:
            if fault != "load not let in":
                T.ptx.tcgen05.fence__after_thread_sync()
            T.ptx[ST](at, *[d[i] for i in range(8)])  # here: load not waited for, load not sent, load not met, load not let in
            if fault != "store at the end":
                T.ptx.tcgen05.wait__st.sync.aligned()
        T.cuda.cta_sync()
        if t >= 224:
            T.ptx.tcgen05.dealloc(where[0], 32)  # here: store at the end

    return kernel


def turned(repeats: int = 4) -> PrimFunc:
    """Columns are allocated, used and given back again and again; whoever has them later finds nothing in them."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 128, 8), "float32")
        b = T.match_buffer(B, (2, 128, 8), "float32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([32])
        where = T.alloc_shared((2,), "uint32")
        d = T.alloc_local((8,), "float32")
        for _ in T.serial(repeats):
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 256)
            T.ptx.tcgen05.alloc(where.ptr_to([1]), 256)
            T.cuda.warp_sync()
            for r in T.serial(2):
                for i in T.serial(8):
                    d[i] = a[bx, t + 64 * r, i]
                T.ptx[ST](where[r], *[d[i] for i in range(8)])
            T.ptx.tcgen05.wait__st()
            for r in T.serial(2):
                T.ptx[LD](*[d[i] for i in range(8)], where[1 - r])
                T.ptx.tcgen05.wait__ld()
                for i in T.serial(8):
                    b[bx, t + 64 * r, i] = d[i]
            T.ptx.tcgen05.dealloc(where[0], 256)
            T.ptx.tcgen05.dealloc(where[1], 256)
            T.cuda.warp_sync()
        T.ptx.tcgen05.relinquish_alloc_permit()

    return kernel


def again(fault: str) -> PrimFunc:
    """Columns are given back, and allocated once more: nothing is there."""

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 128, 8), "float32")
        b = T.match_buffer(B, (2, 128, 8), "float32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([32])
        where = T.alloc_shared((1,), "uint32")
        d = T.alloc_local((8,), "float32")
        for r in T.unroll(2):
            T.ptx.tcgen05.alloc(where.ptr_to([0]), 32)
            T.cuda.warp_sync()
            for i in T.serial(8):
                d[i] = a[bx, t, i]
            if fault == "" or r == 0:
                T.ptx[ST](where[0], *[d[i] for i in range(8)])
                T.ptx.tcgen05.wait__st()
            T.ptx[LD](*[d[i] for i in range(8)], where[0])  # here: nothing there again
            T.ptx.tcgen05.wait__ld()
            for i in T.serial(8):
                b[bx, t, i] = d[i]
            T.ptx.tcgen05.dealloc(where[0], 32)
            T.cuda.warp_sync()

    return kernel


def check_again(given: list[Any]) -> None:
    assert (given[1][:, :32] == given[0][:, :32]).all()


def rows() -> list[Any]:
    rng = np.random.default_rng(7)
    return [rng.standard_normal((2, 128, 8)).astype(np.float32), np.zeros((2, 128, 8), np.float32)]


def check_rows(given: list[Any]) -> None:
    assert (given[0] == given[1]).all()


def check_turned(given: list[Any]) -> None:
    assert (given[1][:, :32] == given[0][:, 64:96]).all()
    assert (given[1][:, 64:96] == given[0][:, :32]).all()


def _faults(make: Any, *found: tuple[str, type[Exception], str]) -> list[Faulty]:
    return [Faulty(make, name, error, rows, match, BLACKWELL) for name, error, match in found]


_FENCES = "no tcgen05.fence::before_thread_sync and tcgen05.fence::after_thread_sync"
FAULTY = [
    *_faults(
        moved,
        ("leaked", SimulationError, "the block ends with 32 columns of tensor memory"),
        ("after relinquish", SimulationError, "after tcgen05.relinquish_alloc_permit"),
        ("used up", SimulationError, "allocates 256 columns of tensor memory, of which 224 are left"),
        ("given back twice", SimulationError, "its block has none"),
        ("too many back", SimulationError, "gives back 64 columns of tensor memory at 0x0; its block has 32 at column 0"),
        ("another warp's lanes", SimulationError, "reaches lanes 0 to 31 of tensor memory, not lane 32"),
        ("askew", AlignmentError, "gives lane 16 of tensor memory, which is to be a multiple of 32"),
        ("not allocated", OutOfBoundsError, "column 32 of tensor memory, which its block has not allocated"),
        ("beyond", OutOfBoundsError, "which"),
        ("half a warp", BarrierError, "thread"),
        ("no barrier", RaceError, r"element 0 of where \(byte 0\), which"),
        ("not one address", SimulationError, "give the addresses 0x0, 0x1"),
        ("registers not there", UninitializedError, "element 0 of its e"),
        ("nothing there", UninitializedError, "lanes 0 to 15 of column 0 of tensor memory, which nothing has written"),
        ("no wait for the store", RaceError, "a copy on its way writes, for which nobody has waited: tcgen05.wait::st"),
        ("over a load", RaceError, "a copy on its way reads, for which nobody has waited: tcgen05.wait::ld"),
        ("loaded twice", RaceError, "to which a tcgen05.ld is on its way"),
        ("changed meanwhile", RaceError, "writes element 5 of its d, to which a tcgen05.ld is on its way"),
        ("the other wait", RaceError, "reads element 0 of its d, to which a tcgen05.ld"),
        ("no wait for the load", RaceError, "reads element 0 of its d, to which a tcgen05.ld"),
        ("no barrier at the end", RaceError, "with no barrier between"),
    ),
    *_faults(
        handed,
        ("not waited for", RaceError, "a copy on its way writes"),
        ("not sent", RaceError, _FENCES),
        ("not met", RaceError, "a copy on its way|no barrier"),
        ("not let in", RaceError, _FENCES),
        ("load not waited for", RaceError, "a copy on its way reads"),
        ("load not sent", RaceError, _FENCES),
        ("load not met", RaceError, "no barrier, or no"),
        ("load not let in", RaceError, _FENCES),
        ("store at the end", RaceError, "a copy on its way writes"),
    ),
]
FAULTY += _faults(again, ("nothing there again", UninitializedError, "of tensor memory, which nothing has written"))
CLEAN = [
    Clean("columns once more", partial(again, ""), rows, check_again, BLACKWELL),
    Clean("rows through tensor memory", partial(moved, ""), rows, check_rows, BLACKWELL),
    Clean("rows through all of tensor memory", partial(moved, "", 512), rows, check_rows, BLACKWELL),
    Clean("rows from one warpgroup to another", partial(handed, ""), rows, check_rows, BLACKWELL),
    Clean("columns in turn", turned, rows, check_turned, BLACKWELL),
]
