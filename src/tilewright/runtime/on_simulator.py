"""Kernels on the simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.targets.simulator.observers.selection import Selection
from tilewright.targets.simulator.observers.trace import TraceRecorder
from tilewright.targets.simulator.observers.trace_report import Trace
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.report import Interrupted
from tilewright.targets.simulator.simulate import Simulator


@dataclass(frozen=True)
class SimulatorExecutor:
    """Runs on the simulator, every access checked."""

    simulator: Simulator
    target: Target

    @staticmethod
    def of(module: ModuleOp, target: Target) -> SimulatorExecutor:
        """The executor of a module at stage `final`."""
        return SimulatorExecutor(Simulator(module), target)

    def __call__(self, arrays: Sequence[Any], options: SimOptions) -> None:
        """One launch."""
        self.simulator.run(arrays, arch=self.target.arch, options=options)


def traced(
    simulator: Simulator, arrays: Sequence[Any], selection: Selection, target: Target, options: SimOptions
) -> Trace:
    """One launch, and what the selected lanes did; until Ctrl-C, where that comes."""
    recorder = TraceRecorder(selection, simulator.launch)
    interrupted = False
    try:
        simulator.run(arrays, arch=target.arch, options=options, watch=recorder)
    except Interrupted:
        interrupted = True
    name, launch = simulator.func.sym_name.data, simulator.launch
    return Trace(name, launch, target.arch.lanes, selection, tuple(recorder.events), recorder.truncated, interrupted)
