"""Arrays as sets.

`np.unique` of values alone, which `np.isin` may ask for, loads `numpy.ma`: 6 ms and more of a kernel's first run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Flags: TypeAlias = NDArray[np.bool_]


def distinct_values(values: Array | int) -> Array:
    """Each of the values once, in order.

    >>> distinct_values(np.array([[3, 1], [1, 2]])).tolist()
    [1, 2, 3]
    """
    ordered = np.sort(values, axis=None)
    first = np.ones(len(ordered), bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return np.asarray(ordered[first])


def distinct_rows(values: Array) -> Array:
    """Each row of the array once, in order.

    >>> distinct_rows(np.array([[3, 1], [1, 2], [3, 1]])).tolist()
    [[1, 2], [3, 1]]
    """
    return np.asarray(np.unique(values, axis=0, return_counts=True)[0])


def is_among(values: Array, wanted: Array | Sequence[int]) -> Flags:
    """Which of the values are wanted.

    >>> is_among(np.array([3, 1, 4]), [4, 3, 3]).tolist()
    [True, False, True]
    """
    ordered = np.sort(wanted)
    places = np.searchsorted(ordered, values, side="right")
    return np.asarray(places > np.searchsorted(ordered, values))
