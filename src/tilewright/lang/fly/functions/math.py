"""`fx.math`: functions of numbers and vectors in the operand's type, worked out in binary64 and rounded once."""

from __future__ import annotations

import math as exact
from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
from xdsl.dialects import math
from xdsl.ir import Attribute, Operation

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.elements import FLOAT32, real
from tilewright.lang.core.numerics.number import Number, broadcast, convert, is_known
from tilewright.lang.core.numerics.numeric import as_numeric, scalar
from tilewright.lang.core.numerics.operators import absolute, joined
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.core.trace import result
from tilewright.lang.fly.functions.arith import Value, ValueLike, binary, max, min, select

_ERF = np.vectorize(exact.erf, otypes=[np.float64])


class Unary(Protocol):
    """A function of one number or vector."""

    __name__: str

    def __call__(self, x: ValueLike, *, fastmath: object = None) -> Value:
        """Its value."""


def _value(number: Number, like: object) -> Value:
    return Vector.of(number, like.shape) if isinstance(like, Vector) else scalar(number)


def _unary(name: str, op: type[Operation], meaning: Callable[..., object], words: str) -> Unary:
    def function(x: ValueLike, *, fastmath: object = None) -> Value:
        given = x if isinstance(x, Vector) else as_numeric(x)
        number = given.number
        if not number.element.is_float:
            raise KernelError(f"{name} takes floats, got {number.element}; convert with .to(fx.Float32)")
        if is_known(number.value):
            wide = float(number.value)
            return _value(number.of(real(number.element, lambda v: _wide(meaning, v), wide)), given)
        made = op.create(operands=[number.ssa()], result_types=[number.type], properties=_fastmath())
        return _value(number.of(result(made)), given)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{words}."
    return function


def _wide(meaning: Callable[..., object], value: object) -> object:
    return meaning(np.asarray(value).astype(np.float64))


def _fastmath() -> dict[str, Attribute]:
    from xdsl.dialects.arith import FastMathFlagsAttr

    return {"fastmath": FastMathFlagsAttr("none")}


exp = _unary("exp", math.ExpOp, np.exp, "e to the power x")
exp2 = _unary("exp2", math.Exp2Op, np.exp2, "2 to the power x")
log = _unary("log", math.LogOp, np.log, "The natural logarithm")
log2 = _unary("log2", math.Log2Op, np.log2, "The logarithm to the base 2")
sqrt = _unary("sqrt", math.SqrtOp, np.sqrt, "The square root")
rsqrt = _unary("rsqrt", math.RsqrtOp, lambda x: 1 / np.sqrt(x), "1 over the square root")
sin = _unary("sin", math.SinOp, np.sin, "The sine")
cos = _unary("cos", math.CosOp, np.cos, "The cosine")
tanh = _unary("tanh", math.TanhOp, np.tanh, "The hyperbolic tangent")
floor = _unary("floor", math.FloorOp, np.floor, "The largest integer not above x, as a float")
ceil = _unary("ceil", math.CeilOp, np.ceil, "The smallest integer not below x, as a float")
roundeven = _unary("roundeven", math.RoundEvenOp, np.rint, "The nearest integer, even of two, as a float")
absf = _unary("absf", math.AbsFOp, np.abs, "x without its sign")
expm1 = _unary("expm1", math.ExpM1Op, np.expm1, "e to the power x, less 1")
log10 = _unary("log10", math.Log10Op, np.log10, "The logarithm to the base 10")
log1p = _unary("log1p", math.Log1pOp, np.log1p, "The natural logarithm of 1 + x")
cbrt = _unary("cbrt", math.CbrtOp, np.cbrt, "The cube root")
tan = _unary("tan", math.TanOp, np.tan, "The tangent")
asin = _unary("asin", math.AsinOp, np.arcsin, "The angle whose sine is x")
acos = _unary("acos", math.AcosOp, np.arccos, "The angle whose cosine is x")
atan = _unary("atan", math.AtanOp, np.arctan, "The angle whose tangent is x")
sinh = _unary("sinh", math.SinhOp, np.sinh, "The hyperbolic sine")
cosh = _unary("cosh", math.CoshOp, np.cosh, "The hyperbolic cosine")
asinh = _unary("asinh", math.AsinhOp, np.arcsinh, "The inverse of the hyperbolic sine")
acosh = _unary("acosh", math.AcoshOp, np.arccosh, "The inverse of the hyperbolic cosine")
atanh = _unary("atanh", math.AtanhOp, np.arctanh, "The inverse of the hyperbolic tangent")
erf = _unary("erf", math.ErfOp, _ERF, "The error function")
trunc = _unary("trunc", math.TruncOp, np.trunc, "x without its fraction")

FUNCTIONS: Mapping[str, Unary] = {
    f.__name__: f
    for f in (
        *(exp, exp2, log, log2, sqrt, rsqrt, sin, cos, tanh, floor, ceil, roundeven, absf, expm1, log10, log1p, cbrt),
        *(tan, asin, acos, atan, sinh, cosh, asinh, acosh, atanh, erf, trunc),
    )
}


def round(x: ValueLike, *, fastmath: object = None) -> Value:
    """The nearest integer, away from 0 of two, as a float."""
    given = x if isinstance(x, Vector) else as_numeric(x)
    part = trunc(given)
    away = binary("-", given, part)
    step = select(binary(">=", given, 0.0), 1.0, -1.0)
    return select(binary(">=", absf(away), 0.5), binary("+", part, _as(step, part)), part)


def _as(value: Value, like: Value) -> Value:
    return value.to(like.dtype)


def erfc(x: ValueLike, *, fastmath: object = None) -> Value:
    """1 less the error function."""
    return binary("-", 1.0, erf(x))


def sincos(x: ValueLike, *, fastmath: object = None) -> tuple[Value, Value]:
    """The sine and the cosine."""
    return sin(x), cos(x)


def absi(x: ValueLike) -> Value:
    """An integer without its sign."""
    given = x if isinstance(x, Vector) else as_numeric(x)
    return _value(absolute(given.number), given)


def isnan(x: ValueLike, *, fastmath: object = None) -> Value:
    """Is it no number?"""
    return binary("!=", x, x)


def isinf(x: ValueLike, *, fastmath: object = None) -> Value:
    """Is it infinite?"""
    return binary("==", absf(x), float("inf"))


def isfinite(x: ValueLike, *, fastmath: object = None) -> Value:
    """Is it a number, and finite?"""
    return binary("<", absf(x), float("inf"))


def fma(a: ValueLike, b: ValueLike, c: ValueLike, *, fastmath: object = None) -> Value:
    """a * b + c, rounded once."""
    given = [x if isinstance(x, Vector) else as_numeric(x) for x in (a, b, c)]
    element = given[0].number.element if given[0].number.element.is_float else FLOAT32
    numbers = [convert(x.number, element) for x in given]
    shape = None
    for x in numbers:
        shape = joined(shape, x.shape)
    if shape is None and all(x.known for x in numbers):
        one, two, three = (np.longdouble(float(n.value)) for n in numbers)  # type: ignore[arg-type]  # known
        return scalar(Number(element, real(element, lambda v: v, float(one * two + three))))
    operands = [broadcast(x, shape).ssa() for x in numbers]
    op = math.FmaOp.create(operands=operands, result_types=[operands[0].type], properties=_fastmath())
    like = next((x for x in given if isinstance(x, Vector)), given[0])
    return _value(Number(element, result(op), shape), like)


def clampf(x: ValueLike, lo: ValueLike, hi: ValueLike, *, fastmath: object = None) -> Value:
    """x, but not below `lo` nor above `hi`."""
    return min(max(x, lo), hi)


def copysign(mag: ValueLike, sign: ValueLike, *, fastmath: object = None) -> Value:
    """The size of one with the sign of another."""
    size = absf(mag)
    return select(binary("<", sign, 0.0), binary("-", 0.0, size), size)


def powf(base: ValueLike, exp: ValueLike, *, fastmath: object = None) -> Value:
    """A positive number to a power: 2 ** (exp * log2(base))."""
    return exp2(binary("*", exp, log2(base)))


