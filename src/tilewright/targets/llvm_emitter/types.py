"""Types and constants of LLVM's text. What is only moved is its bits; so are narrow floats between operations."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import IndexType
from xdsl.ir import Attribute

from tilewright.dtypes import DType
from tilewright.ir.core.element_types import element_dtype

_FLOATS: Mapping[str, str] = {"float32": "float", "tfloat32": "float", "float64": "double"}
NARROW: Mapping[str, str] = {"float16": "f16", "bfloat16": "bf16"}  # floats that are computed in binary32
INDEX = "i64"


@dataclass(frozen=True)
class Value:
    """An operand: a name or a constant, and its type."""

    text: str
    kind: str

    def __str__(self) -> str:
        return f"{self.kind} {self.text}"


def kind_of(kind: Attribute) -> str:
    """The type of values.

    >>> from xdsl.dialects.builtin import f32, i1, IndexType
    >>> kind_of(f32), kind_of(i1), kind_of(IndexType())
    ('float', 'i1', 'i64')
    """
    return INDEX if isinstance(kind, IndexType) else of_element(element_dtype(kind))


def of_element(element: DType) -> str:
    """The same of an element type."""
    if element.kind == "bool":
        return "i1"
    return _FLOATS.get(element.name, f"i{element.bits}")


def in_memory(kind: str) -> str:
    """The type that it has in memory."""
    return "i8" if kind == "i1" else kind


def alignment(element: DType) -> int:
    """The bytes that an element's address is a multiple of: those of its scalar."""
    return max(1, element.bits // element.lanes // 8)


def is_narrow(kind: Attribute) -> bool:
    """Is it a float that is computed in binary32?"""
    return not isinstance(kind, IndexType) and element_dtype(kind).name in NARROW


def number(value: float | int, kind: Attribute) -> Value:
    """A constant.

    >>> from xdsl.dialects.builtin import f32, i1
    >>> str(number(0.1, f32)), str(number(1, i1))
    ('float 0x3FB99999A0000000', 'i1 1')
    """
    if isinstance(kind, IndexType):
        return Value(str(value), INDEX)
    element = element_dtype(kind)
    name = of_element(element)
    if name in _FLOATS.values():
        return Value(_hexadecimal(np.array(value).astype(element.numpy())), name)
    if element.is_integer or element.kind == "bool":
        return Value(str(int(value)), name)
    bits = np.array(value).astype(element.numpy()).view(f"u{max(8, element.bits) // 8}")
    return Value(str(int(bits)), name)


def _hexadecimal(value: np.ndarray[tuple[()], np.dtype[np.floating]]) -> str:
    """LLVM writes a float as the bits of the double that it is; a NaN of binary32 keeps its bits there."""
    if value.dtype == np.float32 and np.isnan(value):
        bits = int(value.view(np.uint32))
        return f"0x{(bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29:016X}"
    return f"0x{struct.unpack('<Q', struct.pack('<d', float(value)))[0]:016X}"
