"""Sparse matrices as PTX says: numbers that are stored, four bits of metadata for each chunk, and the whole matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tilewright.dtypes import DType

Array = np.ndarray[Any, np.dtype[Any]]
# What four bits may say: the places of what is stored of two elements, and of four.
ONE: Mapping[int, tuple[int, ...]] = {0b0100: (0,), 0b1110: (1,)}
TWO: Mapping[int, tuple[int, ...]] = {n: (n & 3, n >> 2) for n in (4, 8, 12, 9, 13, 6, 14)}


@dataclass(frozen=True)
class Sparse:
    """Rows of stored whole numbers, their metadata by (row, chunk), and the rows with zeros between."""

    stored: Array
    nibbles: Array
    whole: Array

    @staticmethod
    def of(rng: np.random.Generator, element: DType, rows: int, k: int, room: int = 0) -> Sparse:
        """Drawn ones; elements that have 4 bits of room stand in pairs."""
        known, wide = (ONE, 2) if element.bits == 32 else (TWO, 4)
        pair = 2 if (room or element.bits) == 4 else 1
        low = 0 if element.kind == "uint" else -2
        stored = rng.integers(low, 3, (rows, k // 2)).astype(np.float32)
        nibbles = rng.choice([*known], (rows, k // (wide * pair)))
        whole = np.zeros((rows, k), np.float32)
        for row, chunk in np.ndindex(*nibbles.shape):
            places = known[int(nibbles[row, chunk])]
            for part, place in enumerate(places):
                at, to = (chunk * len(places) + part) * pair, (chunk * wide + place) * pair
                whole[row, to : to + pair] = stored[row, at : at + pair]
        return Sparse(stored, nibbles, whole)


def drawn(rng: np.random.Generator, element: DType, shape: tuple[int, ...]) -> Array:
    """Whole numbers that every type has."""
    return rng.integers(0 if element.kind == "uint" else -2, 3, shape).astype(np.float32)
