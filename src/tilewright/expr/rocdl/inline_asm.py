"""`fx.rocdl.inline_asm`: conversions of packed numbers."""

from tilewright.lang.fly.functions.packed import (
    cvt_off_f32_i4,
    cvt_pk_bf16_f32,
)

__all__ = [
    "cvt_off_f32_i4",
    "cvt_pk_bf16_f32",
]
