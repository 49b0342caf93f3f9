"""Time of the analyses: bank reports, wavefronts of many warps, swizzle search, coalescing; beside tensor-layouts.

    python benchmarks/analysis.py > benchmarks/results/analysis.md

CPU milliseconds of the process, one warm-up, median of 7, garbage collection off. Each answer is checked first.
"""

from __future__ import annotations

import gc
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import tilewright as tw
from tilewright import Access, ComposedLayout, Layout, Swizzle
from tilewright.analysis.banks.rule import wavefronts_at

TILE = Layout((128, 64), (64, 1))
SWIZZLED = ComposedLayout(Swizzle(3, 3, 3), 0, TILE)
LDMATRIX = Layout((32, (8, 8, 4)), (1, (128, 1024, 32)))
ROW_STORES = Layout(((8, 4), (8, 32)), ((1024, 1), (128, 4)))
COLUMNS = Layout((32, (64, 4)), (1, (128, 32)))
SCALARS = Access(COLUMNS, kind="store", name="scalar columns")
TRANSPOSE = Layout((32, 32), (32, 1))
WARPS = 65536
LANES = np.arange(32)


@dataclass(frozen=True)
class Case:
    """`run` does the work and returns a figure that must be `expected`; `budget` is in milliseconds."""

    name: str
    run: Callable[[], int]
    expected: int
    budget: float | None = None


def ldmatrix_report() -> int:
    return tw.bank_conflicts(SWIZZLED, LDMATRIX, element_bits=16, instruction="ldmatrix.x4").wavefronts


def ldmatrix_phases() -> int:
    report = tw.bank_conflicts(SWIZZLED, LDMATRIX, element_bits=16, instruction="ldmatrix.x4")
    return sum(len(phase.lanes) for phase in report.phases)


def three_accesses() -> int:
    accesses = [
        Access(LDMATRIX, instruction="ldmatrix.x4"),
        Access(ROW_STORES, 128, "store"),
        Access(instruction="tma"),
    ]
    return tw.suggest_swizzle(TILE, accesses, element_bits=16)[0].swizzle.b


def three_lane_accesses() -> int:
    accesses = [Access(LDMATRIX, instruction="ldmatrix.x4"), Access(ROW_STORES, 128, "store"), SCALARS]
    return tw.suggest_swizzle(TILE, accesses, element_bits=16)[0].excess


def transpose() -> int:
    rows, columns = Access(Layout((32, 32), (32, 1))), Access(Layout((32, 32), (1, 32)), kind="store")
    return tw.suggest_swizzle(TRANSPOSE, [rows, columns], element_bits=32)[0].swizzle.b


def coalesced() -> int:
    return tw.coalescing(TILE, ROW_STORES, element_bits=16, vector_bits=128).sectors


def peer_ldmatrix() -> int:
    """tensor-layouts asked phase by phase, 128 calls; it has no whole-tile report."""
    from tensor_layouts import ComposedLayout as PeerComposed
    from tensor_layouts import Layout as PeerLayout
    from tensor_layouts import Swizzle as PeerSwizzle
    from tensor_layouts.analysis import bank_conflicts

    swizzle, rows = PeerSwizzle(3, 3, 3), PeerLayout((8, 8), (64, 1))
    phases = (
        PeerComposed(swizzle, rows, offset=64 * row + 8 * chunk) for row in range(0, 128, 8) for chunk in range(8)
    )
    return sum(bank_conflicts(phase, element_bytes=2, group_size=8)["max_ways"] for phase in phases)


SAME = np.broadcast_to(4 * LANES, (WARPS, 32)).copy()
RANDOM = np.random.default_rng(0).integers(0, 4096, (WARPS, 32)) * 4
RANDOM_WAVEFRONTS = int(wavefronts_at(RANDOM, 4).sum())

CASES = (
    Case("whole 128x64 half tile by ldmatrix.x4, swizzled: report", ldmatrix_report, 128, 1.0),
    Case("the same, with every lane and word of its 128 phases", ldmatrix_phases, 1024),
    Case("the same in tensor-layouts, 128 calls", peer_ldmatrix, 128),
    Case("suggest_swizzle, 128x64 half: ldmatrix, row stores, TMA", three_accesses, 3, 50.0),
    Case("suggest_swizzle, 128x64 half: ldmatrix, row stores, scalar columns", three_lane_accesses, 768, 50.0),
    Case("suggest_swizzle, 32x32 float transposed by scalars", transpose, 5, 50.0),
    Case("coalescing of a 128x64 half tile by 16 bytes", coalesced, 512),
    Case("wavefronts of 65,536 warps that do the same", lambda: int(wavefronts_at(SAME, 4).sum()), WARPS),
    Case("wavefronts of 65,536 random warps", lambda: int(wavefronts_at(RANDOM, 4).sum()), RANDOM_WAVEFRONTS),
)


def milliseconds(run: Callable[[], int]) -> float:
    """The median CPU time of seven rounds of at least 20 ms."""
    start = time.process_time()
    run()
    repeat = max(1, int(0.02 / max(1e-6, time.process_time() - start)))
    rounds = []
    for _ in range(7):
        start = time.process_time()
        for _ in range(repeat):
            run()
        rounds.append((time.process_time() - start) / repeat)
    return 1e3 * statistics.median(rounds)


def row(case: Case) -> str:
    found = case.run()
    budget = f"{case.budget:g}" if case.budget else "-"
    taken = f"{milliseconds(case.run):.2f}" if found == case.expected else f"WRONG: {found}, not {case.expected}"
    return f"| {case.name} | {taken} | {budget} |"


def main() -> None:
    gc.disable()
    print("# Time of the analyses\n")
    print(f"CPU milliseconds, median of 7, Python {platform.python_version()}, numpy {np.__version__}.\n")
    print("| what | ms | budget |\n|---|---:|---:|")
    for case in CASES:
        print(row(case), flush=True)


if __name__ == "__main__":
    main()
