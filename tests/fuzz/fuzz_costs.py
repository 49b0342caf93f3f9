"""Arbitrary arguments into every public function of the analyses and the atoms: nothing but values and our own errors.

python tests/fuzz/fuzz_costs.py [N] [seed]     N calls; exit status 1 if one of them does anything else
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from hostile_costs import FUNCTIONS, call
from strategies import Dice


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 2000
    first = int(arguments[1]) if len(arguments) > 1 else 0
    wrong = 0
    for seed in range(first, first + count):
        if complaint := call(Dice(seed)):
            print(f"seed {seed}: {complaint}", file=sys.stderr)
            wrong += 1
    print(f"{count} calls of {len(FUNCTIONS)} functions: {wrong} gave neither a value nor our error within 1 s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
