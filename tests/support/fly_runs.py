"""`fly` kernels run on the simulator as they are written, and again after each pass of FlyDSL's pipeline."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects import gpu
from xdsl.dialects.func import FuncOp

from tilewright.errors import CompileError, SimulationError
from tilewright.ir.dialects import context
from tilewright.ir.fly.memories import pointer_of
from tilewright.ir.reader import Source, problems, read
from tilewright.passes.fly.carriers import carriers
from tilewright.passes.registry import pass_of
from tilewright.targets.simulator.fly.kernel import FLY_HANDLERS, Given, launched
from tilewright.targets.simulator.report import SimulationReport
from tilewright.targets.simulator.simulate import Simulator

PIPELINE = (
    "fly-rewrite-func-signature",
    "fly-canonicalize",
    "fly-expand-work",
    "fly-layout-lowering",
    "fly-int-swizzle-simplify",
    "fly-convert-atom-call-to-ssa-form",
    "fly-promote-regmem-to-vectorssa",
)
FILE = "kernel.mlir"
_LINE = re.compile(rf"at {FILE}:([0-9]+):")


@dataclass(frozen=True)
class Memory:
    """What a pointer or view is given: an array, and the integers of the run-time leaves of its layout."""

    array: Any
    leaves: tuple[int, ...] = ()


@dataclass(frozen=True)
class Launch:
    """A kernel's text with what it is launched with; arguments are `Memory`, or numbers."""

    text: str
    arguments: tuple[Any, ...]
    grid: int = 1
    block: int = 64
    arch: str = "gfx942"


@dataclass(frozen=True)
class Outcome:
    """What a run left in memory and printed, or the fault that ended it: its class, and the lines that it names."""

    bytes: tuple[bytes, ...] = ()
    printed: str = ""
    fault: str = ""
    lines: frozenset[int] = frozenset()
    said: str = ""

    def agrees(self, other: Outcome) -> bool:
        """The same memory and text; or a fault of the same lines, and of one class where both say more than that."""
        if self.fault and other.fault:
            return (self.lines, self.fault) == (other.lines, other.fault)
        return (self.bytes, self.printed, self.fault) == (other.bytes, other.printed, other.fault)


def module_of(text: str) -> Any:
    """The text, read and verified."""
    found = read(Source(FILE, text))
    wrong = problems(found)
    assert not wrong, "\n".join(map(str, wrong))
    return found.module


def function_of(module: Any) -> Any:
    """Its one kernel."""
    found = [op for op in module.walk() if isinstance(op, gpu.FuncOp | FuncOp) and op.regions[0].blocks]
    return next((op for op in found if isinstance(op, gpu.FuncOp)), found[0])


def report_of(launch: Launch, **switches: Any) -> SimulationReport:
    """One run of the kernel as it is written, in place."""
    arrays = [one.array if isinstance(one, Memory) else one for one in launch.arguments]
    given = [Given(one.array.size, one.leaves) if isinstance(one, Memory) else Given() for one in launch.arguments]
    return _run(function_of(module_of(launch.text)), given, arrays, launch, **switches)


def stages(launch: Launch) -> Iterator[tuple[str, Outcome]]:
    """The outcome as it is written, and after each pass: of a pass that refuses, the rest are left out."""
    module = module_of(launch.text)
    plain = [carriers(argument.type) for argument in function_of(module).body.block.args]
    yield "as written", _outcome(module, launch, None)
    for name in PIPELINE:
        try:
            pass_of(name).apply(context(), module)
        except CompileError as error:
            yield f"{name}: {error}", Outcome(fault="refused")
            return
        yield name, _outcome(module, launch, plain)


def _outcome(module: Any, launch: Launch, plain: Sequence[Sequence[Any]] | None) -> Outcome:
    arrays: list[Any] = []
    given: list[Given] = []
    copies = [Memory(one.array.copy(), one.leaves) if isinstance(one, Memory) else one for one in launch.arguments]
    for i, one in enumerate(copies):
        for kind in [None] if plain is None else plain[i]:
            if not isinstance(one, Memory):
                given.append(Given())
                arrays.append(one)
            elif kind is None:
                given.append(Given(one.array.size, one.leaves))
                arrays.append(one.array)
            elif pointer_of(kind) is not None:
                given.append(Given(one.array.size))
                arrays.append(one.array)
            else:
                given.append(Given(None, one.leaves))
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            _run(function_of(module), given, arrays, launch)
    except SimulationError as error:
        lines = frozenset(int(line) for line in _LINE.findall(str(error)))
        return Outcome(fault=type(error).__name__, lines=lines, said=str(error))
    memories = (one.array.tobytes() for one in copies if isinstance(one, Memory))
    return Outcome(tuple(memories), printed.getvalue())


def _run(func: Any, given: Sequence[Given], arrays: Sequence[Any], launch: Launch, **switches: Any) -> SimulationReport:
    module = launched(func, given, (launch.grid, 1, 1), (launch.block, 1, 1))
    return Simulator(module, FLY_HANDLERS).run(arrays, arch=launch.arch, **switches)


def counted(count: int, dtype: str = "float32", start: int = 0) -> Any:
    """An array of successive numbers."""
    return np.arange(start, start + count).astype(dtype)
