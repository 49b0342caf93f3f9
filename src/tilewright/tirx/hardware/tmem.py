"""Tensor memory (TMEM): where `tcgen05.mma` reads and writes its matrices.

TMEM has 128 lanes (`TLane`) and columns of 32 bits (`TCol`). PTX names seven datapaths, A to G; each says on which
lanes the rows of a matrix lie, and whether columns are folded over lanes that the rows leave free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import Axis
from tilewright.tirx.iters import as_integer, as_shape, as_static
from tilewright.tirx.spec import R, S
from tilewright.tirx.tile_layout import TileLayout

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

LANES = 128
TLANE, TCOL = Axis.get("TLane"), Axis.get("TCol")


@dataclass(frozen=True)
class Datapath:
    """Rows of a datapath, in runs of `run` lanes `pitch` apart, and into how many parts its columns are folded."""

    rows: int
    run: int
    pitch: int
    folds: int = 1

    @property
    def lanes(self) -> tuple[int, ...]:
        """The lanes of the rows, of the first part of the columns.

        >>> DATAPATHS["F"].lanes[14:18]
        (14, 15, 32, 33)
        """
        return tuple(row // self.run * self.pitch + row % self.run for row in range(self.rows))

    @property
    def has_slabs(self) -> bool:
        """Does it leave free the upper half of each warp's lanes, so that a second matrix fits beside it?"""
        return self.run < self.pitch

    def layout(self, cols: int) -> TileLayout:
        """The layout of a matrix of `rows` x `cols`."""
        if self.has_slabs:
            groups = self.rows // self.run
            return TileLayout(S[(groups, self.run, cols) : (self.pitch @ TLANE, 1 @ TLANE, 1 @ TCOL)])
        if self.folds == 1:
            return TileLayout(S[(self.rows, cols) : (1 @ TLANE, 1 @ TCOL)])
        shape = (self.rows, self.folds, cols // self.folds)
        return TileLayout(S[shape : (1 @ TLANE, self.rows @ TLANE, 1 @ TCOL)])


DATAPATHS = {
    "A": Datapath(128, 128, 128),
    "B": Datapath(64, 64, 64, folds=2),
    "C": Datapath(64, 16, 32),
    "D": Datapath(128, 128, 128),
    "E": Datapath(64, 64, 64, folds=2),
    "F": Datapath(64, 16, 32),
    "G": Datapath(32, 32, 32, folds=4),
}


def tmem_datapath_layout(datapath: str, rows: int, cols: int, sub_slab: int = 0) -> TileLayout:
    """Where the accumulator of a `tcgen05.mma` lies: (row, column) to (TLane, TCol).

    Args:
        datapath: PTX's letter: A, D (128 rows), B, C, E, F (64), G (32).
        rows: the rows of the datapath. cols: columns of 32 bits.
        sub_slab: 1 for the upper lanes of each warp, for C and F, which use half of them.

    Raises:
        LayoutError: an unknown letter, other rows, columns that cannot be folded, a slab that is not there.

    Source: PTX ISA, tcgen05 data path layouts; TIRx.

    >>> tmem_datapath_layout("F", 64, 256)
    TileLayout(S[(4, 16, 256):(32 @ TLane, 1 @ TLane, 1 @ TCol)])
    """
    where = f"tmem_datapath_layout: datapath={shown(datapath)}"
    if datapath not in list(DATAPATHS):
        raise LayoutError(f"tmem_datapath_layout: unknown datapath {shown(datapath)}; supported: {sorted(DATAPATHS)}")
    path, cols = DATAPATHS[datapath], as_integer(cols, "the number of columns")
    if rows != path.rows:
        raise LayoutError(f"{where} expects rows={path.rows}, got {rows}")
    if sub_slab not in (0, 1):
        raise LayoutError(f"tmem_datapath_layout: sub_slab must be 0 or 1, got {sub_slab}")
    if sub_slab and not path.has_slabs:
        raise LayoutError(f"{where} {_OCCUPIED[path.folds]}; sub_slab must be 0")
    if cols % path.folds:
        raise LayoutError(f"{where} {_FOLDED[path.folds]}, got {cols}")
    layout = path.layout(cols)
    return TileLayout(layout.shard, (), 16 @ TLANE) if sub_slab else layout


_OCCUPIED = {
    1: "(M=128) already spans both sub-slabs",
    2: "folds column halves across full 64-lane halves",
    4: "folds column quarters across full 32-lane slabs",
}
_FOLDED = {2: "expects even cols", 4: "requires cols % 4 == 0"}

# (instruction M, cta_group) -> datapath
MMA_DATAPATHS = {(128, 1): "D", (64, 1): "F", (256, 2): "A", (128, 2): "B"}


def tmem_mma_operand_layout(
    operand: str,
    shape: Sequence[int],
    dtype: DTypeLike | None = None,
    *,
    M: int,
    cta_group: int,
    ws: bool = False,
    sparse: bool = False,
    group: Sequence[int] | None = None,
) -> TileLayout:
    """Where a `tcgen05.mma` expects an operand in TMEM, in canonical form.

    Args:
        operand: "A" (the left matrix, kept in TMEM) or "D" (the accumulator).
        shape: of the buffer of one cta: (m, K) or (m, N); for the folded datapaths B and E also (2, m, N/2),
            (m, 2, N/2) and (m, s, 2, n), where the 2 counts the halves of the lanes.
        dtype: unused: shapes count columns of 32 bits. M: the instruction's M, over all ctas of the group.
        ws: the weight-stationary form, of M = 64. group: (s, 2, n), the grouping of a flat accumulator (m, N).

    Raises:
        LayoutError: no datapath for these parameters, other rows, or an unsupported shape.

    Source: TIRx.

    >>> tmem_mma_operand_layout("A", (64, 128), "float16", M=128, cta_group=2)
    TileLayout(S[(64, 128):(1 @ TLane, 1 @ TCol)] + R[2:64 @ TLane])
    """
    M, cta_group = as_static(M, "M"), as_static(cta_group, "cta_group")
    letter = _letter(M, cta_group, ws, sparse)
    if operand not in ("A", "D"):
        raise LayoutError(f"tmem_mma_operand_layout: operand must be 'A' or 'D', got {shown(operand)}")
    sizes = list(as_shape(shape))
    if group is not None:
        sizes = _grouped(operand, letter, sizes, list(as_shape(group)))
    layout, rows = (_left if operand == "A" else _accumulator)(letter, sizes)
    if rows != M // cta_group:
        raise LayoutError(
            f"alloc_mma_{operand}: M={M}, cta_group={cta_group} expects per-CTA rows {M // cta_group}, "
            f"got {rows} (shape {sizes})"
        )
    return layout.canonicalize()


def _letter(M: int, cta_group: int, ws: bool, sparse: bool) -> str:
    if sparse:
        raise LayoutError(f"alloc_tcgen05_mma_AB: sparse A (Layout C) not supported (M={M}, cta_group={cta_group})")
    if ws and (M, cta_group) != (64, 1):
        raise LayoutError(
            "alloc_tcgen05_mma_AB: ws=True only valid for cta_group=1, M=64 (Layout E); "
            f"got M={M}, cta_group={cta_group}"
        )
    if (M, cta_group) not in MMA_DATAPATHS:
        raise LayoutError(
            f"alloc_tcgen05_mma_AB: no supported datapath for M={M}, cta_group={cta_group}, ws={ws} "
            "(supported: cta1 M in {64,128}, cta2 M in {128,256})"
        )
    return "E" if ws else MMA_DATAPATHS[M, cta_group]


def _accumulator(letter: str, sizes: list[int]) -> tuple[TileLayout, int]:
    folded = letter in "BE"
    match sizes:
        case [m, n]:
            # Rows are checked by the caller, against the instruction, once they are known.
            path = DATAPATHS[letter]
            return (tmem_datapath_layout(letter, m, n) if m == path.rows else _identity(m, n)), m
        case [2, m, n] if folded:
            return TileLayout(S[(2, m, n) : (64 @ TLANE, 1 @ TLANE, 1 @ TCOL)]), m
        case [m, 2, n] if folded:
            return TileLayout(S[(m, 2, n) : (1 @ TLANE, 64 @ TLANE, 1 @ TCOL)]), m
        case [m, s, 2, n] if folded:
            return TileLayout(S[(m, s, 2, n) : (1 @ TLANE, n @ TCOL, 64 @ TLANE, 1 @ TCOL)]), m
    raise LayoutError(f"alloc_tcgen05_mma_D: unsupported D shape {sizes} for datapath {letter}")


def _left(letter: str, sizes: list[int]) -> tuple[TileLayout, int]:
    match sizes:
        case [2, m, n] if letter in "BE":
            return TileLayout(S[(2, m, n) : (64 @ TLANE, 1 @ TLANE, 1 @ TCOL)]), m
        case [m, n] if letter == "B":
            return TileLayout(S[(m, n) : (1 @ TLANE, 1 @ TCOL)] + R[2 : 64 @ TLANE]), m
        case [m, n] if letter != "E":
            return _identity(m, n), m
    wanted = {
        "B": "needs (64,K) replica or (2,64,K) bank-batched, got",
        "E": "(M=64 .ws) requires bank-batched (2,64,K), as its second half is read as well; flat shapes leave it out:",
        "F": "needs 2D (m,K), got",
    }
    raise LayoutError(
        f"alloc_tcgen05_mma_A: datapath {letter} {wanted.get(letter, 'identity needs 2D (m,K), got')} {sizes}"
    )


def _identity(m: int, n: int) -> TileLayout:
    return TileLayout(S[(m, n) : (1 @ TLANE, 1 @ TCOL)])


def _grouped(operand: str, letter: str, sizes: list[int], group: list[int]) -> list[int]:
    if operand != "D" or letter not in "BE" or len(sizes) != 2:
        raise LayoutError(
            f"alloc_tcgen05_mma_{operand} group= is for a 2D accumulator of datapath B or E, got {sizes} of {letter}"
        )
    if len(group) != 3 or group[1] != 2 or group[0] * 2 * group[2] != sizes[1]:
        raise LayoutError(f"alloc_tcgen05_mma_D group must be (s, 2, n) with s*2*n = {sizes[1]}, got {group}")
    return [sizes[0], *group]
