"""Arithmetic on element values: Python's signs become `arith` ops by the element type.

Unsigned integers are stored as `ui32` and computed on as `i32`: `builtin.unrealized_conversion_cast` relates the two,
since MLIR's arithmetic has signless operands and puts the sign into the op.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import TypeAlias, cast

from xdsl.builder import Builder
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    UnrealizedConversionCastOp,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.dtypes import DType, dtype
from tilewright.errors import KernelError
from tilewright.ir.core.conversions import INDEX, steps
from tilewright.ir.core.element_types import element_dtype, ir_type
from tilewright.ir.core.facts import BINARY, PREDICATE_OF, SIGNED
from tilewright.ir.core.narrow import SCALE, TF32, is_converted, usual
from tilewright.ir.core.narrowing import NarrowOp

BinaryOp: TypeAlias = Callable[[SSAValue, SSAValue], Operation]

BOOL = dtype("bool")
_MOVED = ("complex", "vector")  # kinds that are not computed on
_COMPUTED_FLOATS = ("float16", "bfloat16", "float32", "float64")
_KINDS = ("float", "int", "uint", "bool", "index")
_OPS: Mapping[str, Mapping[str, BinaryOp]] = {
    kind: {row.sign: row.op for row in BINARY if kind in row.kinds} for kind in _KINDS
}


class ElementBuilder:
    """Builds element arithmetic at the insertion point of `builder`; operands have one type already."""

    def __init__(self, builder: Builder) -> None:
        self.builder = builder

    def constant(self, value: bool | int | float, element: DType) -> SSAValue:
        """The constant as an element.

        Raises:
            KernelError: the type cannot hold it.
        """
        if element.kind == "float":
            return self._insert(arith.ConstantOp(_float(value, element)))
        if element.kind in _MOVED:
            raise KernelError(f"there are no numbers of type {element}; its elements can be moved only")
        if not isinstance(value, int):
            raise KernelError(f"the number {value!r} is no {element}; write an integer, or T.cast({value!r}, ..)")
        lowest, highest = integer_limits(element)
        if not lowest <= value <= highest:
            raise KernelError(f"the number {value} does not fit {element}, which holds {lowest} to {highest}")
        width = 1 if element.kind == "bool" else element.bits
        signless = IntegerType(width)
        folded = value - (1 << width) if element.kind == "uint" and value >> (width - 1) else int(value)
        return self._typed(self._insert(arith.ConstantOp(IntegerAttr(folded, signless))), ir_type(element))

    def binary(self, sign: str, left: SSAValue, right: SSAValue) -> SSAValue:
        """left sign right, rounding as Python does; `min` and `max` are signs too."""
        kind, what = kind_of(left)
        if kind == "int" and sign == "%":
            whole = self.binary("*", self.binary("//", left, right), right)
            return self.binary("-", left, whole)
        op = _OPS[kind].get(sign)
        if op is None:
            raise KernelError(f"{sign!r} is not defined on {what}; it has {' '.join(_OPS[kind])}")
        return self._typed(self._insert(op(self._signless(left), self._signless(right))), left.type)

    def fma(self, left: SSAValue, right: SSAValue, added: SSAValue) -> SSAValue:
        """left * right + added of floats, rounded once."""
        kind, what = kind_of(left)
        if kind != "float":
            raise KernelError(f"fma is not defined on {what}")
        return self._insert(math.FmaOp(left, right, added))

    def compare(self, sign: str, left: SSAValue, right: SSAValue) -> SSAValue:
        """left sign right as a bool; a comparison with a NaN is false, except `!=`."""
        kind, what = kind_of(left)
        predicate = PREDICATE_OF.get((SIGNED if kind in ("index", "bool") else kind, sign))
        if predicate is None:
            raise KernelError(f"{sign!r} is not defined on {what}")
        op = arith.CmpfOp if kind == "float" else arith.CmpiOp
        return self._insert(op(self._signless(left), self._signless(right), predicate))

    def negate(self, value: SSAValue) -> SSAValue:
        """-value."""
        kind, _ = kind_of(value)
        if kind == "float":
            return self._insert(arith.NegfOp(value))
        return self.binary("-", self.constant(0, element_dtype(value.type)), value)

    def select(self, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
        """yes where the condition holds, else no; both are evaluated."""
        return self._insert(arith.SelectOp(condition, yes, no))

    def cast(self, value: SSAValue, element: DType) -> SSAValue:
        """The value as another element type: floats round to nearest, integers wrap, float to integer truncates."""
        if value.type == ir_type(element):
            return value
        if isinstance(value.type, IndexType):
            if element.kind == "float":
                return self.cast(self._insert(arith.IndexCastOp(value, i64)), element)
            return self._typed(self._stepped(value, INDEX, element), ir_type(element))
        source = element_dtype(value.type)
        if source != element and is_converted(source):
            return self.cast(self._widened(value, source, element), element)
        if is_converted(element):
            return self._narrowed(value, source, element)
        _computable(source)
        _computable(element)
        if element.kind == "bool":
            return self.compare("!=", value, self.constant(0, source))
        return self._typed(self._stepped(value, source, element), ir_type(element))

    def as_index(self, value: SSAValue) -> SSAValue:
        """An integer element as an index."""
        kind, what = kind_of(value)
        if kind == "index":
            return value
        if kind not in ("int", "uint"):
            raise KernelError(f"an index is an integer, got {what}")
        return self._stepped(value, element_dtype(value.type), INDEX)

    def _widened(self, value: SSAValue, source: DType, element: DType) -> SSAValue:
        """A narrow float as one that is computed on: as the wanted one where that holds all its numbers."""
        holds = element.name in _COMPUTED_FLOATS and element.bits < 64 and source.name not in (TF32, SCALE)
        return self._insert(arith.ExtFOp(value, _float_type(element if holds else dtype("float32"))))

    def _narrowed(self, value: SSAValue, source: DType, element: DType) -> SSAValue:
        """A float as a narrow one; others go through a float that holds what matters of them."""
        if element.name == TF32 and source.name != "float32":
            value = self.cast(value, dtype("float32"))
        elif source.kind != "float":
            wide = element.name == SCALE and source.bits > 16
            value = self.cast(value, dtype("float64" if wide else "float32"))
        return self._insert(NarrowOp(usual(element), value, element))

    def _stepped(self, value: SSAValue, source: DType, element: DType) -> SSAValue:
        for op, kind in steps(source, element):
            make: Callable[..., Operation] = op
            value = self._insert(make(self._signless(value), _signless_type(kind)))
        return value

    def _signless(self, value: SSAValue) -> SSAValue:
        if not isinstance(value.type, IntegerType):
            return value
        signless = IntegerType(value.type.width.data)
        return value if value.type == signless else self._typed(value, signless)

    def _typed(self, value: SSAValue, kind: Attribute) -> SSAValue:
        if value.type == kind:
            return value
        owner = value.owner
        if isinstance(owner, UnrealizedConversionCastOp) and owner.inputs[0].type == kind:
            return owner.inputs[0]
        return self._insert(UnrealizedConversionCastOp(operands=[[value]], result_types=[[kind]]))

    def _insert(self, op: Operation) -> SSAValue:
        return self.builder.insert(op).results[0]


def _signless_type(element: DType) -> Attribute:
    if element == INDEX:
        return IndexType()
    return ir_type(element) if element.kind == "float" else IntegerType(element.bits)


def _float_type(element: DType) -> AnyFloat:
    return cast(AnyFloat, ir_type(element))


def kind_of(value: SSAValue) -> tuple[str, str]:
    """The kind of a value, for the tables above, and the name of its type, for messages.

    Raises:
        KernelError: nothing can be computed on that type.
    """
    if isinstance(value.type, IndexType):
        return "index", "an index"
    if value.type == i1:
        return "bool", "a bool"
    element = element_dtype(value.type)
    _computable(element)
    return element.kind, str(element)


def _float(value: float, element: DType) -> FloatAttr[AnyFloat]:
    """The number, rounded to the type."""
    try:
        found = FloatAttr(float(value), _float_type(element))
    except (OverflowError, ValueError) as error:
        raise KernelError(f"the number {value!r} does not fit {element}: {error}") from None
    if isfinite(value) and not isfinite(found.value.data):
        raise KernelError(f"the number {value!r} does not fit {element}: it would become {found.value.data}")
    return found


def integer_limits(element: DType) -> tuple[int, int]:
    """The lowest and the highest value of an integer type."""
    if element.kind == "bool":
        return 0, 1
    return (
        (0, 2**element.bits - 1)
        if element.kind == "uint"
        else (-(2 ** (element.bits - 1)), 2 ** (element.bits - 1) - 1)
    )


def _computable(element: DType) -> None:
    if element.kind in _MOVED or (element.kind == "float" and element.name not in _COMPUTED_FLOATS):
        raise KernelError(f"{element} elements can be moved, not computed on")
