"""Runs a module of the dialect `fly`: its host function here, op by op, each launch of a kernel on the simulator."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from xdsl.dialects import arith, cf, gpu, scf
from xdsl.dialects.builtin import IndexType, IntegerType, ModuleOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tilewright.arch.target import Target
from tilewright.errors import CompileError, SimulationError
from tilewright.ir.core.location import place
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.ops import FlyOp
from tilewright.ir.fly.reference import results as reference_results
from tilewright.ir.fly.types import MemRef, Pointer, Value
from tilewright.ir.fly.worked import in_form
from tilewright.passes.fly.pipeline import STAGES, lowered
from tilewright.runtime.session import Session
from tilewright.targets.arguments import Array
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.kernel import FLY_HANDLERS, Given, launched, parameter_leaves, unknown
from tilewright.targets.simulator.fly.memories import pointer_of
from tilewright.targets.simulator.fly.values import filled
from tilewright.targets.simulator.ops.arithmetic import ARITHMETIC, constant, meaning
from tilewright.targets.simulator.options import SimOptions
from tilewright.targets.simulator.simulate import Simulator

Extents: TypeAlias = "tuple[int, int, int]"
MOST_STEPS = 1 << 20
"""Ops that a host function executes at most."""


@dataclass(frozen=True)
class Memory:
    """What a host function knows of memory: its elements one after the other, and the value of its type."""

    array: Array
    value: Value

    @staticmethod
    def of(array: Array, kind: Attribute, leaves: Sequence[int]) -> Memory:
        """Memory that is given for a parameter, with the integers of its run-time leaves."""
        assert isinstance(kind, FlyType)
        return Memory(array, filled(kind.value, leaves))


Known: TypeAlias = "Memory | Value | int | float | bool | np.generic | Array | None"


@dataclass
class FlyModule:
    """A module with a host function, ready to run; what a launch was compiled to is kept.

    Args:
        module: with kernels in `gpu.module`s and one `func.func`.
        target: the simulator of an architecture.
        stage: at which the module is.
    """

    module: ModuleOp
    target: Target
    stage: str = STAGES[0]
    _stages: dict[str, FlyModule] = field(default_factory=dict)
    _launches: dict[tuple[object, ...], tuple[ModuleOp, Simulator]] = field(default_factory=dict)

    def at(self, stage: str) -> FlyModule:
        """The same lowered to a stage, once; its launches do the same.

        Raises:
            UsageError: no such stage. CompileError: a pass refuses.
        """
        if stage != self.stage and stage not in self._stages:
            self._stages[stage] = FlyModule(lowered(self.module, self.stage, stage), self.target, stage)
        return self if stage == self.stage else self._stages[stage]

    def run(self, arguments: Sequence[Known], options: SimOptions) -> None:
        """One call of the host function, with arrays changed in place.

        Raises:
            SimulationError: a kernel does something undefined. CompileError: an op without a meaning here.
        """
        host = next(op for op in self.module.ops if isinstance(op, FuncOp))
        block = host.body.block
        given = [*arguments, *[None] * (len(block.args) - len(arguments))]
        values: dict[SSAValue, Known] = dict(zip(block.args, given, strict=True))
        _Host(self, options, values).block(block)

    def launch(
        self, op: gpu.LaunchFuncOp, arguments: Sequence[Known], extents: Sequence[int], options: SimOptions
    ) -> None:
        """One launch."""
        func = self._kernel(op)
        grid, block = (extents[0], extents[1], extents[2]), (extents[3], extents[4], extents[5])
        shared = extents[6] if len(extents) > 6 else None
        given, arrays = list[Given](), list[object]()
        for argument, kind in zip(arguments, (x.type for x in func.body.block.args), strict=True):
            one, array = _given(argument, kind)
            given.append(one)
            arrays += array
        module, simulator = self._compiled(func, given, grid, block, shared)
        session = Session.current() or Session()
        session.run(simulator, module, arrays, self.target, options)

    def _kernel(self, op: gpu.LaunchFuncOp) -> gpu.FuncOp:
        name = [*op.kernel.nested_references.data][-1].data
        found = (x for x in self.module.walk() if isinstance(x, gpu.FuncOp) and x.sym_name.data == name)
        return next(found)

    def _compiled(
        self, func: gpu.FuncOp, given: Sequence[Given], grid: Extents, block: Extents, shared: int | None
    ) -> tuple[ModuleOp, Simulator]:
        key = (func.sym_name.data, tuple(given), grid, block, shared)
        if key not in self._launches:
            made = launched(func, given, grid, block, shared)
            refused = unknown(op for x in made.ops if isinstance(x, FuncOp) for op in x.body.walk())
            if refused:
                raise CompileError(f"the simulator has no meaning for {refused[0].name}\n{where(refused[0])}")
            self._launches[key] = made, Simulator(made, FLY_HANDLERS)
        return self._launches[key]


def _given(argument: Known, kind: Attribute) -> tuple[Given, list[object]]:
    """What the simulator is told of a parameter, and the array or number that it is given."""
    if isinstance(argument, Memory):
        pointer = argument.value.pointer if isinstance(argument.value, MemRef) else argument.value
        assert isinstance(pointer, Pointer)
        assert isinstance(kind, FlyType)
        array = argument.array[int(pointer.distance) :]  # type: ignore[arg-type]  # known
        numbers = () if isinstance(argument.value, Pointer) else tuple(map(int, in_form(argument.value, kind.value)[0]))  # type: ignore[arg-type]  # known
        return Given(array.size, numbers), [array]
    if pointer_of(kind) is not None or not isinstance(kind, FlyType):
        return Given(), [argument]
    wanted = parameter_leaves(kind)
    numbers = tuple(int(x) for x in in_form(argument, kind.value)[0]) if wanted else ()  # type: ignore[arg-type]  # known
    return Given(None, numbers), []


class _Host:
    """Executes a host function on known values."""

    def __init__(self, module: FlyModule, options: SimOptions, values: dict[SSAValue, Known]) -> None:
        self.module, self.options, self.values = module, options, values
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
        handler = next((run for kind, run in _HANDLERS.items() if isinstance(op, kind)), None)
        if handler is None:
            raise CompileError(f"a host function has no {op.name}; do it within the kernel{place(op)}")
        found = handler(self, op)
        self.values.update(zip(op.results, found, strict=True))

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
    extents = [host.number(x) for x in sizes]
    if min(extents) < 1:
        raise CompileError(f"a launch of {extents[:3]} blocks of {extents[3:]} threads\n{where(op)}")
    if op.dynamicSharedMemorySize is not None:
        extents.append(host.number(op.dynamicSharedMemorySize))
    host.module.launch(op, [host.values[x] for x in op.kernelOperands], extents, host.options)
    return [None] * len(op.results)


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


_HANDLERS: Mapping[type[Operation], Callable[[_Host, Operation], list[Known]]] = {
    arith.ConstantOp: _constant,
    **dict.fromkeys(ARITHMETIC, _arithmetic),
    FlyOp: _fly,
    gpu.LaunchFuncOp: _launch,
    scf.IfOp: _if,
    scf.ForOp: _for,
    scf.WhileOp: _while,
    cf.AssertOp: _assert,
}
