"""Instructions are refused on machines that lack them, and run on those that have them."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import SimulationError
from tilewright.script import tirx as T


def copied() -> T.PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((64,), "float32")
        T.ptx.cp.async_.ca.shared.global_(s.ptr_to([t]), A.ptr_to([t]), 4)
        T.ptx.cp.async_.wait_all()

    return kernel


def waited() -> T.PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        bar = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 64)
        T.cuda.cta_sync()
        T.ptx.mbarrier.arrive(bar.ptr_to([0]))

    return kernel


def expected() -> T.PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        bar = T.alloc_shared((1,), "uint64")
        if t == 0:
            T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
            T.ptx.mbarrier.arrive.expect_tx(bar.ptr_to([0]), 0)

    return kernel


def fenced() -> T.PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([64])
        T.ptx.fence.proxy.async_()

    return kernel


def clustered() -> T.PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id_in_cluster([2])
        T.cta_id([2])
        T.thread_id([64])
        T.cuda.cluster_sync()

    return kernel


def numbered() -> T.PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([64])
        T.ptx.bar.sync(1, 64)

    return kernel


def regrown() -> T.PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([128])
        T.ptx.setmaxnreg.inc.sync.aligned.u32(64)

    return kernel


def packed() -> T.PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        T.ptx.red.relaxed.gpu.global_.v2.f32.add(A.ptr_to([2 * t]), 0.5, 1.0)

    return kernel


def reaching() -> T.PrimFunc:
    @T.prim_func
    def kernel(A: T.Buffer((64,), "float32")) -> None:
        T.device_entry()
        T.cta_id([1])
        T.thread_id([64])
        T.ptx.fence.acq_rel.cluster()

    return kernel


MACHINES = ("sm_70", "sm_75", "sm_80", "sm_90", "sm_90a", "sm_100a", "gfx942", "gfx1100")
CASES: list[tuple[Callable[[], T.PrimFunc], str, str]] = [
    (copied, "cp.async", "sm_80 sm_90 sm_90a sm_100a"),
    (waited, "mbarrier.init", "sm_80 sm_90 sm_90a sm_100a"),
    (expected, "mbarrier.arrive.expect_tx", "sm_90 sm_90a sm_100a"),
    (fenced, "fence.proxy.async", "sm_90 sm_90a sm_100a"),
    (clustered, "barrier.cluster", "sm_90 sm_90a sm_100a"),
    (numbered, "bar.sync", "sm_70 sm_75 sm_80 sm_90 sm_90a sm_100a"),
    (packed, "red.v2.float32", "sm_90 sm_90a sm_100a"),
    (reaching, "fence.cluster", "sm_90 sm_90a sm_100a"),
    (regrown, "setmaxnreg.inc", "sm_90a sm_100a"),
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("kernel", "name", "have"), CASES)
def test_a_machine_that_lacks_an_instruction_refuses_it(
    kernel: Callable[[], T.PrimFunc], name: str, have: str, machine: str
) -> None:
    a, made = np.zeros(64, np.float32), kernel()
    if machine in have.split():
        tw.compile(made, target=f"simulator:{machine}")(a)
        return
    with pytest.raises(SimulationError, match=rf"^[a-z0-9.:_]+ is an instruction of sm_\w+, not of {machine}") as told:
        tw.compile(made, target=f"simulator:{machine}")(a)
    said = str(told.value)
    assert "test_machines.py" in said
    assert re.match(r"mbarrier" if name.startswith("mbarrier") else re.escape(name), said)
