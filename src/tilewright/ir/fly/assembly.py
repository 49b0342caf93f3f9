"""How the ops of the dialect are written: `%r = fly.OP(%a, %b) {attributes} : (A, B) -> R`, and what differs from it.

MLIR's generic form, `"fly.op"(%a) <{..}> : ..`, is read and printed by xDSL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, StringAttr, i1, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from tilewright.ir.fly.attrs import MmaOperandAttr

SEGMENTS = "operandSegmentSizes"
Operands: TypeAlias = list[list[UnresolvedOperand]]


@dataclass(frozen=True, slots=True)
class Form:
    """The text of an op, where it is not the usual one.

    `groups` names the operands in their order: `a*` is a list, `d?` may be missing; where there are two of these,
    the op has the property `operandSegmentSizes`. `items` is what stands in the brackets: groups, and `@attribute`.
    `before` is an attribute in `<..>` before, `after` a group after the brackets. Without `signature` the operand
    types are not written, without `brackets` nor are brackets where there is no operand.
    """

    groups: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    signature: bool = True
    brackets: bool = True

    @property
    def segmented(self) -> bool:
        """Must the op say how many operands each group has?"""
        return sum(group[-1] in "*?" for group in self.groups) > 1


_RESULT_ONLY = Form(signature=False, brackets=False)
_PADDED = Form(items=("tuple", "elem"), groups=("tuple", "elem"), before="n")
_MMA = ("mmaAtom", "d", "a*", "b*", "c")
FORMS: Mapping[str, Form] = MappingProxyType(
    {
        "static": _RESULT_ONLY,
        "make_copy_atom": _RESULT_ONLY,
        "make_mma_atom": _RESULT_ONLY,
        "get_dyn_shared": Form(signature=False),
        "append": _PADDED,
        "prepend": _PADDED,
        "make_fragment_like": Form(groups=("src",), items=("src", "@dtype")),
        "atom.set_value": Form(groups=("atom", "value"), items=("atom", "@field", "value")),
        "tiled_mma.partition": Form(
            groups=("tiled_mma", "input", "coord"), items=("@operand_id", "tiled_mma", "input", "coord")
        ),
        "tiled_mma.partition_shape": Form(groups=("tiled_mma", "shape"), items=("@operand_id", "tiled_mma", "shape")),
        "mma.make_fragment": Form(
            groups=("tiled_mma", "input"), items=("@operand_id", "tiled_mma", "input", "@stages")
        ),
        "gemm": Form(groups=(*_MMA, "traversalLayout?"), items=_MMA, after="traversalLayout"),
        "mma_atom_call": Form(groups=_MMA, items=_MMA),
        "mma_atom_call_ssa": Form(
            groups=("mmaAtom", "dst?", "a*", "b*", "c"), items=("mmaAtom", "a*", "b*", "c"), after="dst"
        ),
        "copy_atom_call_ssa": Form(groups=("copyAtom", "src", "dst?", "pred?")),
    }
)
PLAIN = Form()
_DEFAULTS = {"dynamicOnly": IntegerAttr(0, i1)}


def parse(op: type[Operation], form: Form, inherent: Iterable[str], parser: Parser) -> Operation:
    """The op whose name has just been read."""
    known: dict[str, Attribute] = {}
    if form.before and parser.parse_optional_punctuation("<"):
        known[form.before] = IntegerAttr(parser.parse_integer(), i32)
        parser.parse_punctuation(">")
    if not form.brackets:
        return _parse_result_only(op, inherent, parser)
    groups = _parse_items(form, known, parser)
    if form.after and parser.parse_optional_keyword(form.after):
        parser.parse_punctuation("=")
        groups[form.after] = [parser.parse_unresolved_operand()]
    written = parser.parse_optional_attr_dict()
    if form.segmented and form.items:
        sizes = [len(groups.get(_bare(group), ())) for group in form.groups]
        known[SEGMENTS] = DenseArrayBase.from_list(i32, sizes)
    order = [_bare(group) for group in form.groups] if form.items else list(groups)
    operands = [operand for name in order for operand in groups.get(name, ())]
    parser.parse_punctuation(":")
    start = parser.pos
    if not form.signature:
        return _created(op, [], _results(parser), {**written, **known}, inherent)
    signature = parser.parse_function_type()
    resolved = parser.resolve_operands(operands, signature.inputs.data, start)
    return _created(op, resolved, signature.outputs.data, {**written, **known}, inherent)


def _parse_result_only(op: type[Operation], inherent: Iterable[str], parser: Parser) -> Operation:
    operands: list[SSAValue] = []
    if parser.parse_optional_punctuation("("):
        names = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_unresolved_operand)
        parser.parse_punctuation(":")
        start = parser.pos
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        operands = list(parser.resolve_operands(names, types, start))
        parser.parse_punctuation(")")
    written = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    return _created(op, operands, _results(parser), written, inherent)


def _results(parser: Parser) -> Sequence[Attribute]:
    function = parser.parse_optional_function_type()  # `() -> T` is read as well
    return function.outputs.data if function else [parser.parse_type()]


def _created(
    op: type[Operation],
    operands: Sequence[SSAValue],
    results: Sequence[Attribute],
    written: Mapping[str, Attribute],
    inherent: Iterable[str],
) -> Operation:
    names = {*inherent, SEGMENTS}
    properties = {name: value for name, value in sorted(written.items()) if name in names}
    others = {name: value for name, value in written.items() if name not in names}
    return op.create(operands=operands, result_types=results, properties=properties, attributes=others)


def _parse_items(form: Form, known: dict[str, Attribute], parser: Parser) -> dict[str, list[UnresolvedOperand]]:
    groups: dict[str, list[UnresolvedOperand]] = {}
    if not form.items:
        listed = parser.parse_comma_separated_list(parser.Delimiter.PAREN, parser.parse_unresolved_operand)
        return {str(i): [operand] for i, operand in enumerate(listed)}
    parser.parse_punctuation("(")
    for i, item in enumerate(form.items):
        if i and not parser.parse_optional_punctuation(","):
            break
        if item.startswith("@"):
            known[item[1:]] = _READERS[item[1:]](parser)
        elif item.endswith("*") and (listed_ := _optional_list(parser)) is not None:
            groups[_bare(item)] = listed_
        else:
            groups[_bare(item)] = [parser.parse_unresolved_operand()]
    parser.parse_punctuation(")")
    return groups


def _optional_list(parser: Parser) -> list[UnresolvedOperand] | None:
    return parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, parser.parse_unresolved_operand)


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


def print_op(op: Operation, form: Form, printer: Printer) -> None:
    """The text of the op after its name."""
    shown: list[str] = []
    if form.before:
        shown.append(form.before)
        number = op.properties.get(form.before)
        printer.print_string(f"<{number.value.data}> " if isinstance(number, IntegerAttr) else " ")
    groups = grouped(op, form)
    if not form.brackets:
        _print_typed(op, printer)
    elif form.items:
        shown += _print_items(op, form, groups, printer)
    else:
        printer.print_operands(op.operands)
    if form.after and groups[form.after]:
        printer.print_string(f" {form.after} = ")
        printer.print_operand(groups[form.after][0])
    _print_attributes(op, {*shown, SEGMENTS} if form.items else set(shown), printer)
    printer.print_string(" : ")
    if form.signature:
        printer.print_operation_type(op)
    else:
        printer.print_list(op.result_types, printer.print_attribute)


def grouped(op: Operation, form: Form) -> dict[str, Sequence[SSAValue]]:
    """The operands by the name of their group."""
    names = [_bare(group) for group in form.groups]
    sizes = segment_sizes(op) if form.segmented else [1] * len(names)
    starts = [sum(sizes[:i]) for i in range(len(names))]
    return {name: op.operands[start : start + size] for name, start, size in zip(names, starts, sizes, strict=True)}


def segment_sizes(op: Operation) -> list[int]:
    """How many operands each group of the op has."""
    sizes = op.properties.get(SEGMENTS)
    return [int(size) for size in sizes.get_values()] if isinstance(sizes, DenseArrayBase) else []


def _print_typed(op: Operation, printer: Printer) -> None:
    if op.operands:
        printer.print_string("(")
        printer.print_list(op.operands, printer.print_operand)
        printer.print_string(" : ")
        printer.print_list(op.operand_types, printer.print_attribute)
        printer.print_string(")")


def _print_items(
    op: Operation, form: Form, groups: Mapping[str, Sequence[SSAValue]], printer: Printer
) -> list[str]:
    attributes = [item[1:] for item in form.items if item.startswith("@") and item[1:] in op.properties]
    items = [item for item in form.items if not item.startswith("@") or item[1:] in attributes]
    with printer.in_parens():
        for i, item in enumerate(items):
            printer.print_string(", " if i else "")
            if item.startswith("@"):
                _print_attribute(item[1:], op.properties[item[1:]], printer)
            elif item.endswith("*") and len(groups[_bare(item)]) != 1:
                with printer.in_square_brackets():
                    printer.print_list(groups[_bare(item)], printer.print_operand)
            else:
                printer.print_list(groups[_bare(item)], printer.print_operand)
    return attributes


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
