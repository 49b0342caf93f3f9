"""D = A B + C of one atom: the rule by which the simulator computes what PTX and AMD's manuals leave open.

* Floating point: products are exact, and so is the sum of all K of them and of C; it is rounded to binary64, then to
  the accumulator's type, both to nearest, ties to even. The order of the terms has no say. A sum of 0 is +0; NaN is
  the accumulator type's one NaN. Subnormal numbers are numbers.
* Integers: the exact sum, wrapped to the accumulator, or held at its limits where the instruction saturates.
* One-bit operands: the number of bits set in the `xor` or the `and` of row and column, and C.
* Complex numbers: real and imaginary part as a real sum each.

`fast` is one matrix product in binary32 (binary64 for wider accumulators), however numpy orders it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.dtypes import DType
from tilewright.targets.simulator.collective.exact_sums import sums, uncertain
from tilewright.targets.simulator.collective.rounding import rounded

Array = np.ndarray[Any, np.dtype[Any]]
Doubles = NDArray[np.float64]

_NARROW = 16  # bits: products of so many, and sums of 2^20 of them, are exact in binary64
_PIECE = 1 << 18  # elements that are settled at once


def multiply_add(a: Array, b: Array, c: Array, types: tuple[DType, DType, DType, DType], instruction: str) -> Array:
    """The tiles D of tiles A (.., M, K), B (.., N, K) and C (.., M, N), in the accumulator's numpy type.

    Args:
        types: of D, A, B, C.
        instruction: tells saturating and one-bit instructions from others.

    >>> from tilewright.dtypes import dtype
    >>> half, single = dtype("f16"), dtype("f32")
    >>> a = np.array([[2048.0, 1.0, 2048.0]], np.float16)
    >>> b = np.array([[2048.0, 0.5, -2048.0]], np.float16)
    >>> multiply_add(a, b, np.zeros((1, 1), np.float32), (single, half, half, single), "").tolist()
    [[0.5]]
    """
    d = types[0]
    if d.is_integer:
        return _integers(a, b, c, d, instruction)
    if d.kind == "complex":
        return _complex(a, b, c, d)
    exact = types[1].bits + types[2].bits <= 2 * 32
    return _floats(_doubles(a), _doubles(b), _doubles(c), partial(rounded, element=d), exact)


def fast(a: Array, b: Array, c: Array, types: tuple[DType, DType, DType, DType], instruction: str) -> Array:
    """The same by the fastest way that numpy has; integers are exact as ever."""
    d = types[0]
    if d.is_integer:
        return _integers(a, b, c, d, instruction)
    if d.kind == "complex":
        return np.asarray(a @ np.swapaxes(b, -1, -2) + c, d.numpy())
    work = np.float64 if d.bits > 32 else np.float32
    product = a.astype(work, copy=False) @ np.swapaxes(b.astype(work, copy=False), -1, -2)
    return np.asarray(product + c.astype(work, copy=False)).astype(d.numpy(), copy=False)


def _floats(a: Doubles, b: Doubles, c: Doubles, rounding: Callable[[Doubles], Array], exact: bool) -> Array:
    """Where a bound on the error settles what the sums round to, they are; the others are summed exactly."""
    total = a @ np.swapaxes(b, -1, -2) + c + 0.0
    result = rounding(total)
    if not np.isfinite(total).all():
        result[np.isnan(total)] = np.nan
    k = a.shape[-1]
    rows, columns = np.abs(a).max(axis=-1, initial=0), np.abs(b).max(axis=-1, initial=0)
    largest = rows[..., :, None] * (columns[..., None, :] * k) + np.abs(c)
    where = np.nonzero(uncertain(total, largest, k + 1, rounding) if exact else np.isfinite(largest))
    for start in range(0, len(where[0]), _PIECE // (k + 1)):
        *outer, m, n = (axis[start : start + _PIECE // (k + 1)] for axis in where)
        at = (*outer, m, n)
        result[at] = rounding(sums(a[(*outer, m)], b[(*outer, n)], c[at], exact))
    return result


def _integers(a: Array, b: Array, c: Array, d: DType, instruction: str) -> Array:
    narrow = max(a.dtype.itemsize, b.dtype.itemsize) * 8 <= _NARROW
    left, right = ((_doubles(x) if narrow else x.astype(np.int64)) for x in (a, b))
    count = (left @ np.swapaxes(right, -1, -2)).astype(np.int64)
    if ".xor.popc" in instruction:
        ones = [x.sum(axis=-1).astype(np.int64) for x in (left, right)]
        count = ones[0][..., :, None] + ones[1][..., None, :] - 2 * count
    total = count + c.astype(np.int64)
    if ".satfinite" in instruction:
        total = np.clip(total, *(getattr(np.iinfo(d.numpy()), limit) for limit in ("min", "max")))
    return total.astype(d.numpy())


def _complex(a: Array, b: Array, c: Array, d: DType) -> Array:
    """(r + si)(t + ui) is rt - su and ru + st: sums of twice as many real products."""
    half = np.float32 if d.bits == 64 else np.float64
    left = _doubles(np.concatenate([a.real, a.imag], axis=-1))
    exact = half == np.float32
    result = np.empty(c.shape, d.numpy())
    for part, pair in (("real", (b.real, -b.imag)), ("imag", (b.imag, b.real))):
        right = _doubles(np.concatenate(pair, axis=-1))
        found = _floats(left, right, _doubles(getattr(c, part)), lambda x: x.astype(half), exact)
        setattr(result, part, found)
    return result


def _doubles(x: Array) -> Doubles:
    return x if x.dtype == np.float64 else x.astype(np.float64)
