"""Register fragments of matrix and copy instructions as TIRx layouts, made from the atoms' thread-value layouts."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from tilewright.errors import LayoutError, shown
from tilewright.layout.axes import Axis
from tilewright.layout.layout import Layout
from tilewright.tirx.fit import fit
from tilewright.tirx.group import group
from tilewright.tirx.iters import Iters, M, make_iter
from tilewright.tirx.progressions import cover
from tilewright.tirx.tile_layout import TileLayout

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.atoms import MmaAtom
    from tilewright.atoms.copy_atom import CopyAtom
    from tilewright.dtypes import DTypeLike


def mma_fragment_layout(atom: MmaAtom | str, operand: str) -> TileLayout:
    """Where the elements of an operand lie in the registers of the threads: (row, column) to (lane, register slot).

    The logical tiles are row-major: A is (M, K), B is (K, N), C and D are (M, N). Threads are counted by `laneid`, or
    by `tid_in_wg` for a warpgroup. Elements that several threads hold give a replica.

    Raises:
        LayoutError: an operand that does not lie in registers, or whose owners no layout describes.

    >>> mma_fragment_layout("SM80_16x8x8_F32F16F16F32_TN", "A")
    TileLayout(S[(2, 8, 4, 2):(2, 4 @ laneid, 1 @ laneid, 1)])
    >>> mma_fragment_layout("SM80_16x8x8_F32F16F16F32_TN", "B")
    TileLayout(S[(4, 2, 8):(1 @ laneid, 1, 4 @ laneid)])
    """
    from tilewright.atoms.ops import make_mma_atom  # the catalog takes time to load; layouts do without it

    if operand not in ("A", "B", "C", "D"):
        raise LayoutError(f"an operand is A, B, C or D, got {shown(operand)}")
    return _of_mma(make_mma_atom(atom), "C" if operand == "D" else operand)


def copy_fragment_layout(atom: CopyAtom | str, element: int | DTypeLike) -> TileLayout:
    """Where the elements that a copy moves lie in registers: (row, column) to (lane, register slot).

    A row is what one thread addresses in memory: 16 bytes for ldmatrix and stmatrix, eight rows a matrix. Elements are
    numbered as in memory, also where the instruction transposes.

    Args:
        atom: a copy atom between memory and registers, or its name.
        element: an element type, its name, or its bits.

    Raises:
        LayoutError: elements that the instruction cuts; a copy with registers on no side, or on both.
        UsageError: no copy atom, or no element type.

    >>> copy_fragment_layout("SM75_U32x4_LDSM_N", 16)
    TileLayout(S[(4, 8, 4, 2):(2, 4 @ laneid, 1 @ laneid, 1)])
    >>> copy_fragment_layout("SM75_U16x2_LDSM_T", "float16")
    TileLayout(S[(4, 2, 8):(1 @ laneid, 1, 4 @ laneid)])
    """
    from tilewright.atoms.ops import make_copy_atom  # as above

    return _of_copy(make_copy_atom(atom, element))


@lru_cache(maxsize=256)
def _of_mma(atom: MmaAtom, operand: str) -> TileLayout:
    space = dict(zip("ABC", atom.spaces, strict=True))[operand]
    if space != "register":
        raise LayoutError(f"{operand} of {atom.name} lies in {space} memory, not in registers")
    rows, columns = atom.tile(operand)
    place = _table(atom.tv_layout(operand))
    block, inside = place // (rows * columns), place % (rows * columns)
    row, column = inside % rows, inside // rows
    b = operand == "B"
    element, tile = (inside, (columns, rows)) if b else (row * columns + column, (rows, columns))
    element, shape = element + block * rows * columns, (atom.blocks, *tile) if atom.blocks > 1 else tile
    return _fragment(element, atom.thr_layout, shape, f"{operand} of {atom.name}")


@lru_cache(maxsize=256)
def _of_copy(atom: CopyAtom) -> TileLayout:
    from tilewright.atoms.coverage import owners

    if atom.spaces.count("register") != 1:
        where = " to ".join(space or "any memory" for space in atom.spaces)
        raise LayoutError(f"{atom.name} copies from {where}, not between memory and registers")
    sides = (atom.tv_layout_src, atom.tv_layout_dst)
    held, addressed = sides if atom.spaces[0] == "register" else sides[::-1]
    elements, columns = held.cosize, addressed[1].size
    owners(held, elements)
    rows = elements // columns if elements % columns == 0 else 1
    shape = (rows, columns) if rows > 1 else (elements,)
    return _fragment(_table(held), atom.thr_layout, shape, f"the registers of {atom.name}")


def _table(tv: Layout) -> NDArray[int64]:
    """The place of each (thread, value)."""
    import numpy

    thread, value = numpy.indices((tv[0].size, tv[1].size))
    return numpy.asarray(tv(thread, value))


def _fragment(elements: NDArray[int64], thr_layout: Layout, shape: tuple[int, ...], what: str) -> TileLayout:
    """The layout of the row-major elements of `shape` that the (thread, value) pairs hold, each equally often."""
    owners = _owners(elements, thr_layout)  # (element, owner, 2): thread and value, owners in ascending order
    steps = owners - owners[:, :1]
    if (steps != steps[:1]).any():
        raise LayoutError(f"the owners of {what} differ from element to element")
    threads = Axis.get("tid_in_wg" if thr_layout.size == 128 else "laneid")
    replica = _replica({(int(t), int(v)) for t, v in steps[0]}, threads)
    shard = fit({threads: owners[:, 0, 0], M: owners[:, 0, 1]}, len(owners))
    if shard is None or replica is None:
        raise LayoutError(f"no layout over {threads} and m describes {what}")
    first = {axis: int(value) for axis, value in zip((threads, M), owners[0, 0], strict=True) if value}
    return TileLayout(group(shard or (make_iter(1, 1, M),), shape)[0], replica, first)


def _owners(elements: NDArray[int64], thr_layout: Layout) -> NDArray[int64]:
    """The (hardware thread, register slot) pairs of each element."""
    import numpy

    thread, value = numpy.indices(elements.shape).reshape(2, -1)
    pairs = numpy.stack([numpy.asarray(thr_layout(thread)), value], axis=1)
    order = numpy.lexsort((pairs[:, 1], pairs[:, 0], elements.ravel()))
    return pairs[order].reshape(int(elements.max()) + 1, -1, 2)


def _replica(copies: set[tuple[int, int]], threads: Axis) -> Iters | None:
    """The iters whose offsets are exactly `copies`, on the two axes independently."""
    sides = [{copy[side] for copy in copies} for side in (0, 1)]
    across, along = map(cover, sides)
    if across is None or along is None or len(sides[0]) * len(sides[1]) != len(copies):
        return None
    return tuple(make_iter(e, s, axis) for axis, part in ((threads, across), (M, along)) for e, s in part)
