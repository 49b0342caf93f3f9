"""Python's operators for whatever holds a `Number`, once: scalars and vectors of typed numbers inherit them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Generic, Self, TypeAlias, TypeVar

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics import operators
from tilewright.lang.core.numerics.elements import literal
from tilewright.lang.core.numerics.number import Number

Plain: TypeAlias = "int | float | bool"
Other: TypeAlias = "Typed[Typed[object]] | Plain"
Made = TypeVar("Made", covariant=True)


class Typed(Generic[Made]):
    """A value with Python's operators, whose results are `Made`."""

    __slots__ = ()

    @property
    @abstractmethod
    def number(self) -> Number:
        """The number or vector of numbers that it holds."""

    @abstractmethod
    def _made(self, number: Number) -> Made:
        """The value of a result."""

    @classmethod
    def __coerce__(cls, value: object) -> Self:
        """The value as one of these."""
        raise KernelError(f"{shown(value)} is no {cls.__name__}")

    def _binary(self, sign: str, other: object) -> Made:
        right = number_of(other)
        return NotImplemented if right is None else self._made(operators.binary(sign, self.number, right))

    def _reflected(self, sign: str, other: object) -> Made:
        left = number_of(other)
        return NotImplemented if left is None else self._made(operators.binary(sign, left, self.number))

    def __add__(self, other: object) -> Made:
        return self._binary("+", other)

    def __radd__(self, other: object) -> Made:
        return self._reflected("+", other)

    def __sub__(self, other: object) -> Made:
        return self._binary("-", other)

    def __rsub__(self, other: object) -> Made:
        return self._reflected("-", other)

    def __mul__(self, other: object) -> Made:
        return self._binary("*", other)

    def __rmul__(self, other: object) -> Made:
        return self._reflected("*", other)

    def __truediv__(self, other: object) -> Made:
        return self._binary("/", other)

    def __rtruediv__(self, other: object) -> Made:
        return self._reflected("/", other)

    def __floordiv__(self, other: object) -> Made:
        return self._binary("//", other)

    def __rfloordiv__(self, other: object) -> Made:
        return self._reflected("//", other)

    def __mod__(self, other: object) -> Made:
        return self._binary("%", other)

    def __rmod__(self, other: object) -> Made:
        return self._reflected("%", other)

    def __divmod__(self, other: object) -> tuple[Made, Made]:
        return self._binary("//", other), self._binary("%", other)

    def __rdivmod__(self, other: object) -> tuple[Made, Made]:
        return self._reflected("//", other), self._reflected("%", other)

    def __pow__(self, other: object) -> Made:
        return self._made(operators.power(self.number, required(other, "an exponent")))

    def __rpow__(self, other: object) -> Made:
        return self._made(operators.power(required(other, "a base"), self.number))

    def __and__(self, other: object) -> Made:
        return self._binary("&", other)

    def __rand__(self, other: object) -> Made:
        return self._reflected("&", other)

    def __or__(self, other: object) -> Made:
        return self._binary("|", other)

    def __ror__(self, other: object) -> Made:
        return self._reflected("|", other)

    def __xor__(self, other: object) -> Made:
        return self._binary("^", other)

    def __rxor__(self, other: object) -> Made:
        return self._reflected("^", other)

    def __lshift__(self, other: object) -> Made:
        return self._binary("<<", other)

    def __rlshift__(self, other: object) -> Made:
        return self._reflected("<<", other)

    def __rshift__(self, other: object) -> Made:
        return self._binary(">>", other)

    def __rrshift__(self, other: object) -> Made:
        return self._reflected(">>", other)

    def __lt__(self, other: object) -> Made:
        return self._binary("<", other)

    def __le__(self, other: object) -> Made:
        return self._binary("<=", other)

    def __gt__(self, other: object) -> Made:
        return self._binary(">", other)

    def __ge__(self, other: object) -> Made:
        return self._binary(">=", other)

    def __eq__(self, other: object) -> Made:  # type: ignore[override]  # a truth of run time
        return self._binary("==", other)

    def __ne__(self, other: object) -> Made:  # type: ignore[override]  # a truth of run time
        return self._binary("!=", other)

    __hash__ = object.__hash__

    def __neg__(self) -> Made:
        return self._made(operators.negated(self.number))

    def __pos__(self) -> Self:
        return self

    def __invert__(self) -> Made:
        return self._made(operators.inverted(self.number))

    def __abs__(self) -> Made:
        return self._made(operators.absolute(self.number))


def number_of(value: object) -> Number | None:
    """The number of a typed value or of Python's own; None of anything else."""
    if isinstance(value, Typed):
        return value.number
    if isinstance(value, bool | int | float):
        return Number(literal(value), value if not isinstance(value, float) else _rounded(value))
    return None


def _rounded(value: float) -> float:
    from tilewright.lang.core.numerics.elements import FLOAT32, normal

    return float(normal(FLOAT32, value))


def required(value: object, what: str) -> Number:
    """The number of a value.

    Raises:
        KernelError: it has none.
    """
    found = number_of(value)
    if found is None:
        raise KernelError(f"{what} is a number, got {shown(value)}")
    return found
