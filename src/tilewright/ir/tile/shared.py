"""The shared memory of a block: what a kernel's own arrays take, and its pool, in which each buffer has its place.

The pool is the one region whose size is given at launch (`shared.dyn`). An allocation with the attribute `tile.offset`
lies there, as many bytes after its start, which is aligned to `POOL_ALIGNMENT`. Allocations that overlap there are
views of the same bytes, as elements of perhaps other types.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.dialects import memref
from xdsl.dialects.builtin import MemRefType, StringAttr
from xdsl.ir import Attribute, Operation

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import POOL
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.location import place
from tilewright.ir.core.pool import integer, pool_offset, size_in_bytes
from tilewright.ir.core.walk import of_kinds
from tilewright.ir.tile.ops import AllocBufferOp, storage_type
from tilewright.ir.tile.types import SHARED

ARRAY_ALIGNMENT, POOL_ALIGNMENT = 128, 1024


@dataclass(frozen=True)
class SharedMemory:
    """Bytes of shared memory that a block needs: `arrays` for arrays of their own, `pool` for the pool."""

    arrays: int
    pool: int

    @property
    def total(self) -> int:
        """Both, with the gap that may lie before the pool."""
        return aligned(self.arrays, POOL_ALIGNMENT) + self.pool if self.pool else self.arrays

    @staticmethod
    def of(func: Operation) -> SharedMemory:
        """What the function allocates, at any stage.

        Raises:
            CompileError: buffers of the pool that lie askew to their elements, reach beyond the pool, or share bytes
                of which one has no whole ones.
        """
        found = list(allocations(func))
        pool = integer(func, POOL) or 0
        _check_pool([allocation for allocation in found if allocation.offset is not None], pool)
        unions(func)
        return SharedMemory(max((start + one.size for one, start in _arrays(found)), default=0), pool)

    def check(self, limit: int, who: str) -> None:
        """Raises `CompileError` where a block has only `limit` bytes."""
        if self.total > limit:
            raise CompileError(f"the kernel needs {self}; a block on {who} has {limit}")

    def __str__(self) -> str:
        parts = f" ({self.arrays} in arrays, {self.pool} in the pool)" if self.pool and self.arrays else ""
        return f"{self.total} bytes of shared memory{parts}"


@dataclass(frozen=True)
class Allocation:
    """An allocation in shared memory."""

    op: Operation
    kind: MemRefType[Attribute]

    @property
    def name(self) -> str:
        """What a person calls it."""
        return self.op.results[0].name_hint or "a buffer"

    @property
    def offset(self) -> int | None:
        """Where in the pool it lies, in bytes; None for an array of its own."""
        return pool_offset(self.op)

    @property
    def size(self) -> int:
        """Its bytes."""
        return size_in_bytes(self.kind)

    @property
    def bits(self) -> int:
        """The bits of an element."""
        return element_dtype(self.kind.element_type).bits

    @property
    def end(self) -> int:
        """The first byte of the pool after it."""
        return (self.offset or 0) + self.size


def allocations(func: Operation) -> Iterator[Allocation]:
    """What a function allocates in shared memory, in the order of the program."""
    for op in of_kinds(func, AllocBufferOp, memref.AllocaOp):
        kind = op.memref.type if isinstance(op, memref.AllocaOp) else storage_type(op.results[0])
        if kind.memory_space == StringAttr(SHARED):
            yield Allocation(op, kind)


def starts(func: Operation) -> Iterator[tuple[Allocation, int]]:
    """Each allocation with the byte of the block's shared memory at which it starts: arrays, then the pool."""
    found, pool = list(allocations(func)), aligned(SharedMemory.of(func).arrays, POOL_ALIGNMENT)
    yield from _arrays(found)
    yield from ((one, pool + one.offset) for one in found if one.offset is not None)


def _arrays(found: Sequence[Allocation]) -> Iterator[tuple[Allocation, int]]:
    end = 0
    for one in found:
        if one.offset is None:
            start = aligned(end, ARRAY_ALIGNMENT)
            yield one, start
            end = start + one.size


@dataclass(frozen=True)
class Union:
    """Allocations of the pool that overlap: the bytes from `start` to `end`, in `unit`s that no access parts."""

    start: int
    end: int
    unit: int
    members: tuple[Allocation, ...]


def unions(func: Operation) -> list[Union]:
    """The parts of the pool that several allocations with users share; what is used by nobody shares nothing."""
    pooled = [found for found in allocations(func) if found.offset is not None and found.op.results[0].first_use]
    groups: list[list[Allocation]] = []
    end = 0
    for found in sorted(pooled, key=_place):
        if not groups or _place(found)[0] >= end:
            groups.append([])
        groups[-1].append(found)
        end = max(end, found.end)
    return [_union(group) for group in groups if len(group) > 1]


def _union(group: Sequence[Allocation]) -> Union:
    for found in group:
        if found.bits % 8:
            _refuse(found, f"shares bytes with others, and has elements of {found.bits} bits, which are no whole ones")
    start, end = min(found.offset or 0 for found in group), max(found.end for found in group)
    return Union(start, end, min(natural_alignment(found.bits) for found in group), tuple(group))


def reserved(func: Operation) -> int | None:
    """The size of the pool, where it is more than its buffers take."""
    size = integer(func, POOL) or 0
    used = max((found.end for found in allocations(func) if found.offset is not None), default=0)
    return size if size > used else None


def aligned(offset: int, alignment: int) -> int:
    """The next multiple of the alignment.

    >>> aligned(130, 128), aligned(256, 128)
    (256, 256)
    """
    return -(-offset // alignment) * alignment


def natural_alignment(bits: int) -> int:
    """Bytes to which an element of that many bits is aligned.

    >>> [natural_alignment(bits) for bits in (4, 8, 16, 128)]
    [1, 1, 2, 16]
    """
    return max(1, bits // 8)


def _check_pool(pooled: Sequence[Allocation], size: int) -> None:
    for found in sorted(pooled, key=_place):
        if found.offset is not None and found.offset % natural_alignment(found.bits):
            _refuse(found, f"lies askew to its elements of {found.bits} bits")
        if found.end > size or found.end < found.size:
            _refuse(found, f"leaves the pool, which has {size} bytes")


def _place(found: Allocation) -> tuple[int, int]:
    return found.offset or 0, found.end


def _refuse(found: Allocation, why: str) -> None:
    raise CompileError(f"{found.name} at byte {found.offset} {why}\n{place(found.op)}".rstrip())
