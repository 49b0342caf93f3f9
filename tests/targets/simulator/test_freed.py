"""What blocks have needed is free again as soon as they are done: a launch needs no more memory than a few of them."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
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


def test_engines_of_blocks_that_are_done_have_names() -> None:
    """Nobody knows any more who began what they delivered."""
    launch = Launch((4, 1, 1), (32, 1, 1))
    names = Names(launch, Clocks(np.array([2, 3]), 1, 32, engines=2), 1)
    assert names(0) == "block (0,0,0) thread (0,0,0)"
    assert names(3 * 64 + 33) == "a product of block (3,0,0)"
    assert [names(block * 64 + 32) for block in (0, 3)] == ["a copy of block (0,0,0)", "a copy of block (3,0,0)"]
