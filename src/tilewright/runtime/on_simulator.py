"""Kernels on the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.runtime.session import Session
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import Simulator


@dataclass(frozen=True)
class SimulatorExecutor:
    """Runs on the simulator, every access checked; an enclosing `Session` looks on."""

    simulator: Simulator
    module: ModuleOp
    target: Target

    @staticmethod
    def of(module: ModuleOp, target: Target) -> SimulatorExecutor:
        """The executor of a module at stage `final`."""
        return SimulatorExecutor(Simulator(module), module, target)

    def __call__(self, arrays: Sequence[Any], options: SimOptions) -> None:
        """One launch."""
        session = Session.current()
        if session is None:
            self.simulator.run(arrays, arch=self.target.arch, options=options)
        else:
            session.run(self.simulator, self.module, arrays, self.target, options)

    @property
    def way(self) -> str:
        """There is one."""
        return ""
