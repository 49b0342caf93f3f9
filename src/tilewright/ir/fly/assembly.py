"""How the ops of the dialect are written: `%r = fly.OP(%a, %b) {attributes} : (A, B) -> R`, and what differs from it.

MLIR's generic form, `"fly.op"(%a) <{..}> : ..`, is read and printed by xDSL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from tilewright.ir.fly.dialect_attributes import MmaOperandAttr
from tilewright.ir.fly.dialect_types import MemRefType, parse_result, words_of
from tilewright.ir.fly.table_row import Op
from tilewright.ir.fly.wording import ONE_IN_BRACKETS

SEGMENTS = "operandSegmentSizes"


@dataclass(frozen=True, slots=True)
class Form:
    """The text of an op, where it is not the usual one.

    `items` is what stands in the brackets: groups of operands, `a*` a list, and `@attribute`. `before` is an attribute
    in `<..>` before, `after` a group after the brackets. Without `signature` the operand types are not written; without
    `brackets` nor are brackets where there is no operand. `source` is the one operand of an op written without any.
    `alone` is how many results there are of the type of the one operand, which stands without brackets.
    `leading` are the integer attributes that an older text has as numbers before the operands.
    """

    items: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    signature: bool = True
    brackets: bool = True
    source: str = ""
    alone: int | None = None
    leading: tuple[str, ...] = ()


PLAIN = Form()
_RESULT_ONLY = Form(signature=False, brackets=False)
_PADDED = Form(before="n")
_MMA = ("mmaAtom", "d", "a*", "b*", "c")
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "static": _RESULT_ONLY,
        "make_copy_atom": _RESULT_ONLY,
        "make_mma_atom": _RESULT_ONLY,
        "get_dyn_shared": Form(signature=False),
        "append": _PADDED,
        "prepend": _PADDED,
        "make_fragment_like": Form(("src", "@dtype")),
        "atom.set_value": Form(("atom", "@field", "value")),
        "tiled_mma.partition": Form(("@operand_id", "tiled_mma", "input", "coord")),
        "mma.make_fragment": Form(("@operand_id", "tiled_mma", "input", "@stages")),
        "gemm": Form(_MMA, after="traversalLayout"),
        "mma_atom_call": Form(_MMA),
        "mma_atom_call_ssa": Form(("mmaAtom", "a*", "b*", "c"), after="dst"),
        "extract_aligned_pointer_as_index": Form(source="source"),
        "set_register": Form(alone=0),
        "register_value": Form(alone=1),
        "recast_layout": Form(leading=("new_type_bits", "old_type_bits")),
    }
)
_DEFAULTS = {"dynamicOnly": IntegerAttr(0, i1)}


class Written(NamedTuple):
    """What the text of an op says."""

    operands: Sequence[SSAValue]
    results: Sequence[Attribute]
    attributes: dict[str, Attribute]


# ---- reading


def parse(form: Form, row: Op, parser: Parser) -> Written:
    """What stands after the op's name."""
    if form.source:
        return _parse_source(parser)
    if form.alone is not None:
        return _parse_alone(form.alone, parser)
    known: dict[str, Attribute] = {}
    if form.before and parser.parse_optional_punctuation("<"):
        known[form.before] = IntegerAttr(parser.parse_integer(), i32)
        parser.parse_punctuation(">")
    if not form.brackets:
        return _parse_result_only(parser)
    operands = _parse_operands(form, row, known, parser)
    written = parser.parse_optional_attr_dict() | known
    parser.parse_punctuation(":")
    if not form.signature:
        return Written((), _results(parser), written)
    start = parser.pos
    inputs = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_type)
    parser.parse_punctuation("->")
    results = _parse_inferred(row, parser)
    return Written(parser.resolve_operands(operands, inputs, start), results, written)


def _parse_inferred(row: Op, parser: Parser) -> Sequence[Attribute]:
    """The results' types, `R` or `(R, ..)`. Of a result that is inferred anything may stand there: the op says what."""
    read = parser.parse_type if row.written else partial(parse_result, parser)
    listed = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, read)
    return [read()] if listed is None else listed


def _parse_source(parser: Parser) -> Written:
    """`%view : <f32, ..> -> T`."""
    operand = parser.parse_unresolved_operand()
    written = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    view = MemRefType(MemRefType.parse_parameter(parser))
    parser.parse_punctuation("->")
    return Written([parser.resolve_operand(operand, view)], [parser.parse_type()], written)


def _parse_alone(results: int, parser: Parser) -> Written:
    """`%a {..} : T`."""
    operand = parser.parse_unresolved_operand()
    written = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kind = parser.parse_type()
    return Written([parser.resolve_operand(operand, kind)], [kind] * results, written)


def _parse_result_only(parser: Parser) -> Written:
    """`(%a : A) {..} : T`, and `{..} : T`."""
    operands: Sequence[SSAValue] = ()
    if parser.parse_optional_punctuation("("):
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        parser.parse_punctuation(":")
        start = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        operands = parser.resolve_operands(names, types, start)
        parser.parse_punctuation(")")
    written = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return Written(operands, _results(parser), written)


def _results(parser: Parser) -> Sequence[Attribute]:
    function = parser.parse_optional_function_type()  # `() -> T` is read as well
    return function.outputs.data if function else [parser.parse_type()]


def _parse_operands(form: Form, row: Op, known: dict[str, Attribute], parser: Parser) -> Sequence[UnresolvedOperand]:
    if form.leading:
        return _parse_after_numbers(form, known, parser)
    if not form.items:
        return parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
    groups = _parse_items(form.items, known, parser)
    if form.after and parser.parse_optional_keyword(form.after):
        parser.parse_punctuation("=")
        groups[form.after] = [parser.parse_unresolved_operand()]
    names = [_bare(group) for group in row.groups] or list(groups)
    if row.segmented:
        known[SEGMENTS] = DenseArrayBase.from_list(i32, [len(groups.get(name, ())) for name in names])
    return [operand for name in names for operand in groups.get(name, ())]


def _parse_after_numbers(form: Form, known: dict[str, Attribute], parser: Parser) -> Sequence[UnresolvedOperand]:
    parser.parse_punctuation("(")
    for name in form.leading:
        number = parser.parse_optional_integer(allow_boolean=False)
        if number is None:
            break
        known[name] = IntegerAttr(number, i32)
        parser.parse_punctuation(",")
    operands = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
    parser.parse_punctuation(")")
    return operands


def _parse_items(
    items: Sequence[str], known: dict[str, Attribute], parser: Parser
) -> dict[str, list[UnresolvedOperand]]:
    groups: dict[str, list[UnresolvedOperand]] = {}
    parser.parse_punctuation("(")
    for i, item in enumerate(items):
        if i and not parser.parse_optional_punctuation(","):
            break
        if item.startswith("@"):
            known[item[1:]] = _READERS[item[1:]](parser)
        else:
            groups[_bare(item)] = _listed(parser) if item.endswith("*") else [parser.parse_unresolved_operand()]
    parser.parse_punctuation(")")
    return groups


def _listed(parser: Parser) -> list[UnresolvedOperand]:
    square = parser.Delimiter.SQUARE
    listed = parser.parse_optional_comma_separated_list(square, parser.parse_unresolved_operand)
    return [parser.parse_unresolved_operand()] if listed is None else listed


def _bare(group: str) -> str:
    return group.rstrip("*?")


def _read_stages(parser: Parser) -> Attribute:
    parser.parse_keyword("stages")
    parser.parse_punctuation("=")
    return IntegerAttr(parser.parse_integer(), i32)


_READERS: Mapping[str, Callable[[Parser], Attribute]] = MappingProxyType(
    {
        "dtype": lambda parser: parser.parse_type(),
        "field": lambda parser: StringAttr(parser.parse_str_literal()),
        "operand_id": lambda parser: MmaOperandAttr(MmaOperandAttr.parse_parameter(parser)),
        "stages": _read_stages,
    }
)


# ---- printing


def print_op(op: Operation, form: Form, row: Op, printer: Printer) -> None:
    """The text of the op after its name."""
    if form.source:
        _print_source(op, printer)
        return
    if form.alone is not None:
        _print_alone(op, printer)
        return
    hidden = {form.before}
    if form.before:
        number = op.properties.get(form.before)
        printer.print_string(f"<{number.value.data}> " if isinstance(number, IntegerAttr) else " ")
    if not form.brackets:
        _print_typed(op, printer)
    elif form.items:
        hidden |= {SEGMENTS, *_print_items(op, form, row, printer)}
    else:
        printer.print_operands(op.operands)
    _print_attributes(op, hidden, printer)
    printer.print_string(" : ")
    if form.signature:
        printer.print_operation_type(op)
    else:
        printer.print_list(op.result_types, printer.print_attribute)


def grouped(op: Operation, row: Op) -> dict[str, Sequence[SSAValue]]:
    """The operands by the name of their group."""
    names = [_bare(group) for group in row.groups]
    sizes = segment_sizes(op) if row.segmented else row.sizes(len(op.operands))
    starts = [sum(sizes[:i]) for i in range(len(names))]
    return {name: op.operands[start : start + size] for name, start, size in zip(names, starts, sizes, strict=False)}


def segment_sizes(op: Operation) -> Sequence[int]:
    """How many operands each group of the op has."""
    sizes = op.properties.get(SEGMENTS)
    return [int(size) for size in sizes.get_values()] if isinstance(sizes, DenseArrayBase) else []


def _print_source(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_operand(op.operands[0])
    _print_attributes(op, set(), printer)
    printer.print_string(" : ")
    view = op.operands[0].type
    printer.print_string(view.parameter_text if isinstance(view, MemRefType) else str(view))
    printer.print_string(" -> ")
    printer.print_list(op.result_types, printer.print_attribute)


def _print_alone(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_operand(op.operands[0])
    _print_attributes(op, set(), printer)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)


def _print_typed(op: Operation, printer: Printer) -> None:
    if op.operands:
        with printer.in_parens():
            printer.print_list(op.operands, printer.print_operand)
            printer.print_string(" : ")
            printer.print_list(op.operand_types, printer.print_attribute)


def _print_items(op: Operation, form: Form, row: Op, printer: Printer) -> list[str]:
    groups = grouped(op, row) if row.groups else _in_order(form, op.operands)
    attributes = [item[1:] for item in form.items if item.startswith("@") and item[1:] in op.properties]
    items = [item for item in form.items if not item.startswith("@") or item[1:] in attributes]
    with printer.in_parens():
        for i, item in enumerate(items):
            printer.print_string(", " if i else "")
            if item.startswith("@"):
                _print_attribute(item[1:], op.properties[item[1:]], printer)
            else:
                _print_group(groups.get(_bare(item), ()), item.endswith("*"), printer)
    if form.after and groups.get(form.after):
        printer.print_string(f" {form.after} = ")
        printer.print_operand(groups[form.after][0])
    return attributes


def _in_order(form: Form, operands: Sequence[SSAValue]) -> dict[str, Sequence[SSAValue]]:
    names = [item for item in form.items if not item.startswith("@")]
    return {name: [operand] for name, operand in zip(names, operands, strict=False)}


def _print_group(operands: Sequence[SSAValue], listed: bool, printer: Printer) -> None:
    if listed and (len(operands) != 1 or ONE_IN_BRACKETS in words_of(printer)):
        with printer.in_square_brackets():
            printer.print_list(operands, printer.print_operand)
    else:
        printer.print_list(operands, printer.print_operand)


def _print_attribute(name: str, value: Attribute, printer: Printer) -> None:
    if isinstance(value, MmaOperandAttr):
        printer.print_string(value.data)
    elif isinstance(value, IntegerAttr):
        printer.print_string(f"{name} = {value.value.data}")
    else:
        printer.print_attribute(value)


def _print_attributes(op: Operation, hidden: set[str], printer: Printer) -> None:
    if not op.properties and not op.attributes:
        return
    named = sorted({**op.properties, **op.attributes}.items())
    shown = {name: value for name, value in named if name not in hidden and _DEFAULTS.get(name) != value}
    if shown:
        printer.print_string(" ")
        printer.print_attr_dict(shown)
