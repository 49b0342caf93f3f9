"""Sparse products of the atom table on the simulator: each equals numpy's product of the matrix with zeros between.

python tests/fuzz/fuzz_sparse.py [N] [seed]     N of them (0: all); exit status 1 if one is wrong
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from sparse_warpgroups import WARPGROUP, check


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 200
    seed = int(arguments[1]) if len(arguments) > 1 else 0
    chosen = WARPGROUP[:: max(1, len(WARPGROUP) // count)] if count else WARPGROUP
    wrong = 0
    for number, atom in enumerate(chosen):
        try:
            check(atom, number % 2 if atom.dtypes[1].bits > 8 else 0, seed + number)
        except Exception as error:
            print(f"{atom.name}: {type(error).__name__} {error}", file=sys.stderr)
            wrong += 1
    print(f"{len(chosen)} sparse products: {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
