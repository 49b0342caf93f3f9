"""Wrong kernels, each with the error that it is to be, and right ones with what they compute.

A file of `tests/targets/simulator/asynchronous/` or `programs/` has lists FAULTY and CLEAN. A kernel is made by a
function that takes the name of a fault, "" for none; the comment `# here: NAME, NAME` stands on the line that the error
of each is to name.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeAlias, Unpack

import pytest
from machines import BOTH, lowered, machine

from tilewright.errors import BarrierError, RaceError, SimulationError, TilewrightError, UninitializedError
from tilewright.lang.primfunc import PrimFunc
from tilewright.targets.simulator.options import Switches
from tilewright.targets.simulator.simulate import simulate

FOLDER = Path(__file__).parents[1] / "targets" / "simulator" / "asynchronous"
PROGRAMS = FOLDER.parent / "programs"

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
    def lines(self) -> list[int]:
        """The lines that are marked for the fault; of several, in which threads meet, either is told."""
        return [line for line, names in _marked(self._made_by) if self.fault in names]

    def is_told(self, words: str) -> bool:
        """Is such a line named?"""
        return any(f".py:{line}:" in words for line in self.lines)


@dataclass(frozen=True)
class Clean:
    """A right kernel: after it has run, the arguments are as expected."""

    name: str
    kernel: Callable[[], PrimFunc]
    arguments: Arguments
    check: Callable[[list[Any]], None]
    archs: Sequence[str] = BOTH


@cache
def _marked(make: Make) -> list[tuple[int, list[str]]]:
    """The lines of a function, and the faults that they are marked for."""
    lines, first = inspect.getsourcelines(make)
    return [(first + i, names) for i, text in enumerate(lines) if (names := _marks(text))]


def _marks(text: str) -> list[str]:
    _, found, names = text.partition("# here: ")
    return [name.strip() for name in names.split(",")] if found else []


STAGES = ("tile", "final")


def kernels(files: Sequence[str] = ()) -> tuple[list[Faulty], list[Clean]]:
    """Those of the files with these names, or of all."""
    paths = [*sorted(FOLDER.glob("*.py")), *sorted(PROGRAMS.glob("*.py"))]
    found = [_of(path) for path in paths if not files or path.stem in files]
    return [case for faulty, _ in found for case in faulty], [case for _, clean in found for case in clean]


@cache
def _of(path: Path) -> tuple[Sequence[Faulty], Sequence[Clean]]:
    """Those of one file. Right kernels are traced once in a process."""
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.FAULTY, [replace(case, kernel=cache(case.kernel)) for case in module.CLEAN]


def check_found(case: Faulty) -> None:
    """On each of its machines the error is the one that it is to be, and names the line."""
    kernel = case.make(case.fault)
    for arch in case.archs:
        with pytest.raises(case.error, match=case.match or None) as found:
            simulate(lowered(kernel, arch), case.arguments(), arch=machine(arch))
        assert type(found.value) is case.error, arch
        assert case.lines, "the line is marked"
        assert case.is_told(str(found.value).split("\n  at ")[1]), f"{arch}: {found.value}"


def check_right(case: Clean, arch: str, stages: Sequence[str] = STAGES, **switches: Unpack[Switches]) -> None:
    """No alarm at any of the stages, and the right result."""
    kernel = case.kernel()
    for stage in stages:
        arguments = case.arguments()
        simulate(lowered(kernel, arch, stage), arguments, arch=machine(arch), **switches)
        case.check(arguments)


# What another order may find first: which of two lanes comes second is its choice, and what one finds there.
ORDERED = (RaceError, BarrierError, UninitializedError)


def check_found_in_order(case: Faulty, seed: int) -> None:
    """A fault is found under any order, too, and at its line where orders do not show."""
    module = lowered(case.make(case.fault), case.archs[0])
    with pytest.raises(SimulationError) as found:
        simulate(module, case.arguments(), arch=machine(case.archs[0]), schedule="random", seed=seed)
    same = type(found.value) is case.error and case.is_told(str(found.value))
    assert same or {case.error, type(found.value)} & {*ORDERED}, str(found.value)
