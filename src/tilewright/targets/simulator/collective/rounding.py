"""From binary64, and from integers, to an element type with one rounding, to nearest, ties to even."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.dtypes import DType
from tilewright.ir.core.narrow import NARROW, NEAREST
from tilewright.targets.simulator.collective.codes import narrowed, single

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
    row = NARROW.get(element.name)
    if row is not None and row.signed:
        return narrowed(single(values), row, NEAREST).view(target)
    return single(values).astype(target)  # ml_dtypes go through float32


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
