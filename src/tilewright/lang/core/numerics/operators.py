"""Python's operators on numbers, from the table of facts: folded where both are known, else an op. C's semantics.

A quotient `//` is rounded down, a remainder `%` has the sign of the dividend, integers wrap, floats round in their
own type: the same at once and at run time.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from xdsl.dialects import arith, math
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Attribute

from tilewright.dtypes import DType
from tilewright.errors import KernelError
from tilewright.ir.core.facts import (
    BINARY,
    BINARY_OF,
    COMPARED,
    PREDICATE_OF,
    SIGNED,
    UNSIGNED,
    Binary,
)
from tilewright.ir.mlir.arith import class_of
from tilewright.lang.core.numerics.elements import (
    BOOL,
    FLOAT32,
    FLOAT64,
    INT32,
    NARROW,
    REAL,
    common,
    ir_type,
    normal,
    real,
    widened,
    wrapped,
)
from tilewright.lang.core.numerics.more_functions import pair, whole_power
from tilewright.lang.core.numerics.number import Number, Shape, broadcast, convert, is_known
from tilewright.lang.core.trace import result

MOST_FACTORS = 4096
BITWISE = ("&", "|", "^", "<<", ">>")
_ROWS: Mapping[tuple[str, str], Binary] = MappingProxyType(
    {
        **{(kind, row.sign): row for row in reversed(BINARY) for kind in row.kinds},
        ("int", "%"): BINARY_OF[arith.RemSIOp],
    }
)


def binary(sign: str, left: Number, right: Number) -> Number:
    """The result of an operator between two numbers, or `min` and `max` of them.

    Raises:
        KernelError: the operator is not defined for their types, or for a known right operand.
    """
    if sign in COMPARED:
        return compare(sign, left, right)
    element = _element(sign, left.element, right.element)
    shape = joined(left.shape, right.shape)
    a, b = convert(left, element), convert(right, element)
    if element.is_float and sign == "//":
        return floor(binary("/", a, b))
    row = _ROWS.get((element.kind, sign))
    if row is None:
        raise KernelError(_refusal(sign, element))
    if shape is None and is_known(a.value) and is_known(b.value):
        return Number(element, _folded(row, element, a.value, b.value))
    if is_known(b.value) and row.undefined(int(b.value) if not element.is_float else 1, element.bits):
        raise KernelError(_undefined(row, b.value, element))
    operands = [broadcast(x, shape).ssa() for x in (a, b)]
    left_value, right_value = operands
    return Number(element, result(row.op(left_value, right_value)), shape)


def _element(sign: str, left: DType, right: DType) -> DType:
    element = common(widened(left, sign), widened(right, sign))
    if sign in BITWISE and element.is_float:
        raise KernelError(f"{sign} is for integers, not {element}; look at the bits with .bitcast(fx.Uint32)")
    if sign == "/" and not element.is_float:
        return FLOAT64 if element.bits > INT32.bits else FLOAT32
    if element.is_float and element.bits <= NARROW:
        raise KernelError(f"{element} has no arithmetic of its own; convert with .to(fx.Float32) first")
    if element == BOOL and sign in ("<<", ">>", "min", "max"):
        return INT32
    return element


def _folded(row: Binary, element: DType, a: int | float, b: int | float) -> int | float | bool:
    if element.is_float:
        return real(element, REAL[row.sign], a, b)
    if row.undefined(int(b), element.bits):
        raise KernelError(_undefined(row, b, element))
    assert row.meaning is not None
    x, y = (_read(int(value), element, row.reads) for value in (a, b))
    found = int(row.meaning(x, y))
    return bool(found) if element == BOOL else wrapped(found, element)


def _read(value: int, element: DType, reads: str | None) -> int:
    if reads == UNSIGNED and element != BOOL:
        return value & ((1 << element.bits) - 1)
    return value


def _undefined(row: Binary, right: int | float, element: DType) -> str:
    if row.partial == "zero":
        return f"{row.sign or row.op.name} by zero"
    return f"a shift of {element} by {right} is not defined; it is one by 0 to {element.bits - 1}"


def _refusal(sign: str, element: DType) -> str:
    if element.is_float and sign == "%":
        return f"% of {element} is not there at run time; write x - fx.floor(x / y) * y"
    return f"{sign} is not defined for {element}"


def joined(a: Shape, b: Shape) -> Shape:
    """The shape of what two numbers make: a scalar goes with any vector.

    Raises:
        KernelError: two vectors of different shapes.
    """
    if a is None or b is None:
        return b if a is None else a
    if a != b:
        raise KernelError(f"vectors of {a} and {b} elements do not fit together")
    return a


# ---- comparison, choice


def compare(sign: str, left: Number, right: Number) -> Number:
    """The truth of a comparison; with a NaN all but `!=` are false."""
    element = common(left.element, right.element)
    if element == BOOL and sign not in ("==", "!="):
        element = INT32
    shape = joined(left.shape, right.shape)
    a, b = convert(left, element), convert(right, element)
    if shape is None and is_known(a.value) and is_known(b.value):
        return Number(BOOL, bool(COMPARED[sign](a.value, b.value)))  # type: ignore[arg-type]  # floats compare too
    kind = ir_type(BOOL, shape)
    reads = element.kind if element.is_float or element.kind == SIGNED else UNSIGNED
    predicate = IntegerAttr(PREDICATE_OF[reads, sign], i64)
    operands = [broadcast(x, shape).ssa() for x in (a, b)]
    properties: dict[str, Attribute] = {"predicate": predicate}
    if element.is_float:
        properties["fastmath"] = arith.FastMathFlagsAttr("none")
    made = class_of(arith.CmpfOp if element.is_float else arith.CmpiOp, {"operands": operands})
    return Number(BOOL, result(made.create(operands=operands, result_types=[kind], properties=properties)), shape)


def select(condition: Number, yes: Number, no: Number) -> Number:
    """One of two numbers, by the truth of a third, element by element."""
    element = common(yes.element, no.element)
    truth = convert(condition, BOOL)
    a, b = convert(yes, element), convert(no, element)
    if is_known(truth.value):
        return a if truth.value else b
    shape = joined(joined(truth.shape, a.shape), b.shape)
    operands = [broadcast(a, shape).ssa(), broadcast(b, shape).ssa()]
    picked = truth if truth.shape is None else broadcast(truth, shape)
    given = [picked.ssa(), *operands]
    made = class_of(arith.SelectOp, {"operands": given}).create(operands=given, result_types=[operands[0].type])
    return Number(element, result(made), shape)


# ---- of one


def negated(number: Number) -> Number:
    """The number times -1."""
    element = widened(number.element, "-")
    number = convert(number, element)
    if not element.is_float:
        return binary("-", Number(element, 0), number)
    if is_known(number.value):
        return number.of(normal(element, -number.value))
    return number.of(result(arith.NegfOp(number.ssa())))


def power(number: Number, exponent: Number) -> Number:
    """The number to a power: a known natural one by products, which `**` of run time would round otherwise."""
    count = exponent.value
    if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MOST_FACTORS:
        floats = number.element.is_float or exponent.element.is_float
        both = convert(number, widened(number.element, "*")), convert(exponent, widened(exponent.element, "*"))
        return pair("powf", *both) if floats else whole_power(*both)
    found = convert(Number(INT32, 1), widened(number.element, "*"))
    factor = number
    while count:
        if count & 1:
            found = binary("*", found, factor)
        factor = binary("*", factor, factor) if count > 1 else factor
        count >>= 1
    return found


def inverted(number: Number) -> Number:
    """All bits turned; of a truth the other one."""
    if number.element.is_float:
        raise KernelError(f"~ is for integers, not {number.element}")
    ones = Number(number.element, True if number.element == BOOL else wrapped(-1, number.element))
    return binary("^", number, ones)


def absolute(number: Number) -> Number:
    """The number without its sign."""
    element = widened(number.element, "-")
    number = convert(number, element)
    if is_known(number.value):
        return number.of(normal(element, abs(number.value)))
    if element.is_float:
        return number.of(result(math.AbsFOp(number.ssa())))
    return number if element.kind == "uint" else binary("max", number, negated(number))


def floor(number: Number) -> Number:
    """The largest integer not above a float, as a float."""
    from math import floor as whole
    from math import isfinite

    if is_known(number.value):
        return number.of(normal(number.element, whole(number.value)) if isfinite(number.value) else number.value)
    return number.of(result(math.FloorOp(number.ssa())))
