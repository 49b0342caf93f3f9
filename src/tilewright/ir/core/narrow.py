"""Floats of at most 8 bits: a row each, from which the simulator, C and LLVM's text make their conversions.

To a narrow float rounding is to the nearest, even of two; `satfinite` gives the largest finite number for what is
larger, infinities too, and without it the format's own code. No number becomes `nan`: of formats that have none the
largest number. Scales (`float8_e8m0fnu`) are powers of two without a sign; rounding is up (`rp`) or down (`rz`).

Source: PTX ISA, "cvt"; OCP Microscaling Formats (MX) 1.0; CUDA Math API, FP8, FP6 and FP4.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from tilewright.dtypes import DTYPES, DType

NEAREST, AWAY = "rn", "rna"
SATURATED = "rn.satfinite"
TF32 = "tfloat32"
NAN_16 = 0x7FFF  # what PTX gives for no number as a float of 16 bits, where it makes two at once
TF32_CUT = 13  # bits of a float32 that a tf32 has not


@dataclass(frozen=True)
class NarrowFloat:
    """A format: digits behind the point, bias of the exponent, and codes without a sign.

    Attributes:
        element: its type.
        fraction: binary digits behind the point.
        bias: what the exponent's field holds above the exponent.
        largest: the code of the largest finite number.
        beyond: the code of what is larger, where nothing saturates.
        nan: the code of no number.
        signed: is there a sign?
        zeros: are there two zeros? Where there is one, the code of the other is `nan`.
    """

    element: DType
    fraction: int
    bias: int
    largest: int
    beyond: int
    nan: int
    signed: bool = True
    zeros: bool = True

    @property
    def infinite(self) -> bool:
        """Is there an infinity?"""
        return self.largest < self.beyond < self.nan

    @property
    def maximum(self) -> float:
        """The largest finite number.

        >>> NARROW["float8_e4m3fn"].maximum, NARROW["float4_e2m1fn"].maximum
        (448.0, 6.0)
        """
        exponent, digits = divmod(self.largest, 1 << self.fraction)
        return float((1 + digits / (1 << self.fraction)) * 2.0 ** (exponent - self.bias))

    @property
    def limit(self) -> float:
        """The largest number that rounding leaves finite: half a unit above the largest, or just below that."""
        exponent = (self.largest >> self.fraction) - self.bias
        half = self.maximum + 2.0 ** (exponent - self.fraction - 1)
        return half * (1 - 2.0**-53) if self.largest & 1 else half

    @property
    def usual(self) -> str:
        """How a cast rounds: to the nearest; scales up, so that what they scale fits."""
        return SATURATED if self.signed else "rp.satfinite"


def _row(
    name: str, fraction: int, bias: int, largest: int, beyond: int, nan: int, *, signed: bool = True, zeros: bool = True
) -> NarrowFloat:
    return NarrowFloat(DTYPES[name], fraction, bias, largest, beyond, nan, signed, zeros)


_ROWS = (
    _row("float8_e4m3fn", 3, 7, 0x7E, 0x7F, 0x7F),
    _row("float8_e5m2", 2, 15, 0x7B, 0x7C, 0x7F),
    _row("float8_e4m3fnuz", 3, 8, 0x7F, 0x80, 0x80, zeros=False),
    _row("float8_e5m2fnuz", 2, 16, 0x7F, 0x80, 0x80, zeros=False),
    _row("float8_e4m3", 3, 7, 0x77, 0x78, 0x7F),
    _row("float8_e4m3b11fnuz", 3, 11, 0x7F, 0x80, 0x80, zeros=False),
    _row("float8_e8m0fnu", 0, 127, 0xFE, 0xFF, 0xFF, signed=False),
    _row("float6_e2m3fn", 3, 1, 0x1F, 0x1F, 0x1F),
    _row("float6_e3m2fn", 2, 3, 0x1F, 0x1F, 0x1F),
    _row("float4_e2m1fn", 1, 1, 0x7, 0x7, 0x7),
)
NARROW: Mapping[str, NarrowFloat] = MappingProxyType({row.element.name: row for row in _ROWS})
SCALE = "float8_e8m0fnu"
NVIDIA = frozenset({"float8_e4m3fn", "float8_e5m2", SCALE, "float6_e2m3fn", "float6_e3m2fn", "float4_e2m1fn"})


def is_converted(element: DType) -> bool:
    """Is it a float that is converted, not computed on?"""
    return element.name in NARROW or element.name == TF32


def usual(element: DType) -> str:
    """How a cast to it rounds."""
    return AWAY if element.name == TF32 else NARROW[element.name].usual
