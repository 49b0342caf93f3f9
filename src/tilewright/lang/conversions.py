"""Functions of values: casts, choices, extremes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from math import isfinite

from xdsl.ir import SSAValue

from tilewright.dtypes import DTYPES, DType
from tilewright.errors import KernelError
from tilewright.lang.choices import choose
from tilewright.lang.expressions import is_element, same_type
from tilewright.lang.rows import Builder, Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, admit, is_buffer, is_constant, is_index, show, type_named

NOT_FINITE = ("inf", "-inf", "nan")  # T.float32("inf")


def _meta_var(t: Tracer, value: Value) -> Value:
    return value


def _cast(t: Tracer, value: Value, element: Value) -> SSAValue:
    if isinstance(value, int | float) or (isinstance(value, str) and value in NOT_FINITE):
        return t.elements.constant(_rounded(value, type_named(element)), type_named(element))
    if not isinstance(value, SSAValue) or is_buffer(value):
        raise KernelError(f"cannot cast {show(value)}")
    return t.elements.as_index(value) if element == "index" else t.elements.cast(value, type_named(element))


def _cast_to(t: Tracer, element: Value, value: Value) -> SSAValue:
    return _cast(t, value, element)


def _rounded(value: int | float | str, element: DType) -> int | float:
    number = float(value) if isinstance(value, str) else value
    return int(number) if isinstance(number, float) and element.is_integer and isfinite(number) else number


def _if_then_else(t: Tracer, condition: ast.expr, yes: ast.expr, no: ast.expr) -> Value:
    return choose(t, t.visit(condition), lambda: t.visit(yes), lambda: t.visit(no))


def on_constants(function: Callable[..., object], *positional: Value, **named: Value) -> Value:
    """What one of Python's functions, or a maker of layouts, gives for constants.

    Raises:
        KernelError: a value is known only at run time, or the function refuses.
    """
    if not all(map(is_constant, (*positional, *named.values()))):
        raise KernelError(
            f"{function.__name__} takes constants; T.{function.__name__} takes run-time values, where it exists"
        )
    try:
        return admit(function(*positional, **named), function.__name__)
    except (TypeError, ValueError) as error:
        raise KernelError(str(error)) from error


def _extreme(sign: str, known: Callable[..., object]) -> Builder:
    def extreme(t: Tracer, left: Value, right: Value) -> Value:
        if is_constant(left) and is_constant(right):
            return on_constants(known, left, right)
        if is_index(left) and is_index(right):
            return t.elements.binary(sign, t.index.value(left), t.index.value(right))
        return t.elements.binary(sign, *same_type(t, left, right))

    return extreme


def _fma(t: Tracer, left: Value, right: Value, added: Value) -> SSAValue:
    if is_element(added) and not (is_element(left) or is_element(right)):
        left, added = same_type(t, left, added)
    left, right = same_type(t, left, right)
    return t.elements.fma(left, right, same_type(t, left, added)[1])


def _caster(name: str) -> Builder:
    def cast(t: Tracer, value: Value) -> SSAValue:
        return _cast(t, value, name)

    return cast


CONVERSIONS = (
    Function("meta_var", _meta_var, "The value itself."),
    Function("cast", _cast, "The value as an element or `index`; floats saturate as integers, NaN is 0."),
    Function("Cast", _cast_to, "The same, the type first."),
    Function("if_then_else", _if_then_else, "One of two values; the other is not evaluated.", lazy=True),
    Function("min", _extreme("min", min), "The smaller value."),
    Function("max", _extreme("max", max), "The larger value."),
    Function("fma", _fma, "left * right + added of floats, rounded once."),
    *(Function(name, _caster(name), f"The value as a {name}.") for name in DTYPES),
)
