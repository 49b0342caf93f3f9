"""Functions of fx do the same on every target: the simulator, loops on the CPU, CUDA text on the CPU."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from fx_targets import FiberProgram, Run

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.errors import CompileError, SimulationError, TilewrightError, UsageError
from tilewright.lang.fly.compiled import CompiledFunction
from tilewright.runtime.fly import programs
from tilewright.runtime.fly.on_cuda import Regions
from tilewright.targets import cache
from tilewright.targets.arguments import Array

CUDA = "cuda:sm_90a"


@flyc.kernel
def axpy_kernel(a: fx.Float32, X: fx.Tensor, Y: fx.Tensor, n: fx.Int32):
    i = fx.block_idx.x * fx.block_dim.x + fx.thread_idx.x
    if i < n:
        Y[i] = a * X[i] + Y[i]


@flyc.kernel
def strided_kernel(X: fx.Tensor, n: fx.Int32):
    """Each thread goes through the array by the size of the grid."""
    i = fx.block_idx.x * fx.block_dim.x + fx.thread_idx.x
    while i < n:
        X[i] = X[i] * 2.0 + 1.0
        i += fx.grid_dim.x * fx.block_dim.x


@flyc.jit
def both(a: fx.Float32, X: fx.Tensor, Y: fx.Tensor, n: fx.Int32, times: fx.Int32, threads: fx.Int32):
    """Two kernels, one of them in a loop and behind a condition, with blocks that only run time knows."""
    strided_kernel(X, n).launch(grid=2, block=threads)
    for k in range(times):
        if k % 2 == 0:
            axpy_kernel(a, X, Y, n).launch(grid=((n + 63) // 64,), block=64)


SPECS = (fx.Float32, ((1,), "float32"), ((1,), "float32"), fx.Int32, fx.Int32, fx.Int32)


def given(n: int, times: int, threads: int = 32) -> tuple[object, ...]:
    rng = np.random.default_rng(n)
    x, y = (rng.normal(size=n).astype(np.float32) for _ in range(2))
    return np.float32(0.5), x, y, n, times, threads


def wanted(x: Array, y: Array, times: int) -> list[Array]:
    x = x * np.float32(2) + np.float32(1)
    for _ in range((times + 1) // 2):
        y = np.float32(0.5) * x + y
    return [x, y]


@pytest.fixture(scope="module")
def on_host() -> CompiledFunction:
    return tw.compile(both, *SPECS, target="host")


@pytest.mark.parametrize(("n", "times", "threads"), [(1, 1, 1), (63, 3, 32), (64, 0, 32), (200, 4, 32), (1000, 1, 1)])
def test_one_compilation_for_all_sizes(on_host: CompiledFunction, n: int, times: int, threads: int) -> None:
    simulated, looped = given(n, times, threads), given(n, times, threads)
    expected = wanted(*simulated[1:3], times)  # type: ignore[arg-type]  # arrays
    both(*simulated)
    on_host(*looped)
    for one, other, right in zip(simulated[1:3], looped[1:3], expected, strict=True):
        assert np.asarray(one).tobytes() == np.asarray(other).tobytes() == right.tobytes()


def test_wrong_arguments_and_empty_grids(on_host: CompiledFunction) -> None:
    a, x, y, *_ = given(8, 1)
    for wrong in ((a, x, y, 8, 1), (a, np.zeros(8), y, 8, 1, 32), (a, x, y, 8.5, 1, 32), (a, None, y, 8, 1, 32)):
        with pytest.raises(UsageError):
            on_host(*wrong)
    for empty in ((a, x[:0], y[:0], 0, 1, 32), (a, x, y, 8, 1, 0), (a, x, y, 8, 1, -3)):
        found = []
        for run in (both, on_host):
            with pytest.raises(CompileError, match="a launch of") as refused:
                run(*empty)
            found.append(str(refused.value))
        assert found[0] == found[1]
    for run in (both, on_host):  # n says more than the arrays have
        with pytest.raises(SimulationError, match="extent"):
            run(a, x, y, 9, 1, 32)
    with pytest.raises(CompileError, match="2000 threads in a block"):
        on_host(a, x, y, 8, 1, 2000)
    with pytest.raises(UsageError, match="is the simulator's"):
        tw.compile(both, *SPECS, target="host", check="strict")(a, x, y, 8, 1, 32)


def test_the_text_of_all_kernels() -> None:
    made = tw.compile(both, *SPECS, target=CUDA)
    names = ["strided_kernel_0", "axpy_kernel_1"]
    assert re.findall(r"__global__ .*\) (\w+)\(", made.source) == names
    assert made.source == tw.compile(both, *SPECS, target=CUDA).source
    assert made.source.count("__restrict__") == 3
    assert all(name.encode() in made.cubin for name in names)
    assert made.cubin("sm_80") != made.cubin
    costs = tw.compile(both, *SPECS[:3], 1, 1, 32, target=CUDA).reports
    assert [(report.arch.name, report.bytes["global"]) for report in costs] == [("sm_90a", 8), ("sm_90a", 12)]
    for other in ("simulator:gfx942", "host:gfx1201"):
        with pytest.raises(CompileError, match="compile it with target='cuda:sm_90a'"):
            _ = tw.compile(both, *SPECS, target=other).source


@flyc.jit
def in_place(X: fx.Tensor, Y: fx.Tensor, n: fx.Int32):
    axpy_kernel(2.0, X, X, n).launch(grid=1, block=64)
    axpy_kernel(2.0, X, Y, n).launch(grid=1, block=64)


def test_memory_that_is_given_twice_is_promised_to_nobody() -> None:
    spec = ((8,), "float32")
    first, second = tw.compile(in_place, spec, spec, fx.Int32, target=CUDA).source.split("axpy_kernel_1")
    assert "__restrict__" not in first
    assert "__restrict__" in second
    x = np.arange(8, dtype=np.float32)
    tw.compile(in_place, spec, spec, fx.Int32, target="host")(x, x, 8)
    assert (x == 9 * np.arange(8)).all()


def test_arrays_that_overlap_are_one_piece() -> None:
    whole, other = np.arange(20, dtype=np.int32), np.zeros(3, np.float16)
    pieces = Regions.of([whole[4:9], other, whole[8:], other, whole[:0]])
    assert not pieces.apart
    assert sorted(piece.nbytes for piece in pieces.memory) == [6, 64]
    assert Regions.of([whole[:4], whole[4:], other]).apart


@pytest.mark.parametrize(("times", "threads"), [(3, 32)])
def test_cuda_text_on_the_cpu(times: int, threads: int, run_as: Callable[[CompiledFunction, type], Run]) -> None:
    made = tw.compile(both, *SPECS, target=CUDA)
    arguments = given(130, times, threads)
    expected = wanted(*arguments[1:3], times)  # type: ignore[arg-type]  # arrays
    run_as(made, FiberProgram)(*arguments)
    for one, right in zip(arguments[1:3], expected, strict=True):
        assert np.asarray(one).tobytes() == right.tobytes()


@pytest.fixture
def run_as(monkeypatch: pytest.MonkeyPatch) -> Callable[[CompiledFunction, type], Run]:
    """Runs a compiled function by another program than its target's."""

    def made(function: CompiledFunction, kind: type) -> Run:
        monkeypatch.setattr(programs, "PROGRAMS", {function.target.kind: kind.of})  # type: ignore[attr-defined]
        monkeypatch.setattr("tilewright.lang.fly.compiled.PROGRAMS", programs.PROGRAMS)
        return function

    return made


def test_texts_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "kept"))
    first = tw.compile(both, *SPECS, target=CUDA).source
    with monkeypatch.context() as patched:
        patched.setattr("tilewright.lang.fly.jit._traced", lambda *_: pytest.fail("it is kept"))
        assert tw.compile(both, *SPECS, target=CUDA).source == first


@flyc.jit
def products(A: fx.Tensor, B: fx.Tensor):
    @flyc.kernel
    def product_kernel(A: fx.Tensor, B: fx.Tensor):
        fx.make_tiled_mma(fx.make_mma_atom(fx.rocdl.MFMA(16, 16, 4, fx.Float32)), fx.make_layout((1, 1, 1), (1, 0, 0)))

    product_kernel(A, B).launch(grid=1, block=64)


def test_instructions_of_another_vendor_are_refused_where_they_are_asked_for() -> None:
    spec = ((16, 16), "float32")
    with pytest.raises(TilewrightError, match="MFMA") as refused:
        tw.compile(products, spec, spec, target=CUDA)
    assert "test_targets.py" in str(refused.value)


@flyc.jit
def scaled(a: fx.Float32, X: fx.Tensor, Y: fx.Tensor, n: fx.Int32):
    axpy_kernel(max(a, 1.0), X, Y, n).launch(grid=max(n // 7, 1), block=64)


def test_what_c_has_no_word_for_is_no_header() -> None:
    made = tw.compile(scaled, *SPECS[:4], target=CUDA)
    assert "axpy_kernel_0" in made.source
    with pytest.raises(CompileError, match="C has no word for tw_maximum; do it within the kernel"):
        made.header("1")
