"""The types of the `tile` dialect: a buffer that carries its layout, and a region of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, IntAttr, MemRefType, NoneAttr, StringAttr
from xdsl.ir import Attribute, Data, ParametrizedAttribute, SSAValue, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tilewright.dtypes import DType
from tilewright.errors import TilewrightError
from tilewright.ir.core.element_types import element_dtype, ir_type
from tilewright.ir.memory import MemoryLayout, layout_text, parse_layout

SCOPES = ("global", "shared", "local")
GLOBAL, SHARED, LOCAL = SCOPES


def space_of(memory: SSAValue) -> str:
    """The memory space of a memref value: `global`, `shared` or `local`."""
    space = cast("MemRefType[Attribute]", memory.type).memory_space
    return space.data if isinstance(space, StringAttr) else GLOBAL


@irdl_attr_definition
class LayoutAttr(Data[MemoryLayout]):
    """`#tile.layout<"S[(4,32):(32,1)]">`: a layout; within a buffer's type only its text is written."""

    name = "tile.layout"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> MemoryLayout:
        """`<"text">`."""
        with parser.in_angle_brackets():
            return _read_layout(parser)

    def print_parameter(self, printer: Printer) -> None:
        """As `parse_parameter` reads it."""
        with printer.in_angle_brackets():
            printer.print_string_literal(layout_text(self.data))


@irdl_attr_definition
class BufferType(ParametrizedAttribute, TypeAttribute):
    """`!tile.buffer<2x32xf32, "shared", "S[(2,32):(32,1)]">`: logical shape, element type, scope and layout.

    The layout maps logical coordinates to element offsets in the flat storage; the scope `global` is not printed.
    """

    name = "tile.buffer"
    dimensions: ArrayAttr[IntAttr]
    element: Attribute
    scope_name: StringAttr
    layout_data: LayoutAttr

    @staticmethod
    def of(shape: Sequence[int], element: DType, scope: str, layout: MemoryLayout) -> BufferType:
        """The buffer type with these parameters."""
        return BufferType(_dimensions(shape), ir_type(element), StringAttr(scope), LayoutAttr(layout))

    @property
    def shape(self) -> tuple[int, ...]:
        """The logical shape."""
        return tuple(extent.data for extent in self.dimensions)

    @property
    def dtype(self) -> DType:
        """The element type."""
        return element_dtype(self.element)

    @property
    def scope(self) -> str:
        """Where it lies: `global`, `shared` or `local` (a thread's own registers)."""
        return self.scope_name.data

    @property
    def layout(self) -> MemoryLayout:
        """Logical coordinate to element offset."""
        return self.layout_data.data

    def storage_type(self, elements: int) -> MemRefType[Attribute]:
        """The flat memref that stores it."""
        space = NoneAttr() if self.scope == GLOBAL else self.scope_name
        return MemRefType(self.element, [elements], memory_space=space)

    def verify(self) -> None:
        """Extents are positive, and the scope is known."""
        if min(self.shape, default=0) < 1:
            raise VerifyException(f"buffer extents must be at least 1, got {self.shape}")
        if self.scope not in SCOPES:
            raise VerifyException(f"buffer scope {self.scope!r} is none of {', '.join(SCOPES)}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<2x32xf32, "shared", "layout">`."""
        with parser.in_angle_brackets():
            shape, element = parser.parse_ranked_shape()
            parser.parse_punctuation(",")
            scope = next((word for word in SCOPES if parser.parse_optional_characters(f'"{word}"')), GLOBAL)
            if scope != GLOBAL:
                parser.parse_punctuation(",")
            layout = LayoutAttr(_read_layout(parser))
        return [_dimensions(shape), element, StringAttr(scope), layout]

    def print_parameters(self, printer: Printer) -> None:
        """As `parse_parameters` reads it."""
        with printer.in_angle_brackets():
            printer.print_dimension_list(self.shape)
            printer.print_string("x")
            printer.print_attribute(self.element)
            if self.scope != GLOBAL:
                printer.print_string(", ")
                printer.print_attribute(self.scope_name)
            printer.print_string(", ")
            printer.print_string_literal(layout_text(self.layout))


@irdl_attr_definition
class RegionType(ParametrizedAttribute, TypeAttribute):
    """`!tile.region<1x?x32xf32>`: a box of a buffer, by its extents and element type; `?` is a run-time extent."""

    name = "tile.region"
    dimensions: ArrayAttr[IntAttr]
    element: Attribute

    @staticmethod
    def of(extents: Sequence[int | None], element: Attribute) -> RegionType:
        """The region type with these parameters; None stands for a run-time extent."""
        return RegionType(_dimensions(extents), element)

    @property
    def shape(self) -> tuple[int | None, ...]:
        """The extents; None where one is a run-time value."""
        return tuple(None if extent.data == DYNAMIC_INDEX else extent.data for extent in self.dimensions)

    def verify(self) -> None:
        """Constant extents are positive."""
        if any(extent is not None and extent < 1 for extent in self.shape):
            raise VerifyException(f"region extents must be at least 1, got {self.shape}")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        """`<4x?xf32>`."""
        with parser.in_angle_brackets():
            shape, element = parser.parse_ranked_shape()
        return [_dimensions(shape), element]

    def print_parameters(self, printer: Printer) -> None:
        """As `parse_parameters` reads it."""
        with printer.in_angle_brackets():
            printer.print_dimension_list([extent.data for extent in self.dimensions])
            printer.print_string("x")
            printer.print_attribute(self.element)


def _read_layout(parser: AttrParser) -> MemoryLayout:
    start = parser.pos
    text = parser.parse_str_literal()
    try:
        return parse_layout(text)
    except TilewrightError as error:
        parser.raise_error(str(error), start, parser.pos)


def _dimensions(shape: Sequence[int | None]) -> ArrayAttr[IntAttr]:
    return ArrayAttr([IntAttr(DYNAMIC_INDEX if extent is None else extent) for extent in shape])
