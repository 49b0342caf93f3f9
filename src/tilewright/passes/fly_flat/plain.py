"""The host function of a module as one of numbers and flat memory, for texts of it."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.context import Context
from xdsl.dialects import gpu
from xdsl.dialects.builtin import IndexType, ModuleOp, i64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Operation, Region, SSAValue

from tilewright.ir.fly.memories import memories_of
from tilewright.passes.cse import Cse
from tilewright.passes.dce import Dce
from tilewright.passes.fly_flat.flat import Flat
from tilewright.passes.fly_flat.flatten import parameter
from tilewright.passes.fly_flat.held import Held
from tilewright.passes.fly_flat.table import HANDLERS
from tilewright.passes.simplify import Simplify


def plain_host(module: ModuleOp) -> ModuleOp:
    """A module of the host function alone, whose parameters and launches are flat.

    A launch gives a parameter that is memory two operands: the memory, and the element at which it begins.

    Args:
        module: at stage `final` of fly.

    Raises:
        CompileError: the function does what only the interpreter of host functions does.
    """
    host = next(op for op in module.ops if isinstance(op, FuncOp))
    work = gpu.FuncOp(host.sym_name.data, host.function_type, host.body.clone())  # whose memory is its arguments'
    old, block = work.body.block, Block()
    out = Flat(block, memories_of(work), {**HANDLERS, gpu.LaunchFuncOp: _launch, ReturnOp: _return}, 0)
    out.block(old, block, [_argument(out, x, block, work) for x in old.args])
    made = FuncOp(host.sym_name.data, ([x.type for x in block.args], []), Region(block))
    plain = ModuleOp([made])
    for step in (Simplify(), Cse(), Dce()):
        step.apply(Context(), plain)
    return plain


def _argument(out: Flat, argument: SSAValue, block: Block, host: Operation) -> Held:
    """The order of launches, which is there once, has no numbers."""
    is_order = isinstance(argument.type, gpu.AsyncTokenType)
    return Held(()) if is_order else parameter(out, argument, block, host)


def _launch(out: Flat, op: gpu.LaunchFuncOp) -> None:
    sizes = (op.gridSizeX, op.gridSizeY, op.gridSizeZ, op.blockSizeX, op.blockSizeY, op.blockSizeZ)
    extents = [out.one(size) for size in sizes]
    shared = op.dynamicSharedMemorySize
    given = [x for value in op.kernelOperands for x in _operands(out, value)]
    held = None if shared is None else out.one(shared)
    out.insert(gpu.LaunchFuncOp(op.kernel, extents[:3], extents[3:], None, given, False, [], held))


def _operands(out: Flat, value: SSAValue) -> Iterator[SSAValue]:
    held = out[value]
    if held.memory is not None:
        yield held.memory
    yield from (
        out.as_type(x, i64) if held.memory is None and isinstance(x.type, IndexType) else x for x in held.numbers
    )


def _return(out: Flat, op: Operation) -> None:
    out.insert(ReturnOp())
