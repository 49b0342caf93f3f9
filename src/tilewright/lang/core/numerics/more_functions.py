"""Functions of two numbers, and of the bits of integers: at once where all is known, else an op."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np
from xdsl.dialects import math
from xdsl.ir import Operation

from tilewright.dtypes import DType
from tilewright.errors import KernelError
from tilewright.lang.core.numerics.elements import FLOAT32, common, real, wrapped
from tilewright.lang.core.numerics.functions import exact_floats
from tilewright.lang.core.numerics.number import Number, broadcast, convert, is_known
from tilewright.lang.core.trace import result

Meaning = Callable[..., object]
PAIRS: Mapping[str, tuple[type[Operation], Meaning]] = MappingProxyType(
    {
        "atan2": (math.Atan2Op, np.arctan2),
        "powf": (math.PowFOp, np.power),
        "copysign": (math.CopySignOp, np.copysign),
    }
)
BITS: Mapping[str, tuple[type[Operation], Callable[[int, int], int]]] = MappingProxyType(
    {
        "ctlz": (math.CountLeadingZerosOp, lambda x, bits: bits - x.bit_length()),
        "cttz": (math.CountTrailingZerosOp, lambda x, bits: (x & -x).bit_length() - 1 if x else bits),
        "ctpop": (math.CtPopOp, lambda x, _: x.bit_count()),
    }
)


def pair(name: str, a: Number, b: Number) -> Number:
    """The function of two floats by its name, in their common type."""
    op, meaning = PAIRS[name]
    element = _float(common(a.element, b.element))
    shape = a.shape if a.shape is not None else b.shape
    x, y = convert(a, element), convert(b, element)
    if shape is None and is_known(x.value) and is_known(y.value):
        return Number(element, real(element, lambda u, v: meaning(np.float64(u), np.float64(v)), x.value, y.value))
    operands = [broadcast(z, shape).ssa() for z in (x, y)]
    made = op.create(operands=operands, result_types=[operands[0].type], properties=exact_floats())
    return Number(element, result(made), shape)


def _float(element: DType) -> DType:
    return element if element.is_float else FLOAT32


def of_bits(name: str, number: Number) -> Number:
    """The function of an integer's bits by its name.

    Raises:
        KernelError: it is no integer.
    """
    op, meaning = BITS[name]
    element = number.element
    if not element.is_integer:
        raise KernelError(f"{name} takes integers, got {element}")
    if is_known(number.value):
        return number.of(meaning(int(number.value) & (1 << element.bits) - 1, element.bits))
    return number.of(result(op.create(operands=[number.ssa()], result_types=[number.type])))


def whole_power(base: Number, exponent: Number) -> Number:
    """A number to a whole power: of an integer, which wraps, or of a float.

    Raises:
        KernelError: the exponent is no integer.
    """
    if not exponent.element.is_integer:
        raise KernelError(f"a whole power has an integer as exponent, got {exponent.element}")
    if base.element.is_float:
        return pair("powf", base, convert(exponent, base.element))
    element = common(base.element, exponent.element)
    a, b = convert(base, element), convert(exponent, element)
    if is_known(a.value) and is_known(b.value):
        return a.of(wrapped(_power(int(a.value), int(b.value)), element))
    shape = a.shape if a.shape is not None else b.shape
    operands = [broadcast(z, shape).ssa() for z in (a, b)]
    return Number(element, result(math.IPowIOp.create(operands=operands, result_types=[operands[0].type])), shape)


def _power(base: int, exponent: int) -> int:
    if exponent < 0:
        return {1: 1, -1: 1 - 2 * (exponent % 2)}.get(base, 0)
    return pow(base, exponent, 1 << 128)


__all__ = ["BITS", "PAIRS", "of_bits", "pair", "whole_power"]
