"""Every wrong kernel is found out, at its line; no right one is, and each computes what it should."""

from __future__ import annotations

import pytest
from faults import Clean, Faulty, kernels

from tilewright.passes.pipeline import run
from tilewright.targets.simulator.simulate import simulate

FAULTY, CLEAN = kernels()
STAGES = ("tile", "final")


@pytest.mark.parametrize(
    ("case", "arch"), [(c, a) for c in FAULTY for a in c.archs], ids=lambda v: getattr(v, "name", v)
)
def test_a_fault_is_found_at_its_line(case: Faulty, arch: str) -> None:
    kernel = case.make(case.fault)
    with pytest.raises(case.error, match=case.match) as found:
        simulate(run(kernel.module).module, case.arguments(), arch=arch)
    assert type(found.value) is case.error
    assert case.line, "the line is marked"
    assert f".py:{case.line}:" in str(found.value).split("\n  in ")[1], str(found.value)


@pytest.mark.parametrize(
    ("case", "arch"), [(c, a) for c in CLEAN for a in c.archs], ids=lambda v: getattr(v, "name", v)
)
def test_no_alarm_and_the_right_result(case: Clean, arch: str) -> None:
    kernel = case.kernel()
    for stage in STAGES:
        arguments = case.arguments()
        simulate(run(kernel.module, stage).module, arguments, arch=arch)
        case.check(arguments)


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_without_checks_the_result_is_the_same(case: Clean) -> None:
    arguments = case.arguments()
    simulate(run(case.kernel().module).module, arguments, arch=case.archs[0], check="off")
    case.check(arguments)


@pytest.mark.parametrize("case", CLEAN, ids=lambda case: case.name)
def test_any_schedule_gives_the_same(case: Clean) -> None:
    module = run(case.kernel().module).module
    for seed in range(2):
        arguments = case.arguments()
        simulate(module, arguments, arch=case.archs[0], schedule="random", seed=seed)
        case.check(arguments)
