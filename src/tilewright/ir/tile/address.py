"""Addresses of elements of memory, as ops take them that move bytes or synchronise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import IndexType, MemRefType, StringAttr
from xdsl.ir import Attribute, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tilewright.dtypes import DType
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.types import GLOBAL, SCOPES, BufferType


@irdl_attr_definition
class AddressType(ParametrizedAttribute, TypeAttribute):
    """`!tile.address<f16, "shared">`: where an element of that type lies, and in which memory."""

    name = "tile.address"
    element: Attribute
    scope_name: StringAttr

    @staticmethod
    def of(memory: Attribute) -> AddressType:
        """The type of an address in a buffer, or in flat memory."""
        if isinstance(memory, BufferType):
            return AddressType(memory.element, memory.scope_name)
        if not isinstance(memory, MemRefType):
            raise VerifyException(f"tile.address points into memory, got {memory}")
        space = memory.memory_space
        return AddressType(memory.element_type, space if isinstance(space, StringAttr) else StringAttr(GLOBAL))

    @property
    def scope(self) -> str:
        """`global`, `shared` or `local`."""
        return self.scope_name.data

    @property
    def dtype(self) -> DType:
        """The element type."""
        return element_dtype(self.element)

    def verify(self) -> None:
        """The scope is known."""
        if self.scope not in SCOPES:
            raise VerifyException(f"address scope {self.scope!r} is none of {', '.join(SCOPES)}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<f16, "shared">`."""
        with parser.in_angle_brackets():
            element = parser.parse_type()
            parser.parse_punctuation(",")
            return [element, StringAttr(parser.parse_str_literal())]

    def print_parameters(self, printer: Printer) -> None:
        """As `parse_parameters` reads it."""
        with printer.in_angle_brackets():
            printer.print_attribute(self.element)
            printer.print_string(", ")
            printer.print_attribute(self.scope_name)


@irdl_op_definition
class AddressOp(IRDLOperation):
    """The address of the element at a logical coordinate of a buffer, or at an index of flat memory."""

    name = "tile.address"
    memory = operand_def(AnyAttr())
    indices = var_operand_def(IndexType())
    result = result_def(AddressType)
    traits = traits_def(Pure())
    assembly_format = "$memory `[` $indices `]` attr-dict `:` type($memory) `->` type($result)"

    def __init__(self, memory: SSAValue, indices: Sequence[SSAValue]) -> None:
        super().__init__(operands=[memory, indices], result_types=[AddressType.of(memory.type)])

    def verify_(self) -> None:
        """One index for each dimension, and the element's type."""
        kind = self.memory.type
        if self.result.type != AddressType.of(kind):
            raise VerifyException(f"an address in {kind} is no {self.result.type}")
        rank = len(kind.shape) if isinstance(kind, BufferType) else len(cast("MemRefType[Attribute]", kind).get_shape())
        if len(self.indices) != rank:
            raise VerifyException(f"{len(self.indices)} indices into {kind}")


def address_of(value: SSAValue) -> AddressOp:
    """The op that gives an address.

    Raises:
        VerifyException: a value that no `tile.address` gives.
    """
    if not isinstance(value.owner, AddressOp):
        raise VerifyException("an address is the result of tile.address")
    return value.owner


def check_addresses(values: Sequence[SSAValue], scopes: Sequence[str]) -> None:
    """Raises `VerifyException` unless these addresses lie in these memories."""
    for value, scope in zip(values, scopes, strict=True):
        address_of(value)
        found = cast(AddressType, value.type)
        if found.scope != scope:
            raise VerifyException(f"expected an address in {scope} memory, got {found}")
