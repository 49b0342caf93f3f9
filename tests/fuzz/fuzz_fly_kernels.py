"""Random `fly` kernels on the simulator: as written and after every pass they leave the same bytes, or the same fault.

python tests/fuzz/fuzz_fly_kernels.py [N] [seed]     exit status 1 if any of N does otherwise
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from fly_kernels import judged
from fly_runs import PIPELINE


def main(arguments: list[str]) -> int:
    """Counts what became of the kernels, and tells the wrong ones."""
    count = int(arguments[0]) if arguments else 200
    first = int(arguments[1]) if len(arguments) > 1 else 0
    start, told, wrong = time.process_time(), Counter[str](), 0
    for seed in range(first, first + count):
        outcome, otherwise = judged(seed)
        told[outcome] += 1
        if otherwise:
            wrong += 1
            print(otherwise, file=sys.stderr)
    seconds = time.process_time() - start
    found = ", ".join(f"{number} {name}" for name, number in told.most_common())
    print(f"{count} kernels at {len(PIPELINE) + 1} stages: {found}; {wrong} wrong; {seconds:.0f} s of CPU")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
