"""Target `host` takes the first way that runs a kernel, says which, and refuses with the reasons of all."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import CompileError, OutOfBoundsError, SimulationError
from tilewright.runtime.host_ways import WAYS, Wanted, Way, chosen
from tilewright.script import tirx as T
from tilewright.targets.arguments import Array, memories


@T.prim_func
def halves(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32"), N: T.int32):
    """Each warp waits for itself alone, by a number, and turns round what it has."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    s[t] = A[t]
    if t < 32:
        T.ptx.bar.sync(1, 32)
        B[t + N] = s[31 - t]
    else:
        T.ptx.bar.sync(2, 32)
        B[t + N] = s[95 - t]


TURNED = np.arange(64).reshape(2, 32)[:, ::-1].reshape(64).astype(np.float32)


def test_what_waits_in_turns_runs_as_its_text() -> None:
    """With the arrays of a call, also where they are one, and is told."""
    kernel, a, b = tw.compile(halves, target="host"), np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    kernel(a, b, 0)
    assert (b == TURNED).all()
    kernel(a, a, 0)
    assert (a == TURNED).all()
    assert kernel.way.startswith("fibers; no loops: threads of a block cannot become loops: warps wait")
    assert kernel.report.way == kernel.way
    assert f"runs as: {kernel.way}" in kernel.report.table()
    assert tw.compile(halves).way == ""


def test_what_leaves_its_memory_is_told_in_the_same_words() -> None:
    """Unchecked it may do what it likes, but not beyond the memories of the call, and not unnoticed."""
    a, b = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    kernel = tw.compile(halves, target="host")
    with pytest.raises(OutOfBoundsError) as told:
        kernel(a, b, 1)
    with pytest.raises(OutOfBoundsError) as simulated:
        kernel.simulate(a, b, 1)
    assert str(told.value).split("\n")[0] == str(simulated.value).split("\n")[0]
    for beyond in (64, -5000):
        with pytest.raises(SimulationError, match=r"crashed on the host \(status -11\)"):
            tw.compile(halves, target="host", check="off")(a, b, beyond)


def made(name: str, takes: bool) -> Way:
    def make(wanted: Wanted) -> object:
        if takes:
            return name
        raise CompileError(f"no {name} here\nline 7")

    return Way(name, make)  # type: ignore[arg-type]  # what is made is looked at by nobody


def test_the_first_way_that_takes_a_kernel_is_taken() -> None:
    """Of all choices of up to three; where there is none, all reasons are told in order, and what to do."""
    wanted = Wanted(tw.compile(halves).lowered().module, 32, "")
    for takes in product((False, True), repeat=3):
        ways = [made(f"way{number}", one) for number, one in enumerate(takes)]
        if any(takes):
            found = chosen(wanted, ways)
            assert found.way == ways[takes.index(True)].name
            assert [reject.code for reject in found.refused] == [way.name for way in ways[: takes.index(True)]]
        else:
            with pytest.raises(CompileError) as told:
                chosen(wanted, ways)
            reasons = "\n".join(f"as way{number}: no way{number} here\nline 7" for number in range(3))
            head = "target host runs the kernel halves as neither way0 nor way1 nor way2"
            assert str(told.value) == f"{head}\n{reasons}\ntarget='simulator' runs the kernel"


def test_without_a_compiler_both_reasons_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    text = r"(?s)neither loops nor fibers.*at numbered barriers.*as fibers: .*apt-get install g\+\+.*target='simulator'"
    with pytest.raises(CompileError, match=text):
        chosen(Wanted(tw.compile(halves).lowered().module, 32, ""))
    with pytest.raises(CompileError, match=r"as fibers: .*llvmlite does not compile"):
        chosen(Wanted(tw.compile(halves).lowered().module, 32, "llvmlite"))
    assert [way.name for way in WAYS] == ["loops", "fibers"]


@T.prim_func
def spacious(A: T.Buffer((64,), "float32"), N: T.int32) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    r = T.alloc_local((40000,), "float32")
    for i in T.serial(40000):
        r[i] = A[t] + T.cast(i, "float32")
    T.ptx.bar.arrive(1, 128)
    T.ptx.bar.sync(1, 128)
    A[63 - t] = r[T.cast(N, "index")]


def test_a_fiber_has_the_stack_that_its_registers_need() -> None:
    kernel, a = tw.compile(spacious, target="host"), np.arange(64, dtype=np.float32)
    kernel(a, 39999)
    assert (a == np.arange(64)[::-1] + 39999).all()
    assert kernel.way.startswith("fibers")


def test_memories_are_those_of_arrays_each_once() -> None:
    """Whatever overlaps lies in one; each array is found there again."""
    base = np.arange(40, dtype=np.int16)
    arrays: list[Array] = [base[10:20], base[:4], base[18:30], np.zeros(0), base[30:], base[2:4].view(np.int32)]
    found, places = memories(arrays)
    assert sorted(one.nbytes for one in found) == [0, 8, 20, 40]
    for array, (number, byte) in zip(arrays, places, strict=True):
        assert found[number][byte : byte + array.nbytes].tobytes() == array.tobytes()
    found[places[1][0]][0] = 77
    assert base[0] == 77
