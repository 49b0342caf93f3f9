"""TIRx's and CUDA's names for what signs and other functions say: `T.And(a, b)` is `a and b` with both worked out."""

from __future__ import annotations

from xdsl.dialects import arith, math
from xdsl.ir import SSAValue

from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.facts import truncated_quotient, truncated_remainder
from tilewright.ir.tile.ops import LoadOp
from tilewright.lang.expressions import as_condition, binary, is_element, logic, same_type, select
from tilewright.lang.ordered import element_at
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, is_constant, show, type_named


def _logic(sign: str) -> Builder:
    def build(t: Tracer, a: Value, b: Value) -> Value:
        return logic(t, as_condition(t, a), as_condition(t, b), sign)

    return build


def _select(t: Tracer, condition: Value, true_value: Value, false_value: Value) -> Value:
    decided = as_condition(t, condition)
    if isinstance(decided, bool):
        return true_value if decided else false_value
    return select(t, decided, true_value, false_value)


def _ceiling(t: Tracer, a: Value, b: Value) -> Value:
    """-(-a // b)."""
    return binary(t, "-", 0, binary(t, "//", binary(t, "-", 0, a), b))


def _ldg(t: Tracer, addr: Value, element: Value) -> SSAValue:
    place, kind = element_at(frozenset(("global",)), addr, "T.cuda.ldg")
    if type_named(element) != kind.dtype:
        raise KernelError(f"T.cuda.ldg of a {type_named(element)} at {kind.dtype}s")
    return t.insert(LoadOp(place.buffer, place.indices)).results[0]


def _to_float(name: str, wanted: str) -> Builder:
    def build(t: Tracer, src: Value) -> SSAValue:
        if not isinstance(src, SSAValue) or not is_element(src) or element_dtype(src.type).name != wanted:
            raise KernelError(f"{name} takes a {wanted}, got {show(src)}")
        return t.elements.cast(src, dtype("float32"))

    return build


def _not(t: Tracer, a: Value) -> Value:
    decided = as_condition(t, a)
    return not decided if isinstance(decided, bool) else binary(t, "^", decided, True)


def _inverted(t: Tracer, x: Value) -> Value:
    return binary(t, "^", x, -1) if not is_element(x) else t.elements.binary("^", x, _ones(t, x))


def _ones(t: Tracer, x: SSAValue) -> SSAValue:
    element = element_dtype(x.type)
    if not element.is_integer:
        raise KernelError(f"T.bitwise_not takes an integer, got {show(x)}")
    return t.elements.constant(-1 if element.kind == "int" else (1 << element.bits) - 1, element)


def _truncated(name: str, op: type[arith.DivSIOp] | type[arith.RemSIOp], sign: str) -> Builder:
    """Of natural numbers C's quotient and rest are Python's; of signed ones the op that rounds towards 0."""

    def build(t: Tracer, a: Value, b: Value) -> Value:
        if is_constant(a) and is_constant(b):
            if type(a) is not int or type(b) is not int or b == 0:
                raise KernelError(f"T.{name} takes integers, and divides by no 0, got {show(a)} and {show(b)}")
            return truncated_quotient(a, b) if sign == "//" else truncated_remainder(a, b)
        if not (is_element(a) or is_element(b)):
            raise KernelError(f"T.{name} takes integers of the kernel; `{sign}` divides indices")
        left, right = same_type(t, a, b)
        if element_dtype(left.type).kind == "uint":
            return binary(t, sign, left, right)
        if element_dtype(left.type).kind != "int":
            raise KernelError(f"T.{name} takes integers, got {show(left)}")
        return t.insert(op(left, right)).results[0]

    return build


def _absolute(t: Tracer, x: Value) -> Value:
    if isinstance(x, int | float) and not isinstance(x, bool):
        return abs(x)
    if not is_element(x):
        raise KernelError(f"T.abs takes a number of the kernel, got {show(x)}")
    if element_dtype(x.type).kind == "float":
        return t.insert(math.AbsFOp(x)).results[0]
    return x if element_dtype(x.type).kind == "uint" else binary(t, "max", x, t.elements.negate(x))


def _is_nan(t: Tracer, x: Value) -> SSAValue:
    if not is_element(x) or element_dtype(x.type).kind != "float":
        raise KernelError(f"T.isnan takes a float of the kernel, got {show(x)}")
    return t.elements.compare("!=", x, x)


def _static_assert(t: Tracer, x: Value, message: Value = "") -> None:
    if not is_constant(x):
        raise KernelError(f"T.static_assert takes what is known before the kernel runs, got {show(x)}; use assert")
    if not x:
        raise KernelError(f"T.static_assert: {message}" if message else "T.static_assert does not hold")


def _evaluate(t: Tracer, value: Value) -> None:
    """What the value needed has been written already."""


def _thread_return(t: Tracer) -> None:
    raise KernelError("T.thread_return() is a statement of the kernel itself; functions that it calls end by `return`")


def _same(t: Tracer, value: Value) -> Value:
    return value


SPELLINGS: tuple[Function, ...] = (
    Function("And", _logic("&"), "Do both hold? Both are worked out."),
    Function("Or", _logic("|"), "Does one of both hold?"),
    Function("Select", _select, "One of two values; both are worked out."),
    Function("ceildiv", _ceiling, "The quotient of integers, rounded up."),
    Function("Not", _not, "Does it not hold?"),
    Function("bitwise_not", _inverted, "~x."),
    Function("truncdiv", _truncated("truncdiv", arith.DivSIOp, "//"), "The quotient of integers, rounded towards 0."),
    Function("truncmod", _truncated("truncmod", arith.RemSIOp, "%"), "What it leaves, with the sign of the first."),
    Function("abs", _absolute, "The size of a number."),
    Function("isnan", _is_nan, "Is it no number?"),
    Function("thread_return", _thread_return, "Ends the thread, as `return` does in a kernel."),
    Function("likely", _same, "The condition itself."),
    Function("static_assert", _static_assert, "Refuses the kernel where a constant does not hold."),
    Function("evaluate", _evaluate, "A statement of a value; what that does is done."),
    Function("cuda.ldg", _ldg, "The element of that type in global memory."),
    Function("cuda.half2float", _to_float("T.cuda.half2float", "float16"), "The float16 as a float32."),
    Function("cuda.bfloat162float", _to_float("T.cuda.bfloat162float", "bfloat16"), "The bfloat16 as a float32."),
)
