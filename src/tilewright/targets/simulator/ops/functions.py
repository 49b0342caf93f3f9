"""Functions of floating-point numbers, and of the bits of words, elementwise.

What a machine leaves open has a rule here: a function is worked out in binary64, rounded to float32, and on to a
narrower type; of float64 it is numpy's. `sqrt`, `fabs` and what gives integers are exact before that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.core.functions import FLOAT_FUNCTIONS
from tilewright.ir.tile.bits import BitsOp
from tilewright.targets.simulator.memory.access import Array, Function, Number

OnDoubles = Callable[..., Array]


def _one_by_one(function: Callable[[float], float]) -> OnDoubles:
    return np.vectorize(function, otypes=[np.float64])


def _round(x: Array) -> Array:
    """To the nearest whole number, halves away from 0."""
    whole: Array = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1, x), whole)


# Of floats, in binary64.
REAL: Mapping[str, OnDoubles] = MappingProxyType(
    {
        **{name: getattr(np, name) for name in (
            "sqrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "sinh", "cosh",
            "tanh", "floor", "ceil", "trunc", "cbrt", "copysign",
        )},
        **{name: getattr(np, f"arc{name[1:]}") for name in (
            "asin", "acos", "atan", "atan2", "asinh", "acosh", "atanh",
        )},
        "absf": np.abs,
        "rsqrt": lambda x: 1 / np.sqrt(x),
        "round": _round,
        "roundeven": np.rint,
        "erf": _one_by_one(math.erf),
        "erfc": _one_by_one(math.erfc),
        "powf": np.power,
        "fpowi": np.power,
        "clampf": lambda x, low, high: np.minimum(np.maximum(x, low), high),
    }
)  # fmt: skip


def _on_floats(function: OnDoubles, *given: Number) -> Number:
    """The function of elements of one type.

    >>> float(_on_floats(np.sqrt, np.float32(2)))
    1.4142135381698608
    """
    first = np.asarray(given[0])
    with np.errstate(all="ignore"):
        found = np.asarray(function(*(np.asarray(value).astype(np.float64) for value in given)))
        if first.dtype != np.float64:
            found = found.astype(np.float32).astype(first.dtype)
    result: Number = found[()]
    return result


FLOATS: Mapping[type[Operation], Function] = {
    row.op: partial(_on_floats, REAL[row.op.name.removeprefix("math.")]) for row in FLOAT_FUNCTIONS
}


# ---- bits


def _width(x: Array) -> int:
    return x.dtype.itemsize * 8


def _smeared(x: Array) -> Array:
    """With every bit set below one that is."""
    by = 1
    while by < _width(x):
        x, by = x | (x >> x.dtype.type(by)), 2 * by
    return x


def _count(x: Array) -> Array:
    found: Array = np.bitwise_count(x).astype(x.dtype)
    return found


def _leading(x: Array) -> Array:
    width: Array = x.dtype.type(_width(x))
    return width - _count(_smeared(x))


def _first(x: Array) -> Array:
    one = x.dtype.type(1)
    below = _count(~x & (x - one))  # zeros behind the lowest bit
    return np.where(x != 0, below + one, x)


def _reversed(x: Array) -> Array:
    """Halves change their places, then halves of these."""
    size, ones = _width(x) // 2, (1 << _width(x)) - 1
    mask = ones
    while size:
        mask ^= mask << size & ones
        low, by = x.dtype.type(mask), x.dtype.type(size)
        x, size = (x >> by & low) | (x & low) << by, size // 2
    return x


def _bytes(x: Array, y: Array, digits: Array) -> Array:
    """Byte i is that of both words, x below, which the digit says; of a digit above 7 its sign, eight times."""
    both = x.astype(np.uint64) | y.astype(np.uint64) << np.uint64(32)
    found = np.zeros(np.broadcast_shapes(x.shape, y.shape, digits.shape), np.uint32)
    for place in range(4):
        digit = digits >> np.uint32(4 * place)
        byte = (both >> (digit & np.uint32(7)).astype(np.uint64) * np.uint64(8)).astype(np.uint32) & np.uint32(255)
        sign = (byte >> np.uint32(7)) * np.uint32(255)
        found |= np.where(digit & np.uint32(8), sign, byte) << np.uint32(8 * place)
    return found


def _shifted(left: bool, clamps: bool, low: Array, high: Array, by: Array) -> Array:
    both = low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)
    count = (np.minimum(by, np.uint32(32)) if clamps else by & np.uint32(31)).astype(np.uint64)
    moved = both << count >> np.uint64(32) if left else both >> count
    return moved.astype(np.uint32)


def _looked_up(table: int, a: Array, b: Array, c: Array) -> Array:
    found = np.zeros(np.broadcast_shapes(a.shape, b.shape, c.shape), np.uint32)
    for row in range(8):
        if table >> row & 1:
            found |= (a if row & 4 else ~a) & (b if row & 2 else ~b) & (c if row & 1 else ~c)
    return found


_ON_BITS: Mapping[str, Callable[..., Array]] = {
    "popc": _count,
    "clz": _leading,
    "ffs": _first,
    "brev": _reversed,
    "prmt": _bytes,
    "shf_l": partial(_shifted, True, False),
    "shf_lc": partial(_shifted, True, True),
    "shf_r": partial(_shifted, False, False),
    "shf_rc": partial(_shifted, False, True),
}


def on_bits(op: BitsOp) -> Function:
    """The op's function of words."""
    kind, table = op.kind.data, op.table.value.data
    function = _ON_BITS[kind] if kind in _ON_BITS else partial(_looked_up, table)

    def run(*words: Number) -> Number:
        result: Number = function(*map(np.asarray, words))[()]
        return result

    return run
