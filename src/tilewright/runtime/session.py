"""`Session`: looks on at launches on the simulator, and keeps their reports and traces."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import SimulationError
from tilewright.ir.tile.shared import SharedMemory
from tilewright.runtime.report import KernelReport
from tilewright.targets.simulator.observers.instructions import InstructionCounter
from tilewright.targets.simulator.observers.selection import Selection
from tilewright.targets.simulator.observers.trace import TraceRecorder
from tilewright.targets.simulator.observers.trace_report import Trace
from tilewright.targets.simulator.observers.watch import Watch, all_of
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.report import Interrupted, SimulationReport
from tilewright.targets.simulator.simulate import Simulator
from tilewright.variants.call import Plan

MOST_RUNS = 1000
_STACK: ContextVar[tuple[Session, ...]] = ContextVar("tilewright_sessions", default=())


class Launched(NamedTuple):
    """What came of one launch."""

    report: KernelReport
    trace: Trace | None


@dataclass
class Session:
    """Within `with Session(..) as session:` every launch on the simulator is kept in `session.launches`, the last ones.

    `profile`: instructions are counted; `selection`: the lanes that are traced, None for none.
    """

    profile: bool = False
    selection: Selection | None = None
    launches: list[Launched] = field(default_factory=list)

    def run(
        self,
        simulator: Simulator,
        module: ModuleOp,
        arrays: Sequence[Any],
        target: Target,
        options: SimOptions,
        plans: tuple[Plan, ...] = (),
    ) -> Launched:
        """One launch of a kernel, whose module this is, in place; kept, also where Ctrl-C ends it.

        Raises:
            Interrupted: by Ctrl-C.
            SimulationError: the kernel does something undefined; what traced lanes did until then is its `trace`.
        """
        spec = target.arch
        counter = InstructionCounter(spec.lanes) if self.profile else None
        recorder = None if self.selection is None else TraceRecorder(self.selection, simulator.launch, spec.lanes)
        watches: list[Watch] = [watch for watch in (counter, recorder) if watch is not None]

        def keep(found: SimulationReport, interrupted: bool) -> Launched:
            counted = None if counter is None else counter.counted
            report = KernelReport(plans, found, SharedMemory.of(simulator.func), module, spec, counted)
            trace = None if recorder is None else recorder.trace(found.kernel, spec.lanes, interrupted)
            launched = Launched(report, trace)
            self.launches = [*self.launches[-MOST_RUNS + 1 :], launched]
            return launched

        try:
            found = simulator.run(arrays, arch=spec, options=options, watch=all_of(watches))
        except Interrupted as stop:
            keep(stop.report, True)
            raise
        except SimulationError as error:
            if recorder is not None:
                error.trace = recorder.trace(simulator.func.sym_name.data, spec.lanes, error=error)
            raise
        return keep(found, False)

    @staticmethod
    def current() -> Session | None:
        """The innermost enclosing one."""
        return (_STACK.get() or (None,))[-1]

    def __enter__(self) -> Session:
        _STACK.set((*_STACK.get(), self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _STACK.set(_STACK.get()[:-1])
