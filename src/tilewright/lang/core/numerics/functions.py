"""Functions of one float or vector of floats, a row each: worked out in binary64 and rounded once where it is known."""

from __future__ import annotations

import math as exact
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from xdsl.dialects import math
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.ir import Attribute, Operation

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.elements import real
from tilewright.lang.core.numerics.number import Number, is_known
from tilewright.lang.core.trace import result


@dataclass(frozen=True)
class Function:
    """The op, what numpy calls it, and in words what it is."""

    op: type[Operation]
    meaning: Callable[..., object]
    words: str


UNARY: Mapping[str, Function] = MappingProxyType(
    {
        "exp": Function(math.ExpOp, np.exp, "e to the power x"),
        "exp2": Function(math.Exp2Op, np.exp2, "2 to the power x"),
        "log": Function(math.LogOp, np.log, "The natural logarithm"),
        "log2": Function(math.Log2Op, np.log2, "The logarithm to the base 2"),
        "sqrt": Function(math.SqrtOp, np.sqrt, "The square root"),
        "rsqrt": Function(math.RsqrtOp, lambda x: 1 / np.sqrt(x), "1 over the square root"),
        "sin": Function(math.SinOp, np.sin, "The sine"),
        "cos": Function(math.CosOp, np.cos, "The cosine"),
        "tanh": Function(math.TanhOp, np.tanh, "The hyperbolic tangent"),
        "floor": Function(math.FloorOp, np.floor, "The largest integer not above x, as a float"),
        "ceil": Function(math.CeilOp, np.ceil, "The smallest integer not below x, as a float"),
        "roundeven": Function(math.RoundEvenOp, np.rint, "The nearest integer, even of two, as a float"),
        "absf": Function(math.AbsFOp, np.abs, "x without its sign"),
        "expm1": Function(math.ExpM1Op, np.expm1, "e to the power x, less 1"),
        "log10": Function(math.Log10Op, np.log10, "The logarithm to the base 10"),
        "log1p": Function(math.Log1pOp, np.log1p, "The natural logarithm of 1 + x"),
        "cbrt": Function(math.CbrtOp, np.cbrt, "The cube root"),
        "tan": Function(math.TanOp, np.tan, "The tangent"),
        "asin": Function(math.AsinOp, np.arcsin, "The angle whose sine is x"),
        "acos": Function(math.AcosOp, np.arccos, "The angle whose cosine is x"),
        "atan": Function(math.AtanOp, np.arctan, "The angle whose tangent is x"),
        "sinh": Function(math.SinhOp, np.sinh, "The hyperbolic sine"),
        "cosh": Function(math.CoshOp, np.cosh, "The hyperbolic cosine"),
        "asinh": Function(math.AsinhOp, np.arcsinh, "The inverse of the hyperbolic sine"),
        "acosh": Function(math.AcoshOp, np.arccosh, "The inverse of the hyperbolic cosine"),
        "atanh": Function(math.AtanhOp, np.arctanh, "The inverse of the hyperbolic tangent"),
        "erf": Function(math.ErfOp, np.vectorize(exact.erf, otypes=[np.float64]), "The error function"),
        "trunc": Function(math.TruncOp, np.trunc, "x without its fraction"),
    }
)


def unary(name: str, number: Number) -> Number:
    """The function of that name.

    Raises:
        KernelError: the number is no float.
    """
    row = UNARY[name]
    if not number.element.is_float:
        raise KernelError(f"{name} takes floats, got {number.element}; convert with .to(fx.Float32)")
    if is_known(number.value):
        wide = float(number.value)
        return number.of(real(number.element, lambda v: row.meaning(np.asarray(v).astype(np.float64)), wide))
    made = row.op.create(operands=[number.ssa()], result_types=[number.type], properties=exact_floats())
    return number.of(result(made))


def exact_floats() -> dict[str, Attribute]:
    """The property of ops of floats that lets nobody assume anything of them."""
    return {"fastmath": FastMathFlagsAttr("none")}
