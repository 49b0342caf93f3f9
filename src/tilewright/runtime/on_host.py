"""Kernels on the CPU, as the CUDA text says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.targets.arguments import bind, roles
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.tables import HOST
from tilewright.targets.host.compiler import HostKernel, compile_host
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.options import SimOptions


@dataclass(frozen=True)
class HostExecutor:
    """Runs the emitted text on the CPU; compiled once for each way in which arrays coincide."""

    module: ModuleOp
    kernels: dict[tuple[int, ...], HostKernel] = field(default_factory=dict)

    @staticmethod
    def of(module: ModuleOp) -> HostExecutor:
        """The executor of a module at stage `final`; what the host cannot express is refused here."""
        emit(module, HOST)
        return HostExecutor(module)

    def __call__(self, arrays: Sequence[Any], options: SimOptions) -> None:
        """One launch."""
        bound = bind(kernel_of(self.module), arrays)
        shared = roles(bound)
        if shared not in self.kernels:
            self.kernels[shared] = compile_host(self.module, shared)
        self.kernels[shared].run(bound)
