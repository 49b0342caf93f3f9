"""Mutated `.mlir` files through `tilewright opt`, drawn modules of fly through print and parse, and long files.

    python tests/fuzz/fuzz_mlir.py 2000

Anything but text or a diagnostic is printed and fails the run; so does a file of at most 192 KiB over 1 s, a longer one
whose time grows faster than its length, and a module that changes where it is printed and read.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from dump_cases import mutants
from fly_modules import module

from tilewright.cli.opt import Request, processed
from tilewright.ir.reader import Source
from tilewright.ir.text import parse_module, print_module

SEED = 1
LIMIT = 1.0
FULL = 192 * 1024
FILES = sorted((Path(__file__).parents[1] / "mlir").rglob("*.mlir"))


def main(count: int) -> int:
    """Print what became of the texts; the number of those that went wrong."""
    wrong = [*_mutated(random.Random(SEED), count), *_drawn(count // 2), *_long()]
    print("\n".join(wrong))
    return len(wrong)


def _mutated(rng: random.Random, count: int) -> Iterator[str]:
    tally: Counter[str] = Counter()
    slowest = 0.0
    pieces = [piece for path in FILES for piece in path.read_text().split("// -----\n")]
    for number, text in enumerate(mutants(rng, count, pieces)):
        try:
            what, spent = _processed(text)
        except Exception as error:
            yield f"{number}: {type(error).__name__}: {error!s:.200}"
            continue
        tally[what] += 1
        slowest = max(slowest, spent)
        if spent > LIMIT:
            yield f"{number}: {spent:.2f} s for {len(text)} characters"
    print(f"{count} mutated files: {dict(tally)}; the slowest took {slowest * 1000:.0f} ms of CPU")


def _processed(text: str) -> tuple[str, float]:
    began = time.process_time()
    printed, told = processed(Source("mutated.mlir", text), Request())
    assert bool(printed) != bool(told), "either a text or diagnostics"
    [str(diagnostic) for diagnostic in told]
    return "diagnostics" if told else "text", time.process_time() - began


def _drawn(count: int) -> Iterator[str]:
    for seed in range(count):
        drawn = module(random.Random(seed), 12)
        text = print_module(drawn)
        if print_module(parse_module(text)) != text:
            yield f"module {seed} changes where it is read"
        if print_module(parse_module(print_module(drawn, generic=True))) != text:
            yield f"module {seed} changes in the generic form"
    print(f"{count} drawn modules printed and read")


def _long() -> Iterator[str]:
    drawn = print_module(module(random.Random(SEED), 40)).split("\n")
    function = "\n".join(drawn[1:-2])
    _processed(function)
    times = [_processed(_repeated(function, FULL * times))[1] for times in (1, 2, 4)]
    shown = ", ".join(f"{spent * 1000:.0f}" for spent in times)
    print(f"{FULL // 1024} KiB, twice and four times of it: {shown} ms of CPU")
    if times[0] > LIMIT:
        yield f"{FULL} bytes take {times[0]:.2f} s"
    if times[2] > 8 * times[0]:
        yield f"times grow faster than files: {times}"


def _repeated(function: str, size: int) -> str:
    copies = max(1, size // len(function))
    return "\n".join(function.replace("@drawn", f"@drawn{i}") for i in range(copies))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 2_000) != 0)
