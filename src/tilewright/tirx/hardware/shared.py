"""Shared-memory tiles as TMA writes and tensor cores read them: 16-byte chunks, swizzled within 8 rows."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from math import prod
from typing import TYPE_CHECKING, NoReturn

from tilewright.dtypes import dtype as element_type
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.iters import Iter, as_shape
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

if TYPE_CHECKING:
    from tilewright.atoms.shared_modes import SharedMode
    from tilewright.dtypes import DTypeLike

ROWS = 8


class SwizzleMode(IntEnum):
    """The hardware's swizzles. A mode's rows are 16 bytes << mode long, and that many chunks trade places.

    Raises:
        UsageError: no mode has the number.

    >>> [mode.name for mode in SwizzleMode], int(SwizzleMode(3))
    (['SWIZZLE_NONE', 'SWIZZLE_32B_ATOM', 'SWIZZLE_64B_ATOM', 'SWIZZLE_128B_ATOM'], 3)
    """

    SWIZZLE_NONE = 0
    SWIZZLE_32B_ATOM = 1
    SWIZZLE_64B_ATOM = 2
    SWIZZLE_128B_ATOM = 3

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise UsageError(f"a swizzle mode is 0, 1, 2 or 3, got {shown(value)}")


def mma_atom_layout(dtype: DTypeLike, swizzle_mode: int) -> ComposeLayout:
    """The swizzled atom: 8 rows of 16, 32, 64 or 128 bytes, by its flat element number.

    Raises:
        LayoutError: no such type or mode.

    >>> mma_atom_layout("float16", 3)
    ComposeLayout(3, 3, 3, TileLayout(S[512:1]))
    """
    mode = _mode(swizzle_mode)
    return ComposeLayout(_swizzle(dtype, mode), TileLayout.row_major((ROWS * _width(dtype, mode),)))


def mma_atom_shape(dtype: DTypeLike, swizzle_mode: int, shape: Sequence[int] | None = None) -> list[int]:
    """The rows and elements of a row of the swizzled atom, with leading 1s up to the rank of `shape`.

    Raises:
        LayoutError: mode 0, which swizzles nothing and so has no atom.

    >>> mma_atom_shape("float16", 3)
    [8, 64]
    """
    mode = _mode(swizzle_mode)
    if mode is SwizzleMode.SWIZZLE_NONE:
        raise LayoutError("mma_atom_shape: mode 0 (no swizzle) has no atom; the modes are 1, 2 and 3")
    return [1] * (len(as_shape(shape)) - 2 if shape is not None else 0) + [ROWS, _width(dtype, mode)]


def mma_shared_layout(dtype: DTypeLike, swizzle_mode: int, shape: Sequence[int]) -> TileLayout | ComposeLayout:
    """A tile in shared memory as TMA and tensor cores want it: columns of atoms, each atom swizzled.

    Element (.., row, column) lies in the column of atoms column // width, in its row `row`; width is one row of the
    atom. Without swizzle (mode 0) the width is 16 bytes: the core matrices; and rows that are no multiple of 16 bytes
    are kept as they are.

    Args:
        shape: (.., rows, columns), in elements.

    Raises:
        LayoutError: columns that are no multiple of the atom's width, rows that are no multiple of 8 (swizzled).

    Source: PTX ISA, shared-memory matrix layouts; TIRx.

    >>> mma_shared_layout("float16", 2, (64, 64))
    ComposeLayout(3, 2, 3, TileLayout(S[(64, 2, 32):(32, 2048, 1)]))
    """
    mode = _mode(swizzle_mode)
    shape = as_shape(shape)
    if len(shape) < 2:
        raise LayoutError(f"mma_shared_layout: the shape needs rows and columns, got {list(shape)}")
    *lead, rows, cols = shape
    width = _width(dtype, mode)
    if mode is SwizzleMode.SWIZZLE_NONE:
        return (_columns(lead, rows, cols, width) if cols % width == 0 else TileLayout.row_major(shape)).canonicalize()
    if cols % width or rows % ROWS:
        raise LayoutError(
            f"mma_shared_layout: {rows} x {cols} elements of {dtype} are not whole atoms of {ROWS} x {width}, as mode "
            f"{int(mode)} ({mode.name}) needs; pad the tile or take a smaller mode"
        )
    return ComposeLayout(_swizzle(dtype, mode), _columns(lead, rows, cols, width).canonicalize())


def get_swizzle_mode_from_layout(layout: object) -> SwizzleMode | None:
    """The hardware swizzle of a layout; None where it is none of them.

    Raises:
        LayoutError: a swizzle that changes the upper bits (`swizzle_inner=False`), which no hardware mode does.

    >>> get_swizzle_mode_from_layout(SwizzleLayout(3, 3, 3)).name
    'SWIZZLE_128B_ATOM'
    """
    if isinstance(layout, TileLayout):
        return SwizzleMode.SWIZZLE_NONE
    swizzle = layout.swizzle_layout if isinstance(layout, ComposeLayout) else layout
    if not isinstance(swizzle, SwizzleLayout):
        return None
    if swizzle.swizzle_len and not swizzle.swizzle_inner:
        raise LayoutError(f"{layout} changes the upper bits (swizzle_inner=False); no hardware swizzle mode does")
    return SwizzleMode(swizzle.swizzle_len) if swizzle.swizzle_len <= max(SwizzleMode) else None


def _columns(lead: Sequence[int], rows: int, cols: int, width: int) -> TileLayout:
    outer = [Iter(extent, prod(lead[i + 1 :]) * rows * cols) for i, extent in enumerate(lead)]
    return TileLayout([*outer, Iter(rows, width), Iter(cols // width, rows * width), Iter(width, 1)])


def _swizzle(dtype: DTypeLike, mode: SwizzleMode) -> SwizzleLayout:
    swizzle = _of_hardware(mode).swizzle(element_type(dtype).bits)
    return SwizzleLayout(swizzle.m, swizzle.b, swizzle.s)


def _width(dtype: DTypeLike, mode: SwizzleMode) -> int:
    return _of_hardware(mode).width(element_type(dtype).bits)


def _of_hardware(mode: SwizzleMode) -> SharedMode:
    from tilewright.atoms.shared_modes import NUMBERED  # the catalog beside it takes time to load

    return NUMBERED[mode]


def _mode(value: int) -> SwizzleMode:
    try:
        return SwizzleMode(value)
    except ValueError:
        raise LayoutError(f"a swizzle mode is 0, 1, 2 or 3 (none, 32, 64, 128 bytes), got {shown(value)}") from None
