"""Functions of floating-point numbers, and of the bits of words, elementwise.

What a machine leaves open has a rule here: a function is worked out in binary64, rounded to float32, and on to a
narrower type; of float64 it is numpy's. `sqrt`, `fabs` and what gives integers are exact before that.
"""

from __future__ import annotations

import math as of_python
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import math
from xdsl.ir import Operation

from tilewright.ir.core.functions import FLOAT_FUNCTIONS
from tilewright.ir.tile.bits import BitsOp
from tilewright.targets.simulator.memory.access import Array, Function, Number

Doubles = NDArray[np.float64]
OnDoubles = Callable[..., Doubles]


def _away(x: Doubles) -> Doubles:
    whole = np.trunc(x)
    return whole + np.copysign(np.abs(x - whole) >= 0.5, x)


_ON_DOUBLES: Mapping[type[Operation], OnDoubles] = {
    math.ExpOp: np.exp,
    math.Exp2Op: np.exp2,
    math.ExpM1Op: np.expm1,
    math.LogOp: np.log,
    math.Log2Op: np.log2,
    math.Log10Op: np.log10,
    math.Log1pOp: np.log1p,
    math.SinOp: np.sin,
    math.CosOp: np.cos,
    math.TanOp: np.tan,
    math.TanhOp: np.tanh,
    math.ErfOp: np.vectorize(of_python.erf, otypes=[np.float64]),
    math.RsqrtOp: lambda x: 1.0 / np.sqrt(x),
    math.SqrtOp: np.sqrt,
    math.AbsFOp: np.abs,
    math.FloorOp: np.floor,
    math.CeilOp: np.ceil,
    math.TruncOp: np.trunc,
    math.RoundOp: _away,
    math.RoundEvenOp: np.rint,
    math.PowFOp: np.power,
    math.CopySignOp: np.copysign,
}


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
    row.op: partial(_on_floats, _ON_DOUBLES[row.op]) for row in FLOAT_FUNCTIONS
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
