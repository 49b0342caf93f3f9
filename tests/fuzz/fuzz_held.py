"""Two views of one truth at length: the bank report of a tiled copy against the sum over its threads' partitions.

    python tests/fuzz/fuzz_held.py 500 > benchmarks/results/fuzz-held.md

Until so many random (atom, arrangement, permutation, tile) are answered; every difference is printed and fails the run.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from partition_oracle import disagreement, naive, random_case


def main(wanted: int) -> int:
    """Print the table; the number of differences."""
    start, answered, wrong = time.process_time(), 0, 0
    refused, atoms, tiles = Counter[str](), Counter[str](), Counter[str]()
    for seed in count():
        if answered == wanted:
            break
        case = random_case(random.Random(seed))
        found, told = disagreement(case), naive(case)
        if found:
            print(f"seed {seed}: {found}", file=sys.stderr)
            wrong += 1
        if told.refusal:
            refused[told.refusal] += 1
            continue
        answered += 1
        atoms[f"{case.tiled.atom.name}, {case.side}, {case.arch}"] += 1
        tiles[type(case.tile).__name__] += 1
    print("# Bank reports of tiled copies against their threads' partitions\n")
    print(f"{answered} random (atom, arrangement, permutation, tile) answered, {wrong} different; ", end="")
    why = ", ".join(f"{n} of vectors that are {word}" for word, n in sorted(refused.items()))
    print(f"beside them {sum(refused.values())} that hardware does not take are refused ({why}).\n")
    print("| tile | cases |\n|---|---:|")
    print("\n".join(f"| {name} | {n} |" for name, n in sorted(tiles.items())))
    print(
        f"\n{len(atoms)} combinations of atom, side and architecture; {time.process_time() - start:.0f} s of CPU, ",
        end="",
    )
    print("nearly all of it in the naive count.")
    return wrong


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)))
