"""Warp-wide sparse products, `mma.sp` of Ampere and Ada: half of A's elements are stored, metadata says which."""

from __future__ import annotations

from collections.abc import Iterator

from tilewright.atoms import naming
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.registry import Row
from tilewright.atoms.sm80 import warp_atom
from tilewright.dtypes import dtype

# generation -> (architecture, ((letters, shapes), ...)); those whose metadata lies as in `sources` of one warp.
_TABLE = {
    "SM80": ("sm_80", (
        ("F16F16F16F16 F32F16F16F32 F32BF16BF16F32", "16x8x16 16x8x32"),
        ("F32TF32TF32F32", "16x8x8 16x8x16"),
        ("S32S8S8S32 S32S8U8S32 S32U8S8S32 S32U8U8S32", "16x8x64"),
    )),
    "SM89": ("sm_89", (
        ("F32E4M3E4M3F32 F32E4M3E5M2F32 F32E5M2E5M2F32 F32E5M2E4M3F32", "16x8x64"),
    )),
}  # fmt: skip


def sparse_mma(generation: str, letters: str, shape: str) -> MmaAtom:
    """The sparse `mma.sp` of those types and that shape.

    >>> atom = sparse_mma("SM80", "F32F16F16F32", "16x8x32")
    >>> print(atom.name, atom.tv_layout_A, atom.stored_layout("A"))
    SM80_SPARSE_16x8x32_F32F16F16F32_TN ((4,8),(4,2,2)):((64,1),(16,8,256)) ((4,8),(2,2,2)):((32,1),(16,8,128))
    """
    bits, (m, n, k) = dtype(naming.types(letters)[1]).bits, shape.split("x")
    words = f"m{m}n{n}k{k}.row.col.{naming.suffixes(letters)}"
    return warp_atom(
        f"{generation}_SPARSE_{shape}_{letters}_TN", letters, shape, _TABLE[generation][0],
        f"mma.sp::ordered_metadata.sync.aligned.{words}", (bits // 2, bits), source="PTX ISA, mma.sp", sparsity=2,
    )  # fmt: skip


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog."""
    for generation, (_, families) in _TABLE.items():
        for runs, shapes in families:
            for letters in runs.split():
                for shape in shapes.split():
                    yield f"{generation}_SPARSE_{shape}_{letters}_TN", sparse_mma, (generation, letters, shape)
