"""The pool of a kernel: where its next buffer lies in the shared memory that is sized at launch."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Operation

from tilewright.errors import KernelError
from tilewright.ir.core.pool import place_at, pool_offset, size_in_bytes
from tilewright.ir.tile.ops import storage_type
from tilewright.ir.tile.shared import ARRAY_ALIGNMENT, POOL_ALIGNMENT, aligned
from tilewright.lang.values import Opaque

POOL_NUMBERS = ("offset", "max_offset")


@dataclass(eq=False)
class Pool(Opaque):
    """Hands out the bytes of the block's pool in rising order: `T.SMEMPool()`.

    `offset` is the next byte, `reserved` what `commit` asked for, `opened` whether the kernel has named the pool.
    `arrays` are those outside of it that are seen as other types, with their views and where these begin.
    `max_offset` is the highest that `offset` has been: it goes back where buffers are to share their bytes.
    """

    offset: int = 0
    max_offset: int = 0
    reserved: int = 0
    opened: bool = False
    arrays: dict[Operation, list[tuple[Operation, int]]] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The bytes that the kernel is launched with."""
        return max(self.max_offset, self.reserved)

    def place(self, size: int, alignment: int) -> int:
        """The offset of the next `size` bytes.

        Raises:
            KernelError: an alignment that the pool does not have.
        """
        if not 0 < alignment <= POOL_ALIGNMENT or alignment & (alignment - 1):
            raise KernelError(f"align is a power of two up to {POOL_ALIGNMENT} bytes, got {alignment}")
        start = aligned(self.offset, alignment)
        self.move_to(start + size)
        return start

    def move_to(self, offset: int) -> None:
        """Goes on at that byte; what is there already shares it with what comes."""
        self.offset = offset
        self.max_offset = max(self.max_offset, offset)

    def overlay(self, memory: Operation, view: Operation, begin: int) -> None:
        """The view is so many bytes behind the beginning of an allocation, whose bytes it shares."""
        first = pool_offset(memory)
        if first is None:
            self.arrays.setdefault(memory, [(memory, 0)]).append((view, begin))
        else:
            place_at(view, first + begin)

    def settle(self) -> None:
        """Arrays of their own that are seen as other types lie in the pool too, behind all else."""
        for views in self.arrays.values():
            size = max(begin + size_in_bytes(storage_type(view.results[0])) for view, begin in views)
            self.offset = self.max_offset
            first = self.place(size, ARRAY_ALIGNMENT)
            for view, begin in views:
                place_at(view, first + begin)

    def commit(self, size: int | None) -> None:
        """Reserves `size` bytes in all; those handed out without it.

        Raises:
            KernelError: more are handed out.
        """
        if size is not None and size < self.max_offset:
            raise KernelError(f"{self.max_offset} bytes of the pool are handed out, more than the {size} committed")
        self.reserved = max(self.reserved, size or 0)
