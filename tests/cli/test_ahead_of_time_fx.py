"""What `tilewright compile -o DIR` writes of a function of fx launches its kernels from C, as the function does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from fake_driver import fake_driver

import tilewright as tw
from tilewright.cli.main import main
from tilewright.cli.sources import find_kernel
from tilewright.lang.fly.compiled import CompiledFunction
from tilewright.runtime.fly.flat import FlatKernels
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.tables import LITERAL
from tilewright.targets.cuda import driver
from tilewright.targets.cuda.driver import Driver
from tilewright.targets.cuda.installed import wheel_files
from tilewright.targets.host.compiler import compile_cpp, compiler_here

TARGET = "cuda:sm_90a"
PROGRAM = """
import tilewright.compiler as flyc
import tilewright.expr as fx

@flyc.kernel
def reversed_kernel(X: fx.Tensor, n: fx.Int32):
    tile = fx.SharedAllocator().allocate(fx.Array[fx.Float32, 32]).peek()
    t = fx.thread_idx.x
    tile[t] = X[t]
    fx.barrier()
    X[t] = tile[31 - t] * n

@flyc.kernel
def added_kernel(X: fx.Tensor, Y: fx.Tensor, by: fx.Float32, n: fx.Int32):
    i = fx.block_idx.x * 16 + fx.thread_idx.x
    if i < n:
        Y[i] = Y[i] + X[i % 32] * by

@flyc.jit
def steps(X: fx.Tensor, Y: fx.Tensor, by: fx.Float32, n: fx.Int32):
    rest, behind = n, n // 3
    tail = fx.make_view(fx.add_offset(fx.get_iter(Y), behind), fx.make_layout(n - behind, 1))
    added_kernel(X, tail, by, n - behind).launch(grid=(n - behind + 15) // 16, block=16)
    while rest > 0:
        added_kernel(X, Y, by, rest).launch(grid=(rest + 15) // 16, block=16)
        if rest % 2 == 1:
            reversed_kernel(X, rest // -2).launch(grid=1, block=32)
        rest = rest - max(n // 3, 1)
"""
SPECS = (((32,), "float32"), ((1,), "float32"), np.float32(0), 0)
# What a user writes, in C's part of C++.
MAIN = """
#include "steps.h"
#include <stdio.h>
#include <stdlib.h>
static char cubin[1 << 20];
static int check(CUresult code, int line) { if (code) printf("line %d: %d\\n", line, (int)code); return (int)code; }
#define CHECK(call) if (check(call, __LINE__)) return 1
int main(int count, char **words) {
  FILE *file = fopen(words[1], "rb");
  if (count != 3 || !file || !fread(cubin, 1, sizeof cubin, file)) return 2;
  CUdevice device; CUcontext context; CUmodule module; steps_kernels kernels; CUdeviceptr a, b;
  CHECK(cuInit(0)); CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device)); CHECK(cuCtxSetCurrent(context));
  const int n = atoi(words[2]);
  float x[32], y[64];
  for (int i = 0; i < 32; ++i) x[i] = (float)i;
  for (int i = 0; i < n; ++i) y[i] = 1.0f;
  CHECK(cuMemAlloc(&a, sizeof x)); CHECK(cuMemAlloc(&b, sizeof y));
  CHECK(cuMemcpyHtoD(a, x, sizeof x)); CHECK(cuMemcpyHtoD(b, y, sizeof y));
  CHECK(steps_load(cubin, &module, &kernels));
  CHECK(steps_launch(&kernels, NULL, a, 32, b, n, 0.5f, n));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(x, a, sizeof x)); CHECK(cuMemcpyDtoH(y, b, sizeof y));
  for (int i = 0; i < 32; ++i) printf("%a ", x[i]);
  for (int i = 0; i < n; ++i) printf("%a ", y[i]);
  return 0;
}
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[CompiledFunction, str]:
    """The function for a GPU, and the driver that takes its place."""
    monkeypatch.chdir(tmp_path)
    Path("program.py").write_text(PROGRAM)
    made = tw.compile(find_kernel("program.py:steps"), *SPECS, target=TARGET)  # type: ignore[call-overload]  # a jit
    kernels = FlatKernels(made._module)
    texts = [emit(kernels.kernel(name), LITERAL, suffix="") for name in kernels.flat.kernels]
    return made, fake_driver(tmp_path, *texts)


def test_the_driver_and_the_header_do_what_the_simulator_does(
    stand_in: tuple[CompiledFunction, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, library = stand_in
    opened = Driver.open(library)
    monkeypatch.setattr(driver, "driver", lambda: opened)
    specs = ["--spec", "float32[32]", "--spec", "float32[1]", "--spec", "float32", "--spec", "int32"]
    assert main(["compile", "program.py:steps", "--target", TARGET, "-o", "made", "--no-cache", *specs]) == 0
    program = _program(library)
    for n in (1, 17, 40):
        arrays = [[np.arange(32, dtype=np.float32), np.ones(n, np.float32)] for _ in range(2)]
        find_kernel("program.py:steps")(*arrays[0], np.float32(0.5), n)  # type: ignore[operator]  # a jit
        made(*arrays[1], np.float32(0.5), n)
        done = subprocess.run([program, "made/steps.cubin", str(n)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout
        said = np.array([float.fromhex(word) for word in done.stdout.split()], np.float32)
        assert np.concatenate(arrays[0]).tobytes() == np.concatenate(arrays[1]).tobytes() == said.tobytes()
    assert opened.library.tw_live() == 0


def _program(library: str) -> str:
    (cuda,) = wheel_files("include/cuda.h")
    flags = ("-Wall", "-Wextra", "-Werror", f"-I{cuda.parent}", f"-I{Path('made').resolve()}")
    Path("main").write_bytes(compile_cpp(MAIN, (*flags, "-Wl,--no-as-needed", library)))
    Path("main").chmod(0o700)
    c = [compiler_here().replace("g++", "gcc").replace("clang++", "clang"), "-std=c11", "-xc", "-fsyntax-only"]
    subprocess.run([*c, *flags, "made/steps.h"], check=True, timeout=60)
    return "./main"
