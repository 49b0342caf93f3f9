"""What Triton's MMA layouts have in common: a warp holds a fragment of an atom, which repeats over registers and warps.

Who holds what comes from the atom table; `triton_nvidia` and `triton_amd` say which atom an attribute means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout
from tilewright.layout.linear.convert import to_linear
from tilewright.layout.linear.linear import LinearLayout
from tilewright.notation.triton_attribute import Attribute, value_text
from tilewright.notation.triton_cover import identity, product, sized
from tilewright.notation.triton_fields import Shape, integers


@dataclass(frozen=True)
class Fragment:
    """What one warp holds of an operand: (lane, value) -> row + `pitch` * column, over `rows` x `columns` elements.

    Along the columns registers repeat it up to `depth`.
    """

    tv: Layout[int]
    rows: int
    columns: int
    pitch: int
    depth: int = 1

    def tile(self, row: str, column: str) -> LinearLayout:
        """(register, lane) -> (column, row).

        >>> from tilewright.atoms.catalog import mma
        >>> print(Fragment(mma("SM80_16x8x8_F32F16F16F32_TN").tv_layout_C, 16, 8, 16).tile("m", "n"))
        {register = [[1, 0], [0, 8]], lane = [[2, 0], [4, 0], [0, 1], [0, 2], [0, 4]]} -> {n = 8, m = 16}
        """
        linear = to_linear(self.tv, ["lane", "register"], [(row, self.pitch), (column, self.columns)])
        ordered = linear.transpose_ins(["register", "lane"])
        return sized(dict(ordered.bases), [(row, self.rows), (column, self.columns)]).transpose_outs([column, row])


@dataclass(frozen=True)
class Family:
    """One kind of attribute.

    Args:
        rank: the number of dimensions of its tensors.
        accumulator: what a warp holds of C: M x N or, where `transposed`, N x M.
        operand: what a warp holds of operand 0 (M x K) or 1 (N x K), with so many neighbours along K a lane.
        spread: how tiles repeat over registers and warps; at the end of a row of tiles so many times over registers.
        rows_first: do the tiles of a warp fill a whole row of C, or all of K, before the next row of tiles?
    """

    rank: Callable[[Attribute], int]
    accumulator: Callable[[Attribute], Fragment]
    transposed: Callable[[Attribute], bool]
    operand: Callable[[Attribute, int, int], Fragment]
    spread: Callable[[Attribute, int], LinearLayout]
    rows_first: bool = False


def row_major(rank: int) -> Shape:
    """N, M, then the batch.

    >>> row_major(3)
    (2, 1, 0)
    """
    return tuple(reversed(range(rank)))


def matrix_rank(a: Attribute) -> int:
    """2, or 3 with a batch, by the number of warps along each dimension."""
    rank = len(integers(a, "warpsPerCTA"))
    if rank not in (2, 3):
        raise LayoutError(f"#ttg.{a.kind} is a layout of matrices, or of a batch of them, not of rank {rank}")
    return rank


def instruction_shape(a: Attribute, length: int, default: Shape | None = None) -> Shape:
    """The field instrShape: `length` integers, or 3."""
    shape = default if default and a.get("instrShape") is None else integers(a, "instrShape")
    if len(shape) not in (length, 3):
        raise LayoutError(f"#ttg.{a.kind} needs instrShape = {length} integers, got {value_text(shape)}")
    return shape


def spread(a: Attribute, again: int = 1, order: Sequence[int] = ()) -> LinearLayout:
    """Tiles over the registers and warps that the attribute names; order[0], by default N, fastest."""
    warps = integers(a, "warpsPerCTA")
    rank = len(warps)
    tiles = (1,) * rank if a.get("tilesPerWarp") is None else integers(a, "tilesPerWarp", rank)
    return repeated(warps, tiles, order or row_major(rank), again)


def repeated(warps: Shape, tiles: Shape, order: Sequence[int], again: int = 1) -> LinearLayout:
    """Along every dimension registers walk over `tiles`, then warps; along the first one registers `again` at the end.

    >>> print(repeated((2, 4), (1, 2), (1, 0)))
    {register = [[1, 0]], warp = [[2, 0], [4, 0], [0, 1]]} -> {dim1 = 8, dim0 = 2}
    """
    levels = {"register": tiles, "warp": warps}
    first, *rest = ([identity(level, sizes, [d]) for level, sizes in levels.items()] for d in order)
    repeats = LinearLayout.identity_1d(again, "register", f"dim{order[0]}")
    return product([*first, repeats, *(factor for factors in rest for factor in factors)])
