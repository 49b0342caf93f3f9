"""`explain_permutation`: what a tiled MMA's permutation does to a tile, computed from its partitions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from tilewright.analysis.permutation.modes import ModeSummary, mode_summary
from tilewright.atoms.mma import MODES
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.errors import UsageError, counted, shown
from tilewright.layout.construct import make_identity_tensor
from tilewright.layout.inttuple import IntTuple, leaves
from tilewright.layout.layout import Layout
from tilewright.layout.operations import coalesce

MAX_TILE = 1 << 16


@dataclass(frozen=True)
class PermutationExplanation:
    """What `explain_permutation` found; `str()` is the account, `to_json()` the numbers."""

    tiled_mma: TiledMma
    tile: tuple[int, int, int]
    modes: tuple[ModeSummary, ModeSummary, ModeSummary]
    changes_ownership: bool

    @property
    def is_simt(self) -> bool:
        """Is the atom one multiply-add of one thread, so that only the permutation groups elements?"""
        return prod(self.tiled_mma.atom.shape_mnk) == 1

    @cached_property
    def fragment(self) -> tuple[IntTuple, ...]:
        """(values, rest of M, rest of N): one thread's accumulators."""
        m, n, _ = self.tile
        return self.tiled_mma.partition_shape("C", (m, n))

    @property
    def accumulators(self) -> int:
        """Accumulator elements of one thread."""
        return prod(leaves(self.fragment))

    @property
    def accumulator_bytes(self) -> int:
        """Register bytes of one thread's accumulators."""
        return self.accumulators * self.tiled_mma.atom.dtypes[3].bits // 8

    @property
    def atoms(self) -> int:
        """Atoms side by side: warps, warpgroups or, for SIMT, threads."""
        return int(self.tiled_mma.atom_layout.size)

    @property
    def mma_per_k_step(self) -> int:
        """MMA instructions that each atom's threads issue for one atom's K."""
        return prod(leaves(self.fragment[1:]))

    @property
    def k_steps(self) -> int:
        """K steps of the tile: its K over what the atoms cover of K at once."""
        return self.tile[2] // self.modes[2].covered

    @property
    def mma_per_k_tile(self) -> int:
        """MMA instructions that each atom's threads issue for the whole tile."""
        return self.mma_per_k_step * self.k_steps

    @property
    def steps(self) -> tuple[int, int]:
        """How often the permuted tile is repeated in M and in N."""
        return self.modes[0].steps, self.modes[1].steps

    def elements(self, thread: int = 0) -> tuple[tuple[int, int], ...]:
        """The coordinates (m, n) of one thread's accumulators, in register order.

        >>> from tilewright.atoms.universal import universal_fma
        >>> from tilewright.atoms.tiled_mma import make_tiled_mma
        >>> tiled = make_tiled_mma(universal_fma(), Layout((4, 2)), (Layout((4, 2), (2, 1)), None))
        >>> explain_permutation(tiled, (16, 2, 1)).elements(1)
        ((2, 0), (3, 0), (10, 0), (11, 0))
        """
        part = self.tiled_mma.get_slice(thread).partition_C(make_identity_tensor(self.tile[:2]))
        return tuple(part(i) for i in range(part.size))

    def step_picture(self) -> str:
        """The steps over the tile, rows of M by columns of N, numbered row by row.

        >>> from tilewright.atoms.catalog import mma
        >>> from tilewright.atoms.tiled_mma import make_tiled_mma
        >>> tiled = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)), (32, 32, 16))
        >>> print(explain_permutation(tiled, (64, 64, 32)).step_picture())
        M \\ N  0-31  32-63
         0-31     0      1
        32-63     2      3
        """
        m, n = self.modes[:2]
        heads = ["M \\ N", *(_range(i, m.size) for i in range(m.steps))]
        columns = [[_range(j, n.size), *(str(i * n.steps + j) for i in range(m.steps))] for j in range(n.steps)]
        return _table([heads, *columns])

    def row(self) -> dict[str, str]:
        """This configuration as a row of the comparison table."""
        m, n, k = self.modes
        atom = "x".join(map(str, self.tiled_mma.atom.shape_mnk))
        return {
            "atom": atom,
            "permutation": ", ".join(mode.permutation for mode in self.modes),
            "ownership": "set by the permutation" if self.changes_ownership else "as without one",
            "covered at once": f"{m.covered} x {n.covered} x {k.covered}",
            "expansion": f"{m.expansion} x {n.expansion} x {k.expansion}",
            "steps": f"{m.steps} x {n.steps} x {k.steps}",
            "accumulators": f"{self.accumulators} ({self.accumulator_bytes} bytes)",
        }

    def to_json(self) -> dict[str, object]:
        """The numbers as plain values."""
        names = (
            "accumulators",
            "accumulator_bytes",
            "mma_per_k_step",
            "k_steps",
            "mma_per_k_tile",
            "changes_ownership",
        )
        modes = [
            {"mode": x.name, "covered": x.covered, "size": x.size, "expansion": x.expansion, "steps": x.steps}
            for x in self.modes
        ]
        more = {"tile": list(self.tile), "modes": modes, "elements": [list(e) for e in self.elements()]}
        return {name: getattr(self, name) for name in names} | more | {"threads": self.tiled_mma.size}

    def __str__(self) -> str:
        m, n, k = self.tile
        held, unit = counted(self.accumulators, "accumulator"), self._unit
        lines = [
            f"{self.tiled_mma}; whole tile {m}x{n}x{k}",
            *(self._mode_line(mode) for mode in self.modes),
            f"one {self._owner}: {held} {_text(self.fragment)}, {self.accumulator_bytes} bytes",
            f"MMA instructions of one {unit}: {self.mma_per_k_step} per K step, {counted(self.k_steps, 'K step')},"
            f" {self.mma_per_k_tile} per tile; {counted(self.atoms, unit)} side by side",
            self._conclusion(),
        ]
        return "\n".join(lines)

    @property
    def _owner(self) -> str:
        # The threads of atoms that accumulate in tensor memory are CTAs.
        return "CTA" if self.tiled_mma.atom.spaces[2] == "tmem" else "thread"

    @property
    def _unit(self) -> str:
        threads = self.tiled_mma.atom.threads
        if self._owner == "CTA":
            return "CTA" if threads == 1 else "CTA pair"
        return {1: "thread", 32: "warp", 64: "wave", 128: "warpgroup"}.get(threads, f"group of {threads} threads")

    def _mode_line(self, mode: ModeSummary) -> str:
        runs = mode.runs()
        shown = " ".join(f"{a}-{b - 1}" if b - a > 1 else str(a) for a, b in runs[:8]) + (
            " .." if len(runs) > 8 else ""
        )
        return (
            f"  {mode.name}: atom {mode.atom} x {mode.atoms} atoms cover {mode.covered}; permutation {mode.permutation}"
            f" -> {mode.size} (x{mode.expansion}), {counted(mode.steps, 'step')}; atom 0 owns {shown}"
        )

    def _conclusion(self) -> str:
        if self.changes_ownership:
            return "The permutation decides which elements a thread owns: the stride arrangement groups them."
        if self.is_simt:
            return "Every thread owns what it would without a permutation: an integer only enlarges the tile."
        return (
            "Every thread owns what it would without a permutation: the atom's own layout groups the elements, and an"
            " integer only enlarges the tile that tiled copies see. A layout would regroup them."
        )


def explain_permutation(tiled_mma: TiledMma, tile: tuple[int, int, int]) -> PermutationExplanation:
    """What the permutation of a tiled MMA does on a tile (M, N, K): ownership, registers, instruction counts.

    Raises:
        UsageError: a tile that the permuted tile does not divide.

    Source: CuTe's `TiledMMA`. (An integer permutation never changes ownership; others write that it does.)

    >>> from tilewright.atoms.catalog import mma
    >>> from tilewright.atoms.tiled_mma import make_tiled_mma
    >>> tiled = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)), (32, 32, 16))
    >>> found = explain_permutation(tiled, (128, 128, 32))
    >>> found.accumulators, found.mma_per_k_step, found.k_steps, found.changes_ownership
    (128, 32, 2, False)
    """
    if not isinstance(tiled_mma, TiledMma):
        raise UsageError(f"explain_permutation takes a tiled MMA, got {shown(tiled_mma)}")
    tile = _checked_tile(tile)
    for name, extent, size in zip("MNK", tile, tiled_mma.tile_size_mnk, strict=True):
        if extent % size:
            raise UsageError(f"{name} = {extent} is no multiple of the permuted tile's {size}")
    plain = TiledMma(tiled_mma.atom, tiled_mma.atom_layout)
    owned, without = (_ownership(t, tile) for t in (tiled_mma, plain))
    m, n, k = (mode_summary(tiled_mma, i, tile) for i in range(3))
    return PermutationExplanation(tiled_mma, tile, (m, n, k), owned != without)


def compare_permutations(*explanations: PermutationExplanation) -> str:
    """A table with one column a configuration.

    Raises:
        UsageError: nothing, or what `explain_permutation` did not give.

    >>> from tilewright.atoms.catalog import mma
    >>> from tilewright.atoms.tiled_mma import make_tiled_mma
    >>> tiled = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)))
    >>> print(compare_permutations(explain_permutation(tiled, (64, 32, 16))).splitlines()[-1])
    accumulators    16 (64 bytes)
    """
    others = [e for e in explanations if not isinstance(e, PermutationExplanation)]
    if others or not explanations:
        given = f", got {shown(others[0])}" if others else ""
        raise UsageError(f"compare_permutations takes what explain_permutation gives, at least one of them{given}")
    rows = [e.row() for e in explanations]
    widths = [max(len(value) for value in row.values()) for row in rows]
    lines = []
    for name in rows[0]:
        cells = "  ".join(f"{row[name]:<{width}}" for row, width in zip(rows, widths, strict=True))
        lines.append(f"{name:<16}{cells}".rstrip())
    return "\n".join(lines)


def _checked_tile(tile: object) -> tuple[int, int, int]:
    if isinstance(tile, tuple | list) and len(tile) == 3 and all(type(extent) is int and extent > 0 for extent in tile):
        m, n, k = tile
        if max(m * n, k) <= MAX_TILE:
            return m, n, k
    raise UsageError(f"a tile is three positive extents M, N, K with M N and K at most {MAX_TILE}, got {shown(tile)}")


def _ownership(tiled: TiledMma, tile: tuple[int, int, int]) -> list[tuple[Layout, Layout]]:
    """What every thread owns of A, B and C, in register order: one form for one function."""
    frags: Any = (tiled.thrfrg(operand, Layout((tile[i], tile[j]))) for operand, (i, j) in MODES.items())
    return [(coalesce(frag[0]), coalesce(frag[1])) for frag in frags]


def _range(index: int, size: int) -> str:
    return f"{index * size}-{(index + 1) * size - 1}"


def _table(columns: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in columns]
    return "\n".join(
        "  ".join(f"{c:>{w}}" for c, w in zip(row, widths, strict=True)) for row in zip(*columns, strict=True)
    )


def _text(shape: tuple[object, ...]) -> str:
    return str(shape).replace(" ", "")
