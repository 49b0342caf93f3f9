"""What `tcgen05.ld.red` makes of the words that a lane loads.

Source: PTX ISA, tcgen05.ld.
"""

from __future__ import annotations

import numpy as np

from tilewright.targets.simulator.memory.access import Array

NAN = np.uint32(0x7FFFFFFF)  # the canonical one
_SIGN, _INFINITE, _MAGNITUDE = np.uint32(0x80000000), np.uint32(0x7F800000), np.uint32(0x7FFFFFFF)


def reduced(words: Array, how: str) -> Array:
    """The least or the greatest of words (.., register), as `max.abs.NaN.f32` says.

    Of floats -0 is less than 0; NaNs are left out, with `NaN` one is enough.

    >>> found = np.array([[1.0, -2.0, np.nan]], np.float32).view(np.uint32)
    >>> [float(reduced(found, how).view(np.float32)[0]) for how in ("max.f32", "max.abs.f32", "min.f32", "min.NaN.f32")]
    [1.0, 2.0, -2.0, nan]
    """
    kind, *told = how.split(".")[::-1]
    least = told[-1] == "min"
    if kind != "f32":
        numbers = words.view(np.int32 if kind == "s32" else np.uint32)
        return np.asarray((numbers.min if least else numbers.max)(axis=-1)).view(np.uint32)
    bits = words & _MAGNITUDE if "abs" in told else words
    nans = (bits & _MAGNITUDE) > _INFINITE
    found = _ordered(_neutral(bits, nans, least))
    best = _undone(found.min(axis=-1) if least else found.max(axis=-1))
    return np.where(nans.any(axis=-1) if "NaN" in told else nans.all(axis=-1), NAN, best)


def _neutral(bits: Array, nans: Array, least: bool) -> Array:
    """What changes nothing in the place of NaNs."""
    return np.where(nans, _INFINITE if least else _INFINITE | _SIGN, bits)


def _ordered(bits: Array) -> Array:
    """Unsigned numbers in the order of the floats."""
    return np.where(bits & _SIGN, ~bits, bits | _SIGN)


def _undone(found: Array) -> Array:
    return np.where(found & _SIGN, found ^ _SIGN, ~found)
