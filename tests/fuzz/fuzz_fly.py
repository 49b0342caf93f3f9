"""Random calls of the ops of the `fly` dialect through inference.

    python tests/fuzz/fuzz_fly.py [N] [seed]    N calls; exit status 1 if one is foreign, slow or not read back

A call gives types that are read back as they were printed, or is refused by the project's own errors, within 1 s of
CPU. Prints what became of the calls, op by op.
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from fly_calls import call
from fly_kinds import call_of
from fly_outcomes import GOOD, outcome
from strategies import Dice

from tilewright.ir.fly.table import TABLE


def main(arguments: list[str]) -> int:
    """Print the table; the exit status."""
    count, first = (int(arguments[i]) if len(arguments) > i else n for i, n in ((0, 20_000), (1, 1)))
    tally: Counter[tuple[str, str]] = Counter()
    wrong, names = [], list(TABLE)
    for seed in range(count):
        # Calls that mostly fit, and of every op in turn calls with operands of every kind.
        draw = partial(call_of, name=names[seed // 2 % len(names)]) if seed % 2 else call
        name, what, words = outcome(Dice((first << 32) + seed), draw)
        tally[name, what if what in GOOD else "wrong"] += 1
        if what not in GOOD:
            wrong.append(f"seed {seed}: {words}: {what}")
    print(f"| op | {' | '.join(GOOD)} | wrong |\n|---|---:|---:|---:|")
    for name in sorted({name for name, _ in tally}):
        print(f"| `{name}` | {' | '.join(f'{tally[name, what]:,}' for what in (*GOOD, 'wrong'))} |")
    print(f"{count:,} calls of {len({name for name, _ in tally})} of {len(TABLE)} ops, {len(wrong)} wrong")
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
