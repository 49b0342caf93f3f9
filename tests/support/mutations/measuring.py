"""Which tests run which lines of the package, and how long they take: a plugin of pytest.

python -m pytest -p mutations.measuring --lines FILE [--every N] [PATHS]     `covering` makes the table of such files
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from time import process_time
from types import CodeType, FrameType
from typing import Protocol

import pytest

from mutations.mutant import SOURCE

MOST = 48  # tests kept of a line
IDLE = 64  # calls of a function that showed no new line, after which a test's further ones are not watched


class Tracer(Protocol):
    """What `sys.settrace` takes."""

    def __call__(self, frame: FrameType, event: str, arg: object) -> Tracer | None: ...


class Lines:
    """The lines of the package that run while a test does."""

    def __init__(self) -> None:
        self.seen: dict[CodeType, set[int]] = {}
        self.idle: Counter[int] = Counter()
        self.ours: dict[int, CodeType | None] = {}  # by the code's id, which keeps it

    def called(self, frame: FrameType, event: str, arg: object) -> Tracer | None:
        """Watches a call of the package's code that may show lines that this test has not yet run."""
        key = id(frame.f_code)
        if key not in self.ours:
            self.ours[key] = frame.f_code if frame.f_code.co_filename.startswith(str(SOURCE)) else None
            _KEPT.append(frame.f_code)
        code = self.ours[key]
        if code is None or self.idle[key] > IDLE:
            return None
        self.idle[key] += 1
        lines = self.seen.setdefault(code, set())

        def stepped(frame: FrameType, event: str, arg: object) -> Tracer:
            if event == "line" and frame.f_lineno not in lines:
                lines.add(frame.f_lineno)
                self.idle[key] = 0
            return stepped

        return stepped

    def of_test(self) -> dict[str, set[int]]:
        """By file what ran since the last question."""
        found: dict[str, set[int]] = defaultdict(set)
        for code, lines in self.seen.items():
            found[str(Path(code.co_filename).relative_to(SOURCE))] |= lines
        self.seen, self.idle = {}, Counter()
        return found


_KEPT: list[CodeType] = []  # or another might get its id


class Measured:
    """By line some of the tests that run it."""

    def __init__(self, out: Path) -> None:
        self.out, self.lines = out, Lines()
        self.seconds: dict[str, float] = {}
        self.breadth: dict[str, float] = {}  # how many lines each runs
        self.tests: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Watches a test from its fixtures to its end."""
        start, before = process_time(), sys.gettrace()
        sys.settrace(self.lines.called)
        try:
            return (yield)
        finally:
            sys.settrace(before)
            self.seconds[item.nodeid] = round(process_time() - start, 3)
            self._keep(item.nodeid)

    def _keep(self, test: str) -> None:
        found = self.lines.of_test()
        self.breadth[test] = sum(map(len, found.values()))
        for file, lines in found.items():
            for line in lines:
                kept = self.tests[file][line]
                kept.append(test)
                if len(kept) > 4 * MOST:
                    kept[:] = chosen(kept, self.seconds, self.breadth, MOST)

    def pytest_sessionfinish(self) -> None:
        """Writes it down."""
        tests = {
            file: {line: chosen(kept, self.seconds, self.breadth, MOST) for line, kept in lines.items()}
            for file, lines in self.tests.items()
        }
        self.out.write_text(json.dumps({"seconds": self.seconds, "breadth": self.breadth, "tests": tests}))


def various(tests: Iterable[str], cost: Mapping[str, float], most: int) -> list[str]:
    """Of tests some: that of each function which costs least, then the second of each.

    >>> various(["a[1]", "a[2]", "b"], {"a[1]": 1, "a[2]": 2, "b": 3}, 2)
    ['a[1]', 'b']
    """
    rank: Counter[str] = Counter()
    turns: list[tuple[int, float, str]] = []
    for test in sorted(tests, key=lambda test: (cost[test], test)):
        function = test.partition("[")[0]
        turns.append((rank[function], cost[test], test))
        rank[function] += 1
    return [test for _, _, test in sorted(turns)[:most]]


def chosen(tests: Iterable[str], seconds: Mapping[str, float], breadth: Mapping[str, float], most: int) -> list[str]:
    """Of tests some: those that run the fewest lines, which are the laws of these, and quick ones."""
    every = set(tests)
    narrow = various(every, breadth, most // 4)
    return [*narrow, *various(every - set(narrow), seconds, most - len(narrow))]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds --lines; --every N takes one of N tests."""
    parser.addoption("--lines", type=Path, required=True)
    parser.addoption("--every", type=int, default=1)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves the others out."""
    items[:] = items[:: config.getoption("--every")]


def pytest_configure(config: pytest.Config) -> None:
    """Watches the tests of this run."""
    config.pluginmanager.register(Measured(config.getoption("--lines")))
