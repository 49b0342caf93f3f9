"""Buffers of tensor memory: which columns they get, what may be asked of them, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import parse_module, print_module
from tilewright.lang.primfunc import PrimFunc
from tilewright.lang.tensor_pool import columns_of, tensor_buffer
from tilewright.script import tirx as T
from tilewright.tirx.hardware.scale_factors import sf_tmem_layout
from tilewright.tirx.hardware.tmem import DATAPATHS, LANES, TCOL, TLANE, tmem_datapath_layout
from tilewright.tirx.spec import S
from tilewright.tirx.tile_layout import TileLayout


@given(st.sampled_from(sorted(DATAPATHS)), st.integers(1, 64), st.sampled_from([8, 16, 32]))
def test_as_many_columns_as_elements_reach(letter: str, columns: int, bits: int) -> None:
    """The farthest element ends in the last column."""
    path = DATAPATHS[letter]
    layout = tmem_datapath_layout(letter, path.rows, 4 * columns)
    places = [layout.apply(i) for i in range(layout.size())]
    last = max(place.get("TCol", 0) for place in places)
    assert columns_of(layout, bits) == -(-(last + 1) * bits // 32)
    assert max(place.get("TLane", 0) for place in places) < LANES


def test_scale_factors_are_four_to_a_column() -> None:
    assert columns_of(sf_tmem_layout(128, 4, 1), 8) == 4
    assert columns_of(sf_tmem_layout(256, 16, 4), 8) == 32


def made(total: int = 64, commits: int = 1, **options: Any) -> PrimFunc:
    """A kernel with a pool of which two buffers are taken."""
    ctas, warp = options.get("ctas", 1), options.get("warp", 0)
    first, second = options.get("first", (128, 16)), options.get("second", (64, 32))

    @T.prim_func
    def kernel(A: T.Buffer((64,), "uint32")) -> None:
        T.device_entry()
        T.cta_id([2])
        t = T.thread_id([128])
        pool = T.SMEMPool()
        columns = T.TMEMPool(pool, total, cta_group=ctas, alloc_warp=warp)
        one = columns.alloc(first, "float16")
        other = columns.alloc_tcgen05_mma_D(second, "float32", M=64)
        factors = columns.alloc_sf((32, 4), "float8_e8m0fnu", sf_per_mma=4)
        if commits > 0:
            columns.commit()
        if commits > 1:
            columns.commit()
        if t == 0:
            A[0] = columns.addr
            A[1] = one.allocated_addr[0]
            A[2] = other.allocated_addr[0]
            A[3] = factors.allocated_addr[0]
            A[4] = T.cuda.get_tmem_addr(other, 16, 3)
        columns.dealloc()

    return kernel


def test_buffers_follow_each_other() -> None:
    """Of 16 bits two elements are a column: the second buffer begins at column 8, the third at 40."""
    module = made().module
    text = print_module(module)
    assert print_module(parse_module(text)) == text
    told = script(module)
    assert re.search(r"tcgen05\.alloc\.cta_group__1\.[a-z_.0-9]*\(.*, 64\)", told)
    assert "tcgen05.dealloc" in told
    assert [number for number in ("8", "40") if f"constant {number} :" in text] == ["8", "40"]


def test_a_pair_and_another_warp() -> None:
    text = script(made(ctas=2, warp=3).module)
    assert "alloc.cta_group__2" in text
    assert "== 3" in text


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"total": 48}, "powers of two from 32 to 512"),
        ({"total": 32}, r"a buffer of 32 columns from column 8 on: T.TMEMPool has 32 \(total_cols=\)"),
        ({"commits": 0}, "has no columns yet|never committed"),
        ({"commits": 2}, "committed once"),
        ({"ctas": 3}, "cta_group is 1 or 2, got 3"),
        ({"first": (129, 16)}, "has up to 128 rows"),
        ({"first": (128,)}, "has up to 128 rows"),
        ({"second": (32, 32)}, "expects per-CTA rows 64, got 32"),
    ],
)
def test_what_is_refused(options: dict[str, Any], match: str) -> None:
    with pytest.raises(KernelError, match=match):
        made(**options)


def spoken(number: int) -> PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "uint32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([32])
        pool = T.SMEMPool()
        if number == 0:
            T.TMEMPool(A, 64)
        columns = T.TMEMPool(pool, 64, tmem_addr=A if number == 1 else None)
        if number == 2:
            T.TMEMPool(pool, 64)
        if number == 3:
            columns.move_base_to(65)
        if number == 4:
            columns.alloc((128, 32), "float32", cols=16)
        if number == 5:
            T.alloc_buffer((128, 32), "float32", scope="tmem")
        if number == 6:
            T.decl_buffer((128, 32), "float32", scope="tmem")
        if number == 7:
            A[0] = columns.nothing
        if number == 8:
            columns.commit()
            columns.alloc((128, 32), "float32")
        if number == 9:
            columns.alloc_sf((32,), "float8_e8m0fnu", sf_per_mma=4)
        if number == 10:
            A[0] = columns.alloc((128, 32), "float32").data

    return kernel


@pytest.mark.parametrize(
    ("number", "match"),
    [
        *enumerate(
            [
                "takes a T.SMEMPool",
                "tmem_addr is a buffer of uint32 in shared memory",
                "a kernel has one T.TMEMPool",
                "column 65 of T.TMEMPool, which has 64",
                "takes 32 columns of tensor memory, cols=16",
                "tensor memory is T.TMEMPool's",
                "views allocated_addr=",
                "has no attribute 'nothing'",
                "alloc comes before commit",
                "or stages before it",
                "has no attribute 'data'",
                "never committed",
            ]
        )
    ],
)
def test_what_else_is_refused(number: int, match: str) -> None:
    with pytest.raises(KernelError, match=match):
        spoken(number)


def test_layouts_of_other_axes_are_refused() -> None:
    with pytest.raises(KernelError, match="its 128 lanes, TLane, and TCol"):
        tensor_buffer((4, 8), dtype("float32"), TileLayout(S[(4, 8) : (8, 1)]), 0)
    with pytest.raises(KernelError, match="its 128 lanes"):
        tensor_buffer((2, 8), dtype("float32"), TileLayout(S[(2, 8) : (128 @ TLANE, 1 @ TCOL)]), 0)
    with pytest.raises(KernelError, match="is a TileLayout of"):
        tensor_buffer((2, 8), dtype("float32"), TileLayout(S[(2, 4) : (1 @ TLANE, 1 @ TCOL)]), 0)
