"""Instructions are refused on machines that lack them, and run on those that have them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from corpus import cases

import tilewright as tw
from tilewright.errors import SimulationError
from tilewright.lang.instructions import INSTRUCTIONS
from tilewright.lang.machines import WORDS, first
from tilewright.lang.words import Row
from tilewright.script import tirx as T
from tilewright.targets.launch import kernel_of, parameters_of
from tilewright.targets.simulator.admission import needs

CORPUS = {case.name: case for case in cases(Path(__file__).parent / "corpus")}


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


@T.prim_func
def reduced(A: T.Buffer((64,), "uint32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    n: T.uint32 = A[t]
    T.ptx.redux_sync.add.u32(n, n, 0xFFFFFFFF)
    A[t] = n


@T.prim_func
def reduced_by_name(A: T.Buffer((64,), "uint32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    A[t] = T.cuda.__reduce_max_sync(0xFFFFFFFF, A[t])


@T.prim_func
def elected(A: T.Buffer((64,), "uint32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    if T.cuda.elect_sync():
        A[t] = 1


@T.prim_func
def moved(A: T.Buffer((64,), "uint32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    n: T.uint32 = A[t]
    T.ptx.movmatrix.sync.aligned.m8n8.trans.b16(n, n)
    A[t] = n


@T.prim_func
def packed(A: T.Buffer((64,), "uint32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    n: T.uint32 = A[t]
    T.ptx.add.rn.bf16x2(n, n, n)
    A[t] = n


@T.prim_func
def narrowed(A: T.Buffer((64,), "uint32"), B: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    n: T.uint32 = 0
    T.ptx.cvt.rn.bf16x2.f32(n, B[t], B[t])
    A[t] = n


MACHINES = ("sm_70", "sm_75", "sm_80", "sm_90", "sm_90a", "sm_100a", "gfx942", "gfx1100")
CASES: list[tuple[T.PrimFunc, str, str]] = [
    (CORPUS["copies_of_ampere_on_amd"].kernel, "cp.async", "sm_80 sm_90 sm_90a sm_100a"),
    (waited, "mbarrier.init", "sm_80 sm_90 sm_90a sm_100a"),
    (expected, "mbarrier.arrive.expect_tx", "sm_90 sm_90a sm_100a"),
    (CORPUS["fences_of_hopper_on_amd"].kernel, "fence.proxy.async", "sm_90 sm_90a sm_100a"),
    (clustered, "barrier.cluster", "sm_90 sm_90a sm_100a"),
    (CORPUS["numbered_barriers_on_amd"].kernel, "bar.sync", "sm_70 sm_75 sm_80 sm_90 sm_90a sm_100a"),
    (CORPUS["pairs_of_additions_on_amd"].kernel, "red.v2.float32", "sm_90 sm_90a sm_100a"),
    (reaching, "fence.cluster", "sm_90 sm_90a sm_100a"),
    (regrown, "setmaxnreg.inc", "sm_90a sm_100a"),
    (reduced, "redux.sync.add.u32", "sm_80 sm_90 sm_90a sm_100a"),
    (reduced_by_name, "redux.sync.max", "sm_80 sm_90 sm_90a sm_100a gfx942 gfx1100"),
    (elected, "elect.sync", "sm_90 sm_90a sm_100a gfx942 gfx1100"),
    (moved, "movmatrix", "sm_75 sm_80 sm_90 sm_90a sm_100a"),
    (packed, "add.rn.bf16x2", "sm_90 sm_90a sm_100a"),
    (narrowed, "cvt.rn.bf16x2.f32", "sm_80 sm_90 sm_90a sm_100a"),
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


ASKED = {
    "cp.async.ca.shared.global": CORPUS["copies_of_ampere_on_amd"].kernel,
    "mbarrier.init.shared.b64": waited,
    "mbarrier.arrive.expect_tx": expected,
    "fence.proxy.async": CORPUS["fences_of_hopper_on_amd"].kernel,
    "setmaxnreg.inc.sync.aligned.u32": regrown,
    "red.global.add.v2.f32": CORPUS["pairs_of_additions_on_amd"].kernel,
    "fence.acq_rel.cluster": reaching,
}


def test_every_row_of_the_table_of_machines_is_of_an_instruction() -> None:
    """No row is dead, none says what every machine has, and a row that others overrule says less than they."""
    fullest = [row.needed | row.optional for row in INSTRUCTIONS] + [frozenset(["mma", "sp::ordered_metadata"])]
    for words, archs in WORDS.items():
        assert any(frozenset(words.split()) <= row for row in fullest), words
        assert all(Arch.of(arch) > Arch.of("sm_70") for arch in archs.split())
    assert first(frozenset()) == ""


@pytest.mark.parametrize("row", INSTRUCTIONS, ids=lambda row: row.text)
def test_more_words_need_no_older_machine(row: Row) -> None:
    least = first(row.needed)
    for word in row.optional:
        more = first(row.needed | {word})
        assert not least or Arch.of(more.split()[0]) >= Arch.of(least.split()[0]), word


class Arch(NamedTuple):
    """An architecture of NVIDIA, in their order."""

    number: int
    letter: str

    @staticmethod
    def of(name: str) -> Arch:
        found = re.fullmatch("sm_([0-9]+)(a?)", name)
        assert found
        return Arch(int(found[1]), found[2])


def test_what_ops_need_their_words_need() -> None:
    """Of the instructions that are ops of their own the table by words says what the table by ops says."""
    for text, kernel in ASKED.items():
        archs = {arch for _, needed in needs(kernel_of(tw.compile(kernel).lowered().module)) for arch in needed.archs}
        assert first(frozenset(text.split("."))).split()[0] in archs, text
