"""Law 77 over the whole corpus: wrong kernels are refused and right ones give the same bits, under N orders each.

python tests/fuzz/fuzz_corpus.py [N=5]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from corpus import cases
from fault_table import CORPUS
from faults import check_found_in_order, check_right, kernels

from tilewright.errors import SimulationError

MOST = 20  # orders of each kernel


def main() -> None:
    """Runs every kernel under every order, and says how many there were."""
    seeds = range(min(int(sys.argv[1]) if len(sys.argv) > 1 else 5, MOST))
    faulty, clean = kernels()
    everything = list(cases(CORPUS))
    for case in everything:
        for arch in case.archs:
            first = [] if case.error is not None else case.run("final", arch)
            for seed in seeds:
                try:
                    found = case.run("final", arch, schedule="random", seed=seed)
                except SimulationError:
                    assert case.error is not None, (case.name, arch, seed)
                else:
                    assert case.error is None, (case.name, arch, seed)
                    same = [one.tobytes() == other.tobytes() for one, other in zip(first, found, strict=True)]
                    assert all(same), (case.name, arch, seed)
    for wrong in faulty:
        for seed in seeds:
            check_found_in_order(wrong, seed)
    for right in clean:
        for arch in right.archs:
            for seed in seeds:
                check_right(right, arch, ["final"], schedule="random", seed=seed)
    count = len(everything) + len(faulty) + len(clean)
    print(f"{count} kernels under {len(seeds)} orders each: all as they should be")


if __name__ == "__main__":
    main()
