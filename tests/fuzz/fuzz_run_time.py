"""Every operation on run-time leaves, against the same operation on the values.

    python tests/fuzz/fuzz_run_time.py [N] [seed] [name ..]    N cases; exit status 1 if one is wrong, foreign or slow

A case is one call with run-time leaves and one substitution, 1 often among the values. Prints, operation by operation,
what became of the cases; then the refusals by their reasons, with how many of 50 substitutions have an answer.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from run_time_cases import CASES, World, answered, judged, reason
from strategies import Dice

from tilewright.errors import LayoutError
from tilewright.layout import operations

SLOW = 1.0
TRIES = 50
KINDS = ("same", "guard fails", "both refuse", "refused", "wrong", "foreign", "slow")


def run(name: str, seed: int, outcomes: Counter[str], refusals: Counter[tuple[str, str]]) -> None:
    """One case into the counts."""
    pick = Dice(seed)
    world = World(pick)
    try:
        args = CASES[name](world)
    except LayoutError:
        outcomes["ill-formed"] += 1
        return
    start = time.process_time()
    try:
        found = answered(getattr(operations, name), *args)
        outcome = judged(name, args, found, world.values(pick))
    except Exception as error:
        outcome = f"foreign: {type(error).__name__} {str(error)[:200]}"
    outcomes["slow"] += time.process_time() - start > SLOW
    outcomes[outcome.partition(":")[0]] += 1
    if ":" in outcome or time.process_time() - start > SLOW:
        print(f"{name} seed {seed} {args}: {outcome}", file=sys.stderr)
    if outcome == "refused":
        refusals[name, reason(found)] += 1


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 2000
    first = int(arguments[1]) if len(arguments) > 1 else 1
    names = arguments[2:] or list(CASES)
    total: Counter[str] = Counter()
    refusals: Counter[tuple[str, str]] = Counter()
    print(f"| operation | {' | '.join(KINDS)} | CPU s |\n|---|{'---:|' * (len(KINDS) + 1)}")
    for name in names:
        outcomes: Counter[str] = Counter()
        start = time.process_time()
        for seed in range(count // len(names)):
            run(name, (first << 32) + seed, outcomes, refusals)
        cells = " | ".join(str(outcomes[kind]) for kind in KINDS)
        print(f"| {name} | {cells} | {time.process_time() - start:.1f} |", flush=True)
        total += outcomes
    print(f"\n{', '.join(f'{total[kind]} {kind}' for kind in KINDS)}")
    for (name, why), times in refusals.most_common(60):
        print(f"{times:6} {name}: {why}")
    return 1 if total["wrong"] or total["foreign"] or total["slow"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
