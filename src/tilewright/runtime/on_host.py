"""Kernels on the CPU, in the first way that takes them: compiled by the system's C++ compiler or llvmlite."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import UsageError
from tilewright.runtime.host_ways import LLVM, Chosen, Wanted, chosen
from tilewright.runtime.machine import require_machine
from tilewright.targets.arguments import bind, lie_apart
from tilewright.targets.host.compiler import found_compiler
from tilewright.targets.host.llvm import is_installed
from tilewright.targets.launch import kernel_of
from tilewright.targets.simulator.options import STEPS, SimOptions
from tilewright.targets.tensor_map import TensorMap


@dataclass(frozen=True)
class HostExecutor:
    """Runs a kernel; of arrays that coincide, and of `check="off"`, the text is another."""

    module: ModuleOp
    lanes: int
    compiler: str
    kernels: dict[tuple[bool, bool, int], Chosen] = field(default_factory=dict)

    @staticmethod
    def of(module: ModuleOp, target: Target) -> HostExecutor:
        """The executor of a module at stage `final`.

        Raises:
            CompileError: there is no way to run the kernel, or the architecture lacks an instruction.
        """
        require_machine(module, target)
        made = HostExecutor(module, target.arch.lanes, target.compiler or found_here())
        made.chosen()
        return made

    @property
    def way(self) -> str:
        """In which way the kernel runs, and why in none before it."""
        return str(self.chosen())

    def __call__(self, arrays: Sequence[Any], options: SimOptions) -> None:
        """One launch.

        Raises:
            UsageError: switches that only the simulator has.
        """
        refuse_switches(options)
        bound = bind(kernel_of(self.module), arrays)
        maps = [array for array in arrays if isinstance(array, TensorMap)]
        self.chosen(lie_apart(bound), options.check != "off", options.steps).kernel.run(bound, maps)

    def chosen(self, apart: bool = True, checked: bool = True, steps: int = STEPS) -> Chosen:
        """The way for arrays that lie `apart`, with the assertions that coordinates lie inside, or without."""
        key = apart, checked, steps
        if key not in self.kernels:
            self.kernels[key] = chosen(Wanted(self.module, self.lanes, self.compiler, *key))
        return self.kernels[key]


def refuse_switches(options: SimOptions) -> None:
    """Raises `UsageError` for switches that only the simulator has."""
    for name, value in (("check", options.check), ("schedule", options.schedule)):
        if value in ("strict", "random"):
            raise UsageError(f"{name}={value!r} is the simulator's; target='host' has one order and finds no races")


def found_here() -> str:
    """Which compiler a kernel has that asks for none: llvmlite only where it is all that is there."""
    return LLVM if found_compiler() is None and is_installed() else ""
