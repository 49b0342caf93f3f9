"""The element types of typed numbers: their MLIR types, the type that two have in common, and exact values of them.

Integers are signless in the IR; the sign is the element's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from math import isfinite
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from xdsl.dialects.builtin import IndexType, IntegerType, VectorType
from xdsl.ir import Attribute

from tilewright.dtypes import DTYPES, DType, dtype
from tilewright.errors import KernelError, shown
from tilewright.ir.core import element_types
from tilewright.ir.core.conversions import INDEX

if TYPE_CHECKING:
    Known: TypeAlias = "int | float | bool"

INT128 = DType("int128", 128, "int", "i128", "__int128")
UINT128 = DType("uint128", 128, "uint", "ui128", "unsigned __int128")
BOOL, INT32, INT64 = DTYPES["bool"], DTYPES["int32"], DTYPES["int64"]
FLOAT32, FLOAT64 = DTYPES["float32"], DTYPES["float64"]
NARROW = 8
"""Bits of the widest float that has no arithmetic of its own."""


@lru_cache(256)
def ir_type(element: DType, shape: tuple[int, ...] | None = None) -> Attribute:
    """The MLIR type of a number, or of a vector of them.

    >>> from tilewright.dtypes import dtype
    >>> print(ir_type(dtype("uint8")), ir_type(dtype("half"), (4,)), ir_type(INDEX))
    i8 vector<4xf16> index
    """
    if shape is not None:
        return VectorType(ir_type(element), shape)
    if element == INDEX:
        return IndexType()
    if element.is_integer:
        return IntegerType(element.bits)
    return element_types.ir_type(element)


def element_of(kind: Attribute) -> DType:
    """The element that an MLIR type stands for where nothing else tells; integers without a sign are signed."""
    if isinstance(kind, IndexType):
        return INDEX
    return INT128 if kind == IntegerType(128) else dtype(str(kind))


def normal(element: DType, value: Known) -> Known:
    """The value that the element holds of a number, as C converts it: integers wrap, floats round.

    Raises:
        KernelError: a float that no integer of the type is near.

    >>> from tilewright.dtypes import dtype
    >>> normal(dtype("int32"), 2**31), normal(dtype("uint8"), -1), normal(dtype("half"), 1e10), normal(BOOL, 3)
    (-2147483648, 255, inf, True)
    """
    if element == BOOL:
        return bool(value)
    if element.is_float:
        with np.errstate(all="ignore"):
            try:
                return float(np.asarray(value, np.float64).astype(element.numpy()))
            except OverflowError:
                return float("inf") if value > 0 else float("-inf")
    if isinstance(value, float) and not isfinite(value):
        raise KernelError(f"{value} is no {element}")
    whole = int(value)
    found = wrapped(whole, element)
    if isinstance(value, float) and found != whole:
        raise KernelError(f"{shown(value)} does not fit in {element}: what C makes of it is undefined")
    return found


def wrapped(value: int, element: DType) -> int:
    """The number of the element's type that has the low bits."""
    low = value & ((1 << element.bits) - 1)
    return low - (1 << element.bits) if element.kind == "int" and low >> (element.bits - 1) else low


def literal(value: Known) -> DType:
    """The type of Python's own number.

    Raises:
        KernelError: an integer that 64 bits do not hold.
    """
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, float):
        return FLOAT32
    if -(1 << 31) <= value < 1 << 31:
        return INT32
    if not -(1 << 63) <= value < 1 << 63:
        raise KernelError(f"{shown(value)} does not fit in 64 bits; write fx.Uint64(..) for unsigned numbers")
    return INT64


# ---- common types


def widened(element: DType, sign: str) -> DType:
    """What a truth counts as in arithmetic: 0 or 1 of Int32."""
    return INT32 if element == BOOL and sign in ("+", "-", "*", "/", "//", "%") else element


def common(a: DType, b: DType) -> DType:
    """The type in which two numbers meet.

    Of one sign the wider one; else the unsigned one if it is as wide; a float widens to the bits of an integer that
    it meets; float16 and bfloat16 meet in float32.

    Raises:
        KernelError: two different floats of 8 bits or fewer.

    >>> from tilewright.dtypes import dtype
    >>> [str(common(*map(dtype, pair.split()))) for pair in ("i32 ui32", "i64 ui32", "f16 i32", "f16 bf16", "f16 i64")]
    ['uint32', 'int64', 'float32', 'float32', 'float64']
    """
    if a == b:
        return a
    kind = (a.is_float, b.is_float)
    if kind == (True, True):
        return _floats(a, b)
    if True in kind:
        real, whole = (a, b) if a.is_float else (b, a)
        return _real(real, whole)
    if BOOL in (a, b):
        return b if a == BOOL else a
    return _integers(a, b)


def _floats(a: DType, b: DType) -> DType:
    if a.bits == b.bits:
        if a.bits <= NARROW:
            raise KernelError(f"{a} and {b} have no type in common; convert both with .to(..)")
        return FLOAT32
    return a if a.bits > b.bits else b


def _real(real: DType, whole: DType) -> DType:
    bits = 32 if real.bits <= NARROW else real.bits
    wanted = max(bits, whole.bits if whole != BOOL else 1)
    return real if wanted == real.bits else FLOAT64 if wanted > 32 else FLOAT32


def _integers(a: DType, b: DType) -> DType:
    if INDEX in (a, b):
        return INDEX
    if a.kind == b.kind:
        return a if a.bits >= b.bits else b
    unsigned, signed = (a, b) if a.kind == "uint" else (b, a)
    return unsigned if unsigned.bits >= signed.bits else signed


# ---- arithmetic of known floats, as numpy has it of their own types

REAL: Mapping[str, Callable[..., object]] = MappingProxyType(
    {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "min": np.minimum, "max": np.maximum}
)


def real(element: DType, function: Callable[..., object], *values: Known) -> float:
    """A function of known floats, rounded once to their type."""
    with np.errstate(all="ignore"):
        found = function(*(np.asarray(value, np.float64).astype(element.numpy()) for value in values))
        return float(np.asarray(found).astype(element.numpy()))
