"""The laws of the layout algebra at scale, and how often composition refuses what exists.

    python tests/fuzz/fuzz_algebra.py [N] [seed]     N cases a law; exit status 1 if one is wrong

Prints, law by law: cases, those that held, refusals, undecided ones, wrong ones, seconds of CPU.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import oracle
import strategies as draw
from layout_laws import LAWS, Law
from strategies import Dice

from tilewright import LayoutError, composition

SLOW = 1.0


def run(name: str, check: Law, count: int, seed: int) -> Counter[str]:
    """Outcomes of one law on cases of their own."""
    outcomes: Counter[str] = Counter()
    for i in range(count):
        pick = Dice(hash((seed, i)) & 0xFFFFFFFF)
        start = time.process_time()
        outcomes[outcome(name, check, pick, i)] += 1
        outcomes["slow"] += time.process_time() - start > SLOW
    return outcomes


def outcome(name: str, check: Law, pick: Dice, case: int) -> str:
    """held, refused, undecided or wrong; a wrong case is told."""
    try:
        check(pick)
    except LayoutError as refusal:
        return "undecided" if "undecided" in str(refusal) else "refused"
    except Exception as error:
        print(f"WRONG {name} case {case}: {type(error).__name__} {str(error)[:300]}", file=sys.stderr)
        return "wrong"
    return "held"


def over_rejection(count: int, seed: int) -> Counter[str]:
    """Composition on random pairs against the complete decision by enumeration."""
    outcomes: Counter[str] = Counter()
    for i in range(count):
        pick = Dice(hash((seed, -1, i)) & 0xFFFFFFFF)
        a = draw.layout(pick)
        b = draw.inside(pick, a) if pick.integer(0, 1) else draw.layout(pick)
        exists = oracle.composable(a, b)
        try:
            found = composition(a, b)
        except LayoutError as refusal:
            outcomes["undecided" if "undecided" in str(refusal) else "refused wrongly" if exists else "refused"] += 1
        else:
            outcomes["accepted" if oracle.table(found) == oracle.composed_table(a, b) else "wrong value"] += 1
    return outcomes


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 2000
    seed = int(arguments[1]) if len(arguments) > 1 else 1
    total: Counter[str] = Counter()
    print("| law | cases | held | refused | undecided | wrong | over 1 s | CPU s |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for name, check in LAWS.items():
        start = time.process_time()
        found = run(name, check, count, seed)
        seconds = time.process_time() - start
        cells = [count, *(found[key] for key in ("held", "refused", "undecided", "wrong", "slow"))]
        print(f"| {name} | {' | '.join(map(str, cells))} | {seconds:.1f} |", flush=True)
        total += found
    sums = ", ".join(f"{total[key]} {key}" for key in ("held", "refused", "undecided", "wrong", "slow"))
    print(f"\n{count * len(LAWS)} cases: {sums}")
    pairs = over_rejection(min(100_000, 50 * count), seed)
    print("composition of random pairs:", ", ".join(f"{key} {n}" for key, n in sorted(pairs.items())))
    return 1 if total["wrong"] or pairs["wrong value"] or pairs["refused wrongly"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
