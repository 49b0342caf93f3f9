"""`fx.rocdl.inline_asm`: conversions of packed numbers."""

from tilewright.lang.fly.functions.packed import cvt_off_f32_i4 as cvt_off_f32_i4
from tilewright.lang.fly.functions.packed import cvt_pk_bf16_f32 as cvt_pk_bf16_f32
