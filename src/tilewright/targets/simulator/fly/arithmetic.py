"""Handlers of `arith` on numbers and on vectors, element by element, and of choices between values of fly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TypeAlias, cast

import numpy as np
from xdsl.dialects import arith
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, VectorType
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Attribute, Operation

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import ANYTHING
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.mlir.arith import SCALARS, of_one
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.elements import given
from tilewright.targets.simulator.fly.values import Vector
from tilewright.targets.simulator.memory.access import Array, Compound, Number, Value, select
from tilewright.targets.simulator.ops.arithmetic import ARITHMETIC, DIVISIONS, SHIFTS, meaning, numpy_type
from tilewright.targets.simulator.ops.scalar import SCALAR_HANDLERS, refuse_lanes
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

Kind: TypeAlias = "VectorType[Attribute]"


def elements_of(kind: Attribute) -> Attribute:
    """The type of a vector's elements; of another type itself."""
    return cast("Kind", kind).element_type if isinstance(kind, VectorType) else kind


def _arithmetic(compiler: Compiler, op: Operation) -> Step | None:
    if not any(isinstance(value.type, VectorType) for value in (*op.operands, *op.results)):
        if isinstance(op, arith.SelectOp) and isinstance(op.result.type, FlyType):
            return _select(compiler, op)
        return SCALAR_HANDLERS[type(op)](compiler, op)
    function, slots, result = meaning(of_one(op)), list(map(compiler.slot, op.operands)), compiler.slot(op.results[0])
    check = _check(op)

    def step(frame: Frame) -> None:
        operands = [frame.values[slot] for slot in slots]
        values = [cast("Number", given(frame, op, value)) for value in operands]
        check(frame, values[-1])
        found = np.asarray(function(*values))
        vector = isinstance(op.results[0].type, VectorType)
        frame.values[result] = Vector(found, None, anything(op, operands)) if vector else found

    return step


def _check(op: Operation) -> Callable[[Frame, Number], None]:
    bits = 8 * numpy_type(elements_of(op.results[0].type)).itemsize

    def check(frame: Frame, right: Number) -> None:
        number = np.asarray(right)
        wrong = number == 0 if isinstance(op, DIVISIONS) else (number < 0) | (number >= bits)
        what = "division by zero" if isinstance(op, DIVISIONS) else f"a shift by a number outside 0..{bits - 1}"
        refuse_lanes(frame, wrong, what, op)

    return check if isinstance(op, (*DIVISIONS, *SHIFTS)) else lambda frame, right: None


def anything(op: Operation, operands: Sequence[Value]) -> Array | None:
    """Which elements of a result are anything: those that come of such, of a choice those that are chosen."""
    flags = [value.anything if isinstance(value, Vector) else None for value in operands]
    if all(one is None for one in flags):
        return None
    said = [np.zeros((), bool) if one is None else one for one in flags]
    if op.name != arith.SelectOp.name or flags[0] is not None:
        return cast("Array", reduce(np.logical_or, said))
    condition = operands[0].values if isinstance(operands[0], Vector) else np.asarray(operands[0])
    return np.where(condition, *said[1:])


def _select(compiler: Compiler, op: arith.SelectOp) -> Step:
    """A choice between values of fly."""
    condition, yes, no = map(compiler.slot, op.operands)
    result = compiler.slot(op.result)

    def step(frame: Frame) -> None:
        chosen = frame.domain.decide(frame.operand(condition))
        one, other = frame.values[yes], frame.values[no]
        if np.ndim(chosen) == 0:
            frame.values[result] = one if chosen else other
            return
        assert isinstance(one, Compound)
        assert isinstance(other, Compound)
        frame.values[result] = one.with_(other, lambda a, b: a if a is b else select(chosen, a, b))  # type: ignore[arg-type]  # numbers

    return step


def _constant(compiler: Compiler, op: arith.ConstantOp) -> Step | None:
    if not isinstance(op.result.type, VectorType):
        return SCALAR_HANDLERS[arith.ConstantOp](compiler, op)
    if not isinstance(op.value, DenseIntOrFPElementsAttr):
        raise CompileError(f"the vector {op.value} is no list of numbers\n{where(op)}")
    shape, kind = cast("Kind", op.result.type).get_shape(), numpy_type(elements_of(op.result.type))
    found = np.array(list(op.value.get_values())).astype(kind)
    whole = np.broadcast_to(found, (int(np.prod(shape)),)).reshape(*shape, 1, 1)
    marked = np.ones(whole.shape, bool) if ANYTHING in op.attributes else None
    compiler.constants[compiler.slot(op.result)] = Vector(whole, None, marked)
    return None


def _poison(compiler: Compiler, op: PoisonOp) -> Step | None:
    """A vector of which no element has a value."""
    result, kind = compiler.slot(op.result), op.result.type
    if not isinstance(kind, VectorType):
        raise CompileError(f"a value that is undefined is not simulated, but for vectors\n{where(op)}")
    shape = (*cast("Kind", kind).get_shape(), 1, 1)
    compiler.constants[result] = Vector(np.zeros(shape, numpy_type(elements_of(kind))), np.zeros(shape, bool))
    return None


ARITHMETIC_HANDLERS: Mapping[type[Operation], Handler] = {
    **dict.fromkeys((*ARITHMETIC, *SCALARS), _arithmetic),
    arith.ConstantOp: _constant,
    PoisonOp: _poison,
}
