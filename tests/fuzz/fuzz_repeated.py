"""Every construct repeated until 95 and 190 KiB, through `opt` with and without passes; dumps through `banks`.

    python tests/fuzz/fuzz_repeated.py [WORD ..]

With words, the constructs whose names hold one of them. Anything but text, findings or a diagnostic is printed and
fails the run; so does a text over 1 s of CPU, and one whose time grows more than threefold where it doubles. Each is
measured in a process of its own, in which nothing is remembered of others, by CPU seconds of a machine on which ten
million additions in a loop of a function take 0.135 s.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
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
LEAVES = (4032, 1000, 500, 320, 240, 160, 60)  # of a type, of which the first is taken that is not refused
ADDITIONS, TAKE = 10**6, 0.0135
TRIES = 2
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
                half, spent = (_spent(run, _text(construct, size)) for size in (FULL // 2, FULL))
                if isinstance(half, str) or isinstance(spent, str):
                    wrong.append(f"{name}, {what}: {half}, {spent}")
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
    """The construct of that size; of fly, as many leaves as an op takes, or half of them, where the size has more."""
    if construct not in FLY.values() or _is_long(construct):
        return grown(construct, size)
    texts = ((count, construct(count)) for count in LEAVES)
    fitting = (count for count, text in texts if len(text) <= FULL and _is_taken(text))
    return construct(next(fitting, LEAVES[-1]) * size // FULL)


def _is_long(construct: Construct) -> bool:
    """Is it one op after the other?"""
    return construct(64).count("\n") > 32


def _is_taken(text: str) -> bool:
    return not processed(Source("a.mlir", text), Request())[1]


def _opt(pipeline: str) -> Run:
    request = Request(flags=frozenset({"allow-unregistered-dialect"}), passes=pipeline_of(pipeline))
    processed(Source("first.mlir", "func.func @f() { func.return }"), request)
    return lambda text: processed(Source("repeated.mlir", text), request)


def _banks(text: str) -> object:
    try:
        return listing(analysed(text, None, "repeated.ttgir"))
    except TilewrightError as error:
        return str(error)


def _spent(run: Run, text: str) -> float | str:
    """CPU seconds, the least of some tries; or what went wrong."""
    found = [_apart(run, text) for _ in range(TRIES)]
    return next((one for one in found if isinstance(one, str)), None) or min(
        one for one in found if isinstance(one, float)
    )


def _apart(run: Run, text: str) -> float | str:
    context = get_context("fork")
    here, there = context.Pipe(duplex=False)
    child = context.Process(target=_told, args=(run, text, there))
    child.start()
    there.close()
    try:
        found: float | str = here.recv()
    except EOFError:
        found = "the process ended"
    child.join()
    return found


def _told(run: Run, text: str, there: Connection) -> None:
    try:
        with uncollected():
            slow, spent, again = _speed(), _seconds(lambda: run(text)), _speed()
        there.send(spent * TAKE / min(slow, again))
    except Exception as error:
        there.send(f"{type(error).__name__}: {error!s:.200}")


def _speed() -> float:
    return _seconds(_additions)


def _additions() -> None:
    total = 0
    for i in range(ADDITIONS):
        total += i


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) != 0)
