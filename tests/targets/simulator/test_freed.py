"""What blocks have needed is free again as soon as they are done: a launch needs no more memory than a few of them."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from faults import Clean, check_right, kernels

from tilewright.targets.launch import Launch
from tilewright.targets.simulator import simulate
from tilewright.targets.simulator.agents.names import Names
from tilewright.targets.simulator.domains.lockstep import Machine
from tilewright.targets.simulator.order.clocks import Clocks

FILES = ("bulk", "cp_async", "mbarriers", "wgmma", "tmem", "tcgen05", "clusters", "pipelines")


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[weakref.ref[object]]]:
    """What machines were made of, while nobody looks for what refers to itself."""
    found: list[weakref.ref[object]] = []

    def made(*given: Any, **named: Any) -> Machine:
        machine = Machine(*given, **named)
        found.extend(map(weakref.ref, (machine, machine.engine, machine.clocks)))
        return machine

    monkeypatch.setattr(simulate, "Machine", made)
    gc.disable()
    yield found
    gc.enable()


@pytest.mark.parametrize("case", [kernels([file])[1][0] for file in FILES], ids=lambda case: case.name)
def test_nothing_of_a_machine_stays(case: Clean, held: list[weakref.ref[object]]) -> None:
    check_right(case, case.archs[0], ["final"])
    assert held
    assert [one() for one in held if one() is not None] == []


def test_actors_have_names() -> None:
    """Of a copy whoever began it, as long as somebody knows."""
    launch = Launch((2, 2, 1), (32, 1, 1))
    copy: Any = SimpleNamespace(barrier=(None, np.array([0, 1]), None), actor=np.array([2 * 96 + 7, 3 * 96 + 9]))
    names = Names(launch, Clocks(np.array([2, 3]), 1, 32, engines=33), 32, {(1, 0): copy})
    lane, first = (3 * 96, 3 * 96 + 32)
    assert [names(0), names(lane)] == ["block (0,0,0) thread (0,0,0)", "block (1,1,0) thread (0,0,0)"]
    assert names(first + 32) == "a product of block (1,1,0)"
    assert names(first) == "a copy of block (1,1,0) thread (9,0,0)"
    assert [names(first + 1), names(32)] == ["a copy of block (1,1,0)", "a copy of block (0,0,0)"]
