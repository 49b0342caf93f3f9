"""Sums of products as if every digit were kept, rounded once to binary64.

Mostly a plain sum in binary64 will do: where `reach` shows that no digit is lost, or `uncertain` that whatever the
exact sum is, it rounds to one number. `sums` is for the few elements that are left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.dtypes import DType

Array = np.ndarray[Any, np.dtype[Any]]
Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]

_UNIT = 2.0**-53
_DIGITS = {"float64": 53, "float32": 24, "tfloat32": 11, "float16": 11, "bfloat16": 8}  # others have fewer than 5
_SPLIT = float(2**27 + 1)
# Products of doubles beyond these are not split into two doubles without loss.
_SMALLEST, _LARGEST = 2.0**-960, 2.0**990


def span(values: Array, element: DType) -> tuple[Doubles, Doubles]:
    """For each warp: the largest absolute value, and a power of two that divides all values.

    >>> from tilewright.dtypes import dtype
    >>> [x.tolist() for x in span(np.array([[[0.75, 0.0, -3.0]]], np.float16), dtype("f16"))]
    [[3.0], [0.00048828125]]
    """
    held = values if values.itemsize > 1 else values.astype(np.float32)
    bits = np.ascontiguousarray(held).view(f"u{held.itemsize}").reshape(len(held), -1)
    size = bits & bits.dtype.type((1 << (8 * held.itemsize - 1)) - 1)
    largest, least = size.max(axis=1, initial=0), (size - bits.dtype.type(1)).min(axis=1) + bits.dtype.type(1)
    high, low = (x.view(held.dtype).astype(np.float64) for x in (largest, least))
    unit = np.ldexp(1.0, np.frexp(low)[1] - _DIGITS.get(element.name, 5))
    return high, np.where(low == 0, np.inf, unit)


def reach(spans: Sequence[tuple[Doubles, Doubles]], terms: int) -> tuple[Doubles, Flags]:
    """For each warp: no sum of so many products and C is larger than this; and is each such sum exact in binary64?"""
    (a, a_unit), (b, b_unit), (c, c_unit) = spans
    size = a * b * terms + c
    return size, np.asarray(size < np.minimum(a_unit * b_unit, c_unit) * 2.0**53)


def uncertain(total: Doubles, magnitude: Doubles, terms: int, rounding: Callable[[Doubles], Array]) -> Flags:
    """Which of the totals of so many terms may round to another number than their exact sums do?

    `magnitude` is at least the sum of the terms' absolute values.
    """
    error = magnitude * ((terms + 4) * _UNIT)
    low, high = rounding(total - error), rounding(total + error)
    return np.asarray((low != high) & np.isfinite(total))


def sums(left: Doubles, right: Doubles, added: Doubles, exact: bool) -> Doubles:
    """added[i] + sum over k of left[i, k] * right[i, k], each exact and then rounded once.

    Args:
        exact: do the products fit binary64?

    >>> sums(np.array([[2.0**60, 1.0, 2.0**60]]), np.array([[1.0, 1.0, -1.0]]), np.array([0.5]), True).tolist()
    [1.5]
    """
    product = left * right
    terms = [product, added[:, None]] if exact else [product, _rest(left, right, product), added[:, None]]
    listed = np.concatenate(terms, axis=1)
    total, lost = _summed(listed)
    beyond = np.zeros(len(lost), bool) if exact else _beyond(left, right, product)
    for i in np.flatnonzero(lost & ~beyond & np.isfinite(listed).all(axis=1)).tolist():
        total[i] = math.fsum(listed[i].tolist())
    for i in np.flatnonzero(beyond).tolist():
        pairs = zip(left[i].tolist(), right[i].tolist(), strict=True)
        total[i] = _nearest(sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(float(added[i]))))
    return np.asarray(total + 0.0)  # no negative zero


def _summed(terms: Doubles) -> tuple[Doubles, Flags]:
    """The sums of the rows, and which of them lost something."""
    total, lost = terms[:, 0], np.zeros(len(terms), bool)
    for term in terms.T[1:]:
        bigger = total + term
        back = bigger - total
        lost |= ((total - (bigger - back)) + (term - back)) != 0
        total = bigger
    return total.copy(), lost


def _rest(left: Doubles, right: Doubles, product: Doubles) -> Doubles:
    """What the products lost by rounding (Dekker)."""
    (a, b), (c, d) = _halves(left), _halves(right)
    return np.asarray(((a * c - product) + a * d + b * c) + b * d)


def _halves(x: Doubles) -> tuple[Doubles, Doubles]:
    big = x * _SPLIT
    high = big - (big - x)
    return high, x - high


def _beyond(left: Doubles, right: Doubles, product: Doubles) -> Flags:
    """Rows with products that are too small or too large to be split."""
    size = np.abs(product)
    tiny = (size < _SMALLEST) & (left != 0) & (right != 0)
    huge = (size > _LARGEST) | (np.abs(left) > _LARGEST) | (np.abs(right) > _LARGEST)
    finite = np.isfinite(left) & np.isfinite(right)
    return np.asarray((tiny | huge).any(axis=1) & finite.all(axis=1))


def _nearest(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
