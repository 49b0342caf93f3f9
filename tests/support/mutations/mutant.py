"""A mutant, and what its tests make of it."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src" / "tilewright"
SECONDS = 300  # of CPU: an edit may well make a loop endless, which is noticed;
MEMORY = 4 << 30  # and so is one that takes all memory


@dataclass(frozen=True)
class Mutant:
    """`old`, which occurs once in `file` of the package, becomes `new`; `tests` are paths in the folder of tests.

    `why` says of a mutant that cannot be noticed why it is the same program, or one as good.
    """

    file: str
    tests: str
    old: str
    new: str
    why: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.old!r} -> {self.new!r}"

    @property
    def folder(self) -> str:
        """The folder that it belongs to."""
        return str(Path(self.file).parent)

    def text(self) -> str:
        """The file with the edit.

        Raises:
            SystemExit: the list is wrong: the old text does not occur exactly once, or the new one is no Python.
        """
        text = (SOURCE / self.file).read_text()
        if text.count(self.old) != 1 or self.old == self.new:
            raise SystemExit(f"{self.file}: {self.old!r} occurs {text.count(self.old)} times")
        edited = text.replace(self.old, self.new)
        try:
            compile(edited, self.file, "exec")
        except SyntaxError as error:
            raise SystemExit(f"{self}: {error}") from None
        return edited


def mutants_of(file: str, tests: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    """The mutants of one file: (old, new), or (old, new, why it is no mutant)."""
    return tuple(Mutant(file, tests, *edit) for edit in edits)


def survives(mutant: Mutant) -> bool:
    """Do its tests pass, in a copy of the package with the edit? Hypothesis draws the same cases every time."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(SOURCE, Path(folder) / "tilewright", ignore=shutil.ignore_patterns("__pycache__"))
        (Path(folder) / "tilewright" / mutant.file).write_text(mutant.text())
        paths = [str(Path("tests", name)) for name in mutant.tests.split()]
        command = [sys.executable, "-m", "pytest", "-qx", *paths]
        environment = os.environ | {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1", "CI": "1"}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False, preexec_fn=_limit)
        return done.returncode == 0


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
