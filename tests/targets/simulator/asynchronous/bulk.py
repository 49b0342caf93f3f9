"""Bulk and tensor copies: mbarriers that count bytes, groups, the fences between the proxies, swizzles and edges."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from faults import Clean, Faulty

import tilewright as tw
from tilewright.dtypes import dtype
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

LOAD = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
STORE = "cp.async.bulk.global.shared::cta.bulk_group"
ADD = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32"
TENSOR_LOAD = "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes"
TENSOR_STORE = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
TENSOR_ADD = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"


def doubled(fault: str) -> PrimFunc:
    """A block's row is loaded by one lane, doubled by all, and stored by one lane."""
    expected = {"too many bytes": 1040, "too few bytes": 512}.get(fault, 1024)
    size = {"twenty bytes": 20, "beyond the row": 2048}.get(fault, 512)
    skew = 1 if fault == "misaligned" else 0
    fenced = fault.startswith("fenced")

    @T.prim_func
    def kernel(A: T.handle, B: T.handle) -> None:
        a = T.match_buffer(A, (2, 256), "float32")
        b = T.match_buffer(B, (2, 256), "float32")
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([128])
        s = T.alloc_shared((256,), "float32")
        bar = T.alloc_shared((1,), "uint64")
        if fault == "written before":
            s[t] = 0.0
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
            if fault != "no fence after init":
                T.ptx.fence.mbarrier_init.release.cluster()
        T.cuda.cta_sync()
        if t == 0:
            if fenced:
                a[bx, 0] = 0.0
                if fault == "fenced as shared":
                    T.ptx.fence.proxy.async_.shared__cta()
                elif fault == "fenced as global":
                    T.ptx.fence.proxy.async_.global_()
                else:
                    T.ptx.fence.proxy.async_()
            if fault != "no expectation":
                T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([0]), expected)
            else:
                T.ptx.mbarrier.arrive.shared.b64(bar.ptr_to([0]))
            T.ptx[LOAD](s.ptr_to([skew]), a.ptr_to([bx, 0]), size, bar.ptr_to([0]))  # here: no fence after init, twenty bytes, misaligned, written before, beyond the row, fenced as shared
            T.ptx[LOAD](s.ptr_to([128]), a.ptr_to([bx, 128]), 512, bar.ptr_to([0]))
            if fault == "two to one place":
                T.ptx[LOAD](s.ptr_to([128]), a.ptr_to([bx, 128]), 512, bar.ptr_to([0]))  # here: two to one place
        if fault == "store meanwhile":
            s[t] = 1.0  # here: store meanwhile
        if fault != "no wait":
            T.cuda.mbarrier_wait(bar.ptr_to([0]), 1 if fault == "wrong parity" else 0)  # here: too many bytes
        for i in T.serial(2):
            s[128 * i + t] = s[128 * i + t] * 2.0  # here: no wait, wrong parity, too few bytes, no expectation
        if fault != "no fence before store":
            if fault == "other fence":
                T.ptx.fence.proxy.async_.global_()
            else:
                T.ptx.fence.proxy.async_.shared__cta()
        if fault != "no barrier before store":
            T.cuda.cta_sync()
        if t == 0:
            T.ptx[STORE](b.ptr_to([bx, 0]), s.ptr_to([0]), 1024)  # here: no fence before store, no barrier before store, ends too early, other fence
            if fault == "overwritten while stored":
                s[5] = 0.0  # here: overwritten while stored
            if fault == "read while stored":
                s[0] = b[bx, 0]  # here: read while stored
            if fault != "no commit":
                T.ptx.cp.async_.bulk.commit_group()
            if fault != "ends too early":
                T.ptx.cp.async_.bulk.wait_group.read(1 if fault == "waits for none" else 0)
            if fault == "no commit" or fault == "waits for none":
                s[7] = 0.0  # here: no commit, waits for none
            if fault == "read after half a wait":
                s[0] = b[bx, 0]  # here: read after half a wait

    return kernel


def arguments() -> list[Any]:
    a = np.random.default_rng(3).normal(size=(2, 256)).astype(np.float32)
    return [a, np.zeros_like(a)]


def check_doubled(given: list[Any]) -> None:
    assert (given[1] == 2 * given[0]).all()


def tiles(fault: str, stages: int = 2, steps: int = 4, rows: int = 64, columns: int = 64) -> PrimFunc:
    """A warp's elected lane loads tiles ahead; the other warps double each tile, and one of their lanes stores it."""
    bytes_ = 2 * rows * columns
    align = 128 if fault == "misaligned tile" else 1024

    @T.prim_func
    def kernel(A: T.TensorMap(), B: T.TensorMap()) -> None:
        T.device_entry()
        bx = T.cta_id([2])
        t = T.thread_id([192])
        pool = T.SMEMPool()
        if fault == "misaligned tile":
            pool.move_base_to(128)
        s = pool.alloc((stages * rows, columns), "float16", align=align)
        full = pool.alloc((stages,), "uint64")
        empty = pool.alloc((stages,), "uint64")
        pool.commit()
        if t == 0:
            for i in T.serial(stages):
                T.ptx.mbarrier.init.shared.b64(full.ptr_to([i]), 1)
                T.ptx.mbarrier.init.shared.b64(empty.ptr_to([i]), 1)
            T.ptx.fence.proxy.async_()
        T.cuda.cta_sync()
        if t < 64:
            if t == 0:
                for k in T.serial(steps):
                    if fault != "no room":
                        T.cuda.mbarrier_wait(empty.ptr_to([k % stages]), (k // stages + 1) % 2)
                    T.ptx.mbarrier.arrive.expect_tx.shared.b64(full.ptr_to([k % stages]), bytes_)  # here: no room
                    T.ptx[TENSOR_LOAD](s.ptr_to([k % stages * rows, 0]), T.address_of(A), k * columns, bx * rows, full.ptr_to([k % stages]))  # here: misaligned tile, released too early
        else:
            for k in T.serial(steps):
                if fault == "one warp waits":
                    if t < 128:
                        T.cuda.mbarrier_wait(full.ptr_to([k % stages]), k // stages % 2)
                elif fault == "one lane waits":
                    if t % 64 == 0:
                        T.cuda.mbarrier_wait(full.ptr_to([k % stages]), k // stages % 2)
                else:
                    T.cuda.mbarrier_wait(full.ptr_to([k % stages]), k // stages % 2)
                if fault == "released too early":
                    if t == 64:
                        T.ptx.mbarrier.arrive.shared.b64(empty.ptr_to([k % stages]))
                for i in T.serial(rows * columns // 128):
                    e = i * 128 + t - 64
                    s[k % stages * rows + e // columns, e % columns] = s[k % stages * rows + e // columns, e % columns] * T.float16(2.0)  # here: one warp waits, one lane waits
                if fault != "no fence":
                    T.ptx.fence.proxy.async_.shared__cta()
                T.ptx.bar.sync(1, 128)
                if t == 64:
                    T.ptx[TENSOR_STORE](T.address_of(B), k * columns, bx * rows, s.ptr_to([k % stages * rows, 0]))  # here: no fence
                    T.ptx.cp.async_.bulk.commit_group()
                    if fault != "no wait for the store":
                        T.ptx.cp.async_.bulk.wait_group.read(0)
                    if fault != "released too early":
                        T.ptx.mbarrier.arrive.shared.b64(empty.ptr_to([k % stages]))
                T.ptx.bar.sync(1, 128)

    return kernel


def tile_arguments(
    steps: int = 4, rows: int = 64, columns: int = 64, swizzle: str = "none", edge: tuple[int, int] = (0, 0)
) -> list[Any]:
    shape = 2 * rows - edge[0], steps * columns - edge[1]
    a = np.random.default_rng(4).normal(size=shape).astype(np.float16)
    return [tw.TensorMap(x, (rows, columns), swizzle) for x in (a, np.zeros_like(a))]


def check_tiles(given: list[Any]) -> None:
    assert (given[1].array == 2 * given[0].array).all()


def added(fault: str) -> PrimFunc:
    """Every block adds its numbers to one tile of global memory."""
    tensor, kind = fault == "", "float32"

    @T.prim_func
    def kernel(A: T.TensorMap(), B: T.handle) -> None:
        b = T.match_buffer(B, (8, 32), kind)
        T.device_entry()
        bx = T.cta_id([3])
        t = T.thread_id([64])
        s = T.alloc_shared((8, 32), kind)
        for i in T.serial(4 if fault != "unwritten" else 3):
            s[2 * i + t // 32, t % 32] = T.cast(bx + i, kind)
        T.ptx.fence.proxy.async_()
        T.cuda.cta_sync()
        if t == 0:
            if tensor:
                T.ptx[TENSOR_ADD](T.address_of(A), 0, 0, s.ptr_to([0, 0]))
            else:
                T.ptx[ADD](b.ptr_to([0, 0]), s.ptr_to([0, 0]), 1024)  # here: unwritten
            if fault == "plain stores":
                T.ptx[STORE](b.ptr_to([0, 0]), s.ptr_to([0, 0]), 1024)  # here: plain stores
            T.ptx.cp.async_.bulk.commit_group()
            T.ptx.cp.async_.bulk.wait_group.read(0)

    return kernel


def added_arguments() -> list[Any]:
    return [tw.TensorMap(np.ones((8, 32), np.float32), (8, 32)), np.ones((8, 32), np.float32)]


def check_added(given: list[Any]) -> None:
    expected = np.repeat(1 + 3 + 3 * np.arange(4), 2)[:, None] * np.ones(32)
    assert (given[0].array == expected).all()


def layout_arguments(swizzle: str, kind: str, rows: int, columns: int) -> list[Any]:
    a = np.arange(rows * columns).reshape(rows, columns).astype(kind)
    return [tw.TensorMap(a, (rows, columns), swizzle), np.zeros(rows * columns, kind)]


def as_it_lies(rows: int, columns: int, kind: str) -> PrimFunc:
    """A tile as it lies in shared memory, element by element."""
    size = rows * columns
    bytes_ = size * dtype(kind).bytes

    @T.prim_func
    def kernel(A: T.TensorMap(), B: T.handle) -> None:
        b = T.match_buffer(B, (size,), kind)
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        pool = T.SMEMPool()
        s = pool.alloc((size,), kind, align=1024)
        bar = pool.alloc((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init.shared.b64(bar.ptr_to([0]), 1)
            T.ptx.fence.mbarrier_init.release.cluster()
            T.ptx.mbarrier.arrive.expect_tx.shared.b64(bar.ptr_to([0]), bytes_)
            T.ptx[TENSOR_LOAD](s.ptr_to([0]), T.address_of(A), 0, 0, bar.ptr_to([0]))
        T.cuda.cta_sync()
        T.cuda.mbarrier_wait(bar.ptr_to([0]), 0)
        for i in T.serial(size // 64):
            b[64 * i + t] = s[64 * i + t]

    return kernel


def check_layout(given: list[Any]) -> None:
    """The element in row r, chunk c of 16 bytes lies in row r, chunk c ^ (row of 128 bytes), as hardware has it."""
    map_, found = given
    rows, columns = map_.array.shape
    size, span = found.itemsize, {"none": 16, "32B": 32, "64B": 64, "128B": 128}[map_.swizzle]
    for r in range(rows):
        for c in range(columns):
            byte = (r * columns + c) * size
            byte ^= (byte // 128 % (span // 16)) * 16
            assert found[byte // size] == map_.array[r, c]


FAULTY = [
    Faulty(doubled, "no fence after init", RaceError, arguments, "fence"),
    Faulty(doubled, "too many bytes", BarrierError, arguments, "lacks 16 bytes"),
    Faulty(doubled, "too few bytes", RaceError, arguments, "a copy on its way writes"),
    Faulty(doubled, "no expectation", RaceError, arguments, "a copy on its way writes"),
    Faulty(doubled, "twenty bytes", SimulationError, arguments, "20 bytes"),
    Faulty(doubled, "misaligned", AlignmentError, arguments, "multiple of 16"),
    Faulty(doubled, "beyond the row", OutOfBoundsError, arguments, "elements"),
    Faulty(doubled, "written before", RaceError, arguments, "fence"),
    Faulty(doubled, "fenced as shared", RaceError, arguments, "fence"),
    Faulty(doubled, "two to one place", RaceError, arguments, "a copy on its way writes"),
    Faulty(doubled, "store meanwhile", RaceError, arguments, "a copy on its way writes"),
    Faulty(doubled, "no wait", RaceError, arguments, "a copy on its way writes"),
    Faulty(doubled, "wrong parity", RaceError, arguments, "a copy on its way writes"),
    Faulty(doubled, "no fence before store", RaceError, arguments, "fence"),
    Faulty(doubled, "no barrier before store", RaceError, arguments, "no barrier"),
    Faulty(doubled, "other fence", RaceError, arguments, "fence"),
    Faulty(doubled, "overwritten while stored", RaceError, arguments, "a copy on its way reads"),
    Faulty(doubled, "read while stored", RaceError, arguments, "a copy on its way writes"),
    Faulty(doubled, "read after half a wait", RaceError, arguments, "a copy on its way writes"),
    Faulty(doubled, "no commit", RaceError, arguments, "a copy on its way reads"),
    Faulty(doubled, "waits for none", RaceError, arguments, "a copy on its way reads"),
    Faulty(doubled, "ends too early", RaceError, arguments, "the block ends"),
    Faulty(tiles, "misaligned tile", AlignmentError, partial(tile_arguments, swizzle="128B"), "multiple of 1024"),
    Faulty(tiles, "no room", BarrierError, tile_arguments, "waits for 0 arrivals"),
    Faulty(tiles, "released too early", RaceError, tile_arguments, "no barrier|a copy on its way"),
    Faulty(tiles, "one warp waits", RaceError, tile_arguments, "a copy", ("sm_90",)),
    Faulty(tiles, "one lane waits", RaceError, tile_arguments, "a copy"),
    Faulty(tiles, "no fence", RaceError, tile_arguments, "fence"),
    Faulty(added, "unwritten", UninitializedError, added_arguments, "nothing has written"),
    Faulty(added, "plain stores", RaceError, added_arguments, "a copy on its way"),
]
SWIZZLES = ("none", "32B", "64B", "128B")
CLEAN = [
    Clean("a row doubled", partial(doubled, ""), arguments, check_doubled),
    Clean("a row written before, fenced as global", partial(doubled, "fenced as global"), arguments, check_doubled),
    Clean("a row written before, fenced for all", partial(doubled, "fenced for all"), arguments, check_doubled),
    *(
        Clean(
            f"tiles of {rows} x {columns}, {stages} stages, {steps} steps, swizzle {swizzle}, edge {edge}",
            partial(tiles, "", stages, steps, rows, columns),
            partial(tile_arguments, steps, rows, columns, swizzle, edge),
            check_tiles,
        )
        for stages, steps, rows, columns, swizzle, edge in (
            (1, 1, 8, 64, "none", (0, 0)),
            (1, 3, 16, 64, "128B", (0, 0)),
            (2, 4, 16, 64, "none", (0, 0)),
            (2, 5, 8, 64, "128B", (0, 0)),
            (3, 7, 32, 32, "64B", (0, 0)),
            (4, 4, 32, 16, "32B", (0, 0)),
            (2, 4, 8, 64, "128B", (5, 8)),
            (2, 3, 8, 64, "none", (7, 56)),
        )
    ),
    Clean("sums of blocks", partial(added, ""), added_arguments, check_added),
    *(
        Clean(
            f"swizzle {swizzle} of {kind}",
            partial(as_it_lies, rows, columns, kind),
            partial(layout_arguments, swizzle, kind, rows, columns),
            check_layout,
        )
        for swizzle, kind, rows, columns in (
            *((s, "float16", 32, 64) for s in ("none", "128B")),
            *((s, "float32", 16, 16) for s in ("none", "64B")),
            *((s, "int32", 16, 8) for s in ("none", "32B")),
            ("128B", "uint8", 16, 128),
        )
    ),
]
