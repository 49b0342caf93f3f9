"""What a thread asks about the launch and its place in its wave, by the definition, one thread after the other."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from fly_runs import function_of, module_of

from tilewright.arch import get
from tilewright.targets.simulator.fly.kernel import FLY_HANDLERS, Given, launched
from tilewright.targets.simulator.simulate import Simulator

GRID, BLOCK = (2, 1, 3), (5, 4, 7)
BLOCKS, THREADS = 6, 140
AXES = [f"{kind} {axis}" for kind in ("block_dim", "grid_dim", "global_id") for axis in "xyz"]
ASKED = [*AXES, "lane_id", "subgroup_id : index", "subgroup_size : index", "num_subgroups : index"]


def text() -> str:
    """Thread t of block b stores what it is told by the n-th op at (n * BLOCKS + b) * THREADS + t."""
    lines = [f"%t{a} = gpu.thread_id {a}\n%b{a} = gpu.block_id {a}" for a in "xyz"]
    last = "%zero"
    for number, (part, extent) in enumerate(
        zip(("bz", "by", "bx", "tz", "ty", "tx"), (*GRID[::-1], *BLOCK[::-1]), strict=True)
    ):
        lines += [
            f"%e{number} = arith.constant {extent} : index",
            f"%m{number} = arith.muli {last}, %e{number} : index",
            f"%n{number} = arith.addi %m{number}, %{part} : index",
        ]
        last = f"%n{number}"
    memory = f"memref<{len(ASKED) * BLOCKS * THREADS}xi64>"
    for number, op in enumerate(ASKED):
        lines += [
            f"%i{number} = gpu.{op}",
            f"%v{number} = arith.index_cast %i{number} : index to i64",
            f"%o{number} = arith.constant {number * BLOCKS * THREADS} : index",
            f"%p{number} = arith.addi {last}, %o{number} : index",
            f"memref.store %v{number}, %c[%p{number}] : {memory}",
        ]
    body = "\n".join(["%zero = arith.constant 0 : index", *lines])
    return f"gpu.module @m {{\ngpu.func @k(%c: {memory}) kernel {{\n{body}\ngpu.return\n}}\n}}"


def told(lanes: int) -> list[list[int]]:
    """Of each thread, blocks and threads x fastest, what it is told."""
    found = []
    for (bz, by, bx), (tz, ty, tx) in product(np.ndindex(GRID[::-1]), np.ndindex(BLOCK[::-1])):
        thread = (tz * BLOCK[1] + ty) * BLOCK[0] + tx
        places = [b * extent + t for b, extent, t in zip((bx, by, bz), BLOCK, (tx, ty, tz), strict=True)]
        found.append([*BLOCK, *GRID, *places, thread % lanes, thread // lanes, lanes, -(-THREADS // lanes)])
    return found


@pytest.mark.parametrize("arch", ["gfx942", "gfx1100"])
def test_a_thread_is_told_its_place(arch: str) -> None:
    array = np.full(len(ASKED) * BLOCKS * THREADS, -1, np.int64)
    module = launched(function_of(module_of(text())), [Given(array.size, ())], GRID, BLOCK)
    Simulator(module, FLY_HANDLERS).run([array], arch=arch)
    assert array.reshape(len(ASKED), -1).T.tolist() == told(get(arch).lanes)
