"""Buffers, views, pools, regions and elements that are wrong are refused with the place and the reason."""

from __future__ import annotations

from typing import Any

import pytest
from refusals import Kernel, check_refused, refusals

from tilewright.layout.symbolic.symint import SymInt
from tilewright.script import tirx as T
from tilewright.script.tirx import tile as Tx
from tilewright.tirx.layout import S, SwizzleLayout, TileLayout

CASES: list[Any] = []
SHAPE = (4, 32)
RUN_TIME = TileLayout(S[(4, 32) : (SymInt("pitch"), 1)])
SMALLER = TileLayout(S[4, 16])
SWIZZLE = SwizzleLayout(3, 3, 3)
BELOW = TileLayout(S[(4, 32) : (-32, 1)])
refused = refusals(CASES)


@pytest.mark.parametrize(("kernel", "message", "at"), CASES)
def test_refused_with_place_and_reason(kernel: Kernel, message: str, at: str) -> None:
    check_refused(kernel, message, at)


# ---- buffers


@refused("the layout TileLayout(S[(4, 16):(16, 1)]) has 64 elements, the shape (4, 32) has 128", at="T.match_buffer")
def layout_of_another_size(A: T.handle):
    T.match_buffer(A, SHAPE, "float32", layout=SMALLER)


@refused("reaches offset -96, below its buffer; add an offset of 96", at="T.match_buffer")
def layout_below_zero(A: T.handle):
    T.match_buffer(A, SHAPE, "float32", layout=BELOW)


@refused("the layout TileLayout(S[(4, 32):(?, 1)]) reaches a run-time offset", at="T.match_buffer")
def run_time_layout(A: T.handle):
    T.match_buffer(A, SHAPE, "float32", layout=RUN_TIME)


@refused("the shape of a buffer is made of constant integers", at="T.alloc_local")
def run_time_shape():
    for i in range(4):
        T.alloc_local((i, 4))


@refused("did you mean 'float32'", at="T.match_buffer")
def unknown_type(A: T.handle):
    T.match_buffer(A, SHAPE, "flaot32")


@refused("a layout is a TileLayout or a ComposeLayout, got 3", at="T.match_buffer")
def no_layout(A: T.handle):
    T.match_buffer(A, SHAPE, "float32", layout=3)


@refused("extents of at least 1", at="T.match_buffer")
def empty_buffer(A: T.handle):
    T.match_buffer(A, (4, 0))


@refused("T.match_buffer: missing a required argument: 'shape'", at="T.match_buffer")
def missing_argument(A: T.handle):
    T.match_buffer(A)


@refused("views a parameter of the kernel, got 3", at="T.match_buffer")
def match_a_number():
    T.match_buffer(3, SHAPE)


@refused("was matched with elements of type f32, not i32", at='T.match_buffer(A, SHAPE, "int32")')
def matched_twice(A: T.handle):
    T.match_buffer(A, SHAPE, "float32")
    T.match_buffer(A, SHAPE, "int32")


@refused("outside of loops", at="T.match_buffer")
def match_in_a_loop(A: T.handle):
    for _i in range(2):
        T.match_buffer(A, SHAPE)


@refused("not in 'global'; global memory comes in as a parameter, and data=A.data views it", at="T.alloc_buffer")
def alloc_global():
    T.alloc_buffer(SHAPE, "float32")


@refused('scope="tmem" views allocated_addr=, a uint32; T.TMEMPool has new columns; got None', at="T.decl_buffer")
def tensor_memory():
    T.decl_buffer(SHAPE, "float32", scope="tmem")


@refused("an array is aligned to 128 bytes, not 256; the pool aligns to up to 1024", at="T.alloc_buffer")
def aligned_array():
    T.alloc_buffer(SHAPE, "float32", scope="shared", align=256)


@refused("an array is aligned to 64 bytes, not 128", at="T.alloc_buffer")
def aligned_registers():
    T.alloc_buffer(SHAPE, "float32", scope="local", align=128)


@refused("an offset places a view, with data=A.data", at="T.decl_buffer")
def offset_of_nothing():
    T.decl_buffer(SHAPE, "float32", scope="shared", elem_offset=4)


@refused("reaches 3298534883332 elements of memory; a buffer has at most 2^31", at="T.alloc_local")
def gaps():
    T.alloc_local((4, 4), layout=TileLayout(S[(4, 4) : (2**40, 1)]))


# ---- views


@refused("data is the memory of a buffer, A.data, got A", at="T.decl_buffer")
def view_of_a_buffer(A: T.Buffer((4, 32))):
    T.decl_buffer(SHAPE, "float32", data=A)


@refused("A has elements of type float32, a view of it cannot have int32", at="T.decl_buffer")
def view_of_another_type(A: T.Buffer((4, 32))):
    T.decl_buffer(SHAPE, "int32", data=A.data)


@refused("A lies in scope 'global', a view of it cannot lie in 'shared'", at="T.decl_buffer")
def view_in_another_scope(A: T.Buffer((4, 32))):
    T.decl_buffer(SHAPE, "float32", data=A.data, scope="shared")


@refused("the view reaches 129 elements, the memory of A has 128", at="T.decl_buffer")
def view_beyond_its_memory(A: T.Buffer((4, 32))):
    T.decl_buffer(SHAPE, "float32", data=A.data, elem_offset=1)


@refused("byte_offset=6 does not start an element of 32 bits", at="T.decl_buffer")
def askew_view(A: T.Buffer((4, 32))):
    T.decl_buffer((4,), "float32", data=A.data, byte_offset=6)


@refused("repeats after 512 elements; it cannot start 8 further on", at="T.decl_buffer")
def shifted_swizzle(A: T.Buffer((600,))):
    T.decl_buffer((8, 64), "float32", data=A.data, elem_offset=8, layout=SWIZZLE)


@refused("elem_offset is an integer, got 0.5", at="T.decl_buffer")
def half_an_element(A: T.Buffer((4, 32))):
    T.decl_buffer((4,), "float32", data=A.data, elem_offset=0.5)


@refused("elem_offset is a constant of at least 0", at="T.decl_buffer")
def before_the_memory(A: T.Buffer((4, 32))):
    T.decl_buffer((4,), "float32", data=A.data, elem_offset=-1)


@refused("cannot compute with Pointer", at="A.data + 4")
def pointer_arithmetic(A: T.Buffer((4, 32))):
    T.decl_buffer((4,), "float32", data=A.data + 4)


# ---- the pool


@refused("a kernel has one T.SMEMPool()", at="T.SMEMPool()")
def two_pools():
    T.SMEMPool()
    T.SMEMPool()


@refused("byte_offset=2 is no multiple of 4, to which the buffer is aligned", at="T.decl_buffer")
def askew_place():
    T.decl_buffer(SHAPE, "float32", scope="shared.dyn", byte_offset=2)


@refused("align is a power of two up to 1024 bytes, got 48", at="pool.alloc")
def odd_alignment():
    pool = T.SMEMPool()
    pool.alloc(SHAPE, "float32", align=48)


@refused("align is a power of two up to 1024 bytes, got 2048", at="pool.alloc")
def wide_alignment():
    pool = T.SMEMPool()
    pool.alloc(SHAPE, "float32", align=2048)


@refused("512 bytes of the pool are handed out, more than the 511 committed", at="pool.commit")
def small_commit():
    pool = T.SMEMPool()
    pool.alloc(SHAPE, "float32")
    pool.commit(511)


@refused("the pool lies in scope=\"shared.dyn\", got 'local'", at="pool.alloc")
def pool_of_registers():
    pool = T.SMEMPool()
    pool.alloc(SHAPE, "float32", scope="local")


@refused("the offset is a constant of at least 0", at="pool.move_base_to")
def run_time_place():
    pool = T.SMEMPool()
    for i in range(2):
        pool.move_base_to(i)


@refused("mode 3 (SWIZZLE_128B_ATOM) needs", at="pool.alloc_mma")
def narrow_tile():
    pool = T.SMEMPool()
    pool.alloc_mma((64, 32), "float16")


@refused("has no attribute 'free' in a kernel", at="pool.free")
def pool_without_free():
    pool = T.SMEMPool()
    pool.free()


@refused("cannot compute with", at="pool + 1")
def pool_arithmetic(A: T.Buffer((4, 32))):
    pool = T.SMEMPool()
    A[0, 0] = pool + 1


# ---- regions and elements


@refused("the region 2:6 does not lie in a dimension of extent 4", at="Tx.warp.permute_layout")
def region_outside(A: T.Buffer((4, 32))):
    Tx.warp.permute_layout(A[2:6], A)


@refused("the region of extent 5 does not lie", at="Tx.warp.permute_layout")
def moving_region_outside(A: T.Buffer((4, 32))):
    for s in range(2):
        Tx.warp.permute_layout(A[s : s + 5], A)


@refused("a region has no step", at="Tx.warp.permute_layout")
def stepping_region(A: T.Buffer((4, 32))):
    Tx.warp.permute_layout(A[0:4:2], A)


@refused("3 indices into A, a buffer of shape (4, 32)", at="Tx.warp.permute_layout")
def too_many_indices(A: T.Buffer((4, 32))):
    Tx.warp.permute_layout(A[0, 0, 0], A)


@refused("takes a buffer or a region of one, got 3", at="Tx.warp.permute_layout")
def permute_a_number(A: T.Buffer((4, 32))):
    Tx.warp.permute_layout(3, A)


@refused("missing a required argument: 'src'", at="Tx.warp.permute_layout")
def permute_one(A: T.Buffer((4, 32))):
    Tx.warp.permute_layout(A)


@refused("the index 4 lies outside a dimension of extent 4", at="A[4, 0]")
def index_outside(A: T.Buffer((4, 32))):
    A[0, 0] = A[4, 0]


@refused("the index -1 lies outside", at="A[-1, 0]")
def negative_index(A: T.Buffer((4, 32))):
    A[-1, 0] = 0


@refused("1 indices into A, a buffer of shape (4, 32)", at="A[0] = 1")
def too_few_indices(A: T.Buffer((4, 32))):
    A[0] = 1


@refused("an index is an integer, got 1.5", at="A[1.5, 0]")
def real_index(A: T.Buffer((4, 32))):
    A[0, 0] = A[1.5, 0]
