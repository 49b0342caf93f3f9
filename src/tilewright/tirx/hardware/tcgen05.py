"""Register tiles of a warpgroup: what `tcgen05.ld` and `tcgen05.st` move, and one row per thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from tilewright.dtypes import dtype as element_type
from tilewright.errors import LayoutError, shown
from tilewright.tirx.iters import Iter, as_shape
from tilewright.tirx.tile_layout import TileLayout

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

# PTX ISA, the table of .num per .shape of tcgen05.ld and .st
REPEATS: Mapping[str, tuple[int, ...]] = {
    "32x32b": (1, 2, 4, 8, 16, 32, 64, 128),
    "16x64b": (1, 2, 4, 8, 16, 32, 64, 128),
    "16x128b": (1, 2, 4, 8, 16, 32, 64),
    "16x256b": (1, 2, 4, 8, 16, 32),
}
ROWS = (64, 128)

# How a warp's 16 rows and the columns of 32 bits of one repetition fall on lanes and registers, slowest first;
# an extent of None is the number of repetitions, whose stride is in registers.
_Walk: TypeAlias = tuple[tuple[int | None, int, str], ...]
_RowsOf: Mapping[str, _Walk] = {
    "16x64b": ((2, 1, "laneid"), (8, 4, "laneid")),
    "16x128b": ((2, 1, "m"), (8, 4, "laneid")),
    "16x256b": ((2, 2, "m"), (8, 4, "laneid")),
}
_ColumnsOf: Mapping[str, _Walk] = {
    "16x64b": ((None, 1, "m"), (2, 2, "laneid")),
    "16x128b": ((None, 2, "m"), (4, 1, "laneid")),
    "16x256b": ((None, 4, "m"), (4, 1, "laneid"), (2, 1, "m")),
}


def tcgen05_atom_layout(instr_shape: str, tensor_shape: Sequence[int], dtype: DTypeLike) -> TileLayout:
    """The register tile of a warpgroup that one `tcgen05.ld` or `.st` moves: element to (warp, lane, register slot).

    Four warps hold 16 rows each (of 64), or twice 16 (of 128, by two instructions: the second half of the
    registers). With 16-bit elements two neighbours share a register. `32x32b` gives each thread a row; its form with
    64 rows reads back datapath B, whose columns are folded over the upper 64 threads.

    Args:
        instr_shape: "32x32b", "16x64b", "16x128b" or "16x256b"; also as PTX writes it, ".16x64b".
        tensor_shape: (64 or 128, columns), in elements. dtype: of 16 or 32 bits.

    Raises:
        LayoutError: another shape, type or number of rows; columns that no number of repetitions gives.

    Source: PTX ISA, tcgen05.ld; TIRx.

    >>> tcgen05_atom_layout("16x64b", (64, 64), "float32")
    TileLayout(S[(4, 2, 8, 32, 2):(1 @ wid_in_wg, 1 @ laneid, 4 @ laneid, 1, 2 @ laneid)])
    """
    instr_shape = _shape_name(instr_shape)
    rows, cols = _checked(instr_shape, tensor_shape, dtype)
    packed = 32 // element_type(dtype).bits
    if instr_shape == "32x32b":
        return _threads_as_rows(rows, cols, dtype)
    per_repeat = _columns(instr_shape) * packed
    repeats = _repeats(instr_shape, cols, per_repeat, dtype)
    walks = [*_RowsOf[instr_shape], *_ColumnsOf[instr_shape]]
    registers = repeats * _registers(walks)
    slabs = [(2, registers, "m")] if rows == 128 else []
    iters = [
        Iter(repeats if extent is None else extent, stride * packed if axis == "m" else stride, axis)
        for extent, stride, axis in [(4, 1, "wid_in_wg"), *slabs, *walks]
    ]
    return TileLayout([*iters, *([Iter(packed, 1)] if packed > 1 else [])])


def wg_local_layout(cols: int, rows: int = 128) -> TileLayout:
    """A register tile of a warpgroup with one row per thread: row to `tid_in_wg`, column to register slot.

    Raises:
        LayoutError: extents below 1.

    >>> wg_local_layout(16)
    TileLayout(S[(128, 16):(1 @ tid_in_wg, 1)])
    """
    return TileLayout([Iter(rows, 1, "tid_in_wg"), Iter(cols, 1)])


def _shape_name(instr_shape: str) -> str:
    name = instr_shape.removeprefix(".") if isinstance(instr_shape, str) else instr_shape
    if name not in list(REPEATS):
        raise LayoutError(f"tcgen05_atom_layout instr_shape must be one of {list(REPEATS)}, got {shown(instr_shape)}")
    return name


def _checked(instr_shape: str, tensor_shape: Sequence[int], dtype: DTypeLike) -> tuple[int, int]:
    bits = element_type(dtype).bits
    if bits not in (16, 32):
        raise LayoutError(f"tcgen05_atom_layout dtype must be a 32-bit or 16-bit type, got {dtype} ({bits} bits)")
    shape = as_shape(tensor_shape)
    if len(shape) != 2:
        raise LayoutError(f"tcgen05_atom_layout tensor_shape must be 2-D (rows, cols), got {shown(tensor_shape)}")
    rows, cols = shape
    if rows not in ROWS:
        raise LayoutError(f"tcgen05_atom_layout {shown(instr_shape)} expects rows ∈ {ROWS}, got {rows}")
    return rows, cols


def _threads_as_rows(rows: int, cols: int, dtype: DTypeLike) -> TileLayout:
    bits = element_type(dtype).bits
    if rows == 128:
        _repeats("32x32b", cols, 32 // bits, dtype)
        return wg_local_layout(cols)
    if bits != 32:
        raise LayoutError(
            "tcgen05_atom_layout: 32x32b with 64 rows is the datapath B readback image and is fp32-only, "
            f"got {dtype} ({bits} bits)"
        )
    if cols % 2:
        raise LayoutError(f"tcgen05_atom_layout: 32x32b (64, N) datapath B image expects even N, got {cols}")
    _repeats("32x32b", cols // 2, 1, dtype)
    return TileLayout([Iter(64, 1, "tid_in_wg"), Iter(2, 64, "tid_in_wg"), Iter(cols // 2, 1)])


def _repeats(instr_shape: str, cols: int, per_repeat: int, dtype: DTypeLike) -> int:
    allowed = REPEATS[instr_shape]
    if cols % per_repeat:
        raise LayoutError(
            f"tcgen05_atom_layout cols={cols} not divisible by the per-rep column factor {per_repeat} for "
            f"instr_shape={shown(instr_shape)} dtype={dtype}; valid cols are k * {per_repeat} for k in {allowed}"
        )
    if cols // per_repeat not in allowed:
        raise LayoutError(
            f"tcgen05_atom_layout inferred rep={cols // per_repeat} (from cols={cols}) is not in the PTX Table 49 "
            f"supported set for {instr_shape}: {allowed}"
        )
    return cols // per_repeat


def _columns(instr_shape: str) -> int:
    return int(instr_shape.removesuffix("b").split("x")[1]) // 32


def _registers(walks: Sequence[tuple[int | None, int, str]]) -> int:
    """The registers of a lane that one repetition takes."""
    count = 1
    for extent, _, axis in walks:
        count *= extent if extent is not None and axis == "m" else 1
    return count
