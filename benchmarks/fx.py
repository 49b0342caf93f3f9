"""Time of fx: tracing a tensor-core GEMM and lowering it to `final`, and what a warm call takes. CPU milliseconds.

    python benchmarks/fx.py

The GEMM is the one of tests/data/flydsl_dumps.json.xz: MFMA, tiles through swizzled shared memory, 256 threads. `first`
is the first one of a fresh process, after its imports; `again` traces and lowers anew, with nothing kept of the module.
A warm call is one of a jit function that launches nothing: Python's part of a call, without the simulator's.
`compiled` is `tilewright.compile` and the text of `final` in a fresh process, after its imports: with an empty folder
of what is kept on disk, and with the one that this has filled. The CUDA text of axpy, seven lines, is timed likewise;
its calls on the host are those of an array of any size, compiled once.
"""

from __future__ import annotations

import importlib.util
import json
import lzma
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

import tilewright as tw
import tilewright.compiler as flyc
import tilewright.expr as fx
from tilewright.lang.fly.compiled import CompiledFunction
from tilewright.lang.fly.jit import Jit
from tilewright.runtime.on_fly import FlyModule

DATA = Path(__file__).parents[1] / "tests" / "data" / "flydsl_dumps.json.xz"


def program(path: Path | None = None) -> ModuleType:
    """The module with the GEMM, which is written to the path."""
    text = json.loads(lzma.decompress(DATA.read_bytes()))["kernels"].partition("from flydsl.utils.smem_allocator")[0]
    path = path or Path(tempfile.mkdtemp()) / "kernels.py"
    path.write_text(
        text.replace("import torch, math", "import math").replace("import torch\n", "").replace("flydsl", "tilewright")
    )
    spec = importlib.util.spec_from_file_location("kernels", path)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def milliseconds(work: Callable[[], object], repeats: int) -> float:
    """The median CPU time of a call."""
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return 1e3 * statistics.median(times)


def to_final(found: ModuleType) -> FlyModule:
    """Traces and lowers the GEMM anew."""
    a, c = np.zeros((256, 512), np.float16), np.zeros((256, 256), np.float16)
    module, _ = Jit(found.gemm.function)._specialised((a, a, c, True), {})
    return module.at("final")


@flyc.jit
def nothing(A: fx.Tensor, B: fx.Tensor, C: fx.Tensor, n: fx.Int32):
    """Launches nothing."""


def warm(count: int = 1000) -> float:
    """A call of `nothing` on three arrays and a number."""
    a = np.zeros((64, 64), np.float32)
    nothing(a, a, a, 3)
    begin = time.process_time()
    for _ in range(count):
        nothing(a, a, a, 3)
    return 1e3 * (time.process_time() - begin) / count


SIZE = 1 << 20


@flyc.kernel
def axpy_kernel(a: fx.Float32, X: fx.Tensor, Y: fx.Tensor, n: fx.Int32):
    i = fx.block_idx.x * 256 + fx.thread_idx.x
    if i < n:
        Y[i] = a * X[i] + Y[i]


@flyc.jit
def axpy(a: fx.Float32, X: fx.Tensor, Y: fx.Tensor, n: fx.Int32):
    axpy_kernel(a, X, Y, n).launch(grid=(n + 255) // 256, block=256)


def of_axpy(target: str) -> CompiledFunction:
    """Axpy compiled for a target."""
    return tw.compile(axpy, fx.Float32, ((1,), "float32"), ((1,), "float32"), fx.Int32, target=target)


def sourced() -> float:
    """Milliseconds of axpy's CUDA text."""
    begin = time.process_time()
    _ = of_axpy("cuda:sm_90a").source
    return 1e3 * (time.process_time() - begin)


def called(count: int = 50) -> tuple[float, float, float]:
    """A call of axpy on the host of 2^20 elements, of one element, and numpy's own of the first."""
    function, a = of_axpy("host"), np.float32(0.5)
    x, y = (np.ones(SIZE, np.float32) for _ in range(2))
    calls = (
        lambda: function(a, x, y, SIZE),
        lambda: function(a, x[:1], y[:1], 1),
        lambda: np.add(a * x, y, out=y),
    )
    first, second, third = (milliseconds(call, count) for call in calls)
    return first, second, third


def compiled(found: ModuleType) -> float:
    """Milliseconds of compiling the GEMM, and of its text."""
    half = ((256, 512), "float16")
    begin = time.process_time()
    tw.compile(found.gemm, half, half, ((256, 256), "float16"), True).ir()
    return 1e3 * (time.process_time() - begin)


def kept(what: str) -> tuple[float, float]:
    """The time of `compiled` or `sourced` in a fresh process, and in one behind it, the medians of three of each."""
    times = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            around = {**os.environ, "TILEWRIGHT_CACHE": str(Path(folder) / "kept")}
            source = str(Path(folder) / "kernels.py")
            command = [sys.executable, __file__, f"--{what}", source]
            times.append([float(subprocess.check_output(command, env=around)) for _ in range(2)])
    cold, warm_start = zip(*times, strict=True)
    return statistics.median(cold), statistics.median(warm_start)


def speed() -> float:
    """Seconds of ten million additions in a file of their own; 0.33 at the full speed of the machine of the figures."""
    code = "import time\nt=time.process_time()\ns=0\nfor i in range(10**7): s+=i\nprint(time.process_time()-t)"
    return min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(3))


def main() -> None:
    """Prints the table."""
    if "--compiled" in sys.argv:
        print(compiled(program(Path(sys.argv[-1]))))
        return
    if "--sourced" in sys.argv:
        print(sourced())
        return
    found = program()
    if "--first" in sys.argv:
        print(milliseconds(lambda: to_final(found), 1))
        return
    before = speed()
    first = [float(subprocess.check_output([sys.executable, __file__, "--first"])) for _ in range(5)]
    to_final(found)
    cold, warm_start = kept("compiled")
    cold_source, warm_source = kept("sourced")
    large, small, numpys = called()
    rows: list[tuple[str, float, float | str]] = [
        ("trace to `final`, first", statistics.median(first), 150),
        ("trace to `final`, again", milliseconds(lambda: to_final(found), 11), 50),
        ("a warm call that launches nothing", warm(), 0.1),
        ("compiled, nothing kept", cold, ""),
        ("compiled, kept", warm_start, ""),
        ("CUDA text of axpy, nothing kept", cold_source, ""),
        ("CUDA text of axpy, kept", warm_source, ""),
        ("a call of axpy on the host, 2^20 elements", large, ""),
        ("the same by numpy", numpys, ""),
        ("a call of axpy on the host, 1 element", small, 0.1),
    ]
    held = (before + speed()) / 2
    print(f"ten million additions: {held:.2f} s\n")
    print("| what | ms | ms at full speed (0.33 s) | budget |\n|---|---:|---:|---:|")
    for name, taken, budget in rows:
        print(f"| {name} | {taken:.3g} | {taken * 0.33 / held:.3g} | {budget} |")


if __name__ == "__main__":
    main()
