"""The accesses of warps, as rows of places, one a lane; those that lie alike are one row."""

from __future__ import annotations

from functools import cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Rows: TypeAlias = NDArray[np.int64]

INACTIVE = -1
LINE_BYTES = 256  # a multiple of every architecture's line of banks and of its cache lines


def warps(places: Rows, lanes: int, all_active: bool = False) -> Rows:
    """Places of (blocks, threads) as rows of so many lanes; those without an active lane are left out.

    >>> warps(np.array([[0, 4, -1, -1, 8]]), 2).tolist()
    [[0, 4], [8, -1]]
    """
    padding = -places.shape[1] % lanes
    padded = np.pad(places, ((0, 0), (0, padding)), constant_values=INACTIVE) if padding else places
    rows = padded.reshape(-1, lanes)
    return rows if all_active else rows[(rows >= 0).any(axis=1)]


def patterns(rows: Rows, step: int = 1, base: int = 0) -> tuple[Rows, Rows]:
    """The rows moved down by whole lines to where memory starts, each once, and how many of each there are.

    They are given as numbers of elements, `step` bytes apart from the byte `base` on, and come back as bytes.

    >>> patterns(np.array([[0, 4], [256, 260], [4, 8]]))
    (array([[0, 4],
           [4, 8]]), array([2, 1]))
    """
    low = rows[:, 0] + (rows[0] - rows[0, 0]).min()
    if low.min() >= 0 and _differ_by_shifts(rows):
        starts, times = np.unique((low * step + base) % LINE_BYTES, return_counts=True)
        return starts[:, None] + (rows[0] - low[0]) * step, times
    return _each_once(_near(np.where(rows >= 0, rows * step + base, INACTIVE)))


def _differ_by_shifts(rows: Rows) -> bool:
    """Has each row the same steps from lane to lane?"""
    flat, lanes = rows.reshape(-1), rows.shape[1]
    steps = np.zeros_like(flat)
    np.subtract(flat[1:], flat[:-1], out=steps[:-1])
    steps[lanes - 1 :: lanes] = 0  # from row to row
    return bool((steps[lanes:] == steps[:-lanes]).all())


def _near(places: Rows) -> Rows:
    """Rows of byte addresses, moved down by whole lines."""
    active = places >= 0
    low = np.where(active, places, np.iinfo(np.int64).max).min(axis=1, keepdims=True)
    return np.where(active, places - low // LINE_BYTES * LINE_BYTES, INACTIVE)


def _each_once(rows: Rows) -> tuple[Rows, Rows]:
    keys = rows @ _weights(rows.shape[1])
    _, first, which, times = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    if (rows[first][which.reshape(-1)] == rows).all():
        return rows[first], times
    return np.unique(rows, axis=0, return_counts=True)  # two patterns with one key


@cache
def _weights(lanes: int) -> Rows:
    """Odd numbers, of which rows make keys that hardly ever agree by chance."""
    return np.random.default_rng(0).integers(0, 1 << 62, lanes) * 2 + 1
