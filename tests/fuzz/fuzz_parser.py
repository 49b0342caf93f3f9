"""Law 80 for the parsers at length: N random and mutated texts, each into one of the parsers.

    python tests/fuzz/fuzz_parser.py 1000000 > benchmarks/results/fuzz-notation.md

Anything but an object, a NotationError or a LayoutError is printed and fails the run; so does a text over 1 s.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from parser_fuzz import GOOD, PARSERS, outcome, strings

SEED = 1
LIMIT = 1.0


def main(count: int) -> int:
    """Print the table; the number of texts that went wrong."""
    rng = random.Random(SEED)
    tally: Counter[tuple[str, str]] = Counter()
    wrong: list[str] = []
    slowest, began = 0.0, time.process_time()
    for words in strings(rng, count):
        parser = rng.choice(PARSERS)
        what, seconds = outcome(words, parser)
        tally[parser.__name__, what if what in GOOD else "wrong"] += 1
        slowest = max(slowest, seconds)
        if what not in GOOD or seconds > LIMIT:
            wrong.append(f"{parser.__name__}({words!r}): {what}, {seconds:.2f} s")
    print(f"# Parsers under random and mutated texts\n\nLaw 80, {count:,} texts, seed {SEED}.\n")
    print(f"| parser | {' | '.join(GOOD)} | wrong |\n|---|---:|---:|---:|---:|")
    for name in sorted({parser.__name__ for parser in PARSERS}):
        print(f"| `{name}` | {' | '.join(f'{tally[name, what]:,}' for what in (*GOOD, 'wrong'))} |")
    spent = time.process_time() - began
    print(f"\n{len(wrong)} wrong; the slowest text took {slowest * 1000:.0f} ms of CPU, all of them {spent:.0f} s.")
    print("An object that was read is converted to every view, printed, and read again; it must print the same.")
    print("\n".join(wrong))
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000) != 0)
