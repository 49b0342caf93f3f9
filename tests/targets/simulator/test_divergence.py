"""Loops whose bounds differ from lane to lane are each lane's own loop; lanes that are done keep what they have."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tilewright.errors import SimulationError
from tilewright.ir.text import parse_module
from tilewright.targets.simulator.limits import Limits
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.simulate import Simulator

BLOCKS, THREADS = 2, 32
HEAD = """func.func @f(%P: memref<256xi64>, %B: memref<64xi64>) attributes {
    tile.grid = array<i64: 2, 1, 1>, tile.block = array<i64: 32, 1, 1>} {
  %tx = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %bx = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c32 = arith.constant 32 : index
  %n0 = arith.muli %bx, %c32 : index
  %n = arith.addi %n0, %tx : index
  %p0 = arith.muli %n, %c4 : index
  %p1 = arith.addi %p0, %c1 : index
  %p2 = arith.addi %p1, %c1 : index
  %p3 = arith.addi %p2, %c1 : index
  %low64 = memref.load %P[%p0] : memref<256xi64>
  %low = arith.index_cast %low64 : i64 to index
  %high64 = memref.load %P[%p1] : memref<256xi64>
  %high = arith.index_cast %high64 : i64 to index
  %by64 = memref.load %P[%p2] : memref<256xi64>
  %by = arith.index_cast %by64 : i64 to index
  %flag64 = memref.load %P[%p3] : memref<256xi64>
  %flag = arith.index_cast %flag64 : i64 to index
  %some = arith.cmpi eq, %flag, %c1 : index
  %c48 = arith.constant 48 : index
  %early = arith.cmpi ult, %n, %c48 : index
"""
FOR = """  scf.if %early { scf.if %some {
    %sum, %last = scf.for %i = %low to %high step %by iter_args(%a = %c0, %b = %n) -> (index, index) {
      %next = arith.addi %b, %i : index
      scf.yield %next, %a : index, index
    }
    %t0 = arith.muli %sum, %c32 : index
    %t1 = arith.addi %t0, %last : index
    %v = arith.index_cast %t1 : index to i64
    memref.store %v, %B[%n] : memref<64xi64>
  } }
  func.return }"""
WHILE = """  scf.if %early { scf.if %some {
    %i, %sum = scf.while (%x = %low, %s = %n) : (index, index) -> (index, index) {
      %go = arith.cmpi slt, %x, %high : index
      %first64 = memref.load %P[%p0] : memref<256xi64>
      %first = arith.index_cast %first64 : i64 to index
      %from = arith.addi %s, %first : index
      %more = arith.addi %from, %x : index
      scf.condition(%go) %x, %more : index, index
    } do {
    ^bb0(%x: index, %s: index):
      %y = arith.addi %x, %by : index
      scf.yield %y, %s : index, index
    }
    %t0 = arith.muli %sum, %c32 : index
    %t1 = arith.addi %t0, %i : index
    %v = arith.index_cast %t1 : index to i64
    memref.store %v, %B[%n] : memref<64xi64>
  } }
  func.return }"""


def counted(low: int, high: int, by: int, number: int) -> int:
    a, b = 0, number
    for i in range(low, high, by):
        a, b = b + i, a
    return a * 32 + b


def asked(low: int, high: int, by: int, number: int) -> int:
    total, x = number, low
    while True:
        total += low + x
        if x >= high:
            return total * 32 + x
        x += by


LOOPS = {"for": (FOR, counted), "while": (WHILE, asked)}
lane = st.tuples(st.integers(0, 4), st.integers(0, 6), st.integers(1, 3), st.integers(0, 1))


def run(body: str, parameters: Array, **limits: int) -> Array:
    found = np.full(BLOCKS * THREADS, -1, np.int64)
    Simulator(parse_module(HEAD + body)).run([parameters.reshape(-1), found], limits=Limits(**limits))
    return found


@pytest.mark.parametrize("kind", LOOPS)
@example([(1, 5, 1, 1), (1, 3, 1, 1), (2, 2, 1, 1), (0, 3, 1, 0)])
@given(st.lists(lane, min_size=4, max_size=4))
def test_each_lane_counts_for_itself(kind: str, lanes: list[tuple[int, int, int, int]]) -> None:
    """Inside of branches that some lanes take, those alone do what follows."""
    body, wanted = LOOPS[kind]
    parameters = np.array(lanes * (BLOCKS * THREADS // 4), np.int64)
    rows = enumerate(parameters.tolist())
    expected = [wanted(low, high, by, n) if flag and n < 48 else -1 for n, (low, high, by, flag) in rows]
    assert run(body, parameters).tolist() == expected


@pytest.mark.parametrize("kind", LOOPS)
def test_a_lane_that_counts_for_long_is_stopped(kind: str) -> None:
    parameters = np.array([[0, 5, 1, 1]] * (BLOCKS * THREADS), np.int64)
    parameters[7, 1] = 5000
    with pytest.raises(SimulationError, match="more than 3000 simulated ops"):
        run(LOOPS[kind][0], parameters, steps=3000)
    parameters[7, 3] = 0  # it does not take part
    assert run(LOOPS[kind][0], parameters, steps=3000)[7] == -1


def test_a_loop_that_asks_for_what_nothing_changes_is_told_as_such() -> None:
    """Where some lanes never leave, at their second turn."""
    asks = """  scf.while : () -> () {
      scf.condition(%some)
    } do {
      scf.yield
    }
    func.return }"""
    parameters = np.zeros((BLOCKS * THREADS, 4), np.int64)
    assert (run(asks, parameters) == -1).all()
    parameters[7, 3] = 1
    with pytest.raises(SimulationError, match="this loop never ends: nothing in it changes what it asks for"):
        run(asks, parameters)


def test_a_step_that_is_not_positive_is_refused() -> None:
    parameters = np.array([[0, 5, 1, 1]] * (BLOCKS * THREADS), np.int64)
    parameters[7, 2] = 0
    with pytest.raises(SimulationError, match="the step of a loop must be positive, got 0"):
        run(FOR, parameters)
