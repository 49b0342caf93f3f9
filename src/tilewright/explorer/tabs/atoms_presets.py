"""The presets of the tab of MMAs and copies: an atom of each generation, and what is tiled of them."""

from __future__ import annotations

from tilewright.explorer.tab import Preset

MMA, COPY = "an MMA", "a copy"


def _mma(name: str, atom: str, search: str, note: str = "", **more: str) -> Preset:
    return Preset(name, {"mma": atom, "search": search} | more, note)


def _copy(name: str, atom: str, search: str, note: str = "", **more: str) -> Preset:
    return Preset(name, {"of": COPY, "copy": atom, "copies": search} | more, note)


WMMA = "the two halves of the lanes hold the same elements of A and B"
PRESETS = (
    Preset("SM80 16x8x16", {}, "A, B and C of one warp: threads link them"),
    Preset(
        "2x2 atoms, N permuted",
        {"layout": "(2,2,1)", "M": "32", "N": "(8,2,2):(1,16,8)", "K": "16"},
        "a thread's columns of C come together: eight of N for each pair of atoms",
    ),
    _mma("SM75 8x8x16, bytes", "SM75_8x8x16_S32S8S8S32_TN", "SM75", "32 lanes, four bytes of A in a register"),
    _mma("SM70 quad pairs", "SM70_8x8x4_F32F16F16F32_TN", "SM70", "eight threads: lanes 0-3 and 16-19"),
    _mma("wgmma 64x64x16", "SM90_64x64x16_F32F16F16_SS", "SM90_64x64x16", "a descriptor reads A and B"),
    _mma("wgmma, A in registers", "SM90_64x32x16_F32F16F16_RS", "SM90_64x32x16", "only B is read by a descriptor"),
    _mma("tcgen05 64x64x16", "SM100_MMA_F16BF16_SS<64,64>", "SM100_MMA_F16BF16_SS", "C lies in tensor memory"),
    _mma("MFMA 16x16x16", "CDNA3_16x16x16_F32F16F16F32", "CDNA3_16x16x16", "a wave of 64 lanes", arch="gfx942"),
    _mma("MFMA 32x32x8", "CDNA3_32x32x8_F32F16F16F32", "CDNA3_32x32x8", "C in blocks of four rows", arch="gfx942"),
    _mma("MFMA of 16 blocks", "CDNA3_4x4x4_16B_F32F16F16F32", "CDNA3_4x4x4", "16 products side by side", arch="gfx942"),
    _mma("WMMA 16x16x16", "RDNA3_16x16x16_F32F16F16F32", "RDNA3", WMMA, arch="gfx1100"),
    _copy("ldmatrix x4", "SM75_U32x4_LDSM_N", "LDSM", "a lane addresses a row, and gets pairs of four matrices"),
    _copy("ldmatrix x4, transposed", "SM75_U16x8_LDSM_T", "ldmatrix trans", "pairs come down the columns"),
    _copy(
        "vectors, tiled",
        "UniversalCopy128b",
        "UniversalCopy",
        "each thread moves a vector of eight halves",
        element="float16",
        thr="(16,8):(8,1)",
        val="(1,8)",
    ),
    _copy(
        "(32,8) threads of (1,4) values",
        "UniversalCopy128b",
        "UniversalCopy",
        "256 threads, a vector of four floats each",
        element="float32",
        thr="(32,8):(8,1)",
        val="(1,4)",
    ),
    _copy(
        "cp.async, tiled",
        "SM80_CP_ASYNC_CACHEALWAYS<uint128_t>",
        "cp.async",
        "to shared memory",
        thr="(32,4)",
        val="(1,8)",
    ),
)
