"""One kernel, of a Python file or of MLIR text, on arrays that options describe."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.cli.kernel_arguments import arguments, outputs, save
from tilewright.cli.opt import text_of
from tilewright.cli.options import extents
from tilewright.cli.sources import find_kernel
from tilewright.errors import CompileError, SimulationError, UsageError, close_names

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.dialects.func import FuncOp
    from xdsl.dialects.gpu import FuncOp as GpuFuncOp
    from xdsl.ir import Operation

    from tilewright.arch import Target
    from tilewright.runtime.kernel import CompiledKernel
    from tilewright.runtime.session import Session
    from tilewright.targets.simulator.options import SimOptions
    from tilewright.targets.simulator.program import Handler
    from tilewright.variants.call import Plan

MLIR = ".mlir"


@dataclass(frozen=True)
class Kernel:
    """A module with one kernel, and how it was made."""

    module: ModuleOp
    target: Target
    plans: tuple[Plan, ...] = ()
    compiled: CompiledKernel | None = None  # for a target that is not the simulator
    arguments: tuple[str, ...] = ()
    is_fly: bool = False


def run_kernel(name: str, kernel: str, args: argparse.Namespace, session: Session, options: SimOptions) -> None:
    """Runs it, and writes the arrays that are asked for; also what Ctrl-C left of them.

    Raises:
        UsageError, CompileError: no such kernel, or wrong arguments. SimulationError: it does something undefined.
    """
    if name.endswith(MLIR):
        with _at_its_place(*text_of(name)):
            _run(_of_mlir(name, kernel, args), args, session, options)
    else:
        _run(_of_python(name, kernel, args, session), args, session, options)


def _run(found: Kernel, args: argparse.Namespace, session: Session, options: SimOptions) -> None:
    from tilewright.targets.launch import kernel_of, parameters_of
    from tilewright.targets.simulator.report import Interrupted
    from tilewright.targets.simulator.simulate import Simulator

    parameters = parameters_of(kernel_of(found.module))
    files = outputs(parameters, args.out, args.force)
    arrays = arguments(parameters, found.arguments, options.seed)
    stopped: Interrupted | None = None
    try:
        if found.compiled is not None:
            found.compiled(*arrays)
        else:
            simulator = Simulator(found.module, _handlers(found.is_fly))
            if session.selection is not None:
                session.selection.check(simulator.launch, found.target.arch.lanes)
            session.run(simulator, found.module, arrays, found.target, options, found.plans)
    except Interrupted as stop:
        stopped = stop
    for parameter, array in zip(parameters, arrays, strict=True):
        if parameter.name in files:
            save(files[parameter.name], array, args.force)
    if stopped is not None:
        raise stopped


def _handlers(is_fly: bool) -> Mapping[type[Operation], Handler]:
    if is_fly:
        from tilewright.targets.simulator.fly.kernel import FLY_HANDLERS

        return FLY_HANDLERS
    from tilewright.targets.simulator.simulate import HANDLERS

    return HANDLERS


@contextmanager
def _at_its_place(file: str, text: str) -> Iterator[None]:
    """Errors within that name a place in the text show it, as MLIR's tools do."""
    from tilewright.ir.diagnostics import DiagnosticError, of_message

    try:
        yield
    except DiagnosticError:
        raise
    except (CompileError, SimulationError) as error:
        raise type(error)(str(of_message(file, text, str(error)))) from None


def _of_python(name: str, kernel: str, args: argparse.Namespace, session: Session) -> Kernel:
    from tilewright.runtime.compile import compile as compile_kernel

    if args.grid or args.block:
        raise UsageError("a kernel of a Python file says itself how it is launched; --grid and --block are for MLIR")
    check = {} if args.check is None else {"check": args.check}
    compiled = compile_kernel(find_kernel(f"{name}:{kernel}"), target=args.target or "simulator", **check)
    kind = compiled.target.kind
    if kind not in ("simulator", "host"):
        raise UsageError(f"one kernel runs on the simulator or the host here, not on {compiled.target}")
    if kind == "host" and (session.profile or session.selection is not None):
        raise UsageError("--profile and --trace show what the simulator does; leave out --target host")
    host = compiled if kind == "host" else None
    return Kernel(compiled.lowered().module, compiled.target, compiled.plans, host, tuple(args.arg))


def _of_mlir(name: str, kernel: str, args: argparse.Namespace) -> Kernel:
    from xdsl.dialects.func import FuncOp

    from tilewright.arch import Target
    from tilewright.ir.reader import Source, problems, read

    target = Target(args.target or "simulator")
    if target.kind != "simulator":
        raise UsageError(f"MLIR text runs on the simulator, not on {target}")
    found = read(Source(*text_of(name)))
    wrong = problems(found)
    if wrong:
        raise CompileError("\n".join(map(str, wrong)))
    func = _chosen(name, kernel, found.module)
    _refuse_jumps(func)
    if not isinstance(func, FuncOp) or _holds_fly(func):
        from tilewright.cli.fly_kernels import ready

        made = ready(func, found.module, args)
        return Kernel(made.module, made.target, arguments=tuple(made.rest), is_fly=True)
    from xdsl.dialects.builtin import DenseArrayBase, ModuleOp, i64

    func = _whole(func)
    _refuse_foreign(func, name)
    for attribute, text in (("tile.grid", args.grid), ("tile.block", args.block)):
        option = attribute.rpartition(".")[2]
        if text is not None:
            func.attributes[attribute] = DenseArrayBase.from_list(i64, extents(option, text))
        elif attribute not in func.attributes:
            raise UsageError(
                f"{name} does not say how it is launched: its {attribute} is missing; give --{option} X,Y,Z"
            )
    return Kernel(ModuleOp([func]), target, arguments=tuple(args.arg))


def _holds_fly(func: FuncOp) -> bool:
    """Does a type or an op of the dialect `fly` stand in it?"""
    values = (value for op in func.walk() for value in (*op.operands, *op.results))
    kinds = [str(getattr(value.type, "name", "")) for value in (*func.body.block.args, *values)]
    return any(name.startswith("fly") for name in (*kinds, *(op.name for op in func.walk())))


def _chosen(name: str, kernel: str, module: ModuleOp) -> FuncOp | GpuFuncOp:
    from xdsl.dialects.func import FuncOp
    from xdsl.dialects.gpu import FuncOp as GpuFuncOp

    kernels = {op.sym_name.data: op for op in module.walk() if isinstance(op, GpuFuncOp) and op.body.blocks}
    found: dict[str, FuncOp | GpuFuncOp] = {
        op.sym_name.data: op for op in module.walk() if isinstance(op, FuncOp) and not op.is_declaration
    }
    found = {**found, **kernels}
    public = {key: op for key, op in found.items() if _visibility(op) != "private"}
    for some in (kernels, public, found):
        if not kernel and len(some) == 1:
            return next(iter(some.values()))
    if kernel not in found:
        close = close_names(kernel, found)
        hint = f"did you mean {close[0]!r}?" if close else f"its functions: {', '.join(found) or 'none'}"
        raise UsageError(f"{name} has no function {kernel!r:.100}; {hint}")
    return found[kernel]


def _visibility(op: Operation) -> str:
    said = op.properties.get("sym_visibility", op.attributes.get("sym_visibility"))
    return str(getattr(said, "data", "public"))


def _refuse_foreign(func: FuncOp, name: str) -> None:
    """Raises `CompileError`, at its place, for an op that the simulator has no meaning for."""
    from tilewright.ir.core.location import place
    from tilewright.targets.simulator.agents.waits import WAITS
    from tilewright.targets.simulator.simulate import HANDLERS

    for op in func.walk():
        if op is not func and type(op) not in HANDLERS and type(op) not in WAITS:
            message = f"the simulator has no meaning for {op.name}"
            if op.name.startswith(("fly.", "gpu.", "rocdl.", "llvm.")):
                message += f"; tilewright banks {name} counts what its accesses cost"
            raise CompileError(f"{message}\n{place(op)}")


def _refuse_jumps(func: FuncOp | GpuFuncOp) -> None:
    """Raises `CompileError` where a jump from block to block stands for what `scf` says."""
    from tilewright.ir.core.location import place

    for op in func.walk():
        for region in op.regions:
            if len(region.blocks) > 1 and (jump := region.blocks[0].last_op) is not None:
                text = f"the simulator has no meaning for {jump.name}: it runs loops and branches of scf"
                raise CompileError(f"{text}; run an earlier stage of the dump\n{place(jump)}")


def _whole(func: FuncOp) -> FuncOp:
    """The function with what it calls."""
    from xdsl.dialects.memref import AllocaOp

    from tilewright.ir.core.calls import inline
    from tilewright.ir.tile.types import SHARED, space_of

    made = func.clone()
    made.location = func.location
    inline(made, func, lambda op: isinstance(op, AllocaOp) and space_of(op.memref) == SHARED)
    return made
