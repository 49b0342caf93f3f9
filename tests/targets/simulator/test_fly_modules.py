"""Modules as users of FlyDSL have them: as written, in MLIR's generic form, and lowered, they leave what numpy says."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from fly_runs import Launch, Memory, module_of, report_of, stages
from others_modules import MODULES
from xdsl.printer import Printer


def fresh(launch: Launch, text: str = "") -> Launch:
    """The same launch, with memory of its own."""
    copies = (Memory(x.array.copy(), x.leaves) if isinstance(x, Memory) else x for x in launch.arguments)
    return replace(launch, text=text or launch.text, arguments=tuple(copies))


def arrays(launch: Launch) -> list[Any]:
    return [x.array if isinstance(x, Memory) else x for x in launch.arguments]


def generic(text: str) -> str:
    found = io.StringIO()
    Printer(stream=found, print_generic_format=True).print_op(module_of(text))
    return found.getvalue()


@pytest.mark.parametrize("name", MODULES)
def test_modules_leave_what_numpy_says(name: str) -> None:
    launch, wanted = MODULES[name].launch, MODULES[name].wanted(*(np.copy(x) for x in arrays(MODULES[name].launch)))
    for text in (launch.text, generic(launch.text)):
        made = fresh(launch, text)
        report_of(made)
        for number, right in wanted.items():
            found = arrays(made)[number]
            assert np.array_equal(found, np.asarray(right).reshape(-1).astype(found.dtype))


@pytest.mark.parametrize("name", MODULES)
def test_every_stage_of_modules_does_the_same(name: str) -> None:
    (_, first), *others = stages(MODULES[name].launch)
    assert not first.fault
    for stage, outcome in others:
        assert first.agrees(outcome), f"{stage}: {outcome.said}"
