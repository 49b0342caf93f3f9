"""The dialect `vector` with the ops that xDSL lacks: slices of vectors, and vectors from and to their elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import ClassVar, cast

from xdsl.dialects import vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntegerAttr, VectorType, i64
from xdsl.ir import Attribute, Dialect, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
    var_result_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.core.created import created
from tilewright.ir.mlir.spelling import Spelling

Vector = VectorType[Attribute]


def integers(array: Attribute) -> tuple[int, ...]:
    """Those of an array attribute."""
    items = array.data if isinstance(array, ArrayAttr) else ()
    return tuple(item.value.data for item in items if isinstance(item, IntegerAttr))


@lru_cache(1024)
def _one(value: int) -> ArrayAttr[IntegerAttr]:
    return ArrayAttr([IntegerAttr(value, i64)])


@lru_cache(1024)
def vector_of(element: Attribute, size: int) -> Vector:
    """The type of vectors of one dimension."""
    return VectorType(element, [size])


@irdl_op_definition
class ExtractStridedSliceOp(IRDLOperation):
    """`size` elements of a vector from an offset on."""

    name = "vector.extract_strided_slice"
    vector = operand_def(VectorType)
    offsets = prop_def(ArrayAttr)
    sizes = prop_def(ArrayAttr)
    strides = prop_def(ArrayAttr)
    result = result_def(VectorType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$vector attr-dict `:` type($vector) `to` type($result)"

    @classmethod
    def of(cls, source: SSAValue, offset: int, size: int) -> ExtractStridedSliceOp:
        """That of a vector of one dimension."""
        element = cast(Vector, source.type).element_type
        properties = {"offsets": _one(offset), "sizes": _one(size), "strides": _one(1)}
        return created(cls, [source], [vector_of(element, size)], properties)

    def verify_(self) -> None:
        """The slice lies within the vector."""
        _verify_slice(self.vector.type, self.result.type, self.offsets, self.strides)


@irdl_op_definition
class InsertStridedSliceOp(IRDLOperation):
    """A vector in which a shorter one stands from an offset on."""

    name = "vector.insert_strided_slice"
    _WHOLE: ClassVar = VarConstraint("WHOLE", base(VectorType))
    source = operand_def(VectorType)
    dest = operand_def(_WHOLE)
    offsets = prop_def(ArrayAttr)
    strides = prop_def(ArrayAttr)
    result = result_def(_WHOLE)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    assembly_format = "$source `,` $dest attr-dict `:` type($source) `into` type($dest)"

    @classmethod
    def of(cls, source: SSAValue, dest: SSAValue, offset: int) -> InsertStridedSliceOp:
        """That of vectors of one dimension."""
        properties = {"offsets": _one(offset), "strides": _one(1)}
        return created(cls, [source, dest], [dest.type], properties)

    def verify_(self) -> None:
        """The slice lies within the vector."""
        _verify_slice(self.dest.type, self.source.type, self.offsets, self.strides)


def _verify_slice(whole: Attribute, part: Attribute, offsets: Attribute, strides: Attribute) -> None:
    within, taken = cast(Vector, whole), cast(Vector, part)
    starts, steps = integers(offsets), integers(strides)
    sizes, extents = taken.get_shape(), within.get_shape()
    if within.element_type != taken.element_type or not len(starts) == len(steps) == len(sizes) == len(extents):
        raise VerifyException(f"expected a slice of {whole} with one offset and stride per dimension, got {part}")
    for start, step, size, extent in zip(starts, steps, sizes, extents, strict=True):
        if step != 1 or start < 0 or start + size > extent:
            raise VerifyException(f"{size} elements from offset {start} on by {step} do not lie within {extent}")


@irdl_op_definition
class FromElementsOp(IRDLOperation):
    """A vector of its elements."""

    name = "vector.from_elements"
    elements = var_operand_def()
    dest = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def of(cls, elements: Sequence[SSAValue]) -> FromElementsOp:
        """A vector of one dimension, of at least one element."""
        made = VectorType(elements[0].type, [len(elements)])
        return cls.create(operands=elements, result_types=[made])

    @classmethod
    def parse(cls, parser: Parser) -> FromElementsOp:
        """`%a, %b : vector<2xf32>`."""
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        made = _vector_type(parser)
        operands = [parser.resolve_operand(name, made.element_type) for name in names]
        return cls.create(operands=operands, result_types=[made], attributes=attributes)

    def print(self, printer: Printer) -> None:
        """As `parse` reads it."""
        printer.print_string(" ")
        printer.print_list(self.elements, printer.print_ssa_value)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.dest.type)

    def verify_(self) -> None:
        """As many elements as the vector has."""
        _verify_elements(self.dest.type, [element.type for element in self.elements])


@irdl_op_definition
class ToElementsOp(IRDLOperation):
    """The elements of a vector, one result each."""

    name = "vector.to_elements"
    source = operand_def(VectorType)
    elements = var_result_def()
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> ToElementsOp:
        """`%v : vector<2xf32>`."""
        name = parser.parse_unresolved_operand()
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation(":")
        taken = _vector_type(parser)
        results = [taken.element_type] * taken.element_count()
        source = parser.resolve_operand(name, taken)
        return cls.create(operands=[source], result_types=results, attributes=attributes)

    def print(self, printer: Printer) -> None:
        """As `parse` reads it."""
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_op_attributes(self.attributes)
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)

    def verify_(self) -> None:
        """As many results as the vector has elements."""
        _verify_elements(self.source.type, list(self.result_types))


def _vector_type(parser: Parser) -> Vector:
    start = parser.pos
    found = parser.parse_type()
    if not isinstance(found, VectorType):
        parser.raise_error("expected a vector type", start, parser.pos)
    return cast(Vector, found)


def _verify_elements(whole: Attribute, elements: Sequence[Attribute]) -> None:
    found = cast(Vector, whole)
    if list(elements) != [found.element_type] * found.element_count():
        raise VerifyException(f"expected the {found.element_count()} elements of {whole}, got {len(elements)}")


def _show_insert(op: vector.InsertOp, printer: Printer) -> None:
    dynamic = iter(op.dynamic_position)
    printer.print_string(" ")
    printer.print_list([op.source, op.dest], printer.print_ssa_value)
    printer.print_string(" ")
    with printer.in_square_brackets():
        for i, position in enumerate(op.static_position.get_values()):
            printer.print_string(", " if i else "")
            if position == DYNAMIC_INDEX:
                printer.print_ssa_value(next(dynamic))
            else:
                printer.print_string(str(position))
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.source.type)
    printer.print_string(" into ")
    printer.print_attribute(op.dest.type)


VECTOR = Dialect(
    "vector",
    [*vector.Vector.operations, ExtractStridedSliceOp, InsertStridedSliceOp, FromElementsOp, ToElementsOp],
    list(vector.Vector.attributes),
)
SPELLINGS: Mapping[type[Operation], Spelling] = MappingProxyType({vector.InsertOp: Spelling(_show_insert)})
