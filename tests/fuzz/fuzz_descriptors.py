"""Advice for tiles under descriptors: never beaten by any mode on any canonical layout, and what the hardware does.

python tests/fuzz/fuzz_descriptors.py [N] [seed]     N tiles; exit status 1 if one advice is wrong
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from descriptor_cases import case, complaint
from strategies import Dice


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 2000
    first = int(arguments[1]) if len(arguments) > 1 else 0
    wrong = 0
    for seed in range(first, first + count):
        if problem := complaint(case(Dice(seed))):
            print(f"seed {seed}: {problem}", file=sys.stderr)
            wrong += 1
    print(f"advice about {count} tiles under descriptors: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
