"""The parser and the printer of MLIR text: xDSL's, with MLIR's own spelling of the ops that it has only generically."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from math import isfinite
from types import MappingProxyType
from typing import Any, TypeAlias, TypeGuard

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ArrayAttr,
    BoolAttr,
    ComplexType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    MemRefType,
    ModuleOp,
    RankedStructure,
    TensorType,
    UnregisteredOp,
    VectorType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, Region, TypeAttribute
from xdsl.parser import Parser, ParserState
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRTokenKind

from tilewright.ir.core.location import written
from tilewright.ir.mlir import foreign
from tilewright.ir.mlir import func as functions
from tilewright.ir.mlir.aliases import AliasCounter
from tilewright.ir.mlir.lexer import Lexer
from tilewright.ir.mlir.names import names_of
from tilewright.ir.mlir.spelling import Spelling

_KEPT = Spelling(foreign.show)
# Each is loaded where a text has an op of its dialect.
_DIALECTS: Mapping[str, str] = MappingProxyType(
    {name: f"tilewright.ir.mlir.{name}" for name in ("arith", "gpu", "scf", "vector")}
)

MOST_BITS = (1 << 24) - 1
MOST_REGIONS = 1 << 12
_LEAST = -(1 << 63)  # of the integers that an index can be
_SCALES = (IntegerAttr(0, i1), IntegerAttr(1, i1))
_DENSE = (MemRefType, TensorType, VectorType)
Chosen: TypeAlias = Callable[[type[Operation], Mapping[str, Any]], type[Operation]]
_Number: TypeAlias = IntegerType | IndexType | AnyFloat | ComplexType
_INTEGER = re.compile("[su]?i0*([0-9]+)")

# Ops of which xDSL demands what MLIR does not; they are kept as they are said.
_DEMANDS_MORE = frozenset(("memref.global",))
_IN_FUNCTIONS = (func.ReturnOp, func.CallOp)


@lru_cache(1024)
def spelling_of(op: type[Operation]) -> Spelling | None:
    """How ops of a class are written, where xDSL does not know it."""
    where = _DIALECTS.get(op.name.partition(".")[0])
    found = import_module(where).SPELLINGS.get(op) if where else None
    assert isinstance(found, Spelling | None)
    return found


class MlirParser(AliasCounter):
    """Reads the short form of every op that has a spelling; integers have at most as many bits as MLIR allows."""

    def __init__(self, ctx: Context, input: str, name: str = "<unknown>") -> None:
        super().__init__(ctx, input, name)
        self._resume_from(ParserState(Lexer(self.lexer.input)))

    def _parse_optional_integer_or_float_type(self) -> TypeAttribute | None:
        # Before the type is made: the range of an integer that wide takes seconds to work out.
        bits = _INTEGER.fullmatch(self._current_token.text)
        if bits and (len(bits[1]) > len(str(MOST_BITS)) or int(bits[1]) > MOST_BITS):
            self.raise_error(f"integer bitwidth is limited to {MOST_BITS} bits")
        if not bits or self._current_token.kind is not MLIRTokenKind.BARE_IDENT:
            return super()._parse_optional_integer_or_float_type()
        return _integer_type(self._consume_token().text)

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        """As xDSL's, which lets an index have more than 64 bits."""
        start = self._current_token.span.start
        found = super().parse_optional_builtin_int_or_float_attr()
        if found and isinstance(found.type, IndexType) and not _LEAST <= found.value.data < -_LEAST:
            self.raise_error("integer constant out of range for attribute", start, self.pos)
        return found

    def _parse_vector_attrs(self) -> VectorType[Attribute]:
        """What stands in `vector<2x[4]xf32>`; xDSL makes an attribute of whether each dimension scales."""
        dims: list[int] = []
        scales: list[BoolAttr] = []
        while (square := self.parse_optional_punctuation("[")) or self._current_token.kind is MLIRTokenKind.INTEGER_LIT:
            dims.append(self.parse_shape_dimension(allow_dynamic=False))
            scales.append(_SCALES[square is not None])
            if square:
                self.parse_punctuation("]")
            self.parse_shape_delimiter()
        element = self.parse_optional_type()
        if element is None:
            self.raise_error("Expected vector element type")
        return VectorType(element, dims, ArrayAttr(scales))

    def _parse_dense_literal_type(self) -> RankedStructure[_Number]:
        """The type of `dense<..>`, whose constraint xDSL makes anew each time."""
        found = self.expect(self.parse_optional_type, "Dense attribute must be typed!")
        if not isinstance(found, _DENSE) or not _is_of_numbers(found):
            self.raise_error("Expected memref, vector or tensor type of integer, index, float, or complex type")
        if DYNAMIC_INDEX in found.get_shape():
            self.raise_error("Dense literal attribute should have a static shape.")
        return found

    def parse_region_list(self) -> list[Region]:
        """The regions of an op; as many more as there are take four times as long, for each makes a list of all."""
        found = super().parse_region_list()
        if len(found) > MOST_REGIONS:
            self.raise_error(f"an operation has at most {MOST_REGIONS} regions, this one has {len(found)}")
        return found

    def _get_op_by_name(self, name: str) -> type[Operation]:
        found = super()._get_op_by_name(name)
        if found is func.FuncOp:
            return _read_by(found, functions.read)
        spelling = spelling_of(found)
        if spelling is not None and spelling.parse is not None:
            return _read_by(found, spelling.parse, spelling.chosen)
        chosen = _unregistered if name in _DEMANDS_MORE else None
        return _read_by(found, _as_it_stands(name), chosen) if _has_no_short_form(found) else found


def _is_of_numbers(type: RankedStructure[Attribute]) -> TypeGuard[RankedStructure[_Number]]:
    return isinstance(type.element_type, _Number)


@lru_cache(64)
def _integer_type(text: str) -> TypeAttribute:
    return Parser(Context(), text).parse_type()


def _has_no_short_form(op: type[Operation]) -> bool:
    return getattr(op.parse, "__func__", None) is getattr(Operation.parse, "__func__", None)


def _unregistered(kind: type[Operation], _parts: Mapping[str, Any]) -> type[Operation]:
    return UnregisteredOp.with_name(kind.name)


@lru_cache(256)
def _as_it_stands(name: str) -> Callable[[Parser], Operation]:
    return lambda parser: foreign.read(parser, name, UnregisteredOp.with_name(name))


@lru_cache(256)
def _read_by(
    op: type[Operation], parse: Callable[[Parser], Operation], chosen: Chosen | None = None
) -> type[Operation]:
    """A class that reads ops by that function, and makes them of the class itself, or of the chosen one."""

    def create(cls: type[Operation], /, **parts: Any) -> Operation:
        return (chosen(op, parts) if chosen else op).create(**parts)

    members = {"parse": classmethod(lambda cls, parser: parse(parser)), "create": classmethod(create)}
    return type(op.__name__, (op,), members)


class MlirPrinter(Printer):
    """Prints the short form of every op that has a spelling; values have xDSL's names, those of their hints."""

    words: frozenset[str] = frozenset()
    """Which spellings of a dialect are used that are not its usual ones."""

    def print_attribute(self, attribute: Attribute) -> None:
        """The attribute; the usual type `i64` is not said of integers in lists."""
        if not isinstance(attribute, ArrayAttr):
            super().print_attribute(written(attribute))
            return
        with self.in_square_brackets():
            self.print_list(attribute.data, self._print_item)

    def print_float(self, value: float, type: AnyFloat) -> None:
        """The number; its bits in upper case where it is none."""
        if isfinite(value):
            super().print_float(value, type)
        else:
            self.print_string(f"0x{type.pack((value,))[::-1].hex().upper()}")

    def _print_item(self, item: Attribute) -> None:
        if isinstance(item, IntegerAttr) and item.type == i64:
            self.print_string(str(item.value.data))
        else:
            self.print_attribute(item)

    def print_op(self, op: Operation) -> None:
        """The op with its results."""
        spelling = spelling_of(type(op)) or (_KEPT if foreign.is_foreign(op) else None)
        if spelling is None or self.print_generic_format:
            super().print_op(op)
            return
        self._print_results(op)
        if spelling is not _KEPT:
            self.print_string(op.name)
        spelling.print(op, self)
        self._print_place(op)

    def print_operation_type(self, op: Operation) -> None:
        """The types of operands and results alone: short forms say them too, and an op's place comes after it all."""
        self.print_function_type(op.operand_types, op.result_types)

    def print_op_with_default_format(self, op: Operation) -> None:
        """What comes after the op's name in its generic form, its place too."""
        super().print_op_with_default_format(op)
        self._print_place(op)

    def _print_place(self, op: Operation) -> None:
        if self.print_debuginfo:
            self.print_string(" ")
            self.print_attribute(op.location)


class NumberedPrinter(MlirPrinter):
    """Prints with MLIR's own names of values: `%arg0`, `%c4_i32`, `%1#0`."""

    def print_numbered(self, op: Operation) -> None:
        """A module or function: all values within it are named first."""
        self._ssa_values.update(names_of(op))
        self.print_op(op)

    def print_op(self, op: Operation) -> None:
        """The op with its results; modules, and within a function those of `func`, are named without their dialect."""
        short = isinstance(op, ModuleOp) or (isinstance(op, _IN_FUNCTIONS) and isinstance(op.parent_op(), func.FuncOp))
        if self.print_generic_format or not short:
            super().print_op(op)
            return
        self._print_results(op)
        self.print_string(op.name.partition(".")[2])
        op.print(self)
        self._print_place(op)

    def _print_results(self, op: Operation) -> None:
        name = self._ssa_values[op.results[0]] if op.results else ""
        if name.endswith("#0"):
            self.print_string(f"%{name.removesuffix('#0')}:{len(op.results)} = ")
        else:
            super()._print_results(op)
