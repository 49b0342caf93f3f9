"""Elements in registers of another type: bits read and written as they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.atoms.packing import Container, is_held
from tilewright.dtypes import DType

Array = np.ndarray[Any, np.dtype[Any]]

_TF32 = np.uint32(0xFFFFE000)


def unpacked(registers: Array, register: DType, element: DType, room: Container | None = None) -> Array:
    """The elements that registers hold, along the last axis; what else is in an element's room is not looked at.

    >>> from tilewright.dtypes import dtype
    >>> unpacked(np.array([0x3C00_4000], np.uint32), dtype("u32"), dtype("f16")).tolist()
    [2.0, 1.0]
    >>> unpacked(np.array([0xF2], np.uint8), dtype("u8"), dtype("s4")).astype(int).tolist()
    [2, -1]
    >>> found = unpacked(np.array([0x0E_08_04_C1], np.uint32), dtype("u32"), dtype("e2m1"), Container(8, 2))
    >>> found.astype(float).tolist()
    [0.0, 0.5, 1.0, 1.5]
    """
    if element.name == "tfloat32":
        return _tf32(registers)
    if is_held(register, element):
        return registers
    whole = np.ascontiguousarray(registers)
    if room is not None and room.bits > element.bits:
        assert room.bits == 8, "of a byte"
        code = whole.view(np.uint8) >> np.uint8(room.first) & np.uint8((1 << element.bits) - 1)
        return elements_of(code.astype(np.uint8), element)
    return (
        whole.view(element.numpy())
        if element.bits >= 8
        else elements_of(codes(whole.view(np.uint8), element.bits), element)
    )


def packed(elements: Array, element: DType, register: DType) -> Array:
    """The registers that hold the elements; undoes `unpacked`."""
    if is_held(register, element):
        return elements
    return np.ascontiguousarray(elements).view(register.numpy())


def codes(data: NDArray[np.uint8], bits: int) -> NDArray[np.uint8]:
    """Numbers of so many bits each, along the last axis, the first in the lowest bits of the first byte.

    >>> codes(np.array([0x21, 0x43, 0x65], np.uint8), 6).tolist()
    [33, 12, 20, 25]
    """
    separate = np.unpackbits(data, axis=-1, bitorder="little")
    groups = separate.reshape(*separate.shape[:-1], -1, bits)
    return np.asarray(np.packbits(groups, axis=-1, bitorder="little")[..., 0])


def elements_of(found: NDArray[np.uint8], element: DType) -> Array:
    """The elements with these codes, in the type's numpy form, a byte each."""
    if not element.is_integer:
        return found.view(element.numpy())
    sign = np.uint8(1 << (element.bits - 1)) if element.kind == "int" else np.uint8(0)
    return ((found ^ sign).astype(np.int8) - sign.astype(np.int8)).astype(element.numpy())


def _tf32(registers: Array) -> Array:
    return (np.ascontiguousarray(registers).view(np.uint32) & _TF32).view(np.float32)
