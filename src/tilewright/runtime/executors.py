"""One executor for each kind of target: what a compiled kernel does with its arrays.

Each is imported when it is asked for: CUDA text needs no simulator, and no numpy.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import UsageError
from tilewright.targets.simulator.options import SimOptions


class Executor(Protocol):
    """Runs one kernel in place on arrays."""

    def __call__(self, arrays: Sequence[Any], options: SimOptions) -> None:
        """One launch; the options are the simulator's."""

    @property
    def way(self) -> str:
        """In which of the target's ways it runs the kernel, where that has several; and why in none before it."""


def _simulator(module: ModuleOp, target: Target) -> Executor:
    from tilewright.runtime.on_simulator import SimulatorExecutor

    return SimulatorExecutor.of(module, target)


def _host(module: ModuleOp, target: Target) -> Executor:
    from tilewright.runtime.on_host import HostExecutor

    return HostExecutor.of(module, target)


def _cuda(module: ModuleOp, target: Target) -> Executor:
    from tilewright.runtime.on_cuda import CudaExecutor

    return CudaExecutor(module, target)


EXECUTORS: Mapping[str, Callable[[ModuleOp, Target], Executor]] = {
    "simulator": _simulator,
    "host": _host,
    "cuda": _cuda,
}


def supported(target: str | Target) -> Target:
    """The target.

    Raises:
        UsageError: there is no such target, or no executor for it.
    """
    found = Target(target)
    if found.kind not in EXECUTORS:
        raise UsageError(f"cannot compile for {found} yet; the targets are {', '.join(EXECUTORS)}")
    return found
