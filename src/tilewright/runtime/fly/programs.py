"""A function's module made ready for a target: one row a kind of target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from tilewright.arch.target import Target
from tilewright.errors import CompileError
from tilewright.runtime.fly.known import Known
from tilewright.runtime.on_fly import FlyModule
from tilewright.targets.simulator.options import SimOptions


class Program(Protocol):
    """Runs a function."""

    def run(self, arguments: Sequence[Known], options: SimOptions) -> None:
        """One call, with arrays changed in place."""


def _host(module: FlyModule, target: Target) -> Program:
    from tilewright.runtime.fly.on_host import HostProgram

    return HostProgram.of(module, target)


def _cuda(module: FlyModule, target: Target) -> Program:
    from tilewright.runtime.fly.on_cuda import CudaProgram

    return CudaProgram.of(module, target)


# Each is loaded when a function first runs on it.
PROGRAMS: Mapping[str, Callable[[FlyModule, Target], Program]] = MappingProxyType(
    {"simulator": lambda module, target: module, "host": _host, "cuda": _cuda}
)


def require_program(name: str, target: Target) -> None:
    """Raises `CompileError` for a target that runs no function of fx."""
    if target.kind not in PROGRAMS:
        kinds = ", ".join(PROGRAMS)
        raise CompileError(f"{name} is a function of fx, which has no program for {target}; the targets are {kinds}")
