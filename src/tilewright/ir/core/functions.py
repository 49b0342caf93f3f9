"""Functions of floating-point numbers, once: a row for each op of `math` that kernels have.

The language, the printer, the stages, the simulator and the emitters make their tables from these rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from xdsl.dialects import math
from xdsl.dialects.arith import FastMathFlagsAttr
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Operation

APPROXIMATE = FastMathFlagsAttr([FastMathFlag.APPROX_FUNC])


@dataclass(frozen=True)
class FloatFunction:
    """A function of one or two numbers.

    Attributes:
        op: its class.
        name: in the language, after `T.`.
        c: in C, of doubles; `f` behind it of floats.
        effect: what it gives.
        fast: CUDA's less exact one of floats, which takes fewer instructions; empty where there is none.
        count: the operands.
    """

    op: type[Operation]
    name: str
    c: str
    effect: str
    fast: str = ""
    count: int = 1


FLOAT_FUNCTIONS: tuple[FloatFunction, ...] = (
    FloatFunction(math.ExpOp, "exp", "exp", "e to that power.", "__expf"),
    FloatFunction(math.Exp2Op, "exp2", "exp2", "2 to that power."),
    FloatFunction(math.ExpM1Op, "expm1", "expm1", "e to that power, less 1."),
    FloatFunction(math.LogOp, "log", "log", "The natural logarithm.", "__logf"),
    FloatFunction(math.Log2Op, "log2", "log2", "The logarithm to base 2.", "__log2f"),
    FloatFunction(math.Log10Op, "log10", "log10", "The logarithm to base 10.", "__log10f"),
    FloatFunction(math.Log1pOp, "log1p", "log1p", "The natural logarithm of 1 more."),
    FloatFunction(math.SinOp, "sin", "sin", "The sine.", "__sinf"),
    FloatFunction(math.CosOp, "cos", "cos", "The cosine.", "__cosf"),
    FloatFunction(math.TanOp, "tan", "tan", "The tangent.", "__tanf"),
    FloatFunction(math.TanhOp, "tanh", "tanh", "The hyperbolic tangent."),
    FloatFunction(math.SinhOp, "sinh", "sinh", "The hyperbolic sine."),
    FloatFunction(math.CoshOp, "cosh", "cosh", "The hyperbolic cosine."),
    FloatFunction(math.AsinOp, "asin", "asin", "The angle whose sine it is."),
    FloatFunction(math.AcosOp, "acos", "acos", "The angle whose cosine it is."),
    FloatFunction(math.AtanOp, "atan", "atan", "The angle whose tangent it is."),
    FloatFunction(math.AsinhOp, "asinh", "asinh", "The inverse of the hyperbolic sine."),
    FloatFunction(math.AcoshOp, "acosh", "acosh", "The inverse of the hyperbolic cosine."),
    FloatFunction(math.AtanhOp, "atanh", "atanh", "The inverse of the hyperbolic tangent."),
    FloatFunction(math.CbrtOp, "cbrt", "cbrt", "The cube root."),
    FloatFunction(math.ErfOp, "erf", "erf", "The error function."),
    FloatFunction(math.RsqrtOp, "rsqrt", "rsqrt", "1 / sqrt."),
    FloatFunction(math.SqrtOp, "sqrt", "sqrt", "The square root, rounded once."),
    FloatFunction(math.AbsFOp, "fabs", "fabs", "The size."),
    FloatFunction(math.FloorOp, "floor", "floor", "The next integer below."),
    FloatFunction(math.CeilOp, "ceil", "ceil", "The next integer above."),
    FloatFunction(math.TruncOp, "trunc", "trunc", "The next integer towards 0."),
    FloatFunction(math.RoundOp, "round", "round", "The nearest integer, halves away from 0."),
    FloatFunction(math.RoundEvenOp, "nearbyint", "rint", "The nearest integer, halves to even ones."),
    FloatFunction(math.PowFOp, "pow", "pow", "The first to the power of the second.", "__powf", 2),
    FloatFunction(math.Atan2Op, "atan2", "atan2", "The angle of the point whose y and x are these.", count=2),
    FloatFunction(math.CopySignOp, "copysign", "copysign", "The first with the sign of the second.", count=2),
)
FUNCTION_OF: Mapping[type[Operation], FloatFunction] = MappingProxyType({row.op: row for row in FLOAT_FUNCTIONS})


def is_approximate(op: Operation) -> bool:
    """May the machine take its less exact function of floats?"""
    flags = op.properties.get("fastmath")
    return isinstance(flags, FastMathFlagsAttr) and FastMathFlag.APPROX_FUNC in flags.data
