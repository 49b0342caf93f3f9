"""From binary64 to an element type with one rounding, to nearest, ties to even."""

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
