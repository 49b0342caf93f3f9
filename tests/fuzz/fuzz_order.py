"""Races and barriers of N random kernels against an oracle of happens-before, in lockstep and two random orders each.

python tests/fuzz/fuzz_order.py 2000 [SEED]
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from order_check import judged
from order_programs import drawn


def main() -> None:
    """Judges each program, and says what there was."""
    number, start = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0
    seen, wrong, begin = Counter[str](), 0, time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(start, start + number):
            try:
                seen[judged(drawn(seed), Path(folder), (seed, seed + 1))] += 1
            except AssertionError as error:
                wrong += 1
                print(f"seed {seed}: {error}")
    print(dict(seen), f"wrong: {wrong}", f"{time.process_time() - begin:.0f} s CPU")
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
