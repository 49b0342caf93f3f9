"""D = A B + C of one atom: the rule by which the simulator computes what PTX and AMD's manuals leave open.

* Floating point: products are exact, and so is the sum of all K of them and of C; it is rounded to binary64, then to
  the accumulator's type, both to nearest, ties to even. The order of the terms has no say. A sum of 0 is +0; NaN is
  the accumulator type's one NaN. Subnormal numbers are numbers.
* Integers: the exact sum, wrapped to the accumulator, or held at its limits where the instruction saturates.
* One-bit operands: the number of bits set in the `xor` or the `and` of row and column, and C.
* Complex numbers: real and imaginary part as a real sum each.

`fast` is one matrix product in binary32 (binary64 for what is wider), however numpy orders it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilewright.dtypes import DType, dtype
from tilewright.targets.simulator.collective.exact_sums import reach, span, sums, uncertain
from tilewright.targets.simulator.collective.rounding import rounded

Array = np.ndarray[Any, np.dtype[Any]]
Doubles = NDArray[np.float64]

Flags = NDArray[np.bool_]
Types: TypeAlias = tuple[DType, DType, DType, DType]

_NEAR = 1 << 15  # elements of D that are worked out at once
_NARROW = 16  # bits: products of so many, and sums of 2^20 of them, are exact in binary64
_PIECE = 1 << 18  # elements that are settled at once


def multiply_add(a: Array, b: Array, c: Array, types: Types, instruction: str) -> Array:
    """The tiles D of tiles A (warps, M, K), B (warps, N, K) and C (warps, M, N), in the accumulator's numpy type.

    Args:
        types: of D, A, B, C.
        instruction: tells saturating and one-bit instructions from others.

    >>> from tilewright.dtypes import dtype
    >>> half, single = dtype("f16"), dtype("f32")
    >>> a = np.array([[[2048.0, 1.0, 2048.0]]], np.float16)
    >>> b = np.array([[[2048.0, 0.5, -2048.0]]], np.float16)
    >>> multiply_add(a, b, np.zeros((1, 1, 1), np.float32), (single, half, half, single), "").tolist()
    [[[0.5]]]
    """
    d = types[0]
    if d.is_integer:
        return _integers(a, b, c, d, instruction)
    if d.kind == "complex":
        return _complex(a, b, c, d)
    return _floats(a, b, c, types)


def fast(a: Array, b: Array, c: Array, types: Types, instruction: str) -> Array:
    """The same by the fastest way that numpy has; integers are exact as ever."""
    d = types[0]
    if d.is_integer:
        return _integers(a, b, c, d, instruction)
    if d.kind == "complex":
        return np.asarray(a @ np.swapaxes(b, -1, -2) + c, d.numpy())
    wide = _doubles if max(d.bits, 8 * a.itemsize) > 32 else singles
    found = np.asarray(wide(a) @ np.swapaxes(wide(b), -1, -2))
    found += wide(c)
    return found.astype(d.numpy(), copy=False)


def _floats(a: Array, b: Array, c: Array, types: Types) -> Array:
    """Some warps at a time, so that what is at hand stays near."""
    result = np.empty(c.shape, types[0].numpy())
    size = max(1, _NEAR // (c[0].size or 1)) if len(c) else 1
    for start in range(0, len(c), size):
        part = slice(start, start + size)
        result[part] = _some_floats(a[part], b[part], c[part], types)
    return result


def _some_floats(a: Array, b: Array, c: Array, types: Types) -> Array:
    """Plain sums in binary64, where nothing is lost or what is lost does not show; the others are summed exactly."""
    rounding = partial(rounded, element=types[0])
    left, right, start = _doubles(a), _doubles(b), _doubles(c)
    total = left @ np.swapaxes(right, -1, -2)
    total += start
    total += 0.0  # no negative zero
    result = rounding(total)
    spans = [span(x, element) for x, element in zip((a, b, c), types[1:], strict=True)]
    size, whole = reach(spans, a.shape[-1])
    if whole.all():
        return result
    if not np.isfinite(size).all():
        result[np.isnan(total)] = np.nan
    exact = types[1].bits + types[2].bits <= 2 * 32
    where = np.nonzero(_open(total, size, whole, a.shape[-1], rounding) if exact else _finite(left, right, start))
    for first in range(0, len(where[0]), _PIECE // (a.shape[-1] + 1)):
        warp, m, n = (axis[first : first + _PIECE // (a.shape[-1] + 1)] for axis in where)
        result[warp, m, n] = rounding(sums(left[warp, m], right[warp, n], start[warp, m, n], exact))
    return result


def _open(total: Doubles, size: Doubles, whole: Flags, k: int, rounding: Callable[[Doubles], Array]) -> Flags:
    """Which totals may round to another number than the exact sums do; none of the warps whose sums are exact."""
    error = np.where(whole, 0.0, size)[:, None, None]
    return uncertain(total, error, k + 1, rounding)


def _finite(left: Doubles, right: Doubles, start: Doubles) -> Flags:
    rows, columns = (np.asarray(np.isfinite(x).all(axis=-1)) for x in (left, right))
    return np.asarray(rows[:, :, None] & columns[:, None, :] & np.isfinite(start))


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
    real = dtype("float32" if d.bits == 64 else "float64")
    left = np.concatenate([a.real, a.imag], axis=-1)
    result = np.empty(c.shape, d.numpy())
    for part, pair in (("real", (b.real, -b.imag)), ("imag", (b.imag, b.real))):
        added = np.ascontiguousarray(getattr(c, part))
        setattr(result, part, _floats(left, np.concatenate(pair, axis=-1), added, (real,) * 4))
    return result


@cache
def _halves() -> NDArray[np.float32]:
    """All numbers of binary16, by their bits: looking them up is faster than numpy's conversion."""
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float32)


def singles(x: Array) -> NDArray[np.float32]:
    """The numbers in binary32."""
    if x.dtype == np.float16:
        return np.asarray(_halves().take(np.ascontiguousarray(x).view(np.uint16)))
    return x.astype(np.float32, copy=False)


def _doubles(x: Array) -> Doubles:
    return x if x.dtype == np.float64 else x.astype(np.float64)
