"""The types of numbers by name."""

from __future__ import annotations

from tilewright.dtypes import DTYPES
from tilewright.ir.core.conversions import INDEX
from tilewright.lang.core.numerics.elements import INT128, UINT128
from tilewright.lang.core.numerics.numeric import Numeric

__all__ = [
    "BFloat16",
    "Boolean",
    "Float",
    "Float16",
    "Float32",
    "Float4E2M1FN",
    "Float64",
    "Float6E2M3FN",
    "Float6E3M2FN",
    "Float8E4M3",
    "Float8E4M3B11FNUZ",
    "Float8E4M3FN",
    "Float8E4M3FNUZ",
    "Float8E5M2",
    "Float8E8M0FNU",
    "Index",
    "Int128",
    "Int16",
    "Int32",
    "Int4",
    "Int64",
    "Int8",
    "Integer",
    "Uint128",
    "Uint16",
    "Uint32",
    "Uint64",
    "Uint8",
]


class Integer(Numeric):
    """Base of the integers."""

    __slots__ = ()


class Float(Numeric):
    """Base of the floats."""

    __slots__ = ()


class Boolean(Integer):
    """A truth."""

    element = DTYPES["bool"]
    __slots__ = ()


class Int4(Integer):
    """An integer of 4 bits."""

    element = DTYPES["int4"]
    __slots__ = ()


class Int8(Integer):
    """An integer of 8 bits."""

    element = DTYPES["int8"]
    __slots__ = ()


class Int16(Integer):
    """An integer of 16 bits."""

    element = DTYPES["int16"]
    __slots__ = ()


class Int32(Integer):
    """An integer of 32 bits."""

    element = DTYPES["int32"]
    __slots__ = ()


class Int64(Integer):
    """An integer of 64 bits."""

    element = DTYPES["int64"]
    __slots__ = ()


class Int128(Integer):
    """An integer of 128 bits: known ones calculate; the simulator has none at run time."""

    element = INT128
    __slots__ = ()


class Uint128(Integer):
    """A natural number of 128 bits: known ones calculate; the simulator has none at run time."""

    element = UINT128
    __slots__ = ()


class Uint8(Integer):
    """A natural number of 8 bits."""

    element = DTYPES["uint8"]
    __slots__ = ()


class Uint16(Integer):
    """A natural number of 16 bits."""

    element = DTYPES["uint16"]
    __slots__ = ()


class Uint32(Integer):
    """A natural number of 32 bits."""

    element = DTYPES["uint32"]
    __slots__ = ()


class Uint64(Integer):
    """A natural number of 64 bits."""

    element = DTYPES["uint64"]
    __slots__ = ()


class Index(Integer):
    """MLIR's `index`, 64 bits here; Int64 says more."""

    element = INDEX
    __slots__ = ()


class Float64(Float):
    """binary64."""

    element = DTYPES["float64"]
    __slots__ = ()


class Float32(Float):
    """binary32."""

    element = DTYPES["float32"]
    __slots__ = ()


class Float16(Float):
    """binary16."""

    element = DTYPES["float16"]
    __slots__ = ()


class BFloat16(Float):
    """bfloat16: 8 bits of exponent, 7 of fraction."""

    element = DTYPES["bfloat16"]
    __slots__ = ()


class Float8E5M2(Float):
    """A float of 5 bits of exponent and 2 of fraction."""

    element = DTYPES["float8_e5m2"]
    __slots__ = ()


class Float8E4M3FN(Float):
    """A float of 4 bits of exponent and 3 of fraction, without infinities."""

    element = DTYPES["float8_e4m3fn"]
    __slots__ = ()


class Float8E4M3FNUZ(Float):
    """A float of 4 bits of exponent and 3 of fraction, without infinities and -0."""

    element = DTYPES["float8_e4m3fnuz"]
    __slots__ = ()


class Float8E4M3(Float):
    """A float of 4 bits of exponent and 3 of fraction, with infinities."""

    element = DTYPES["float8_e4m3"]
    __slots__ = ()


class Float8E4M3B11FNUZ(Float):
    """A float of 4 bits of exponent, which counts from 11, and 3 of fraction, without infinities and -0."""

    element = DTYPES["float8_e4m3b11fnuz"]
    __slots__ = ()


class Float8E8M0FNU(Float):
    """A power of two: 8 bits of exponent."""

    element = DTYPES["float8_e8m0fnu"]
    __slots__ = ()


class Float6E2M3FN(Float):
    """A float of 2 bits of exponent and 3 of fraction."""

    element = DTYPES["float6_e2m3fn"]
    __slots__ = ()


class Float6E3M2FN(Float):
    """A float of 3 bits of exponent and 2 of fraction."""

    element = DTYPES["float6_e3m2fn"]
    __slots__ = ()


class Float4E2M1FN(Float):
    """A float of 2 bits of exponent and 1 of fraction."""

    element = DTYPES["float4_e2m1fn"]
    __slots__ = ()


NUMERICS: tuple[type[Numeric], ...] = (
    *(Boolean, Int4, Int8, Int16, Int32, Int64, Uint8, Uint16, Uint32, Uint64, Index),
    *(Int128, Uint128, Float8E4M3, Float8E4M3B11FNUZ),
    *(Float64, Float32, Float16, BFloat16, Float8E5M2, Float8E4M3FN, Float8E4M3FNUZ, Float8E8M0FNU),
    *(Float6E2M3FN, Float6E3M2FN, Float4E2M1FN),
)
