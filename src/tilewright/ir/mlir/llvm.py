"""The dialect `llvm` with packed structures, and types in types as MLIR has them: `!llvm.struct<packed (i32)>`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Self, TypeVar

from xdsl.dialects.builtin import ArrayAttr, DenseArrayBase, IntAttr, IntegerType, i64
from xdsl.dialects.llvm import LLVM as XDSL
from xdsl.dialects.llvm import ExtractValueOp as XdslExtractValueOp
from xdsl.dialects.llvm import InsertValueOp as XdslInsertValueOp
from xdsl.dialects.llvm import LLVMPointerType, LoadOp, StoreOp
from xdsl.dialects.llvm import LLVMStructType as XdslStructType
from xdsl.ir import Attribute, Dialect, Operation, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

Made = TypeVar("Made")


@irdl_attr_definition
class StructType(ParametrizedAttribute, TypeAttribute):
    """A structure without a name; `packed` is 1 where its fields follow each other without gaps."""

    name = "llvm.struct"
    types: ArrayAttr[Attribute]
    packed: IntAttr

    @classmethod
    def of(cls, types: Sequence[Attribute]) -> StructType:
        """The packed structure of these fields."""
        return cls(ArrayAttr(types), IntAttr(1))

    def print_parameters(self, printer: Printer) -> None:
        """`<packed (i32, struct<(i64)>)>`."""
        with printer.in_angle_brackets():
            printer.print_string("packed " if self.packed.data else "")
            with printer.in_parens():
                printer.print_list(self.types.data, lambda kind: _print(kind, printer))

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """What `print_parameters` writes."""
        parser.parse_punctuation("<")
        packed = parser.parse_optional_keyword("packed") is not None
        types = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _parse(parser))
        parser.parse_punctuation(">")
        return ArrayAttr(types), IntAttr(int(packed))


def _print(kind: Attribute, printer: Printer) -> None:
    if isinstance(kind, StructType | LLVMPointerType):
        printer.print_string(kind.name.removeprefix("llvm."))
        kind.print_parameters(printer)
    else:
        printer.print_attribute(kind)


def _parse(parser: AttrParser) -> Attribute:
    for kind in (StructType, LLVMPointerType):
        if parser.parse_optional_keyword(kind.name.removeprefix("llvm.")):
            return kind.new(kind.parse_parameters(parser))
    return parser.parse_type()


@irdl_op_definition
class ExtractValueOp(IRDLOperation):
    """A field of a structure, or of one within it."""

    name = "llvm.extractvalue"
    position = prop_def(DenseArrayBase)
    container = operand_def(StructType)
    res = result_def()
    traits = traits_def(Pure())

    @classmethod
    def of(cls, container: SSAValue, *position: int) -> Self:
        """The field at the position."""
        where = DenseArrayBase.from_list(i64, position)
        field = _field(container, position)
        return cls.build(operands=[container], properties={"position": where}, result_types=[field])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%s[0, 1] : TYPE`."""
        name, position, start = parser.parse_unresolved_operand(), _position(parser), parser.pos
        container = parser.resolve_operand(name, parser.parse_type())
        return _checked(lambda: cls.of(container, *position), parser, start)

    def print(self, printer: Printer) -> None:
        """As `parse` reads it."""
        printer.print_string(" ")
        _print_place(self.container, self.position, printer)


@irdl_op_definition
class InsertValueOp(IRDLOperation):
    """The structure with a value in a field."""

    name = "llvm.insertvalue"
    position = prop_def(DenseArrayBase)
    container = operand_def(StructType)
    value = operand_def()
    res = result_def(StructType)
    traits = traits_def(Pure())

    @classmethod
    def of(cls, container: SSAValue, value: SSAValue, *position: int) -> Self:
        """The container with the value at the position."""
        where = DenseArrayBase.from_list(i64, position)
        return cls.build(operands=[container, value], properties={"position": where}, result_types=[container.type])

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        """`%v, %s[0] : TYPE`."""
        given = parser.parse_unresolved_operand()
        parser.parse_punctuation(",")
        name, position, start = parser.parse_unresolved_operand(), _position(parser), parser.pos
        container = parser.resolve_operand(name, parser.parse_type())

        field = _checked(lambda: _field(container, position), parser, start)
        return cls.of(container, parser.resolve_operand(given, field), *position)

    def print(self, printer: Printer) -> None:
        """As `parse` reads it."""
        printer.print_string(" ")
        printer.print_operand(self.value)
        printer.print_string(", ")
        _print_place(self.container, self.position, printer)


def _field(container: SSAValue, position: Sequence[int]) -> Attribute:
    kind: Attribute = container.type
    for place in position:
        if not isinstance(kind, StructType) or not 0 <= place < len(kind.types.data):
            raise ValueError(f"{kind} has no field {place}")
        kind = kind.types.data[place]
    return kind


def _position(parser: Parser) -> list[int]:
    found = parser.parse_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_integer)
    parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return found


def _checked(made: Callable[[], Made], parser: Parser, start: int) -> Made:
    try:
        return made()
    except ValueError as error:
        parser.raise_error(str(error), start, parser.pos)


def _print_place(container: SSAValue, position: DenseArrayBase[IntegerType], printer: Printer) -> None:
    printer.print_operand(container)
    with printer.in_square_brackets():
        printer.print_list(position.get_values(), lambda place: printer.print_int(int(place)))
    printer.print_string(" : ")
    printer.print_attribute(container.type)


_OPS: dict[type[Operation], type[Operation]] = {
    XdslExtractValueOp: ExtractValueOp,
    XdslInsertValueOp: InsertValueOp,
}
_TYPES: dict[type[Attribute], type[Attribute]] = {XdslStructType: StructType}
_AS_WRITTEN = (LoadOp, StoreOp)  # xDSL's know no scopes, of the store no order, and no pointers but LLVM's own
LLVM = Dialect(
    "llvm",
    [_OPS.get(op, op) for op in XDSL.operations if op not in _AS_WRITTEN],
    [_TYPES.get(kind, kind) for kind in XDSL.attributes],
)
