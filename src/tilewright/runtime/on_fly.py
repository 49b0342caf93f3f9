"""`FlyModule`: a module of the dialect `fly`, at any stage, and what runs it on the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

from xdsl.dialects import gpu
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from tilewright.arch.target import Target
from tilewright.passes.fly.pipeline import FLAT, STAGES, lowered
from tilewright.runtime.fly.host_function import HostFunction
from tilewright.runtime.fly.known import Known, require_memory_here
from tilewright.runtime.fly.on_simulator import SimulatorLaunches
from tilewright.targets.simulator.options import SimOptions


@dataclass
class FlyModule:
    """A module with a host function, ready to run.

    Args:
        module: with kernels in `gpu.module`s and one `func.func`.
        target: whose architecture the simulator takes.
        stage: at which the module is.
    """

    module: ModuleOp
    target: Target
    stage: str = STAGES[0]
    _stages: dict[str, FlyModule] = field(default_factory=dict)

    def at(self, stage: str) -> FlyModule:
        """The same lowered to a stage, once; its launches do the same. Behind that stage it stays as it is.

        Raises:
            UsageError: no such stage. CompileError: a pass refuses.
        """
        if stage in STAGES[: STAGES.index(self.stage) + 1]:
            return self
        if stage not in self._stages:
            self._stages[stage] = FlyModule(lowered(self.module, self.stage, stage), self.target, stage)
        return self._stages[stage]

    def run(self, arguments: Sequence[Known], options: SimOptions) -> None:
        """One call of the host function, its launches on the simulator, with arrays changed in place.

        Raises:
            SimulationError: a kernel does something undefined. CompileError: an op without a meaning here.
        """
        require_memory_here(arguments, "the simulator")
        self.host(arguments, partial(self._simulator.launch, options=options))

    @cached_property
    def host(self) -> HostFunction:
        """The host function."""
        return HostFunction(next(op for op in self.module.ops if isinstance(op, FuncOp)))

    @cached_property
    def kernels(self) -> dict[str, gpu.FuncOp]:
        """The kernels by name, in their order."""
        return {op.sym_name.data: op for op in self.module.walk() if isinstance(op, gpu.FuncOp)}

    @cached_property
    def _simulator(self) -> SimulatorLaunches:
        return SimulatorLaunches(self.kernels, self.target, self.stage == FLAT)
