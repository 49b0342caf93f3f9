"""Loops recorded once for all their turns do what each turn checked for itself does: results, costs and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import TypeAlias

import numpy as np
import pytest
from cpu import within
from final_kernels import kernel
from hypothesis import given, settings
from loop_kernels import Access, For, Looped, Statement, Sync, Term, looped_kernels, outcome, pipelines, strides
from xdsl.dialects import arith

import tilewright as tw
from tilewright.errors import SimulationError
from tilewright.ir.text import parse_module
from tilewright.script import tirx as T
from tilewright.targets.simulator.domains.affine import Affine, Counter, affine, bounds, combined, evaluated
from tilewright.targets.simulator.limits import Limits
from tilewright.targets.simulator.memory.access import Array, NotUniformError, Number, Operand
from tilewright.targets.simulator.ops.arithmetic import COMPARISONS, PLAIN
from tilewright.targets.simulator.simulate import Simulator


def agree(looped: Looped) -> tuple[str, bool]:
    """The error, and was it proved that there is none?"""
    simulator = Simulator(parse_module(looped.text()))
    fast, fast_memory, fast_report = outcome(simulator, looped, proofs=True)
    slow, slow_memory, slow_report = outcome(simulator, looped, proofs=False)
    assert (fast, fast_memory) == (slow, slow_memory)
    if fast_report is not None and slow_report is not None:
        assert fast_report.accesses == slow_report.accesses
        assert fast_report.agreed == slow_report.agreed
    return fast, fast_report is not None and fast_report.proved


@pytest.mark.hypothesis
@given(looped_kernels())
@settings(max_examples=40)
def test_recorded_loops_are_turns_one_by_one(looped: Looped) -> None:
    agree(looped)


@pytest.mark.hypothesis
@given(pipelines())
@settings(max_examples=30)
def test_recorded_pipelines_are_turns_one_by_one(looped: Looped) -> None:
    """Those without a fault are proved."""
    error, proved = agree(looped)
    assert error or proved


@pytest.mark.hypothesis
@given(strides())
@settings(max_examples=40)
def test_recorded_strides_are_turns_one_by_one(looped: Looped) -> None:
    agree(looped)


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("nested", [True, False])
def test_races_between_turns(closed: bool, nested: bool) -> None:
    """Each turn writes what the turn before has read; the barrier at its end makes that good, wherever the loop is."""
    write, read = (Access(kind, "S", (Term("tx", 1, *how),), 0, 0) for kind, how in (("store", ()), ("load", ("^", 1))))
    body: tuple[Statement, ...] = (For(50, (write, Sync("cta"), read, *((Sync("cta"),) if closed else ()))),)
    looped = Looped(2, 4, (For(20, (*body, Sync("cta"))),) if nested else body)
    error, proved = agree(looped)
    assert error.startswith("" if closed else "RaceError: block (0,0,0) thread (0,0,0) writes element 0 of S")
    assert closed == proved


# ---- sums of what differs between blocks, lanes and iterations

ENTRIES, LANES = 3, 4
_ZERO = arith.ConstantOp.from_int_and_width(0, 64)
COUNTERS = tuple(Counter(arith.AddiOp(_ZERO, _ZERO), trips) for trips in (2, 5))


Parts: TypeAlias = tuple[Array | None, int | Array, dict[Counter, int]]


def parts_of(rng: Random) -> Parts:
    """Of a sum: small numbers, often the same ones, and multiples of 4."""

    def small(count: int) -> Array:
        return np.array(rng.choices((0, 1, 2, 3, 4, 8, 12, -1, -4), k=count), np.int64)

    base, rest = small(ENTRIES), small(LANES)[None]
    bases: list[Array | None] = [None, base, base * 4]
    rests: list[int | Array] = [0, 5, rest, rest * 4]
    steps = {counter: int(small(1)[0]) for counter in COUNTERS if rng.random() < 0.5}
    return rng.choice(bases), rng.choice(rests), steps


def numbers(value: Operand, iterations: dict[Counter, int]) -> Array:
    found = evaluated(value, slice(0, ENTRIES), iterations) if isinstance(value, Affine) else np.asarray(value)
    return np.broadcast_to(found, (ENTRIES, LANES))


def turns() -> Iterator[dict[Counter, int]]:
    """Every iteration of the two loops."""
    for at in product(*(range(counter.trips) for counter in COUNTERS)):
        yield dict(zip(COUNTERS, at, strict=True))


def test_a_sum_is_of_its_parts() -> None:
    """And lies between its bounds, which it reaches; some entries of it are those of all."""
    rng = Random(0)
    for _ in range(200):
        base, rest, steps = parts_of(rng)
        found, whole = affine(base, rest, steps), []
        for at in turns():
            moved = sum(step * at[counter] for counter, step in steps.items())
            expected = np.broadcast_to((0 if base is None else base[:, None]) + rest + moved, (ENTRIES, LANES))
            assert (numbers(found, at) == expected).all()
            if isinstance(found, Affine):
                assert (evaluated(found, slice(1, ENTRIES), at) == expected[1:]).all()
            whole.append(expected)
        assert bounds(found) == (np.min(whole), np.max(whole))


FUNCTIONS = {
    op.__name__: PLAIN[op]
    for op in (
        arith.AddiOp,
        arith.SubiOp,
        arith.MuliOp,
        arith.AndIOp,
        arith.OrIOp,
        arith.XOrIOp,
        arith.ShLIOp,
        arith.ShRSIOp,
        arith.ShRUIOp,
        arith.DivSIOp,
        arith.DivUIOp,
        arith.FloorDivSIOp,
        arith.RemSIOp,
        arith.RemUIOp,
        arith.MinSIOp,
        arith.MaxSIOp,
        arith.SelectOp,
    )
} | {f"comparison {number}": function for number, function in enumerate(COMPARISONS)}


DIVIDES = [PLAIN[op] for op in (arith.DivSIOp, arith.DivUIOp, arith.FloorDivSIOp, arith.RemSIOp)]
PICKY = [*DIVIDES, *(PLAIN[op] for op in (arith.RemUIOp, arith.ShLIOp, arith.ShRSIOp, arith.ShRUIOp))]


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_ops_on_sums_are_ops_on_every_number(function: Callable[..., Number]) -> None:
    """What is known of the result holds for each entry, lane and iteration; else nothing is claimed."""
    rng, known = Random(0), 0
    for _ in range(400):
        mine, _ = pair = parts_of(rng), parts_of(rng)
        shared = affine(rng.choice(pair)[0], rng.choice(pair)[1], rng.choice(pair)[2])
        other = shared if rng.random() < 0.5 else rng.randint(-9, 9)
        values = [affine(*mine), rng.choice((1, 2, 3, 4, 7, 8)) if function in PICKY else other]
        if not any(isinstance(value, Affine) for value in values):
            continue
        if function is PLAIN[arith.SelectOp]:
            values.insert(0, np.array([[True, False, True, True]]))
        try:
            found = combined(function, tuple(values))
        except NotUniformError:
            continue
        if found is None:
            continue
        known += 1
        for at in turns():
            assert (numbers(found, at) == function(*(numbers(value, at) for value in values))).all()
    assert known


# ---- what does not grow with a loop


def summed(turns: int) -> str:
    """Each of 4 blocks sums so many rows of 64 numbers, through shared memory, and counts the turns in a register."""
    shared = 'memref<64xf32, "shared">'
    return kernel(
        f"""
      %turns = arith.constant {turns} : index
      %zero = arith.constant 0.0 : f32
      %S = memref.alloca() : {shared}
      %n = memref.alloca() : memref<1xindex, "local">
      memref.store %c0, %n[%c0] : memref<1xindex, "local">
      %sum = scf.for %i = %c0 to %turns step %c1 iter_args(%acc = %zero) -> (f32) {{
        %k = memref.load %n[%c0] : memref<1xindex, "local">
        %row = arith.muli %k, %block : index
        %at = arith.addi %row, %tx : index
        %v = memref.load %A[%at] : memref<{64 * turns}xf32>
        memref.store %v, %S[%tx] : {shared}
        tile.sync "cta"
        %other = arith.xori %tx, %c1 : index
        %w = memref.load %S[%other] : {shared}
        tile.sync "cta"
        %next = arith.addf %acc, %w : f32
        %k1 = arith.addi %k, %c1 : index
        memref.store %k1, %n[%c0] : memref<1xindex, "local">
        scf.yield %next : f32
      }}
      %first = arith.muli %bx, %block : index
      %to = arith.addi %first, %tx : index
      memref.store %sum, %B[%to] : memref<256xf32>""",
        f"%A: memref<{64 * turns}xf32>, %B: memref<256xf32>",
        block=64,
        grid=4,
    )


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 1000])
def test_values_that_turns_carry(turns: int) -> None:
    a = np.random.default_rng(0).integers(-9, 9, (turns, 64)).astype(np.float32)
    for proofs in (True, False):
        b = np.full((4, 64), -1, np.float32)
        report = Simulator(parse_module(summed(turns))).run([a, b], proofs=proofs)
        assert report.proved == proofs
        assert (b == a.sum(axis=0)[np.arange(64) ^ 1]).all()
        (load,) = report.select("load", "global")
        assert load.accesses == 4 * 2 * turns


@pytest.mark.parametrize("turns", [1, 2, 300])
def test_what_the_last_turn_leaves(turns: int) -> None:
    """A register that each turn writes, one that counts the turns, one that alternates, and two values that swap."""
    index = 'memref<1xindex, "local">'
    text = kernel(
        f"""
      %turns = arith.constant {turns} : index
      %last = memref.alloca() : {index}
      %n = memref.alloca() : {index}
      %flip = memref.alloca() : {index}
      memref.store %c0, %n[%c0] : {index}
      memref.store %c0, %flip[%c0] : {index}
      %odd, %even = scf.for %i = %c0 to %turns step %c1 iter_args(%p = %c0, %q = %c1) -> (index, index) {{
        %twice = arith.muli %i, %c2 : index
        %mine = arith.addi %twice, %tx : index
        memref.store %mine, %last[%c0] : {index}
        %k = memref.load %n[%c0] : {index}
        %more = arith.addi %k, %c3 : index
        memref.store %more, %n[%c0] : {index}
        %f = memref.load %flip[%c0] : {index}
        %f1 = arith.addi %f, %c1 : index
        %f2 = arith.remui %f1, %c2 : index
        memref.store %f2, %flip[%c0] : {index}
        %w = arith.index_cast %f : index to i64
        %at = arith.muli %f, %block : index
        %to = arith.addi %at, %tx : index
        memref.store %w, %B[%to] : memref<64xi64>
        scf.yield %q, %p : index, index
      }}
      %a = memref.load %last[%c0] : {index}
      %b = memref.load %n[%c0] : {index}
      %c = memref.load %flip[%c0] : {index}
      %d = arith.muli %b, %block : index
      %e = arith.addi %a, %d : index
      %g = arith.muli %e, %c2 : index
      %h = arith.addi %g, %c : index
      %o = arith.muli %odd, %c7 : index
      %x = arith.addi %h, %o : index
      %v = arith.index_cast %x : index to i64
      memref.store %v, %A[%tx] : memref<32xi64>""",
        "%A: memref<32xi64>, %B: memref<64xi64>",
    )
    lanes = np.arange(32)
    for proofs in (True, False):
        a, b = np.zeros(32, np.int64), np.full(64, 9)
        report = Simulator(parse_module(text)).run([a, b], proofs=proofs)
        assert report.proved == proofs
        assert (a == 2 * (2 * (turns - 1) + lanes + 32 * 3 * turns) + 8 * (turns % 2)).all()
        assert (b == np.repeat([0, 1 if turns > 1 else 9], 32)).all()


def test_steps_are_limited_where_loops_are_recorded() -> None:
    """A loop in a loop, each short: what is proved is refused as what is checked, at once and by its name."""
    text = kernel(
        """
      %far = arith.constant 1500 : index
      scf.for %i = %c0 to %far step %c1 {
        scf.for %j = %c0 to %far step %c1 {
          %v = memref.load %A[%tx] : memref<32xf32>
          memref.store %v, %A[%tx] : memref<32xf32>
        }
      }"""
    )
    for proofs in (True, False):
        with within(2), pytest.raises(SimulationError, match=r"more than 2000000 simulated ops.*\n.*scf\.for"):
            Simulator(parse_module(text)).run([np.zeros(32, np.float32)], proofs=proofs)


def test_a_recording_that_is_too_long_to_replay_is_left_to_lockstep() -> None:
    """Many blocks repeat a long loop: each chunk of them counts."""
    text = kernel(
        """
      %far = arith.constant 225 : index
      %zero = arith.constant 0.0 : f32
      %at = arith.muli %bx, %block : index
      %to = arith.addi %at, %tx : index
      %sum = scf.for %i = %c0 to %far step %c1 iter_args(%acc = %zero) -> (f32) {
        %v = memref.load %A[%to] : memref<262144xf32>
        %next = arith.addf %acc, %v : f32
        scf.yield %next : f32
      }
      memref.store %sum, %A[%to] : memref<262144xf32>""",
        "%A: memref<262144xf32>",
        grid=8192,
    )
    a = np.ones(262144, np.float32)
    assert Simulator(parse_module(text)).run([a]).proved
    assert (a == 225).all()
    with within(2), pytest.raises(SimulationError, match="more than 1000 simulated ops"):
        Simulator(parse_module(text)).run([a], limits=Limits(steps=1000))


@pytest.mark.parametrize("blocks", [1, 3])
def test_loops_that_go_down(blocks: int) -> None:
    """Each turn accesses lower elements than the one before; the last comes to the first of all."""
    words, threads = 4096, 64

    @T.prim_func
    def turned(A: T.Buffer((blocks, words), "int32"), C: T.Buffer((blocks, words), "int32")):
        T.device_entry()
        b = T.cta_id([blocks])
        t = T.thread_id([threads])
        held = T.alloc_shared((words,), "int32")
        for i in T.serial(words // threads):
            held[words - 1 - (i * threads + t)] = A[b, i * threads + t]
        T.cuda.cta_sync()
        for i in T.serial(words // threads):
            C[b, words - 1 - (i * threads + t)] = held[words - 1 - (i * threads + t)] + A[b, i * threads + t]

    source = np.arange(blocks * words, dtype=np.int32).reshape(blocks, words)
    found = np.zeros_like(source)
    report = tw.compile(turned).simulate(source, found)
    assert report.proved
    assert (found == 2 * source[:, ::-1]).all()


@pytest.mark.parametrize("proofs", [True, False])
@pytest.mark.parametrize("turns", [300, 301])
def test_a_zero_that_changes_its_sign_is_carried(turns: int, proofs: bool) -> None:
    body = f"""%n = arith.constant {turns} : index
      %z = arith.constant 0.0 : f32
      %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %z) -> (f32) {{
        %y = arith.negf %x : f32
        scf.yield %y : f32
      }}
      memref.store %r, %A[%tx] : memref<32xf32>"""
    found = np.ones(32, np.float32)
    Simulator(parse_module(ZEROS.format(body=body))).run([found], proofs=proofs)
    assert found.tobytes() == np.full(32, -0.0 if turns % 2 else 0.0, np.float32).tobytes()


ZEROS = """func.func @f(%A: memref<32xf32>) attributes {{
  tile.grid = array<i64: 1, 1, 1>, tile.block = array<i64: 32, 1, 1>}} {{
  %tx = "gpu.thread_id"() <{{dimension = #gpu<dim x>}}> : () -> index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  {body}
  func.return }}"""
