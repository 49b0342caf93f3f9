"""`fx.rocdl.cdna4`: what gfx950 has besides."""

from tilewright.lang.fly.functions.cdna4 import (
    BufferLoadAsyncLDS,
    BufferLoadAsyncLDS32b,
    BufferLoadAsyncLDS96b,
    BufferLoadAsyncLDS128b,
    GlobalLoadAsyncLDS,
    GlobalLoadAsyncLDS32b,
    GlobalLoadAsyncLDS96b,
    GlobalLoadAsyncLDS128b,
    LDSReadTrans,
    LDSReadTrans4_64b,
    LDSReadTrans6_96b,
    LDSReadTrans8_64b,
    LDSReadTrans16_64b,
    MFMA_Scale,
    MFMAScale,
    ds_read_tr8_b64,
    ds_read_tr16_b64,
)
from tilewright.lang.fly.functions.packed import (
    cvt_sr_f32_to_bf16,
)

__all__ = [
    "BufferLoadAsyncLDS",
    "BufferLoadAsyncLDS128b",
    "BufferLoadAsyncLDS32b",
    "BufferLoadAsyncLDS96b",
    "GlobalLoadAsyncLDS",
    "GlobalLoadAsyncLDS128b",
    "GlobalLoadAsyncLDS32b",
    "GlobalLoadAsyncLDS96b",
    "LDSReadTrans",
    "LDSReadTrans16_64b",
    "LDSReadTrans4_64b",
    "LDSReadTrans6_96b",
    "LDSReadTrans8_64b",
    "MFMAScale",
    "MFMA_Scale",
    "cvt_sr_f32_to_bf16",
    "ds_read_tr16_b64",
    "ds_read_tr8_b64",
]
