"""Hopper: warpgroup MMA. M is 64, N a multiple of 8 up to 256, K fills 256 bits; B comes from shared memory.

With integers N is 8, 24, or a multiple of 16.
"""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.atoms import naming
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.registry import Row
from tilewright.dtypes import dtype
from tilewright.errors import UsageError
from tilewright.layout.layout import Layout

WARPGROUP = Layout(128)
THREADS = (4, 8, 4)

_FLOAT = "F16F16F16 F32F16F16 F32BF16BF16"
_TF32 = "F32TF32TF32"
_INT = "S32S8S8 S32S8U8 S32U8S8 S32U8U8"
_FP8 = " ".join(f"{d}{a}{b}" for d in ("F16", "F32") for a in ("E4M3", "E5M2") for b in ("E4M3", "E5M2"))


def register_operand(bits: int) -> Layout[int]:
    """The layout of A in registers: 64 rows, four warps of 16; 32-bit registers as in `mma.sync`.

    >>> print(register_operand(16), register_operand(32))
    ((4,8,4),(2,2,2)):((128,1,16),(64,8,512)) ((4,8,4),(2,2)):((64,1,16),(8,256))
    """
    v = 32 // bits
    inner = ((v, 64),) if v > 1 else ()
    shape, stride = zip(*inner, (2, 8), (2, 4 * v * 64), strict=True)
    return Layout((THREADS, shape), ((64 * v, 1, 16), stride))


def descriptor_operand(rows: int, k: int, threads: int = 128) -> Layout[int]:
    """The layout of an operand in shared memory: every thread sees the whole tile."""
    return Layout((threads, (rows, k)), (0, (1, rows)))


def accumulator(n: int) -> Layout[int]:
    """The layout of the 64 x n accumulator over the warpgroup.

    >>> print(accumulator(8))
    ((4,8,4),(2,2,1)):((128,1,16),(64,8,512))
    """
    return Layout((THREADS, (2, 2, n // 8)), ((128, 1, 16), (64, 8, 512)))


def extents_of_n(letters: str) -> tuple[int, ...]:
    """The values of N that the instruction has with these types.

    >>> extents_of_n("S32S8S8")[:6], len(extents_of_n("F32F16F16"))
    ((8, 16, 24, 32, 48, 64), 32)
    """
    integers = dtype(naming.types(letters)[1]).is_integer
    return tuple(n for n in range(8, 257, 8) if not integers or n in (8, 24) or n % 16 == 0)


def wgmma(n: int, letters: str, source: str, suffix: str = "", sparse: bool = False) -> MmaAtom:
    """The 64 x n x K warpgroup MMA; `source` says where A comes from, "SS" shared memory or "RS" registers.

    Raises:
        UsageError: an N that the instruction does not have with these types, or another source.

    >>> wgmma(104, "F32F16F16", "RS").shape_mnk
    (64, 104, 16)
    """
    types = naming.types(letters)
    if n not in extents_of_n(letters) or source not in ("SS", "RS"):
        raise UsageError(
            f"wgmma on {types[1]} has A in SS or RS and N in {', '.join(map(str, extents_of_n(letters)))};"
            f" not {source} with N = {n}"
        )
    bits = dtype(types[1]).bits
    k = (512 if sparse else 256) // bits
    shared = source == "SS"
    a = descriptor_operand(64, k) if shared else register_operand(bits // 2 if sparse else bits)
    name = f"SM90_64x{n}x{k}_{letters}_{source}{suffix}"
    saturate = ".satfinite" if suffix.endswith("SATURATE") else ""
    kind = ".sp" if sparse else ""
    return MmaAtom(
        name if not sparse else name.replace("SM90_", "SM90_SPARSE_"),
        (64, n, k),
        types,
        WARPGROUP,
        a,
        descriptor_operand(n, k),
        accumulator(n),
        "sm_90a",
        f"wgmma.mma_async{kind}.sync.aligned.m64n{n}k{k}{saturate}.{naming.suffixes(letters)}",
        "CuTe mma_traits_sm90_gmma; PTX ISA, wgmma",
        spaces=("shared" if shared else "register", "shared", "register"),
        replicas=(128 if shared else 1, 128, 1),
        sparsity=2 if sparse else 1,
    )


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog: all values of N."""
    families = (
        (_FLOAT, ("",)),
        (_TF32, ("_TN",)),
        (_INT, ("_TN", "_TN_SATURATE")),
        (_FP8, ("_TN",)),
    )
    for sparse in (False, True):
        for types, suffixes in families:
            for letters in types.split():
                for suffix in suffixes:
                    for source in ("SS", "RS"):
                        yield from _all_n(letters, source, suffix, sparse)


def _all_n(letters: str, source: str, suffix: str, sparse: bool) -> Iterator[Row[MmaAtom]]:
    k = (512 if sparse else 256) // dtype(naming.types(letters)[1]).bits
    prefix = "SM90_SPARSE_" if sparse else "SM90_"
    for n in extents_of_n(letters):
        yield f"{prefix}64x{n}x{k}_{letters}_{source}{suffix}", wgmma, (n, letters, source, suffix, sparse)
