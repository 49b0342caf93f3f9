"""The accesses of warps, as rows of byte addresses, one a lane; those that lie alike are one row."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Rows: TypeAlias = NDArray[np.int64]

INACTIVE = -1
LINE_BYTES = 256  # a multiple of every architecture's line of banks and of its cache lines


def warps(addresses: Rows, lanes: int, all_active: bool = False) -> Rows:
    """Addresses of (blocks, threads) as rows of so many lanes; those without an active lane are left out.

    >>> warps(np.array([[0, 4, -1, -1, 8]]), 2).tolist()
    [[0, 4], [8, -1]]
    """
    padding = -addresses.shape[1] % lanes
    padded = np.pad(addresses, ((0, 0), (0, padding)), constant_values=INACTIVE) if padding else addresses
    rows = padded.reshape(-1, lanes)
    return rows if all_active else rows[(rows >= 0).any(axis=1)]


def patterns(rows: Rows) -> tuple[Rows, Rows]:
    """The rows moved down by whole lines to where memory starts, each once, and how many of each there are.

    >>> patterns(np.array([[0, 4], [256, 260], [4, 8]]))
    (array([[0, 4],
           [4, 8]]), array([2, 1]))
    """
    low = rows.min(axis=1, keepdims=True)
    if low.min() >= 0:
        near = rows - (low & -LINE_BYTES)
    else:
        active = rows >= 0
        low = np.where(active, rows, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
        near = np.where(active, rows - low // LINE_BYTES * LINE_BYTES, INACTIVE)
    if (near == near[0]).all():
        return near[:1], np.array([len(near)])
    weights = np.random.default_rng(0).integers(0, 1 << 62, near.shape[1]) * 2 + 1
    _, first, which, times = np.unique(near @ weights, return_index=True, return_inverse=True, return_counts=True)
    if (near[first][which.reshape(-1)] == near).all():
        return near[first], times
    return np.unique(near, axis=0, return_counts=True)  # two patterns with one key
