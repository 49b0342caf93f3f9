"""Runs a host function, op by op, on known values; who carries out its launches is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
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

MOST_KNOWN = 1 << 12
MOST_STEPS = 1 << 20
"""Ops that a host function executes at most."""


Handler: TypeAlias = "Callable[[_Host, Operation], list[Known]]"
Step: TypeAlias = "tuple[Operation, Handler | None, tuple[SSAValue, ...]]"  # None ends a block


class Launcher(Protocol):
    """Carries out launches on some target."""

    def __call__(self, kernel: str, arguments: Sequence[Known], launch: Launch, shared: int | None, /) -> None:
        """One launch of the kernel of this name; `shared` is the bytes that it sets aside for a block."""


@dataclass(frozen=True, eq=False)
class HostFunction:
    """A host function. What its ops on layouts and pointers gave is kept: shapes are mostly those of the last call."""

    function: FuncOp
    known: dict[tuple[object, ...], tuple[list[Value], list[Value]]] = field(default_factory=dict)
    blocks: dict[Block, list[Step]] = field(default_factory=dict)

    def __call__(self, arguments: Sequence[Known], launcher: Launcher) -> None:
        """One call.

        Args:
            arguments: of its parameters; of those that are left over nothing is known.
            launcher: carries out its launches, in their order.

        Raises:
            CompileError: an op without a meaning here, or a launch that no machine has. SimulationError: an assertion
                fails, or it does not end. Others: those of the launcher.
        """
        block = self.function.body.block
        given = [*arguments, *[None] * (len(block.args) - len(arguments))]
        _Host(self, launcher, dict(zip(block.args, given, strict=True))).block(block)

    def results(self, op: FlyOp, operands: list[Value]) -> list[Value]:
        """Those of an op on layouts and pointers."""
        key = (op, *(value if isinstance(value, int) else id(value) for value in operands))
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            found = self.known[key] = operands, list(reference_results(op, operands))  # which keeps the identities
        return found[1]

    def steps(self, block: Block) -> list[Step]:
        """The ops of a block with what executes them, found once."""
        found = self.blocks.get(block)
        if found is None:
            found = self.blocks[block] = [_step(op) for op in block.ops]
        return found


class _Host:
    """Executes a host function on known values."""

    def __init__(self, function: HostFunction, launcher: Launcher, values: dict[SSAValue, Known]) -> None:
        self.function, self.launcher, self.values = function, launcher, values
        self.count = 0

    def block(self, block: Block) -> list[Known]:
        """Its ops; what its last one gives back."""
        for op, handler, results in self.function.steps(block):
            self.count += 1
            if self.count > MOST_STEPS:
                raise SimulationError(f"the host function runs for more than {MOST_STEPS} steps\n{where(op)}")
            if handler is None:
                return [self.values[value] for value in op.operands]
            self.values.update(zip(results, handler(self, op), strict=True))
        return []

    def number(self, value: SSAValue) -> int:
        """An integer."""
        return int(self.values[value])  # type: ignore[arg-type]  # verified


def _arithmetic(host: _Host, op: Operation) -> list[Known]:
    with np.errstate(all="ignore"):
        return [meaning(op)(*(host.values[value] for value in op.operands))]


def _constant(host: _Host, op: Operation) -> list[Known]:
    assert isinstance(op, arith.ConstantOp)
    return [constant(op)]


def _fly(host: _Host, op: Operation) -> list[Known]:
    assert isinstance(op, FlyOp)
    given = [host.values[value] for value in op.operands]
    plain: list[Value] = [_plain(value, operand.type) for value, operand in zip(given, op.operands, strict=True)]
    memory = next((x for x in given if isinstance(x, Memory)), None)
    return [
        Memory(memory.array, value) if memory is not None and isinstance(value, MemRef | Pointer) else value
        for value in host.function.results(op, plain)
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


def _step(op: Operation) -> Step:
    if isinstance(op, scf.YieldOp | scf.ConditionOp | ReturnOp):
        return op, None, ()
    whole = [kind.value for kind in (x.type for x in op.results) if isinstance(kind, FlyType) and _is_whole(kind.value)]
    if isinstance(op, FlyOp) and len(whole) == len(op.results):
        return op, lambda host, op: [*whole], tuple(op.results)
    handler = next((run for known, run in HANDLERS.items() if isinstance(op, known)), None)
    return op, handler or _unknown, tuple(op.results)


def _unknown(host: _Host, op: Operation) -> list[Known]:
    raise CompileError(f"a host function has no {op.name}; do it within the kernel{place(op)}")


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
