"""Random functions over fly's ops on layouts: every pass keeps what the reference functions say that they compute.

    python tests/fuzz/fuzz_fly_passes.py [N] [seed]    N functions; exit status 1 if one is wrong

A function is run by the reference functions before and after each pipeline: what it returns is the same, or both fail.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from fly_functions import judged


def main() -> int:
    """Counts what became of the functions, and tells the wrong ones."""
    given = [int(word) for word in sys.argv[1:3]]
    count, seed = given[0] if given else 500, given[1] if len(given) > 1 else 0
    outcomes: Counter[str] = Counter()
    for i in range(seed, seed + count):
        for outcome in judged(i):
            outcomes[outcome.partition(":")[0]] += 1
            if outcome.startswith("wrong"):
                print(f"seed {i}: {outcome:.600}", file=sys.stderr)
    print(dict(outcomes))
    return int(outcomes["wrong"] > 0)


if __name__ == "__main__":
    sys.exit(main())
