"""Launches on the CPU: a flat kernel in the first way that takes it, compiled once for blocks of a size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from tilewright.arch.target import Target
from tilewright.runtime.fly.flat import FlatKernels
from tilewright.runtime.fly.known import Known, require_memory_here
from tilewright.runtime.host_ways import Chosen, Wanted, chosen
from tilewright.runtime.machine import require_machine
from tilewright.runtime.on_fly import FlyModule
from tilewright.runtime.on_host import found_here, refuse_switches
from tilewright.targets.arguments import lie_apart
from tilewright.targets.launch import Extents, Launch
from tilewright.targets.simulator.options import SimOptions


@dataclass(frozen=True)
class HostProgram:
    """A function whose launches run on the CPU; of arrays that overlap, and of `check="off"`, the text is another."""

    kernels: FlatKernels
    target: Target
    compiler: str
    made: dict[tuple[str, Extents, int | None, bool, bool, int], Chosen] = field(default_factory=dict)

    @staticmethod
    def of(module: FlyModule, target: Target) -> HostProgram:
        """The program of a module."""
        return HostProgram(FlatKernels(module), target, target.compiler or found_here())

    def run(self, arguments: Sequence[Known], options: SimOptions) -> None:
        """One call, with arrays changed in place.

        Raises:
            CompileError: there is no way to run a kernel. UsageError: switches that only the simulator has.
            SimulationError: an assertion fails.
        """
        refuse_switches(options)
        require_memory_here(arguments, "target host")
        self.kernels.flat.host(arguments, partial(self._launch, options=options))

    def _launch(
        self, name: str, arguments: Sequence[Known], launch: Launch, shared: int | None, options: SimOptions
    ) -> None:
        given = self.kernels.given(name, arguments)
        key = name, launch.block, shared, lie_apart(given), options.check != "off", options.steps
        if key not in self.made:
            module = self.kernels.kernel(name, launch.block, shared)
            require_machine(module, self.target)
            self.made[key] = chosen(Wanted(module, self.target.arch.lanes, self.compiler, *key[3:]))
        replace(self.made[key].kernel, launch=launch).run(given)
