"""Laws 56 to 58 at length: conversions between the CuTe, TIRx and F2 views on N random layouts each way.

    python tests/fuzz/fuzz_bridges.py 10000

Every case that changes a value, does not come back, or answers where no answer exists is printed and fails the run.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from bridge_cases import CHECKS


def main(count: int) -> int:
    """Print the table; the number of failing cases."""
    print(f"# Conversions between views\n\n{count:,} random layouts each way.\n")
    print("| way (law) | wrong | CPU s |\n|---|---:|---:|")
    failures = 0
    for name, check in CHECKS.items():
        began = time.process_time()
        wrong = [seed for seed in range(count) if not check(random.Random(seed))]
        failures += len(wrong)
        print(f"| {name} | {len(wrong)} {wrong[:5] or ''} | {time.process_time() - began:.0f} |", flush=True)
    return failures


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000) != 0)
