"""The host target: CUDA text on the CPU does what the simulator does; a bad kernel only ends its own process."""

from __future__ import annotations

import stat
from pathlib import Path

import numpy as np
import pytest
from final_kernels import Permute, Transpose, kernel
from translation import run_both

from tilewright.errors import BarrierError, CompileError, SimulationError
from tilewright.ir.text import parse_module
from tilewright.targets.arguments import bind
from tilewright.targets.host import compiler
from tilewright.targets.host.compiler import WARNINGS, compile_cpp, compile_host
from tilewright.targets.launch import kernel_of


@pytest.mark.parametrize(
    "config",
    [
        Permute(blocks=3),
        Permute(element="i32"),
        Permute(element="ui32"),
        Permute(element="f16", rows=8, stride=256),
        Permute(element="f8E5M2", rows=16, stride=512),
        Permute(element="complex<f64>"),
    ],
    ids=str,
)
def test_permute(config: Permute) -> None:
    source = np.arange(config.elements).astype(config.numpy)
    run_both(config.text(), [source, np.zeros_like(source)])


@pytest.mark.parametrize("size", [32, 96])
def test_transpose(size: int) -> None:
    a = np.random.default_rng(0).normal(size=(size, size)).astype(np.float32)
    _, b = run_both(Transpose(size).text(), [a, np.zeros_like(a)])
    assert (b == a.T).all()


def test_in_place() -> None:
    """One file for both parameters, and no promise that they are apart."""
    module = parse_module(Permute().text())
    a = np.arange(256, dtype=np.float32)
    expected = a.reshape(2, 4, 32).transpose(0, 2, 1).reshape(-1)
    made = compile_host(module, [0, 0], WARNINGS)
    assert "__restrict__" not in made.text.source
    made.run(bind(kernel_of(module), [a, a]))
    assert (a == expected).all()


def test_every_thread_and_block_is_itself() -> None:
    text = """
func.func @ids(%A: memref<384xi64>) attributes {
    tile.grid = array<i64: 2, 3, 2>, tile.block = array<i64: 4, 4, 2>} {
  %tx = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %ty = "gpu.thread_id"() <{dimension = #gpu<dim y>}> : () -> index
  %tz = "gpu.thread_id"() <{dimension = #gpu<dim z>}> : () -> index
  %bx = "gpu.block_id"() <{dimension = #gpu<dim x>}> : () -> index
  %by = "gpu.block_id"() <{dimension = #gpu<dim y>}> : () -> index
  %bz = "gpu.block_id"() <{dimension = #gpu<dim z>}> : () -> index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %0 = arith.muli %bz, %c3 : index
  %1 = arith.addi %0, %by : index
  %2 = arith.muli %1, %c2 : index
  %3 = arith.addi %2, %bx : index
  %4 = arith.muli %3, %c2 : index
  %5 = arith.addi %4, %tz : index
  %6 = arith.muli %5, %c4 : index
  %7 = arith.addi %6, %ty : index
  %8 = arith.muli %7, %c4 : index
  %9 = arith.addi %8, %tx : index
  %v = arith.index_cast %9 : index to i64
  memref.store %v, %A[%9] : memref<384xi64>
  func.return
}
"""
    (got,) = run_both(text, [np.zeros(384, np.int64)])
    assert got.tolist() == list(range(384))


def test_threads_that_part_at_a_barrier() -> None:
    text = kernel('%few = arith.cmpi ult, %tx, %c5 : index\nscf.if %few { tile.sync "cta" }')
    with pytest.raises(SimulationError):
        run_both(text, [np.zeros(32, np.float32)])
    made = compile_host(parse_module(text), [0])
    made.run([np.zeros(32, np.float32)])  # those that have ended need not wait
    text = kernel('%few = arith.cmpi ult, %tx, %c5 : index\nscf.if %few { tile.sync "cta" } else { tile.sync "warp" }')
    with pytest.raises(BarrierError, match=r"\(0,0,0\) and 4 other threads wait for threads that never come"):
        compile_host(parse_module(text), [0]).run([np.zeros(32, np.float32)])


def test_a_crash_ends_the_child_only() -> None:
    far = kernel(
        """%far = arith.constant 1099511627776 : index
        %v = memref.load %A[%c0] : memref<32xf32>
        memref.store %v, %A[%far] : memref<32xf32>"""
    )
    with pytest.raises(SimulationError, match=r"f_kernel crashed on the host \(status -11\)"):
        compile_host(parse_module(far), [0]).run([np.zeros(32, np.float32)])


def test_an_endless_kernel_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "RUN_SECONDS", 0.2)
    text = kernel(
        """%far = arith.constant 4611686018427387904 : index
        scf.for %i = %c0 to %far step %c1 {
          %v = memref.load %A[%tx] : memref<32xf32>
          tile.sync "warp"
          memref.store %v, %A[%tx] : memref<32xf32>
        }"""
    )
    with pytest.raises(SimulationError, match="did not end within"):
        compile_host(parse_module(text), [0]).run([np.zeros(32, np.float32)])


def test_an_endless_kernel_is_told_by_the_time_that_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiler, "PROCESSOR_SECONDS", 1)
    text = kernel(
        """%far = arith.constant 4611686018427387904 : index
        scf.for %i = %c0 to %far step %c1 {
          tile.sync "warp"
        }"""
    )
    words = r"f_kernel has not ended within 1 s of the processor: block \(0,0,0\) thread \(\d+,0,0\) is at work"
    with pytest.raises(SimulationError, match=words):
        compile_host(parse_module(text), [0]).run([np.zeros(32, np.float32)])


def test_a_missing_compiler_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CompileError, match=r"needs g\+\+ or clang\+\+; install one"):
        compile_cpp("int main() {}")


def test_a_refusal_carries_the_compilers_words() -> None:
    with pytest.raises(CompileError, match=r"(?s)g\+\+ refuses the kernel.*error"):
        compile_cpp("int main( {")


def test_folders_are_private() -> None:
    with compiler.private_folder() as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert not folder.exists()
