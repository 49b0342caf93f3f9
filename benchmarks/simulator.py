"""CPU time of the simulator, every access checked and counted, beside Triton's interpreter and Numba's simulator.

    python benchmarks/simulator.py [--json]

Results are checked before anything is timed; the figure is the least of several runs. Peers run where they can be
imported by the same Python, and are said to be missing else. The budgets are the design's.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Unpack

import numpy as np
from kernel_sources import batched, gathered, multiplied, ringed, tensor_gemm, transposed
from numpy.typing import NDArray
from simulator_peers import SMALL

import tilewright as tw
from tilewright.lang.primfunc import PrimFunc
from tilewright.targets.simulator.options import Switches
from tilewright.targets.simulator.simulate import Simulator

Array = NDArray[np.generic]
SIZE = 2048


@dataclass(frozen=True)
class Row:
    """One figure, in seconds of CPU; `checked` says how."""

    name: str
    seconds: float
    budget: float | None = None
    checked: str = "-"
    peer: str = ""

    def __str__(self) -> str:
        budget = "-" if self.budget is None else f"{1e3 * self.budget:g}"
        return f"| {self.name} | {1e3 * self.seconds:.3g} | {budget} | {self.checked} | {self.peer or '-'} |"


def least(work: Callable[[], object], repeats: int = 5) -> float:
    """The least CPU time of a call."""
    times = []
    for _ in range(repeats):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def timed(
    name: str,
    kernel: PrimFunc,
    arrays: list[Array],
    expected: Array,
    budget: float | None = None,
    peer: str = "",
    proofs: bool = True,
    **switches: Unpack[Switches],
) -> Row:
    """The row of a kernel, whose last array but for indices is its result."""
    simulator = Simulator(tw.compile(kernel).lowered().module)

    def work() -> str:
        report = simulator.run(arrays, proofs=proofs, **switches)
        return "proved" if report.proved else "by the first run" if report.repeated else "each access"

    checked = work()
    result = next(array for array in arrays[::-1] if array.dtype == np.float32)
    assert (result.reshape(-1) == expected.reshape(-1)).all(), name
    return Row(name, least(work), budget, checked, peer)


def rows(peers: dict[str, dict[str, float]]) -> Iterator[Row]:
    """Every workload."""

    def peer(of: str, name: str) -> str:
        return f"{of} {1e3 * peers[of][name]:.0f}" if of in peers else ""

    rng = np.random.default_rng(0)
    a = rng.normal(size=(SIZE, SIZE)).astype(np.float32)
    b, order = np.zeros_like(a), np.arange(SIZE, dtype=np.int32)
    name = f"transpose {SIZE}^2 through shared memory"
    beside = peer("triton", "transpose")
    yield timed(name, transposed(SIZE), [a, b], a.T, 0.05, beside)
    yield timed(f"{name}, no proofs", transposed(SIZE), [a, b], a.T, None, "", proofs=False)
    name = f"transpose {SIZE}^2 through an index array"
    yield timed(name, gathered(SIZE), [a, b, order], a.T, 0.35)
    yield timed(f"{name}, check=off", gathered(SIZE), [a, b, order], a.T, None, "", check="off")
    small = a[:SMALL, :SMALL].copy()
    yield timed(
        f"transpose {SMALL}^2",
        transposed(SMALL),
        [small, b[:SMALL, :SMALL].copy()],
        small.T,
        None,
        peer("numba", "transpose"),
    )
    warps = 65536
    tiles = rng.normal(size=warps * 128).astype(np.float32)
    moved = tiles.reshape(-1, 4, 32).transpose(0, 2, 1)
    yield timed("4x32 permutes of 65,536 warps", batched(warps), [tiles, np.zeros_like(tiles)], moved, 0.04)
    x, y = (rng.integers(-4, 4, (512, 512)).astype(np.float32) for _ in range(2))
    for block in ((64, 64, 8), (128, 128, 8)):
        name = f"product 512^3, scalar multiply-add, blocks of {block[0]}x{block[1]}"
        beside = peer("triton", "product")
        yield timed(name, multiplied(512, *block), [x, y, np.zeros_like(x)], x @ y, 0.5, beside)
    halves: list[Array] = [x.astype(np.float16), y.astype(np.float16), np.zeros_like(x)]
    tensor = tensor_gemm(512)
    name = "product 512^3 by mma.sync"
    yield timed(name, tensor, halves, x @ y.T, 0.25)
    yield timed(f"{name}, no proofs", tensor, halves, x @ y.T, None, "", proofs=False)
    yield timed(f"{name}, check=off", tensor, halves, x @ y.T, 0.12, check="off")
    yield timed(f"{name}, check=off, mma=fast", tensor, halves, x @ y.T, 0.02, check="off", mma="fast")
    for blocks in (1, 16, 256, 4096):
        rings = rng.normal(size=(blocks, 4, 256)).astype(np.float32)
        expected = np.roll(rings, -1, axis=2)
        yield timed(f"ring of 3 stages, 4 turns, {blocks} blocks", ringed(blocks, 4), [rings, rings * 0], expected)
    for turns in (10, 100, 1000):
        rings = rng.normal(size=(16, turns, 256)).astype(np.float32)
        expected = np.roll(rings, -1, axis=2)
        yield timed(f"ring of 3 stages, {turns} turns, 16 blocks", ringed(16, turns), [rings, rings * 0], expected)


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
    """Prints a Markdown table, or JSON."""
    found = list(rows(peers_here()))
    if "--json" in sys.argv:
        print(json.dumps([asdict(row) for row in found], indent=1))
        return
    print("| what | CPU ms | budget | checked | peer, CPU ms |", "|---|---|---|---|---|", *found, sep="\n")


if __name__ == "__main__":
    main()
