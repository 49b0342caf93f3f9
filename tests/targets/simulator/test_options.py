"""The switches of the simulator go from compile, from the call and from an enclosing `with` to the machine."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tilewright as tw
from tilewright.errors import RaceError, UsageError
from tilewright.script import tirx as T
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import simulate


@T.prim_func
def agreeing(B: T.Buffer((32,), "float32")) -> None:
    """All lanes write one value to one element: a race only where `check="strict"`."""
    T.device_entry()
    bx = T.cta_id([1])
    tx = T.thread_id([32])
    B[bx + tx // 32] = 1.0


def out() -> Any:
    return np.zeros(32, np.float32)


def test_the_call_decides_then_compile_then_the_surroundings() -> None:
    plain, strict = tw.compile(agreeing), tw.compile(agreeing, check="strict")
    with SimOptions(check="strict"):
        inside, relaxed = tw.compile(agreeing), tw.compile(agreeing, check="on")
    plain(out())
    relaxed(out())
    strict(out(), check="on")
    for kernel in (strict, inside):
        with pytest.raises(RaceError):
            kernel(out())
        with pytest.raises(RaceError):
            kernel.simulate(out())
    with pytest.raises(RaceError):
        plain(out(), check="strict")
    with pytest.raises(RaceError):
        plain.simulate(out(), stage="tile", check="strict")
    with pytest.raises(RaceError):
        simulate(plain.lowered().module, [out()], check="strict")


def test_one_request_one_kernel() -> None:
    assert tw.compile(agreeing) is tw.compile(agreeing, check="on", seed=0)
    assert tw.compile(agreeing, seed=1) is not tw.compile(agreeing)
    assert tw.compile(agreeing, seed=1).options == SimOptions(seed=1)


@pytest.mark.parametrize(
    ("switches", "words"),
    [
        ({"check": "no"}, "check is one of off, on, strict, got 'no'"),
        ({"schedule": None}, "schedule is one of lockstep, random"),
        ({"mma": "quick"}, "mma is one of exact, fast"),
        ({"mma": ["exact"]}, "mma is one of exact, fast"),
        ({"seed": -1}, "seed is an integer from 0"),
        ({"seed": True}, "seed is an integer from 0"),
        ({"chek": "on"}, "no switch 'chek'; did you mean check?"),
        ({"target_": "x"}, "there are check, schedule, seed, mma"),
    ],
)
def test_other_values_are_refused(switches: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        tw.compile(agreeing, **switches)
    with pytest.raises(UsageError, match=words):
        tw.compile(agreeing)(out(), **switches)


def test_other_targets_have_no_switches() -> None:
    with pytest.raises(UsageError, match=r"check: a switch of the simulator, and the kernel is compiled for host"):
        tw.compile(agreeing, target="host")(out(), check="on")
    tw.compile(agreeing, target="host", check="off")(out())


@pytest.mark.parametrize("switches", [{"check": "strict"}, {"schedule": "random"}])
def test_what_the_host_cannot_do_is_refused(switches: Any) -> None:
    with pytest.raises(UsageError, match=r"is the simulator's; target='host' has one order and finds no races"):
        tw.compile(agreeing, target="host", **switches)(out())
