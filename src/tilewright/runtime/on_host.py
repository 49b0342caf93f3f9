"""Kernels on the CPU: their threads as loops, compiled by the system's C++ compiler or llvmlite, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp

from tilewright.arch.target import Target
from tilewright.errors import CompileError, UsageError
from tilewright.ir.core.bounds import without_assertions
from tilewright.passes.cse import Cse
from tilewright.passes.dce import Dce
from tilewright.passes.fission.fission import Fission
from tilewright.passes.simplify import Simplify
from tilewright.targets.arguments import bind, roles
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.printing import without_inspection
from tilewright.targets.c_emitter.tables import HOST
from tilewright.targets.host.atoms import by_lanes
from tilewright.targets.host.compiler import found_compiler
from tilewright.targets.host.divisions import guarded
from tilewright.targets.host.llvm import is_installed
from tilewright.targets.host.loops import LoopKernel, by_compiler, by_llvm
from tilewright.targets.launch import Launch, kernel_of
from tilewright.targets.llvm_emitter.emit import emit_llvm
from tilewright.targets.simulator.admission import lacks, needs
from tilewright.targets.simulator.options import SimOptions

LLVM = "llvmlite"


@dataclass(frozen=True)
class HostExecutor:
    """Runs a kernel as loops; of arrays that coincide, and of `check="off"`, the text is another."""

    module: ModuleOp
    lanes: int
    compiler: str
    kernels: dict[tuple[bool, bool], LoopKernel] = field(default_factory=dict)

    @staticmethod
    def of(module: ModuleOp, target: Target) -> HostExecutor:
        """The executor of a module at stage `final`.

        Raises:
            CompileError: the kernel has no loops, or no words in C, or the architecture lacks an instruction.
        """
        if (lacking := lacks(needs(kernel_of(module)), target.arch, "host")) is not None:
            raise CompileError(lacking)
        made = HostExecutor(module, target.arch.lanes, target.compiler or found_here())
        made.kernel(True, True)
        return made

    def __call__(self, arrays: Sequence[Any], options: SimOptions) -> None:
        """One launch.

        Raises:
            UsageError: switches that only the simulator has.
        """
        for name, value in (("check", options.check), ("schedule", options.schedule)):
            if value in ("strict", "random"):
                raise UsageError(f"{name}={value!r} is the simulator's; target='host' has one order and finds no races")
        bound = bind(kernel_of(self.module), arrays)
        self.kernel(len(set(roles(bound))) == len(bound), options.check != "off").run(bound)

    def kernel(self, apart: bool, checked: bool) -> LoopKernel:
        """The kernel for arrays that lie `apart`, with the assertions that coordinates lie inside, or without."""
        key = apart, checked
        if key not in self.kernels:
            module = self.module if checked else without_assertions(self.module)
            try:
                self.kernels[key] = self._made(as_loops(guarded(module), self.lanes), apart)
            except CompileError as error:
                hint = "" if "target='simulator'" in str(error) else "\ntarget='simulator' runs the kernel"
                raise CompileError(f"{error}{hint}") from error
        return self.kernels[key]

    def _made(self, loops: ModuleOp, apart: bool) -> LoopKernel:
        launch = Launch.of(kernel_of(self.module))
        if self.compiler == LLVM:
            return by_llvm(emit_llvm(loops, apart), launch)
        return by_compiler(emit(loops, HOST, restrict=apart), launch, self.compiler)


def found_here() -> str:
    """Which compiler a kernel has that asks for none: llvmlite only where it is all that is there."""
    return LLVM if found_compiler() is None and is_installed() else ""


def as_loops(module: ModuleOp, lanes: int) -> ModuleOp:
    """A copy of a module at stage `final` whose blocks have one thread, which goes through what were threads.

    Raises:
        CompileError: threads wait in a way that no loops have.
    """
    made = by_lanes(without_inspection(module), lanes)
    for step in (Dce(), Fission(lanes), Simplify(), Cse(), Dce()):
        step.apply(Context(), made)
    return made
