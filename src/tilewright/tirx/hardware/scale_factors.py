"""Scale factors of block-scaled MMA: 8-bit factors, four to a 32-bit cell, for 32 rows at a time."""

from __future__ import annotations

from tilewright.errors import LayoutError
from tilewright.tirx.canonical import tidy
from tilewright.tirx.hardware.tmem import LANES, TCOL, TLANE
from tilewright.tirx.iters import Iter, Iters, Parts, as_static
from tilewright.tirx.tile_layout import TileLayout

PER_CELL = 4
CHUNK_ROWS = 32  # the rows of one group of factors, one per lane of a warp
CHUNKS = LANES // CHUNK_ROWS


def sf_smem_layout(
    rows: int, SF_K: int, sf_per_mma: int, sf_reuse: int = 1, pipe_depth: int | None = None
) -> TileLayout:
    """Scale factors in shared memory as `tcgen05.cp` reads them: blocks of 128 rows x 4 factors, 512 bytes each.

    In a block lane r holds 16 bytes: its factors of the rows r, r + 32, r + 64, r + 96.

    Args:
        rows: of the matrix. SF_K: factors of a row. sf_per_mma: those that one MMA reads (1, 2 or 4).
        sf_reuse: MMAs in a row that use the same factors, as a dimension of stride 0.
        pipe_depth: stages, as the first dimension.

    Raises:
        LayoutError: rows that are no multiple of 128, factors that fill no whole cells.

    Source: PTX ISA, tcgen05.cp; TIRx.

    >>> sf_smem_layout(256, 16, 4)
    TileLayout(S[(2, 4, 32, 4, 4):(2048, 4, 16, 512, 1)])
    """
    rows, SF_K, sf_per_mma, sf_reuse = _checked(LANES, rows, SF_K, sf_per_mma, sf_reuse)
    if SF_K % PER_CELL:
        raise LayoutError(f"SF_K={SF_K} must be a multiple of epc={PER_CELL}, the factors of a cell")
    if PER_CELL % sf_per_mma:
        raise LayoutError(f"sf_per_mma={sf_per_mma} must divide {PER_CELL}, the factors of a cell")
    lane = PER_CELL * CHUNKS
    block = lane * CHUNK_ROWS
    blocks = SF_K // PER_CELL
    rest = PER_CELL // sf_per_mma
    iters = [
        Iter(rows // LANES, block * blocks),
        Iter(CHUNKS, PER_CELL),
        Iter(CHUNK_ROWS, lane),
        Iter(blocks, block),
        Iter(sf_per_mma, rest),
        Iter(rest, 1),
        Iter(sf_reuse, 0),
    ]
    stage = [Iter(pipe_depth, rows * SF_K)] if pipe_depth is not None else []
    return TileLayout([*stage, *(it for it in iters if it.extent != 1)])


def sf_tmem_layout(
    rows: int, SF_K: int, sf_per_mma: int, sf_reuse: int = 1, pipe_depth: int | None = None
) -> TileLayout:
    """Scale factors in TMEM: 32 rows on 32 lanes, copied to all four warps' lanes; four factors in a column.

    A stage is as many columns wide as one cell of each row takes, as in TVM: with more factors than that
    (SF_K > 4) the stages of a pipelined layout share columns (`is_injective()` tells); give each a buffer then.

    Args: as of `sf_smem_layout`; rows is a multiple of 32.

    Raises:
        LayoutError: rows that are no multiple of 32, factors that are not whole MMAs.

    Source: PTX ISA, tcgen05.mma.block_scale; TIRx.

    >>> sf_tmem_layout(128, 4, 1)
    TileLayout(S[(4, 32, 4):(4 @ TCol, 1 @ TLane, 1 @ TCol)] + R[4:32 @ TLane])
    """
    rows, SF_K, sf_per_mma, sf_reuse = _checked(CHUNK_ROWS, rows, SF_K, sf_per_mma, sf_reuse)
    if sf_per_mma > PER_CELL:
        raise LayoutError(f"sf_per_mma={sf_per_mma} factors do not fit into a cell of {PER_CELL}")
    chunks = rows // CHUNK_ROWS
    column = PER_CELL * chunks
    held = _in_one_cell(SF_K // sf_per_mma, sf_per_mma)
    factors = (
        Iter(chunks, PER_CELL, TCOL),
        Iter(CHUNK_ROWS, 1, TLANE),
        Iter(SF_K // held, column, TCOL),
        Iter(held, 1, TCOL),
    )
    stage: Iters = (Iter(pipe_depth, column, TCOL),) if pipe_depth is not None else ()
    reuse: Iters = (Iter(sf_reuse, 0, TCOL),) if sf_reuse > 1 else ()
    return TileLayout([*stage, *tidy(Parts(factors)).shard, *reuse], [Iter(CHUNKS, CHUNK_ROWS, TLANE)])


def _in_one_cell(groups: int, sf_per_mma: int) -> int:
    """The consecutive factors of a row that share a cell: as many groups as fit and leave no cell ragged."""
    packed = PER_CELL // sf_per_mma
    while groups % packed:
        packed //= 2
    return packed * sf_per_mma


def _checked(unit: int, *counts: int) -> list[int]:
    rows, SF_K, sf_per_mma, _ = found = [as_static(n, "a number of rows, scale factors or uses") for n in counts]
    if rows < 1 or rows % unit:
        raise LayoutError(f"rows={rows} must be a multiple of {unit}")
    if sf_per_mma < 1 or SF_K < 1 or SF_K % sf_per_mma:
        raise LayoutError(f"SF_K={SF_K} must be a multiple of sf_per_mma={sf_per_mma}")
    return found
