"""From binary64, and from integers, to an element type with one rounding, to nearest, ties to even."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.dtypes import DType

Array = np.ndarray[Any, np.dtype[Any]]
Doubles = NDArray[np.float64]


def rounded(values: Doubles, element: DType) -> Array:
    """The values in the element type's numpy form.

    >>> from tilewright.dtypes import dtype
    >>> rounded(np.array([1 + 2.0**-8 + 2.0**-40]), dtype("bf16")).tolist()
    [1.0078125]
    """
    target = element.numpy()
    if target in (np.float64, np.float32, np.float16):
        return values.astype(target)
    return _odd(values).astype(target)  # ml_dtypes go through float32


def doubled(numbers: Array) -> Doubles:
    """Integers in binary64, what it cuts off kept in a last bit: rounding that to fewer bits is rounding once.

    >>> doubled(np.array([3, (1 << 60) + 1])).tolist() == [3, (1 << 60) + (1 << 11)]
    True
    """
    if numbers.itemsize < np.dtype(np.int64).itemsize:
        return numbers.astype(np.float64)
    low, top = numbers & 2047, numbers >> 53
    same = (top == 0) | (top == -1) | (low == 0)
    return np.where(same, numbers, (numbers ^ low) | 2048).astype(np.float64)


def _odd(values: Doubles) -> NDArray[np.float32]:
    """To binary32, what is cut off kept in the last bit: rounding that once more is rounding once."""
    near = values.astype(np.float32)
    inexact = (near != values) & np.isfinite(near)
    if not inexact.any():
        return near
    bits = near.view(np.int32)
    over = np.abs(near.astype(np.float64)) > np.abs(values)
    down = np.where(over, bits - 1, bits)  # toward zero
    return np.where(inexact, down | 1, bits).view(np.float32)
