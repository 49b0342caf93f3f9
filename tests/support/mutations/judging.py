"""Judges mutants: a plugin of pytest that collects tests once and runs those of each mutant in a process of its own.

A mutant's tests are the one that killed it last time (`killers.json`) and those that run its lines (`covering`), quickest
first, and end with the first that fails. They run where the tests are collected already (`grafted`); who survives that,
or cannot be had so, is asked in a fresh interpreter.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

from mutations.covering import tests_of
from mutations.grafted import Living, graft, living
from mutations.mutant import Mutant, limit, without

KILLERS = Path(__file__).with_name("killers.json")
ENOUGH = 5.0  # seconds of the tests of a mutant, as they were measured


@dataclass(frozen=True)
class Fate:
    """What became of a mutant: the test that failed, whether its tests were run afresh, and seconds of CPU."""

    alive: bool
    killer: str
    fresh: bool
    seconds: float


def named(mutant: Mutant, every: Sequence[str]) -> list[str]:
    """The tests of a mutant: that which killed it, those that it names, then those of the table that run its lines."""
    paths, known, seconds = [f"tests/{path}" for path in mutant.tests.split()], set(every), 0.0
    found = [*({killers().get(str(mutant), "")} & known), *(test for p in paths for test in every if _is_of(test, p))]
    for test, took in tests_of(mutant).items():
        seconds += took
        if test in known and (seconds < ENOUGH or not found):
            found.append(test)
    return list(dict.fromkeys(found))


def _is_of(test: str, path: str) -> bool:
    return test == path or test.startswith((f"{path}::", f"{path}[", f"{path}/"))


@cache
def killers() -> dict[str, str]:
    """By mutant the test that killed it last."""
    found: dict[str, str] = json.loads(KILLERS.read_text())
    return found


def learn(mutants: Sequence[Mutant], fates: Sequence[Fate]) -> None:
    """Notes who killed whom."""
    found = killers() | {str(m): fate.killer for m, fate in zip(mutants, fates, strict=True) if fate.killer}
    KILLERS.write_text(json.dumps(dict(sorted(found.items())), indent=0, ensure_ascii=False) + "\n")


class Judge:
    """Takes the place of the loop over the tests."""

    def __init__(self, mutants: Sequence[Mutant], jobs: int, folder: Path) -> None:
        self.mutants, self.jobs, self.folder = mutants, jobs, folder
        self.fates: list[Fate] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judges all, `jobs` at a time; then the tests that killed have to pass without any edit."""
        items = {item.nodeid: item for item in session.items}
        functions = living()
        tests = [named(mutant, list(items)) for mutant in self.mutants]
        running: set[int] = set()
        for number in range(len(self.mutants)):
            if len(running) == self.jobs:
                running.remove(os.wait()[0])
            running.add(self._start(number, [items[test] for test in tests[number]], functions))
        for _ in running:
            os.wait()
        self.fates = [Fate(**json.loads(self._path(n).read_text())) for n in range(len(self.mutants))]
        killers = {fate.killer for fate in self.fates} & set(items)
        if killers and _fails([items[test] for test in sorted(killers)], self.folder / "none", 20 * len(killers)):
            raise pytest.UsageError(f"fails without any mutant: {(self.folder / 'none').read_text()}")
        return True

    def _path(self, number: int) -> Path:
        return self.folder / str(number)

    def _start(self, number: int, items: list[pytest.Item], functions: Living) -> int:
        child = os.fork()
        if child:
            return child
        try:
            fate = _judged(self.mutants[number], items, functions, self.folder / f"{number}.killer")
            self._path(number).write_text(json.dumps(asdict(fate)))
            print(
                f"{fate.seconds:6.1f} s {'ALIVE ' if fate.alive else 'killed'} {self.mutants[number]} {fate.killer}",
                flush=True,
            )
        finally:
            os._exit(0)


def _judged(mutant: Mutant, items: list[pytest.Item], functions: Living, note: Path) -> Fate:
    note.write_text("")
    if not items:
        return Fate(True, "", False, 0.0)  # no test runs its lines
    child = os.fork()
    if not child:
        _silent()
        try:
            limit()
            os._exit(_run(items, note) if graft(mutant, functions) else 2)
        finally:
            os._exit(1)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if ended == 0 and os.environ.get("MUTANTS_QUICK"):
        return Fate(True, "", False, _spent())
    if ended not in (0, 2):
        return Fate(False, note.read_text(), False, _spent())
    tests = [item.nodeid for item in items]
    alive, printed = without(mutant, tests)
    killer = next((test for test in tests if not alive and f" {test}\n" in printed.replace(" - ", "\n")), "")
    return Fate(alive, killer, True, _spent())


def _spent() -> float:
    """Seconds of CPU of all that this process has started and seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(used.ru_utime + used.ru_stime, 2)


def _silent() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _run(items: list[pytest.Item], note: Path) -> int:
    """0 if all pass; the first that does not is noted before it runs."""
    for item, after in zip(items, [*items[1:], None], strict=True):
        note.write_text(item.nodeid)
        if any(report.failed for report in runtestprotocol(item, log=False, nextitem=after)):
            return 1
    return 0


def _fails(items: list[pytest.Item], note: Path, seconds: int) -> bool:
    child = os.fork()
    if not child:
        _silent()
        try:
            os._exit(_run(items, note))
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0


def judged(mutants: Sequence[Mutant], jobs: int, folder: Path) -> list[Fate]:
    """What becomes of the mutants."""
    os.environ["CI"] = "1"
    known = killers()
    paths = sorted({test.partition("::")[0] for m in mutants for test in (*tests_of(m), known.get(str(m), "")) if test})
    paths += sorted({f"tests/{path.partition('::')[0]}" for mutant in mutants for path in mutant.tests.split()})
    judge = Judge(mutants, jobs, folder)
    done = pytest.main(["-q", "-s", "--tb=short", *dict.fromkeys(paths)], plugins=[judge])
    if done or len(judge.fates) != len(mutants):
        sys.exit("the mutants could not be judged")
    return judge.fates
