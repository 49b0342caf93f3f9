"""Time of the spine: document 000's kernel from its source to CUDA text and through the simulator. CPU milliseconds.

python benchmarks/spine.py

The budgets are those of the design; Apache TVM takes 820 ms in a fresh process, 71 for the first compile, 27 again.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tilewright.runtime.compile import compile as compile_kernel
from tilewright.runtime.kernel import CompiledKernel

EXAMPLE = Path(__file__).parents[1] / "examples" / "permute.py"
FRESH = f"""
import time, json, runpy
begin = time.process_time()
import tilewright as tw
compile_kernel = tw.compile
kernel = runpy.run_path({str(EXAMPLE)!r}, run_name="fresh")["f"]
read = time.process_time()
source = compile_kernel(kernel, target="cuda:sm_90a").source
done = time.process_time()
print(json.dumps([1e3 * done, 1e3 * (done - read), len(source)]))
"""


def fresh() -> tuple[float, float]:
    """(whole process, first compile) of a fresh interpreter: the medians of five, after one that leaves bytecode."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    _, *runs = [json.loads(subprocess.check_output([sys.executable, "-c", FRESH], env=environment)) for _ in range(6)]
    return statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs)


def milliseconds(work: Callable[[], object], repeats: int = 11) -> float:
    """The median time of a call."""

    def once() -> float:
        begin = time.process_time()
        work()
        return time.process_time() - begin

    return 1e3 * statistics.median(once() for _ in range(repeats))


def main() -> None:
    import runpy

    kernel = runpy.run_path(str(EXAMPLE), run_name="bench")["f"]
    whole, first = fresh()
    compiled = compile_kernel(kernel, target="cuda:sm_90a")
    again = milliseconds(lambda: CompiledKernel(kernel.module, compiled.target).source)
    cached = milliseconds(lambda: compile_kernel(kernel, target="cuda:sm_90a").source, 101)
    simulated = compile_kernel(kernel)
    arrays = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
    run = milliseconds(lambda: simulated(*arrays))
    rows = [
        ("fresh process, import to CUDA text", whole, 500),
        ("first compile to CUDA text", first, 50),
        ("again, uncached", again, 20),
        ("again, cached", cached, 0.5),
        ("one simulated launch", run, None),
    ]
    for name, took, budget in rows:
        print(f"{name:36} {took:8.2f} ms" + (f"   budget {budget} ms" if budget else ""))


if __name__ == "__main__":
    main()
