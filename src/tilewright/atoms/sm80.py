"""Warp-wide `mma.sync` of Turing, Ampere, Ada and Hopper: one rule (`warp_mma`), many element types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Unpack

from tilewright.atoms import naming, warp_mma
from tilewright.atoms.mma import MmaAtom, MmaFacts
from tilewright.atoms.registry import Row
from tilewright.dtypes import dtype
from tilewright.errors import UsageError

# generation -> (architecture, ((letters, shapes), ...)); shapes are M x N x K
_TABLE = {
    "SM75": ("sm_75", (
        ("F32F16F16F32 F16F16F16F16", "16x8x8"),
        ("S32S8S8S32", "8x8x16"),
    )),
    "SM80": ("sm_80", (
        ("F16F16F16F16 F32F16F16F32 F32BF16BF16F32", "16x8x8 16x8x16"),
        ("F32TF32TF32F32", "16x8x4 16x8x8"),
        ("F64F64F64F64 C64C64C64C64 GC64C64C64GC64", "8x8x4"),
        ("S32S8S8S32 S32S8U8S32 S32U8S8S32 S32U8U8S32", "8x8x16 16x8x16 16x8x32"),
        ("S32S4S4S32 S32S4U4S32 S32U4S4S32 S32U4U4S32", "8x8x32 16x8x32 16x8x64"),
        ("S32U1U1S32", "8x8x128 16x8x128 16x8x256"),
    )),
    "SM89": ("sm_89", (
        ("F32E4M3E4M3F32 F32E4M3E5M2F32 F32E5M2E5M2F32 F32E5M2E4M3F32", "16x8x32"),
        ("F16E4M3E4M3F16 F16E4M3E5M2F16 F16E5M2E5M2F16 F16E5M2E4M3F16", "16x8x32"),
    )),
    "SM90": ("sm_90", (
        ("F64F64F64F64 C64C64C64C64", "16x8x4 16x8x8 16x8x16"),
    )),
}  # fmt: skip


def warp_atom(
    name: str, letters: str, shape: str, arch: str, instruction: str, bits: tuple[int, int], **more: Unpack[MmaFacts]
) -> MmaAtom:
    """An `mma.sync` atom; `bits` are what one element of A and of B takes in a register."""
    m, n, k = map(int, shape.split("x"))
    a, b = warp_mma.operand(m, k, bits[0]), warp_mma.operand(n, k, bits[1])
    types, c = naming.types(letters), warp_mma.accumulator(m)
    return MmaAtom(name, (m, n, k), types, warp_mma.WARP, a, b, c, arch, instruction, **more)


def _atom(generation: str, letters: str, shape: str, suffix: str) -> MmaAtom:
    name = f"{generation}_{shape}_{letters}_TN{suffix}"
    bits = dtype(naming.types(letters)[1]).bits
    m, n, k = shape.split("x")
    tail = {"": "", "_SATURATE": ".satfinite", "_XORPOPC": ".xor.popc", "_ANDPOPC": ".and.popc"}[suffix]
    mnemonic = f"mma.sync.aligned.m{m}n{n}k{k}.row.col{'' if 'POPC' in suffix else tail}.{naming.suffixes(letters)}"
    if "POPC" in suffix:
        mnemonic += tail
    complex_note = "several real instructions" if "C64" in letters else ""
    return warp_atom(
        name, letters, shape, _TABLE[generation][0], mnemonic, (bits, bits),
        source=f"CuTe mma_traits_{generation.lower()}; PTX ISA, mma", notes=complex_note,
    )  # fmt: skip


def find_mma_sync(m: int, n: int, k: int, types: tuple[str, str, str, str]) -> MmaAtom:
    """The `mma.sync` of that tile and element types D, A, B, C, of the first generation that has it.

    Raises:
        UsageError: none has it.

    >>> find_mma_sync(16, 8, 16, ("f32", "f16", "f16", "f32")).name
    'SM80_16x8x16_F32F16F16F32_TN'
    """
    wanted, shape = tuple(dtype(t).name for t in types), f"{m}x{n}x{k}"
    for generation, (_, families) in _TABLE.items():
        for runs, shapes in families:
            for letters in runs.split():
                if naming.types(letters) == wanted and shape in shapes.split():
                    return _atom(generation, letters, shape, _suffixes(generation, letters)[0])
    d, a, b, c = wanted
    raise UsageError(f"there is no {shape} mma.sync {d} = {a} x {b} + {c}")


def _suffixes(generation: str, letters: str) -> tuple[str, ...]:
    if "U1" in letters:
        return ("_XORPOPC", "_ANDPOPC")
    return ("", "_SATURATE") if letters.startswith("S32") and generation == "SM80" else ("",)


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog."""
    for generation, (_, families) in _TABLE.items():
        for types, shapes in families:
            for letters in types.split():
                for shape in shapes.split():
                    for suffix in _suffixes(generation, letters):
                        name = f"{generation}_{shape}_{letters}_TN{suffix}"
                        yield name, _atom, (generation, letters, shape, suffix)
