"""One executor for each kind of target: what a compiled kernel does with its arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import UsageError
from tilewright.targets.arguments import Array, bind
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.tables import HOST
from tilewright.targets.cuda.driver import driver
from tilewright.targets.cuda.nvrtc import compile_cubin
from tilewright.targets.host.compiler import HostKernel, compile_host
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.simulate import Simulator


class Executor(Protocol):
    """Runs one kernel in place on arrays."""

    def __call__(self, arrays: Sequence[Any]) -> None:
        """One launch."""


@dataclass(frozen=True)
class SimulatorExecutor:
    """Runs on the simulator, every access checked."""

    simulator: Simulator
    target: Target

    @staticmethod
    def of(module: ModuleOp, target: Target) -> SimulatorExecutor:
        """The executor of a module at stage `final`."""
        return SimulatorExecutor(Simulator(module), target)

    def __call__(self, arrays: Sequence[Any]) -> None:
        """One launch."""
        self.simulator.run(arrays, arch=self.target.arch)


@dataclass(frozen=True)
class HostExecutor:
    """Runs the emitted text on the CPU; compiled once for each way in which arrays coincide."""

    module: ModuleOp
    kernels: dict[tuple[int, ...], HostKernel] = field(default_factory=dict)

    @staticmethod
    def of(module: ModuleOp, target: Target) -> HostExecutor:
        """The executor of a module at stage `final`; what the host cannot express is refused here."""
        emit(module, HOST)
        return HostExecutor(module)

    def __call__(self, arrays: Sequence[Any]) -> None:
        """One launch."""
        bound = bind(kernel_of(self.module), arrays)
        roles = _roles(bound)
        if roles not in self.kernels:
            self.kernels[roles] = compile_host(self.module, roles)
        self.kernels[roles].run(bound)


@dataclass(frozen=True)
class CudaExecutor:
    """Runs on the GPU; arrays that coincide take the text without `__restrict__`."""

    module: ModuleOp
    target: Target
    cubins: dict[bool, bytes] = field(default_factory=dict)

    @staticmethod
    def of(module: ModuleOp, target: Target) -> CudaExecutor:
        """The executor of a module at stage `final`."""
        return CudaExecutor(module, target)

    def __call__(self, arrays: Sequence[Any]) -> None:
        """One launch."""
        bound = bind(kernel_of(self.module), arrays)
        gpu, apart = driver(), len(set(_roles(bound))) == len(bound)
        text = emit(self.module, restrict=apart)
        if apart not in self.cubins:
            self.cubins[apart] = compile_cubin(text.source, self.target.arch.name)
        gpu.launch(self.cubins[apart], text.name, text.launch, bound)


EXECUTORS: Mapping[str, Callable[[ModuleOp, Target], Executor]] = {
    "simulator": SimulatorExecutor.of,
    "host": HostExecutor.of,
    "cuda": CudaExecutor.of,
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


def _roles(arrays: Sequence[Array]) -> tuple[int, ...]:
    """For each array the number of its memory, counted in order of appearance."""
    order = list(dict.fromkeys(map(id, arrays)))
    return tuple(order.index(id(array)) for array in arrays)
