"""What is on its way when a block ends is told in every order, or listed; reads of many blocks are remembered."""

from __future__ import annotations

import numpy as np
import pytest
from faults import BOTH, Faulty, kernels

from tilewright.errors import RaceError
from tilewright.lang.primfunc import PrimFunc
from tilewright.passes.pipeline import run
from tilewright.script import tirx as T
from tilewright.targets.simulator.order import crowd
from tilewright.targets.simulator.simulate import simulate

WORDS = ("nobody has waited", "may end before")
ENDINGS = [case for case in kernels()[0] if any(word in case.match for word in WORDS) and case.archs == BOTH]


@pytest.mark.parametrize("case", ENDINGS, ids=lambda case: case.name)
def test_in_every_order(case: Faulty) -> None:
    module = run(case.make(case.fault).module).module
    for seed in range(4):
        with pytest.raises(RaceError, match=case.match):
            simulate(module, case.arguments(), schedule="random", seed=seed)


@T.prim_func
def wasteful(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")) -> None:
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((64,), "float32")
    T.ptx.cp.async_.ca.shared.global_(s.ptr_to([t]), A.ptr_to([t]), 4)
    T.ptx.cp.async_.commit_group()
    T.ptx.cp.async_.ca.shared.global_(s.ptr_to([32 + t]), A.ptr_to([32 + t]), 4)  # nobody waits for it
    T.ptx.cp.async_.commit_group()
    T.ptx.cp.async_.wait_group(1)
    B[t] = s[t]


@pytest.mark.parametrize("stage", ["tile", "final"])
def test_a_cp_async_without_a_wait_is_listed_and_strict_checks_refuse_it(stage: str) -> None:
    module = run(wasteful.module, stage).module
    a, b = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    report = simulate(module, [a, b])
    (found,) = report.unwaited
    assert f'wasted (an error under check="strict"): {found}' in str(report)
    assert "block (0,0,0) thread (0,0,0) ends without a wait for its copy to element 32 of s" in found.text
    line = wasteful_line("nobody waits for it")
    assert f"test_endings.py:{line}:" in found.shown
    assert (found.file, found.line) == (__file__, line)
    assert simulate(module, [a, b], check="off").unwaited == ()
    with pytest.raises(RaceError, match=rf"(?s)without a wait.*test_endings\.py:{line}:"):
        simulate(module, [a, b], check="strict")


def wasteful_line(words: str) -> int:
    with open(__file__, encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, 1) if line.rstrip().endswith(f"# {words}"))


def told(known: tuple[int, ...]) -> PrimFunc:
    """Blocks 0 to 3 read one element; of these the `known` say so by a release, before block 4 writes it."""

    @T.prim_func
    def kernel(A: T.Buffer((1,), "int32"), B: T.Buffer((5,), "int32"), F: T.Buffer((1,), "int32")) -> None:
        T.device_entry()
        b = T.cta_id([5])
        T.thread_id([1])
        if b < 4:
            B[b] = A[0]
            for k in T.unroll(len(known)):
                if b == known[k]:
                    T.ptx.red.release.gpu.global_.add.s32(F.ptr_to([0]), 1)
        else:
            n: T.int32 = 0
            while n < len(known):
                T.ptx.ld.acquire.gpu.global_.s32(n, F.ptr_to([0]))
            A[0] = 7

    return kernel


@pytest.mark.parametrize("known", [(0, 1, 2, 3), (0, 3), (0, 1, 3), (1, 2), (0, 2, 3)])
@pytest.mark.parametrize("many", [1, crowd.MANY])
def test_reads_of_blocks_between_the_first_and_the_last_are_not_forgotten(
    known: tuple[int, ...], many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A write races exactly where one of the readers has not told of its read, however long the list of reads is."""
    monkeypatch.setattr(crowd.Crowd, "limit", many)
    monkeypatch.setattr(crowd, "MANY", many)
    module = run(told(known).module).module
    arrays = [np.array([3], np.int32), np.zeros(5, np.int32), np.zeros(1, np.int32)]
    if len(known) == 4:
        simulate(module, arrays)
        assert arrays[0][0] == 7
        return
    with pytest.raises(RaceError, match="reads with no barrier between"):
        simulate(module, arrays)
