"""Runs the mutants and prints the score.

    python -m mutations [WORDS] [--jobs N] [--report FILE]     those whose file has one of the words, or all of them

Exit status 1 if one survives that is not explained, or dies although it is. Each takes seconds.
"""

from __future__ import annotations

import argparse
import platform
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutations import (
    algebra,
    analyses,
    descriptors,
    dumps,
    emitter,
    fly,
    linear,
    ordering,
    passes,
    swizzled,
    symbolic,
    tiles,
    tmem,
    values,
    wgmma,
)
from mutations.mutant import ROOT, Mutant, survives

LAYOUTS = (algebra, swizzled, symbolic, linear, values, descriptors, tiles, analyses)
KERNELS = (dumps, fly, passes, emitter, ordering, wgmma, tmem)
LISTS = LAYOUTS + KERNELS
KILLED, SURVIVES, SAME, WRONG = "killed", "survives", "explained", "explained, but killed"


def main() -> int:
    """Judges the mutants asked for."""
    options = argparse.ArgumentParser(prog="python -m mutations")
    options.add_argument("words", nargs="*")
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--report", type=Path)
    given = options.parse_args()
    chosen = [m for part in LISTS for m in part.MUTANTS if not given.words or any(w in m.file for w in given.words)]
    for mutant in chosen:
        mutant.text()
    _require_passing(sorted({path for mutant in chosen for path in mutant.tests.split()}))
    with ThreadPoolExecutor(given.jobs) as pool:
        fates = list(pool.map(_judged, chosen))
    outcomes = list(zip(chosen, fates, strict=True))
    print(_table(outcomes))
    if given.report:
        given.report.write_text(_report(outcomes))
    return int(any(fate in (SURVIVES, WRONG) for fate in fates))


def _require_passing(tests: list[str]) -> None:
    """Tests that fail anyway would kill every mutant."""
    command = [sys.executable, "-m", "pytest", "-qx", *(str(Path("tests", test)) for test in tests)]
    if subprocess.run(command, cwd=ROOT, check=False, stdout=subprocess.DEVNULL).returncode:
        raise SystemExit("the tests fail without any mutant")


def _judged(mutant: Mutant) -> str:
    alive = survives(mutant)
    fate = (SAME if alive else WRONG) if mutant.why else SURVIVES if alive else KILLED
    if fate in (SURVIVES, WRONG):
        print(f"{fate}: {mutant}", flush=True)
    return fate


def _table(outcomes: list[tuple[Mutant, str]]) -> str:
    counts = Counter((mutant.folder, fate) for mutant, fate in outcomes)
    folders = sorted({folder for folder, _ in counts})
    lines = ["| folder | mutants | killed | explained | survive |", "|---|---:|---:|---:|---:|"]
    for folder in folders:
        lines.append(_line(folder, {fate: counts[folder, fate] for fate in (KILLED, SAME, SURVIVES, WRONG)}))
    return "\n".join([*lines, _line("all", Counter(fate for _, fate in outcomes))])


def _line(name: str, counts: dict[str, int]) -> str:
    wrong = counts.get(WRONG, 0)
    cells = (sum(counts.values()), counts.get(KILLED, 0) + wrong, counts.get(SAME, 0), counts.get(SURVIVES, 0))
    return f"| {name} | {' | '.join(map(str, cells))} |"


def _report(outcomes: list[tuple[Mutant, str]]) -> str:
    why = [f"* `{m.file}`: `{m.old}` to `{m.new}`: {m.why}" for m, fate in outcomes if fate == SAME]
    left = [f"* `{m}`" for m, fate in outcomes if fate == SURVIVES]
    parts = [
        "# Mutants",
        f"`make mutants`, Python {platform.python_version()}. An edit of the package is killed when the tests of its "
        "area fail; one that changes no answer is explained in the list, and must survive.",
        _table(outcomes),
    ]
    parts += ["## Explained", "\n".join(why)] if why else []
    parts += ["## Survive", "\n".join(left)] if left else []
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main())
