"""Older spellings of what numbers and vectors do, as methods: those of raw values in FlyDSL's kernels."""

from __future__ import annotations

from typing import TypeVar

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute

from tilewright.dtypes import DType, dtype
from tilewright.errors import KernelError, shown
from tilewright.ir.core.conversions import INDEX
from tilewright.lang.core.numerics import operators
from tilewright.lang.core.numerics.elements import INT32, element_of
from tilewright.lang.core.numerics.functions import unary
from tilewright.lang.core.numerics.lanes import shuffled
from tilewright.lang.core.numerics.number import Number, bitcast, convert
from tilewright.lang.core.numerics.typed import Typed, required

Made = TypeVar("Made", covariant=True)


class Spelled(Typed[Made]):
    """What has the older spellings."""

    __slots__ = ()

    @property
    def type(self) -> Attribute:
        """Its type in the IR."""
        return self.number.type

    def exp2(self, *, fastmath: object = None) -> Made:
        """2 to its power."""
        return self._made(unary("exp2", self.number))

    def rsqrt(self, *, fastmath: object = None) -> Made:
        """1 over its square root."""
        return self._made(unary("rsqrt", self.number))

    def maximumf(self, other: object, *, fastmath: object = None) -> Made:
        """The larger one."""
        return self._binary("max", other)

    def minimumf(self, other: object, *, fastmath: object = None) -> Made:
        """The smaller one."""
        return self._binary("min", other)

    def addf(self, other: object, *, fastmath: object = None) -> Made:
        """The sum."""
        return self._binary("+", other)

    def shrui(self, amount: object) -> Made:
        """The bits moved down, zeros behind them."""
        number = self.number
        bits = operators.binary(">>", _signed(number, False), required(amount, "shrui"))
        return self._made(bitcast(bits, number.element))

    def extf(self, type: object) -> Made:
        """A float as one of a wider type."""
        return self._made(convert(self.number, _element(type)))

    truncf = extf

    def extsi(self, type: object) -> Made:
        """An integer, read with its sign, as one of a wider type."""
        return self._made(convert(_signed(self.number, True), _element(type)))

    def extui(self, type: object) -> Made:
        """An integer, read without a sign, as one of a wider type."""
        return self._made(convert(_signed(self.number, False), _element(type)))

    def trunci(self, type: object) -> Made:
        """The low bits of an integer."""
        return self._made(convert(self.number, _element(type)))

    def index_cast(self, type: object) -> Made:
        """An integer as an index, or an index as an integer."""
        return self._made(convert(self.number, _element(type)))

    def with_signedness(self, signed: bool | None) -> Made:
        """The same bits, read with a sign or without one; None leaves them as they are."""
        return self._made(self.number if signed is None else _signed(self.number, signed))

    def shuffle_xor(self, offset: object, width: object) -> Made:
        """What the lane has whose number differs in the bits of `offset`, within groups of `width` lanes."""
        lanes = [convert(required(x, "a number of lanes"), INT32) for x in (offset, width)]
        return self._made(shuffled("xor", self.number, *lanes))


def _element(kind: object) -> DType:
    """The element of a type: a class of numbers, or MLIR's type of one or of a vector."""
    found = kind.element_type if isinstance(kind, VectorType) else kind
    element = getattr(found, "element", None)
    if isinstance(element, DType):
        return element
    if not isinstance(found, Attribute):
        raise KernelError(f"expected a type such as fx.T.f32 or fx.Float32, got {shown(kind)}")
    return element_of(found)


def _signed(number: Number, signed: bool) -> Number:
    """The bits of an integer read with a sign, or without one."""
    element = number.element
    if element.is_float or element == INDEX or element.kind not in ("int", "uint"):
        return number
    name = f"{'' if signed else 'u'}int{element.bits}"
    return number if element.name == name else bitcast(number, dtype(name))
