"""AMD RDNA3, RDNA4 and gfx1250: WMMA on 32 lanes, 16x16 tiles.

RDNA3 gives both halves of the wave the same A and B; later generations split K between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from tilewright.atoms import naming
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.registry import Row
from tilewright.dtypes import dtype
from tilewright.errors import UsageError, shown
from tilewright.layout.layout import Layout

WAVE = Layout(32)
_SPLIT_C = Layout(((16, 2), 8), ((16, 8), 1))
_SPLIT_C_F16 = Layout(((16, 2), (4, 2)), ((16, 8), (2, 1)))
_SHARED_C = Layout(((16, 2), 8), ((16, 1), 2))


@dataclass(frozen=True)
class Generation:
    """One generation: its architecture, and which values of K each run of type letters has."""

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
    """The WMMA of a 16 x 16 x k tile with element types D, A, B, C; integers of A and B may be unsigned.

    Raises:
        UsageError: no such generation, or one that lacks the types or this K with them.

    >>> print(wmma("RDNA3", 16, ("float32", "float16", "float16", "float32")).tv_layout_A)
    ((16,2),16):((1,0),16)
    """
    d, a, b, c = (dtype(t).name for t in types)
    row = GENERATIONS.get(generation) if isinstance(generation, str) else None
    if row is None:
        raise UsageError(f"there is no WMMA generation {shown(generation)}; there are {', '.join(GENERATIONS)}")
    known = _depths(row, (d, a.removeprefix("u"), b.removeprefix("u"), c))
    if k not in known:
        tiles = ", ".join(f"16x16x{found}" for found in known) or "none"
        raise UsageError(f"there is no 16x16x{shown(k)} {generation} WMMA {d} = {a} x {b} + {c}; tiles: {tiles}")
    letters = next((run for run in _runs(row) if naming.types(run) == (d, a, b, c)), f"{d}_{a}_{b}")
    return _build(generation, k, (d, a, b, c), name or f"{generation}_16x16x{k}_{letters}", _instruction(d, a, b, k))


def find_wmma(m: int, n: int, k: int, types: tuple[str, str, str, str], generation: str = "") -> MmaAtom:
    """The WMMA of that tile and those types: of a generation, or of the newest that has it.

    Raises:
        UsageError: none has it.

    >>> find_wmma(16, 16, 16, ("f32", "f16", "f16", "f32")).arch
    'gfx1200'
    """
    if any(type(x) is not int for x in (m, n, k)) or (m, n) != (16, 16):
        raise UsageError(f"WMMA tiles are 16x16xK, not {shown(m)}x{shown(n)}x{shown(k)}")
    d, a, b, c = (dtype(t).name for t in types)
    signed = (d, a.removeprefix("u"), b.removeprefix("u"), c)
    newest = next((name for name in reversed(GENERATIONS) if k in _depths(GENERATIONS[name], signed)), "RDNA3")
    return wmma(generation or newest, k, types)


def scaled_wmma(types: tuple[str, str, str, str]) -> MmaAtom:
    """The block-scaled 16 x 16 x 128 WMMA of gfx1250 on 8-bit floats: one scale for 32 elements of K.

    The fragments are those of the dense instruction. Of 6- and 4-bit elements, and of the 32-row form, no verified
    layout is published, so that they are left out.

    Raises:
        UsageError: other elements.

    >>> print(scaled_wmma(("f32", "f8E4M3FN", "f8E5M2", "f32")).tv_layout_B)
    ((16,2),(8,8)):((1,128),(16,256))
    """
    d, a, b, c = (dtype(t).name for t in types)
    letters = next((run for run in _SCALED if naming.types(run) == (d, a, b, c)), None)
    if letters is None:
        raise UsageError(f"the scaled gfx1250 WMMA is known on e4m3 and e5m2 with float32 sums, not on {a} x {b} + {c}")
    name, instruction = f"GFX1250_16x16x128_{letters}_SCALED", "v_wmma_scale_f32_16x16x128_f8f6f4"
    return _build("GFX1250", 128, (d, a, b, c), name, instruction, ("float8_e8m0fnu", 32))


_SCALED = tuple(f"F32{a}{b}F32" for a, b in product(("E4M3", "E5M2"), repeat=2))


def _runs(row: Generation) -> list[str]:
    return [run for runs, _ in row.shapes for run in runs.split()]


def _depths(row: Generation, types: tuple[str, ...]) -> list[int]:
    return [
        int(k) for runs, ks in row.shapes for letters in runs.split() if naming.types(letters) == types
        for k in ks.split()
    ]  # fmt: skip


def _build(
    generation: str, k: int, types: tuple[str, str, str, str], name: str, instruction: str,
    scale: tuple[str, int] | None = None,
) -> MmaAtom:  # fmt: skip
    ab, arch = _operand(generation, k), GENERATIONS[generation].arch
    return MmaAtom(
        name, (16, 16, k), types, WAVE, ab, ab, _accumulator(generation, dtype(types[0]).bits), arch, instruction,
        f"FlyDSL {arch} wmma", replicas=(2, 2, 1) if generation == "RDNA3" else (1, 1, 1), scale=scale,
    )  # fmt: skip


def _operand(generation: str, k: int) -> Layout[int]:
    if generation == "RDNA3":
        return Layout(((16, 2), k), ((1, 0), 16))
    if generation == "RDNA4" or k == 4:
        return Layout(((16, 2), k // 2), ((1, 8 * k), 16))
    return Layout(((16, 2), (8, k // 16)), ((1, 128), (16, 256)))


def _accumulator(generation: str, bits: int) -> Layout[int]:
    if generation == "RDNA3":
        return _SHARED_C
    return _SPLIT_C_F16 if generation == "GFX1250" and bits == 16 else _SPLIT_C


_SHORT = {"int32": "i32", "float8_e4m3fn": "fp8", "float8_e5m2": "bf8"}


def _instruction(d: str, a: str, b: str, k: int) -> str:
    first, second = (f"iu{dtype(t).bits}" if dtype(t).is_integer else _SHORT.get(t) or dtype(t).mlir for t in (a, b))
    pair = f"{first}_{second}" if first in ("fp8", "bf8") else first
    return f"v_wmma_{_SHORT.get(d) or dtype(d).mlir}_16x16x{k}_{pair}"


def _atom(generation: str, letters: str, k: int) -> MmaAtom:
    return wmma(generation, k, naming.types(letters), f"{generation}_16x16x{k}_{letters}")


def mma_rows() -> Iterator[Row[MmaAtom]]:
    """The rows of this file for the catalog."""
    for generation, row in GENERATIONS.items():
        for types, ks in row.shapes:
            for letters in types.split():
                for k in ks.split():
                    yield f"{generation}_16x16x{k}_{letters}", _atom, (generation, letters, int(k))
    for letters in _SCALED:
        yield f"GFX1250_16x16x128_{letters}_SCALED", scaled_wmma, (naming.types(letters),)
