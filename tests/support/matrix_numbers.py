"""Numbers for matrices: of every size that a type has, and whether two arrays are the same bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from tilewright.dtypes import DType

Array = np.ndarray[Any, np.dtype[Any]]


def numbers(element: DType, shape: tuple[int, ...], seed: int) -> Array:
    """Numbers of every size that the type has; of floats mostly such that sums lose digits."""
    rng = np.random.default_rng(seed)
    if element.is_integer:
        high = (1 << element.bits - (element.kind == "int")) - 1
        low = -high - 1 if element.kind == "int" else 0
        return rng.integers(low, high, shape, endpoint=True, dtype=np.int64).astype(element.numpy())
    if element.kind == "complex":
        parts = (rng.standard_normal(shape) * 2.0 ** rng.integers(-9, 9, shape) for _ in range(2))
        real, imaginary = parts
        return np.asarray(real + 1j * imaginary, element.numpy())
    spread = 3 if element.bits <= 8 else 12
    values = rng.standard_normal(shape) * 2.0 ** rng.integers(-spread, spread, shape)
    values[rng.random(shape) < 0.2] = 1.0
    found = values.astype(np.float32 if element.bits < 32 else element.numpy()).astype(element.numpy())
    if element.name == "tfloat32":
        return np.asarray((found.view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32))
    return np.where(np.isfinite(found.astype(np.float64)), found, np.ones((), found.dtype))


def same(found: Array, wanted: Array) -> bool:
    """Are these the same bits?"""
    both = (np.ascontiguousarray(x).view(np.uint8) for x in (found, wanted))
    first, second = both
    return bool((first == second).all())
