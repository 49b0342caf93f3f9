"""Bank conflicts of tiled copies, told naively: thread by thread, value by value, bank by bank, phase by phase.

Where elements lie is asked of each thread's partition of the tile; what they cost of `bank_oracle`, which has
the architectures' rules typed out again. Random copies: atoms, arrangements, permutations and tiles.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from bank_oracle import wavefronts

import tilewright as tw
from tilewright import ComposedLayout, Layout, Swizzle
from tilewright.atoms.catalog import copy, mma
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_copy import (
    TiledCopy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_copy_tv,
)
from tilewright.atoms.tiled_mma import TiledMma, make_tiled_mma
from tilewright.layout.algebra.tiler import Tiler
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.tile_layout import TileLayout

LANES = {"sm_80": 32, "sm_90": 32, "gfx942": 64, "gfx950": 64}
MMAS = (
    ("SM80_16x8x16_F32F16F16F32_TN", 16),
    ("SM80_16x8x8_F16F16F16F16_TN", 16),
    ("SM80_16x8x8_F32TF32TF32F32_TN", 32),
    ("SM80_16x8x32_S32S8S8S32_TN", 8),
)
CDNA = (("CDNA3_16x16x16_F32F16F16F32", 16), ("CDNA3_32x32x8_F32F16F16F32", 16))
MATRICES = {"S": ("SM75_U32x{}_LDSM_N", "SM75_U16x{}_LDSM_T"), "D": ("SM90_U32x{}_STSM_N", "SM90_U16x{}_STSM_T")}
HAVE_MATRICES = {"S": ("sm_80", "sm_90"), "D": ("sm_90",)}
MATCHING = {"A": make_tiled_copy_A, "B": make_tiled_copy_B, "C": make_tiled_copy_C}


@dataclass(frozen=True)
class Case:
    """A tile and the side of a tiled copy that accesses it."""

    tile: Layout | ComposedLayout | TileLayout | ComposeLayout
    shape: tuple[int, int]
    tiled: TiledCopy
    side: str
    arch: str

    def __str__(self) -> str:
        return f"{self.tile}, {self.tiled}, side {self.side}, {self.arch}"


@dataclass(frozen=True)
class Told:
    """What the naive count says: wavefronts instruction by instruction, or why hardware refuses the access."""

    by_instruction: tuple[int, ...] = ()
    unmerged: int = 0
    refusal: str = ""


def naive(case: Case) -> Told:
    """The sum over the accesses of every thread's partition."""
    atom, bits = case.tiled.atom, case.tiled.atom.val_bits
    matrix = atom.instruction.split(".")[0] if "matrix" in atom.instruction else ""
    width = 16 if matrix else atom.bits_per_thread // 8
    length = 8 * width // bits
    threads = _offsets(case)
    counted = 8 * int(atom.instruction.split(".x")[1][0]) if matrix else LANES[case.arch]
    rows: list[list[list[int | None]]] = []
    for start in range(0, len(threads[0]), length):
        vectors = [offsets[start : start + length] for offsets in threads]
        for lane, vector in enumerate(vectors):
            if lane % LANES[case.arch] >= counted:
                continue
            if vector != list(range(vector[0], vector[0] + length)):
                return Told(refusal="apart")
            if vector[0] * bits % (8 * width):
                return Told(refusal="misaligned")
        rows.append(_warps([vector[0] * bits // 8 for vector in vectors], LANES[case.arch], counted))
    kind = "load" if case.side == "S" else "store"
    merged, plain = (
        [sum(wavefronts(warp, width, case.arch, kind, merge, matrix) for warp in row) for row in rows]
        for merge in (kind == "load", False)
    )
    return Told(tuple(merged), sum(plain))


def _warps(addresses: list[int], lanes: int, counted: int) -> list[list[int | None]]:
    full = [*addresses, *[None] * (-len(addresses) % lanes)]
    live = [address if i % lanes < counted else None for i, address in enumerate(full)]
    return [live[i : i + lanes] for i in range(0, len(live), lanes)]


def _offsets(case: Case) -> list[list[int]]:
    """Where each thread's values lie, in their order: at the coordinates of its partition, the first mode fastest."""
    numbers, rows = Layout(case.shape), case.shape[0]
    parts = (case.tiled.tidfrg_S if case.side == "S" else case.tiled.tidfrg_D)(numbers)
    mine = [case.tiled.get_slice(thread).part_of(parts) for thread in range(case.tiled.size)]
    places = [_place(case.tile, (i % rows, i // rows)) for i in range(numbers.size)]
    return [[places[part(i)] for i in range(part.size)] for part in mine]


def _place(tile: object, coordinate: tuple[int, int]) -> int:
    if isinstance(tile, TileLayout | ComposeLayout):
        return _first(tile.apply(*coordinate))["m"]
    assert isinstance(tile, Layout | ComposedLayout)
    return int(tile(coordinate))


def _first(found: Mapping[str, int] | Sequence[Mapping[str, int]]) -> Mapping[str, int]:
    return found if isinstance(found, Mapping) else found[0]


def random_case(rng: random.Random) -> Case:
    """A random atom, arrangement, permutation and tile that fit together, mostly."""
    arch, side = rng.choice(list(LANES)), rng.choice("SD")
    tiled = rng.choice((_spread, _matching))(rng, arch, side)
    rows, columns = (extent * rng.choice((1, 1, 1, 2, 3)) for extent in tiled.tile_shape)
    return Case(_tile(rng, rows, columns, tiled.atom), (rows, columns), tiled, side, arch)


def _atoms(rng: random.Random, arch: str, side: str, bits: int) -> list[CopyAtom]:
    """Atoms to try, in a random order; the last one fits everywhere."""
    plain = [f"UniversalCopy{n}b" for n in (8, 16, 32, 64, 128) if n > bits]
    matrices = [name.format(n if "U32" in name else 2 * n) for name in MATRICES[side] for n in (1, 2, 4)]
    is_matrix = bits == 16 and arch in HAVE_MATRICES[side] and rng.random() < 0.7
    names = rng.sample(matrices, len(matrices)) if is_matrix else rng.sample(plain, len(plain))
    return [copy(name).with_element(bits) for name in (*names, f"UniversalCopy{bits}b")]


def _spread(rng: random.Random, arch: str, side: str) -> TiledCopy:
    """Threads over the tile by rows or by columns, each with a vector and perhaps more."""
    bits = rng.choice((8, 16, 32))
    plain = [n for n in (8, 16, 32, 64, 128) if n >= bits]
    atom = copy(f"UniversalCopy{rng.choice(plain)}b").with_element(bits)
    length, threads = atom.bits_per_thread // bits, rng.choice((32, 64, 128))
    across = rng.choice([n for n in (1, 2, 4, 8, 16, 32) if n <= threads])
    down = threads // across
    order = rng.choice(((1, down), (across, 1)))
    values = rng.choice(((1, length), (length, 1), (2, length), (1, 2 * length)))
    steps = (1, values[0]) if values[1] == 1 or rng.random() < 0.3 else (values[1], 1)
    return make_tiled_copy_tv(atom, Layout((down, across), order), Layout(values, steps))


def _matching(rng: random.Random, arch: str, side: str) -> TiledCopy:
    operand = rng.choice("AB" if side == "S" else "C")
    name, bits = rng.choice(CDNA if arch.startswith("gfx") else MMAS)
    found = mma(name)
    bits = found.dtypes[0].bits if operand == "C" else bits
    tiled = _tiled_mma(rng, found)
    return next(filter(None, (_fitting(operand, atom, tiled) for atom in _atoms(rng, arch, side, bits))))


def _fitting(operand: str, atom: CopyAtom, tiled: TiledMma) -> TiledCopy | None:
    try:
        return MATCHING[operand](atom, tiled)
    except tw.LayoutError:  # the atom does not divide what threads hold
        return None


def _tiled_mma(rng: random.Random, atom: MmaAtom) -> TiledMma:
    arrangement = rng.choice(((1, 1, 1), (2, 1, 1), (1, 2, 1), (2, 2, 1)))
    m, n, k = (extent * atoms for extent, atoms in zip(atom.shape_mnk, arrangement, strict=True))
    wide = rng.choice((None, 2 * n, Layout((n // 2, 2, 2), (1, n, n // 2))))
    return _made(atom, arrangement, rng.choice((None, (None, wide, None), (m, wide, 2 * k))))


@cache
def _made(atom: MmaAtom, arrangement: tuple[int, int, int], permutation: Tiler) -> TiledMma:
    return make_tiled_mma(atom, Layout(arrangement), permutation)


def _tile(
    rng: random.Random, rows: int, columns: int, atom: CopyAtom
) -> Layout | ComposedLayout | TileLayout | ComposeLayout:
    """By rows or by columns; as matrices need it, where the atom moves such."""
    is_matrix, padding = "matrix" in atom.instruction, rng.choice((0, 0, 0, 8, 16))
    by_row = "trans" not in atom.instruction if is_matrix else rng.random() < 0.7
    stride = (columns + padding, 1) if by_row else (1, rows + padding)
    swizzle = rng.choice((None, Swizzle(rng.randint(1, 3), 3 if is_matrix else rng.randint(2, 4), 3)))
    if rng.random() < 0.2:
        placed = tw.parse(f"S[({rows},{columns}):({stride[0]},{stride[1]})]")
        assert isinstance(placed, TileLayout)
        return placed if swizzle is None or padding else ComposeLayout(swizzle.m, swizzle.b, swizzle.s, placed)
    plain = Layout((rows, columns), stride)
    return plain if swizzle is None else ComposedLayout(swizzle, 0, plain)


def disagreement(case: Case) -> str | None:
    """Where the report and the naive count differ; None where they say the same, a refusal included."""
    told = naive(case)
    try:
        report = tw.bank_conflicts(case.tile, case.tiled, side=case.side, arch=case.arch)
    except tw.LayoutError as refusal:
        return None if told.refusal else f"{case}: refused, {refusal}; by hand {told}"
    if told.refusal:
        return f"{case}: {report.wavefronts} wavefronts of vectors that are {told.refusal}"
    same = (report.by_instruction, report.unmerged) == (told.by_instruction, told.unmerged)
    return None if same else f"{case}: {report.by_instruction}, by hand {told.by_instruction}"
