"""The attributes of the `fly` dialect on xDSL: words of a set, and memory behind a descriptor."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Data, ParametrizedAttribute, SpacedOpaqueSyntaxAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException


class Word(Data[str], SpacedOpaqueSyntaxAttribute):
    """One word of a set: `#fly<mma_operand a>`."""

    words: ClassVar[tuple[str, ...]]

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        """The word."""
        start = parser.pos
        found = parser.parse_identifier()
        if found not in cls.words:
            parser.raise_error(f"expected one of {', '.join(cls.words)}, got {found}", start, parser.pos)
        return found

    def print_parameter(self, printer: Printer) -> None:
        """The word."""
        printer.print_string(self.data)


class MmaOperandAttr(Word):
    """Which operand of an MMA."""

    name = "fly.mma_operand"
    words = ("a", "b", "c", "d")


_ORDERS = ("kmn", "knm", "mkn", "mnk", "nkm", "nmk")


class TraversalOrderAttr(Word):
    """In which order a gemm walks through its atoms."""

    name = "fly.gemm_traversal_order"
    words = (*_ORDERS, *(f"{order}_serpentine" for order in _ORDERS))


class AddressSpaceAttr(Word):
    """Where memory lies."""

    name = "fly.address_space"
    words = ("generic", "global", "shared", "register")


class AtomicOpAttr(Word):
    """What an atomic operation does."""

    name = "fly.atomic_op"
    words = ("add", "max", "min", "and", "or", "inc", "dec")


@irdl_attr_definition
class BufferDescriptorAttr(ParametrizedAttribute):
    """Memory behind a buffer's descriptor."""

    name = "fly_rocdl.buffer_desc"


@irdl_attr_definition
class RegisterClassAttr(ParametrizedAttribute):
    """A class of a machine's registers, by the names of both: `#fly.register_class<"amdgcn", "VGPR_32">`."""

    name = "fly.register_class"
    target: StringAttr
    register: StringAttr

    def verify(self) -> None:
        """Both have a name."""
        if not self.target.data or not self.register.data:
            raise VerifyException("register class target and name must be nonempty")


ATTRIBUTES: tuple[type[Attribute], ...] = (
    MmaOperandAttr,
    TraversalOrderAttr,
    AddressSpaceAttr,
    AtomicOpAttr,
    BufferDescriptorAttr,
    RegisterClassAttr,
)
