"""The typed numbers, a class a type: `Int32(7)`, `Float16`, `Boolean`; known while tracing, or of run time."""

from __future__ import annotations

from typing import ClassVar, Self, TypeAlias

import numpy as np
from xdsl.ir import Attribute, SSAValue

from tilewright.dtypes import DType
from tilewright.dtypes import dtype as find_dtype
from tilewright.errors import KernelError, TilewrightError, shown
from tilewright.lang.core.numerics import operators
from tilewright.lang.core.numerics.elements import BOOL, FLOAT32, INT32, ir_type, literal, normal
from tilewright.lang.core.numerics.number import Number, Value, bitcast, convert, is_known, of_ssa
from tilewright.lang.core.numerics.spelled import Spelled
from tilewright.lang.core.numerics.typed import number_of, required
from tilewright.lang.core.undefined import Undefined

__all__ = ["Numeric", "NumericMeta", "as_numeric"]

NumericLike: TypeAlias = "Numeric | int | float | bool"


class NumericMeta(type):
    """What number types tell about themselves."""

    element: DType

    @property
    def width(cls) -> int:
        """Bits of a number; a Boolean has one."""
        return 1 if cls.element.kind == "bool" else cls.element.bits

    @property
    def log_width(cls) -> int:
        """The logarithm of `width` to the base 2."""
        return cls.width.bit_length() - 1

    @property
    def signed(cls) -> bool:
        """Are its numbers read with a sign?"""
        return cls.element.kind in ("int", "float")

    @property
    def is_integer(cls) -> bool:
        """Is it a type of integers?"""
        return not cls.element.is_float

    @property
    def is_float(cls) -> bool:
        """Is it a type of floats?"""
        return cls.element.is_float

    @property
    def ir_type(cls) -> Attribute:
        """Its type in MLIR; integers have no sign there."""
        return ir_type(cls.element)

    @property
    def numpy_dtype(cls) -> np.dtype[np.generic]:
        """numpy's type of it."""
        found: np.dtype[np.generic] = cls.element.numpy()
        return found

    @property
    def zero(cls) -> int | float | bool:
        """Its 0 as Python's own number."""
        return normal(cls.element, 0)

    @property
    def __tilewright_dtype__(cls) -> DType:
        """The element type."""
        return cls.element

    def __repr__(cls) -> str:
        return cls.__name__


class Numeric(Spelled["Numeric"], metaclass=NumericMeta):
    """A number of a type. Constructing converts, as C does: integers wrap, floats round.

    Args:
        value: Python's number, another typed number, or a value of the IR.

    >>> from tilewright.lang.core.numerics.types import Float16, Int4, Int32
    >>> Int32(2**31).value, Int4(9).value, Float16(0.1).value, Int32(-7) % Int32(2)
    (-2147483648, -7, 0.0999755859375, Int32(-1))
    """

    element: ClassVar[DType] = INT32
    classes: ClassVar[dict[DType, type[Numeric]]] = {}
    __slots__ = ("_number",)

    def __init_subclass__(cls, **given: object) -> None:
        super().__init_subclass__(**given)
        if "element" in cls.__dict__:
            Numeric.classes[cls.element] = cls

    def __init__(self, value: object = 0) -> None:
        if isinstance(value, SSAValue):
            found = of_ssa(value)
        elif isinstance(value, bool | int | float):
            found = Number(self.element, normal(self.element, value))
        else:
            found = required(value, f"what {type(self).__name__} is made of")
        if found.shape is not None:
            raise KernelError(f"{type(self).__name__} takes one number, got a vector of {found.shape}; use .to(dtype)")
        self._number = convert(found, self.element)

    @property
    def number(self) -> Number:
        """The number."""
        return self._number

    def _made(self, number: Number) -> Numeric:
        return scalar(number)

    @property
    def value(self) -> Value:
        """Python's number where it is known, else the value in the IR."""
        return self._number.value

    @property
    def dtype(self) -> type[Numeric]:
        """Its class."""
        return type(self)

    def is_static(self) -> bool:
        """Is it known while tracing?"""
        return self._number.known

    def ir_value(self) -> Numeric:
        """The number as one of run time: of a known one, a constant."""
        return scalar(self._number.of(self._number.ssa()))

    def to(self, dtype: DTypeOf, *, rounding_mode: object = None) -> Numeric:
        """The number converted to another type, as C does.

        Raises:
            KernelError: a rounding that is not to the nearest, even of two.
        """
        if rounding_mode is not None and getattr(rounding_mode, "name", rounding_mode) != "to_nearest_even":
            raise KernelError(f"conversions round to the nearest, even of two; {shown(rounding_mode)} is not there")
        return numeric_type(dtype)(self)

    def bitcast(self, dtype: DTypeOf) -> Numeric:
        """The same bits as a number of another type of that width."""
        return scalar(bitcast(Number(self.element, self._number.ssa()), numeric_type(dtype).element))

    def select(self, true_value: object, false_value: object) -> Numeric:
        """One of two numbers, by whether this one is not 0."""
        yes, no = (required(value, "what select chooses") for value in (true_value, false_value))
        return scalar(operators.select(self._number, yes, no))

    @staticmethod
    def from_python_value(value: int | float | bool) -> Numeric:
        """Python's number with the type of such a literal: Int32 (Int64 where needed), Float32, Boolean."""
        return as_numeric(value)

    @staticmethod
    def from_ir_type(type: Attribute) -> type[Numeric]:
        """The class of an MLIR type."""
        from tilewright.lang.core.numerics.elements import element_of

        return class_of(element_of(type))

    # ---- what only a known number has

    def _known(self, what: str) -> int | float:
        value = self._number.value
        if is_known(value):
            return value
        raise KernelError(
            f"{what} of a number that only run time knows; while tracing it has no value "
            "(a range is fx.range_constexpr, a condition is a plain `if`, a choice is .select(a, b), a sine is fx.sin)"
        )

    def __bool__(self) -> bool:
        return bool(self._known("the truth"))

    def __int__(self) -> int:
        return int(self._known("the integer"))

    def __float__(self) -> float:
        return float(self._known("the float"))

    def __index__(self) -> int:
        value = self._known("the index")
        if isinstance(value, float):
            raise KernelError(f"an index is an integer, got {self!r}")
        return int(value)

    def __str__(self) -> str:
        return str(self._number.value) if self._number.known else "?"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    # ---- carried through control flow

    def __extract_to_ir_values__(self) -> list[SSAValue]:
        """The one value."""
        return [self._number.ssa()]

    @classmethod
    def __construct_from_ir_values__(cls, values: list[SSAValue], exemplar: object = None) -> Self:
        """The number of the one value."""
        found = cls.__new__(cls)
        found._number = Number(cls.element, values[0])
        return found


DTypeOf: TypeAlias = "type[Numeric] | type[int] | type[float] | type[bool] | DType | Attribute | str"


_PYTHONS: dict[type, DType] = {bool: BOOL, int: INT32, float: FLOAT32}


def class_of(element: DType) -> type[Numeric]:
    """The class of an element type.

    Raises:
        KernelError: there is none.
    """
    if element not in Numeric.classes:
        raise KernelError(f"there are no typed numbers of {element}")
    return Numeric.classes[element]


def scalar(number: Number) -> Numeric:
    """The typed number."""
    kind = class_of(number.element)
    found = kind.__new__(kind)
    found._number = number
    return found


def numeric_type(kind: object) -> type[Numeric]:
    """The class of a type, however it is named: a class, `int`, `float`, `bool`, an MLIR type, a name, numpy's.

    Raises:
        KernelError: it is no type of numbers.

    >>> from tilewright.lang.core.numerics import types
    >>> numeric_type(float), numeric_type("bf16"), numeric_type("uint8")
    (Float32, BFloat16, Uint8)
    """
    if isinstance(kind, type) and issubclass(kind, Numeric):
        return kind
    if isinstance(kind, type) and kind in _PYTHONS:
        return class_of(_PYTHONS[kind])
    if isinstance(kind, Attribute):
        return Numeric.from_ir_type(kind)
    try:
        return class_of(find_dtype(kind))  # type: ignore[arg-type]  # what is none is refused
    except KernelError:
        raise
    except TilewrightError as error:
        raise KernelError(f"expected a type of numbers such as fx.Float32, got {shown(kind)}: {error}") from None


def as_numeric(obj: object) -> Numeric:
    """The typed number of Python's own, or of a value of the IR; a typed one as it is.

    Raises:
        KernelError: it is no number.

    >>> from tilewright.lang.core.numerics import types
    >>> as_numeric(7), as_numeric(2**40), as_numeric(0.5), as_numeric(True)
    (Int32(7), Int64(1099511627776), Float32(0.5), Boolean(True))
    """
    if isinstance(obj, Numeric):
        return obj
    if isinstance(obj, bool | int | float):
        return class_of(literal(obj))(obj)
    if isinstance(obj, SSAValue):
        return scalar(of_ssa(obj))
    found = number_of(obj)
    if found is None or found.shape is not None:
        raise KernelError(obj.reason if isinstance(obj, Undefined) else f"expected a number, got {shown(obj)}")
    return scalar(found)
