"""Control flow and views at length: N random kernels do what Python does, at every stage and read from their scripts.

python tests/fuzz/fuzz_control.py 2000
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import control_programs
import numpy as np
import view_programs

import tilewright as tw
from tilewright.errors import KernelError, OutOfBoundsError

STAGES = ("tile", "dispatched", "lowered", "final")


def control(seed: int, folder: Path) -> str:
    """A kernel of branches and loops; what is wrong with it."""
    nodes = control_programs.program(Random(seed))
    a = np.random.default_rng(seed).integers(0, 50, (control_programs.THREADS, control_programs.WIDTH)).astype(np.int32)
    try:
        expected = control_programs.expected(nodes, a)
    except OverflowError:
        return "too large"
    kernel = tw.compile(control_programs.written(control_programs.text(nodes), folder))
    head = "from tilewright.script import tirx as T\n"
    for stage in STAGES:
        again = tw.compile(control_programs.written(head + kernel.script(stage), folder))
        for one in (kernel, again):
            b = np.zeros_like(expected)
            one.simulate(a, b, stage=stage)
            assert (b == expected).all(), (seed, stage)
    return "same"


def views(seed: int, folder: Path) -> str:
    """A kernel of views; what becomes of it."""
    program = view_programs.program(Random(seed))
    a = np.arange(64, dtype=np.int32) * 3
    try:
        kernel = tw.compile(control_programs.written(program.source, folder))
    except KernelError:
        assert program.refused, seed
        return "refused"
    for stage in STAGES:
        start, b = a.copy(), np.zeros((view_programs.THREADS, 8), np.int32)
        try:
            kernel.simulate(start, b, stage=stage)
        except OutOfBoundsError:
            assert not program.inside, (seed, stage)
        else:
            assert program.inside, (seed, stage)
            atomic = any(access.kind == "atomic" for access in program.accesses)
            assert atomic or (b == program.expected(a)).all(), (seed, stage)
    return "inside" if program.inside else "outside"


def main(count: int) -> None:
    """So many of each."""
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1000, 1000 + count):
            found[f"control {control(seed, Path(folder))}"] += 1
            found[f"views {views(seed, Path(folder))}"] += 1
    print(dict(found))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
