"""Time of the kernel half: source to CUDA text and cubin, and the simulator's workloads. CPU milliseconds.

    python benchmarks/kernels.py [--json]

Every result is checked before it is timed. The budgets are the design's. The peers' figures were measured on another
day, on a machine of the same kind: they say where we stand, and are no ratio.
"""

from __future__ import annotations

import gc
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

import numpy as np
from kernel_sources import batched, document, transposed

import tilewright as tw
from tilewright.arch.target import Target
from tilewright.runtime.kernel import CompiledKernel
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.host.compiler import compile_host
from tilewright.targets.simulator.simulate import Simulator

FRESH = """
import time
begin = time.process_time()
import json
from kernel_sources import document
import tilewright as tw
read = time.process_time()
source = tw.compile(document(2, 128), target="cuda:sm_90a").source
print(json.dumps([1e3 * time.process_time(), 1e3 * (time.process_time() - read)]))
"""


@dataclass(frozen=True)
class Row:
    """One figure; `peer` says what the best peer took, and where that is known from."""

    name: str
    milliseconds: float
    budget: float | None = None
    peer: str = ""

    def __str__(self) -> str:
        budget = f"{self.budget:g}" if self.budget is not None else "-"
        return f"| {self.name} | {self.milliseconds:.3g} | {budget} | {self.peer or '-'} |"


def milliseconds(work: Callable[[], object], repeats: int = 7) -> float:
    """The median CPU time of a call after one warm-up, garbage collection off."""
    work()
    gc.disable()
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    gc.enable()
    return 1e3 * statistics.median(times)


def compiling() -> Iterator[Row]:
    """From the source to CUDA text and to a cubin."""
    here = {"cwd": sys.path[0], "text": True}
    runs = [json.loads(subprocess.check_output([sys.executable, "-c", FRESH], **here)) for _ in range(5)]
    yield Row("fresh process: import to CUDA text", statistics.median(r[0] for r in runs), 500, "TVM 820")
    yield Row("first compile to CUDA text", statistics.median(r[1] for r in runs), 50, "TVM 71")
    kernel, target = document(2, 128), Target("cuda:sm_90a")
    again = milliseconds(lambda: CompiledKernel(document(2, 128).module, target).source, 15)
    yield Row("again, uncached, source read again", again, 20, "TVM 27")
    yield Row(
        "again, uncached, same kernel", milliseconds(lambda: CompiledKernel(kernel.module, target).source, 15), 20
    )
    yield Row("again, cached", milliseconds(lambda: tw.compile(kernel, target=target).source, 101), 0.5)
    source = tw.compile(kernel, target=target).source
    yield Row("NVRTC: text to cubin, sm_90a", milliseconds(lambda: compile_cubin(source)), None, "nvcc 240")
    module = tw.compile(kernel).lowered().module
    yield Row("host: g++ alone is a child process (wall)", 1e3 * wall(lambda: compile_host(module, [0, 1])))


def wall(work: Callable[[], object]) -> float:
    """The wall time of one call in seconds."""
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def simulating() -> Iterator[Row]:
    """Launches whose every access is checked and counted."""
    size, warps = 2048, 65536
    a = np.random.default_rng(0).normal(size=warps * 128).astype(np.float32)
    tiles = a.reshape(-1, 4, 32).transpose(0, 2, 1)
    square = a[: size * size]
    for name, kernel, source, expected, budget, peer in (
        ("permute, 65,536 blocks of a warp", batched(warps), a, tiles, 70, "numpy limit 6.8, prototype 27.3"),
        ("permute, a warp of 65,536 stages", document(warps, 128), a, tiles, 70, ""),
        (
            "permute, 1,024 blocks of a warp",
            batched(1024),
            a[: 1024 * 128],
            tiles[:1024],
            None,
            "Triton's interpreter 840",
        ),
        ("transpose 2048^2", transposed(size), square, square.reshape(size, size).T, 50, "Triton's interpreter 404"),
    ):
        simulator = Simulator(tw.compile(kernel).lowered().module)
        source, result = source.copy(), np.zeros_like(source)
        report = simulator.run([source, result])
        assert report.proved, name
        assert (result == expected.reshape(-1)).all(), name
        yield Row(name, milliseconds(lambda s=simulator, x=source, y=result: s.run([x, y])), budget, peer)
    checked = Simulator(tw.compile(batched(1024)).lowered().module)
    x, y = a[: 1024 * 128].copy(), np.zeros(1024 * 128, np.float32)
    yield Row("permute, 1,024 warps, each one checked", milliseconds(lambda: checked.run([x, y], proofs=False)))


def main() -> None:
    """Prints a Markdown table, or JSON."""
    rows = [*compiling(), *simulating()]
    if "--json" in sys.argv:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return
    print("| what | CPU ms | budget | peer, measured elsewhere |", "|---|---|---|---|", *rows, sep="\n")


if __name__ == "__main__":
    main()
