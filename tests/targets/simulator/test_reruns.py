"""Kernels that ask no data what to do are run once on names: whatever the arrays hold, that is what a run does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from corpus import Case, cases
from reruns import agree, drawn

import tilewright as tw
from tilewright.arch import get as get_arch
from tilewright.errors import SimulationError
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.domains import origins
from tilewright.targets.simulator.domains.rerun import MOST_RUNS
from tilewright.targets.simulator.limits import Limits
from tilewright.targets.simulator.simulate import Simulator

ATOMS = [case for case in cases(Path(__file__).parent / "corpus") if "/atoms_" in case.file]
HALF = "SM80_16x8x16_F32F16F16F32_TN"


@pytest.mark.parametrize("case", ATOMS, ids=lambda case: case.name)
def test_a_rerun_is_a_run(case: Case) -> None:
    """With every check, with none, and of every fault the text."""
    simulator = Simulator(run(case.kernel.module, "final", lanes=get_arch(case.arch).lanes).module)
    for check in ("on", "off", "strict"):
        known = list(agree(simulator, case.arch, 2, check=check))
        assert len(set(known)) == 1


def gemm(size: int) -> PrimFunc:
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parents[3] / "benchmarks"))
        from kernel_sources import tensor_gemm
    found: PrimFunc = tensor_gemm(size)
    return found


def test_products_of_many_warps_and_turns() -> None:
    simulator = Simulator(tw.compile(gemm(256)).lowered().module)
    assert all(agree(simulator, "sm_90", 2))
    arrays, other = drawn(simulator, 1), drawn(simulator, 1)
    simulator.run(arrays, mma="fast", check="off")
    simulator.run(other)
    assert (arrays[2] == other[2]).all()  # small numbers: every sum is exact


def test_fast_stays_within_the_bound_of_binary32() -> None:
    """Sums of K products in binary32 in any order: K + 1 roundings of the sum of their sizes. The rule is apart."""
    simulator, rng = Simulator(tw.compile(gemm(128)).lowered().module), np.random.default_rng(7)
    a, b = (rng.standard_normal((128, 128)).astype(np.float16) for _ in range(2))
    found, rule, first = (np.zeros((128, 128), np.float32) for _ in range(3))
    simulator.run([a, b, first])
    assert simulator.run([a, b, found], mma="fast").repeated
    assert simulator.run([a, b, rule]).repeated
    assert (rule == first).all()
    assert (rule != found).any()
    size = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64)).T
    assert (np.abs(found - rule) <= 129 * 2.0**-24 * size + 9 * 2.0**-24 * size).all()
    assert (found != 0).any()


@T.prim_func
def partly(A: T.Buffer((64, 8), "float16"), B: T.Buffer((32, 4), "float16"), F: T.Buffer((64, 6), "float32")) -> None:
    """Rows that are not there are zeros, ones are added, lanes of one warp write less; the rest of F stays."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    a = T.alloc_local((8,), "float16")
    b = T.alloc_local((4,), "float16")
    c = T.alloc_local((4,), "float32")
    for i in T.serial(8):
        a[i] = T.if_then_else(t * 8 + i < 300, A[t, i], T.float16(0))
    for i in T.serial(4):
        b[i] = B[t % 32, i]
        c[i] = T.float32(1)
    for _ in T.serial(3):
        T.mma_atom(HALF, c[0], a[0], b[0], c[0])
    if t < 50:
        for i in T.serial(4):
            F[t, i + 1] = c[i]


@T.prim_func
def in_place(A: T.Buffer((32, 8), "float16"), F: T.Buffer((32, 8), "float16")) -> None:
    """A moves to F while F's old values are the other factor."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    b = T.alloc_local((4,), "float16")
    c = T.alloc_local((4,), "float16")
    for i in T.serial(8):
        a[i] = A[t, i]
    for i in T.serial(4):
        b[i] = F[t, i]
    T.mma_atom("SM80_16x8x16_F16F16F16F16_TN", c[0], a[0], b[0])
    for i in T.serial(4):
        F[t, i] = c[i]
        F[t, i + 4] = a[i]


@T.prim_func
def looked_up(I: T.Buffer((32,), "int32"), A: T.Buffer((32, 8), "float16"), F: T.Buffer((32, 4), "float32")) -> None:
    """Where A is read is data."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    c = T.alloc_local((4,), "float32")
    for i in T.serial(8):
        a[i] = A[T.max(I[t], 0), i]
    T.mma_atom(HALF, c[0], a[0], a[4])
    for i in T.serial(4):
        F[t, i] = c[i]


@T.prim_func
def worked_on(A: T.Buffer((32, 8), "float16"), F: T.Buffer((32, 4), "float32")) -> None:
    """Data is worked out beside the product."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    c = T.alloc_local((4,), "float32")
    for i in T.serial(8):
        a[i] = A[t, i]
    T.mma_atom(HALF, c[0], a[0], a[4])
    for i in T.serial(4):
        F[t, i] = c[i] + T.float32(1)


@T.prim_func
def compared(I: T.Buffer((32,), "int32"), A: T.Buffer((32, 8), "float16"), F: T.Buffer((32, 4), "float32")) -> None:
    """Data decides what is read."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    c = T.alloc_local((4,), "float32")
    for i in T.serial(8):
        if I[t] > 0:
            a[i] = A[t, i]
        else:
            a[i] = A[31 - t, i]
    T.mma_atom(HALF, c[0], a[0], a[4])
    for i in T.serial(4):
        F[t, i] = c[i]


@T.prim_func
def flagged(I: T.Buffer((32,), "bool"), A: T.Buffer((32, 8), "float16"), F: T.Buffer((32, 4), "float32")) -> None:
    """Data itself says what is read."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    a = T.alloc_local((8,), "float16")
    c = T.alloc_local((4,), "float32")
    for i in T.serial(8):
        if I[t]:
            a[i] = A[t, i]
        else:
            a[i] = A[31 - t, i]
    T.mma_atom(HALF, c[0], a[0], a[4])
    for i in T.serial(4):
        F[t, i] = c[i]


@T.prim_func
def in_halves(A: T.Buffer((16, 2), "float64"), F: T.Buffer((32, 2), "float64")) -> None:
    """Elements come in two pieces, each of which goes its own way."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((16, 2), "float64")
    a = T.alloc_local((1,), "float64")
    c = T.alloc_local((2,), "float64")
    s[t // 2, t % 2] = A[t // 2, t % 2]
    T.cuda.cta_sync()
    T.copy_atom("SM75_U32x2_LDSM_N", a, s[t % 16, 0])
    T.mma_atom("SM80_8x8x4_F64F64F64F64_TN", c[0], a[0], a[0])
    for i in T.serial(2):
        F[t, i] = c[i]


@T.prim_func
def in_pairs(A: T.Buffer((2, 32, 8), "float16"), F: T.Buffer((4, 32, 4), "float32")) -> None:
    """Four warps, of which two each work out the same, and none what another pair's factors give."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([128])
    a = T.alloc_local((8,), "float16")
    c = T.alloc_local((4,), "float32")
    for i in T.serial(8):
        a[i] = A[t // 64, t % 32, i]
    T.mma_atom(HALF, c[0], a[0], a[4])
    for i in T.serial(4):
        F[t // 32, t % 32, i] = c[i]


KNOWN = (
    *((kernel, True) for kernel in (partly, in_place, in_pairs)),
    *((kernel, False) for kernel in (looked_up, worked_on, compared, flagged, in_halves)),
)


@pytest.mark.parametrize(("kernel", "known"), KNOWN, ids=lambda value: getattr(value, "name", ""))
def test_what_asks_data_is_run(kernel: PrimFunc, known: bool) -> None:
    simulator = Simulator(tw.compile(kernel).lowered().module)
    for check in ("on", "off"):
        for mma in ("exact", "fast"):
            assert set(agree(simulator, "sm_90", check=check, mma=mma)) == {known}


def test_few_runs_are_kept() -> None:
    simulator = Simulator(tw.compile(in_place).lowered().module)
    for steps in range(1000, 1000 + 3 * MOST_RUNS):
        assert simulator.run(drawn(simulator, 0), limits=Limits(steps=steps)).repeated
    assert 0 < len(simulator.reruns.found) <= MOST_RUNS


def test_one_array_twice_is_not_two_arrays() -> None:
    simulator = Simulator(tw.compile(in_place).lowered().module)
    list(agree(simulator, "sm_90"))
    for seed in range(2):
        one, other = (drawn(simulator, seed)[0] for _ in range(2))
        simulator.run([one, one])
        simulator.run([other, other], proofs=False)
        assert one.tobytes() == other.tobytes()


def test_too_many_names_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    simulator = Simulator(tw.compile(in_place).lowered().module)
    monkeypatch.setattr(origins, "MOST_NAMES", 100)
    assert set(agree(simulator, "sm_90")) == {False}


def test_another_machine_and_other_limits_are_asked_anew() -> None:
    simulator = Simulator(tw.compile(gemm(128)).lowered().module)
    simulator.run(drawn(simulator, 0), check="off")
    for _ in range(2):
        with pytest.raises(SimulationError, match="is an instruction of sm_80, not of sm_75"):
            simulator.run(drawn(simulator, 0), arch="sm_75", check="off")
        with pytest.raises(SimulationError, match="more than 10 simulated ops"):
            simulator.run(drawn(simulator, 0), limits=Limits(steps=10), check="off")
