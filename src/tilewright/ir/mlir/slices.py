"""Parts of a vector as values of another type, and back: their bits are the same."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from xdsl.dialects.builtin import AnyFloat, IntegerType, VectorType
from xdsl.dialects.vector import BitcastOp, ExtractOp, InsertOp
from xdsl.ir import Attribute, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.rewrite import Puts
from tilewright.ir.mlir.vector import ExtractStridedSliceOp, FromElementsOp, InsertStridedSliceOp, vector_of

Vector = VectorType[Attribute]


def taken(builder: Puts, vector: SSAValue, offset: int, kind: Attribute) -> SSAValue:
    """The value of a type that begins at an element of the vector.

    Raises:
        CompileError: it does not lie within the vector, or begins or ends inside an element.
    """
    element = cast(Vector, vector.type).element_type
    count = _elements(vector, offset, kind)
    if kind == element:
        return builder.put(ExtractOp(vector, [offset], element)).result
    part = builder.put(ExtractStridedSliceOp.of(vector, offset, count)).result
    return _cast(builder, part, kind)


def inserted(builder: Puts, value: SSAValue, vector: SSAValue, offset: int) -> SSAValue:
    """The vector in which the value begins at an element.

    Raises:
        CompileError: as of `taken`.
    """
    element = cast(Vector, vector.type).element_type
    count = _elements(vector, offset, value.type)
    if value.type == element:
        return builder.put(InsertOp(value, vector, [offset])).result
    part = _cast(builder, value, vector_of(element, count))
    return builder.put(InsertStridedSliceOp.of(part, vector, offset)).result


def _cast(builder: Puts, value: SSAValue, kind: Attribute) -> SSAValue:
    """The value's bits as another type; a scalar as the vector of it alone."""
    if value.type == kind:
        return value
    if not isinstance(value.type, VectorType):
        value = builder.put(FromElementsOp.of([value])).dest
    whole = kind if isinstance(kind, VectorType) else vector_of(kind, 1)
    if value.type != whole:
        value = builder.put(BitcastOp(value, whole)).result
    return value if isinstance(kind, VectorType) else builder.put(ExtractOp(value, [0], kind)).result


def _elements(vector: SSAValue, offset: int, kind: Attribute) -> int:
    whole = cast(Vector, vector.type)
    (extent,) = whole.get_shape()
    width, bits = bits_of(whole.element_type), bits_of(kind)
    count, rest = divmod(bits, width)
    if rest or count == 0 or offset < 0 or offset + count > extent:
        words = f"{kind} at element {offset} of {extent} elements of {width} bits"
        raise CompileError(f"register access must be in bounds, and use whole storage elements\nit is {words}")
    return count


def bits_of(kind: Attribute) -> int:
    """The bits of a value of a type: a vector, a float or an integer.

    >>> from xdsl.dialects.builtin import f16
    >>> bits_of(VectorType(f16, [4]))
    64
    """
    if type(kind) is VectorType:
        vector = cast(Vector, kind)
        return bits_of(vector.element_type) * vector.element_count()
    return _bits_of(kind)


@lru_cache(64)
def _bits_of(kind: Attribute) -> int:
    if isinstance(kind, IntegerType):
        return cast(int, kind.width.data)
    if isinstance(kind, AnyFloat):
        return int(kind.bitwidth)
    raise CompileError(f"a value of type {kind} is not held in registers")
