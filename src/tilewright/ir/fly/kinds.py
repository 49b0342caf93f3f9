"""The kinds of operands that ops take, as data: what a row of the table says, and what is checked before a rule runs.

The type of a kind is what its rule may rely on: mypy compares the two row by row.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import NoneType
from typing import TYPE_CHECKING, ClassVar, Generic, TypeAlias, TypeGuard, TypeVar

from tilewright.errors import LayoutError
from tilewright.ir.fly.type_writer import write
from tilewright.ir.fly.types import (
    AnyLayout,
    Atom,
    Coordinate,
    CoordTensor,
    MemRef,
    Pointer,
    Scalar,
    Tile,
    TiledCopy,
    TiledMma,
    Value,
    View,
    XorShift,
)
from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.coord_swizzle import CoordSwizzle
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.symint import SymInt

if TYPE_CHECKING:
    from tilewright.layout.inttuple import Tree

T_co = TypeVar("T_co", covariant=True)
U = TypeVar("U")

MANY = 1 << 10  # as many integers as an op takes that run time alone knows


class Parameter(Generic[T_co]):
    """What a rule takes at one place: an operand, several, an attribute, or the types that are written for results."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Kind(Parameter[T_co]):
    """An operand of one of these classes, as are all leaves of a tuple.

    `sentence` is FlyDSL's for other operands, where it has one of its own.

    >>> print(LAYOUT | TILE, (4, None) in COORDINATE, (4, None) in INTEGERS)
    a layout or a tile True False
    """

    words: tuple[str, ...]
    classes: tuple[type, ...]
    sentence: str = ""
    least: ClassVar[int] = 1
    most: ClassVar[int] = 1
    mark: ClassVar[str] = ""

    @property
    def kind(self) -> Kind[object]:
        """The kind of each of the operands."""
        return self

    def taken(self, values: tuple[Value, ...]) -> Value:
        """The operands as the rule takes them."""
        return values[0]

    def saying(self, sentence: str) -> Kind[T_co]:
        """The kind with a sentence for operands of another one."""
        return replace(self, sentence=sentence)

    def refusal(self, position: int, value: Value) -> LayoutError:
        """Says which operand is of another kind."""
        told = f"operand #{position} is {write(value)}, expected {self}"
        return LayoutError(f"{self.sentence.format(write(value))}\n{told}" if self.sentence else told)

    def admits(self, value: object) -> TypeGuard[T_co]:
        """Is the value of this kind, for mypy too?"""
        return value in self

    def __contains__(self, value: object) -> bool:
        fits = isinstance(value, self.classes)
        return all(item in self for item in value) if fits and isinstance(value, tuple) else fits

    def __or__(self, other: Kind[U]) -> Kind[T_co | U]:
        return Kind((*self.words, *other.words), (*self.classes, *other.classes))

    def __str__(self) -> str:
        *first, last = self.words
        return f"{', '.join(first)} or {last}" if first else last


@dataclass(frozen=True, slots=True)
class Maybe(Parameter[T_co | None], Generic[T_co]):
    """An operand that may be missing; the rule takes None for it."""

    kind: Kind[T_co]
    least: ClassVar[int] = 0
    most: ClassVar[int] = 1
    mark: ClassVar[str] = "?"

    def taken(self, values: tuple[Value, ...]) -> Value:
        """The operands as the rule takes them."""
        return values[0] if values else None


@dataclass(frozen=True, slots=True)
class Many(Parameter[tuple[T_co, ...]], Generic[T_co]):
    """Any number of operands; the rule takes a tuple."""

    kind: Kind[T_co]
    least: int = 0
    most: ClassVar[int] = MANY
    mark: ClassVar[str] = "*"

    def taken(self, values: tuple[Value, ...]) -> tuple[Value, ...]:
        """The operands as the rule takes them."""
        return values


Operand: TypeAlias = Kind[object] | Maybe[object] | Many[object]


def _kind(words: str, *classes: type) -> Kind[T_co]:
    return Kind((words,), classes)


INT_TUPLE: Kind[Tree] = _kind("an int tuple", int, SymInt, tuple, AxisSum, NoneType)
COORDINATE: Kind[Coordinate] = _kind("a coordinate", int, SymInt, tuple, NoneType)
INTEGERS: Kind[IntTuple] = _kind("a tuple of integers", int, SymInt, tuple)
LAYOUT: Kind[Layout] = _kind("a layout", Layout)
COMPOSED: Kind[ComposedLayout] = _kind("a composed layout", ComposedLayout)
MEMREF: Kind[MemRef] = _kind("a memref", MemRef)
COORD_TENSOR: Kind[CoordTensor] = _kind("a coordinate tensor", CoordTensor)
TILE: Kind[Tile] = _kind("a tile", Tile)
SWIZZLE: Kind[Swizzle] = _kind("a swizzle", Swizzle)
XOR_SHIFT: Kind[XorShift] = _kind("a swizzle with a shift below its bits", XorShift)
COORD_SWIZZLE: Kind[CoordSwizzle] = _kind("a swizzle of coordinates", CoordSwizzle)
POINTER: Kind[Pointer] = _kind("a pointer", Pointer)
ATOM: Kind[Atom] = _kind("an atom", Atom)
TILED_COPY: Kind[TiledCopy] = _kind("a tiled copy", TiledCopy)
TILED_MMA: Kind[TiledMma] = _kind("a tiled MMA", TiledMma)
SCALAR: Kind[Scalar] = _kind("a type of another dialect", Scalar)
VALUE: Kind[Value] = _kind("any value", object)

ANY_LAYOUT: Kind[AnyLayout] = LAYOUT | COMPOSED
TENSOR: Kind[View] = MEMREF | COORD_TENSOR
LAID_OUT = ANY_LAYOUT | TENSOR
SHAPED = INT_TUPLE | LAID_OUT
PROFILED = INT_TUPLE | ANY_LAYOUT
TILER = LAYOUT | TILE | INT_TUPLE
FUNCTION = ANY_LAYOUT | SWIZZLE | XOR_SHIFT | COORD_SWIZZLE
