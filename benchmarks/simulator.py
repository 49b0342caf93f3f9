"""CPU time of the simulator, every access checked and counted, beside Triton's interpreter and Numba's simulator.

    python benchmarks/simulator.py [--json]

Results are checked before anything is timed. Later runs: the least of those that fit in a while. The first run of a
kernel: the least of several processes that do nothing before. Matrices are multiplied by one thread: another one that
waits for work would count, too. What a plain loop takes is told before and after, so that the speed of the machine is
known. Peers run where they can be imported by the same Python, and are said to be missing else. The budgets are the
design's.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import TypeAlias

import numpy as np
from kernel_sources import batched, gathered, multiplied, ringed, staged_gemm, tensor_gemm, transposed
from numpy.typing import NDArray
from simulator_peers import SMALL

import tilewright as tw
from tilewright.lang.primfunc import PrimFunc
from tilewright.targets.simulator.options import Switches
from tilewright.targets.simulator.report import SimulationReport
from tilewright.targets.simulator.simulate import Simulator

Array = NDArray[np.generic]
Made: TypeAlias = tuple[PrimFunc, list[Array], Array]  # the kernel, its arrays, and what is to be in its result
SIZE = 2048
PROCESSES = 5
LEAST_RUNS, WHILE = 5, 0.3  # runs, and seconds of them
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Row:
    """One figure, in seconds of CPU: of a first run, and of a later one; `checked` says how."""

    name: str
    first: float
    later: float
    budget: float | None = None
    checked: str = "-"
    peer: str = ""

    def __str__(self) -> str:
        budget = "-" if self.budget is None else f"{1e3 * self.budget:g}"
        times = f"{1e3 * self.first:.3g} | {1e3 * self.later:.3g}"
        return f"| {self.name} | {times} | {budget} | {self.checked} | {self.peer or '-'} |"


@dataclass(frozen=True)
class Workload:
    """What is timed, made when it is; the last array of binary32 is the result."""

    name: str
    make: Callable[[], Made]
    budget: float | None = None
    peer: tuple[str, str] = ("", "")
    proofs: bool = True
    switches: Switches = field(default_factory=lambda: Switches())

    def begin(self) -> tuple[Callable[[], SimulationReport], Callable[[], None]]:
        """A run of the compiled kernel; and what is to hold after it."""
        kernel, arrays, expected = self.make()
        simulator = Simulator(tw.compile(kernel).lowered().module)
        result = next(array for array in arrays[::-1] if array.dtype == np.float32)

        def check() -> None:
            assert (result.reshape(-1) == expected.reshape(-1)).all(), self.name

        return lambda: simulator.run(arrays, proofs=self.proofs, **self.switches), check

    def row(self, peers: dict[str, dict[str, float]]) -> Row:
        """Its figures."""
        work, check = self.begin()
        report = work()
        check()
        how = "proved" if report.proved else "by the first run" if report.repeated else "each access"
        of, name = self.peer
        peer = f"{of} {1e3 * peers[of][name]:.0f}" if of in peers else ""
        first = min(first_run(self.name) for _ in range(PROCESSES))
        return Row(self.name, first, least(work), self.budget, how, peer)


def least(work: Callable[[], object]) -> float:
    """The least CPU time of a call."""
    found = [timed(work)]
    while len(found) < LEAST_RUNS or sum(found) < WHILE:
        found.append(timed(work))
    return min(found)


def calibration() -> float:
    """The CPU time of ten million additions in a plain loop."""

    def added() -> None:
        total = 0
        for number in range(10**7):
            total += number

    return timed(added)


def timed(work: Callable[[], object]) -> float:
    """The CPU time of a call."""
    begin = time.process_time()
    work()
    return time.process_time() - begin


def first_run(name: str) -> float:
    """The CPU time of the first run of a workload's kernel, in a process of its own."""
    return float(again("--first", name))


def again(*words: str) -> str:
    """What this program prints in a process whose libraries have one thread."""
    command = [sys.executable, __file__, *words]
    ran = subprocess.run(command, env=os.environ | ONE_THREAD, stdout=subprocess.PIPE, text=True, check=True)
    return ran.stdout


def workloads() -> Iterator[Workload]:
    """All of them."""
    rng = np.random.default_rng(0)

    def square(of: Callable[[int], PrimFunc], *more: Array) -> Made:
        a = rng.normal(size=(SIZE, SIZE)).astype(np.float32)
        return of(SIZE), [a, np.zeros_like(a), *more], a.T

    def small() -> Made:
        a = rng.normal(size=(SMALL, SMALL)).astype(np.float32)
        return transposed(SMALL), [a, np.zeros_like(a)], a.T

    def tiles(warps: int) -> Made:
        a = rng.normal(size=warps * 128).astype(np.float32)
        return batched(warps), [a, np.zeros_like(a)], a.reshape(-1, 4, 32).transpose(0, 2, 1)

    def product(of: Callable[[int], PrimFunc], size: int = 512, half: bool = True) -> Made:
        x, y = (rng.integers(-4, 4, (size, size)).astype(np.float32) for _ in range(2))
        given = [x.astype(np.float16), np.ascontiguousarray(y.T).astype(np.float16)] if half else [x, y]
        return of(size), [*given, np.zeros_like(x)], x @ y

    def ring(blocks: int, turns: int) -> Made:
        a = rng.normal(size=(blocks, turns, 256)).astype(np.float32)
        return ringed(blocks, turns), [a, a * 0], np.roll(a, -1, axis=2)

    name = f"transpose {SIZE}^2 through shared memory"
    yield Workload(name, lambda: square(transposed), 0.05, ("triton", "transpose"))
    yield Workload(f"{name}, no proofs", lambda: square(transposed), proofs=False)
    name, order = f"transpose {SIZE}^2 through an index array", np.arange(SIZE, dtype=np.int32)
    yield Workload(name, lambda: square(gathered, order), 0.35)
    yield Workload(f"{name}, check=off", lambda: square(gathered, order), switches={"check": "off"})
    yield Workload(f"transpose {SMALL}^2", small, peer=("numba", "transpose"))
    yield Workload("4x32 permutes of 65,536 warps", lambda: tiles(65536), 0.04)
    for block in (64, 128):
        name = f"product 512^3, scalar multiply-add, blocks of {block}x{block}"
        made = partial(product, partial(multiplied, rows=block, columns=block), half=False)
        yield Workload(name, made, 0.5, ("triton", "product"))
    name, atoms = "product 512^3 by mma.sync", lambda: product(tensor_gemm)
    yield Workload(name, atoms, 0.25)
    yield Workload(f"{name}, no proofs", atoms, proofs=False)
    yield Workload(f"{name}, check=off", atoms, 0.12, switches={"check": "off"})
    yield Workload(f"{name}, check=off, mma=fast", atoms, 0.02, switches={"check": "off", "mma": "fast"})
    for size in (128, 512):
        blocks, made = (size // 128) ** 2, partial(product, staged_gemm, size)
        name = f"product {size}^3 by cp.async, four stages of 128x128x64, {blocks} blocks"
        yield Workload(name, made, 0.1 * blocks)
    for blocks in (1, 16, 256, 4096):
        yield Workload(f"ring of 3 stages, 4 turns, {blocks} blocks", partial(ring, blocks, 4))
    for turns in (1, 10, 100, 1000):
        yield Workload(f"ring of 3 stages, {turns} turns, 16 blocks", partial(ring, 16, turns))


def peers_here() -> dict[str, dict[str, float]]:
    """The figures of the peers that can be imported."""
    found = {}
    for name in ("triton", "numba"):
        ran = subprocess.run(
            [sys.executable, "simulator_peers.py", name], cwd=sys.path[0], capture_output=True, text=True
        )
        if ran.returncode == 0:
            found[name] = json.loads(ran.stdout)
        else:
            print(f"{name}: not run: {(ran.stderr.strip().splitlines() or ['no reason given'])[-1]}", file=sys.stderr)
    return found


def main() -> None:
    """Prints a Markdown table, or JSON; with `--first NAME` the seconds of that workload's first run."""
    if not ONE_THREAD.items() <= os.environ.items():  # which libraries ask when they are loaded
        print(again(*sys.argv[1:]), end="")
        return
    if "--first" in sys.argv:
        name = sys.argv[-1]
        work, check = next(workload for workload in workloads() if workload.name == name).begin()
        gc.collect()  # what compiling has left is no part of the run
        print(timed(work))
        check()
        return
    peers, before = peers_here(), calibration()
    found = [workload.row(peers) for workload in workloads()]
    print(f"ten million additions: {before:.3f} s before, {calibration():.3f} s after", file=sys.stderr)
    if "--json" in sys.argv:
        print(json.dumps([asdict(row) for row in found], indent=1))
        return
    print(
        "| what | first run, CPU ms | later | budget | checked | peer, CPU ms |", "|---|" + "---|" * 5, *found, sep="\n"
    )


if __name__ == "__main__":
    main()
