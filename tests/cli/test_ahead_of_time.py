"""What `tilewright compile -o DIR` writes launches the kernel from C, on a stand-in for the driver."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from fake_driver import fake_driver

from tilewright.cli.main import main
from tilewright.cli.sources import find_kernel
from tilewright.passes.pipeline import run
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.tables import LITERAL
from tilewright.targets.cuda.installed import wheel_files
from tilewright.targets.host.compiler import compile_cpp, compiler_here

KERNEL = """
from tilewright.script import tirx as T

@T.prim_func
def reverse(stream: T.Buffer((128,), "float32"), half: T.Buffer((128,), "bfloat16"), by: T.float32, shift: T.int32):
    T.device_entry()
    bx = T.cta_id([2])
    tx = T.thread_id([64])
    pool = T.SMEMPool()
    tile = pool.alloc((64,), "float32")
    pool.commit()
    tile[tx] = stream[bx * 64 + tx]
    T.cuda.cta_sync()
    stream[bx * 64 + tx] = tile[63 - tx] * by + T.cast(shift, "float32")
    half[bx * 64 + tx] = T.cast(tile[tx], "bfloat16")
"""
# What a user writes, in C's part of C++.
MAIN = """
#include "reverse.h"
#include <stdio.h>
#include <string.h>
static char cubin[1 << 20];
static int check(CUresult code, int line) { if (code) printf("line %d: %d\\n", line, (int)code); return (int)code; }
#define CHECK(call) if (check(call, __LINE__)) return 1
int main(int count, char **words) {
  FILE *file = fopen(words[count - 1], "rb");
  if (!file || !fread(cubin, 1, sizeof cubin, file)) return 2;
  CUdevice device; CUcontext context; CUmodule module; CUfunction function; CUdeviceptr a, b;
  CHECK(cuInit(0)); CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device)); CHECK(cuCtxSetCurrent(context));
  float x[128]; uint16_t y[128];
  for (int i = 0; i < 128; ++i) x[i] = (float)i;
  CHECK(cuMemAlloc(&a, sizeof x)); CHECK(cuMemAlloc(&b, sizeof y)); CHECK(cuMemcpyHtoD(a, x, sizeof x));
  CHECK(reverse_kernel_load(cubin, &module, &function));
  CHECK(reverse_kernel_launch(function, NULL, a, b, 2.0f, -1));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(x, a, sizeof x)); CHECK(cuMemcpyDtoH(y, b, sizeof y));
  for (int i = 0; i < 128; ++i) {
    float from = (float)(i / 64 * 64 + 63 - i % 64), mine = (float)i; uint32_t bits; memcpy(&bits, &mine, 4);
    if (x[i] != from * 2 - 1 || y[i] != (uint16_t)(bits >> 16)) return 3;
  }
  CHECK(cuMemFree(a)); CHECK(cuMemFree(b));
  printf("%d blocks of %d, %d bytes\\n", reverse_kernel_grid_x, reverse_kernel_block_x, reverse_kernel_shared_bytes);
  return 0;
}
"""


@pytest.fixture(autouse=True)
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kernel.py").write_text(KERNEL)


def test_the_header_launches_the_cubin_with_its_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "kernel.py:reverse", "--target", "cuda:sm_90a", "-o", "made", "--no-cache"]) == 0
    assert capsys.readouterr().out.split() == [f"made/reverse.{ending}" for ending in ("cu", "cubin", "h")]
    assert Path("made/reverse.cubin").read_bytes().startswith(b"\x7fELF")
    assert "reverse_kernel" in Path("made/reverse.cu").read_text()
    text = emit(run(find_kernel("kernel.py:reverse").module).module, LITERAL)
    driver, (cuda,) = fake_driver(tmp_path, text), wheel_files("include/cuda.h")
    flags = ("-Wall", "-Wextra", "-Werror", f"-I{cuda.parent}", "-Imade", "-Wl,--no-as-needed", driver)
    (tmp_path / "main").write_bytes(compile_cpp(MAIN, (*flags, "-I" + str(tmp_path / "made"))))
    (tmp_path / "main").chmod(0o700)
    done = subprocess.run(["./main", "made/reverse.cubin"], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, f"2 blocks of 64, {text.pool_bytes} bytes\n")
    c = [compiler_here().replace("g++", "gcc").replace("clang++", "clang"), "-std=c11", "-xc", "-fsyntax-only"]
    subprocess.run([*c, *flags[:4], "made/reverse.h"], check=True, timeout=60)


def test_nothing_is_overwritten_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    Path("made").mkdir()
    Path("made/reverse.h").write_text("mine")
    assert main(["compile", "kernel.py:reverse", "-o", "made"]) == 2
    assert "'made/reverse.h' is there already" in capsys.readouterr().err
    assert [path.name for path in Path("made").iterdir()] == ["reverse.h"]
    assert main(["compile", "kernel.py:reverse", "-o", "made", "--force"]) == 0
    assert "reverse_kernel_launch" in Path("made/reverse.h").read_text()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "-o DIR"),
        (["-o", "made", "--target", "simulator"], "such as cuda:sm_90a"),
        (["-o", "kernel.py/below"], "cannot write to"),
        (["--emit", "final", "--spec", "int32"], "--spec is of a flyc.jit"),
    ],
)
def test_refusals(options: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", "kernel.py:reverse", *options]) == 2
    assert words in capsys.readouterr().err


TRACED = """
import tilewright.compiler as flyc
import tilewright.expr as fx

@flyc.kernel
def twice_kernel(A: fx.Tensor, n: fx.Int32):
    A[0] = A[0] * n.to(fx.Float32)

@flyc.jit
def twice(A: fx.Tensor, n: fx.Int32):
    twice_kernel(A, n).launch(grid=1, block=1)
"""


def test_a_jit_function_is_traced_for_its_specs(capsys: pytest.CaptureFixture[str]) -> None:
    Path("traced.py").write_text(TRACED)
    specs = ["--spec", "float32[8]", "--spec", "int32"]
    assert main(["compile", "traced.py:twice", "--emit", "final", *specs]) == 0
    assert "gpu.func @twice_kernel" in capsys.readouterr().out
    for wrong, words in (
        (["--emit", "tile", *specs], "choose a stage of a flyc.jit: fly, lowered, final, flat"),
        (["--emit", "final", "--spec", "float32[8"], "--spec is a type"),
        (["--emit", "cuda", "--target", "simulator:gfx942", *specs], "whose waves have 64 lanes"),
    ):
        assert main(["compile", "traced.py:twice", *wrong]) == 2
        assert words in capsys.readouterr().err
    assert main(["compile", "traced.py:twice_kernel", "--emit", "final"]) == 2
    assert "compile the flyc.jit that launches it" in capsys.readouterr().err
