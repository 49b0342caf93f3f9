"""A buffer carries its placement: swizzled tiles, the pool of shared memory, views; every stage and target agrees."""

from __future__ import annotations

import itertools
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mutants import define
from on_gpu import TARGETS

import tilewright as tw
from tilewright.analysis.banks.conflicts import bank_conflicts_at
from tilewright.dtypes import dtype
from tilewright.errors import CompileError, DispatchError, KernelError
from tilewright.ir.memory import storage_elements
from tilewright.ir.tile.shared import SharedMemory, allocations
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import STAGES
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.targets.launch import kernel_of
from tilewright.tirx.layout import ComposeLayout, S, SwizzleLayout, TileLayout, mma_shared_layout

PLAIN = TileLayout(S[(8, 64) : (64, 1)])
SWIZZLED = ComposeLayout(SwizzleLayout(per_element=3, swizzle_len=3, atom_len=3), PLAIN)
PADDED = TileLayout(S[(8, 64) : (72, 1)])
LAYOUTS = {"plain": PLAIN, "swizzled": SWIZZLED, "padded": PADDED}
BLOCKS, WARPS = 3, 4


def staged(layout: Any, space: str) -> T.PrimFunc:
    """Each block takes a tile through shared memory: 128 lanes write rows, then read columns."""

    @T.prim_func
    def staged(A: T.Buffer((BLOCKS, 8, 64), "float16"), B: T.Buffer((BLOCKS, 8, 64), "float16")):
        T.device_entry()
        b = T.cta_id([BLOCKS])
        t = T.thread_id([WARPS * 32])
        if space == "pool":
            pool = T.SMEMPool()
            flag = pool.alloc((1,), "uint8")
            pool.move_base_to(1024)
            tile = pool.alloc((8, 64), "float16", layout=layout)
            pool.commit()
            if t == 0:
                flag[0] = 1
        else:
            tile = T.decl_buffer((8, 64), "float16", scope=space, layout=layout)
        for k in T.unroll(4):
            tile[t // 16, t % 16 * 4 + k] = A[b, t // 16, t % 16 * 4 + k]
        T.cuda.cta_sync()
        for k in T.unroll(4):
            B[b, t % 8, t // 8 + 16 * k] = tile[t % 8, t // 8 + 16 * k]

    return staged


CASES = list(itertools.product(LAYOUTS, ("pool", "shared", "shared.dyn")))


def round_trip() -> tuple[np.ndarray, np.ndarray]:
    return np.arange(BLOCKS * 512, dtype=np.float16).reshape(BLOCKS, 8, 64), np.zeros((BLOCKS, 8, 64), np.float16)


@pytest.mark.parametrize(("layout", "space"), CASES)
def test_a_tile_comes_back_from_any_placement_at_every_stage(layout: str, space: str) -> None:
    kernel = tw.compile(staged(LAYOUTS[layout], space))
    counts = []
    for stage in STAGES:
        a, b = round_trip()
        report = kernel.simulate(a, b, stage=stage)
        assert (a == b).all()
        kept = [x for x in report.accesses if x.buffer != "flag"]  # which nobody reads, so that it goes
        counts.append([(x.kind, x.buffer, x.accesses, x.wavefronts, x.ideal) for x in kept])
    assert all(count == counts[0] for count in counts)


@pytest.mark.parametrize(("layout", "space"), CASES)
def test_a_tile_comes_back_from_any_placement_on_every_target(layout: str, space: str) -> None:
    for target in TARGETS:
        a, b = round_trip()
        tw.compile(staged(LAYOUTS[layout], space), target=target)(a, b)
        assert (a == b).all()


@pytest.mark.parametrize(("layout", "wavefronts"), [("plain", 8), ("swizzled", 1), ("padded", 1)])
def test_what_reading_columns_costs(layout: str, wavefronts: int) -> None:
    """8 rows x 4 columns a warp: plain rows of 128 bytes meet in two banks, swizzled or padded ones in none."""
    report = tw.compile(staged(LAYOUTS[layout], "pool")).report
    (load,) = report.select("load", "shared", "tile")
    assert load.accesses == load.ideal == BLOCKS * WARPS * 4
    assert load.wavefronts == wavefronts * load.accesses


@pytest.mark.parametrize(("layout", "wavefronts"), [("plain", 8), ("swizzled", 1)])
@pytest.mark.parametrize("column", [0, 5, 63])
def test_one_column_of_document_003(layout: str, wavefronts: int, column: int) -> None:
    """Column 0 lies on banks 0, 4, .., 28 with the swizzle, and on bank 0 alone without."""
    placed = LAYOUTS[layout]

    @T.prim_func
    def f(B: T.Buffer((8,), "float16")):
        T.cta_id([1])
        t = T.thread_id([64])
        tile = T.SMEMPool().alloc((8, 64), "float16", layout=placed)
        for i in range(8):
            tile[i, t] = 0
        T.cuda.cta_sync()
        if t < 8:
            B[t] = tile[t, column]

    assert tw.compile(f).report.wavefronts("load", "shared") == wavefronts


@pytest.mark.parametrize(("start", "wavefronts"), [(0, 2), (2, 1)])
def test_the_banks_of_a_buffer_start_where_it_lies(start: int, wavefronts: int) -> None:
    """Halves that lie 2 bytes further on share words with others than their first neighbours."""

    @T.prim_func
    def f(B: T.Buffer((2,), "float16")):
        T.cta_id([1])
        t = T.thread_id([32])
        pool = T.SMEMPool()
        pool.move_base_to(start)
        tile = pool.alloc((128,), "float16")
        for i in range(4):
            tile[i * 32 + t] = 0
        T.cuda.cta_sync()
        if t < 2:
            B[t] = tile[1 + 63 * t]

    addresses = [start + 2 * (1 + 63 * t) for t in range(2)]
    assert bank_conflicts_at([*addresses, *[None] * 30], 2).wavefronts == wavefronts
    for stage in STAGES:
        report = tw.compile(f).simulate(np.zeros(2, np.float16), stage=stage)
        assert report.wavefronts("load", "shared") == wavefronts


# ---- the text


def test_the_pool_in_cuda_text(golden: Any) -> None:
    kernel = tw.compile(staged(SWIZZLED, "pool"))
    golden("pool_final.cu", kernel.source)
    assert kernel.text.pool_bytes == 2048
    assert kernel.text.shared_bytes == 0


def large(bytes_: int, arrays: int = 0) -> T.PrimFunc:
    @T.prim_func
    def large(A: T.Buffer((32,), "float32")):
        T.cta_id([1])
        t = T.thread_id([32])
        tile = T.SMEMPool().alloc((bytes_ // 4,), "float32")
        tile[t + bytes_ // 4 - 32] = A[t]
        if arrays > 0:
            own = T.alloc_shared((max(arrays, 4) // 4,), "float32")
            own[t] = tile[t + bytes_ // 4 - 32]
            A[t] = own[t] + 1
        else:
            A[t] = tile[t + bytes_ // 4 - 32] + 1

    return large


@pytest.mark.parametrize("arch", ["sm_80", "sm_90a", "sm_100a"])
def test_cubins_of_pools_beyond_what_arrays_may_take(arch: str) -> None:
    kernel = tw.compile(large(150 * 1024, 8192), target=f"cuda:{arch}")
    assert kernel.cubin.startswith(b"\x7fELF")
    assert str(kernel.shared) == "161792 bytes of shared memory (8192 in arrays, 153600 in the pool)"
    assert str(kernel.shared) in str(kernel.report)


@pytest.mark.parametrize(
    ("target", "limit"), [("cuda:sm_80", 163), ("cuda:sm_90a", 227), ("host", 227), ("simulator", 227)]
)
def test_a_block_has_so_much_shared_memory(target: str, limit: int) -> None:
    a = np.zeros(32, np.float32)
    fits = tw.compile(large(limit * 1024), target=target)
    if not target.startswith("cuda"):
        fits(a)
        assert (a == 1).all()
    arch = fits.target.arch.name
    for kernel, need in (
        (large(limit * 1024 + 4), f"{limit * 1024 + 4} bytes of shared memory"),
        (large(limit * 1024 - 1020, 4), f"{limit * 1024 + 4} bytes of shared memory (4 in arrays"),
    ):
        with pytest.raises(CompileError) as caught:
            tw.compile(kernel, target=target)
        assert f"the kernel needs {need}" in str(caught.value)
        assert str(caught.value).endswith(f"; a block on {arch} has {limit * 1024}")


def test_arrays_of_their_own_are_limited_sooner() -> None:
    @T.prim_func
    def f(A: T.Buffer((32,), "float32")):
        T.cta_id([1])
        t = T.thread_id([32])
        own = T.decl_buffer((12289,), "float32", scope="shared")
        own[t] = A[t]
        A[t] = own[t]

    with pytest.raises(CompileError, match="take 49156 bytes of shared memory, a block has 49152 for them; a pool"):
        tw.compile(f, target="cuda")


# ---- places in the pool


@st.composite
def wishes(draw: st.DrawFn) -> tuple[str, int, int, Any]:
    """An element type, a number of elements, an alignment, and a layout."""
    name = draw(st.sampled_from(["uint8", "float16", "float32", "complex128", "float4_e2m1fn", "float6_e2m3fn"]))
    count = draw(st.integers(1, 70))
    layout = draw(
        st.sampled_from(
            [
                None,
                TileLayout(S[count:3]),
                TileLayout(S[count] + 5),
                ComposeLayout(1, 1, 2, TileLayout(S[count])),
            ]
        )
    )
    return name, count, draw(st.sampled_from([0, 1, 2, 8, 16, 128, 1024])), layout


@given(st.lists(wishes(), min_size=1, max_size=6), st.integers(0, 40))
@settings(max_examples=60)
def test_the_pool_hands_out_each_byte_once(wanted: list[tuple[str, int, int, Any]], gap: int) -> None:
    """Buffers are aligned, apart, in order and without needless gaps; each has room for all that its layout reaches."""
    lines = [
        f"x{i} = pool.alloc(({count},), {name!r}, align={align}, layout=layouts[{i}])"
        for i, (name, count, align, _) in enumerate(wanted)
    ]
    body = "\n    ".join(
        ["T.cta_id([1])", "T.thread_id([32])", "pool = T.SMEMPool()", f"pool.move_base_to({gap})", *lines]
    )
    function = define(f"from __future__ import annotations\ndef f():\n    {body}\n    pool.commit()\n", "pool")
    function.__globals__["layouts"] = [layout for *_, layout in wanted]
    func = kernel_of(T.prim_func(function).module)
    end = gap
    for found, (name, count, align, layout) in zip(allocations(func), wanted, strict=True):
        kind, reach = dtype(name), count if layout is None else storage_elements(layout)
        step = max(align, kind.bits // 8, 1)
        assert found.offset is not None
        assert found.offset % step == 0
        assert end <= found.offset < end + step
        assert found.size == -(-reach * kind.bits // 8)
        end = found.end
    assert SharedMemory.of(func) == SharedMemory(0, end)


def test_the_pool_tells_its_offset_and_keeps_what_is_committed() -> None:
    @T.prim_func
    def f(A: T.Buffer((2,), "int32")):
        T.cta_id([1])
        t = T.thread_id([1])
        pool = T.SMEMPool()
        first = pool.alloc((3,), "uint8")
        A[0] = pool.offset
        second = pool.alloc((3,), "float32", align=16)
        A[1] = pool.max_offset
        pool.commit(4096)
        first[t] = 1
        second[t] = 1

    a = np.zeros(2, np.int32)
    kernel = tw.compile(f)
    kernel(a)
    assert a.tolist() == [3, 16 + 12]
    assert kernel.shared == SharedMemory(0, 4096)
    assert kernel.script("tile").splitlines()[-1] == "    T.SMEMPool().commit(4096)"


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
def test_tiles_for_tensor_cores(mode: int) -> None:
    @T.prim_func
    def f():
        T.cta_id([1])
        T.thread_id([32])
        pool = T.SMEMPool()
        tmem_address = pool.alloc((1,), "uint32")
        a = pool.alloc_mma((2, 64, 64), "float16", swizzle_mode=mode)
        b = pool.alloc_tcgen05_mma_AB((64, 64), "bfloat16")
        for i in range(2):
            a[i, 0, 0] = 0
        b[0, 0] = 0
        tmem_address[0] = 0

    address, a, b = allocations(kernel_of(f.module))
    assert (address.offset, a.offset, b.offset) == (0, 1024, 1024 + 2 * 8192)
    assert a.op.results[0].type.layout == mma_shared_layout("float16", mode, (2, 64, 64))
    assert b.op.results[0].type.layout == mma_shared_layout("bfloat16", 3, (64, 64))


# ---- views


ROWS, COLUMNS = TileLayout(S[(2, 4, 32) : (128, 32, 1)]), TileLayout(S[(2, 4, 32) : (128, 1, 4)])


@pytest.mark.parametrize("space", ["shared", "shared.dyn"])
def test_scale_factors_turn_in_place_through_a_view_of_shared_memory(space: str) -> None:
    @T.prim_func
    def f(A: T.Buffer((2, 4, 32), "uint32"), B: T.Buffer((256,), "uint32")):
        T.cta_id([1])
        t = T.thread_id([32])
        given_ = T.alloc_buffer((2, 4, 32), "uint32", scope=space, layout=ROWS)
        post = T.decl_buffer((2, 4, 32), "uint32", data=given_.data, scope=space, layout=COLUMNS)
        flat = T.decl_buffer((256,), "uint32", data=post.data)
        for s, g in T.grid(2, 4):
            given_[s, g, t] = A[s, g, t]
        T.cuda.warp_sync()
        for s in T.serial(2):
            Tx.warp.permute_layout(post[s], given_[s])
        for i in range(8):
            B[i * 32 + t] = flat[i * 32 + t]

    a, expected = np.arange(256, dtype=np.uint32), np.arange(256).reshape(2, 4, 32).transpose(0, 2, 1).reshape(-1)
    kernel = tw.compile(f)
    for stage in STAGES:
        b = np.zeros(256, np.uint32)
        kernel.simulate(a, b, stage=stage)
        assert b.tolist() == expected.tolist()
    b = np.zeros(256, np.uint32)
    tw.compile(f, target="host")(a, b)
    assert b.tolist() == expected.tolist()


def test_two_warps_may_not_turn_one_view_in_place() -> None:
    @T.prim_func
    def f(A: T.Buffer((4, 32), "uint32")):
        T.cta_id([1])
        T.thread_id([64])
        post = T.decl_buffer((4, 32), "uint32", data=A.data, layout=TileLayout(S[(4, 32) : (1, 4)]))
        Tx.warp.permute_layout(post, A)

    with pytest.raises(DispatchError, match="in place, 2 warps permute one region of post"):
        tw.compile(f)


@pytest.mark.parametrize("side", ["src", "dst"])
def test_a_swizzled_pool_buffer_is_permuted_by_the_general_variant(side: str) -> None:
    @T.prim_func
    def f(A: T.Buffer((8, 64), "float32")):
        T.cta_id([1])
        T.thread_id([32])
        tile = T.SMEMPool().alloc((8, 64), "float32", layout=SWIZZLED)
        if side == "src":
            Tx.warp.permute_layout(A, tile)
        else:
            Tx.warp.permute_layout(tile, A)

    assert [plan.variant for plan in tw.compile(f).plans] == ["warp_scheduled"]


def test_views_start_where_they_are_told() -> None:
    """The arena of TIRx's own documentation, and halves of it that are swizzled."""
    period = SwizzleLayout(0, 1, 2)  # of 8 elements

    @T.prim_func
    def f(A: T.Buffer((64,), "int32"), B: T.Buffer((64,), "int32")):
        T.cta_id([1])
        t = T.thread_id([32])
        arena = T.alloc_buffer((64,), "int32", scope="shared.dyn")
        low = T.decl_buffer((32,), "int32", data=arena.data, scope="shared.dyn", layout=period)
        high = T.decl_buffer((32,), "int32", data=arena.data, elem_offset=32, layout=period)
        tail = T.decl_buffer((16, 2), "int32", data=A.data, byte_offset=32 * 4, layout=TileLayout(S[(16, 2) : (1, 16)]))
        low[t] = A[t]
        high[t] = tail[t // 2, t % 2]
        T.cuda.cta_sync()
        B[t] = arena[t]
        B[t + 32] = arena[t + 32]

    swizzled = [period.swizzle(i) for i in range(32)]
    a = np.arange(64, dtype=np.int32)
    turned = a[32:].reshape(2, 16).T.reshape(-1)
    expected = np.zeros(64, np.int32)
    expected[swizzled], expected[[32 + i for i in swizzled]] = a[:32], turned
    for stage in STAGES:
        b = np.zeros(64, np.int32)
        tw.compile(f).simulate(a, b, stage=stage)
        assert b.tolist() == expected.tolist()


@pytest.mark.parametrize("scope", ["shared", "local"])
@pytest.mark.parametrize("align", [1 << power for power in range(11)])
def test_an_array_is_aligned_as_it_is_asked_for_or_refused(scope: str, align: int) -> None:
    """In the text, by as much at least as the kernel asks for."""

    def made() -> PrimFunc:
        @T.prim_func
        def kernel(A: T.Buffer((32,), "float32")) -> None:
            T.device_entry()
            T.cta_id([1])
            t = T.thread_id([32])
            s = T.alloc_buffer((32,), "float32", scope=scope, align=align)
            s[t] = A[t]
            A[t] = s[t] * 2.0

        return kernel

    most = {"shared": 128, "local": 64}[scope]
    if align > most:
        with pytest.raises(KernelError, match=f"aligned to {most} bytes, not {align}"):
            made()
    else:
        text = tw.compile(made(), target="cuda:sm_90a").source
        assert max(map(int, re.findall(r"alignas\((\d+)\)", text)), default=0) >= (align if align > 16 else 0)
