"""Instructions are refused on machines that lack them, and run on those that have them."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from corpus import cases

import tilewright as tw
from tilewright.errors import SimulationError
from tilewright.script import tirx as T
from tilewright.targets.launch import kernel_of, parameters_of

CORPUS = {case.kernel.name: case.kernel for case in cases(Path(__file__).parent / "corpus")}


@T.prim_func
def waited(A: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    bar = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init(bar.ptr_to([0]), 64)
    T.cuda.cta_sync()
    T.ptx.mbarrier.arrive(bar.ptr_to([0]))


@T.prim_func
def expected(A: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    bar = T.alloc_shared((1,), "uint64")
    if t == 0:
        T.ptx.mbarrier.init(bar.ptr_to([0]), 1)
        T.ptx.mbarrier.arrive.expect_tx(bar.ptr_to([0]), 0)


@T.prim_func
def clustered(A: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id_in_cluster([2])
    T.cta_id([2])
    T.thread_id([64])
    T.cuda.cluster_sync()


@T.prim_func
def regrown(A: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    T.thread_id([128])
    T.ptx.setmaxnreg.inc.sync.aligned.u32(64)


@T.prim_func
def reaching(A: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    T.thread_id([64])
    T.ptx.fence.acq_rel.cluster()


MACHINES = ("sm_70", "sm_75", "sm_80", "sm_90", "sm_90a", "sm_100a", "gfx942", "gfx1100")
CASES: list[tuple[T.PrimFunc, str, str]] = [
    (CORPUS["copies_of_ampere_on_amd"], "cp.async", "sm_80 sm_90 sm_90a sm_100a"),
    (waited, "mbarrier.init", "sm_80 sm_90 sm_90a sm_100a"),
    (expected, "mbarrier.arrive.expect_tx", "sm_90 sm_90a sm_100a"),
    (CORPUS["fences_of_hopper_on_amd"], "fence.proxy.async", "sm_90 sm_90a sm_100a"),
    (clustered, "barrier.cluster", "sm_90 sm_90a sm_100a"),
    (CORPUS["numbered_barriers_on_amd"], "bar.sync", "sm_70 sm_75 sm_80 sm_90 sm_90a sm_100a"),
    (CORPUS["pairs_of_additions_on_amd"], "red.v2.float32", "sm_90 sm_90a sm_100a"),
    (reaching, "fence.cluster", "sm_90 sm_90a sm_100a"),
    (regrown, "setmaxnreg.inc", "sm_90a sm_100a"),
]


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("kernel", "name", "have"), CASES, ids=lambda v: getattr(v, "name", v))
def test_a_machine_that_lacks_an_instruction_refuses_it(kernel: T.PrimFunc, name: str, have: str, machine: str) -> None:
    arrays = [np.zeros(x.size or 1, x.element.numpy()) for x in parameters_of(kernel_of(kernel.module))]
    if machine in have.split():
        tw.compile(kernel, target=f"simulator:{machine}")(*arrays)
        return
    with pytest.raises(SimulationError, match=rf"^[a-z0-9.:_]+ is an instruction of sm_\w+, not of {machine}") as told:
        tw.compile(kernel, target=f"simulator:{machine}")(*arrays)
    said = str(told.value)
    assert re.search(r"\.py:\d+:", said)
    assert re.match(r"mbarrier" if name.startswith("mbarrier") else re.escape(name), said)
