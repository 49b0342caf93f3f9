"""Functions of fx by the literal CUDA text of their kernels, a fiber a thread: another program for the same modules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tilewright.arch.target import Target
from tilewright.runtime.fly.flat import FlatKernels
from tilewright.runtime.fly.known import Known
from tilewright.runtime.on_fly import FlyModule
from tilewright.targets.arguments import roles
from tilewright.targets.host.compiler import HostKernel, compile_together, literal
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.options import SimOptions

Run = Callable[..., None]


@dataclass(frozen=True)
class FiberProgram:
    """Each launch is a program of its own."""

    kernels: FlatKernels
    made: dict[tuple[object, ...], HostKernel] = field(default_factory=dict)

    @staticmethod
    def of(module: FlyModule, target: Target) -> FiberProgram:
        return FiberProgram(FlatKernels(module))

    def run(self, arguments: Sequence[Known], options: SimOptions) -> None:
        self.kernels.flat.host(arguments, self.launch)

    def launch(self, name: str, arguments: Sequence[Known], launch: Launch, shared: int | None, /) -> None:
        given = self.kernels.given(name, arguments)
        key = name, launch, shared, roles(given)
        if key not in self.made:
            part = literal(self.kernels.kernel(name, launch.block, shared), roles(given))
            (self.made[key],) = compile_together([replace(part, text=replace(part.text, launch=launch))], ("-O0",))
        self.made[key].run(given)
