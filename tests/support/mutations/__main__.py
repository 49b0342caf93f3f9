"""Runs the mutants and prints the score.

    python -m mutations [WORDS] [--sample N] [--jobs N] [--report FILE] [--learn]     all, or of these files and lists

--sample N takes about N, the same every time: of each list its share. --learn notes which test killed each: it is asked first next time.
Exit status 1 if one survives that is not explained, or dies although it is. One that takes longer than `LONG` is told.
"""

from __future__ import annotations

import argparse
import platform
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

from mutations.judging import Fate, judged, learn
from mutations.lists import LISTS
from mutations.mutant import Mutant

LONG = 20  # seconds
KILLED, SAME, SURVIVES, WRONG = "killed", "explained", "SURVIVES", "explained, but killed"
SEED = 12  # of a sample
Outcome = tuple[Mutant, Fate]
Named = tuple[Mutant, str]  # with the name of its list


def main() -> int:
    """Judges the mutants asked for."""
    options = argparse.ArgumentParser(prog="python -m mutations")
    options.add_argument("words", nargs="*")
    options.add_argument("--sample", type=int)
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--report", type=Path)
    options.add_argument("--learn", action="store_true")
    given = options.parse_args()
    asked = [one for one in _named() if not given.words or any(_is_of(*one, word) for word in given.words)]
    chosen = [mutant for mutant, _ in (sampled(asked, given.sample) if given.sample else asked)]
    for mutant in chosen:
        mutant.text()
    with tempfile.TemporaryDirectory() as folder:
        fates = judged(chosen, given.jobs, Path(folder))
    outcomes = list(zip(chosen, fates, strict=True))
    if given.learn:
        learn(chosen, fates)
    odd = [f"{_verdict(outcome)}: {outcome[0]}" for outcome in outcomes if _verdict(outcome) in (SURVIVES, WRONG)]
    late = [f"took {fate.seconds:.0f} s: {mutant}" for mutant, fate in outcomes if fate.seconds > LONG]
    print("\n".join([_table(outcomes), *odd, *late]))
    if given.report:
        given.report.write_text(_report(outcomes, late))
    return int(bool(odd))


def _named() -> list[Named]:
    """All mutants, with the names of their lists."""
    return [(mutant, part.__name__.rpartition(".")[2]) for part in LISTS for mutant in part.MUTANTS]


def sampled(named: Sequence[Named], count: int) -> list[Named]:
    """About `count` of the mutants, drawn with `SEED`: of each list its share, at least one."""
    found: list[Named] = []
    for name in dict.fromkeys(name for _, name in named):
        own = [one for one in named if one[1] == name]
        share = min(len(own), max(1, round(count * len(own) / len(named))))
        found += Random(f"{SEED} {name}").sample(own, share)
    return found


def _is_of(mutant: Mutant, name: str, word: str) -> bool:
    """Is the word the name of its list, or if it is of none, part of its file?"""
    if word in {name for _, name in _named()}:
        return word == name
    return word in mutant.file


def _verdict(outcome: Outcome) -> str:
    mutant, fate = outcome
    if mutant.why:
        return SAME if fate.alive else WRONG
    return SURVIVES if fate.alive else KILLED


def _table(outcomes: list[Outcome]) -> str:
    folders = sorted({mutant.folder for mutant, _ in outcomes})
    lines = [
        "| folder | mutants | killed | explained | survive | seconds | longest |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    for folder in folders:
        lines.append(_line(folder, [outcome for outcome in outcomes if outcome[0].folder == folder]))
    return "\n".join([*lines, _line("all", outcomes)])


def _line(name: str, outcomes: Iterable[Outcome]) -> str:
    verdicts = [_verdict(outcome) for outcome in outcomes]
    seconds = [fate.seconds for _, fate in outcomes]
    alive = (verdicts.count(SAME), verdicts.count(SURVIVES))
    cells = (len(verdicts), len(verdicts) - sum(alive), *alive, f"{sum(seconds):.0f}", f"{max(seconds, default=0):.0f}")
    return f"| {name} | {' | '.join(map(str, cells))} |"


def _report(outcomes: list[Outcome], late: list[str]) -> str:
    why = [f"* `{m.file}`: `{m.old}` to `{m.new}`: {m.why}" for m, fate in outcomes if _verdict((m, fate)) == SAME]
    left = [f"* `{m}`" for m, fate in outcomes if _verdict((m, fate)) == SURVIVES]
    parts = [
        "# Mutants",
        f"`make mutants`, Python {platform.python_version()}. An edit of the package is killed when a test that runs "
        "its lines fails; one that changes no answer is explained in the list, and must survive.",
        _table(outcomes),
    ]
    parts += ["## Explained", "\n".join(why)] if why else []
    parts += ["## Survive", "\n".join(left)] if left else []
    parts += ["## Slow", "\n".join(f"* {line}" for line in late)] if late else []
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
