"""Blackwell consumer: `mma.sync` for 8-, 6- and 4-bit floats, block-scaled and sparse, by the rule of `warp_mma`."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.atoms import naming
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.registry import Row
from tilewright.atoms.sm80 import warp_atom
from tilewright.errors import UsageError

NARROW = ("E4M3", "E5M2", "E2M3", "E3M2", "E2M1")
# scale types, and their PTX suffixes
_SCALES = {"float8_e8m0fnu": "ue8m0", "float8_e4m3fn": "ue4m3"}


def narrow_mma(
    a: str, b: str, *, scaled: int = 0, sparse: bool = False, packed: bool = False, name: str = "", scale_type: str = ""
) -> MmaAtom:
    """The 16x8 MMA on narrow floats (letters such as "E4M3").

    Args:
        scaled: K elements per scale factor, 0 for none; twice as many where A is sparse.
        sparse: A holds half its elements, and K doubles.
        packed: two 4-bit elements a byte (K = 64); otherwise every element takes a byte (K = 32).
        scale_type: of a scale factor; without it unsigned e4m3 for blocks of 16 elements that A holds, else e8m0.

    Raises:
        UsageError: types, or a number of elements per scale, that the instruction does not have.

    >>> atom = narrow_mma("E2M1", "E2M1", scaled=32, packed=True)
    >>> print(atom.shape_mnk, atom.tv_layout_A)
    (16, 8, 64) ((4,8),(8,2,2)):((128,1),(16,8,512))
    >>> narrow_mma("E2M1", "E2M1", scaled=64, packed=True, sparse=True).instruction.split("sync.aligned.")[1]
    'kind::mxf4.sp::ordered_metadata.block_scale.scale_vec::2X.m16n8k128.row.col.f32.e2m1.e2m1.f32.ue8m0'
    """
    letters, bits = f"F32{a}{b}F32", 4 if packed else 8
    halved = 2 if sparse else 1
    k, block = (64 if packed else 32) * halved, scaled // halved
    _check(a, b, block, scaled, packed)
    scale = scale_type or ("float8_e4m3fn" if block == 16 else "float8_e8m0fnu")
    words = [
        f"kind::{_kind(packed, block)}",
        *(["sp::ordered_metadata"] if sparse else []),
        *([f"block_scale.scale_vec::{k // scaled}X"] if scaled else []),
        f"m16n8k{k}.row.col.{naming.suffixes(letters)}",
        *([_SCALES[scale]] if scaled else []),
    ]
    return warp_atom(
        name or _name(a, b, scaled, sparse, packed),
        letters,
        f"16x8x{k}",
        "sm_120a",
        f"mma.sync.aligned.{'.'.join(words)}",
        (bits // halved, bits),
        source="CuTe mma_traits_sm120; PTX ISA, mma",
        sparsity=halved,
        scale=(scale, scaled) if scaled else None,
    )


def _kind(packed: bool, block: int) -> str:
    if packed:
        return "mxf4nvf4" if block == 16 else "mxf4"
    return "mxf8f6f4" if block else "f8f6f4"


def _check(a: str, b: str, block: int, scaled: int, packed: bool) -> None:
    if not {a, b} <= set(NARROW) or (packed and {a, b} != {"E2M1"}):
        raise UsageError(f"no 16x8 MMA multiplies {a} by {b}{' packed' if packed else ''}")
    blocks = (16, 32) if packed else (0, 32)
    if block not in blocks:
        raise UsageError(f"{scaled} elements per scale: A holds {' or '.join(map(str, blocks))} of them per scale")


def _name(a: str, b: str, scaled: int, sparse: bool, packed: bool) -> str:
    k = (64 if packed else 32) * (2 if sparse else 1)
    return f"SM120{'_SPARSE' if sparse else ''}_16x8x{k}_F32{a}{b}F32_TN{f'_VS{scaled}' if scaled else ''}"


def _build(a: str, b: str, scaled: int, sparse: bool, packed: bool) -> MmaAtom:
    return narrow_mma(a, b, scaled=scaled, sparse=sparse, packed=packed)


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog."""
    for sparse in (False, True):
        halved = 2 if sparse else 1
        plain = [(a, b, scaled * halved, sparse, False) for a in NARROW for b in NARROW for scaled in (0, 32)]
        packed = [("E2M1", "E2M1", scaled * halved, sparse, True) for scaled in (16, 32)]
        for args in (*plain, *packed):
            yield _name(*args), _build, args
