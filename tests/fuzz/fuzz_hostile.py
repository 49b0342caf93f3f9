"""Arbitrary arguments into every public function of the layout algebra: nothing but values and our own errors.

python tests/fuzz/fuzz_hostile.py [N] [seed]     N calls; exit status 1 if one of them does anything else
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from hostile import trouble
from strategies import Dice


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 2000
    first = int(arguments[1]) if len(arguments) > 1 else 0
    complaints: Counter[str] = Counter()
    for seed in range(first, first + count):
        complaint = trouble(Dice(seed))
        if complaint:
            print(f"seed {seed}: {complaint}", file=sys.stderr)
            complaints[complaint.split(":")[0]] += 1
    print(f"{count} calls with arbitrary arguments: {complaints.total()} other than a value or our error within 1 s")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
