"""What xDSL's `arith` lacks of MLIR's: `index_castui`, and casts and choices of vectors element by element."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, VectorType, i1
from xdsl.ir import Attribute, Block, Dialect, Operation
from xdsl.irdl import IRDLOperation, base, irdl_op_definition, operand_def, prop_def, result_def, traits_def
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


def element_of(type: Attribute) -> Any:
    """The type of the elements of a vector; of another type itself."""
    return type.element_type if isinstance(type, VectorType) else type


def of_one(op: Operation) -> Operation:
    """The op on single elements, which says what it means."""
    block = Block(arg_types=[element_of(value.type) for value in op.operands])
    results = [element_of(result.type) for result in op.results]
    kind = SCALARS.get(type(op), type(op))
    return kind.create(operands=block.args, result_types=results, properties=dict(op.properties))


class OfVectors(IRDLOperation):
    """An op that xDSL has of numbers alone, of vectors of one shape: element by element what it is of these."""

    def verify_(self) -> None:
        """What it is of elements is right."""
        shapes = {
            tuple(t.get_shape()) if isinstance(t, VectorType) else () for t in (*self.operand_types, *self.result_types)
        }
        if len(shapes) > 1:
            ends = f"operand type '{self.operand_types[0]}' and result type '{self.result_types[0]}'"
            raise VerifyException(f"{ends} are cast incompatible")
        of_one(self).verify()


def _of_vectors(scalar: type[Operation]) -> type[Operation]:
    members = {
        "name": scalar.name,
        "input": operand_def(VectorType),
        "result": result_def(VectorType),
        "traits": traits_def(Pure()),
    }
    return irdl_op_definition(type(f"Vector{scalar.__name__}", (OfVectors,), members))


@irdl_op_definition
class VectorSelectOp(OfVectors):
    """A choice for each element."""

    name = arith.SelectOp.name
    cond = operand_def(VectorType)
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorCmpiOp(OfVectors):
    """A comparison of integers for each element."""

    name = arith.CmpiOp.name
    predicate = prop_def(IntegerAttr)
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())


@irdl_op_definition
class VectorCmpfOp(OfVectors):
    """A comparison of floats for each element."""

    name = arith.CmpfOp.name
    predicate = prop_def(IntegerAttr)
    fastmath = prop_def(arith.FastMathFlagsAttr, default_value=arith.FastMathFlagsAttr("none"))
    lhs = operand_def(VectorType)
    rhs = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())


_COMPARISONS: Mapping[type[Operation], type[Operation]] = MappingProxyType(
    {arith.CmpiOp: VectorCmpiOp, arith.CmpfOp: VectorCmpfOp}
)
_CASTS: tuple[type[Operation], ...] = (
    arith.IndexCastOp, IndexCastUIOp, arith.ExtSIOp, arith.ExtUIOp, arith.TruncIOp, arith.SIToFPOp, arith.UIToFPOp,
    arith.FPToSIOp, arith.FPToUIOp,
)  # fmt: skip
VECTORS: Mapping[type[Operation], type[Operation]] = MappingProxyType(
    {**{kind: _of_vectors(kind) for kind in _CASTS}, **_COMPARISONS, arith.SelectOp: VectorSelectOp}
)
SCALARS: Mapping[type[Operation], type[Operation]] = MappingProxyType({kind: one for one, kind in VECTORS.items()})
VectorIndexCastOp = VECTORS[arith.IndexCastOp]


def is_index_cast(op: Operation) -> bool:
    """Does the op cast an index, or a vector of them, with its sign?"""
    return type(op) in (arith.IndexCastOp, VectorIndexCastOp)


def class_of(kind: type[Operation], parts: Mapping[str, Any]) -> type[Operation]:
    """The class of an op of that name with these operands: it is another one of vectors."""
    first = next(iter(parts.get("operands", ())), None)
    return VECTORS[kind] if kind in VECTORS and first is not None and isinstance(first.type, VectorType) else kind


def _read_cast(kind: type[Operation], parser: Parser) -> Operation:
    operand = parser.parse_unresolved_operand()
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    source = parser.parse_type()
    parser.parse_keyword("to")
    result = parser.parse_type()
    operands = [parser.resolve_operand(operand, source)]
    made = class_of(kind, {"operands": operands})
    return made.create(operands=operands, result_types=[result], attributes=attributes)


def _show_cast(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.operands[0])
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    printer.print_attribute(op.operands[0].type)
    printer.print_string(" to ")
    printer.print_attribute(op.results[0].type)


def _read_select(parser: Parser) -> Operation:
    """`%c, %a, %b : T`, or `%c, %a, %b : vector<4xi1>, T`."""
    operands = [parser.parse_unresolved_operand()]
    while parser.parse_optional_punctuation(","):
        operands.append(parser.parse_unresolved_operand())
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation(":")
    kinds = [parser.parse_type()]
    if parser.parse_optional_punctuation(","):
        kinds.append(parser.parse_type())
    if len(operands) != 3:
        parser.raise_error(f"expected 3 operands, got {len(operands)}")
    mask = i1 if len(kinds) == 1 else kinds[0]
    values = [parser.resolve_operand(x, t) for x, t in zip(operands, (mask, kinds[-1], kinds[-1]), strict=True)]
    made = class_of(arith.SelectOp, {"operands": values})
    return made.create(operands=values, result_types=[kinds[-1]], attributes=attributes)


def _show_select(op: Operation, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_list(op.operands, printer.print_ssa_value)
    printer.print_op_attributes(op.attributes)
    printer.print_string(" : ")
    kinds = [value.type for value in op.operands[: 2 if isinstance(op, VectorSelectOp) else 0]] or [op.results[0].type]
    printer.print_list(kinds, printer.print_attribute)


def _read_comparison(kind: type[Operation], parser: Parser) -> Operation:
    found = kind.parse(parser)
    first = found.operands[0].type
    if not isinstance(first, VectorType):
        return found
    made = VECTORS[kind].create(
        operands=found.operands, result_types=[VectorType(i1, first.get_shape())], properties=found.properties
    )
    found.drop_all_references()
    return made


def _spelled(kind: type[Operation]) -> Spelling:
    if kind in _COMPARISONS:
        return Spelling(kind.print, partial(_read_comparison, kind), class_of)
    if kind is arith.SelectOp:
        return Spelling(_show_select, _read_select, class_of)
    return Spelling(_show_cast, partial(_read_cast, kind), class_of)


SPELLINGS: Mapping[type[Operation], Spelling] = MappingProxyType(
    {one: spelling for kind in VECTORS for spelling in (_spelled(kind),) for one in (kind, VECTORS[kind])}
)

ARITH = Dialect(
    "arith",
    [*arith.Arith.operations, IndexCastUIOp],
    list(arith.Arith.attributes),
    [arith.ArithConstantMaterializationInterface()],
)
