"""The ways in which target `host` runs a kernel: a list in order; each makes it ready, or says why it cannot.

Loops are the fast way, in this process. Fibers run the CUDA text as it stands, a fiber a thread, in a process of its
own: what waits in ways that no loops have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from tilewright.errors import CompileError
from tilewright.ir.core.bounds import without_assertions
from tilewright.ir.tile.among import ShuffleAmongOp, VoteAmongOp
from tilewright.ir.tile.asynchronous import CpAsyncOp
from tilewright.ir.tile.atoms import AtomOp
from tilewright.ir.tile.together import ActiveMaskOp, BarOp, ShuffleOp, SyncOp, VoteOp
from tilewright.passes.cse import Cse
from tilewright.passes.dce import Dce
from tilewright.passes.fission.fission import Fission, refuse
from tilewright.passes.simplify import Simplify
from tilewright.targets.c_emitter.emit import emit
from tilewright.targets.c_emitter.printing import without_inspection
from tilewright.targets.c_emitter.tables import HOST
from tilewright.targets.host.at_once import GROUPS, copied_at_once
from tilewright.targets.host.atoms import by_lanes
from tilewright.targets.host.compiler import compiler_here, literal
from tilewright.targets.host.divisions import guarded
from tilewright.targets.host.fibers import FiberKernel, by_fibers
from tilewright.targets.host.loops import LoopKernel, by_compiler, by_llvm
from tilewright.targets.host.rows import with_rows
from tilewright.targets.host.spans import asked_at_ends
from tilewright.targets.host.turns import bound_turns
from tilewright.targets.launch import kernel_of, shape_of
from tilewright.targets.llvm_emitter.emit import emit_llvm
from tilewright.targets.simulator.options import STEPS
from tilewright.variants.call import Reject

LLVM = "llvmlite"
CUDA_LANES = 32  # of a warp in CUDA text
HINT = "target='simulator' runs the kernel"
Ready: TypeAlias = LoopKernel | FiberKernel


@dataclass(frozen=True)
class Wanted:
    """A kernel at stage `final` that is to run on the CPU, with warps of so many lanes, by that compiler.

    `apart`: its arrays do not overlap. `checked`: with the assertions that coordinates lie inside. `steps`: at most so
    many may a block take.
    """

    module: ModuleOp
    lanes: int
    compiler: str
    apart: bool = True
    checked: bool = True
    steps: int = STEPS

    @property
    def given(self) -> ModuleOp:
        """The kernel, with the assertions that are wanted."""
        return guarded(with_rows(self.module) if self.checked else without_assertions(self.module))


@dataclass(frozen=True)
class Way:
    """A way to run a kernel, by its name; `make` raises `CompileError` where it is none for the kernel."""

    name: str
    make: Callable[[Wanted], Ready]

    def plan(self, wanted: Wanted) -> Ready | Reject:
        """The kernel ready to run, or why it cannot be."""
        try:
            return self.make(wanted)
        except CompileError as error:
            return Reject(self.name, str(error))


@dataclass(frozen=True)
class Chosen:
    """The first way that takes a kernel, by its name, the kernel made ready, and why the ways before it do not."""

    way: str
    kernel: Ready
    refused: tuple[Reject, ...] = ()

    def __str__(self) -> str:
        return "; ".join([self.way, *(f"no {one.code}: {one.message.partition(chr(10))[0]}" for one in self.refused)])


def chosen(wanted: Wanted, ways: Sequence[Way] | None = None) -> Chosen:
    """The first of the ways that takes the kernel.

    Raises:
        CompileError: there is none; it says of each why, and what runs the kernel.
    """
    refused: list[Reject] = []
    for way in WAYS if ways is None else ways:
        made = way.plan(wanted)
        if not isinstance(made, Reject):
            return Chosen(way.name, made, tuple(refused))
        refused.append(made)
    raise CompileError(_refusal(kernel_of(wanted.module).sym_name.data, refused))


def _refusal(name: str, refused: Sequence[Reject]) -> str:
    """In order: what the kernel is not, why, and what to do."""
    ways = " nor ".join(reject.code for reject in refused)
    reasons = (f"as {reject.code}: {reject.message}" for reject in refused)
    return "\n".join([f"target host runs the kernel {name} as neither {ways}", *reasons, HINT])


def _loops(wanted: Wanted) -> LoopKernel:
    for op in wanted.module.walk():
        if not isinstance(op, (AtomOp, BarOp, CpAsyncOp, *GROUPS)):  # which may be gone before threads become loops
            refuse(op)
    loops = as_loops(wanted.given, wanted.lanes, wanted.checked)
    bound_turns(loops, wanted.steps)
    launch = shape_of(kernel_of(wanted.module))
    if wanted.compiler == LLVM:
        return by_llvm(emit_llvm(loops, wanted.apart), launch)
    return by_compiler(emit(loops, HOST, restrict=wanted.apart), launch, wanted.compiler)


def as_loops(module: ModuleOp, lanes: int, checked: bool = True) -> ModuleOp:
    """A copy of a module at stage `final` whose blocks have one thread, which goes through what were threads.

    Raises:
        CompileError: threads wait in a way that no loops have.
    """
    made = by_lanes(without_inspection(module), lanes, checked)
    copied_at_once(made)
    for step in (Dce(), Fission(lanes), Simplify(), Cse()):
        step.apply(Context(), made)
    asked_at_ends(made)
    for step in (Cse(), Dce()):
        step.apply(Context(), made)
    return made


def _fibers(wanted: Wanted) -> FiberKernel:
    if wanted.compiler == LLVM:
        raise CompileError("they run the CUDA text, which llvmlite does not compile; g++ or clang++ would")
    compiler = compiler_here(wanted.compiler)
    if wanted.lanes != CUDA_LANES and any(map(_of_lanes, wanted.module.walk())):
        raise CompileError(f"waves of {wanted.lanes} lanes do something together, and CUDA's warps have {CUDA_LANES}")
    return by_fibers(literal(wanted.given, wanted.apart), compiler)


def _of_lanes(op: Operation) -> bool:
    """Does it depend on how many lanes go together?"""
    if isinstance(op, SyncOp):
        return op.scope.data == "warp"
    return isinstance(op, ShuffleOp | VoteOp | ActiveMaskOp | AtomOp | ShuffleAmongOp | VoteAmongOp)


WAYS = (Way("loops", _loops), Way("fibers", _fibers))
