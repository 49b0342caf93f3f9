"""`Number`: a value with its element type, known or of run time, alone or a vector; and how it is converted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import prod
from typing import TypeAlias, TypeGuard, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    UnitAttr,
    VectorType,
)
from xdsl.dialects.vector import BitcastOp as VectorBitcastOp
from xdsl.dialects.vector import BroadcastOp
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.dtypes import DType
from tilewright.errors import KernelError
from tilewright.ir.core.attributes import ANYTHING
from tilewright.ir.core.conversions import steps
from tilewright.ir.mlir.arith import class_of
from tilewright.lang.core.numerics.elements import BOOL, element_of, ir_type, normal
from tilewright.lang.core.trace import result, tracing

Known: TypeAlias = "int | float | bool"
Value: TypeAlias = "Known | SSAValue"
Shape: TypeAlias = "tuple[int, ...] | None"
MOST_BITS = 64
MOST_ELEMENTS = 1 << 12  # of a vector: a thread has at most 512 registers of 32 bits


def is_known(value: Value) -> TypeGuard[int | float]:
    """Is it a number that is known while tracing?"""
    return not isinstance(value, SSAValue)


@dataclass(frozen=True)
class Number:
    """A number of a type: Python's own where it is known, else a value of the IR; `shape` is that of a vector."""

    element: DType
    value: Value
    shape: Shape = None

    @property
    def known(self) -> bool:
        """Is it known while tracing?"""
        return is_known(self.value)

    @property
    def integer(self) -> int | None:
        """The integer that it is known to be."""
        return None if isinstance(self.value, SSAValue) else int(self.value)

    @property
    def type(self) -> Attribute:
        """Its type in the IR."""
        return ir_type(self.element, self.shape)

    def ssa(self) -> SSAValue:
        """The value in the IR; of a known number a constant at the beginning of the function."""
        if isinstance(self.value, SSAValue):
            return self.value
        return constant(self.element, self.value)

    def of(self, value: Value) -> Number:
        """The same with another value."""
        return replace(self, value=value)


def of_ssa(value: SSAValue, element: DType | None = None) -> Number:
    """The number of a value of the IR."""
    kind = value.type
    if isinstance(kind, VectorType):
        shape: tuple[int, ...] = kind.get_shape()
        return Number(element or element_of(kind.element_type), value, shape)
    return Number(element or element_of(kind), value)


def constant(element: DType, value: Known) -> SSAValue:
    """A constant."""
    _require_registers(element)
    return _constant(ir_type(element), value, lambda kind: _attribute(element, value, kind))


def _attribute(element: DType, value: Known, kind: Attribute) -> Attribute:
    if element.is_float:
        return FloatAttr(value, cast("AnyFloat", kind))
    number = -int(value) if element == BOOL else _signed(int(value), element)
    return IntegerAttr(number, cast("IntegerType", kind))


def _constant(kind: Attribute, value: Known, attribute: Callable[[Attribute], Attribute]) -> SSAValue:
    def made() -> Operation:
        return arith.ConstantOp.create(result_types=[kind], properties={"value": attribute(kind)})

    return tracing().once((kind, repr(value)), made)


def _require_registers(element: DType) -> None:
    if element.bits > MOST_BITS:
        raise KernelError(f"{element} is a type of known numbers; at run time they have {MOST_BITS} bits at most")


def _signed(number: int, element: DType) -> int:
    return number - (1 << element.bits) if number >> (element.bits - 1) == 1 else number


def filled(element: DType, value: Known, shape: tuple[int, ...]) -> Number:
    """A vector of one known number."""
    held = normal(element, value)
    number: int | float = held if element.is_float else _signed(int(held), element)

    def attribute(kind: Attribute) -> Attribute:
        return DenseIntOrFPElementsAttr.from_list(cast("VectorType[AnyFloat]", kind), [number])

    return Number(element, _constant(_vector_type(element, shape), value, attribute), shape)


def anything(element: DType, shape: tuple[int, ...]) -> Number:
    """A vector of zeros that stand for what nothing has written: to be worked with, and not to be stored."""
    kind = _vector_type(element, shape)
    value = DenseIntOrFPElementsAttr.from_list(cast("VectorType[AnyFloat]", kind), [normal(element, 0)])

    def made() -> Operation:
        marked = {ANYTHING: UnitAttr()}
        return arith.ConstantOp.create(result_types=[kind], properties={"value": value}, attributes=marked)

    return Number(element, tracing().once((ANYTHING, kind), made), shape)


def broadcast(number: Number, shape: Shape) -> Number:
    """A number as a vector of that shape."""
    if shape is None or number.shape == shape:
        return number
    if number.shape is not None:
        raise KernelError(f"vectors of {number.shape} and {shape} elements do not fit together")
    if is_known(number.value):
        return filled(number.element, number.value, shape)
    return Number(number.element, result(BroadcastOp(number.ssa(), _vector_type(number.element, shape))), shape)


def _vector_type(element: DType, shape: tuple[int, ...]) -> VectorType[Attribute]:
    if not 0 < prod(shape) <= MOST_ELEMENTS:
        raise KernelError(
            f"a vector of a thread has 1 to {MOST_ELEMENTS} elements, got {prod(shape)}; take tiles of it"
        )
    return VectorType(ir_type(element), shape)


# ---- conversion


def convert(number: Number, element: DType) -> Number:
    """The number as one of another type, as C converts: integers wrap, floats round to the nearest, even of two."""
    if number.element == element:
        return number
    if is_known(number.value):
        return Number(element, normal(element, number.value))
    _require_registers(element)
    if element == BOOL:
        return _truth(number)
    for op, kind in steps(number.element, element):
        operands = [number.ssa()]
        made = class_of(op, {"operands": operands}).create(
            operands=operands, result_types=[ir_type(kind, number.shape)]
        )
        number = Number(kind, result(made), number.shape)
    return replace(number, element=element)


def _truth(number: Number) -> Number:
    zero = broadcast(Number(number.element, normal(number.element, 0)), number.shape)
    operands, kind = [number.ssa(), zero.ssa()], ir_type(BOOL, number.shape)
    predicate = IntegerAttr(13 if number.element.is_float else 1, IntegerType(64))  # une, ne
    made = class_of(arith.CmpfOp if number.element.is_float else arith.CmpiOp, {"operands": operands})
    properties: dict[str, Attribute] = {"predicate": predicate}
    if number.element.is_float:
        properties["fastmath"] = arith.FastMathFlagsAttr("none")
    found = result(made.create(operands=operands, result_types=[kind], properties=properties))
    return Number(BOOL, found, number.shape)


def bitcast(number: Number, element: DType) -> Number:
    """The same bits as numbers of another type; of a vector the number of elements follows their bits.

    Raises:
        KernelError: the bits do not fill elements of the type.
    """
    count = 1 if number.shape is None else number.shape[-1]
    total = count * _bits(number.element)
    if total % _bits(element) or (number.shape is None and total != _bits(element)):
        raise KernelError(f"{total} bits of {number.element} are no {element} of {_bits(element)} bits")
    if number.shape is None:
        made: Operation = arith.BitcastOp.create(operands=[number.ssa()], result_types=[ir_type(element)])
        same = ir_type(number.element) == ir_type(element)
        return Number(element, number.ssa() if same else result(made))
    shape = (*number.shape[:-1], total // _bits(element))
    if ir_type(number.element, number.shape) == ir_type(element, shape):
        return Number(element, number.ssa(), shape)
    return Number(
        element,
        result(VectorBitcastOp.create(operands=[number.ssa()], result_types=[ir_type(element, shape)])),
        shape,
    )


def _bits(element: DType) -> int:
    return 1 if element == BOOL else element.bits
