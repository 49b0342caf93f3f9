"""Proofs about tiled operations: who owns what, and that partitions match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.atoms.coverage import owners
from tilewright.atoms.mma import MODES
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.construct import make_identity_tensor
from tilewright.layout.layout import Layout

if TYPE_CHECKING:
    pass

# operand -> the mode along which all atoms share it
_SHARED = {"A": 1, "B": 0, "C": 2}


@dataclass(frozen=True)
class Ownership:
    """Every element of `operand` is owned by `count` (thread, value) pairs, as often as `declared`."""

    operand: str
    elements: int
    count: int
    declared: int

    def __str__(self) -> str:
        times = "once" if self.count == 1 else f"{self.count} times"
        return f"{self.operand}: {self.elements} elements, each owned {times}"


def prove_ownership(tiled: TiledMma | TiledCopy) -> tuple[Ownership, ...]:
    """That every element of the tile is owned exactly as often as the atom and the atom layout declare.

    For an MMA an element of A is held by every atom along N, one of B along M, one of C along K; for a copy
    source and destination are each owned once, or as often as the atom's lanes repeat an address.

    Raises:
        LayoutError: some element is not, with its numbers.
        UsageError: no tiled copy or tiled MMA.

    >>> from tilewright.atoms.catalog import mma
    >>> from tilewright.atoms.tiled_mma import make_tiled_mma
    >>> for found in prove_ownership(make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)))):
    ...     print(found)
    A: 512 elements, each owned 2 times
    B: 256 elements, each owned 2 times
    C: 512 elements, each owned once
    """
    if isinstance(tiled, TiledMma):
        return tuple(_mma_ownership(tiled, operand) for operand in MODES)
    if isinstance(tiled, TiledCopy):
        return tuple(_copy_ownership(tiled, side) for side in ("source", "destination"))
    raise UsageError(f"prove_ownership takes a tiled MMA or a tiled copy, got {shown(tiled)}")


def _mma_ownership(tiled: TiledMma, operand: str) -> Ownership:
    first, second = MODES[operand]
    sizes = tiled.tile_size_mnk
    elements = sizes[first] * sizes[second]
    layout = tiled.tiled_tv_layout(operand)
    # Threads along the mode that the operand lacks hold the same, and so do the threads between a quad pair's.
    shared = int(tiled.atom_layout[_SHARED[operand]].size) * (layout[0].size // tiled.size)
    declared = tiled.atom.replicas["ABC".index(operand)] * shared
    return _checked(operand, layout, elements, declared)


def _copy_ownership(tiled: TiledCopy, side: str) -> Ownership:
    layout = tiled.tiled_tv_layout_S if side == "source" else tiled.tiled_tv_layout_D
    elements = 1
    for extent in tiled.tile_shape:
        elements *= extent
    count = owners(layout, elements)
    return Ownership(side, elements, count, count)


def _checked(operand: str, layout: Layout, elements: int, declared: int) -> Ownership:
    count = owners(layout, elements)
    if count != declared:
        raise LayoutError(f"{operand}: every element is owned {count} times, {declared} were declared")
    return Ownership(operand, elements, count, declared)


def fragments_match(tiled_copy: TiledCopy, tiled_mma: TiledMma, operand: str, shape: tuple[int, int]) -> bool:
    """Does every thread of the copy bring exactly the elements that it holds as `operand` of the MMA, in one order?

    True iff for every thread, retiling the MMA's fragment shows at each place the element that the copy's
    destination partition has there.

    Raises:
        UsageError: no tiled copy, tiled MMA, operand or shape.

    >>> from tilewright.atoms.catalog import copy, mma
    >>> from tilewright.atoms.tiled_copy import make_tiled_copy_A
    >>> from tilewright.atoms.tiled_mma import make_tiled_mma
    >>> tiled = make_tiled_mma(mma("SM80_16x8x16_F32F16F16F32_TN"), Layout((2, 2, 1)))
    >>> ldmatrix = make_tiled_copy_A(copy("SM75_U32x4_LDSM_N").with_element(16), tiled)
    >>> fragments_match(ldmatrix, tiled, "A", (64, 32))
    True
    """
    if not isinstance(tiled_copy, TiledCopy) or not isinstance(tiled_mma, TiledMma):
        raise UsageError(
            f"fragments_match takes a tiled copy and a tiled MMA, got {shown(tiled_copy)}, {shown(tiled_mma)}"
        )
    if tiled_copy.size != tiled_mma.size:
        raise UsageError(f"the copy has {tiled_copy.size} threads, the MMA {tiled_mma.size}")
    coordinates = make_identity_tensor(shape)
    registers = Layout(tiled_mma.partition_shape(operand, shape))
    retiled = tiled_copy.retile(registers)
    held_by, brought_by = tiled_mma.thrfrg(operand, coordinates), tiled_copy.tidfrg_D(coordinates)
    for thread in range(tiled_mma.size):
        held = tiled_mma.get_slice(thread).part_of(operand, held_by)
        brought = tiled_copy.get_slice(thread).part_of(brought_by)
        # Partitions are slices of one layout: beyond the first thread only the offset is another.
        places = range(retiled.size) if thread == 0 else (0,)
        if any(brought(i) != held(retiled(i)) for i in places):
            return False
    return True
