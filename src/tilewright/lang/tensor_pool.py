"""The columns of tensor memory that a kernel hands out to buffers, all of which one warp allocates: `T.TMEMPool`."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from xdsl.ir import SSAValue

from tilewright.dtypes import DType
from tilewright.errors import KernelError
from tilewright.lang.values import Opaque, Value, show
from tilewright.layout.axes import Axis
from tilewright.tirx.hardware.tmem import LANES, TCOL, TLANE
from tilewright.tirx.spec import S
from tilewright.tirx.tile_layout import TileLayout

CELL = 32  # bits of a column
TMEM = "tmem"  # the scope


@dataclass(eq=False)
class TensorPool(Opaque):
    """Hands out columns in rising order, unless it is told where to go on; `slot` is where their address will lie.

    `warps` are those that allocate and give back; `meets`: the block meets after the allocation.
    """

    slot: SSAValue
    total: int
    ctas: int
    warps: tuple[int, int]
    meets: bool
    column: int = 0
    committed: bool = False

    def place(self, columns: int) -> int:
        """The first of so many columns.

        Raises:
            KernelError: there are not as many left, or they have been allocated.
        """
        if self.committed:
            raise KernelError("the columns of T.TMEMPool are allocated: alloc comes before commit")
        first, self.column = self.column, self.column + columns
        if self.column > self.total:
            raise KernelError(
                f"a buffer of {columns} columns from column {first} on: T.TMEMPool has {self.total} (total_cols=)"
            )
        return first

    def move_to(self, column: int) -> None:
        """Goes on at that column; buffers may lie over each other.

        Raises:
            KernelError: it is not there.
        """
        if column > self.total:
            raise KernelError(f"column {column} of T.TMEMPool, which has {self.total}")
        self.column = column

    def commit(self) -> None:
        """They are to be allocated.

        Raises:
            KernelError: they have been.
        """
        if self.committed:
            raise KernelError("T.TMEMPool is committed once: its warp allocates once")
        self.committed = True


@dataclass(frozen=True, eq=False)
class TensorBuffer(Opaque):
    """A buffer of tensor memory: its layout maps to lanes and columns from the base on, an address or a pool's."""

    shape: tuple[int, ...]
    dtype: DType
    layout: TileLayout
    base: TensorPool | SSAValue | int
    first: int = 0
    scope = TMEM


def tensor_buffer(
    extents: tuple[int, ...], element: DType, layout: Value, base: TensorPool | SSAValue | int, cols: int | None = None
) -> TensorBuffer:
    """A buffer, of the pool's next columns where that is the base; without a layout row i lies on lane i.

    Raises:
        KernelError: a layout that is none of tensor memory, or fewer columns than it takes.
    """
    if layout is None or layout == "default":
        layout = _plain(extents)
    if not isinstance(layout, TileLayout) or layout.size() != prod(extents):
        raise KernelError(f"a layout of a buffer of tensor memory is a TileLayout of {extents}, got {show(layout)}")
    needed = columns_of(layout, element.bits)
    if cols is not None and cols < needed:
        raise KernelError(f"a buffer {extents} of {element} takes {needed} columns of tensor memory, cols={cols}")
    first = base.place(cols or needed) if isinstance(base, TensorPool) else 0
    return TensorBuffer(extents, element, layout, base, first)


def _plain(extents: tuple[int, ...]) -> TileLayout:
    if len(extents) != 2 or not 0 < extents[0] <= LANES or extents[1] < 1:
        raise KernelError(f"without a layout a buffer of tensor memory has up to {LANES} rows, got {extents}")
    return TileLayout(S[extents : (1 @ TLANE, 1 @ TCOL)])


def columns_of(layout: TileLayout, bits: int) -> int:
    """How many columns the elements of a layout take; it counts elements along the columns.

    Raises:
        KernelError: it goes along other axes, or beyond the lanes.

    >>> from tilewright.tirx.hardware.tmem import tmem_datapath_layout
    >>> columns_of(tmem_datapath_layout("D", 128, 64), 16)
    32
    """
    lanes, columns = (_extent(layout, axis) for axis in (TLANE, TCOL))
    foreign = [it.axis for it in (*layout.shard, *layout.replica) if it.axis not in (TLANE, TCOL)]
    if foreign or lanes > LANES:
        raise KernelError(f"a buffer of tensor memory has a layout of its {LANES} lanes, TLane, and TCol, got {layout}")
    return -(-columns * bits // CELL)


def _extent(layout: TileLayout, axis: Axis) -> int:
    """One more than the farthest along an axis."""
    iters = [it for it in (*layout.shard, *layout.replica) if it.axis == axis]
    return 1 + int(layout.offset.get(axis, 0)) + sum((int(it.extent) - 1) * abs(int(it.stride)) for it in iters)
