"""Runs a host function, op by op, on known values; who carries out its launches is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, TypeAlias

import numpy as np
from xdsl.dialects import arith, cf, gpu, scf
from xdsl.dialects.builtin import (
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    UnrealizedConversionCastOp,
)
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import Pure

from tilewright.errors import CompileError, SimulationError
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.reference import results as reference_results
from tilewright.ir.fly.types import MemRef, Pointer, Value
from tilewright.runtime.fly.known import Known, Memory, text_of
from tilewright.targets.launch import Launch, where
from tilewright.targets.simulator.fly.printing import printed
from tilewright.targets.simulator.ops.arithmetic import ARITHMETIC, constant, meaning

MOST_KNOWN = 1 << 12
MOST_STEPS = 1 << 20
"""Ops that a host function executes at most."""


Run: TypeAlias = "Callable[[_Host], list[Known]]"
Handler: TypeAlias = Callable[[Operation], Run]
Step: TypeAlias = "tuple[Operation, Run | None, tuple[SSAValue, ...]]"  # None ends a block


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
        _Host(self, launcher, {**self.told, **dict(zip(block.args, given, strict=True))}).block(block)

    @cached_property
    def told(self) -> Mapping[SSAValue, Known]:
        """The values that their op or their type tells, whatever the function is given."""
        return {
            value: known for op in self.function.walk() for value, known in zip(op.results, _told(op), strict=False)
        }

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
            found = self.blocks[block] = [_step(op) for op in block.ops if not _told(op)]
        return found


class _Host:
    """Executes a host function on known values."""

    def __init__(self, function: HostFunction, launcher: Launcher, values: dict[SSAValue, Known]) -> None:
        self.function, self.launcher, self.values = function, launcher, values
        self.count = 0

    def block(self, block: Block) -> list[Known]:
        """Its ops; what its last one gives back."""
        for op, run, results in self.function.steps(block):
            self.count += 1
            if self.count > MOST_STEPS:
                raise SimulationError(f"the host function runs for more than {MOST_STEPS} steps\n{where(op)}")
            if run is None:
                return self.of(op.operands)
            self.values.update(zip(results, run(self), strict=True))
        return []

    def of(self, values: Sequence[SSAValue]) -> list[Known]:
        """What is known of them."""
        known = self.values
        return [known[value] for value in values]

    def number(self, value: SSAValue) -> int:
        """An integer."""
        return int(self.values[value])  # type: ignore[arg-type]  # verified


# Each finds once what an op needs, and gives what executes it.


def _arithmetic(op: Operation) -> Run:
    found, operands = meaning(op), tuple(op.operands)

    def run(host: _Host) -> list[Known]:
        with np.errstate(all="ignore"):
            return [found(*host.of(operands))]

    return run


def _told(op: Operation) -> Sequence[Known]:
    """The results of an op that needs no operands for them; of others nothing."""
    if isinstance(op, arith.ConstantOp):
        return [constant(op)] if isinstance(op.value, IntegerAttr | FloatAttr) else []
    kinds = [x.type for x in op.results] if isinstance(op, FlyOp) and _is_known(op) else []
    whole = [kind.value for kind in kinds if isinstance(kind, FlyType) and _is_whole(kind.value)]
    return whole if len(whole) == len(kinds) else []


def _is_known(op: FlyOp) -> bool:
    """Has the op a meaning outside of kernels?"""
    return op.has_trait(Pure) and not isinstance(op, OPS["get_dyn_shared"])


def _fly(op: Operation) -> Run:
    assert isinstance(op, FlyOp)
    if isinstance(op, OPS["print"]):
        return _print(op)
    if not _is_known(op):
        return _unknown(op)
    operands, kinds = tuple(op.operands), [value.type for value in op.operands]

    def run(host: _Host) -> list[Known]:
        given = host.of(operands)
        plain = [_plain(value, kind) for value, kind in zip(given, kinds, strict=True)]
        memory = next((x for x in given if isinstance(x, Memory)), None)
        return [
            Memory(memory.array, value) if memory is not None and isinstance(value, MemRef | Pointer) else value
            for value in host.function.results(op, plain)
        ]

    return run


def _print(op: FlyOp) -> Run:
    values = list(op.group("values"))

    def run(host: _Host) -> list[Known]:
        print(printed(op, [text_of(host.values[value], value.type) for value in values]), end="")
        return []

    return run


def _cast(op: Operation) -> Run:
    """A pointer as the memory that it points into: what it is here already."""
    operands = tuple(op.operands)
    return lambda host: host.of(operands)


def _is_whole(value: Value) -> bool:
    """Does a type tell all of its value?"""
    return not isinstance(value, MemRef | Pointer) and not run_time_leaves(value)


def _plain(value: Known, kind: Attribute) -> Value:
    if isinstance(value, Memory):
        return value.value
    if isinstance(kind, IntegerType | IndexType):
        return int(value)  # type: ignore[arg-type]  # verified
    return value  # type: ignore[return-value]  # a value of the dialect


def _launch(op: Operation) -> Run:
    assert isinstance(op, gpu.LaunchFuncOp)
    sizes = (op.gridSizeX, op.gridSizeY, op.gridSizeZ, op.blockSizeX, op.blockSizeY, op.blockSizeZ)
    name, operands, dynamic = kernel_name(op), tuple(op.kernelOperands), op.dynamicSharedMemorySize
    found: list[Known] = [None] * len(op.results)

    def run(host: _Host) -> list[Known]:
        gx, gy, gz, bx, by, bz = map(host.number, sizes)
        launch = Launch((gx, gy, gz), (bx, by, bz))
        if min(*launch.grid, *launch.block) < 1:
            raise CompileError(f"a launch of {launch.grid} blocks of {launch.block} threads\n{where(op)}")
        host.launcher(name, host.of(operands), launch, None if dynamic is None else host.number(dynamic))
        return found

    return run


def kernel_name(op: gpu.LaunchFuncOp) -> str:
    """Of the kernel that is launched."""
    return [*op.kernel.nested_references.data][-1].data


def _if(op: Operation) -> Run:
    assert isinstance(op, scf.IfOp)

    def run(host: _Host) -> list[Known]:
        region = op.true_region if host.number(op.cond) else op.false_region
        return host.block(region.block) if region.blocks else []

    return run


def _for(op: Operation) -> Run:
    assert isinstance(op, scf.ForOp)

    def run(host: _Host) -> list[Known]:
        values = host.of(op.iter_args)
        for i in range(host.number(op.lb), host.number(op.ub), host.number(op.step)):
            host.values.update(zip(op.body.block.args, [np.int64(i), *values], strict=True))
            values = host.block(op.body.block)
        return values

    return run


def _while(op: Operation) -> Run:
    assert isinstance(op, scf.WhileOp)

    def run(host: _Host) -> list[Known]:
        values = host.of(op.arguments)
        while True:
            host.values.update(zip(op.before_region.block.args, values, strict=True))
            asked, *values = host.block(op.before_region.block)
            if not asked:
                return values
            host.values.update(zip(op.after_region.block.args, values, strict=True))
            values = host.block(op.after_region.block)

    return run


def _assert(op: Operation) -> Run:
    assert isinstance(op, cf.AssertOp)

    def run(host: _Host) -> list[Known]:
        if not host.number(op.arg):
            raise SimulationError(f"{op.msg.data}\n{where(op)}")
        return []

    return run


def _step(op: Operation) -> Step:
    if isinstance(op, scf.YieldOp | scf.ConditionOp | ReturnOp):
        return op, None, ()
    handler = next((make for known, make in HANDLERS.items() if isinstance(op, known)), _unknown)
    return op, handler(op), tuple(op.results)


def _unknown(op: Operation) -> Run:
    def run(host: _Host) -> list[Known]:
        said = op.attributes.get("op_name__")
        name = said.data if isinstance(said, StringAttr) else op.name
        what = f"{name} is for threads, and a function with @flyc.jit launches them; do it within the kernel"
        raise CompileError(f"{what}\n{where(op)}")

    return run


HANDLERS: Mapping[type[Operation], Handler] = {
    **dict.fromkeys(ARITHMETIC, _arithmetic),
    FlyOp: _fly,
    UnrealizedConversionCastOp: _cast,
    gpu.LaunchFuncOp: _launch,
    scf.IfOp: _if,
    scf.ForOp: _for,
    scf.WhileOp: _while,
    cf.AssertOp: _assert,
}
