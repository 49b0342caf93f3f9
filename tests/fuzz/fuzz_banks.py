"""Law 67 at length: the vectorised bank count against brute enumeration, N random patterns per width.

    python tests/fuzz/fuzz_banks.py 100000 > benchmarks/results/fuzz-banks.md

Each pattern is counted once per row of the table; every difference is printed and fails the run.
"""

from __future__ import annotations

import random
import sys
import time
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from bank_oracle import Addresses, wavefronts
from bank_patterns import array, random_row

from tilewright.analysis.banks.rule import wavefronts_at

BATCH = 2000
WIDTHS = (1, 2, 4, 8, 16)
# architecture, kind, merging, matrix instruction
SETTINGS = (
    ("sm_80", "load", True, ""),
    ("sm_80", "load", False, ""),
    ("sm_90", "store", False, ""),
    ("sm_90", "load", False, "ldmatrix"),
    ("sm_90", "store", False, "stmatrix"),
    ("gfx942", "load", False, ""),
    ("gfx942", "store", False, ""),
    ("gfx950", "load", False, ""),
    ("gfx950", "store", False, ""),
)


def differences(rng: random.Random, count: int, width: int, setting: tuple[str, str, bool, str]) -> int:
    """How many of `count` random patterns the two counts disagree on."""
    arch, kind, merge, matrix = setting
    rows: list[Addresses] = [random_row(rng, 64 if arch.startswith("gfx") else 32, width) for _ in range(count)]
    got = wavefronts_at(array(rows), width, kind, arch, instruction=matrix or "auto", merge=merge).tolist()
    expected = [wavefronts(row, width, arch, kind, merge, matrix) for row in rows]
    return sum(a != b for a, b in zip(got, expected, strict=True))


def main(patterns: int) -> int:
    """Print the table; the number of differences."""
    print(f"# Bank counts against brute enumeration\n\nLaw 67, {patterns:,} random patterns per width and row.\n")
    print("| architecture | access | bytes | patterns | different |\n|---|---|---:|---:|---:|")
    start, wrong = time.process_time(), 0
    for setting, width in product(SETTINGS, WIDTHS):
        arch, kind, merge, matrix = setting
        if matrix and width != 16:
            continue
        rng = random.Random(f"{setting} {width}")
        found = sum(differences(rng, min(BATCH, patterns - i), width, setting) for i in range(0, patterns, BATCH))
        wrong += found
        access = matrix or f"{kind}{', lanes merge' if merge else ''}"
        print(f"| {arch} | {access} | {width} | {patterns:,} | {found} |", flush=True)
    print(f"\n{wrong} differences; {time.process_time() - start:.0f} s of CPU, nearly all of it in the enumeration.")
    return wrong


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000) != 0)
