"""Addresses as integers, and back: what `ptrtoint` gives, arithmetic on it, and what `inttoptr` makes of that.

Every buffer begins at an address of its own, far from all others, so that its bytes tell whose they are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tilewright.dumps.fly.values import Leaves, Number, Place
from tilewright.errors import LayoutError

# How far the buffers lie from each other, in bytes: shared memory has addresses of 32 bits.
STEPS = {"shared": 1 << 20}
STEP = 1 << 44


def step_of(space: str) -> int:
    """How far the buffers of a space lie from each other, in bytes.

    >>> step_of("shared") < 2**31 < step_of("global")
    True
    """
    return STEPS.get(space, STEP)


def number_of(place: Place, known: Leaves) -> Number:
    """The byte address of a place, for every thread.

    Raises:
        LayoutError: it lies within a byte.
    """
    bits = known.number(place.at)
    if np.any(np.remainder(bits, 8)):
        raise LayoutError("an address within a byte is not followed")
    return bits // 8 + (1 + known.buffer((place.base, place.origin))) * step_of(place.space)


def place_at(number: Number, pointer: Place, known: Leaves) -> Place:
    """Where a pointer of that kind with a byte address points.

    Raises:
        LayoutError: the number is no address, or its threads have those of several buffers.
    """
    which = np.unique(np.floor_divide(number, step_of(pointer.space)))
    if len(which) > 1 or not 1 <= which[0] <= len(known.buffers):
        raise LayoutError("a pointer made of a number that is no address of one buffer is not followed")
    base, origin = known.buffers[int(which[0]) - 1]
    start = known.leaf(number - int(which[0]) * step_of(pointer.space)) * 8
    return replace(pointer, base=base, start=start, origin=origin)
