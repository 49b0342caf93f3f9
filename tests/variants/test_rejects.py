"""Every reason to decline, each given to a program that deserves it, and the table that a person reads."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tilewright.errors import DispatchError
from tilewright.ir.layouts import parse_layout
from tilewright.lang.primfunc import PrimFunc
from tilewright.layout.symint import SymInt
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.targets.simulator.simulate import simulate
from tilewright.tirx.layout import ComposeLayout, S, TileLayout, warpid

ROWS = "S[(4,32):(32,1)]"
COLUMNS = "S[(4,32):(1,4)]"


def program(
    src: Any = ROWS,
    dst: Any = COLUMNS,
    shape: tuple[int, ...] = (4, 32),
    dtypes: tuple[str, str] = ("float32", "float32"),
    threads: Any = 32,
) -> PrimFunc:
    """A permute of two whole buffers."""
    src, dst = (parse_layout(layout) if isinstance(layout, str) else layout for layout in (src, dst))
    to, of = dtypes

    @T.prim_func
    def f(A: T.handle, B: T.handle):
        A_buf = T.match_buffer(A, shape, of, layout=src)
        B_buf = T.match_buffer(B, shape, to, layout=dst)
        T.device_entry()
        T.cta_id([1])
        T.thread_id(threads)
        Tx.warp.permute_layout(B_buf, A_buf)

    return f


def reason(kernel: PrimFunc) -> str:
    """Why the one built-in variant declines."""
    with pytest.raises(DispatchError) as caught:
        run(kernel.module, "dispatched")
    lines = str(caught.value).splitlines()
    assert lines[1] == "  variant          | why not"
    name, _, why = lines[2].partition(" | ")
    assert name.strip() == "warp_xor_swizzle"
    return why


SWIZZLED = ComposeLayout(2, 2, 4, TileLayout(S[(4, 32) : (32, 1)]))
DECLINED = {
    "multi-dim threadIdx is not supported: block is [16, 2, 1]": {"threads": [16, 2]},
    "dtype mismatch: dst=uint32 vs src=float32": {"dtypes": ("uint32", "float32")},
    "unsupported dtype byte width: 0.5 (float4_e2m1fn)": {"dtypes": ("float4_e2m1fn",) * 2},
    "src buffer's layout is not a plain TileLayout: A_buf has ComposeLayout(": {"src": SWIZZLED},
    "dst buffer's layout is not a plain TileLayout: B_buf has ComposeLayout(": {"dst": SWIZZLED},
    "volume 35 not divisible by warp size 32": {
        "shape": (5, 7),
        "src": "S[(5,7):(7,1)]",
        "dst": "S[(5,7):(1,5)]",
    },
    "per-thread count 3 must be power of 2 in [1, 32]": {
        "shape": (3, 32),
        "src": "S[(3,32):(32,1)]",
        "dst": "S[(3,32):(1,3)]",
    },
    "per-thread count 64 must be power of 2 in [1, 32]": {
        "shape": (64, 32),
        "src": "S[(64,32):(32,1)]",
        "dst": "S[(64,32):(1,64)]",
    },
    "src layout (regrouped) is not a bijection on the slice: 128 elements on 35 offsets": {"src": "S[(4,32):(1,1)]"},
    "dst layout is not a bijection on the slice: 128 elements on 35 offsets": {"dst": "S[(4,32):(1,1@laneid)]"},
    "layout.group failed: layout with shard extents": {
        "shape": (6, 64),
        "src": "S[(3,2,64):(1000,100,1)]",
        "dst": "S[(2,3,64):(1000,100,1)]",
    },
    "src shard [2, 2, 32] doesn't match dst shard [4, 32] after regrouping": {"src": "S[(2,2,32):(1000,100,1)]"},
    "no XOR-bits k ∈ [0, log2(P)=2] makes both phases bank-free": {
        "shape": (32, 4),
        "src": "S[(32,4):(4,1)]",
        "dst": "S[(32,4):(1,32)]",
    },
    "no XOR-bits k ∈ [0, log2(P)=2]": {"dtypes": ("complex128",) * 2},
    "regrouped layout shard contains non-integer extent/stride: src=S[(4,32):(?@warpid,1)]": {
        "src": TileLayout(S[(4, 32) : (SymInt("pitch") @ warpid, 1)])
    },
    "dst puts elements on laneid; this variant moves memory, whose axis is m": {"dst": "S[(4,32):(32,1@laneid)]"},
    "src puts elements on warpid": {"src": "S[(4,32):(32,1)] + 1@warpid"},
    "dst has a replica: 2 copies of every element, of which this variant writes one": {"dst": COLUMNS + " + R[2:128]"},
    "a block of 48 threads is not made of whole warps of 32 lanes": {"threads": [48]},
}


@pytest.mark.parametrize("why", DECLINED)
def test_declined(why: str) -> None:
    assert reason(program(**DECLINED[why])).startswith(why)


def test_scope_is_not_warp() -> None:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        Tx.cta.permute_layout(B, A)

    assert reason(f) == "scope 'cta' is not 'warp'"


def test_a_bare_primitive_is_one_threads() -> None:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        Tx.permute_layout(B, A)

    assert reason(f) == "scope 'thread' is not 'warp'"


def test_extents_that_are_run_time_values() -> None:
    post = TileLayout(S[(2, 4, 32) : (128, 1, 4)])

    @T.prim_func
    def f(A_buf: T.Buffer((2, 1, 4, 32)), B_buf: T.Buffer((2, 1, 4, 32), layout=post)):
        T.cta_id([1])
        T.thread_id([32])
        for s, n in T.grid(2, 4):
            Tx.warp.permute_layout(B_buf[s, 0:1, 0:n, 0:32], A_buf[s, 0:1, 0:n, 0:32])

    assert reason(f) == "extents must be compile-time integers: src=[1, 1, ?, 32] vs dst=[1, 1, ?, 32]"


def test_an_extent_that_is_a_run_time_value_on_one_side() -> None:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        for n in T.serial(4):
            Tx.warp.permute_layout(B, A[n : 2 * n])

    assert reason(f) == "extents must be compile-time integers: src=[?, 32] vs dst=[4, 32]"


def test_extent_mismatch() -> None:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        Tx.warp.permute_layout(B[0:2], A)

    assert reason(f) == "slice shape mismatch: src=[4, 32] vs dst=[2, 32]"


def test_slice_that_is_no_layout() -> None:
    straddling = parse_layout("S[(2,2,16):(1000,10,1)]")
    plain = TileLayout(S[64])

    @T.prim_func
    def f(A: T.Buffer((64,), layout=straddling), B: T.Buffer((64,), layout=plain)):
        T.cta_id([1])
        T.thread_id([32])
        Tx.warp.permute_layout(B[0:32], A[3:35])

    assert reason(f).startswith("layout.slice failed: A[3:35] is no TileLayout")


def test_slice_at_a_run_time_start_across_iters() -> None:
    split = parse_layout("S[(2,2,32):(1000,100,1)]")

    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32), layout=split)):
        T.cta_id([1])
        T.thread_id([32])
        for s in range(3):
            Tx.warp.permute_layout(B[s : s + 2, :], A[s : s + 2, :])

    assert reason(f).startswith("layout.slice failed: the layout of B is not the same at every start of the region")


def test_local_buffer() -> None:
    @T.prim_func
    def f(A: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        own = T.alloc_buffer((4, 32), "float32", scope="local")
        Tx.warp.permute_layout(own, A)

    assert reason(f).startswith("dst own is local: a lane cannot reach another lane's registers")


def test_divergent_warp() -> None:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        t = T.thread_id([32])
        if t < 16:
            Tx.warp.permute_layout(B, A)

    assert reason(f) == "the lanes of a warp part before the call: a condition depends on the lane"


def test_start_depends_on_the_lane() -> None:
    @T.prim_func
    def f(A: T.Buffer((32, 4, 32)), B: T.Buffer((32, 4, 32))):
        T.cta_id([1])
        lane = T.lane_id([32])
        T.thread_id([32])
        Tx.warp.permute_layout(B[0], A[lane])

    assert reason(f).startswith("the region of A starts elsewhere for every lane")


def test_in_place_by_several_warps_or_blocks() -> None:
    rows, columns = parse_layout("S[(2,4,32):(128,32,1)]"), parse_layout("S[(2,4,32):(128,1,4)]")

    def stages(blocks: int, threads: int) -> PrimFunc:
        @T.prim_func
        def f(A: T.handle):
            by_rows = T.match_buffer(A, (2, 4, 32), layout=rows)
            by_columns = T.match_buffer(A, (2, 4, 32), layout=columns)
            T.cta_id([blocks])
            T.thread_id([threads])
            for s in range(2):
                Tx.warp.permute_layout(by_columns[s], by_rows[s])

        return f

    assert reason(stages(1, 64)).startswith("in place, 2 warps permute one region of by_columns at the same time")
    assert reason(stages(3, 32)).startswith("in place, 3 blocks permute one region")
    assert run(stages(1, 32).module).plans


def test_several_warps_may_copy_between_parts_of_one_buffer() -> None:
    @T.prim_func
    def f(A: T.Buffer((2, 4, 32))):
        T.cta_id([1])
        T.thread_id([64])
        Tx.warp.permute_layout(A[0], A[1])

    a = np.arange(256, dtype=np.float32)
    simulate(run(f.module).module, [a])
    assert a[:128].tolist() == a[128:].tolist()


def test_a_warp_number_is_the_same_for_all_lanes() -> None:
    @T.prim_func
    def f(A: T.Buffer((2, 4, 32)), B: T.Buffer((2, 4, 32))):
        T.cta_id([1])
        t = T.thread_id([64])
        if t // 32 == 1:
            for s in range(t >> 5, 2):
                Tx.warp.permute_layout(B[s], A[s])

    assert len(run(f.module).plans) == 1


def test_a_target_of_wide_warps() -> None:
    with pytest.raises(DispatchError, match="a warp of the target has 64 lanes; this variant is for 32"):
        run(program().module, "dispatched", lanes=64)


def test_unknown_variant_by_name() -> None:
    @T.prim_func
    def f(A: T.Buffer((4, 32)), B: T.Buffer((4, 32))):
        T.cta_id([1])
        T.thread_id([32])
        Tx.warp.permute_layout(B, A, dispatch="nope")

    with pytest.raises(DispatchError, match="no variant named 'nope' is registered; permute_layout has warp_xor"):
        run(f.module)


def test_the_whole_message() -> None:
    with pytest.raises(DispatchError) as caught:
        run(program(dtypes=("uint32", "float32")).module)
    first, *table, place = str(caught.value).splitlines()
    assert first == "no variant executes warp permute_layout(B_buf[4, 32], A_buf[4, 32])"
    assert table == [
        "  variant          | why not",
        "  warp_xor_swizzle | dtype mismatch: dst=uint32 vs src=float32",
    ]
    assert place.startswith(f"  at {__file__}:")
