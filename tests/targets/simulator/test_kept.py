"""What is kept from turn to turn is what each turn would make: results, costs, errors, and who is told of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from loop_kernels import Looped, looped_kernels, outcome, pipelines, strides

import tilewright as tw
from tilewright.errors import OutOfBoundsError, SimulationError
from tilewright.ir.text import parse_module
from tilewright.script import tirx as T
from tilewright.targets.simulator.domains import kept
from tilewright.targets.simulator.domains.kept import Kept, Number
from tilewright.targets.simulator.simulate import Simulator


def agree(looped: Looped) -> None:
    simulator = Simulator(parse_module(looped.text()))
    found = outcome(simulator, looped, proofs=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept, "MOST_BYTES", -1)  # not even what takes no room
        assert outcome(simulator, looped, proofs=False) == found


@pytest.mark.hypothesis
@given(looped_kernels())
@settings(max_examples=30)
def test_loops_are_the_same_with_nothing_kept(looped: Looped) -> None:
    agree(looped)


@pytest.mark.hypothesis
@given(pipelines())
@settings(max_examples=20)
def test_pipelines_are_the_same_with_nothing_kept(looped: Looped) -> None:
    agree(looped)


@pytest.mark.hypothesis
@given(strides())
@settings(max_examples=20)
def test_strides_are_the_same_with_nothing_kept(looped: Looped) -> None:
    agree(looped)


def test_addresses_of_a_turn_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of shared memory depend on the lane and on the inner counter; those of global memory on the outer one."""

    @T.prim_func
    def rows(A: T.Buffer((9, 4, 64), "int32"), B: T.Buffer((9, 4, 64), "int32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([64])
        s = T.alloc_shared((4, 64), "int32")
        for k in T.serial(9):
            for i in T.serial(4):
                s[i, t * 5 % 64] = A[k, i, t]
            T.cuda.cta_sync()
            for i in T.serial(4):
                B[k, i, t] = s[i, t ^ 33]
            T.cuda.cta_sync()

    made: list[object] = []
    keep = Kept.number

    def noted(store: Kept, key: tuple[int, ...], found: Number) -> Number:
        made.append(key)
        return keep(store, key, found)

    monkeypatch.setattr(Kept, "number", noted)
    a = np.arange(9 * 4 * 64, dtype=np.int32).reshape(9, 4, 64)
    b = np.zeros_like(a)
    compiled = tw.compile(rows)
    Simulator(compiled.lowered().module).run([a, b], proofs=False)
    assert len(made) == len(set(made))
    lanes = np.arange(64)
    swizzled = np.empty_like(a)
    swizzled[:, :, lanes * 5 % 64] = a
    assert (b == swizzled[:, :, lanes ^ 33]).all()


@pytest.mark.parametrize("turn", [0, 2, 5])
def test_an_address_that_is_wrong_at_one_turn_is_found_there(turn: int) -> None:
    @T.prim_func
    def leaves(A: T.Buffer((64,), "int32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        for k in T.serial(6):
            for i in T.serial(2):
                if k == turn:
                    A[t * 2 + i + 1] = k
                else:
                    A[t * 2 + i] = k

    a = np.full(64, -1, np.int32)
    with pytest.raises(OutOfBoundsError, match=r"thread \(31,0,0\)"):
        Simulator(tw.compile(leaves).lowered().module).run([a], proofs=False)
    assert a[0] == turn - 1 if turn else (a == -1).sum() >= 1


def test_divisors_of_a_turn_are_looked_at_each_time() -> None:
    @T.prim_func
    def divides(A: T.Buffer((32,), "int32")) -> None:
        T.device_entry()
        T.cta_id([1])
        t = T.thread_id([32])
        for k in T.serial(4):
            if t // 16 == k:
                A[t] = 100 // (t % 16 - 15 + 16 * k)

    with pytest.raises(SimulationError, match="division by zero"):
        Simulator(tw.compile(divides).lowered().module).run([np.zeros(32, np.int32)], proofs=False)


def test_what_is_kept_cannot_be_changed_and_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_BYTES", 100)
    store = Kept()
    one, two = store.number("a", np.arange(10)), store.number("b", np.arange(10))
    assert list(store.numbers) == ["a"]
    with pytest.raises(ValueError, match="read-only"):
        one[0] = 1  # type: ignore[index]  # it is an array
    made: list[str] = []
    for number, size in ((one, 8), (one, 8), (two, 8), (two, 8), (one, 9), (one, 9), (one, 4), (one, 4)):
        store.following(size, number, size, lambda size=size: made.append(str(size)))  # type: ignore[misc]  # now
    assert made == ["8", "8", "8", "9", "4", "4"]  # there is room for 20 bytes
