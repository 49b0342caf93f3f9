"""Mutated dumps of Triton and of FlyDSL: N of each through the reader and the analysis, the latter through opt's too.

    python tests/fuzz/fuzz_ttgir.py 2000

Anything but findings or one of our errors is printed and fails the run; so does a text over 1 s.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from dump_cases import fly_dumps, mutants

from tilewright.cli.banks_ir import analysed
from tilewright.errors import TilewrightError
from tilewright.ir.diagnostics import DiagnosticError
from tilewright.ir.reader import Source, problems, read

SEED = 1
LIMIT = 1.0


def main(count: int) -> int:
    """Print what became of the texts; the number of those that went wrong."""
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    slowest = 0.0
    rng = random.Random(SEED)
    for number, text in enumerate(chain(mutants(rng, count), mutants(rng, count, fly_dumps().values()))):
        began = time.process_time()
        try:
            analysed(text, None, "mutant")
            if number >= count:
                problems(read(Source("mutant", text)))
            what = "findings"
        except DiagnosticError:
            what = "diagnostics"
        except TilewrightError as error:
            what = type(error).__name__
            str(error)
        except Exception as error:
            what = "wrong"
            wrong.append(f"{number}: {type(error).__name__}: {error!s:.200}")
        took = time.process_time() - began
        slowest = max(slowest, took)
        if took > LIMIT:
            wrong.append(f"{number}: {took:.2f} s for {len(text)} characters")
        tally[what] += 1
    spent = f"the slowest took {slowest * 1000:.0f} ms of CPU"
    print(f"{2 * count} mutated dumps: {dict(tally)}; {spent}; {len(wrong)} wrong")
    print("\n".join(wrong))
    return len(wrong)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000) != 0)
