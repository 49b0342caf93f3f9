"""Numbers of warps, lanes and warpgroups: what they are comes from the target, wherever the kernel runs."""

from __future__ import annotations

from pathlib import Path

import control_programs
import numpy as np
import pytest
from translation import literally

import tilewright as tw
from tilewright.errors import CompileError, DispatchError, KernelError, RaceError
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.tirx.layout import S, TileLayout


@T.prim_func
def reversed_lanes(A: T.Buffer((256,), "int32"), B: T.Buffer((256,), "int32")):
    """Each warp reverses what its lanes hold, with a barrier of the warp alone."""
    T.device_entry()
    b = T.cta_id([2])
    w = T.warp_id([2])
    lane = T.lane_id()
    s = T.alloc_shared((2, 64), "int32")
    at = (b * 2 + w) * T.warp_size() + lane
    s[w, lane] = A[at]
    T.cuda.warp_sync()
    B[at] = s[w, T.warp_size() - 1 - lane]


@pytest.mark.parametrize(("target", "lanes"), [("simulator", 32), ("simulator:gfx942", 64)])
def test_a_warp_is_as_wide_as_the_targets(target: str, lanes: int) -> None:
    kernel = tw.compile(reversed_lanes, target=target)
    a = np.arange(256, dtype=np.int32)
    expected = np.zeros(256, np.int32)
    expected[: 4 * lanes] = a[: 4 * lanes].reshape(4, lanes)[:, ::-1].reshape(-1)
    for stage in kernel.stages:
        for proofs in (True, False):
            b = np.zeros(256, np.int32)
            kernel.simulate(a, b, stage=stage, proofs=proofs)
            assert (b == expected).all()
    assert f"T.thread_id([{2 * lanes}])" in kernel.script("tile")


def test_the_script_of_a_kernel_without_a_target_reads_back(tmp_path: Path) -> None:
    text = reversed_lanes.script()
    assert "T.warp_id([2])" in text
    again = control_programs.written(f"from tilewright.script import tirx as T\n{text}", tmp_path, "reversed_lanes")
    assert again.script() == text
    assert len(compile_cubin(tw.compile(again, target="cuda:sm_90a").source, "sm_90a")) > 1000


@T.prim_func
def groups(A: T.Buffer((384, 4), "int32")):
    T.device_entry()
    T.cta_id([1])
    group = T.warpgroup_id([3])
    warp = T.warp_id_in_wg([4])
    lane = T.lane_id([32])
    t = T.thread_id_in_wg([128])
    x = T.thread_id([384])
    A[x, 0] = group
    A[x, 1] = warp
    A[x, 2] = lane
    A[x, 3] = t


@pytest.mark.parametrize("target", ["simulator", "host"])
def test_warpgroups_are_four_warps(target: str) -> None:
    a = np.zeros((384, 4), np.int32)
    tw.compile(groups, target=target)(a)
    x = np.arange(384)
    assert (a == np.stack([x // 128, x // 32 % 4, x % 32, x % 128], axis=1)).all()


def test_a_kernel_that_counts_on_other_warps_is_refused() -> None:
    with pytest.raises(CompileError, match="counts on warps of 32 lanes; a warp of the target has 64 lanes"):
        tw.compile(groups, target="simulator:gfx942")

    @T.prim_func
    def odd(A: T.Buffer((4,), "int32")):
        T.device_entry()
        T.cta_id([1])
        T.thread_id([128])
        T.warp_id([2])
        A[0] = 1

    with pytest.raises(CompileError, match=r"has 2 warps and blocks of \(128, 1, 1\) threads"):
        tw.compile(odd)


# ---- what is the same in all lanes of a warp


TILE = TileLayout(S[(4, 32) : (32, 1)])
OTHER = TileLayout(S[(4, 32) : (1, 4)])


def test_a_flag_that_is_the_same_in_each_warp_may_decide_on_what_a_warp_does() -> None:
    @T.prim_func
    def uniform(A: T.Buffer((2, 4, 32), "float32"), B: T.Buffer((2, 4, 32), "float32", layout=BOTH)):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        turns: T.int32 = 0
        while turns < 1 + t // 32:
            turns = turns + 1
            if t // 32 == 1:
                Tx.warp.permute_layout(B[1, 0:4, 0:32], A[1, 0:4, 0:32])
        if t < 32:
            Tx.warp.permute_layout(B[0, 0:4, 0:32], A[0, 0:4, 0:32])

    a, b = np.arange(256, dtype=np.float32).reshape(2, 4, 32), np.zeros((2, 32, 4), np.float32)
    tw.compile(uniform)(a, b)
    assert (b == a.swapaxes(1, 2)).all()


BOTH = TileLayout(S[(2, 4, 32) : (128, 1, 4)])


def test_one_that_differs_between_lanes_may_not() -> None:
    @T.prim_func
    def by_lane(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4, 32), "float32", layout=OTHER)):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        flag: T.int32 = t
        if flag < 7:
            Tx.warp.permute_layout(B[0:4, 0:32], A[0:4, 0:32])

    with pytest.raises(DispatchError, match="lane"):
        tw.compile(by_lane)

    @T.prim_func
    def by_loop(A: T.Buffer((4, 32), "float32"), B: T.Buffer((4, 32), "float32", layout=OTHER)):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        for i in range(4):
            if i == t:
                break
            Tx.warp.permute_layout(B[0:4, 0:32], A[0:4, 0:32])

    with pytest.raises(DispatchError, match="lane"):
        tw.compile(by_loop)


def test_half_a_wave_is_no_warp() -> None:
    @T.prim_func
    def halves(A: T.Buffer((64,), "int32")):
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((64,), "int32")
        s[t] = A[t]
        T.cuda.warp_sync()
        A[t] = s[63 - t]

    with pytest.raises(RaceError):
        tw.compile(halves)(np.zeros(64, np.int32))
    tw.compile(halves, target="simulator:gfx942")(np.zeros(64, np.int32))


@T.prim_func
def roles(A: T.Buffer((256,), "int32")):
    """Two warpgroups with registers and barriers of their own; one lane of each warp acts."""
    T.device_entry()
    T.cta_id([1])
    group = T.warpgroup_id([2])
    t = T.thread_id([256])
    if group == 0:
        T.ptx.setmaxnreg.dec.sync.aligned.u32(40)
        T.cuda.warpgroup_sync(1)
    else:
        T.ptx.setmaxnreg.inc.sync.aligned.u32(232)
        T.cuda.warpgroup_sync(2)
    T.cuda.trap_when_assert_failed(A[t] < 256)
    if T.cuda.elect_sync():
        A[t] = -1


def test_roles_of_warpgroups(tmp_path: Path) -> None:
    kernel = tw.compile(roles, target="simulator:sm_90a")
    expected = np.where(np.arange(256) % 32 == 0, -1, np.arange(256))
    for stage in kernel.stages:
        a = np.arange(256, dtype=np.int32)
        kernel.simulate(a, stage=stage)
        assert (a == expected).all()
    script = f"from tilewright.script import tirx as T\n{kernel.script('final')}"
    for one in (roles, control_programs.written(script, tmp_path, "roles")):
        a = np.arange(256, dtype=np.int32)
        literally(one, a)
        assert (a == expected).all()
    source = tw.compile(roles, target="cuda:sm_90a").source
    assert source.count("setmaxnreg.") == 2
    assert len(compile_cubin(source, "sm_90a")) > 1000


def test_registers_are_counted_in_eights() -> None:
    with pytest.raises(KernelError, match="a multiple of 8 from 24 to 256 registers, got 30"):

        @T.prim_func
        def odd(A: T.Buffer((4,), "int32")):
            T.device_entry()
            T.cta_id([1])
            T.thread_id([128])
            T.ptx.setmaxnreg.inc.sync.aligned.u32(30)


@T.prim_func
def clustered(A: T.Buffer((8, 64), "int32"), B: T.Buffer((8, 64), "int32")):
    T.device_entry()
    rank = T.cta_id_in_cluster([2])
    cluster = T.cluster_id([4])
    t = T.thread_id([64])
    A[cluster * 2 + rank, t] = rank * 100 + t
    T.cuda.cluster_sync()
    B[cluster * 2 + rank, t] = A[cluster * 2 + 1 - rank, 63 - t]


def test_blocks_of_a_cluster_meet(tmp_path: Path) -> None:
    kernel = tw.compile(clustered)
    t, rank = np.arange(64)[None], np.arange(8)[:, None] % 2
    expected = (1 - rank) * 100 + 63 - t
    for stage in kernel.stages:
        a, b = np.zeros((8, 64), np.int32), np.zeros((8, 64), np.int32)
        kernel.simulate(a, b, stage=stage)
        assert (b == expected).all()
    script = f"from tilewright.script import tirx as T\n{kernel.script('final')}"
    again = tw.compile(control_programs.written(script, tmp_path, "clustered"), target="cuda:sm_90a")
    assert "__cluster_dims__(2, 1, 1)" in again.source
    assert len(compile_cubin(again.source, "sm_90a")) > 1000
    hosted = tw.compile(clustered, target="host")
    a, b = np.zeros((8, 64), np.int32), np.zeros((8, 64), np.int32)
    hosted(a, b)
    assert (b == expected).all()


def test_a_grid_is_whole_clusters() -> None:
    @T.prim_func
    def torn(A: T.Buffer((4,), "int32")):
        T.device_entry()
        T.cta_id([5])
        T.cta_id_in_cluster([2])
        T.thread_id([32])
        A[0] = 1

    with pytest.raises(CompileError, match=r"clusters of 2 blocks in a grid of \(5, 1, 1\)"):
        tw.compile(torn)(np.zeros(4, np.int32))


@T.prim_func
def swapped(A: T.Buffer((4, 64), "int32"), B: T.Buffer((4, 64), "int32")):
    """Each block reads and changes the shared memory of its neighbour."""
    T.device_entry()
    b = T.cta_id([4])
    rank = T.cta_id_in_cluster([2])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "int32")
    s[t] = A[b, t]
    T.cuda.cluster_sync()
    there = T.ptx.mapa(s, 1 - rank)
    B[b, t] = there[63 - t]
    T.cuda.cluster_sync()
    there[t] = b
    T.cuda.atomic_add(T.ptx.mapa.u64(s.ptr_to([t]), 1 - rank), 10)
    T.cuda.cluster_sync()
    A[b, t] = s[t]


def test_shared_memory_of_other_blocks(tmp_path: Path) -> None:
    kernel = tw.compile(swapped)
    start = np.arange(256, dtype=np.int32).reshape(4, 64)
    other = np.arange(4) ^ 1
    script = f"from tilewright.script import tirx as T\n{kernel.script('final')}"
    for one in (kernel, tw.compile(control_programs.written(script, tmp_path, "swapped"))):
        for stage in kernel.stages:
            a, b = start.copy(), np.zeros((4, 64), np.int32)
            one.simulate(a, b, stage=stage)
            assert (b == start[other][:, ::-1]).all()
            assert (a == (other + 10)[:, None]).all()
    source = tw.compile(swapped, target="cuda:sm_90a").source
    assert source.count("= tw_remote(") == 1
    assert len(compile_cubin(source, "sm_90a")) > 1000
    with pytest.raises(KernelError, match="mapa takes a buffer in shared memory"):

        @T.prim_func
        def outside(A: T.Buffer((4,), "int32")):
            T.device_entry()
            T.cta_id([2])
            T.cta_id_in_cluster([2])
            T.thread_id([32])
            T.ptx.mapa(A, 0)


@T.prim_func
def swapped_by_halves(A: T.Buffer((4, 64), "int32"), B: T.Buffer((4, 64), "int32")):
    """Lanes part while they hold another block's memory, and join again."""
    T.device_entry()
    b = T.cta_id([4])
    rank = T.cta_id_in_cluster([2])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "int32")
    s[t] = A[b, t]
    T.cuda.cluster_sync()
    there = T.ptx.mapa(s, (rank + t // 32) % 2)
    if t < 32:
        T.ptx.bar.sync(1, 32)
    else:
        T.ptx.bar.sync(2, 32)
    B[b, t] = there[t]
    T.cuda.cluster_sync()


def test_lanes_part_with_what_they_reach() -> None:
    start = np.arange(256, dtype=np.int32).reshape(4, 64)
    b = np.zeros((4, 64), np.int32)
    tw.compile(swapped_by_halves)(start, b)
    half = np.arange(64) // 32
    blocks = np.arange(4)[:, None] // 2 * 2 + (np.arange(4)[:, None] + half) % 2
    assert (b == start[blocks, np.arange(64)]).all()


@T.prim_func
def in_segments(A: T.Buffer((64,), "int32")):
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    A[t] = T.cuda.__shfl_sync(0xFFFFFFFF, A[t], 63 - t, 64)


def test_segments_of_a_shuffle_fit_into_a_warp() -> None:
    a = np.arange(64, dtype=np.int32)
    tw.compile(in_segments, target="simulator:gfx942")(a)
    assert (a == np.arange(64)[::-1]).all()
    with pytest.raises(CompileError, match="a shuffle in segments of 64 lanes; a warp of the target has 32"):
        tw.compile(in_segments, target="simulator:sm_80")
