"""`fx.math`: functions of numbers and vectors in the operand's type, worked out in binary64 and rounded once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from ml_dtypes import finfo
from xdsl.dialects import math

from tilewright.lang.core.numerics.elements import FLOAT32, real
from tilewright.lang.core.numerics.functions import UNARY, exact_floats, unary
from tilewright.lang.core.numerics.more_functions import of_bits, pair, whole_power
from tilewright.lang.core.numerics.number import Number, broadcast, convert
from tilewright.lang.core.numerics.numeric import as_numeric, scalar
from tilewright.lang.core.numerics.operators import absolute, joined
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.core.trace import result
from tilewright.lang.fly.functions.arith import Value, ValueLike, binary, max, min, select

__all__ = [
    "absf",
    "absi",
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "ceil",
    "clampf",
    "copysign",
    "cos",
    "cosh",
    "ctlz",
    "ctpop",
    "cttz",
    "erf",
    "erfc",
    "exp",
    "exp2",
    "expm1",
    "floor",
    "fma",
    "fpowi",
    "ipowi",
    "isfinite",
    "isinf",
    "isnan",
    "isnormal",
    "log",
    "log10",
    "log1p",
    "log2",
    "powf",
    "roundeven",
    "rsqrt",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "trunc",
]


class Unary(Protocol):
    """A function of one number or vector."""

    __name__: str

    def __call__(self, x: ValueLike, *, fastmath: object = None) -> Value:
        """Its value."""


def _value(number: Number, like: object) -> Value:
    return Vector.of(number, like.shape) if isinstance(like, Vector) else scalar(number)


def _unary(name: str) -> Unary:
    def function(x: ValueLike, *, fastmath: object = None) -> Value:
        given = x if isinstance(x, Vector) else as_numeric(x)
        return _value(unary(name, given.number), given)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{UNARY[name].words}."
    return function


FUNCTIONS: Mapping[str, Unary] = {name: _unary(name) for name in UNARY}
absf = FUNCTIONS["absf"]
acos = FUNCTIONS["acos"]
acosh = FUNCTIONS["acosh"]
asin = FUNCTIONS["asin"]
asinh = FUNCTIONS["asinh"]
atan = FUNCTIONS["atan"]
atanh = FUNCTIONS["atanh"]
cbrt = FUNCTIONS["cbrt"]
ceil = FUNCTIONS["ceil"]
cos = FUNCTIONS["cos"]
cosh = FUNCTIONS["cosh"]
erf = FUNCTIONS["erf"]
exp = FUNCTIONS["exp"]
exp2 = FUNCTIONS["exp2"]
expm1 = FUNCTIONS["expm1"]
floor = FUNCTIONS["floor"]
log = FUNCTIONS["log"]
log10 = FUNCTIONS["log10"]
log1p = FUNCTIONS["log1p"]
log2 = FUNCTIONS["log2"]
roundeven = FUNCTIONS["roundeven"]
rsqrt = FUNCTIONS["rsqrt"]
sin = FUNCTIONS["sin"]
sinh = FUNCTIONS["sinh"]
sqrt = FUNCTIONS["sqrt"]
tan = FUNCTIONS["tan"]
tanh = FUNCTIONS["tanh"]
trunc = FUNCTIONS["trunc"]


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
    op = math.FmaOp.create(operands=operands, result_types=[operands[0].type], properties=exact_floats())
    like = next((x for x in given if isinstance(x, Vector)), given[0])
    return _value(Number(element, result(op), shape), like)


def clampf(x: ValueLike, lo: ValueLike, hi: ValueLike, *, fastmath: object = None) -> Value:
    """x, but not below `lo` nor above `hi`."""
    return min(max(x, lo), hi)


def _of_pair(name: str, a: ValueLike, b: ValueLike) -> Value:
    x, y = (z if isinstance(z, Vector) else as_numeric(z) for z in (a, b))
    return _value(pair(name, x.number, y.number), y if isinstance(y, Vector) else x)


def copysign(mag: ValueLike, sign: ValueLike, *, fastmath: object = None) -> Value:
    """The size of one with the sign of another."""
    return _of_pair("copysign", mag, sign)


def atan2(y: ValueLike, x: ValueLike, *, fastmath: object = None) -> Value:
    """The angle of the point (x, y)."""
    return _of_pair("atan2", y, x)


def powf(base: ValueLike, exp: ValueLike, *, fastmath: object = None) -> Value:
    """A float to the power of another."""
    return _of_pair("powf", base, exp)


def fpowi(base: ValueLike, exp: ValueLike, *, fastmath: object = None) -> Value:
    """A float to a whole power."""
    x, n = (z if isinstance(z, Vector) else as_numeric(z) for z in (base, exp))
    return _value(whole_power(x.number, n.number), n if isinstance(n, Vector) else x)


def ipowi(base: ValueLike, exp: ValueLike) -> Value:
    """An integer to a whole power, which wraps; below 0 it is 0, but of 1 and -1."""
    return fpowi(base, exp)


def isnormal(x: ValueLike, *, fastmath: object = None) -> Value:
    """Is it finite, and not below the smallest number with all its digits?"""
    given = x if isinstance(x, Vector) else as_numeric(x)
    least = float(finfo(given.dtype.numpy_dtype).smallest_normal)  # type: ignore[no-untyped-call]  # that of ml_dtypes
    size = absf(given)
    return binary("&", binary("<", size, float("inf")), binary(">=", size, given.dtype(least)))


def _of_bits(name: str, x: ValueLike) -> Value:
    given = x if isinstance(x, Vector) else as_numeric(x)
    return _value(of_bits(name, given.number), given)


def ctlz(x: ValueLike) -> Value:
    """The zeros of an integer's bits above the highest one."""
    return _of_bits("ctlz", x)


def cttz(x: ValueLike) -> Value:
    """The zeros of an integer's bits below the lowest one."""
    return _of_bits("cttz", x)


def ctpop(x: ValueLike) -> Value:
    """The ones of an integer's bits."""
    return _of_bits("ctpop", x)
