"""Kernels of the `final` stage do what numpy does, proved or in lockstep, and their accesses are counted exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from bank_oracle import wavefronts as oracle_wavefronts
from cpu import within
from final_kernels import Permute, Transpose, kernel

from tilewright.errors import CompileError, RaceError, SimulationError, UsageError
from tilewright.ir.text import parse_module
from tilewright.targets.simulator.limits import Limits
from tilewright.targets.simulator.report import SimulationReport
from tilewright.targets.simulator.simulate import Simulator, simulate

PERMUTES = [
    Permute(),
    Permute(blocks=5, per_block=3),
    Permute(blocks=700, per_block=1),
    Permute(per_block=300),
    Permute(rows=8, stride=256, mask=7),
    Permute(rows=16, stride=512, shift=1, mask=15),
    Permute(stride=256),
    Permute(element="i32"),
    Permute(element="ui32", blocks=2),
    Permute(element="f16", mask=0),
    Permute(element="complex<f64>"),
]


def permuted(config: Permute, source: Any) -> Any:
    tiles = source.reshape(-1, config.stride)
    result = np.zeros_like(tiles)
    moved = tiles[:, : 32 * config.rows].reshape(-1, config.rows, 32).transpose(0, 2, 1)
    result[:, : 32 * config.rows] = moved.reshape(len(tiles), -1)
    return result.reshape(-1)


def numbers(elements: int, dtype: Any) -> Any:
    return np.arange(1, elements + 1).astype(dtype)


@pytest.mark.parametrize("proofs", [True, False])
@pytest.mark.parametrize("config", PERMUTES, ids=str)
def test_permute_is_numpys(config: Permute, proofs: bool) -> None:
    a = numbers(config.elements, config.numpy)
    b = np.zeros_like(a)
    report = simulate(parse_module(config.text()), [a, b], proofs=proofs)
    assert report.proved == proofs
    assert (b == permuted(config, a)).all()
    assert (a == numbers(config.elements, config.numpy)).all()


@pytest.mark.parametrize("proofs", [True, False])
@pytest.mark.parametrize("config", [Permute(), Permute(blocks=40, per_block=2), Permute(rows=8, stride=256)], ids=str)
def test_permute_in_place(config: Permute, proofs: bool) -> None:
    a = numbers(config.elements, config.numpy)
    expected = permuted(config, a)
    simulate(parse_module(config.text()), [a, a], proofs=proofs)
    assert (a == expected).all()


@pytest.mark.parametrize("proofs", [True, False])
@pytest.mark.parametrize("size", [32, 96, 256])
def test_transpose_is_numpys(size: int, proofs: bool) -> None:
    a = numbers(size * size, np.float32)
    b = np.zeros_like(a)
    report = simulate(parse_module(Transpose(size).text()), [a, b], proofs=proofs)
    assert report.proved == proofs
    assert (b.reshape(size, size) == a.reshape(size, size).T).all()


@pytest.mark.parametrize(("shift", "mask"), [(5, 0), (3, 3), (4, 1), (0, 3)])
@pytest.mark.parametrize("element", ["f32", "f16", "i8", "f64", "complex<f64>"])
def test_permute_wavefronts_are_the_models(element: str, shift: int, mask: int) -> None:
    """Each phase costs what the oracle of the bank rule says of the document's addresses."""
    config = Permute(per_block=3, blocks=2, element=element, shift=shift, mask=mask)
    a = np.zeros(config.elements, config.numpy)
    width = a.itemsize
    step = [[r ^ ((t >> shift) & mask) & 3 for t in range(32)] for r in range(4)]
    read = [[(32 * j[t] + t) * width for t in range(32)] for j in step]
    write = [[(4 * t + j[t]) * width for t in range(32)] for j in step]
    for proofs in (True, False):
        report = simulate(parse_module(config.text()), [a, a.copy()], proofs=proofs)
        assert report.wavefronts("load") == 6 * sum(oracle_wavefronts(row, width, "load") for row in read)
        assert report.wavefronts("store") == 6 * sum(oracle_wavefronts(row, width, "store") for row in write)
        assert [access.accesses for access in report.accesses] == [24, 24]


@pytest.mark.parametrize(("pad", "factor"), [(0, 32), (1, 1), (2, 2), (4, 4)])
def test_transpose_wavefronts_follow_the_padding(pad: int, factor: int) -> None:
    a = np.zeros(64 * 64, np.float32)
    report = simulate(parse_module(Transpose(64, pad=pad).text()), [a, a.copy()])
    (load,) = report.select("load", "shared")
    (store,) = report.select("store", "shared", "tile")
    assert (load.accesses, load.ideal, load.wavefronts, load.excess) == (128, 128, 128 * factor, 128 * (factor - 1))
    assert (store.wavefronts, store.ideal) == (128, 128)
    assert str(report).splitlines()[0] == "transpose: 4 x 256 threads on sm_90"


def test_inactive_warps_do_not_count() -> None:
    text = kernel(
        """
      %active = arith.cmpi ult, %tx, %half : index
      scf.if %active {
        %v = memref.load %A[%tx] : memref<128xf32>
        memref.store %v, %A[%tx] : memref<128xf32>
      }""",
        "%A: memref<128xf32>",
        block=128,
    ).replace("%block =", "%half = arith.constant 40 : index\n  %block =")
    for proofs in (True, False):
        report = simulate(parse_module(text), [np.zeros(128, np.float32)], proofs=proofs)
        assert [access.accesses for access in report.accesses] == [2, 2]


def reports(text: str, arrays: list[Any]) -> list[SimulationReport]:
    return [simulate(parse_module(text), [array.copy() for array in arrays], proofs=proofs) for proofs in (True, False)]


def test_threads_that_write_one_value_agree() -> None:
    """Two warps that repeat each other's work: the result does not depend on who is last; strictly it is a race."""
    text = kernel(
        """
      %lane = arith.remui %tx, %c32 : index
      %v = memref.load %A[%lane] : memref<32xf32>
      memref.store %v, %B[%lane] : memref<32xf32>""",
        "%A: memref<32xf32>, %B: memref<32xf32>",
        block=64,
        grid=3,
        constants=33,
    )
    arrays = [np.arange(32, dtype=np.float32), np.zeros(32, np.float32)]
    for report in reports(text, arrays):
        assert not report.proved
        (agreed,) = report.agreed
        assert "writes element 0 of B (byte 0), which block" in agreed.text
        assert "thread (32,0,0)" in agreed.text
    with pytest.raises(RaceError, match=r"of B \(byte 0\), which block"):
        simulate(parse_module(text), arrays, check="strict")
    with pytest.raises(UsageError, match="check is one of off, on, strict, got 'all'"):
        simulate(parse_module(text), arrays, check="all")


def test_loops_carry_values_and_lanes_count_for_themselves() -> None:
    """Lane t sums 0 + 1 + .. + (t - 1) + t * [t odd]."""
    text = kernel(
        """
      %zero = arith.constant 0 : i64
      %sum = scf.for %i = %c0 to %tx step %c1 iter_args(%acc = %zero) -> (i64) {
        %n = arith.index_cast %i : index to i64
        %next = arith.addi %acc, %n : i64
        scf.yield %next : i64
      }
      %odd = arith.andi %tx, %c1 : index
      %is_odd = arith.cmpi eq, %odd, %c1 : index
      %more = scf.if %is_odd -> (i64) {
        %t = arith.index_cast %tx : index to i64
        scf.yield %t : i64
      } else {
        scf.yield %zero : i64
      }
      %total = arith.addi %sum, %more : i64
      memref.store %total, %A[%tx] : memref<32xi64>""",
        "%A: memref<32xi64>",
    )
    a = np.zeros(32, np.int64)
    simulate(parse_module(text), [a])
    assert a.tolist() == [sum(range(t)) + t * (t % 2) for t in range(32)]


def test_registers_keep_what_each_lane_wrote() -> None:
    """A lane-dependent index into registers: lane t stores at t % 4 after all were filled."""
    text = kernel(
        """
      %regs = memref.alloca() : memref<4xi64, "local">
      scf.for %r = %c0 to %c4 step %c1 {
        %v = arith.index_cast %r : index to i64
        memref.store %v, %regs[%r] : memref<4xi64, "local">
      }
      %at = arith.remui %tx, %c4 : index
      %hundred = arith.constant 100 : i64
      memref.store %hundred, %regs[%at] : memref<4xi64, "local">
      %other = arith.divui %tx, %c7 : index
      %got = arith.remui %other, %c4 : index
      %w = memref.load %regs[%got] : memref<4xi64, "local">
      memref.store %w, %A[%tx] : memref<32xi64>""",
        "%A: memref<32xi64>",
    )
    a = np.zeros(32, np.int64)
    simulate(parse_module(text), [a])
    assert a.tolist() == [100 if t // 7 % 4 == t % 4 else t // 7 % 4 for t in range(32)]


def test_empty_loops_and_empty_batches() -> None:
    text = Permute(per_block=1).text().replace("%count = arith.constant 1", "%count = arith.constant 0")
    a, b = numbers(128, np.float32), np.zeros(128, np.float32)
    report = simulate(parse_module(text), [a, b])
    assert not b.any()
    assert report.wavefronts() == 0


ARRAY = np.zeros(32, np.float32)
WRONG_ARRAYS = {
    "takes 1 arrays, got 0": [],
    "A takes float32 elements, got an array of float64": [np.zeros(32)],
    "A takes 32 elements, got 31": [np.zeros(31, np.float32)],
    "C-contiguous": [np.zeros(64, np.float32)[::2]],
    "numpy array or a CPU tensor, got list": [[0.0] * 32],
    "read-only": [np.frombuffer(bytes(128), np.float32)],
}


@pytest.mark.parametrize(("message", "arrays"), WRONG_ARRAYS.items())
def test_wrong_arrays_are_refused(message: str, arrays: list[Any]) -> None:
    with pytest.raises(UsageError, match=message):
        simulate(parse_module(kernel("")), arrays)


def test_arrays_that_overlap_in_part_are_refused() -> None:
    memory = np.zeros(300, np.float32)
    with pytest.raises(UsageError, match="overlap in part"):
        simulate(parse_module(Permute().text()), [memory[:256], memory[10:266]])
    with pytest.raises(UsageError, match="overlap in part"):
        simulate(parse_module(kernel("", "%A: memref<32xf32>, %B: memref<32xi32>")), [ARRAY, ARRAY.view(np.int32)])


def test_an_array_of_any_shape_is_raw_memory() -> None:
    a, b = numbers(256, np.float32).reshape(2, 1, 4, 32), np.zeros((32, 8), np.float32)
    simulate(parse_module(Permute().text()), [a, b])
    assert (b.reshape(-1) == permuted(Permute(), a)).all()


def test_unknown_ops_and_launches_are_refused() -> None:
    with pytest.raises(CompileError, match=r"no meaning for the op memref\.dealloc"):
        Simulator(parse_module(kernel("memref.dealloc %A : memref<32xf32>")))
    with pytest.raises(CompileError, match=r"needs an attribute tile\.block"):
        Simulator(parse_module(kernel("").replace("tile.block", "tile.blok")))
    with pytest.raises(CompileError, match="holds one function"):
        Simulator(parse_module("builtin.module {}"))
    with pytest.raises(CompileError, match="2048 threads in a block; the limit is 1024"):
        Simulator(parse_module(kernel("", block=2048)))
    with pytest.raises(CompileError, match="flat memref"):
        Simulator(parse_module(kernel("", "%A: memref<4x8xf32>")))


def test_an_endless_loop_is_refused_at_once() -> None:
    body = "scf.for %i = %c0 to %far step %c1 { memref.store %v, %A[%tx] : memref<32xf32> }"
    text = kernel(f"""
      %far = arith.constant 4611686018427387904 : index
      %v = arith.constant 1.0 : f32
      {body}""")
    with pytest.raises(SimulationError, match="takes more than 2000000 simulated ops"):
        simulate(parse_module(text), [ARRAY.copy()])


def test_limits_bound_threads_and_memory() -> None:
    with pytest.raises(SimulationError, match="a launch of 320 threads; the limit is 100"):
        simulate(parse_module(kernel("", grid=10)), [ARRAY], limits=Limits(threads=100))
    text = kernel('%big = memref.alloca() : memref<1000000xf32, "shared">', grid=4)
    with pytest.raises(SimulationError, match=r"(?s)a buffer of 16000000 bytes in all; the limit is 1048576.*%big"):
        simulate(parse_module(text), [ARRAY], limits=Limits(bytes=1 << 20))


def test_loops_that_take_too_long_are_refused_before_they_run() -> None:
    """4096^3 iterations, and as many behind a bound that is known at run time only."""
    bounds = {"i": "%c4096", "j": "%MANY", "k": "%c4096"}
    loops = " ".join(f"scf.for %{name} = %c0 to {high} step %c1 {{" for name, high in bounds.items())
    store = "%v = memref.load %A[%c0] : memref<32xf32>\n } } }\n %c4096_ = arith.constant 1 : index"
    for many in ("%c4096", "%n"):
        text = kernel(
            "%n = arith.index_cast %m : i64 to index\n" + loops.replace("%MANY", many) + store,
            "%A: memref<32xf32>, %m: i64",
            constants=5,
        )
        text = text.replace("%c0 = arith", "%c4096 = arith.constant 4096 : index\n%c0 = arith", 1)
        with within(5), pytest.raises(SimulationError, match=r"more than 2000000 simulated ops.*\n.*scf\.for"):
            simulate(parse_module(text), [np.zeros(32, np.float32), np.int64(4096)])


@pytest.mark.parametrize("stride", [1, 2, 3, 32])
def test_sectors_of_global_memory_are_counted(stride: int) -> None:
    """One warp's loads at a stride, for each of 5 blocks that start at odd places, against sets of sectors."""
    text = kernel(
        f"""
      %s = arith.constant {stride} : index
      %at = arith.muli %tx, %s : index
      %c7_ = arith.constant 7 : index
      %start = arith.muli %bx, %c7_ : index
      %i = arith.addi %at, %start : index
      %v = memref.load %A[%i] : memref<2048xf32>""",
        "%A: memref<2048xf32>",
        grid=5,
    )
    expected = sum(len({(7 * b + stride * lane) // 8 for lane in range(32)}) for b in range(5))
    for report in reports(text, [np.zeros(2048, np.float32)]):
        (load,) = report.accesses
        assert (load.accesses, load.sectors, load.ideal_sectors, load.bytes) == (5, expected, 5 * 4, 5 * 128)
        assert load.excess_sectors == expected - 20
