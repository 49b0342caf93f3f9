#!/usr/bin/env python3
"""Writes the traces that the explorer ships: scripts/traces.py [FOLDER], at the repository's root; a test compares."""

import json
import runpy
import sys
from pathlib import Path

import numpy as np

import tilewright as tw
from tilewright.script import tirx as T
from tilewright.targets.simulator.observers.trace_report import Trace

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = ROOT / "src/tilewright/explorer/trace/shipped"


@T.prim_func
def transpose_swizzled(A: T.Buffer((8, 32), "float32"), B: T.Buffer((32, 8), "float32")):
    """The transpose of examples/transpose.py, its tile swizzled."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((256,), "float32")
    for i in T.serial(8):
        s[(8 * t + i) ^ (t // 4)] = A[i, t]
    T.cuda.cta_sync()
    for i in T.serial(8):
        B[4 * i + t // 8, t % 8] = s[(32 * i + t) ^ i]


@T.prim_func
def cp_async(A: T.Buffer((4, 128), "float32"), B: T.Buffer((32,), "float32")):
    """Sums rows in two stages: one is fetched while the other is used."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([32])
    s = T.alloc_shared((2, 128), "float32")
    total: T.float32 = 0.0
    T.ptx.cp.async_.cg.shared.global_(s.ptr_to([0, 4 * t]), A.ptr_to([0, 4 * t]), 16)
    T.ptx.cp.async_.commit_group()
    for k in T.serial(4):
        if k < 3:
            T.ptx.cp.async_.cg.shared.global_(s.ptr_to([(k + 1) % 2, 4 * t]), A.ptr_to([k + 1, 4 * t]), 16)
        T.ptx.cp.async_.commit_group()
        T.ptx.cp.async_.wait_group(1)
        T.cuda.cta_sync()
        total = total + s[k % 2, t] + s[k % 2, 127 - t]
        T.cuda.cta_sync()
    B[t] = total


@T.prim_func
def mbarrier(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    """Reverses what one bulk copy brought."""
    T.device_entry()
    T.cta_id([1])
    tx = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    full = T.alloc_shared((1,), "uint64")
    if tx == 0:
        T.ptx.mbarrier.init.shared.b64(full.ptr_to([0]), 1)
        T.ptx.fence.mbarrier_init.release.cluster()
    T.cuda.cta_sync()
    if tx == 0:
        T.ptx.mbarrier.arrive.expect_tx.shared.b64(full.ptr_to([0]), 256)
        T.ptx.cp.async_.bulk.global_.mbarrier__complete_tx__bytes(s.ptr_to([0]), A.ptr_to([0]), 256, full.ptr_to([0]))
    T.cuda.mbarrier_wait(full.ptr_to([0]), 0)
    B[tx] = s[63 - tx]


@T.prim_func
def race(A: T.Buffer((64,), "float32"), B: T.Buffer((64,), "float32")):
    """Reverses by two warps, and forgets the barrier between them."""
    T.device_entry()
    T.cta_id([1])
    t = T.thread_id([64])
    s = T.alloc_shared((64,), "float32")
    s[t] = A[t]
    B[t] = s[63 - t]


Kernel = T.PrimFunc
SHAPES = {
    transpose_swizzled: ((8, 32), (32, 8)),
    cp_async: ((4, 128), (32,)),
    mbarrier: ((64,), (64,)),
    race: ((64,), (64,)),
}
# Those of examples/, by their files.
EXAMPLES = {"permute": ("f", ((256,), (256,))), "transpose": ("transpose", ((8, 32), (32, 8)))}


def traces() -> dict[str, str]:
    """The JSON of each, by the name of its file; sources are named as in this repository."""
    own = {kernel.name: _written(kernel, *shapes) for kernel, shapes in SHAPES.items()}
    return own | {name: _written(_example(name, kernel), *shapes) for name, (kernel, shapes) in EXAMPLES.items()}


def _example(file: str, kernel: str) -> Kernel:
    found = runpy.run_path(str(ROOT / f"examples/{file}.py"))[kernel]
    assert isinstance(found, Kernel)
    return found


def _written(kernel: Kernel, source: tuple[int, ...], result: tuple[int, ...]) -> str:
    given = np.arange(np.prod(source), dtype=np.float32).reshape(source)
    found = json.loads(_traced(kernel, given, np.zeros(result, np.float32)).json().replace(f"{ROOT}/", ""))
    return json.dumps(found, separators=(",", ":")).replace('},{"step"', '},\n{"step"') + "\n"


def _traced(kernel: Kernel, *arrays: np.ndarray) -> Trace:
    found: object
    try:
        found = tw.compile(kernel).trace(*arrays)
    except tw.RaceError as error:
        found = error.trace
    assert isinstance(found, Trace), "lanes were traced"
    return found


def main(words: list[str]) -> int:
    """Writes all of them."""
    folder = Path(words[0]) if words else SHIPPED
    folder.mkdir(exist_ok=True)
    for name, text in traces().items():
        (folder / f"{name}.json").write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
