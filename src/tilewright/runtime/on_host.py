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
from tilewright.targets.launch import kernel_of, shape_of
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
        require_host(module, target)
        made = HostExecutor(module, target.arch.lanes, target.compiler or found_here())
        made.kernel(True, True)
        return made

    def __call__(self, arrays: Sequence[Any], options: SimOptions) -> None:
        """One launch.

        Raises:
            UsageError: switches that only the simulator has.
        """
        refuse_switches(options)
        bound = bind(kernel_of(self.module), arrays)
        self.kernel(len(set(roles(bound))) == len(bound), options.check != "off").run(bound)

    def kernel(self, apart: bool, checked: bool) -> LoopKernel:
        """The kernel for arrays that lie `apart`, with the assertions that coordinates lie inside, or without."""
        key = apart, checked
        if key not in self.kernels:
            self.kernels[key] = loop_kernel(self.module, self.lanes, self.compiler, apart, checked)
        return self.kernels[key]


def require_host(module: ModuleOp, target: Target) -> None:
    """Raises `CompileError` for a kernel at stage `final` that has an instruction which the architecture lacks."""
    if (lacking := lacks(needs(kernel_of(module)), target.arch, "host")) is not None:
        raise CompileError(lacking)


def refuse_switches(options: SimOptions) -> None:
    """Raises `UsageError` for switches that only the simulator has."""
    for name, value in (("check", options.check), ("schedule", options.schedule)):
        if value in ("strict", "random"):
            raise UsageError(f"{name}={value!r} is the simulator's; target='host' has one order and finds no races")


def loop_kernel(module: ModuleOp, lanes: int, compiler: str, apart: bool, checked: bool) -> LoopKernel:
    """A kernel at stage `final` as loops, for arrays that lie `apart`, with the assertions that coordinates lie inside.

    Raises:
        CompileError: it has no loops, or no words in C.
    """
    given = module if checked else without_assertions(module)
    try:
        loops, launch = as_loops(guarded(given), lanes, checked), shape_of(kernel_of(module))
        if compiler == LLVM:
            return by_llvm(emit_llvm(loops, apart), launch)
        return by_compiler(emit(loops, HOST, restrict=apart), launch, compiler)
    except CompileError as error:
        hint = "" if "target='simulator'" in str(error) else "\ntarget='simulator' runs the kernel"
        raise CompileError(f"{error}{hint}") from error


def found_here() -> str:
    """Which compiler a kernel has that asks for none: llvmlite only where it is all that is there."""
    return LLVM if found_compiler() is None and is_installed() else ""


def as_loops(module: ModuleOp, lanes: int, checked: bool = True) -> ModuleOp:
    """A copy of a module at stage `final` whose blocks have one thread, which goes through what were threads.

    Raises:
        CompileError: threads wait in a way that no loops have.
    """
    made = by_lanes(without_inspection(module), lanes, checked)
    for step in (Dce(), Fission(lanes), Simplify(), Cse(), Dce()):
        step.apply(Context(), made)
    return made
