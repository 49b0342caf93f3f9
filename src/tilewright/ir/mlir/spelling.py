"""How an op is read and printed: what MLIR writes after the op's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xdsl.dialects.builtin import IndexType, IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

UPPER_BOUND = "upper_bound"


@dataclass(frozen=True, slots=True)
class Spelling:
    """The text of an op: its reader, where xDSL has none, and its printer."""

    print: Callable[[Any, Printer], None]  # of ops of one class, which the type of a table of spellings cannot say
    parse: Callable[[Parser], Operation] | None = None
    # Of a name with several classes, the one of an op with these parts.
    chosen: Callable[[type[Operation], Mapping[str, Any]], type[Operation]] | None = None


def of_words(op: type[Operation], *results: Attribute, says_type: bool = False) -> Spelling:
    """An op without operands: attributes, an upper bound, perhaps the type of its result."""

    def read(parser: Parser) -> Operation:
        bound = upper_bound(parser)
        attributes = {**bound, **parser.parse_optional_attr_dict()}
        if parser.parse_optional_punctuation(":"):
            parser.parse_type()
        return op.create(attributes=attributes, result_types=results)

    def show(found: Operation, printer: Printer) -> None:
        print_upper_bound(found, printer)
        printer.print_op_attributes(found.attributes, reserved_attr_names=(UPPER_BOUND,))
        if says_type:
            printer.print_string(" : ")
            printer.print_list(results, printer.print_attribute)

    return Spelling(show, read)


def upper_bound(parser: Parser) -> dict[str, Attribute]:
    """`upper_bound 64`, if it stands here."""
    if parser.parse_optional_keyword(UPPER_BOUND):
        return {UPPER_BOUND: IntegerAttr(parser.parse_integer(), IndexType())}
    return {}


def print_upper_bound(op: Operation, printer: Printer) -> None:
    """As `upper_bound` reads it."""
    bound = op.attributes.get(UPPER_BOUND)
    if isinstance(bound, IntegerAttr):
        printer.print_string(f" {UPPER_BOUND} {bound.value.data}")


def typed_operands(parser: Parser) -> list[SSAValue]:
    """`(%a : T, %b : U)`."""

    def one() -> SSAValue:
        operand = parser.parse_unresolved_operand()
        parser.parse_punctuation(":")
        return parser.resolve_operand(operand, parser.parse_type())

    return parser.parse_comma_separated_list(parser.Delimiter.PAREN, one)


def print_typed_operands(operands: Sequence[SSAValue], printer: Printer) -> None:
    """As `typed_operands` reads it."""

    def one(operand: SSAValue) -> None:
        printer.print_ssa_value(operand)
        printer.print_string(" : ")
        printer.print_attribute(operand.type)

    with printer.in_parens():
        printer.print_list(operands, one)


def operands_then_types(parser: Parser) -> list[SSAValue]:
    """`%a, %b : T, U`, or nothing."""
    first = parser.parse_optional_unresolved_operand()
    if first is None:
        return []
    names: list[UnresolvedOperand] = [first]
    while parser.parse_optional_punctuation(","):
        names.append(parser.parse_unresolved_operand())
    parser.parse_punctuation(":")
    start = parser.pos
    types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
    return list(parser.resolve_operands(names, types, start))


def print_operands_then_types(operands: Sequence[SSAValue], printer: Printer) -> None:
    """As `operands_then_types` reads it."""
    if operands:
        printer.print_string(" ")
        printer.print_list(operands, printer.print_ssa_value)
        printer.print_string(" : ")
        printer.print_list([operand.type for operand in operands], printer.print_attribute)
