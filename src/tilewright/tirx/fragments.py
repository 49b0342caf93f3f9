"""Register fragments of matrix instructions as TIRx layouts, made from the atoms' thread-value layouts."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tilewright.errors import LayoutError
from tilewright.layout.axes import Axis
from tilewright.tirx.fit import fit
from tilewright.tirx.group import group
from tilewright.tirx.iters import Iters, M, make_iter
from tilewright.tirx.replica import cover, sums
from tilewright.tirx.tile_layout import TileLayout

if TYPE_CHECKING:
    from tilewright.atoms import MmaAtom


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
    from tilewright.atoms import MmaAtom, mma  # the catalog takes time to load; layouts do without it

    if operand not in list("ABCD"):
        raise LayoutError(f"an operand is A, B, C or D, got {operand!r}")
    if not isinstance(atom, str | MmaAtom):
        raise LayoutError(f"expected an MMA atom or its name, got {atom!r}")
    return _fragment(mma(atom) if isinstance(atom, str) else atom, "C" if operand == "D" else operand)


@lru_cache(maxsize=256)
def _fragment(atom: MmaAtom, operand: str) -> TileLayout:
    space = dict(zip("ABC", atom.spaces, strict=True))[operand]
    if space != "register":
        raise LayoutError(f"{operand} of {atom.name} lies in {space} memory, not in registers")
    import numpy

    owners = _owners(atom, operand)  # (element, owner, 2): thread and value, owners in ascending order
    steps = owners - owners[:, :1]
    if (steps != steps[:1]).any():
        raise LayoutError(f"the owners of {operand} of {atom.name} differ from element to element")
    threads = _thread_axis(atom)
    copies = {(int(t), int(v)) for t, v in steps[0]}
    replica = _replica(copies, threads)
    shard = fit({threads: owners[:, 0, 0], M: owners[:, 0, 1]}, len(owners))
    if shard is None or replica is None:
        raise LayoutError(f"no layout over {threads} and m describes {operand} of {atom.name}")
    first = [(axis, int(value)) for axis, value in zip((threads, M), owners[0, 0], strict=True) if value]
    shape = numpy.array(atom.tile(operand))[:: -1 if operand == "B" else 1].tolist()
    return TileLayout(group(shard or (make_iter(1, 1, M),), shape)[0], replica, dict(first))


def _owners(atom: MmaAtom, operand: str) -> Any:
    """The (hardware thread, register slot) pairs of each row-major element."""
    import numpy

    rows, columns = atom.tile(operand)
    tv = atom.tv_layout(operand)
    thread, value = numpy.indices((atom.threads, tv[1].size)).reshape(2, -1)
    place = numpy.asarray(tv(thread, value))
    row, column = place % rows, place // rows
    element = column * rows + row if operand == "B" else row * columns + column
    pairs = numpy.stack([numpy.asarray(atom.thr_layout(thread)), value], axis=1)
    order = numpy.lexsort((pairs[:, 1], pairs[:, 0], element))
    return pairs[order].reshape(rows * columns, -1, 2)


def _thread_axis(atom: MmaAtom) -> Axis:
    return Axis.get("tid_in_wg" if atom.threads == 128 else "laneid")


def _replica(copies: set[tuple[int, int]], threads: Axis) -> Iters | None:
    """The iters whose offsets are exactly `copies`, on the two axes independently."""
    found = [cover(frozenset(copy[side] for copy in copies)) for side in (0, 1)]
    across, along = found
    if across is None or along is None or {(t, v) for t in sums(across) for v in sums(along)} != copies:
        return None
    return tuple(make_iter(e, s, axis) for axis, part in ((threads, across), (M, along)) for e, s in part)
