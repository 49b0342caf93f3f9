"""What xDSL's `arith` lacks of MLIR's."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerType, VectorType
from xdsl.ir import Attribute, Dialect, Operation
from xdsl.irdl import IRDLOperation, base, irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.ir.mlir.spelling import Spelling


@irdl_op_definition
class IndexCastUIOp(IRDLOperation):
    """An index as an integer, or an integer as an index, whose bits are read without a sign."""

    name = "arith.index_castui"

    input = operand_def(base(IntegerType) | base(IndexType))
    result = result_def(base(IntegerType) | base(IndexType))
    traits = traits_def(Pure())
    assembly_format = "$input attr-dict `:` type($input) `to` type($result)"

    def verify_(self) -> None:
        """One of the two is an index."""
        if isinstance(self.input.type, IndexType) == isinstance(self.result.type, IndexType):
            types = f"operand type '{self.input.type}' and result type '{self.result.type}'"
            raise VerifyException(f"'{self.name}' op {types} are cast incompatible")


@irdl_op_definition
class VectorIndexCastOp(IRDLOperation):
    """`arith.index_cast` of vectors, element by element."""

    name = "arith.index_cast"

    input = operand_def(base(VectorType))
    result = result_def(base(VectorType))
    traits = traits_def(Pure())

    def verify_(self) -> None:
        """Vectors of one shape, of which one is made of indices."""
        ends: list[Any] = [self.input.type, self.result.type]
        kinds = [isinstance(element_of(end), IndexType) for end in ends]
        if ends[0].shape != ends[1].shape or kinds[0] == kinds[1]:
            raise VerifyException(f"operand type '{ends[0]}' and result type '{ends[1]}' are cast incompatible")


def is_index_cast(op: Operation) -> bool:
    """Does the op cast an index, or a vector of them, with its sign?"""
    return isinstance(op, arith.IndexCastOp | VectorIndexCastOp)


def element_of(type: Attribute) -> Any:
    """The type of the elements of a vector; of another type itself."""
    return type.element_type if isinstance(type, VectorType) else type


def _read_cast(parser: Parser) -> Operation:
    operand = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    source = parser.parse_type()
    parser.parse_keyword("to")
    result = parser.parse_type()
    kind = VectorIndexCastOp if isinstance(source, VectorType) else arith.IndexCastOp
    return kind.create(
        operands=[parser.resolve_operand(operand, source)], result_types=[result], attributes=attributes
    )


def _show_cast(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(" to ")
    printer.print_attribute(op.results[0].type)


_CAST = Spelling(_show_cast, _read_cast)
SPELLINGS: Mapping[type[Operation], Spelling] = MappingProxyType({arith.IndexCastOp: _CAST, VectorIndexCastOp: _CAST})

ARITH = Dialect(
    "arith",
    [*arith.Arith.operations, IndexCastUIOp],
    list(arith.Arith.attributes),
    [arith.ArithConstantMaterializationInterface()],
)
