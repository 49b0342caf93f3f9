"""The pool of a kernel: where its next buffer lies in the shared memory that is sized at launch."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.errors import KernelError
from tilewright.ir.tile.shared import POOL_ALIGNMENT, aligned
from tilewright.lang.values import Opaque

POOL_NUMBERS = ("offset", "max_offset")


@dataclass(eq=False)
class Pool(Opaque):
    """Hands out the bytes of the block's pool in rising order, each once: `T.SMEMPool()`.

    `offset` is the next free byte, `reserved` what `commit` asked for, `opened` whether the kernel has named the pool.
    `max_offset` is the highest that `offset` has been: the same, since it never goes back.
    """

    offset: int = 0
    reserved: int = 0
    opened: bool = False

    @property
    def max_offset(self) -> int:
        """The bytes handed out, gaps included."""
        return self.offset

    @property
    def size(self) -> int:
        """The bytes that the kernel is launched with."""
        return max(self.offset, self.reserved)

    def place(self, size: int, alignment: int) -> int:
        """The offset of `size` new bytes.

        Raises:
            KernelError: an alignment that the pool does not have.
        """
        if not 0 < alignment <= POOL_ALIGNMENT or alignment & (alignment - 1):
            raise KernelError(f"align is a power of two up to {POOL_ALIGNMENT} bytes, got {alignment}")
        start = aligned(self.offset, alignment)
        self.offset = start + size
        return start

    def move_to(self, offset: int) -> None:
        """Goes on at that byte.

        Raises:
            KernelError: it has been handed out.
        """
        if offset < self.offset:
            raise KernelError(
                f"the pool cannot go back to byte {offset}: {self.offset} bytes are handed out, and its buffers do not "
                "overlap; T.decl_buffer(shape, dtype, data=A.data) views a buffer in another way"
            )
        self.offset = offset

    def commit(self, size: int | None) -> None:
        """Reserves `size` bytes in all; those handed out without it.

        Raises:
            KernelError: more are handed out.
        """
        if size is not None and size < self.offset:
            raise KernelError(f"{self.offset} bytes of the pool are handed out, more than the {size} committed")
        self.reserved = max(self.reserved, size or 0)
