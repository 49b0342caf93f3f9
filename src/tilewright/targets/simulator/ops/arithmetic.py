"""What the ops of `arith` mean, elementwise on Python integers and numpy arrays.

An `index` is a Python integer where all threads agree, else an array of int64; it wraps at 64 bits. Other integers
are numpy values of their signed type; unsigned ops look at the same bits. Division by zero and shifts by too much
are found before the op runs (`checks`), so the functions here need not.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import FloatAttr, IndexType, IntegerAttr, UnrealizedConversionCastOp, i64
from xdsl.ir import Attribute, Operation

from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.facts import (
    BINARY,
    COMPARED,
    FLOAT_PREDICATES,
    INTEGER_PREDICATES,
    UNSIGNED,
    Binary,
    Predicate,
)
from tilewright.ir.core.narrow import NARROW
from tilewright.ir.core.narrowing import NarrowOp
from tilewright.ir.mlir.arith import IndexCastUIOp
from tilewright.ir.tile.bits import BitsOp
from tilewright.ir.tile.pairs import PairOp
from tilewright.targets.simulator.collective.codes import widened
from tilewright.targets.simulator.collective.rounding import doubled, rounded
from tilewright.targets.simulator.memory.access import Array, Element, Function, Number, select
from tilewright.targets.simulator.ops.functions import FLOATS, on_bits
from tilewright.targets.simulator.ops.fused import fma
from tilewright.targets.simulator.ops.narrow import narrow, pair

Extreme: TypeAlias = Callable[[Array, Array], Array]  # of floats

_TOP = 1 << 63
_MASK = (1 << 64) - 1


def fit(value: Number) -> Number:
    """An index wrapped to 64 bits; anything else as it is."""
    if not isinstance(value, int) or -_TOP <= value < _TOP:
        return value
    return ((value + _TOP) & _MASK) - _TOP


def numpy_type(kind: Attribute) -> Element:
    """The numpy type that holds values of an MLIR type; an index is int64."""
    return np.dtype(np.int64) if isinstance(kind, IndexType) else element_dtype(kind).numpy()


def constant(op: arith.ConstantOp) -> Number:
    """The value of a constant."""
    if isinstance(op.value, IntegerAttr) and isinstance(op.result.type, IndexType):
        return op.value.value.data
    kind = numpy_type(op.result.type)
    value = cast("FloatAttr[Any] | IntegerAttr[Any]", op.value).value.data
    held = np.array(value)
    element = element_dtype(op.result.type)
    if held.dtype != np.float64 or (element.name in NARROW and np.isnan(held)):  # no number is numpy's, as in texts
        return scalar(held.astype(kind))
    return scalar(rounded(held, element))


def scalar(value: Array) -> Array:
    """An array of rank 0 as numpy's scalar, which is faster; any other as it is."""
    found: Array = value[()]
    return found


def _unsigned(function: Function) -> Function:
    """The function on the operands' bits read as unsigned."""

    def run(a: Number, b: Number) -> Number:
        if isinstance(a, int):
            if isinstance(b, int):
                return fit(function(a & _MASK, b & _MASK))
            a = np.asarray(a, b.dtype)
        b = np.asarray(b, a.dtype) if isinstance(b, int) else b
        if a.dtype == np.bool_:
            return function(a, b)
        result = function(a.view(f"u{a.itemsize}"), b.view(f"u{b.itemsize}"))
        return result if isinstance(result, int) or result.dtype == np.bool_ else result.view(a.dtype)

    return run


def _maximum(a: Number, b: Number) -> Number:
    return max(a, b) if isinstance(a, int) and isinstance(b, int) else np.maximum(a, b)


def _minimum(a: Number, b: Number) -> Number:
    return min(a, b) if isinstance(a, int) and isinstance(b, int) else np.minimum(a, b)


_ON_ARRAYS: Mapping[Function, Function] = {min: _minimum, max: _maximum}  # meanings that need other words for arrays


def _with_zeros(function: np.ufunc, negative: bool) -> Extreme:
    """An extreme of floats, of which a zero with a sign is below that without: there numpy gives either."""

    def run(a: Array, b: Array) -> Array:
        found: Array = function(a, b)
        zero = found == 0
        if not zero.any():
            return found
        there = [(x == 0) & (np.signbit(x) == negative) for x in (a, b)]
        chosen = np.copysign(found, found.dtype.type(-1 if negative else 1))
        return scalar(np.where(zero & (there[0] | there[1]), chosen, found))

    return run


def _fitted(function: Function) -> Function:
    return lambda a, b: fit(function(a, b))


def _elementwise(row: Binary, meaning: Function) -> Function:
    """The row's meaning on the values of its operands' types."""
    function = _ON_ARRAYS.get(meaning, meaning)
    if row.reads == UNSIGNED:
        return _unsigned(function)
    return _fitted(function) if row.wraps else function


def _ordered(a: Number, b: Number) -> Number:
    return (a == a) & (b == b)


def _unordered_or(compare: Function) -> Function:
    return lambda a, b: compare(a, b) | ~_ordered(a, b)


def _compared(predicate: Predicate) -> Function:
    function = COMPARED[predicate.sign]
    return _unsigned(function) if predicate.reads == UNSIGNED else function


def _compared_floats(predicate: Predicate) -> Function:
    if predicate.name in _NOT_COMPARED:
        return _NOT_COMPARED[predicate.name]
    function = COMPARED[predicate.sign]
    if predicate.plain:
        return function
    return _unordered_or(function) if predicate.unordered else lambda a, b: function(a, b) & _ordered(a, b)


_NOT_COMPARED: Mapping[str, Function] = {
    "false": lambda a, b: (a == b) & (a != b),
    "ord": _ordered,
    "uno": lambda a, b: ~_ordered(a, b),
    "true": lambda a, b: (a == b) | (a != b),
}
COMPARISONS = tuple(map(_compared, INTEGER_PREDICATES))
_CMPF = tuple(map(_compared_floats, FLOAT_PREDICATES))
EXTREMES: Mapping[type[Operation], Extreme] = {
    arith.MaximumfOp: _with_zeros(np.maximum, negative=False),
    arith.MinimumfOp: _with_zeros(np.minimum, negative=True),
    arith.MaxnumfOp: _with_zeros(np.fmax, negative=False),
    arith.MinnumfOp: _with_zeros(np.fmin, negative=True),
}
PLAIN: dict[type[Operation], Function] = {
    **{row.op: _elementwise(row, row.meaning) for row in BINARY if row.meaning is not None},
    arith.NegfOp: operator.neg,
    **EXTREMES,
    arith.SelectOp: select,
    math.FmaOp: fma,
    **FLOATS,
}
DIVISIONS = tuple(row.op for row in BINARY if row.partial == "zero")
SHIFTS = tuple(row.op for row in BINARY if row.partial == "shift")


# ---- casts: op -> function of the value, made from the two types


def _convert(value: Number, kind: Attribute) -> Number:
    if isinstance(kind, IndexType):
        return int(value) if np.ndim(value) == 0 else np.asarray(value).astype(np.int64)
    if isinstance(value, int):
        value = scalar(np.array(value, np.int64))
    target = element_dtype(kind)
    if value.dtype.kind in "iu" and target.bits < _SINGLE and not target.is_integer:
        value = value & 1 if target.kind == "bool" else doubled(value)
    if target.is_float and (value.dtype == np.float64 or target.name in NARROW):
        return scalar(rounded(np.asarray(value, np.float64), target))
    return value.astype(target.numpy())


def _extended(kind: Attribute) -> Function:
    row = NARROW.get(element_dtype(kind).name)
    return _same if row is None else lambda value: scalar(widened(np.asarray(value).view(np.uint8), row))


def _same(value: Number) -> Number:
    return value


_SINGLE = 32  # bits of a float, to which numpy rounds integers once


def to_index(value: Number) -> Number:
    """An `i64` as an index."""
    return _convert(value, IndexType())


def to_i64(value: Number) -> Number:
    """An index as an `i64`."""
    return _convert(value, i64)


def whole(value: Array, element: Element) -> Array:
    """Floats as integers of that type, without their fraction; the nearest one where there is none, of NaN 0.

    >>> whole(np.array([2.9, -2.9, 1e20, -1e20, np.nan]), np.dtype(np.int8)).tolist()
    [2, -2, 127, -128, 0]
    """
    limits = np.iinfo(element)
    wide = np.asarray(value) if value.dtype.itemsize > 2 else np.asarray(value, np.float32)
    low, high = (wide.dtype.type(limit) for limit in (limits.min, limits.max))
    under, fits = wide <= low, (wide > low) & (wide < high)
    if fits.all():
        return scalar(wide.astype(element))
    found = np.where(fits, wide, 0).astype(element)
    return scalar(np.where(under, element.type(limits.min), np.where(wide >= high, element.type(limits.max), found)))


def _bits_as_unsigned(value: Number) -> Number:
    return value if isinstance(value, int) or value.dtype == np.bool_ else value.view(f"u{value.itemsize}")


def _sign(value: Number) -> Number:
    return value if isinstance(value, int) or value.dtype != np.bool_ else -value.astype(np.int8)


_CASTS: dict[type[Operation], Function] = {
    arith.IndexCastOp: _sign,
    arith.ExtSIOp: _sign,
    arith.SIToFPOp: _sign,
    arith.ExtUIOp: _bits_as_unsigned,
    IndexCastUIOp: _bits_as_unsigned,
    arith.UIToFPOp: _bits_as_unsigned,
    arith.TruncIOp: lambda value: value,
    arith.ExtFOp: lambda value: value,
    arith.TruncFOp: lambda value: value,
}


def _cast(op: Operation) -> Function:
    kind = op.results[0].type
    if isinstance(op, arith.FPToSIOp | arith.FPToUIOp):
        held = numpy_type(kind)
        if held == np.bool_:
            return lambda value: (np.trunc(value) != 0) & (value == value)
        wide = np.dtype(f"u{held.itemsize}") if isinstance(op, arith.FPToUIOp) else held
        return lambda value: whole(value, wide).view(held)
    prepare, between = _CASTS[type(op)], (op.operands[0].type, kind)
    if isinstance(op, arith.ExtFOp):
        prepare = _extended(op.input.type)
    if isinstance(op, arith.IndexCastOp) and between in ((IndexType(), i64), (i64, IndexType())):
        return to_index if between[0] == i64 else to_i64
    return lambda value: _convert(prepare(value), kind)


def _bitcast(op: Operation) -> Function:
    kind = numpy_type(op.results[0].type)
    return lambda value: value.view(kind)


def _compare(op: arith.CmpiOp | arith.CmpfOp) -> Function:
    return (COMPARISONS if isinstance(op, arith.CmpiOp) else _CMPF)[op.predicate.value.data]


_MAKERS: dict[type[Operation], Callable[[Any], Function]] = {
    **{kind: lambda op: PLAIN[type(op)] for kind in PLAIN},
    **dict.fromkeys((*_CASTS, arith.FPToSIOp, arith.FPToUIOp), _cast),
    arith.BitcastOp: _bitcast,
    BitsOp: on_bits,
    NarrowOp: narrow,
    PairOp: pair,
    UnrealizedConversionCastOp: _bitcast,
    arith.CmpiOp: _compare,
    arith.CmpfOp: _compare,
}
ARITHMETIC = tuple(_MAKERS)


def meaning(op: Operation) -> Function:
    """The function that gives the op's result from its operands' values."""
    return _MAKERS[type(op)](op)
