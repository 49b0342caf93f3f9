"""Target `host`: kernels as loops in this process give the simulator's bits; what has no loops is refused, and why."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus import Case, cases
from final_kernels import kernel as final_kernel

import tilewright as tw
from tilewright.arch.target import Target
from tilewright.errors import BarrierError, CompileError, OutOfBoundsError, SimulationError, UsageError
from tilewright.ir.text import parse_module
from tilewright.runtime.kernel import CompiledKernel
from tilewright.runtime.on_host import HostExecutor
from tilewright.script import tirx as T
from tilewright.targets.host import llvm
from tilewright.targets.launch import kernel_of, parameters_of
from tilewright.targets.simulator.options import SimOptions

CORPUS = Path(__file__).parents[1] / "simulator" / "corpus"
HOSTS = ("host", "host -compiler=llvmlite")


@pytest.fixture(params=HOSTS)
def host(request: pytest.FixtureRequest) -> str:
    """The target, by a C++ compiler and by llvmlite."""
    return str(request.param)


CLEAN = [case for case in cases(CORPUS) if case.error is None]


def arrays_of(kernel: CompiledKernel) -> list[Any]:
    found = []
    for parameter in parameters_of(kernel_of(kernel.lowered().module)):
        numbers = np.arange(parameter.size or 1) % 50 * (parameter.name[0] != "F")
        found.append(numbers.astype(parameter.element.numpy()))
    return found


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_kernels_of_the_corpus_give_the_bits_of_the_simulator_by_llvmlite(case: Case) -> None:
    """Those of a C++ compiler do so in the tests of translation; what has no loops is refused, and told why."""
    target = f"host:{case.arch} -compiler=llvmlite"
    if tw.compile(case.kernel, target=f"host:{case.arch} -compiler=g++").way != "loops":
        with pytest.raises(CompileError, match=r"as loops: (?s:.*)as fibers: .*llvmlite.*\ntarget='simulator' runs"):
            tw.compile(case.kernel, target=target)
        return
    kernel = tw.compile(case.kernel, target=target)
    ours, theirs = arrays_of(kernel), arrays_of(kernel)
    kernel.simulate(*ours)
    kernel(*theirs)
    assert [array.tobytes() for array in ours] == [array.tobytes() for array in theirs]


@T.prim_func
def greatest(A: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    T.cuda.atomic_max(T.address_of(A[0]), A[t])


def test_what_c_has_no_words_for_is_refused_alike(host: str) -> None:
    why = r"(?s)host has no atomic max on float32.*target='simulator' runs the kernel"
    with pytest.raises(CompileError, match=why):
        tw.compile(greatest, target=host)


@T.prim_func
def shifted(A: T.Buffer((2, 64), "float32"), B: T.Buffer((2, 64), "float32"), N: T.int32) -> None:
    T.device_entry()
    b = T.cta_id([2])
    tx, ty = T.thread_id([8, 8])
    s = T.alloc_shared((64,), "float32")
    s[ty * 8 + tx] = A[b, ty * 8 + tx]
    T.cuda.cta_sync()
    if N < 100:
        B[b, ty * 8 + tx] = s[ty * 8 + tx + N]


def test_a_coordinate_outside_names_block_thread_and_line(host: str) -> None:
    a = np.arange(128, dtype=np.float32).reshape(2, 64)
    b = np.zeros_like(a)
    kernel = tw.compile(shifted, target=host)
    kernel(a, b, 0)
    assert (b == a).all()
    with pytest.raises(OutOfBoundsError) as found:
        kernel(a, b, 3)
    with pytest.raises(OutOfBoundsError) as simulated:
        kernel.simulate(a, b, 3)
    (message, place, *_), (same, *_) = str(found.value).splitlines(), str(simulated.value).splitlines()
    assert message == same
    assert place.split()[-1] in str(simulated.value)
    assert "block (0,0,0) thread (5,7,0) reads coordinate 64" in str(found.value)


def test_unchecked_text_has_no_bounds(host: str) -> None:
    executor = HostExecutor.of(tw.compile(shifted).lowered().module, Target(host))
    assert executor.chosen(True, True).kernel.text.assertions
    assert not executor.chosen(True, False).kernel.text.assertions
    kernel, a = tw.compile(shifted, target=host, check="off"), np.ones((2, 64), np.float32)
    kernel(a, b := np.zeros_like(a), 0)
    assert (b == a).all()


PARTING = """
%few = arith.cmpi ult, %tx, %c5 : index
scf.if %few { tile.sync "cta" }"""


def test_threads_that_part_at_a_barrier(host: str) -> None:
    executor = HostExecutor.of(parse_module(final_kernel(PARTING)), Target(host))
    with pytest.raises(BarrierError, match=r"block \(0,0,0\): threads that wait for each other part at a barrier"):
        executor([np.zeros(32, np.float32)], SimOptions())


@T.prim_func
def asserted(A: T.Buffer((32,), "int32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    A[t] = A[t] + 1
    T.cuda.trap_when_assert_failed(A[t] < 20)


def test_what_the_kernel_asserts_is_asked_unchecked_too(host: str) -> None:
    for check in ("on", "off"):
        with pytest.raises(SimulationError, match=r"block \(0,0,0\) thread \(19,0,0\)"):
            tw.compile(asserted, target=host, check=check)(np.arange(32, dtype=np.int32))


def test_arrays_that_coincide(host: str) -> None:
    a = np.arange(128, dtype=np.float32).reshape(2, 64)
    kernel = tw.compile(shifted, target=host)
    kernel(a, a, 0)
    assert (a.reshape(-1) == np.arange(128)).all()


@T.prim_func
def counted(A: T.Buffer((1,), "int64")) -> None:
    T.device_entry()
    T.cta_id([70000])
    T.thread_id([2])
    T.cuda.atomic_add(T.address_of(A[0]), 1)


def test_many_blocks_are_run_once_each(host: str) -> None:
    a = np.zeros(1, np.int64)
    tw.compile(counted, target=host)(a)
    assert a[0] == 140000


@T.prim_func
def spacious(A: T.Buffer((1024,), "float32"), N: T.int32) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([1024])
    r = T.alloc_local((20000,), "float32")
    for i in T.serial(20000):
        r[i] = A[t] + T.cast(i, "float32")
    T.cuda.cta_sync()
    A[1023 - t] = r[T.cast(N, "index")]


def test_more_registers_than_a_stack_holds(host: str) -> None:
    """80 MB of the threads of one block."""
    kernel, a = tw.compile(spacious, target=host), np.arange(1024, dtype=np.float32)
    kernel(a, 19999)
    assert (a == np.arange(1024)[::-1] + 19999).all()


@T.prim_func
def boundless(A: T.Buffer((1024,), "float32"), N: T.int32) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([1024])
    r = T.alloc_local((100000,), "float32")
    r[T.cast(N, "index")] = A[t]
    T.cuda.cta_sync()
    A[1023 - t] = r[T.cast(N, "index")]


def test_more_registers_than_the_machine_should_give(host: str) -> None:
    with pytest.raises(CompileError, match="r of all threads of a block takes 409600000 bytes; at most 268435456"):
        tw.compile(boundless, target=host)


def test_two_threads_run_one_kernel_at_once(host: str) -> None:
    kernel, rows = tw.compile(spacious, target=host), np.arange(4096, dtype=np.float32).reshape(4, 1024)
    expected = rows[:, ::-1] + 7
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda row: kernel(row, 7), rows))
    assert (rows == expected).all()


def test_llvmlite_compiles_where_no_other_compiler_is_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    @T.prim_func
    def copied(A: T.Buffer((5, 64), "float32"), B: T.Buffer((5, 64), "float32")) -> None:
        T.device_entry()
        b = T.cta_id([5])
        t = T.thread_id([64])
        B[b, t] = A[b, t]

    monkeypatch.setenv("PATH", str(tmp_path))
    a = np.arange(320, dtype=np.float32).reshape(5, 64)
    tw.compile(copied, target="host")(a, b := np.zeros_like(a))
    assert (b == a).all()
    with pytest.raises(CompileError, match=r"needs g\+\+; .*tilewright\[jit\]"):
        tw.compile(copied, target="host -compiler=g++")(a, b)


def test_llvmlite_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llvm, "is_installed", lambda: False)
    llvm.binding.cache_clear()
    with pytest.raises(CompileError, match=r"llvmlite is not installed; .*pip install 'tilewright\[jit\]'"):
        llvm.jitted("")


def test_a_compiler_that_a_target_does_not_have() -> None:
    assert str(Target("host -compiler=llvmlite")) == "host:sm_90 -compiler=llvmlite"
    assert Target(str(Target("host -compiler=llvmlite"))) == Target({"kind": "host", "compiler": "llvmlite"})
    assert Target("host") != Target("host -compiler=g++")
    for text in ("host -compiler=nvcc", "cuda -compiler=llvmlite", "simulator -compiler=g++"):
        with pytest.raises(UsageError, match="has no compiler"):
            Target(text)
