"""Codes of narrow floats from binary32 and back, by the rows of `ir/core/narrow`."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.dtypes import DTYPES
from tilewright.ir.core.narrow import AWAY, NARROW, TF32_CUT, NarrowFloat

Array = np.ndarray[Any, np.dtype[Any]]
Singles = NDArray[np.float32]
Codes = NDArray[np.uint8]

_SIZE, _INFINITE, _FRACTION = 0x7FFFFFFF, 0x7F800000, 23
_LEAST_SCALE = 0x400000  # the bits of 2 to the power of -127, which the code 0 means
_NAN = 0x7FFFFFFF  # no number of tf32


def single(values: Array) -> Singles:
    """Floats in binary32; of binary64 what is cut off stays in the last bit, so that one more rounding is the only one.

    >>> single(np.array([1 + 2.0**-40])).tolist() == [1 + 2.0**-23]
    True
    """
    if values.dtype != np.float64:
        return values.astype(np.float32)
    with np.errstate(over="ignore"):
        near = values.astype(np.float32)
    inexact = (near != values) & np.isfinite(near)
    if not inexact.any():
        return near
    bits = near.view(np.int32)
    over = np.abs(near.astype(np.float64)) > np.abs(values)
    down = np.where(over, bits - 1, bits)  # toward zero
    return np.where(inexact, down | 1, bits).view(np.float32)


def narrowed(numbers: Singles, row: NarrowFloat, how: str) -> Codes:
    """The codes of numbers, rounded as `how` says; `satfinite` gives the largest number for what is larger.

    >>> from tilewright.ir.core.narrow import NARROW
    >>> narrowed(np.float32([1, -1000]), NARROW["float8_e4m3fn"], "rn.satfinite").tolist()
    [56, 254]
    """
    bits = np.asarray(numbers, np.float32).view(np.uint32).astype(np.int64)
    size = bits & _SIZE
    made = _rounded(size, row) if row.signed else _power(size, how)
    most = row.largest if how.endswith("satfinite") else row.beyond
    found = np.where(made > row.largest, most, made)
    if row.signed:
        signs = (bits >> 31) << (row.element.bits - 1)
        found = found | np.where((found != 0) | row.zeros, signs, 0)
    return np.where(size > _INFINITE, row.nan, found).astype(np.uint8)


def _rounded(size: NDArray[np.int64], row: NarrowFloat) -> NDArray[np.int64]:
    """To nearest; small ones in units of the least normal number, by the sum with one whose last digit these are."""
    shift, least = _FRACTION - row.fraction, (128 - row.bias) << _FRACTION
    magic = (128 + shift - row.bias) << _FRACTION
    small = np.minimum(size, least).astype(np.uint32).view(np.float32)
    tiny = (small + np.uint32(magic).view(np.float32)).view(np.uint32).astype(np.int64) - magic
    based = size - ((127 - row.bias) << _FRACTION)
    normal = (based + (1 << (shift - 1)) - 1 + (size >> shift & 1)) >> shift
    return np.where(size < least, tiny, normal)


def _power(size: NDArray[np.int64], how: str) -> NDArray[np.int64]:
    """The power of two that is no less, or that is no larger."""
    up = how.startswith("rp") & (size & ((1 << _FRACTION) - 1) != 0) & (size > _LEAST_SCALE) & (size < _INFINITE)
    found: NDArray[np.int64] = (size >> _FRACTION) + up
    return found


def widened(codes: Array, row: NarrowFloat) -> Singles:
    """The numbers that codes mean."""
    return _means(row.element.name)[codes]


@lru_cache(maxsize=len(NARROW))
def _means(name: str) -> Singles:
    element = DTYPES[name]
    codes = np.arange(256) & ((1 << element.bits) - 1)
    found: Singles = codes.astype(np.uint8).view(element.numpy()).astype(np.float32)
    return np.where(np.isnan(found), np.float32(np.nan), found)


def cut(numbers: Singles, how: str) -> Singles:
    """Numbers with the digits of tf32: `rna` rounds halves away from 0, `rn` to even."""
    bits = np.asarray(numbers, np.float32).view(np.uint32)
    half = 1 << (TF32_CUT - 1)
    more = half if how == AWAY else half - 1 + (bits >> TF32_CUT & 1)
    found = (bits + more) & np.uint32(0xFFFFFFFF ^ ((1 << TF32_CUT) - 1))
    return np.where((bits & _SIZE) > _INFINITE, np.uint32(_NAN), found).astype(np.uint32).view(np.float32)
