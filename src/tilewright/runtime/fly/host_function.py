"""Runs a host function, op by op, on known values; who carries out its launches is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol, TypeAlias

import numpy as np
from xdsl.dialects import arith, cf, gpu, scf
from xdsl.dialects.builtin import IndexType, IntegerType, UnrealizedConversionCastOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.errors import CompileError, SimulationError
from tilewright.ir.core.location import place
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.ops import FlyOp
from tilewright.ir.fly.reference import results as reference_results
from tilewright.ir.fly.types import MemRef, Pointer, Value
from tilewright.runtime.fly.known import Known, Memory
from tilewright.targets.launch import Launch, where
from tilewright.targets.simulator.ops.arithmetic import ARITHMETIC, constant, meaning

MOST_STEPS = 1 << 20
"""Ops that a host function executes at most."""


class Launcher(Protocol):
    """Carries out launches on some target."""

    def __call__(self, kernel: str, arguments: Sequence[Known], launch: Launch, shared: int | None) -> None:
        """One launch of the kernel of this name; `shared` is the bytes that it sets aside for a block."""


def run_host(host: FuncOp, arguments: Sequence[Known], launcher: Launcher) -> None:
    """One call of a host function.

    Args:
        host: the function. arguments: of its parameters; of those that are left over nothing is known.
        launcher: carries out its launches, in their order.

    Raises:
        CompileError: an op without a meaning here, or a launch that no machine has. SimulationError: an assertion
            fails, or it does not end. Others: those of the launcher.
    """
    block = host.body.block
    given = [*arguments, *[None] * (len(block.args) - len(arguments))]
    _Host(launcher, dict(zip(block.args, given, strict=True))).block(block)


class _Host:
    """Executes a host function on known values."""

    def __init__(self, launcher: Launcher, values: dict[SSAValue, Known]) -> None:
        self.launcher, self.values = launcher, values
        self.steps = 0

    def block(self, block: Block) -> list[Known]:
        """Its ops; what its last one gives back."""
        for op in block.ops:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise SimulationError(f"the host function runs for more than {MOST_STEPS} steps\n{where(op)}")
            if isinstance(op, scf.YieldOp | scf.ConditionOp | ReturnOp):
                return [self.values[value] for value in op.operands]
            self.one(op)
        return []

    def one(self, op: Operation) -> None:
        """One op."""
        handler = _handler(type(op))
        if handler is None:
            raise CompileError(f"a host function has no {op.name}; do it within the kernel{place(op)}")
        found = handler(self, op)
        self.values.update(zip(op.results, found, strict=True))

    def number(self, value: SSAValue) -> int:
        """An integer."""
        return int(self.values[value])  # type: ignore[arg-type]  # verified


Handler: TypeAlias = Callable[[_Host, Operation], list[Known]]


def _arithmetic(host: _Host, op: Operation) -> list[Known]:
    with np.errstate(all="ignore"):
        return [meaning(op)(*(host.values[value] for value in op.operands))]


def _constant(host: _Host, op: Operation) -> list[Known]:
    assert isinstance(op, arith.ConstantOp)
    return [constant(op)]


def _fly(host: _Host, op: Operation) -> list[Known]:
    assert isinstance(op, FlyOp)
    kinds = [result.type for result in op.results]
    if all(isinstance(kind, FlyType) and _is_whole(kind.value) for kind in kinds):
        return [kind.value for kind in kinds if isinstance(kind, FlyType)]
    given = [host.values[value] for value in op.operands]
    plain: list[Value] = [_plain(value, operand.type) for value, operand in zip(given, op.operands, strict=True)]
    memory = next((x for x in given if isinstance(x, Memory)), None)
    found: list[Known] = list(reference_results(op, plain))
    return [
        Memory(memory.array, value) if memory is not None and isinstance(value, MemRef | Pointer) else value
        for value in found
    ]


def _cast(host: _Host, op: Operation) -> list[Known]:
    """A pointer as the memory that it points into: what it is here already."""
    return [host.values[value] for value in op.operands]


def _is_whole(value: Value) -> bool:
    """Does a type tell all of its value?"""
    return not isinstance(value, MemRef | Pointer) and not run_time_leaves(value)


def _plain(value: Known, kind: Attribute) -> Value:
    if isinstance(value, Memory):
        return value.value
    if isinstance(kind, IntegerType | IndexType):
        return int(value)  # type: ignore[arg-type]  # verified
    return value  # type: ignore[return-value]  # a value of the dialect


def _launch(host: _Host, op: Operation) -> list[Known]:
    assert isinstance(op, gpu.LaunchFuncOp)
    sizes = [op.gridSizeX, op.gridSizeY, op.gridSizeZ, op.blockSizeX, op.blockSizeY, op.blockSizeZ]
    gx, gy, gz, bx, by, bz = (host.number(x) for x in sizes)
    launch = Launch((gx, gy, gz), (bx, by, bz))
    if min(*launch.grid, *launch.block) < 1:
        raise CompileError(f"a launch of {launch.grid} blocks of {launch.block} threads\n{where(op)}")
    shared = None if op.dynamicSharedMemorySize is None else host.number(op.dynamicSharedMemorySize)
    host.launcher(kernel_name(op), [host.values[x] for x in op.kernelOperands], launch, shared)
    return [None] * len(op.results)


def kernel_name(op: gpu.LaunchFuncOp) -> str:
    """Of the kernel that is launched."""
    return [*op.kernel.nested_references.data][-1].data


def _if(host: _Host, op: Operation) -> list[Known]:
    assert isinstance(op, scf.IfOp)
    region = op.true_region if host.number(op.cond) else op.false_region
    return host.block(region.block) if region.blocks else []


def _for(host: _Host, op: Operation) -> list[Known]:
    assert isinstance(op, scf.ForOp)
    values = [host.values[x] for x in op.iter_args]
    for i in range(host.number(op.lb), host.number(op.ub), host.number(op.step)):
        host.values.update(zip(op.body.block.args, [np.int64(i), *values], strict=True))
        values = host.block(op.body.block)
    return values


def _while(host: _Host, op: Operation) -> list[Known]:
    assert isinstance(op, scf.WhileOp)
    values = [host.values[x] for x in op.arguments]
    while True:
        host.values.update(zip(op.before_region.block.args, values, strict=True))
        asked, *values = host.block(op.before_region.block)
        if not asked:
            return values
        host.values.update(zip(op.after_region.block.args, values, strict=True))
        values = host.block(op.after_region.block)


def _assert(host: _Host, op: Operation) -> list[Known]:
    assert isinstance(op, cf.AssertOp)
    if not host.number(op.arg):
        raise SimulationError(f"{op.msg.data}\n{where(op)}")
    return []


@lru_cache(256)
def _handler(kind: type[Operation]) -> Handler | None:
    return next((run for known, run in HANDLERS.items() if issubclass(kind, known)), None)


HANDLERS: Mapping[type[Operation], Handler] = {
    arith.ConstantOp: _constant,
    **dict.fromkeys(ARITHMETIC, _arithmetic),
    FlyOp: _fly,
    UnrealizedConversionCastOp: _cast,
    gpu.LaunchFuncOp: _launch,
    scf.IfOp: _if,
    scf.ForOp: _for,
    scf.WhileOp: _while,
    cf.AssertOp: _assert,
}
