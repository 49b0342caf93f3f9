"""Kernels with a planted fault, and kernels without: the first are refused at the line marked `# here`, the second run.

A file of the corpus marks its kernels with `@fault(Error)` or `@clean`; `cases(folder)` finds them all.
"""

from __future__ import annotations

import importlib.util
import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from machines import BOTH as BOTH
from machines import lowered, machine

from tilewright.errors import SimulationError
from tilewright.lang.primfunc import PrimFunc, prim_func
from tilewright.targets.launch import kernel_of, parameters_of
from tilewright.targets.simulator.limits import Limits
from tilewright.targets.simulator.simulate import simulate

MARK = "# here"
LIMITS = Limits(steps=100_000)
STAGES = ("tile", "final")


@dataclass(frozen=True)
class Case:
    """A kernel, the error that it is refused with (None: none), and on which machines."""

    function: Callable[..., Any]
    error: type[SimulationError] | None
    archs: Sequence[str]
    file: str
    line: int | None

    @property
    def name(self) -> str:
        """The kernel's."""
        return self.function.__name__

    @cached_property
    def kernel(self) -> PrimFunc:
        """Traced when a test asks for it, once in a process."""
        return prim_func(self.function)

    @property
    def arch(self) -> str:
        """The first of its machines."""
        return self.archs[0]

    def run(self, stage: str, arch: str = "", **options: Any) -> list[Any]:
        """The arrays after a run on that machine: numbers from 0 on before, zeros in those called F."""
        arch = arch or self.arch
        module = lowered(self.kernel, arch, stage)
        arrays = []
        for parameter in parameters_of(kernel_of(module)):
            numbers = np.arange(parameter.size or 1) % 50
            arrays.append((numbers * (parameter.name[0] != "F")).astype(parameter.element.numpy()))
        simulate(module, arrays, arch=machine(arch), limits=LIMITS, **options)
        return arrays


def fault(error: type[SimulationError], *archs: str) -> Callable[[Callable[..., Any]], Case]:
    """Marks a kernel that is refused with that error, at the line that says so."""

    def mark(function: Callable[..., Any]) -> Case:
        lines, first = inspect.getsourcelines(function)
        marked = [first + number for number, line in enumerate(lines) if line.rstrip().endswith(MARK)]
        (line,) = marked
        return Case(function, error, archs or ("sm_90",), inspect.getfile(function), line)

    return mark


def clean(function: Callable[..., Any]) -> Case:
    """Marks a kernel without fault."""
    return Case(function, None, ("sm_90",), inspect.getfile(function), None)


def clean_on(*archs: str) -> Callable[[Callable[..., Any]], Case]:
    """The same on other machines."""
    return lambda function: Case(function, None, archs, inspect.getfile(function), None)


@cache
def cases(folder: Path) -> tuple[Case, ...]:
    """All kernels of the files in a folder."""
    return tuple(case for file in sorted(folder.glob("*.py")) for case in _of(file))


def _of(file: Path) -> Iterator[Case]:
    spec = importlib.util.spec_from_file_location(f"corpus_{file.stem}", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return (value for value in vars(module).values() if isinstance(value, Case))
