"""Mutants of the package: small wrong edits that the tests must notice, and what runs them.

Each replaces a piece of text that occurs once in its file, in a copy of the package, and runs the tests named beside
it. A mutant that these tests pass has survived.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "tilewright"
SECONDS = 600  # an edit may well make a loop endless, which is noticed


@dataclass(frozen=True)
class Mutant:
    """`old` becomes `new` in `file` of a folder of the package; `tests` are paths in a folder of tests."""

    file: str
    old: str
    new: str
    tests: str

    def __str__(self) -> str:
        return f"{self.file}: {self.old!r} -> {self.new!r}"


def survives(mutant: Mutant, source: str, tests: str) -> bool:
    """Do its tests pass? A text that does not occur exactly once is an error in the list."""
    text = (SOURCE / source / mutant.file).read_text()
    if text.count(mutant.old) != 1:
        raise SystemExit(f"{mutant.file}: {mutant.old!r} occurs {text.count(mutant.old)} times")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(SOURCE, Path(folder) / "tilewright", ignore=shutil.ignore_patterns("__pycache__"))
        (Path(folder) / "tilewright" / source / mutant.file).write_text(text.replace(mutant.old, mutant.new))
        paths = [str(Path(tests, name)) for name in mutant.tests.split()]
        command = [sys.executable, "-m", "pytest", "-qx", "-p", "no:cacheprovider", *paths]
        environment = os.environ | {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        try:
            done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return False
        return done.returncode == 0


def run(mutants: Iterable[Mutant], words: list[str], source: str = "", tests: str = "tests") -> int:
    """Runs those whose file has one of the words, or all of them, and prints the score; 1 if one survives."""
    chosen = [mutant for mutant in mutants if not words or any(word in mutant.file for word in words)]
    left = 0
    for mutant in chosen:
        if survives(mutant, source, tests):
            print(f"survives: {mutant}", flush=True)
            left += 1
    print(f"{len(chosen) - left} of {len(chosen)} mutants are noticed")
    return 1 if left else 0
