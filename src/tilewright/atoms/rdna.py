"""AMD RDNA3, RDNA4 and gfx1250: WMMA on 32 lanes, 16x16 tiles.

RDNA3 gives both halves of the wave the same A and B; later generations split K between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tilewright.atoms import naming
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.registry import Row
from tilewright.dtypes import dtype
from tilewright.errors import UsageError
from tilewright.layout.layout import Layout

WAVE = Layout(32)
_SPLIT_C = Layout(((16, 2), 8), ((16, 8), 1))
_SPLIT_C_F16 = Layout(((16, 2), (4, 2)), ((16, 8), (2, 1)))
_SHARED_C = Layout(((16, 2), 8), ((16, 1), 2))


@dataclass(frozen=True)
class Generation:
    """One generation: its architecture, and which K each run of type letters has."""

    arch: str
    shapes: tuple[tuple[str, str], ...]


GENERATIONS = {
    "RDNA3": Generation("gfx1100", (
        ("F32F16F16F32 F16F16F16F16 F32BF16BF16F32 BF16BF16BF16BF16 S32S8S8S32 S32S4S4S32", "16"),
    )),
    "RDNA4": Generation("gfx1200", (
        ("F32F16F16F32 F16F16F16F16 F32BF16BF16F32 BF16BF16BF16BF16 S32S8S8S32", "16"),
        ("F32E4M3E4M3F32 F32E4M3E5M2F32 F32E5M2E4M3F32 F32E5M2E5M2F32", "16"),
        ("S32S4S4S32", "16 32"),
    )),
    "GFX1250": Generation("gfx1250", (
        ("F32F32F32F32", "4"),
        ("F32F16F16F32 F16F16F16F16 F32BF16BF16F32 BF16BF16BF16BF16", "32"),
        ("F32E4M3E4M3F32 F32E4M3E5M2F32 F32E5M2E4M3F32 F32E5M2E5M2F32", "64 128"),
        ("F16E4M3E4M3F16 F16E4M3E5M2F16 F16E5M2E4M3F16 F16E5M2E5M2F16", "64 128"),
        ("S32S8S8S32", "64"),
    )),
}  # fmt: skip


def wmma(generation: str, k: int, types: tuple[str, str, str, str], name: str = "") -> MmaAtom:
    """The WMMA of a 16 x 16 x k tile with element types D, A, B, C.

    Raises:
        UsageError: a K that the generation does not have.

    >>> print(wmma("RDNA3", 16, ("float32", "float16", "float16", "float32")).tv_layout_A)
    ((16,2),16):((1,0),16)
    """
    row = GENERATIONS.get(generation)
    known = sorted({int(k) for _, ks in row.shapes for k in ks.split()}) if row else []
    if row is None or k not in known:
        raise UsageError(f"{generation} WMMA has 16x16xK tiles with K in {known}, not K = {k}")
    d, a, b, c = (dtype(t).name for t in types)
    ab = _operand(generation, k)
    return MmaAtom(
        name or f"{generation}_16x16x{k}_{d}_{a}_{b}", (16, 16, k), (d, a, b, c), WAVE, ab, ab,
        _accumulator(generation, dtype(d).bits), row.arch, _instruction(d, a, b, k),
        f"FlyDSL {row.arch} wmma", replicas=(2, 2, 1) if generation == "RDNA3" else (1, 1, 1),
    )  # fmt: skip


def _operand(generation: str, k: int) -> Layout:
    if generation == "RDNA3":
        return Layout(((16, 2), k), ((1, 0), 16))
    if generation == "RDNA4" or k == 4:
        return Layout(((16, 2), k // 2), ((1, 8 * k), 16))
    return Layout(((16, 2), (8, k // 16)), ((1, 128), (16, 256)))


def _accumulator(generation: str, bits: int) -> Layout:
    if generation == "RDNA3":
        return _SHARED_C
    return _SPLIT_C_F16 if generation == "GFX1250" and bits == 16 else _SPLIT_C


def _instruction(d: str, a: str, b: str, k: int) -> str:
    short = {"int8": "iu8", "int4": "iu4", "int32": "i32", "float8_e4m3fn": "fp8", "float8_e5m2": "bf8"}
    names = [short.get(t) or dtype(t).mlir for t in (d, a, b)]
    return f"v_wmma_{names[0]}_16x16x{k}_{names[1]}" + (f"_{names[2]}" if names[1] in ("fp8", "bf8") else "")


def _atom(generation: str, letters: str, k: int) -> MmaAtom:
    return wmma(generation, k, naming.types(letters), f"{generation}_16x16x{k}_{letters}")


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog."""
    for generation, row in GENERATIONS.items():
        for types, ks in row.shapes:
            for letters in types.split():
                for k in ks.split():
                    yield f"{generation}_16x16x{k}_{letters}", _atom, (generation, letters, int(k))
