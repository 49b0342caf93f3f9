"""Tensor maps as the CPU reads them: the driver's are its secret, so the shim has its own form (shim/tensors.h)."""

from __future__ import annotations

import struct

from tilewright.targets.host.program import MAP_BYTES
from tilewright.targets.tensor_map import MAX_RANK, TensorMap

_FORM = f"<Q{MAX_RANK}Q{MAX_RANK}I{MAX_RANK}I6H"
# The `Element` of the header, which reductions go by.
_ELEMENTS = ("", "float16", "bfloat16", "float32", "float64", "int32", "uint32", "int64", "uint64")
_LINE_BIT = 7  # of an address, from which a swizzle reads


def encoded(given: TensorMap) -> bytes:
    """The 128 bytes; the first 8 are the tensor's address, which the program puts there."""
    element, mode = given.element, given.mode
    rank, low = len(given.box), mode.chunk.bit_length() - 1
    chosen = mode.span - mode.chunk if mode.swizzled else 0
    code = _ELEMENTS.index(element.name) if element.name in _ELEMENTS else 0
    fields = (*_padded(given.array.strides), *_padded(given.array.shape), *_padded(given.box))
    bits = (rank, given.array.itemsize, code, _LINE_BIT - low, chosen, int(mode.flip))
    return struct.pack(_FORM, 0, *fields, *bits).ljust(MAP_BYTES, b"\0")


def _padded(extents: tuple[int, ...]) -> tuple[int, ...]:
    """The fastest dimension first."""
    return (*reversed(extents), *(0,) * (MAX_RANK - len(extents)))
