"""A mutant, and what its tests make of it."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "src" / "tilewright"
SECONDS = 60  # of CPU: an edit may well make a loop endless, which is noticed;
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

    def lines(self) -> tuple[int, int]:
        """The first and the last line of the file that it edits."""
        text = (SOURCE / self.file).read_text()
        same = _alike(self.old, self.new)
        tail = _alike(self.old[same:][::-1], self.new[same:][::-1])
        start = text.index(self.old)
        end = max(start + len(self.old) - tail - 1, start + same)
        return text.count("\n", 0, start + same) + 1, text.count("\n", 0, end) + 1

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


def _alike(one: str, other: str) -> int:
    """How many characters both begin with."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def mutants_of(file: str, tests: str, *edits: tuple[str, str] | tuple[str, str, str]) -> tuple[Mutant, ...]:
    """The mutants of one file: (old, new), or (old, new, why it is no mutant)."""
    return tuple(Mutant(file, tests, *edit) for edit in edits)


def without(mutant: Mutant, tests: list[str]) -> tuple[bool, str]:
    """Do the tests pass in an interpreter of their own that finds the package with the edit? And what it printed.

    Hypothesis draws the same cases every time.
    """
    with tempfile.TemporaryDirectory() as folder:
        _overlay(SOURCE, Path(folder) / "tilewright", Path(mutant.file).parts, mutant.text())
        command = [sys.executable, "-m", "pytest", "-qxrfE", "--tb=no", *tests]
        environment = os.environ | {"PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1", "CI": "1"}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, preexec_fn=limit
        )
        return done.returncode == 0, done.stdout


def _overlay(source: Path, target: Path, parts: tuple[str, ...], text: str) -> None:
    """The folder anew, of links but for the file under `parts`."""
    target.mkdir()
    for child in source.iterdir():
        if child.name != parts[0]:
            (target / child.name).symlink_to(child)
    if parts[1:]:
        _overlay(source / parts[0], target / parts[0], parts[1:], text)
    else:
        (target / parts[0]).write_text(text)


def limit() -> None:
    """Bounds this process."""
    used = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (used + SECONDS, used + SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
