"""Who looks on, against the definition: every lane of every access counted for itself."""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from xdsl.dialects.arith import ConstantOp
from xdsl.dialects.builtin import IntegerAttr

import tilewright as tw
from tilewright.arch import get
from tilewright.atoms import catalog
from tilewright.dtypes import dtype
from tilewright.ir.text import parse_module
from tilewright.script import tirx as T
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.domains.lockstep import Lockstep, Machine
from tilewright.targets.simulator.limits import Fuel, Limits
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.observers.engines import in_global, in_shared
from tilewright.targets.simulator.observers.heard import Hearing
from tilewright.targets.simulator.observers.instructions import _flops, kind_of, line_of, matrix_unit
from tilewright.targets.simulator.observers.patterns import LINE_BYTES, patterns, warps
from tilewright.targets.simulator.observers.tally import Tally
from tilewright.targets.simulator.observers.touched import Touched
from tilewright.targets.simulator.order.mbarriers import NO_ENGINES, Engines
from tilewright.targets.simulator.proofs import Judge
from tilewright.targets.simulator.sites import Site

BLOCKS, THREADS = 2, 40  # a warp and a part of one
OP = ConstantOp(IntegerAttr(0, 64))
GLOBAL = Site(OP, "load", OP.result, "m", "global", 4)
SHARED = Site(OP, "load", OP.result, "m", "shared", 4)
BEHIND = replace(SHARED, base_bytes=64)


def machine(engines: Engines = NO_ENGINES) -> Machine:
    launch = Launch((BLOCKS, 1, 1), (THREADS, 1, 1))
    return Machine(launch, np.arange(BLOCKS), Tally(get("sm_90")), Fuel(Limits()), engines=engines)


def counted(lanes: Lockstep, site: Site, index: Array, mask: Array | None) -> tuple[int, ...]:
    lanes.machine.tally = Tally(get("sm_90"))
    lanes.count(site, index, mask)
    (found,) = lanes.machine.tally.reports([site], Judge(False, False, True, ()))
    return found.accesses, found.wavefronts, found.sectors, found.bytes, found.distinct_bytes


@pytest.mark.parametrize("site", [GLOBAL, SHARED, BEHIND], ids=["global", "shared", "behind"])
@given(
    st.integers(1, 9),
    st.sampled_from([0, 1, 100]),
    st.lists(st.booleans(), min_size=BLOCKS * THREADS, max_size=BLOCKS * THREADS),
    st.booleans(),
)
def test_an_access_costs_what_that_of_each_block_costs(
    site: Site, stride: int, apart: int, flags: list[bool], all_active: bool
) -> None:
    """However the index is given: one for all, one for each lane, one for each block and lane."""
    lanes = machine().lanes()
    lane = np.arange(THREADS, dtype=np.int64) * stride
    full = lane + np.arange(BLOCKS)[:, None] * apart
    mask = None if all_active else np.array(flags).reshape(BLOCKS, THREADS)
    alone = [Lockstep(lanes.machine, np.array([row]), np.arange(THREADS)) for row in range(BLOCKS)]
    each = [
        counted(one, site, full[row : row + 1], None if mask is None else mask[row : row + 1])
        for row, one in enumerate(alone)
    ]
    wanted = tuple(map(sum, zip(*each, strict=True)))
    assert counted(lanes, site, full, mask) == wanted
    assert wanted[3] == 4 * (full.size if mask is None else mask.sum())
    if not apart:
        assert counted(lanes, site, lane[None], mask) == wanted
        assert counted(lanes, site, lane, mask) == wanted


@given(st.lists(st.integers(0, 9999), min_size=32, max_size=32), st.integers(1, 3))
def test_what_was_counted_before_changes_no_cost(elements: list[int], base: int) -> None:
    """One block costs its part of two alike, and elements from a base on what those so much further on cost."""
    tally, site = Tally(get("sm_90")), replace(SHARED, width_bytes=2)
    row, behind = np.array([elements]), replace(site, base_bytes=2 * base)
    wanted = Tally(tally.spec).accesses(site, row + base).costs
    for blocks in (1, 2):
        found = tally.accesses(behind, np.repeat(row, blocks, axis=0)).costs
        assert found == {name: blocks * cost for name, cost in wanted.items()}


@pytest.mark.parametrize("most", [1, 2, 4096])
def test_sums_are_those_of_all_accesses(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Of those that come again too, whatever was forgotten in between."""
    monkeypatch.setattr("tilewright.targets.simulator.observers.tally.MOST", most)
    tally, lane = Tally(get("sm_90")), np.arange(32, dtype=np.int64)[None]
    made = [tally.accesses(SHARED, stride * lane) for stride in (1, 2, 32)]
    turns = [(0, 1), (1, 2), (0, 3), (2, 5), (2, 1), (0, 7)]
    for number, times in turns:
        tally.count(made[number], times)
        tally.accesses(SHARED, (number + 3) * lane)
    for _ in range(2):  # who asks changes nothing
        (report,) = tally.reports([SHARED], Judge(False, False, True, set()))
        assert report.wavefronts == sum(times * made[number].costs["wavefronts"] for number, times in turns)
        assert report.accesses == sum(times for _, times in turns)


ROWS = st.lists(st.lists(st.integers(-1, 600), min_size=3, max_size=3), min_size=1, max_size=6)
SHIFTED = st.builds(
    lambda row, shifts: [[at + shift for at in row] for shift in shifts],
    st.lists(st.integers(-1, 600), min_size=3, max_size=3),
    st.lists(st.sampled_from([0, 0, 1, 16, 64, 256]), min_size=1, max_size=6),
)


@example([[-1, -1, -1], [0, -1, 4]], 1, 0)
@example([[0, 1, 2], [64, 65, 66], [0, 1, 2], [1, 2, 3]], 4, 0)
@example([[0, 1, 2], [5, 6, 8]], 1, 0)
@example([[4, 0, 5], [260, 256, 261]], 1, 3)
@given(ROWS | SHIFTED, st.sampled_from([1, 2, 16]), st.integers(0, 300))
def test_patterns_are_the_rows_moved_down_by_lines(rows: list[list[int]], step: int, base: int) -> None:
    kept = warps(np.array(rows).reshape(1, -1), 3)
    assert kept.tolist() == [row for row in rows if max(row) >= 0]
    if not len(kept):
        return
    wanted: dict[tuple[int, ...], int] = {}
    for row in kept.tolist():
        places = [at * step + base if at >= 0 else -1 for at in row]
        line = min(at for at in places if at >= 0) // LINE_BYTES * LINE_BYTES
        near = tuple(at - line if at >= 0 else -1 for at in places)
        wanted[near] = wanted.get(near, 0) + 1
    found, times = patterns(kept, step, base)
    assert len(found) == len(times)
    assert dict(zip(map(tuple, found.tolist()), times.tolist(), strict=True)) == wanted


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 60), st.booleans()), min_size=5, max_size=5), min_size=1, max_size=3),
    st.sampled_from([1, 4, 16]),
    st.booleans(),
)
def test_engines_ask_for_each_sector_of_a_copy_once(
    copies: list[list[tuple[int, bool]]], size: int, bounded: bool
) -> None:
    spec = get("sm_90")
    at, inside = (np.array([[pair[part] for pair in copy] for copy in copies]) for part in (0, 1))
    moved = [[place for place, known in copy if known or not bounded] for copy in copies]
    bytes_ = [len(places) * size for places in moved]
    assert dict(in_global(spec, at, size, inside if bounded else None)) == {
        "accesses": len(copies),
        "bytes": sum(bytes_),
        "distinct_bytes": sum(len(set(places)) * size for places in moved),
        "sectors": sum(len({place * size // spec.sector_bytes for place in places}) for places in moved),
        "ideal_sectors": sum(-(-count // spec.sector_bytes) for count in bytes_),
    }
    distinct = sum(len({place for place, _ in copy}) * size for copy in copies)
    assert dict(in_shared(at, size)) == {"accesses": len(copies), "bytes": at.size * size, "distinct_bytes": distinct}


def test_what_was_heard_is_told_until_the_next_op_is() -> None:
    hearing, other = Hearing(Touched(32)), ConstantOp(IntegerAttr(1, 64))
    elsewhere = Site(other, "load", other.result, "n", "global", 4)
    hearing.note(GLOBAL, np.arange(1), None)
    hearing.note(SHARED, np.arange(2), None)
    hearing.note(elsewhere, np.arange(3), None)
    assert [entry.site for entry in hearing.of(OP)] == [GLOBAL, SHARED]
    assert [entry.site for entry in hearing.of(other)] == [elsewhere]
    hearing.note(GLOBAL, np.arange(4), None)
    assert [len(entry.elements) for entry in hearing.of(OP)] == [4]
    assert list(hearing.of(other)) == []


def test_every_count_is_heard() -> None:
    lanes = machine().lanes()
    lanes.machine.hearing = hearing = Hearing(Touched(32))
    mask = np.arange(BLOCKS * THREADS).reshape(BLOCKS, THREADS) % 2 == 0
    for chosen in (None, mask):
        lanes.count(GLOBAL, np.arange(THREADS), chosen)
    assert [entry.mask is mask for entry in hearing.of(OP)] == [False, True]


def test_threads_and_engines_have_names() -> None:
    grid, block = (2, 3, 2), (3, 2, 4)
    whole = Machine(Launch(grid, block), np.arange(prod(grid)), Tally(get("sm_90")), Fuel(Limits()))
    names = [
        f"block ({bx},{by},{bz}) thread ({x},{y},{z})"
        for bz, by, bx in np.ndindex(*reversed(grid))
        for z, y, x in np.ndindex(*reversed(block))
    ]
    width = whole.clocks.width
    numbers = [b * width + t for b in range(prod(grid)) for t in range(prod(block))]
    assert [whole.name(number) for number in numbers] == names
    engines = machine(engines=Engines({}, 3, 1, products=1))
    first = engines.clocks.width + engines.clocks.warps * engines.clocks.lanes
    told = [engines.name(first + number) for number in range(3)]
    assert told == [f"a {what} of block (1,0,0)" for what in ("copy", "product", "product")]


HELD = {"float32": ("float32", np.float32), "float16": ("float16", np.float16)}


@pytest.mark.parametrize("name", HELD)
def test_floating_point_operations_are_counted_by_active_lane(name: str) -> None:
    """A multiply-add is two, and one of integers none."""
    unit, kind = HELD[name]

    @T.prim_func
    def sums(left: T.handle, right: T.handle) -> None:
        A = T.match_buffer(left, (3, 40), name)
        B = T.match_buffer(right, (3, 40), "int32")
        T.device_entry()
        b = T.cta_id([3])
        t = T.thread_id([40])
        if t < 7:
            A[b, t] = A[b, t] + A[b, t]
        B[b, t] = B[b, t] * 3 + t

    found = tw.compile(sums).profile(np.ones((3, 40), kind), np.ones((3, 40), np.int32)).instructions
    assert found is not None
    assert dict(found.flops) == {unit: 3 * 7}


def test_what_a_multiply_add_and_a_matrix_instruction_compute() -> None:
    (fma,) = (op for op in parse_module(FMA).walk() if op.name == "math.fma")
    assert (kind_of(fma), _flops(fma)) == ("float", ("float32", 2))
    assert [kind_of(op) for op in parse_module(FMA).walk() if op.name.startswith(("gpu.", "func."))] == [None] * 3
    atoms = [catalog.mma(name) for name in catalog.list(kind="mma")]
    tensor = [atom for atom in atoms if matrix_unit(atom).startswith("mma ")]
    assert {dtype(atom.types[0]).bits for atom in tensor if matrix_unit(atom).endswith(" half")} == {16}
    assert all(dtype(atom.types[0]).bits != 16 for atom in tensor if not matrix_unit(atom).endswith(" half"))


def test_what_has_no_line_is_of_the_line_that_first_uses_it() -> None:
    ops = [op for op in parse_module(PLACED).walk() if op.name.startswith(("arith.", "memref."))]
    assert [line_of(op).line for op in ops] == [7, 7, 7, 9, 9]


PLACED = """func.func @f(%A: memref<8xf32>) attributes {
    tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 8, 1, 1>} {
  %c = arith.constant 3 : index
  %d = arith.addi %c, %c : index
  %x = memref.load %A[%d] : memref<8xf32> loc("k.py":7:5)
  %e = arith.constant 4 : index
  memref.store %x, %A[%e] : memref<8xf32> loc("k.py":9:5)
  func.return }"""
FMA = """func.func @f(%A: memref<8xf32>) attributes {
    tile.grid = array<i64: 3, 1, 1>, tile.block = array<i64: 8, 1, 1>} {
  %tx = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %x = memref.load %A[%tx] : memref<8xf32>
  %y = math.fma %x, %x, %x : f32
  func.return }"""
