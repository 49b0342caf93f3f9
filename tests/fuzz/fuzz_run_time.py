"""Every operation on run-time leaves, against the same operation on the values.

    python tests/fuzz/fuzz_run_time.py [N] [seed] [name ..]    N cases; exit status 1 if one is wrong, foreign or slow

A case is one call with run-time leaves and one substitution, 1 often among the values. Prints, operation by operation,
what became of the cases; then the refusals that have an answer at the values, by operation and reason, with how many
of 50 substitutions have one on the average. They are of five kinds:

* The cosize of a swizzled layout with run-time leaves (and its left inverse, which starts from it): the largest value
  of an XOR is no expression in the leaves.
* Results that are integers or coordinates, not layouts, and depend on a condition: a guard has nothing to stand beside.
  (`max_common_layout`, `max_common_vector` and `max_alignment` answer what all values allow instead.)
* Left inverses of strides that do not divide each other in order, which are found by enumeration only.
* Compositions whose steps carry within a mode of A: the digits of a walk do not tell, only enumeration does.
* Recasts to wider elements in which a run-time stride would have to be a small divisor of the factor.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from run_time_cases import CASES, World, answered, judged, reason
from strategies import Dice

from tilewright.errors import LayoutError
from tilewright.layout import operations
from tilewright.layout.symbolic.substitution import substitute

SLOW = 1.0
TRIES = 50
Refusals = dict[tuple[str, str], list[int]]
KINDS = ("same", "guard fails", "both refuse", "refused", "wrong", "foreign", "slow")


def run(name: str, seed: int, outcomes: Counter[str], refusals: Refusals) -> None:
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
        refusals.setdefault((name, reason(found)), []).append(answers(name, args, world, pick))


def answers(name: str, args: tuple[Any, ...], world: World, pick: Dice) -> int:
    """At how many of 50 substitutions there is an answer."""
    function = getattr(operations, name)
    operands = [substitute(args, world.values(pick)) for _ in range(TRIES)]
    return sum(not isinstance(answered(function, *each), LayoutError) for each in operands)


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 2000
    first = int(arguments[1]) if len(arguments) > 1 else 1
    names = arguments[2:] or list(CASES)
    total: Counter[str] = Counter()
    refusals: Refusals = {}
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
    for (name, why), counts in sorted(refusals.items(), key=lambda item: -len(item[1]))[:60]:
        print(f"{len(counts):6} {name}: {why} ({sum(counts) / len(counts):.0f} of {TRIES})")
    return 1 if total["wrong"] or total["foreign"] or total["slow"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
