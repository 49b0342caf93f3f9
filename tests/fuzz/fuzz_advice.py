"""Law 70 at length: the first swizzle suggested, against every Swizzle(b, m, s) of both signs that keeps a tile closed.

    python tests/fuzz/fuzz_advice.py [N] [seed]     N random tiles; exit status 1 if enumeration ever beats the advice

Never beaten in wavefronts over all accesses, and of those with as few it is the first by the documented order.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from strategies import Dice
from swizzle_cases import verdict


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 2000
    first = int(arguments[1]) if len(arguments) > 1 else 0
    start, found, wrong = time.process_time(), Counter[str](), 0
    for seed in range(first, first + count):
        kind, complaint = verdict(Dice(seed))
        found[kind] += 1
        if complaint:
            print(f"seed {seed}: {complaint}", file=sys.stderr)
            wrong += 1
    shown = ", ".join(f"{n} {kind}" for kind, n in found.most_common())
    seconds = time.process_time() - start
    print(f"{count} tiles ({shown}): {wrong} where enumeration is better or counts otherwise; {seconds:.0f} s of CPU")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
