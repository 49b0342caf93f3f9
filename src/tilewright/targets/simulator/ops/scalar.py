"""Handlers of arithmetic, constants, ids, and memory on flat memrefs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from xdsl.dialects import arith, gpu, memref
from xdsl.dialects.builtin import IndexType, MemRefType
from xdsl.dialects.func import ReturnOp
from xdsl.ir import Operation, SSAValue

from tilewright.errors import CompileError, SimulationError
from tilewright.ir.core.bounds import only_asserted
from tilewright.ir.core.lookup import LookupOp
from tilewright.ir.core.ranges import constant_of
from tilewright.ir.tile.together import SyncOp
from tilewright.ir.tile.types import GLOBAL, space_of
from tilewright.targets.launch import refuse_bool_arithmetic, where
from tilewright.targets.simulator.memory.access import Function, Number, Operand
from tilewright.targets.simulator.ops.arithmetic import ARITHMETIC, DIVISIONS, SHIFTS, constant, meaning, numpy_type
from tilewright.targets.simulator.ops.steady import constant_lanes, steady
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step
from tilewright.targets.simulator.sites import Site


def _constant(compiler: Compiler, op: arith.ConstantOp) -> None:
    compiler.constants[compiler.slot(op.result)] = constant(op)


def _arithmetic(compiler: Compiler, op: Operation) -> Step:
    refuse_bool_arithmetic(op)
    function = meaning(op)
    operands = [compiler.slot(operand) for operand in op.operands]
    result = compiler.slot(op.results[0])
    check = _check(op)
    counters = None if check else steady(compiler, op)

    def one(frame: Frame) -> None:
        frame.values[result] = frame.domain.apply(function, frame.operand(operands[0]))

    def two(frame: Frame) -> None:
        frame.values[result] = frame.domain.apply(function, frame.operand(operands[0]), frame.operand(operands[1]))

    def checked(frame: Frame) -> None:
        check(frame, frame.operand(operands[1]))  # type: ignore[misc]  # called only where it is not None
        two(frame)

    def three(frame: Frame) -> None:
        frame.values[result] = frame.domain.apply(function, *(frame.operand(operand) for operand in operands))

    def once(frame: Frame) -> None:
        key = result, *[frame.values[counter] for counter in counters or ()]
        if any(type(counter) is not int for counter in key):  # lanes count for themselves
            frame.values[result] = frame.domain.apply(function, *frame.operands(operands))
            return
        found = frame.domain.recall(key)
        if found is None:
            found = frame.domain.keep(key, frame.domain.apply(function, *frame.operands(operands)))
        frame.values[result] = found

    if counters is not None:
        return once
    return checked if check else (one, two, three)[len(operands) - 1]


def _compare(compiler: Compiler, op: arith.CmpiOp) -> Step | None:
    return None if only_asserted(op) else _arithmetic(compiler, op)


def _check(op: Operation) -> Callable[[Frame, Operand], None] | None:
    if isinstance(op, DIVISIONS):
        if constant_of(op.operands[1]):
            return None
        return _refuse(op, lambda right: right == 0, "division by zero")
    if isinstance(op, SHIFTS):
        bits = numpy_type(op.results[0].type).itemsize * 8
        known = constant_of(op.operands[1])
        if known is not None and 0 <= known < bits:
            return None
        return _refuse(op, lambda right: (right < 0) | (right >= bits), f"a shift by a number outside 0..{bits - 1}")
    return None


def _refuse(op: Operation, wrong: Function, what: str) -> Callable[[Frame, Operand], None]:
    return lambda frame, right: refuse_lanes(frame, frame.domain.apply(wrong, right), what, op)


def refuse_lanes(frame: Frame, wrong: Operand, what: str, op: Operation) -> None:
    """Raises `SimulationError` with the first active lane of which it holds; axes before the lanes' are of vectors."""
    found = frame.domain.decide(wrong)
    if np.any(found if frame.mask is None else found & frame.mask):
        held = np.asarray(found)
        by_lane = np.asarray(held.any(axis=tuple(range(held.ndim - 2)))) if held.ndim > 2 else held
        bad = frame.domain.outside(by_lane, 0, 1, frame.mask)
        assert bad is not None, "a recorder leaves errors to lanes"
        raise SimulationError(f"{bad[1]}: {what}\n{where(op)}")


def _lookup(compiler: Compiler, op: LookupOp) -> Step:
    index, result, table = compiler.slot(op.index), compiler.slot(op.result), np.array(op.table, np.int64)
    size = len(table)
    check = _refuse(op, lambda at: (at < 0) | (at >= size), f"an index outside a table of {size} numbers")

    def number(at: Number) -> Number:
        return int(table[min(max(at, 0), size - 1)]) if isinstance(at, int) else table.take(at, mode="clip")

    def step(frame: Frame) -> None:
        check(frame, frame.operand(index))
        frame.values[result] = frame.domain.apply(number, frame.operand(index))

    return step


def _id(compiler: Compiler, op: gpu.ThreadIdOp | gpu.BlockIdOp) -> Step:
    result, axis = compiler.slot(op.result), "xyz".index(op.dimension.data)
    constant_lanes(compiler, op.result)
    if isinstance(op, gpu.ThreadIdOp):
        return lambda frame: frame.values.__setitem__(result, frame.domain.thread_id(axis))
    return lambda frame: frame.values.__setitem__(result, frame.domain.block_id(axis))


def _alloca(compiler: Compiler, op: memref.AllocaOp) -> Step:
    result, kind, size = compiler.slot(op.memref), memref_type(op.memref), flat_size(op.memref)
    space = space_of(op.memref)
    if space == GLOBAL:
        raise CompileError(f'memref.alloca needs the space "shared" or "local"\n{where(op)}')

    def step(frame: Frame) -> None:
        frame.values[result] = frame.domain.allocate(op, kind.element_type, size, space)

    return step


def _load(compiler: Compiler, op: memref.LoadOp) -> Step:
    buffer, index, result = compiler.slot(op.memref), compiler.slot(_index(op)), compiler.slot(op.res)
    site = _site(compiler, op, "load", op.memref)

    def step(frame: Frame) -> None:
        frame.values[result] = frame.memory(buffer).load(frame.domain, frame.operand(index), frame.mask, site)

    return step


def _store(compiler: Compiler, op: memref.StoreOp) -> Step:
    buffer, index, value = compiler.slot(op.memref), compiler.slot(_index(op)), compiler.slot(op.value)
    site = _site(compiler, op, "store", op.memref)

    def step(frame: Frame) -> None:
        given = frame.operand(value)
        frame.memory(buffer).store(frame.domain, frame.operand(index), given, frame.mask, site)

    return step


def _sync(compiler: Compiler, op: SyncOp) -> Step:
    scope = op.scope.data
    return lambda frame: frame.domain.barrier(op, scope, frame.mask)


def memref_type(value: SSAValue) -> MemRefType[Any]:
    """The type of a memref value."""
    return cast("MemRefType[Any]", value.type)


def flat_size(value: SSAValue) -> int:
    """The elements of a flat memref.

    Raises:
        CompileError: the memref is not of one static dimension.
    """
    shape = memref_type(value).get_shape()
    if len(shape) != 1 or shape[0] < 0:
        raise CompileError(f"the simulator takes memrefs of one static dimension, got {value.type}")
    return shape[0]


def _site(compiler: Compiler, op: memref.LoadOp | memref.StoreOp, kind: str, memory: SSAValue) -> Site:
    width, size = numpy_type(memref_type(memory).element_type).itemsize, memref_type(memory).get_shape()[0]
    inside = compiler.ranges.within(_index(op), 0, size)
    return compiler.site(op, kind, memory, space_of(memory), width, inside=inside)


def _index(op: memref.LoadOp | memref.StoreOp) -> SSAValue:
    if len(op.indices) != 1 or not isinstance(op.indices[0].type, IndexType):
        raise CompileError(f"the simulator takes one index into a flat memref\n{where(op)}")
    return op.indices[0]


SCALAR_HANDLERS: dict[type[Operation], Handler] = {
    arith.ConstantOp: _constant,
    **dict.fromkeys(ARITHMETIC, _arithmetic),
    LookupOp: _lookup,
    arith.CmpiOp: _compare,
    gpu.ThreadIdOp: _id,
    gpu.BlockIdOp: _id,
    memref.AllocaOp: _alloca,
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    SyncOp: _sync,
    ReturnOp: lambda compiler, op: None,
}
