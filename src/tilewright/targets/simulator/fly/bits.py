"""Elements as bytes and back, along the last axis: what lies in memory is seen as one type and as another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilewright.dtypes import DType
from tilewright.targets.simulator.collective.packed import codes, elements_of
from tilewright.targets.simulator.memory.access import Array

Bytes = NDArray[np.uint8]


def width_of(element: DType) -> int:
    """The bits of an element in memory, where a bool takes 8."""
    return 8 if element.kind == "bool" else element.bits


def as_bytes(elements: Array, element: DType) -> Bytes:
    """The bytes of elements that lie behind each other.

    >>> from tilewright.dtypes import dtype
    >>> as_bytes(np.array([[2, -1]], np.int8), dtype("s4")).tolist()
    [[242]]
    """
    whole = np.ascontiguousarray(elements)
    bits = width_of(element)
    if bits >= 8:
        return whole.view(np.uint8)
    separate = np.unpackbits(whole.view(np.uint8)[..., None], axis=-1, bitorder="little", count=bits)
    return np.packbits(separate.reshape(*whole.shape[:-1], -1), axis=-1, bitorder="little")


def from_bytes(data: Bytes, element: DType) -> Array:
    """The elements that the bytes are; undoes `as_bytes`."""
    whole = np.ascontiguousarray(data)
    if width_of(element) >= 8:
        return whole.view(element.numpy())
    return elements_of(codes(whole, element.bits), element)


def recast(elements: Array, before: DType, after: DType) -> Array:
    """The same bits as elements of another type."""
    return elements if before == after else from_bytes(as_bytes(elements, before), after)
