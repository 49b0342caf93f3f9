"""The text of `scf.while` where nothing is carried, for which xDSL knows no short form."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from xdsl.dialects import scf
from xdsl.ir import Operation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from tilewright.ir.mlir.spelling import Spelling


def _read_while(parser: Parser) -> Operation:
    if parser.parse_optional_punctuation(":"):
        carried: list[tuple[Parser.UnresolvedArgument, UnresolvedOperand]] = []
    else:
        carried = parser.parse_comma_separated_list(parser.Delimiter.PAREN, lambda: _read_carried(parser))
        parser.parse_punctuation(":")
    start = parser.pos
    signature = parser.parse_function_type()
    inputs = signature.inputs.data
    operands = parser.resolve_operands([operand for _, operand in carried], inputs, start)
    before = parser.parse_region([name.resolve(type) for (name, _), type in zip(carried, inputs, strict=True)])
    parser.parse_keyword("do")
    made = scf.WhileOp(list(operands), signature.outputs.data, before, parser.parse_region())
    attributes = parser.parse_optional_attr_dict_with_keyword()
    made.attributes.update(attributes.data if attributes else {})
    return made


def _read_carried(parser: Parser) -> tuple[Parser.UnresolvedArgument, UnresolvedOperand]:
    name = parser.parse_argument(expect_type=False)
    parser.parse_punctuation("=")
    return name, parser.parse_unresolved_operand()


def _show_while(op: scf.WhileOp, printer: Printer) -> None:
    if op.arguments:
        op.print(printer)
        return
    printer.print_string(" : ")
    printer.print_operation_type(op)
    printer.print_string(" ")
    printer.print_region(op.before_region, print_entry_block_args=False, print_empty_block=False)
    printer.print_string(" do ")
    printer.print_region(op.after_region, print_empty_block=False)
    printer.print_op_attributes(op.attributes, print_keyword=True)


SPELLINGS: Mapping[type[Operation], Spelling] = MappingProxyType({scf.WhileOp: Spelling(_show_while, _read_while)})
