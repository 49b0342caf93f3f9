"""Every construct repeated until 95 and 190 KiB, through `opt` with and without passes; dumps through `banks`.

    python tests/fuzz/fuzz_repeated.py [WORD ..]

With words, the constructs whose names hold one of them. Anything but text, findings or a diagnostic is printed and
fails the run; so does a text over 1 s of CPU, and one whose time grows more than threefold where it doubles.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from repeated import Construct, functions_of_tests, grown
from repeated_fly import FLY
from repeated_mlir import MLIR
from repeated_ttgir import TTGIR

from tilewright.cli.banks_ir import analysed
from tilewright.cli.opt import processed
from tilewright.cli.opt_words import Request
from tilewright.cli.uncollected import uncollected
from tilewright.dumps.listing import listing
from tilewright.errors import TilewrightError
from tilewright.ir.reader import Source
from tilewright.passes.registry import pipeline_of

FULL = 190 * 1024
LIMIT = 1.0
SHORT = 0.3  # what takes less may grow as it likes
MOST_LEAVES = 4096
PIPELINES = ("", "fly-layout-lowering", "simplify,cse,dce")
SHOWN = 12

Run = Callable[[str], object]


def main(words: list[str]) -> int:
    """Print the slowest, and the number of constructs that went wrong."""
    taken: list[tuple[float, str]] = []
    wrong: list[str] = []
    opt = {pipeline or "no pass": _opt(pipeline) for pipeline in PIPELINES}
    for group, runs in (
        (MLIR, opt),
        (FLY, opt),
        (dict(functions_of_tests()), opt),
        (TTGIR, {"banks": _banks}),
    ):
        for name, construct in _asked(group, words):
            for what, run in runs.items():
                try:
                    half, spent = (_spent(run, _text(construct, size)) for size in (FULL // 2, FULL))
                except Exception as error:
                    wrong.append(f"{name}, {what}: {type(error).__name__}: {error!s:.200}")
                    continue
                taken.append((spent, f"{name}, {what}"))
                if spent > LIMIT or spent > max(SHORT, 3 * half):
                    wrong.append(f"{name}, {what}: {half:.2f} s, and {spent:.2f} s for twice the text")
    for spent, name in sorted(taken, reverse=True)[:SHOWN]:
        print(f"{spent:.2f} s of CPU: {name}")
    print("\n".join(wrong))
    print(f"{len(taken)} texts of {FULL // 1024} KiB, {len(wrong)} wrong")
    return len(wrong)


def _asked(group: Mapping[str, Construct], words: list[str]) -> Iterator[tuple[str, Construct]]:
    yield from ((name, one) for name, one in group.items() if not words or any(word in name for word in words))


def _text(construct: Construct, size: int) -> str:
    """The construct of that size; as many leaves of a type as one may have, or half of them, where it has more."""
    text = grown(construct, size)
    few = construct(MOST_LEAVES * size // FULL - 64)
    return few if len(few) < len(text) and construct in FLY.values() else text


def _opt(pipeline: str) -> Run:
    request = Request(flags=frozenset({"allow-unregistered-dialect"}), passes=pipeline_of(pipeline))
    processed(Source("first.mlir", "func.func @f() { func.return }"), request)
    return lambda text: processed(Source("repeated.mlir", text), request)


def _banks(text: str) -> object:
    try:
        with uncollected():
            return listing(analysed(text, None, "repeated.ttgir"))
    except TilewrightError as error:
        return str(error)


def _spent(run: Run, text: str) -> float:
    began = time.process_time()
    run(text)
    spent = time.process_time() - began
    gc.collect()
    return spent


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) != 0)
