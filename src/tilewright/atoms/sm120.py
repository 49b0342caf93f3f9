"""Blackwell consumer: `mma.sync` for 8-, 6- and 4-bit floats, block-scaled and sparse, by the rule of `warp_mma`."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.atoms import naming
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.registry import Row
from tilewright.atoms.sm80 import warp_atom

NARROW = ("E4M3", "E5M2", "E2M3", "E3M2", "E2M1")


def narrow_mma(
    a: str, b: str, *, scaled: int = 0, sparse: bool = False, packed: bool = False, name: str = ""
) -> MmaAtom:
    """The 16x8 MMA on narrow floats (letters such as "E4M3").

    Args:
        scaled: K elements per scale factor, 0 for none.
        sparse: A holds half its elements, and K doubles.
        packed: two 4-bit elements a byte (K = 64); otherwise every element takes a byte (K = 32).

    >>> atom = narrow_mma("E2M1", "E2M1", scaled=32, packed=True)
    >>> print(atom.shape_mnk, atom.tv_layout_A)
    (16, 8, 64) ((4,8),(8,2,2)):((128,1),(16,8,512))
    """
    letters = f"F32{a}{b}F32"
    bits = 4 if packed else 8
    k = (64 if packed else 32) * (2 if sparse else 1)
    kind = "mxf4nvf4" if packed and scaled == 16 else "mxf4" if packed else "mxf8f6f4" if scaled else "f8f6f4"
    block = f".block_scale.scale_vec::{k // scaled // (2 if sparse else 1)}X" if scaled else ""
    return warp_atom(
        name or _name(a, b, scaled, sparse, packed),
        letters,
        f"16x8x{k}",
        "sm_120a",
        f"mma.sync.aligned.kind::{kind}{block}{'.sp::ordered_metadata' if sparse else ''}.m16n8k{k}.row.col."
        + naming.suffixes(letters),
        (bits // (2 if sparse else 1), bits),
        source="CuTe mma_traits_sm120; PTX ISA, mma",
        sparsity=2 if sparse else 1,
        scale=("float8_e8m0fnu", scaled) if scaled else None,
    )


def _name(a: str, b: str, scaled: int, sparse: bool, packed: bool) -> str:
    k = (64 if packed else 32) * (2 if sparse else 1)
    return f"SM120{'_SPARSE' if sparse else ''}_16x8x{k}_F32{a}{b}F32_TN{f'_VS{scaled}' if scaled else ''}"


def _build(a: str, b: str, scaled: int, sparse: bool, packed: bool) -> MmaAtom:
    return narrow_mma(a, b, scaled=scaled, sparse=sparse, packed=packed)


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog."""
    for sparse in (False, True):
        for a in NARROW:
            for b in NARROW:
                for scaled in (0, 32):
                    args = (a, b, scaled, sparse, False)
                    yield _name(*args), _build, args
        for scaled in (16, 32):
            args = ("E2M1", "E2M1", scaled, sparse, True)
            yield _name(*args), _build, args
