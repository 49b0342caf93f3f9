"""Sums of products as if every digit were kept, rounded once to binary64.

`certain` is the common case, all elements at once: a plain sum in binary64 and a bound on its error show that whatever
the exact sum is, it rounds to one number. `sums` is for the few elements where they do not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = np.ndarray[Any, np.dtype[Any]]
Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]

_UNIT = 2.0**-53
_SPLIT = float(2**27 + 1)
# Products of doubles beyond these are not split into two doubles without loss.
_SMALLEST, _LARGEST = 2.0**-960, 2.0**990


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
        return math.copysign(math.inf, value)
