"""`Vector`: numbers of one type in registers, under a shape whose last index runs fastest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from math import prod
from typing import Protocol, TypeAlias, overload

from xdsl.dialects import vector
from xdsl.dialects.builtin import DenseArrayBase, VectorType, i64
from xdsl.ir import Attribute, SSAValue

from tilewright.errors import KernelError, shown
from tilewright.ir.mlir.vector import FromElementsOp
from tilewright.lang.core.numerics import operators
from tilewright.lang.core.numerics.elements import element_of, ir_type
from tilewright.lang.core.numerics.number import Number, bitcast, broadcast, convert, filled, is_known
from tilewright.lang.core.numerics.numeric import (
    DTypeOf,
    Numeric,
    NumericLike,
    as_numeric,
    class_of,
    numeric_type,
    scalar,
)
from tilewright.lang.core.numerics.spelled import Spelled
from tilewright.lang.core.numerics.typed import required
from tilewright.lang.core.numerics.types import Index
from tilewright.lang.core.trace import result

__all__ = ["ReductionOp", "Vector", "VectorAlias", "empty_like", "full", "full_like", "ones_like", "zeros_like"]

VectorShape: TypeAlias = "int | tuple[VectorShape, ...]"
Operand: TypeAlias = "Vector | NumericLike"


class ReductionOp(Enum):
    """What joins the elements of a vector."""

    ADD = "add"
    MUL = "mul"
    MAX = "max"
    MIN = "min"


_SIGNS = {"add": "+", "mul": "*", "max": "max", "min": "min"}


class InMemory(Protocol):
    """A tensor, as far as vectors lie in it."""

    def vector_at(self, kind: object, indices: tuple[NumericLike, ...]) -> Vector:
        """The vector of a type that begins at an element."""

    def store_vector_at(self, vector: Vector, indices: tuple[NumericLike, ...]) -> None:
        """Writes a vector from an element on."""


def flat(shape: VectorShape) -> tuple[int, ...]:
    """The extents of a shape, which may be nested."""
    return (shape,) if isinstance(shape, int) else tuple(extent for part in shape for extent in flat(part))


class Vector(Spelled["Vector"]):
    """A vector of typed numbers.

    Args:
        value: another vector, a value of the IR of a vector type, or the elements.
        shape: its extents, perhaps nested; without it one extent.
        dtype: the elements' type; without it that of the value.
    """

    __slots__ = ("_number", "shape")

    def __init__(self, value: object, shape: VectorShape | None = None, dtype: DTypeOf | None = None) -> None:
        found = _number(value, dtype)
        count = 1 if found.shape is None else prod(found.shape)
        extents: VectorShape = shape if shape is not None else (value.shape if isinstance(value, Vector) else (count,))
        if prod(flat(extents)) != count:
            raise KernelError(f"a vector of {count} elements has no shape {extents}")
        self._number = found if found.shape is not None else broadcast(found, (1,))
        self.shape: tuple[VectorShape, ...] = extents if isinstance(extents, tuple) else (extents,)

    def __class_getitem__(cls, given: tuple[DTypeOf, int]) -> VectorAlias:
        """The type of vectors of so many numbers: `Vector[Float32, 4]`."""
        dtype, lanes = given
        return VectorAlias(dtype, lanes)

    # ---- making

    @classmethod
    def from_elements(cls, elements: Sequence[NumericLike], dtype: DTypeOf | None = None) -> Vector:
        """The vector of these numbers, all of one type: of `dtype`, or of the first one's."""
        given = [as_numeric(element) for element in elements]
        if not given:
            raise KernelError("a vector has at least one element")
        kind = numeric_type(dtype) if dtype is not None else type(given[0])
        values = [kind(element).number.ssa() for element in given]
        return cls.of(Number(kind.element, result(FromElementsOp.of(values)), (len(values),)))

    @classmethod
    def filled(cls, shape: VectorShape, fill_value: NumericLike, dtype: DTypeOf) -> Vector:
        """A vector of one number."""
        kind, count = numeric_type(dtype), prod(flat(shape))
        number = kind(fill_value).number
        if is_known(number.value):
            return cls.of(filled(kind.element, number.value, (count,)), shape)
        return cls.of(broadcast(number, (count,)), shape)

    @classmethod
    def filled_like(cls, v: Vector, x: NumericLike, dtype: DTypeOf | None = None) -> Vector:
        """A vector of one number, of the shape, and without `dtype` of the type, of another."""
        return cls.filled(v.shape, x, dtype if dtype is not None else v.dtype)

    @classmethod
    def zeros_like(cls, v: Vector, dtype: DTypeOf | None = None) -> Vector:
        """A vector of zeros, of the shape, and without `dtype` of the type, of another."""
        return cls.filled_like(v, 0, dtype)

    @staticmethod
    def make_type(shape: VectorShape, dtype: DTypeOf) -> VectorType:
        """The MLIR type of a vector."""
        found = ir_type(numeric_type(dtype).element, (prod(flat(shape)),))
        assert isinstance(found, VectorType)
        return found

    @classmethod
    def of(cls, number: Number, shape: VectorShape | None = None) -> Vector:
        """The vector of a number with a shape."""
        found = cls.__new__(cls)
        count = prod(number.shape or ())
        found._number = number
        extents = (count,) if shape is None else shape
        found.shape = extents if isinstance(extents, tuple) else (extents,)
        return found

    # ---- what it is

    @property
    def number(self) -> Number:
        """The numbers."""
        return self._number

    @property
    def dtype(self) -> type[Numeric]:
        """The class of the elements."""
        return class_of(self._number.element)

    element_type = dtype

    @property
    def numel(self) -> int:
        """How many elements there are."""
        return prod(self._number.shape or ())

    @property
    def value(self) -> SSAValue:
        """The value in the IR."""
        return self._number.ssa()

    def ir_value(self) -> Vector:
        """The vector itself."""
        return self

    def _made(self, number: Number) -> Vector:
        return Vector.of(number, self.shape)

    def _binary(self, sign: str, other: object) -> Vector:
        a, b, shape = _together(self, other)
        return Vector.of(operators.binary(sign, a, b), shape)

    def _reflected(self, sign: str, other: object) -> Vector:
        a, b, shape = _together(self, other)
        return Vector.of(operators.binary(sign, b, a), shape)

    def __len__(self) -> int:
        return flat(self.shape)[0]

    def __iter__(self) -> Iterator[Numeric]:
        return (self[i] for i in range(self.numel))

    @overload
    def __getitem__(self, at: NumericLike) -> Numeric: ...
    @overload
    def __getitem__(self, at: tuple[NumericLike | None, ...]) -> Numeric | Vector: ...
    def __getitem__(self, at: NumericLike | tuple[NumericLike | None, ...]) -> Numeric | Vector:
        """An element, of an index that run time alone knows too; with None in it the vector of what is left."""
        if isinstance(at, tuple) and None in [x for x in at if x is None]:
            return self._part(at)
        return self._element(at)  # type: ignore[arg-type]  # without None

    def _part(self, at: tuple[NumericLike | None, ...]) -> Vector:
        """The elements whose known indices are these; None stands for all of an extent."""
        extents = flat(self.shape)
        if len(at) != len(extents):
            raise KernelError(f"{len(at)} indices into a vector of shape {self.shape}")
        places = [0]
        for index, extent in zip(at, extents, strict=True):
            taken = range(extent) if index is None else [_within(int(as_numeric(index)), extent)]
            places = [place * extent + i for place in places for i in taken]
        left = tuple(extent for index, extent in zip(at, extents, strict=True) if index is None)
        return Vector.of(_shuffled(self._number, places), left)

    def _element(self, at: NumericLike | tuple[NumericLike, ...]) -> Numeric:
        index = self._flat_index(at) if isinstance(at, tuple) else as_numeric(at)
        if index.is_static():
            position = int(index)
            if not -self.numel <= position < self.numel:
                raise KernelError(f"element {position} of a vector of {self.numel}")
            positions: list[SSAValue | int] = [position % self.numel]
        else:
            positions = [Index(index).number.ssa()]
        op = vector.ExtractOp(self.value, positions, ir_type(self._number.element))
        return scalar(Number(self._number.element, result(op)))

    def _flat_index(self, at: tuple[NumericLike, ...]) -> Numeric:
        extents = flat(self.shape)
        if len(at) != len(extents):
            raise KernelError(f"{len(at)} indices into a vector of shape {self.shape}")
        found: Numeric = as_numeric(0)
        for index, extent in zip(at, extents, strict=True):
            found = as_numeric(found * extent + as_numeric(index))
        return found

    def __bool__(self) -> bool:
        raise KernelError("a vector has no truth; reduce it to one number first")

    def __str__(self) -> str:
        return f"Vector<{self.dtype}, {self.shape}>"

    __repr__ = __str__

    # ---- as another

    def to(self, dtype: DTypeOf, *, rounding_mode: object = None) -> Vector:
        """The elements converted to another type, as C does."""
        if rounding_mode is not None and getattr(rounding_mode, "name", rounding_mode) != "to_nearest_even":
            raise KernelError(f"conversions round to the nearest, even of two; {shown(rounding_mode)} is not there")
        return self._made(convert(self._number, numeric_type(dtype).element))

    def bitcast(self, dtype: DTypeOf) -> Vector:
        """The same bits as elements of another type, whose number follows their bits."""
        return Vector.of(bitcast(self._number, numeric_type(dtype).element))

    def select(self, true_value: Operand, false_value: Operand) -> Vector:
        """Element by element one of two, by whether this one's is not 0."""
        yes, no = (required(value, "what select chooses") for value in (true_value, false_value))
        return self._made(operators.select(self._number, yes, no))

    def reshape(self, shape: VectorShape) -> Vector:
        """The same elements, in their order, under another shape."""
        return Vector(self, shape)

    def broadcast_to(self, shape: VectorShape) -> Vector:
        """The elements repeated along extents of 1, and along new ones in front."""
        wanted, mine = flat(shape), flat(self.shape)
        padded = (1,) * (len(wanted) - len(mine)) + mine
        if len(padded) != len(wanted) or any(m not in (1, w) for m, w in zip(padded, wanted, strict=True)):
            raise KernelError(f"a vector of shape {self.shape} does not spread over {shape}")
        return Vector.of(_shuffled(self._number, _sources(padded, wanted)), shape)

    def shuffle(self, other: Vector, mask: Sequence[int]) -> Vector:
        """The elements at places of the two vectors, one behind the other."""
        return Vector.of(_shuffled(self._number, list(mask), other.number))

    def reduce(
        self,
        op: ReductionOp | str,
        init_val: NumericLike | None = None,
        reduction_profile: object = None,
        *,
        fastmath: object = None,
    ) -> Numeric:
        """All elements joined, one after the other in their order, behind `init_val` where it is given."""
        if reduction_profile is not None:
            raise KernelError("reduce joins all elements; a profile is not there: slice the vector")
        word = op.value if isinstance(op, ReductionOp) else op
        if word not in _SIGNS:
            raise KernelError(f"a reduction is one of {', '.join(_SIGNS)}, got {shown(op)}")
        parts = list(self)
        found = parts[0] if init_val is None else as_numeric(init_val)
        for part in parts[init_val is None :]:
            found = scalar(operators.binary(_SIGNS[word], found.number, part.number))
        return found

    def apply_op(self, op: str, other: Operand, flip: bool = False) -> Vector:
        """An operator's result by the operator's sign; with `flip` the other one stands on the left."""
        return self._reflected(op, other) if flip else self._binary(op, other)

    # ---- in memory

    @classmethod
    def load(cls, result_type: object, memref: InMemory, indices: Sequence[NumericLike]) -> Vector:
        """The vector that begins at an element of a tensor, of a type such as `fx.T.vec(4, fx.T.f32)`."""
        return memref.vector_at(result_type, tuple(indices))

    def store(self, memref: InMemory, indices: Sequence[NumericLike], *, alignment: int | None = None) -> None:
        """Writes the vector from an element of a tensor on."""
        memref.store_vector_at(self, tuple(indices))

    # ---- carried through control flow

    def __extract_to_ir_values__(self) -> list[SSAValue]:
        """The one value."""
        return [self.value]

    @classmethod
    def __construct_from_ir_values__(cls, values: list[SSAValue], exemplar: object = None) -> Vector:
        """The vector of the one value."""
        assert isinstance(exemplar, Vector)
        kind = values[0].type
        shape = kind.get_shape() if isinstance(kind, VectorType) else (1,)
        return cls.of(Number(exemplar.number.element, values[0], shape), exemplar.shape)


class VectorAlias:
    """The type of a vector of so many numbers.

    Args:
        dtype: of the elements.
        lanes: how many there are.

    >>> from tilewright.lang.core.numerics import types
    >>> VectorAlias("f32", 4), Vector[types.Float16, 8]
    (Float32x4, Float16x8)
    """

    def __init__(self, dtype: DTypeOf, lanes: int) -> None:
        self.dtype: type[Numeric] = numeric_type(dtype)
        self.lanes = lanes

    @property
    def element_type(self) -> type[Numeric]:
        """The class of the elements."""
        return self.dtype

    @property
    def ir_type(self) -> Attribute:
        """The type in MLIR."""
        return ir_type(self.dtype.element, (self.lanes,))

    def __call__(self, value: NumericLike | Sequence[NumericLike] | Vector) -> Vector:
        """A vector: of one number, of as many as there are lanes, or another vector of that type.

        Raises:
            KernelError: other lanes, or another type.
        """
        if isinstance(value, Vector):
            if value.dtype is not self.dtype or value.numel != self.lanes:
                raise KernelError(f"{self!r} takes no {value}; convert it with .to(dtype)")
            return value
        if isinstance(value, list | tuple):
            if len(value) != self.lanes:
                raise KernelError(f"{self!r} has {self.lanes} lanes, got {len(value)} numbers")
            return Vector.from_elements(value, self.dtype)
        return Vector.filled(self.lanes, value, self.dtype)  # type: ignore[arg-type]  # a number

    def __repr__(self) -> str:
        return f"{self.dtype}x{self.lanes}"


def _within(index: int, extent: int) -> int:
    if not -extent <= index < extent:
        raise KernelError(f"index {index} of an extent of {extent}")
    return index % extent


def _number(value: object, dtype: DTypeOf | None) -> Number:
    if isinstance(value, list | tuple):
        return Vector.from_elements(value, dtype).number
    if isinstance(value, SSAValue) and isinstance(value.type, VectorType):
        element = numeric_type(dtype).element if dtype is not None else element_of(value.type.element_type)
        return Number(element, value, (prod(value.type.get_shape()),))
    found = required(value, "what a vector is made of")
    return found if dtype is None else convert(found, numeric_type(dtype).element)


def _together(vector: Vector, other: object) -> tuple[Number, Number, tuple[VectorShape, ...]]:
    """Two operands as vectors of one shape, as numpy spreads them."""
    right = required(other, "the operand of a vector")
    if not isinstance(other, Vector) or flat(other.shape) == flat(vector.shape):
        return vector.number, right, vector.shape
    one, two = flat(vector.shape), flat(other.shape)
    count = max(len(one), len(two))
    pairs = zip((1,) * (count - len(one)) + one, (1,) * (count - len(two)) + two, strict=True)
    shape = tuple(b if a == 1 else a for a, b in pairs)
    return vector.broadcast_to(shape).number, other.broadcast_to(shape).number, shape


def _sources(have: tuple[int, ...], wanted: tuple[int, ...]) -> list[int]:
    """For each element of the wanted shape, which one it is of the shape that is spread."""
    found = [0]
    for mine, extent in zip(have, wanted, strict=True):
        found = [at * mine + (i if mine > 1 else 0) for at in found for i in range(extent)]
    return found


def _shuffled(number: Number, places: list[int], other: Number | None = None) -> Number:
    second = number if other is None else other
    count = prod(number.shape or ()) + prod(second.shape or ())
    if not places or not all(isinstance(at, int) and 0 <= at < count for at in places):
        raise KernelError(f"a shuffle takes places below {count}, got {shown(places)}")
    if second.element != number.element:
        raise KernelError(f"a shuffle joins vectors of one type, not {number.element} and {second.element}")
    kind, mask = ir_type(number.element, (len(places),)), DenseArrayBase.from_list(i64, places)
    op = vector.ShuffleOp.create(operands=[number.ssa(), second.ssa()], result_types=[kind], properties={"mask": mask})
    return Number(number.element, result(op), (len(places),))


# ---- functions of the language


def full(shape: VectorShape, fill_value: NumericLike, dtype: DTypeOf) -> Vector:
    """A vector of one number."""
    return Vector.filled(shape, fill_value, dtype)


def full_like(a: Vector, fill_value: NumericLike, dtype: DTypeOf | None = None) -> Vector:
    """A vector of one number, of the shape and type of another."""
    return Vector.filled_like(a, fill_value, dtype)


def zeros_like(a: Vector, dtype: DTypeOf | None = None) -> Vector:
    """A vector of zeros, of the shape and type of another."""
    return Vector.zeros_like(a, dtype)


def ones_like(a: Vector, dtype: DTypeOf | None = None) -> Vector:
    """A vector of ones, of the shape and type of another."""
    return Vector.filled_like(a, 1, dtype)


def empty_like(a: Vector, dtype: DTypeOf | None = None) -> Vector:
    """A vector of the shape and type of another; of zeros, as what it holds is not to be read."""
    return Vector.zeros_like(a, dtype)
