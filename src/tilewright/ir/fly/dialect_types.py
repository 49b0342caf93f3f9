"""The types of the `fly` dialect on xDSL: a type is its canonical text, and equal where that is.

`type_of(value)` and `.value` lead from values of `types` to types and back. The older spellings, those of FlyDSL's
page on layouts, are read as the release's types.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Generic, NoReturn, TypeGuard, TypeVar

from xdsl.context import Context
from xdsl.ir import Attribute, Data, Dialect, ParametrizedAttribute, TypeAttribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Span

from tilewright.errors import LayoutError, NotationError, TilewrightError, shown
from tilewright.ir.fly import type_reader, types
from tilewright.ir.fly.atom_kinds import KINDS
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import Value
from tilewright.ir.fly.wording import in_words
from tilewright.ir.mlir.text import MlirPrinter
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle

AnyValue = TypeVar("AnyValue", bound=Value, covariant=True)


def words_of(printer: Printer) -> frozenset[str]:
    """The spellings that are used beside the release's."""
    return printer.words if isinstance(printer, MlirPrinter) else frozenset()


class FlyType(Data[str], TypeAttribute, Generic[AnyValue]):
    """A type of the dialect: `data` is its whole text, in the release's spelling."""

    @property
    def value(self) -> AnyValue:
        """What the type says, with nameless run-time leaves."""
        return read(self.data)  # type: ignore[return-value]  # each class below reads its own kind

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> str:
        """`<..>`, whose text is not MLIR's: `|`, `*` and `?` stand alone in it."""
        return _parsed(parser, cls.name)

    @property
    def parameter_text(self) -> str:
        """The text after the type's name."""
        return self.data[len(self.name) + 1 :]

    def print_parameter(self, printer: Printer) -> None:
        """As `parse_parameter` reads it."""
        printer.print_string(in_words(self.parameter_text, words_of(printer)))


def is_fly_type(type_: Attribute) -> TypeGuard[FlyType[Value]]:
    """Is it a type of the dialect? `isinstance` asks xDSL's metaclasses."""
    return FlyType in type(type_).__mro__


class IntTupleType(FlyType[IntTuple]):
    """`!fly.int_tuple<(4,(8,?))>`."""

    name = "fly.int_tuple"


class BasisType(FlyType[types.Basis]):
    """`!fly.basis<3E0E1>`."""

    name = "fly.basis"


class LayoutType(FlyType[Layout]):
    """`!fly.layout<(4,8):(1,4)>`."""

    name = "fly.layout"


class TileType(FlyType[types.Tile]):
    """`!fly.tile<[4|*|(2,4):(1,8)]>`."""

    name = "fly.tile"


class SwizzleType(FlyType[Swizzle | types.XorShift]):
    """`!fly.swizzle<S<3,3,3>>`."""

    name = "fly.swizzle"


class CoordSwizzleType(FlyType[CoordSwizzle]):
    """`!fly.coord_swizzle<CS<3,0,[1],0,[2]>>`."""

    name = "fly.coord_swizzle"


class ComposedLayoutType(FlyType[ComposedLayout]):
    """`!fly.composed_layout<S<3,3,3> o 0 o (8,64):(64,1)>`."""

    name = "fly.composed_layout"


class PointerType(FlyType[types.Pointer]):
    """`!fly.ptr<f16, shared, align<16>>`."""

    name = "fly.ptr"


class MemRefType(FlyType[types.MemRef]):
    """`!fly.memref<f32, global, (?,?):(?,1)>`."""

    name = "fly.memref"


class CoordTensorType(FlyType[types.CoordTensor]):
    """`!fly.coord_tensor<(0,0), (4,8):(1E0,1E1)>`."""

    name = "fly.coord_tensor"


class CopyAtomType(FlyType[types.Atom]):
    """`!fly.copy_atom<!fly.universal_copy<128>, 32>`."""

    name = "fly.copy_atom"


class MmaAtomType(FlyType[types.Atom]):
    """`!fly.mma_atom<!fly.universal_fma<1x1x1, (f32, f32) -> f32>>`."""

    name = "fly.mma_atom"


class TiledCopyType(FlyType[types.TiledCopy]):
    """`!fly.tiled_copy<ATOM, !fly.layout<TV>, !fly.tile<[M|N]>>`."""

    name = "fly.tiled_copy"


class TiledMmaType(FlyType[types.TiledMma]):
    """`!fly.tiled_mma<ATOM, !fly.layout<..>[, !fly.tile<..>]>`."""

    name = "fly.tiled_mma"


class AtomOperationType(FlyType[types.Atom]):
    """What an atom does, `!fly.universal_copy<128>`; a class for each name in `atom_kinds.KINDS`."""


def _operation_types() -> list[type[FlyType[Value]]]:
    names = [kind.removeprefix("!") for kind in KINDS]
    return [type("AtomOperationType", (AtomOperationType,), {"name": name}) for name in names]


TYPES: tuple[type[FlyType[Value]], ...] = (
    IntTupleType,
    BasisType,
    LayoutType,
    TileType,
    SwizzleType,
    CoordSwizzleType,
    ComposedLayoutType,
    PointerType,
    MemRefType,
    CoordTensorType,
    CopyAtomType,
    MmaAtomType,
    TiledCopyType,
    TiledMmaType,
    *_operation_types(),
)
_BY_NAME = {kind.name: kind for kind in TYPES}


@lru_cache(8192)
def from_text(text: str) -> TypeAttribute:
    """The type of a text, of the dialect or another.

    Raises:
        NotationError: the text is no type.
        LayoutError: it is one in form, but its numbers are no layout.

    >>> print(from_text("!fly.pointer<f16>"), from_text("vector<4xf32>"))
    !fly.ptr<f16, global> vector<4xf32>
    """
    if not text.startswith("!fly"):
        return _foreign(text)
    written = write(read(text))
    return _BY_NAME[written.partition("<")[0].removeprefix("!")](written)


def _foreign(text: str) -> TypeAttribute:
    known = Context()
    known.register_dialect("llvm", _llvm)
    try:
        return Parser(known, text).parse_type()
    except ParseError as error:
        raise NotationError(f"expected a type, got {shown(text)}: {error.msg}") from None


def _llvm() -> Dialect:
    from tilewright.ir.mlir.llvm import LLVM

    return LLVM


def type_of(value: Value) -> TypeAttribute:
    """The type that says the value.

    >>> print(type_of((4, (8, 2))))
    !fly.int_tuple<(4,(8,2))>
    """
    return from_text(write(value))


class NoTypeError(ParseError):
    """A type can be read, but its numbers are none of its kind: the shape and stride of a layout differ in profile."""

    def __init__(self, span: Span, message: str, written: NoType) -> None:
        super().__init__(span, message)
        self.written = written


@irdl_attr_definition
class NoType(FlyType[Value]):
    """What is written for a result, and is no type: the op's own inference says what stands there instead."""

    name = "fly.no_type"

    @property
    def parameter_text(self) -> str:
        """All that is written, in brackets."""
        return f"<{self.data}>"

    @property
    def why(self) -> str:
        """Why it is no type."""
        try:
            read(self.data)
        except LayoutError as error:
            return _sentence(error)
        return ""


def parse_result(parser: Parser) -> Attribute:
    """The type of a result, or what stands in its place."""
    is_ours = parser._current_token.text.startswith("!fly.")  # and ends where its own text does
    try:
        return parser.parse_type()
    except NoTypeError as error:
        if not is_ours:
            raise
        return error.written


def _parsed(parser: AttrParser, name: str) -> str:
    start = parser.pos
    if parser._current_token.text != "<":
        parser.raise_error(f"expected !{name}<..>")
    # The only reader of raw text that xDSL has; public ones go by its own tokens.
    body = parser._parse_dialect_symbol_body()
    try:
        return _spelled(f"!{name}<{body}>")
    except TilewrightError as error:
        _refuse(parser, error, start, f"!{name}<{body}>")


@lru_cache(8192)
def _spelled(text: str) -> str:
    return write(read(text))


def _refuse(parser: AttrParser, error: TilewrightError, start: int, text: str) -> NoReturn:
    end = start + len(text) - text.index("<")
    if isinstance(error, LayoutError):
        raise NoTypeError(Span(start, end, parser.lexer.input), _sentence(error), NoType(text))
    parser.raise_error(_sentence(error), start, end)


def _sentence(error: TilewrightError) -> str:
    return str(error).split("\n")[0]


# ---- spellings of FlyDSL's page on layouts, and older ones


class _Older(ParametrizedAttribute, TypeAttribute):
    """A spelling that is read as another type."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return [from_text(_parsed(parser, cls.name))]

    @classmethod
    def new(cls, params: Sequence[Attribute]) -> Attribute:  # type: ignore[override]  # the type that is meant
        return params[0]


def _older(name: str) -> type[Attribute]:
    return irdl_attr_definition(type("Older", (_Older,), {"name": name.removeprefix("!")}))


OLDER: tuple[type[Attribute], ...] = tuple(map(_older, type_reader.OLDER))
