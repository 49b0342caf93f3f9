"""Random `fly` kernels at every stage, and what the kernels of others' dumps have besides."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from fly_kernels import FAULTS, Kernel, judged
from fly_runs import Launch, Memory, counted, report_of, stages

from tilewright.errors import CompileError, SimulationError

SEEDS = range(7)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_stage_computes_the_same_or_finds_the_same_fault(seed: int) -> None:
    _, otherwise = judged(seed)
    assert not otherwise


def test_kernels_are_of_many_kinds() -> None:
    made = [Kernel(seed) for seed in range(60)]
    text = "".join(one.made().text for one in made)
    faults = Counter(one.fault for one in made if one.planted)
    assert faults.keys() == {fault for fault in FAULTS if fault}
    wanted = ("gpu.barrier", "buffer_copy", "mfma", "gemm", "S<", "print", "scf.if", "scf.for", "tiled_copy.partition")
    assert all(word in text for word in wanted)


HEAD = """gpu.module @m {
  memref.global @arena : memref<512xi8, #gpu.address_space<workgroup>> {alignment = 16 : i64}
  gpu.func @k(%a: !fly.ptr<f32, global>, %c: !fly.ptr<f32, global>) kernel {
    %tx = gpu.thread_id x
    %t = arith.index_cast %tx : index to i32
    %i = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?>
    %p = fly.add_offset(%a, %i) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
    %q = fly.add_offset(%c, %i) : (!fly.ptr<f32, global>, !fly.int_tuple<?>) -> !fly.ptr<f32, global>
    %v = fly.ptr.load(%p) : (!fly.ptr<f32, global>) -> f32
"""
TAIL = """
    fly.ptr.store(%w, %q) : (f32, !fly.ptr<f32, global>) -> ()
    gpu.return
  }
}"""
BLOCK = "memref<{}, #gpu.address_space<workgroup>>"
BODIES = {
    "loop in i32": (
        """    %low = arith.constant 2 : i32
    %high = arith.constant 7 : i32
    %step = arith.constant 2 : i32
    %w = scf.for %n = %low to %high step %step iter_args(%x = %v) -> (f32) : i32 {
      %m = arith.sitofp %n : i32 to f32
      %y = arith.addf %x, %m : f32
      scf.yield %y : f32
    }""",
        lambda x: x + 12,
    ),
    "shuffle": (
        """    %by = arith.constant 32 : i32
    %all = arith.constant 64 : i32
    rocdl.sched.barrier 0
    %w, %there = gpu.shuffle xor %v, %by, %all : f32""",
        lambda x: x[np.arange(64) ^ 32],
    ),
    "vectors": (
        """    %d = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
    %s = vector.broadcast %v : f32 to vector<4xf32>
    %e = arith.mulf %d, %s : vector<4xf32>
    %four = arith.constant 4 : index
    %at = arith.remui %tx, %four : index
    %one = vector.extract %e[%at] : f32 from vector<4xf32>
    %sum = vector.reduction <add>, %e : vector<4xf32> into f32
    %w = arith.addf %one, %sum : f32""",
        lambda x: x * (np.arange(64) % 4 + 1) + 10 * x,
    ),
    "bytes of shared memory": (
        """    %s = fly.make_ptr() {dictAttrs = {allocBytes = 256 : i64}} : () -> !fly.ptr<f32, shared>
    %r = fly.add_offset(%s, %i) : (!fly.ptr<f32, shared>, !fly.int_tuple<?>) -> !fly.ptr<f32, shared>
    fly.ptr.store(%v, %r) : (f32, !fly.ptr<f32, shared>) -> ()
    gpu.barrier
    %w = fly.ptr.load(%s) : (!fly.ptr<f32, shared>) -> f32""",
        lambda x: np.full_like(x, x[0]),
    ),
    "one memory as two types": (
        """    %s = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    %f = fly.recast_iter(%s) : (!fly.ptr<i8, shared, align<1024>>) -> !fly.ptr<f32, shared, align<1024>>
    %h = fly.recast_iter(%s) : (!fly.ptr<i8, shared, align<1024>>) -> !fly.ptr<i32, shared, align<1024>>
    %r = fly.add_offset(%f, %i) : (!fly.ptr<f32, shared, align<1024>>, !fly.int_tuple<?>) -> !fly.ptr<f32, shared>
    fly.ptr.store(%v, %r) : (f32, !fly.ptr<f32, shared>) -> ()
    %g = fly.add_offset(%h, %i) : (!fly.ptr<i32, shared, align<1024>>, !fly.int_tuple<?>) -> !fly.ptr<i32, shared>
    %bits = fly.ptr.load(%g) : (!fly.ptr<i32, shared>) -> i32
    %sign = arith.constant -2147483648 : i32
    %turned = arith.xori %bits, %sign : i32
    %w = arith.bitcast %turned : i32 to f32""",
        lambda x: -x,
    ),
    "memory of MLIR's own": (
        f"""    %g = memref.get_global @arena : {BLOCK.format("512xi8")}
    %z = arith.constant 256 : index
    %m = memref.view %g[%z][] : {BLOCK.format("512xi8")} to {BLOCK.format("16x4xf32")}
    %four = arith.constant 4 : index
    %r = arith.divui %tx, %four : index
    %n = arith.remui %tx, %four : index
    memref.store %v, %m[%r, %n] : {BLOCK.format("16x4xf32")}
    gpu.barrier
    %h = memref.get_global @arena : {BLOCK.format("512xi8")}
    %y = memref.view %h[%z][] : {BLOCK.format("512xi8")} to {BLOCK.format("16x4xf32")}
    %o = arith.constant 0 : index
    %x = vector.load %y[%r, %o] : {BLOCK.format("16x4xf32")}, vector<4xf32>
    %w = vector.reduction <add>, %x : vector<4xf32> into f32""",
        lambda x: x.reshape(16, 4).sum(axis=1).repeat(4),
    ),
    "the memory of the launch, twice": (
        """    %s = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    %f = fly.recast_iter(%s) : (!fly.ptr<i8, shared, align<1024>>) -> !fly.ptr<f32, shared, align<1024>>
    %r = fly.add_offset(%f, %i) : (!fly.ptr<f32, shared, align<1024>>, !fly.int_tuple<?>) -> !fly.ptr<f32, shared>
    fly.ptr.store(%v, %r) : (f32, !fly.ptr<f32, shared>) -> ()
    gpu.barrier
    %u = fly.get_dyn_shared() : !fly.ptr<i8, shared, align<1024>>
    %h = fly.recast_iter(%u) : (!fly.ptr<i8, shared, align<1024>>) -> !fly.ptr<f32, shared, align<1024>>
    %w = fly.ptr.load(%h) : (!fly.ptr<f32, shared, align<1024>>) -> f32""",
        lambda x: np.full_like(x, x[0]),
    ),
    "a choice of pointers": (
        """    %half = arith.constant 32 : i32
    %low = arith.cmpi ult, %t, %half : i32
    %z = fly.make_int_tuple() : () -> !fly.int_tuple<0>
    %x = fly.add_offset(%a, %z) : (!fly.ptr<f32, global>, !fly.int_tuple<0>) -> !fly.ptr<f32, global>
    %r = arith.select %low, %p, %x : !fly.ptr<f32, global>
    %w = fly.ptr.load(%r) : (!fly.ptr<f32, global>) -> f32""",
        lambda x: np.where(np.arange(64) < 32, x, x[0]),
    ),
}


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("schedule", ["lockstep", "random"])
def test_what_dumps_have(name: str, schedule: str) -> None:
    body, wanted = BODIES[name]
    source, target = counted(64, start=3), np.zeros(64, np.float32)
    report_of(Launch(HEAD + body + TAIL, (Memory(source), Memory(target))), schedule=schedule, seed=1)
    assert np.array_equal(target, wanted(source))


@pytest.mark.parametrize("name", BODIES)
def test_what_dumps_have_at_every_stage(name: str) -> None:
    launch = Launch(HEAD + BODIES[name][0] + TAIL, (Memory(counted(64)), Memory(np.zeros(64, np.float32))))
    (_, first), *others = stages(launch)
    for stage, outcome in others:
        assert first.agrees(outcome), stage


@pytest.mark.parametrize(
    ("row", "column", "said"),
    [(16, 0, "coordinate 16 in dimension 0 of m, which has extent 16"), (0, 2, "coordinate 2 in dimension 1 of m")],
)
def test_vectors_lie_within_their_memory(row: int, column: int, said: str) -> None:
    kind = BLOCK.format("16x4xf32")
    body = f"""    %g = memref.get_global @arena : {BLOCK.format("512xi8")}
    %z = arith.constant 0 : index
    %m = memref.view %g[%z][] : {BLOCK.format("512xi8")} to {kind}
    %r = arith.constant {row} : index
    %n = arith.constant {column} : index
    %x = vector.load %m[%r, %n] : {kind}, vector<4xf32>
    %w = vector.extract %x[0] : f32 from vector<4xf32>"""
    with pytest.raises(SimulationError) as found:
        report_of(Launch(HEAD + body + TAIL, (Memory(counted(64)), Memory(np.zeros(64, np.float32)))))
    assert said in str(found.value)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("    %n = arith.constant 4 : index\n    %s = vector.broadcast %v : f32 to vector<4xf32>\n"
         "    %w = vector.extract %s[%n] : f32 from vector<4xf32>", "an index outside a vector of 4 elements"),
        ("    %o = fly.make_int_tuple(%t) : (i32) -> !fly.int_tuple<?{div=2}>\n"
         "    %w = fly.memref.load(%view, %o) : (!fly.memref<f32, global, 64:1>, !fly.int_tuple<?{div=2}>) -> f32",
         "thread (1,0,0): fly.make_int_tuple"),
    ],
)  # fmt: skip
def test_what_is_undefined(body: str, said: str) -> None:
    view = """    %l = fly.static : !fly.layout<64:1>
    %view = fly.make_view(%a, %l) : (!fly.ptr<f32, global>, !fly.layout<64:1>) -> !fly.memref<f32, global, 64:1>
"""
    with pytest.raises(SimulationError) as found:
        report_of(Launch(HEAD + view + body + TAIL, (Memory(counted(64)), Memory(np.zeros(64, np.float32)))))
    assert said in str(found.value)
    assert "kernel.mlir:1" in str(found.value)


def test_pieces_smaller_than_an_argument_are_refused() -> None:
    body = """    %r = fly.recast_iter(%a) : (!fly.ptr<f32, global>) -> !fly.ptr<f16, global>
    %h = fly.ptr.load(%r) : (!fly.ptr<f16, global>) -> f16
    %w = arith.extf %h : f16 to f32"""
    with pytest.raises(CompileError, match="accesses 16 bits of memory that is kept in pieces of 32; declare it as"):
        report_of(Launch(HEAD + body + TAIL, (Memory(counted(64)), Memory(np.zeros(64, np.float32)))))
