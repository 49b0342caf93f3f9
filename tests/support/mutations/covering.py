"""The table of which tests run which lines of the package, quickest first; lines count from their function's.

python -m mutations.covering FILE...      makes `covering.json` anew of what `measuring` wrote
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TypedDict

from mutations.lists import COVERED
from mutations.measuring import chosen
from mutations.mutant import ROOT, SOURCE, Mutant

TABLE = Path(__file__).with_name("covering.json")
MOST = 20  # tests of a line
FEW = 3  # of these, for edits of other lines of the function
WHOLE = "whole file"  # the row of edits that no function holds
Costs = tuple[dict[str, float], dict[str, float]]  # of tests: seconds, and how many lines they run
Rows = list[tuple[int, int, list[int]]]  # lines from, to: numbers of tests


PATHS = ("tests/passes", "tests/variants", "tests/lang", "tests/targets")  # where kernels are compiled and run


class Measurement(TypedDict):
    """What `measuring` writes: of tests the seconds and how many lines they run, of lines some tests."""

    seconds: dict[str, float]
    breadth: dict[str, float]
    tests: dict[str, dict[str, list[str]]]


class Table(TypedDict):
    """As it lies in the file."""

    tests: list[str]
    seconds: list[float]
    files: dict[str, dict[str, Rows]]


@dataclass(frozen=True)
class Function:
    """A function of a module, or a method: its name, its lines."""

    name: str
    first: int
    last: int


def functions(tree: ast.Module | ast.ClassDef, prefix: str = "") -> Iterator[Function]:
    """The functions that no other holds."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from functions(node, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield Function(prefix + node.name, node.lineno, node.end_lineno or node.lineno)


def tests_of(mutant: Mutant) -> dict[str, float]:
    """The tests that run the lines which it edits, some that run other lines of the function, and the seconds of each.

    Quickest first. What a condition decides shows in tests that run the lines behind it.
    """
    table = _table()
    rows = table["files"].get(mutant.file, {})
    first, last = mutant.lines()
    around = [f for f in functions(ast.parse((SOURCE / mutant.file).read_text())) if f.first <= first <= f.last]
    numbers = _near(rows.get(around[0].name, []), first - around[0].first, last - around[0].first) if around else []
    numbers = numbers or [n for _, _, tests in rows.get(WHOLE, []) for n in tests]
    return {table["tests"][n]: table["seconds"][n] for n in sorted(set(numbers), key=lambda n: table["seconds"][n])}


def _near(rows: Rows, first: int, last: int) -> list[int]:
    """Those of the lines, else of the last line before; and a few of each other line."""
    inside = [n for start, end, tests in rows if start <= last and first <= end for n in tests]
    before = [tests for start, _, tests in rows if start <= first]
    return [*(inside or (before[-1] if before else [])), *(n for _, _, tests in rows for n in tests[:FEW])]


@cache
def _table() -> Table:
    found: Table = json.loads(TABLE.read_text())
    return found


def main() -> int:
    """Makes the table."""
    parts = [json.loads(Path(name).read_text()) for name in sys.argv[1:]] or [_measured()]
    seconds = {test: took for part in parts for test, took in part["seconds"].items()}
    breadth = {test: lines for part in parts for test, lines in part["breadth"].items()}
    files: dict[str, dict[int, list[str]]] = {}
    for part in parts:
        for file, lines in part["tests"].items():
            for line, tests in lines.items():
                files.setdefault(file, {}).setdefault(int(line), []).extend(tests)
    used: dict[str, int] = {}
    wanted = {mutant.file for part in COVERED for mutant in part.MUTANTS}
    made = {file: _rows(file, files[file], (seconds, breadth), used) for file in sorted(wanted & files.keys())}
    table: Table = {"tests": list(used), "seconds": [seconds[test] for test in used], "files": made}
    text = json.dumps(table, separators=(",", ":"), ensure_ascii=False)
    TABLE.write_text(text.replace('},"', '},\n"').replace('","', '",\n"') + "\n")
    return 0


def _measured() -> Measurement:
    """Runs the tests of kernels, watched; takes some minutes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "lines.json"
        command = [sys.executable, "-m", "pytest", "-q", "-p", "mutations.measuring", "--lines", str(out), *PATHS]
        environment = os.environ | {"PYTHONPATH": f"src{os.pathsep}tests/support", "CI": "1"}
        subprocess.run(command, cwd=ROOT, env=environment, check=True)
        found: Measurement = json.loads(out.read_text())
        return found


def _rows(file: str, lines: dict[int, list[str]], costs: Costs, used: dict[str, int]) -> dict[str, Rows]:
    found: dict[str, Rows] = {}
    for function in functions(ast.parse((SOURCE / file).read_text())):
        for line in range(function.first + 1, function.last + 1):
            if line not in lines:
                continue
            at = line - function.first
            numbers = [used.setdefault(test, len(used)) for test in chosen(lines[line], *costs, MOST)]
            rows = found.setdefault(function.name, [])
            if rows and rows[-1][2] == numbers:
                rows[-1] = (rows[-1][0], at, numbers)
            else:
                rows.append((at, at, numbers))
    every = sorted({test for tests in lines.values() for test in tests})
    found[WHOLE] = [(0, 0, [used.setdefault(t, len(used)) for t in chosen(every, *costs, MOST)])]
    return found


if __name__ == "__main__":
    sys.exit(main())
