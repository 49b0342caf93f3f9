"""Wrong kernels, each with the error that it is to be, and right ones with what they compute.

A file of `tests/targets/simulator/asynchronous/` has lists FAULTY and CLEAN. A kernel is made by a function that takes
the name of a fault, "" for none; the comment `# here: NAME, NAME` stands on the line that the error of each is to name.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from tilewright.errors import TilewrightError
from tilewright.lang.primfunc import PrimFunc

FOLDER = Path(__file__).parents[1] / "targets" / "simulator" / "asynchronous"
BOTH = ("sm_90", "gfx942")  # warps of 32 and of 64 lanes

Make: TypeAlias = Callable[[str], PrimFunc]
Arguments: TypeAlias = Callable[[], list[Any]]


@dataclass(frozen=True)
class Faulty:
    """A wrong kernel: the error has this class, names the line, and says this (a regular expression)."""

    make: Make
    fault: str
    error: type[TilewrightError]
    arguments: Arguments
    match: str = ""
    archs: Sequence[str] = BOTH

    @property
    def name(self) -> str:
        """What tests call it."""
        return f"{self._made_by.__name__}: {self.fault}"

    @property
    def _made_by(self) -> Make:
        return self.make.func if isinstance(self.make, partial) else self.make

    @property
    def line(self) -> int:
        """The line that is marked for the fault; 0 where none is."""
        lines, first = inspect.getsourcelines(self._made_by)
        marked = [first + i for i, text in enumerate(lines) if self.fault in _marks(text)]
        return marked[0] if marked else 0


@dataclass(frozen=True)
class Clean:
    """A right kernel: after it has run, the arguments are as expected."""

    name: str
    kernel: Callable[[], PrimFunc]
    arguments: Arguments
    check: Callable[[list[Any]], None]
    archs: Sequence[str] = BOTH


def _marks(text: str) -> list[str]:
    _, found, names = text.partition("# here: ")
    return [name.strip() for name in names.split(",")] if found else []


def kernels() -> tuple[list[Faulty], list[Clean]]:
    """All of them."""
    faulty: list[Faulty] = []
    clean: list[Clean] = []
    for path in sorted(FOLDER.glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"asynchronous_{path.stem}", path)
        assert spec
        assert spec.loader
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        faulty += module.FAULTY
        clean += module.CLEAN
    return faulty, clean
