"""Operands in shared memory that a descriptor describes: where their 16 bytes are, and the matrix that these are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilewright.atoms.descriptors import GRAIN, DescriptorFormat, MatrixDescriptor
from tilewright.atoms.shared_atoms import Major
from tilewright.atoms.shared_modes import MODES
from tilewright.dtypes import DType, dtype
from tilewright.errors import AlignmentError, LayoutError, OutOfBoundsError, SimulationError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.tile.shared import ARRAY_ALIGNMENT, Allocation
from tilewright.targets.simulator.collective.packed import unpacked
from tilewright.targets.simulator.memory.addresses import FIRST, SharedMap

Array = np.ndarray[Any, np.dtype[Any]]
Numbers = NDArray[np.int64]

_BYTE, _WORD = dtype("uint8"), dtype("uint32")


@dataclass(frozen=True)
class Described:
    """An operand (MN, K) of so many rows and columns, as a unit's descriptors give it.

    Elements that are not `packed` take a byte each: of 16 bytes the first ones have as many narrow elements.
    """

    form: DescriptorFormat
    rows: int
    columns: int
    element: DType
    major: Major
    packed: bool = True

    @property
    def extents(self) -> tuple[int, int]:
        """Of its 16 bytes: along MN and along K, as `MatrixDescriptor.chunks` takes them."""
        count = 8 * GRAIN // self.element.bits if self.packed else GRAIN
        return (self.rows, self.columns // count) if self.major == "K" else (self.rows // count, self.columns)

    def matrices(self, data: Array) -> Array:
        """The matrices (entry, MN, K) of what lies at the operand's bytes, (entry, element of the memory) in order."""
        raw = np.ascontiguousarray(data).view(np.uint8)
        if not self.packed:
            raw = raw.reshape(len(data), -1, GRAIN)[:, :, : GRAIN * self.element.bits // 8]
        wide = self.element.bits == 32 and not self.element.is_integer
        held = unpacked(raw.view(np.uint32) if wide else raw, _WORD if wide else _BYTE, self.element)
        if wide and held.dtype != self.element.numpy():
            held = held.view(self.element.numpy())
        shape = (self.rows, self.columns) if self.major == "K" else (self.columns, self.rows)
        found = held.reshape(len(data), *shape)
        return found if self.major == "K" else np.swapaxes(found, 1, 2)

    def place(self, bits: int, shared: SharedMap) -> tuple[Allocation, Numbers]:
        """The allocation that the descriptor points into, and which of its elements the operand is.

        Raises:
            SimulationError: it is no descriptor of such an operand.
            AlignmentError: it is not aligned as its swizzle needs.
            OutOfBoundsError: it lies in no allocation, or leaves it.
        """
        try:
            named = MatrixDescriptor.decode(bits, self.form)
            if (why := named.misplaced) is not None:
                raise AlignmentError(f"of which {why}")
            chunks = named.chunks(self.major, *self.extents)
        except LayoutError as error:
            raise SimulationError(f"which is none for it: {error}") from None
        found = shared.find(named.start)
        if found is None:
            raise OutOfBoundsError(f"which points to byte {named.start - FIRST} of shared memory, where no buffer is")
        start, allocation = found
        first, last = int(chunks.min()), int(chunks.max()) + GRAIN
        name = allocation.name
        if first < start or last > start + allocation.size:
            raise OutOfBoundsError(
                f"by which it is bytes {first - start} to {last - start - 1} of {name}, which has {allocation.size}"
            )
        needed = MODES[named.mode].alignment
        if allocation.offset is None and needed > ARRAY_ALIGNMENT:
            raise AlignmentError(
                f"of swizzle {named.mode}, for which {name} is to be a multiple of {needed}; an array is aligned to "
                f"{ARRAY_ALIGNMENT} bytes, T.SMEMPool() gives more with alloc(.., align={needed})"
            )
        return allocation, _elements(chunks - start, allocation)


def _elements(chunks: Numbers, allocation: Allocation) -> Numbers:
    """The elements in these 16 bytes each of an allocation."""
    element = element_dtype(allocation.kind.element_type)
    size = element.numpy().itemsize
    if 8 * size != element.bits or GRAIN % size:
        raise SimulationError(f"by which it lies in {allocation.name}, whose elements are {element}")
    return np.asarray((chunks[..., None] // size + np.arange(GRAIN // size)).reshape(-1))
