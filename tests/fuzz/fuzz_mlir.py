"""Mutated `.mlir` files through `tilewright opt`, drawn modules of fly through print and parse, and long files.

    python tests/fuzz/fuzz_mlir.py 2000 [SEED]

A mutated file that is still a module goes through each of the pipelines too, and so do the long ones.

Anything but text or a diagnostic is printed and fails the run; so does a file of at most 192 KiB over 1 s, a longer one
whose time grows faster than its length, and a module that changes where it is printed and read.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from dump_cases import mutants
from fly_modules import module

from tilewright.cli.opt import Request, processed
from tilewright.ir.reader import Source
from tilewright.ir.text import parse_module, print_module
from tilewright.passes.registry import pipeline_of

SEED = 1
LIMIT = 1.0
FULL = 192 * 1024
LOWERING = (
    "fly-rewrite-func-signature,fly-canonicalize,fly-layout-lowering,fly-convert-atom-call-to-ssa-form,"
    "fly-promote-regmem-to-vectorssa,fly-int-swizzle-simplify,simplify,cse,dce,symbol-dce"
)
PIPELINES = (
    "fly-canonicalize",
    "fly-layout-lowering",
    "fly-expand-work,fly-convert-atom-call-to-ssa-form,fly-promote-regmem-to-vectorssa",
    "unroll{all=true factor=2},simplify,cse,dce",
    LOWERING,
    "resolve-lanes,dispatch,lower-buffers,unroll,simplify,cse,dce",
)
FILES = sorted((Path(__file__).parents[1] / "mlir").rglob("*.mlir"))


def main(count: int, seed: int = SEED) -> int:
    """Print what became of the texts; the number of those that went wrong."""
    wrong = [*_mutated(random.Random(seed), count), *_drawn(count // 2), *_long()]
    print("\n".join(wrong))
    return len(wrong)


def _mutated(rng: random.Random, count: int) -> Iterator[str]:
    tally: Counter[tuple[str, str]] = Counter()
    slowest: dict[str, float] = dict.fromkeys(("", *PIPELINES), 0.0)
    pieces = [piece for path in FILES for piece in path.read_text().split("// -----\n")]
    # Half of them changed at one place, as passes see only what is still a module.
    texts = chain(mutants(rng, count // 2, pieces), mutants(rng, count - count // 2, pieces, most=1))
    for number, text in enumerate(texts):
        for pipeline in ("", *PIPELINES):
            try:
                what, spent = _processed(text, pipeline)
            except Exception as error:
                yield f"{number} {pipeline}: {type(error).__name__}: {error!s:.200}"
                continue
            tally[pipeline, what] += 1
            slowest[pipeline] = max(slowest[pipeline], spent)
            if spent > LIMIT:
                yield f"{number} {pipeline}: {spent:.2f} s for {len(text)} characters"
            if not pipeline and what == "diagnostics":
                break
    for pipeline, most in slowest.items():
        fates = ", ".join(f"{tally[pipeline, what]} {what}" for what in ("text", "diagnostics"))
        print(f"{pipeline or 'read, verified, printed'}: {fates}; the slowest took {most * 1000:.0f} ms of CPU")


def _processed(text: str, pipeline: str = "") -> tuple[str, float]:
    began = time.process_time()
    request = Request(flags=frozenset({"verify-each"}), passes=pipeline_of(pipeline))
    printed, told = processed(Source("mutated.mlir", text), request)
    refused = any(diagnostic.kind == "error" for diagnostic in told)
    assert bool(printed) != refused, "either a text or an error"
    [str(diagnostic) for diagnostic in told]
    return "diagnostics" if refused else "text", time.process_time() - began


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
    for pipeline in ("", *PIPELINES):
        _processed(function, pipeline)
        times = [_processed(_repeated(function, FULL * times), pipeline)[1] for times in (1, 2, 4)]
        shown = ", ".join(f"{spent * 1000:.0f}" for spent in times)
        print(f"{FULL // 1024} KiB, twice and four times of it, {pipeline or 'no pass'}: {shown} ms of CPU")
        if times[0] > LIMIT:
            yield f"{FULL} bytes take {times[0]:.2f} s: {pipeline}"
        if times[2] > 8 * times[0]:
            yield f"times grow faster than files: {times}: {pipeline}"


def _repeated(function: str, size: int) -> str:
    copies = max(1, size // len(function))
    return "\n".join(function.replace("@drawn", f"@drawn{i}") for i in range(copies))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:3] or ("2000",))) != 0)
