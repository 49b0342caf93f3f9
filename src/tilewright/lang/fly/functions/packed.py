"""Conversions of AMD's between floats and words that hold several narrow ones; bytes permuted; approximations.

Rounding is to the nearest, even of two, and approximate functions are exact here.
"""

from __future__ import annotations

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric, numeric_type
from tilewright.lang.core.numerics.types import (
    BFloat16,
    Float4E2M1FN,
    Float8E4M3FN,
    Float8E4M3FNUZ,
    Float32,
    Int32,
    Uint8,
    Uint16,
    Uint32,
    Uint64,
)
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.functions import math
from tilewright.lang.fly.kernels import current_kernel
from tilewright.lang.fly.values.base import expect

__all__ = [
    "cvt_f32_fp8",
    "cvt_off_f32_i4",
    "cvt_pk_bf16_f32",
    "cvt_pk_f32_fp8",
    "cvt_pk_fp8_f32",
    "cvt_scalef32_pk_bf16_fp4",
    "cvt_scalef32_pk_f32_fp4",
    "cvt_scalef32_pk_fp4_bf16",
    "cvt_scalef32_pk_fp4_f32",
    "cvt_scalef32_pk_fp8_bf16",
    "cvt_scalef32_pk_fp8_f32",
    "cvt_sr_f32_to_bf16",
    "exp2",
    "log",
    "perm_b32",
    "rcp",
    "rsq",
    "sqrt",
]


def rcp(res: object, arg: NumericLike) -> Numeric:
    """1 over a float."""
    kind = numeric_type(res)
    return as_numeric(kind(1.0) / kind(as_numeric(arg)))


def rsq(res: object, arg: NumericLike) -> Numeric:
    """1 over the square root of a float."""
    return as_numeric(math.rsqrt(numeric_type(res)(as_numeric(arg))))


def exp2(res: object, arg: NumericLike) -> Numeric:
    """2 to the power of a float."""
    return as_numeric(math.exp2(numeric_type(res)(as_numeric(arg))))


def log(res: object, arg: NumericLike) -> Numeric:
    """The logarithm to the base 2, which is what AMD's instruction gives."""
    return as_numeric(math.log2(numeric_type(res)(as_numeric(arg))))


def sqrt(res: object, arg: NumericLike) -> Numeric:
    """The square root of a float."""
    return as_numeric(math.sqrt(numeric_type(res)(as_numeric(arg))))


def perm_b32(src_hi: NumericLike, src_lo: NumericLike, sel: NumericLike) -> Int32:
    """Four bytes of eight: each byte of `sel` says which, 0 to 3 of `src_lo`, 4 to 7 of `src_hi`.

    8 to 11 stand for the sign of a half word of 16 bits (of `src_lo` first), 12 for 0x00, 13 and above for 0xFF.
    """
    high, low, chosen = (Uint32(as_numeric(x)) for x in (src_hi, src_lo, sel))
    whole = as_numeric(Uint64(high) << 32) | Uint64(low)
    found: Numeric = Uint32(0)
    for i in range(4):
        at = as_numeric(as_numeric(chosen >> (8 * i)) & 0xFF)
        byte = Uint32(as_numeric(whole >> Uint64(as_numeric(at & 7) * 8)) & 0xFF)
        sign = as_numeric(whole >> Uint64(as_numeric(at & 3) * 16 + 15)) & 1
        signs = Uint32(as_numeric(sign) == 1) * 0xFF
        other = as_numeric(as_numeric(at == 12).select(Uint32(0), Uint32(0xFF)))
        beyond = as_numeric(as_numeric(at < 12).select(signs, other))
        found = as_numeric(found | as_numeric(as_numeric(at < 8).select(byte, beyond)) << (8 * i))
    return expect(found.bitcast(Int32), Int32, "a word")


def fp8_of_target() -> type[Numeric]:
    """The 8-bit float of the target's instructions: `fnuz` on gfx94x, else the one without infinities."""
    return Float8E4M3FNUZ if current_kernel().arch.startswith("gfx94") else Float8E4M3FN


def _halves(word: NumericLike, selected: bool, half: NumericLike) -> Int32:
    """A word with one of its halves replaced."""
    bits, given = Uint32(as_numeric(word)), Uint32(as_numeric(half))
    kept = bits & Uint32(0xFFFF if selected else 0xFFFF0000)
    return expect(as_numeric(as_numeric(kept) | (given << (16 * selected))).bitcast(Int32), Int32, "a word")


def cvt_pk_fp8_f32(
    res: object, src_a: NumericLike, src_b: NumericLike, old: NumericLike, word_sel: bool | int
) -> Int32:
    """Two floats as two of 8 bits in one half of a word: the upper one where `word_sel`."""
    both = Vector.from_elements([Float32(as_numeric(x)) for x in (src_a, src_b)]).to(fp8_of_target())
    return _halves(old, bool(word_sel), both.bitcast(Uint16)[0])


def cvt_pk_f32_fp8(res: object, src: NumericLike, word_sel: bool | int) -> Vector:
    """Two floats of 8 bits in one half of a word as two of 32: of the upper one where `word_sel`."""
    half = Uint16(as_numeric(Uint32(as_numeric(src)) >> (16 * bool(word_sel))))
    return Vector.from_elements([half]).bitcast(fp8_of_target()).to(Float32)


def cvt_f32_fp8(res: object, src: NumericLike, byte_sel: int) -> Numeric:
    """One of the four 8-bit floats of a word as one of 32 bits."""
    byte = Uint8(as_numeric(Uint32(as_numeric(src)) >> (8 * _below(byte_sel, 4))))
    return byte.bitcast(fp8_of_target()).to(Float32)


def cvt_pk_bf16_f32(src_a_f32: NumericLike, src_b_f32: NumericLike) -> Int32:
    """Two floats as two bfloat16 in a word, the first one in its lower half."""
    both = Vector.from_elements([Float32(as_numeric(x)) for x in (src_a_f32, src_b_f32)])
    return expect(both.to(BFloat16).bitcast(Int32)[0], Int32, "a word")


def cvt_off_f32_i4(src_i32: NumericLike, byte_sel: int | None = None) -> Float32:
    """The lower 4 bits of a byte, read with a sign, over 16, as a float."""
    byte = as_numeric(Uint32(as_numeric(src_i32)) >> (8 * _below(byte_sel or 0, 4)))
    four = as_numeric(as_numeric(Uint32(byte) << 28).bitcast(Int32) >> 28)
    return expect(Float32(four) * 0.0625, Float32, "a float")


def cvt_sr_f32_to_bf16(x: NumericLike, rand: NumericLike) -> BFloat16:
    """A float as bfloat16, rounded up where the bits that are cut off and 16 random ones carry."""
    bits = as_numeric(Float32(as_numeric(x)).bitcast(Uint32) + as_numeric(Uint32(as_numeric(rand)) & 0xFFFF))
    return expect(Uint16(as_numeric(bits >> 16)).bitcast(BFloat16), BFloat16, "a float")


# ---- with a scale


def cvt_scalef32_pk_f32_fp4(res: object, src: NumericLike, scale: NumericLike, src_sel_index: int) -> Vector:
    """Two of the eight 4-bit floats of a word, times a scale."""
    byte = Uint8(as_numeric(Uint32(as_numeric(src)) >> (8 * _below(src_sel_index, 4))))
    return Vector.from_elements([byte]).bitcast(Float4E2M1FN).to(Float32) * Float32(as_numeric(scale))


def cvt_scalef32_pk_bf16_fp4(res: object, src: NumericLike, scale: NumericLike, src_sel_index: int) -> Vector:
    """Two of the eight 4-bit floats of a word, times a scale, as bfloat16."""
    return cvt_scalef32_pk_f32_fp4(res, src, scale, src_sel_index).to(BFloat16)


def cvt_scalef32_pk_fp4_f32(
    res: object,
    old_vdst: NumericLike,
    src0: NumericLike,
    src1: NumericLike,
    scale: NumericLike,
    dst_sel_index: int,
) -> Int32:
    """Two floats over a scale as two of 4 bits in one byte of a word."""
    both = Vector.from_elements([Float32(as_numeric(x)) for x in (src0, src1)]) / Float32(as_numeric(scale))
    return _with_byte(old_vdst, both, dst_sel_index)


def cvt_scalef32_pk_fp4_bf16(
    res: object, old_vdst: NumericLike, src: Vector, scale: NumericLike, dst_sel_index: int
) -> Int32:
    """Two bfloat16 over a scale as two floats of 4 bits in one byte of a word."""
    return _with_byte(old_vdst, src.to(Float32) / Float32(as_numeric(scale)), dst_sel_index)


def _with_byte(old: NumericLike, both: Vector, at: int) -> Int32:
    byte = Uint32(both.to(Float4E2M1FN).bitcast(Uint8)[0])
    shift = 8 * _below(at, 4)
    kept = as_numeric(Uint32(as_numeric(old)) & Uint32(0xFFFFFFFF ^ (0xFF << shift)))
    return expect(as_numeric(kept | (byte << shift)).bitcast(Int32), Int32, "a word")


def cvt_scalef32_pk_fp8_f32(
    res: object,
    old_vdst: Vector,
    src0: NumericLike,
    src1: NumericLike,
    scale: NumericLike,
    dst_lo_hi_sel: bool | int,
) -> Vector:
    """Two floats over a scale as two of 8 bits in one of two half words."""
    both = Vector.from_elements([Float32(as_numeric(x)) for x in (src0, src1)]) / Float32(as_numeric(scale))
    return _with_half(old_vdst, both, dst_lo_hi_sel)


def cvt_scalef32_pk_fp8_bf16(
    res: object, old_vdst: Vector, src0: Vector, scale: NumericLike, dst_lo_hi_sel: bool | int
) -> Vector:
    """Two bfloat16 over a scale as two floats of 8 bits in one of two half words."""
    return _with_half(old_vdst, src0.to(Float32) / Float32(as_numeric(scale)), dst_lo_hi_sel)


def _with_half(old: Vector, both: Vector, upper: bool | int) -> Vector:
    half = both.to(fp8_of_target()).bitcast(old.dtype)[0]
    low, high = (half, old[1]) if not upper else (old[0], half)
    return Vector.from_elements([low, high], old.dtype)


def _below(value: int, most: int) -> int:
    if not isinstance(value, int) or not 0 <= value < most:
        raise KernelError(f"a selection is one of 0 to {most - 1}, got {shown(value)}")
    return value
