"""`fx.rocdl.cdna4`: what gfx950 has besides."""

from tilewright.lang.fly.functions.cdna4 import *
from tilewright.lang.fly.functions.packed import cvt_sr_f32_to_bf16 as cvt_sr_f32_to_bf16
