"""Slips in pasted texts at length: N texts with one or two slips, and N / 4 with another number.

    python tests/fuzz/fuzz_pasted.py 2000 >> benchmarks/results/fuzz-notation.md

A slip gives a caret of ours or a right parse: one that prints and reads back the same. A number that is another gives
the layout with that number, by its values. Anything else, and a text over 1 s, is printed and fails the run.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from pasted import agrees, rows
from pasted_slips import REFUSALS, follows, renumbered, slips, wrong

from tilewright.notation import parse

SEED = 1


def main(count: int) -> int:
    """Print the table; the number of texts that went wrong."""
    began = time.process_time()
    told = [row["text"] for row in rows() if not agrees(parse(row["text"]), row)]
    found = [(text, *wrong(text)) for text in slips(SEED, count)]
    other = [text for text, row in renumbered(SEED, count // 4) if not follows(text, row)]
    came = Counter(what for _, what, _ in found)
    bad = [*told, *(f"{text}: {why}" for text, _, why in found if why), *other]
    print(f"\n## Pasted texts\n\n{len(rows())} texts, {count:,} slips, {count // 4:,} other numbers, seed {SEED}.\n")
    print("| texts | as their statements say | refused with a caret | wrong |\n|---|---:|---:|---:|")
    sources = ", ".join(sorted({row["from"] for row in rows()}))
    print(f"| pasted, of {sources} | {len(rows()) - len(told)} | 0 | {len(told)} |")
    refused = sum(came[what] for what in REFUSALS)
    print(
        f"| with slips | {came['read']:,} (read back the same) | {refused:,} | {sum(bool(why) for *_, why in found)} |"
    )
    print(f"| with another number | {count // 4 - len(other):,} | 0 | {len(other)} |")
    print(f"\n{len(bad)} wrong; {time.process_time() - began:.0f} s of CPU.", *bad, sep="\n")
    return len(bad)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000) != 0)
