"""`CompiledKernel`: a kernel for one target, with everything that can be asked about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Unpack

from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import SimulationError, UsageError
from tilewright.ir.script.tirx import script
from tilewright.ir.text import print_module
from tilewright.ir.tile.shared import SharedMemory
from tilewright.passes.pipeline import STAGES, Lowered, run
from tilewright.runtime.executors import EXECUTORS, Executor
from tilewright.runtime.machine import require_machine
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.writer import CText
from tilewright.targets.launch import Launch, kernel_of, parameters_of
from tilewright.targets.simulator.options import SimOptions, Switches
from tilewright.variants.call import Plan, Variant

if TYPE_CHECKING:
    from tilewright.runtime.report import KernelReport
    from tilewright.runtime.session import Launched, Session
    from tilewright.targets.arguments import Array
    from tilewright.targets.simulator.observers.selection import Chosen
    from tilewright.targets.simulator.observers.trace_report import Trace
    from tilewright.targets.simulator.report import SimulationReport
    from tilewright.targets.simulator.simulate import Simulator

DEFAULT_CUDA = Target("cuda")


class Cubin(bytes):
    """A kernel's cubin for its target; called with an architecture, the one for that: `kernel.cubin("sm_80")`."""

    source: str
    arch: str

    @classmethod
    def of(cls, source: str, arch: str) -> Cubin:
        """The cubin of CUDA text for an architecture."""
        made = cls(_cubin(source, arch))
        made.source, made.arch = source, arch
        return made

    def __call__(self, arch: str | None = None) -> Cubin:
        """The cubin of the same kernel for another architecture.

        Raises:
            CompileError: NVRTC is missing, or refuses.
            UsageError: no such architecture.
        """
        return self if arch in (None, self.arch) else Cubin.of(self.source, str(arch))


class CompiledKernel:
    """A kernel compiled for a target. Call it with arrays, which it writes in place as raw buffers.

    `stages` names what `ir`, `script` and `simulate` take.
    """

    stages = STAGES

    def __init__(
        self,
        module: ModuleOp,
        target: Target,
        variants: Sequence[Variant] = (),
        options: SimOptions | None = None,
        contract: bool = False,
    ) -> None:
        self.target = target
        self.options = options or SimOptions()
        self._module = module
        self._variants = tuple(variants)
        self._contract = contract
        self._final = run(module, variants=self._variants, lanes=target.arch.lanes, contract=contract)
        self.shared.check(target.arch.shared_per_block, target.arch.name)
        self._execute: Executor = EXECUTORS[target.kind](self._final.module, target)
        if target.kind == "cuda":
            _ = self.text  # what the emitter refuses is refused now

    @property
    def name(self) -> str:
        """The kernel's name."""
        return kernel_of(self._module).sym_name.data

    @property
    def way(self) -> str:
        """In which way the target `host` runs it: `loops`, or `fibers` and behind a `;` why not the other; else ""."""
        return self._execute.way

    @property
    def plans(self) -> tuple[Plan, ...]:
        """How each tile primitive was dispatched, in the order of the calls."""
        return self._final.plans

    @property
    def launch(self) -> Launch:
        """Blocks and threads."""
        return Launch.of(kernel_of(self._module))

    @property
    def shared(self) -> SharedMemory:
        """The shared memory of a block, in bytes."""
        return SharedMemory.of(kernel_of(self._final.module))

    def __call__(self, *arrays: object, **switches: Unpack[Switches]) -> None:
        """Runs the kernel on the arrays, one for each parameter; one array may be given twice (in place).

        On the simulator the switches say how, such as `check="off"` (see `SimOptions`).

        Raises:
            UsageError: arrays that do not fit the parameters, no GPU for a CUDA target, or a switch where it has no
                meaning.
            SimulationError: on the simulator, anything that the machine leaves undefined.
        """
        if switches and self.target.kind != "simulator":
            raise UsageError(
                f"{', '.join(switches)}: a switch of the simulator, and the kernel is compiled for {self.target}; "
                "kernel.simulate(...) takes it"
            )
        self._execute(arrays, self.options.switched(**switches))

    def simulate(self, *arrays: object, stage: str = "final", **switches: Unpack[Switches]) -> SimulationReport:
        """Runs any stage on the simulator, in place, and reports; arrays and switches as in a call."""
        return self._at(stage).run(arrays, arch=self.target.arch, options=self.options, **switches)

    def trace(
        self,
        *arrays: object,
        block: Chosen = None,
        warp: Chosen = None,
        lane: Chosen = None,
        thread: Chosen = None,
        stage: str = "final",
        **switches: Unpack[Switches],
    ) -> Trace:
        """Runs a stage on the simulator, in place, and gives what the chosen lanes did, in order.

        Args:
            arrays: as in a call.
            block, warp, lane, thread: numbers of blocks, of warps in a block, of lanes in a warp, of threads in a
                block, one or several each; None: all.
            stage: `tile` shows coordinates, `final` each access of a tile primitive. switches: as in a call.

        Raises:
            SimulationError: as a call; its `trace` is what the lanes did until then, and the accesses that it is about.
            UsageError: arrays that do not fit, or numbers of lanes that the launch does not have.
        """
        from tilewright.runtime.session import Session
        from tilewright.targets.simulator.observers.selection import Selection

        selection = Selection.of(block, warp, lane, thread)
        selection.check(self.launch, self.target.arch.lanes)
        session = Session(selection=selection)
        found = self._launched(session, arrays, stage, self.options.switched(**switches)).trace
        assert found is not None, "lanes were selected"
        return found

    def _at(self, stage: str) -> Simulator:
        from tilewright.targets.simulator.simulate import Simulator

        return self._simulator if stage == "final" else Simulator(self.lowered(stage).module)

    def lowered(self, stage: str = "final") -> Lowered:
        """The module at a stage, replayed from the kernel's source.

        Raises:
            UsageError: no such stage.
        """
        if stage == "final":
            return self._final
        return run(self._module, stage, self._variants, self.target.arch.lanes)

    def ir(self, stage: str = "final") -> str:
        """A stage as MLIR text."""
        return print_module(self.lowered(stage).module)

    def script(self, stage: str = "final") -> str:
        """A stage as a Python-like script."""
        return script(self.lowered(stage).module)

    @cached_property
    def text(self) -> CText:
        """The CUDA text with what is needed to launch it.

        Raises:
            CompileError: the target's machine lacks an instruction, or CUDA has no words for the kernel.
        """
        if self.target.kind == "cuda":
            require_machine(self._final.module, self.target)
        return emit(self._final.module)

    @property
    def source(self) -> str:
        """The CUDA text.

        Raises:
            CompileError: the kernel cannot be written in CUDA, or the target's machine lacks an instruction.
        """
        return self.text.source

    @property
    def cubin(self) -> Cubin:
        """The cubin for the target (sm_90a where it is no CUDA target); `kernel.cubin("sm_80")` for another.

        Raises:
            CompileError: NVRTC is missing, or refuses.
        """
        arch = self.target if self.target.kind == "cuda" else DEFAULT_CUDA
        return Cubin.of(self.source, arch.arch.name)

    @cached_property
    def report(self) -> KernelReport:
        """The plans, and what the accesses cost, counted by running the kernel once on zeros."""
        from tilewright.runtime.session import Session

        parameters = parameters_of(kernel_of(self._final.module), maps=True)
        if any(parameter.map for parameter in parameters):
            raise UsageError("kernel.profile(..) counts what a kernel costs that takes tensors by T.TensorMap()")
        zeros = self._zeros()
        found = self._launched(Session(), zeros, "final", SimOptions()).report
        return replace(found, counting=self._counted, way=self.way)

    def _zeros(self) -> list[Array]:
        import numpy as np

        return [np.zeros(p.shape, p.element.numpy()) for p in parameters_of(kernel_of(self._final.module))]

    def _counted(self) -> KernelReport | None:
        """The counts of a run on zeros; None where that takes too many steps, or data that are no zeros."""
        try:
            return self.profile(*self._zeros())
        except SimulationError:
            return None

    def profile(self, *arrays: object, **switches: Unpack[Switches]) -> KernelReport:
        """Runs the kernel on the simulator, in place, and reports all of `report`, and what it executes, by line.

        Slower than a call: every op is counted. Arrays and switches are those of a call.
        """
        from tilewright.runtime.session import Session

        found = self._launched(Session(profile=True), arrays, "final", self.options.switched(**switches)).report
        return replace(found, way=self.way)

    def _launched(self, session: Session, arrays: Sequence[Any], stage: str, options: SimOptions) -> Launched:
        lowered = self.lowered(stage)
        return session.run(self._at(stage), lowered.module, arrays, self.target, options, self._final.plans)

    @cached_property
    def _simulator(self) -> Simulator:
        from tilewright.targets.simulator.simulate import Simulator

        return Simulator(self._final.module)

    def __repr__(self) -> str:
        return f"<CompiledKernel {self.name} for {self.target}>"


@lru_cache(maxsize=256)
def _cubin(source: str, arch: str) -> bytes:
    from tilewright.targets.cuda.nvrtc import compile_cubin

    return compile_cubin(source, arch)
