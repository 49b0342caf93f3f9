"""What asynchronous copies cost: the bytes of a report are those of the tiles that were copied, at their lines."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

import numpy as np
import pytest
from faults import FOLDER
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
from tilewright.errors import UsageError
from tilewright.script import tirx as T


def corpus(name: str) -> ModuleType:
    """A file of the corpus."""
    sys.path.insert(0, str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.pop(0)


@pytest.mark.hypothesis
@settings(max_examples=8)
@given(steps=st.integers(1, 3), rows=st.sampled_from((8, 16)), columns=st.sampled_from((8, 32)), edge=st.integers(0, 7))
def test_boxes_have_their_bytes(steps: int, rows: int, columns: int, edge: int) -> None:
    """In shared memory all of each box, in global memory what of it lies in the tensor; sectors hold these bytes."""
    bulk = corpus("bulk")
    kernel = tw.compile(bulk.tiles("", 2, steps, rows, columns))
    arguments = bulk.tile_arguments(steps, rows, columns, edge=(edge, 0))
    report = kernel.profile(*arguments)
    boxes, there = 2 * steps * rows * columns * 2, arguments[0].array.nbytes
    for kind, away in (("load", "A"), ("store", "B")):
        (outer,) = report.select(kind, "global", away)
        assert (outer.bytes, outer.accesses) == (there, 2 * steps)
        assert outer.sectors * report.arch.sector_bytes >= there
        assert outer.sectors >= outer.ideal_sectors > 0
        lines = [line for line in report.lines if line.line == outer.line]
        assert [line.bytes for line in lines] == [there + boxes]
    copies = [access for access in report.accesses if access.space == "shared" and access.width_bytes == 16]
    assert [access.bytes for access in copies] == [boxes, boxes]
    with pytest.raises(UsageError, match=r"kernel\.profile"):
        kernel.report  # the attribute refuses


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("tma", [False, True])
def test_what_comes_to_several_blocks_is_read_once(size: int, tma: bool) -> None:
    clusters = corpus("clusters")
    arguments = clusters.pipeline_arguments(size, 3)
    report = tw.compile(clusters.pipeline("", size, 2, 3, tma)).profile(*arguments)
    blocks, tensor = arguments[2].shape[0], arguments[0].array.nbytes
    read = sum(access.bytes for access in report.select("load", "global"))
    written = sum(access.bytes for access in report.select("store", "shared") if access.width_bytes == 16)
    assert (read, written) == (tensor * blocks // size, tensor * blocks)


@pytest.mark.parametrize("count", [4, 8, 16])
@pytest.mark.parametrize("stride", [1, 2])
def test_cp_async_has_the_bytes_of_its_lanes(count: int, stride: int) -> None:
    elements = count // 4

    @T.prim_func
    def kernel(A: T.Buffer((1024,), "float32"), B: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((512,), "float32")
        if t < 48:
            T.ptx.cp.async_.ca.shared.global_(s.ptr_to([elements * t]), A.ptr_to([elements * stride * t]), count)
        T.ptx.cp.async_.wait_all()
        T.cuda.cta_sync()
        B[t] = s[0]

    report = tw.compile(kernel).profile(np.zeros(1024, np.float32), np.zeros(64, np.float32))
    (source,), (target,) = (report.select("load", "global", "A"), report.select("store", "shared", "s"))
    assert (source.accesses, target.accesses) == (2, 2)
    assert source.bytes == target.bytes == 48 * count
    touched = {4 * elements * stride * lane // 32 + i for lane in range(48) for i in range(-(-count // 32))}
    assert source.sectors == len(touched)
    assert target.wavefronts == 0


def test_lanes_that_read_nothing_for_a_copy_read_no_sector() -> None:
    @T.prim_func
    def kernel(A: T.Buffer((256,), "float32"), B: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((256,), "float32")
        T.ptx.cp.async_.ca.shared.global_(s.ptr_to([4 * t]), A.ptr_to([4 * t]), 16, 16 if t < 32 else 0)
        T.ptx.cp.async_.wait_all()
        B[t] = s[4 * t]

    a, b = np.ones(256, np.float32), np.zeros(64, np.float32)
    report = tw.compile(kernel).profile(a, b)
    assert b.tolist() == [1.0] * 32 + [0.0] * 32
    (source,), (target,) = (report.select("load", "global", "A"), report.select("store", "shared", "s"))
    assert [(x.accesses, x.bytes) for x in (source, target)] == [(1, 512), (2, 1024)]


def test_lanes_read_other_blocks_as_they_read_their_own() -> None:
    """Each lane another block; the warps part before."""

    @T.prim_func
    def kernel(B: T.Buffer((4, 64), "int32")) -> None:
        T.device_entry()
        bx = T.cta_id([4])
        rank = T.cta_id_in_cluster([2])
        t = T.thread_id([64])
        s = T.alloc_shared((64,), "int32")
        s[t] = 100 * bx + t
        there = T.ptx.mapa(s, (rank + t) % 2)
        T.cuda.cluster_sync()
        if t >= 32:
            T.ptx.bar.sync(1, 32)
            B[bx, t] = there[t]
        else:
            B[bx, t] = s[t]
        T.cuda.cluster_sync()

    b = np.zeros((4, 64), np.int32)
    report = tw.compile(kernel).profile(b)
    block, t = np.indices(b.shape)
    assert (b == np.where(t < 32, 100 * block, 100 * (block // 2 * 2 + (block % 2 + t) % 2)) + t).all()
    assert [x.accesses for x in report.select("load", "shared")] == [4, 4]
