"""Traced programs at length: random control flow against Python itself, and kernels made wrong.

    python tests/fuzz/fuzz_fx.py [N] [seed]     N programs and N mutants; exit status 1 if one is wrong

What is traced computes what Python does for every thread; what is wrong raises our error at a line of its source.
Of 1,000 mutants from seed 20000 on: 772 KernelError, 177 ran and were right at every stage, 23 UninitializedError,
14 RaceError, 8 OutOfBoundsError, 3 CompileError, 3 BarrierError, and 0 wrong; of seed 1000 on 0 wrong too.
On 2026-11-23, 1,000 programs and 1,000 mutants from seed 40000 on, 234 s of CPU: 0 wrong; 807 KernelError, 141 ran,
20 UninitializedError, 13 RaceError, 12 OutOfBoundsError, 4 BarrierError, 2 SimulationError, 1 CompileError.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from fx_mutants import verdict
from fx_programs import Program, traced_and_plain


def main(arguments: list[str]) -> int:
    count = int(arguments[0]) if arguments else 200
    first = int(arguments[1]) if len(arguments) > 1 else 0
    start, found, wrong = time.process_time(), Counter[str](), 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            traced, plain = traced_and_plain(Path(folder) / f"program{seed}.py", Program(seed).text, seed)
            if traced != plain:
                print(f"seed {seed}: the program gives something else than Python", file=sys.stderr)
                wrong += 1
            try:
                found[verdict(seed, Path(folder) / f"mutant{seed}.py")] += 1
            except Exception as error:
                print(f"seed {seed}: the mutant raises {type(error).__name__}: {error}", file=sys.stderr)
                wrong += 1
    shown = ", ".join(f"{n} {kind}" for kind, n in found.most_common())
    seconds = time.process_time() - start
    print(f"{count} programs and {count} mutants ({shown}): {wrong} wrong; {seconds:.0f} s of CPU")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
