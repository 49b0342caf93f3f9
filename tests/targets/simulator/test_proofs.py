"""The report tells of each access which checks were proved, and which were executed."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from race_oracle import SIZES, Small, small_kernels

import tilewright as tw
from tilewright.errors import OutOfBoundsError, SimulationError
from tilewright.ir.text import parse_module
from tilewright.runtime.report import KernelReport
from tilewright.script import tirx as T
from tilewright.targets.simulator.proofs import Checks
from tilewright.targets.simulator.report import SimulationReport
from tilewright.targets.simulator.simulate import Simulator


@T.prim_func
def chosen(A: T.Buffer((4, 64), "float32"), I: T.Buffer((64,), "int32"), B: T.Buffer((4, 64), "float32")):
    T.device_entry()
    bx = T.cta_id([4])
    tx = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    s[tx] = A[bx, tx]
    T.cuda.cta_sync()
    B[bx, tx] = s[I[tx]]


@T.prim_func
def turned(A: T.Buffer((4, 64), "float32"), B: T.Buffer((4, 64), "float32")):
    T.device_entry()
    bx = T.cta_id([4])
    tx = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    s[tx] = A[bx, tx]
    T.cuda.cta_sync()
    B[bx, tx] = s[63 - tx]


def rows(report: KernelReport | SimulationReport) -> dict[tuple[str, str], Checks]:
    return {(access.kind, access.buffer): access.checks for access in report.accesses}


def test_a_whole_proof_and_checks_site_by_site() -> None:
    assert rows(tw.compile(turned).report) == {
        ("load", "A"): Checks("proved", "none", "proved"),
        ("store", "s"): Checks("proved", "none", "proved"),
        ("load", "s"): Checks("proved", "proved", "proved"),
        ("store", "B"): Checks("proved", "none", "proved"),
    }
    kernel = tw.compile(chosen)
    expected = {
        ("load", "A"): Checks("proved", "none", "proved"),  # its index has a range, and nothing writes it
        ("store", "s"): Checks("proved", "none", "executed"),
        ("load", "I"): Checks("proved", "none", "proved"),
        ("load", "s"): Checks("executed", "executed", "executed"),  # data chooses
        ("store", "B"): Checks("proved", "none", "executed"),
    }
    assert rows(kernel.report) == expected
    a, at = np.zeros((4, 64), np.float32), np.zeros(64, np.int32)
    unchecked = rows(kernel.simulate(a, at, np.zeros_like(a), check="off"))
    assert unchecked[("load", "s")] == Checks("executed", "off", "off")
    assert unchecked[("load", "A")] == expected[("load", "A")]
    assert rows(tw.compile(turned).simulate(a, np.zeros_like(a), check="off"))[("load", "s")].races == "proved"


def test_an_array_that_another_parameter_writes_is_looked_at() -> None:
    a = np.zeros((4, 64), np.float32)
    found = rows(tw.compile(chosen).simulate(a, np.zeros(64, np.int32), a))
    assert found[("load", "A")].races == "executed"


def test_the_table_and_json_have_them() -> None:
    report = tw.compile(chosen).report
    (line,) = (line for line in report.table().split("\n") if line.startswith("load    s ") and "executed" in line)
    assert line.split()[-3:] == ["executed", "executed", "executed"]
    found = json.loads(report.json())
    assert (found["proved"], found["repeated"]) == (False, False)
    assert [access["checks"]["bounds"] for access in found["accesses"]] == [*["proved"] * 3, "executed", "proved"]


@pytest.mark.parametrize("bad", [-1, 64, 2**31 - 1])
def test_what_is_executed_finds_the_fault(bad: int) -> None:
    at = np.zeros(64, np.int32)
    at[7] = bad
    with pytest.raises(OutOfBoundsError, match=r"thread \(7,0,0\)"):
        tw.compile(chosen)(np.zeros((4, 64), np.float32), at, np.zeros((4, 64), np.float32))


@pytest.mark.hypothesis
@given(small_kernels())
def test_bounds_are_proved_only_where_no_lane_leaves_its_buffer(small: Small) -> None:
    """An access alone, by all lanes, for which bounds are proved: it has no fault, whatever the loops around it."""
    for statement in small.statements:
        if statement.kind not in ("load", "store"):
            continue
        alone = replace(small, statements=(statement,))
        simulator = Simulator(parse_module(alone.text()))
        inside = [site.inside for site in simulator.compiled.program.sites if site.counted]
        arrays = [np.zeros(SIZES[name], np.int64) for name in "AB"]
        try:
            simulator.run(arrays, proofs=False)
        except OutOfBoundsError:
            assert not all(inside)
        except SimulationError:
            continue
