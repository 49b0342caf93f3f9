"""Passes over registers at length: random `fly` functions of one thread compute the same before and after.

python tests/fuzz/fuzz_fly_registers.py [N] [seed]     exit status 1 if any of N computes something else
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from fly_programs import outcome


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 200
    first = int(arguments[1]) if len(arguments) > 1 else 0
    start, told = time.process_time(), Counter[str]()
    for seed in range(first, first + count):
        for pipeline, verdict in outcome(seed).items():
            told[verdict] += 1
            if verdict not in ("same", "refused"):
                print(f"{pipeline}: {verdict}", file=sys.stderr)
    seconds = time.process_time() - start
    wrong = sum(told.values()) - told["same"] - told["refused"]
    print(f"{count} functions: {told['same']} same, {told['refused']} refused, {wrong} wrong; {seconds:.0f} s of CPU")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
