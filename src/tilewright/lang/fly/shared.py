"""Shared memory of a block, allocated piece by piece while a kernel is traced."""

from __future__ import annotations

from typing import overload

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, i64

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.types import Int8
from tilewright.lang.fly.functions.memory import DYNAMIC, get_dyn_shared
from tilewright.lang.fly.kernels import current_kernel, require_room
from tilewright.lang.fly.storage import Array, ArrayType, Empty, Extent, Piece, Storage, extent, up
from tilewright.lang.fly.values.base import apply, expect
from tilewright.lang.fly.values.memory import Pointer


class Arena:
    """What gives pieces of memory: `SharedAllocator`."""


class SharedAllocator(Arena):
    """Gives pieces of a block's shared memory.

    Args:
        base_alignment: bytes that divide the address of the first one.
        static: is each piece memory of its own that the kernel declares? else they lie one after the other in the
            memory that the launch sets aside, which is as large as they need.
    """

    def __init__(self, base_alignment: int = 16, *, static: bool = True) -> None:
        kernel = current_kernel()
        if kernel.shared is not None:
            raise KernelError("a kernel has one SharedAllocator; allocate all pieces from it")
        kernel.shared = 0
        self._kernel, self._static, self._alignment = kernel, static, base_alignment
        self._base: Pointer | None = None
        self._bytes = 0

    @property
    def is_static(self) -> bool:
        """Does the kernel declare its memory?"""
        return self._static

    @property
    def allocated_bytes(self) -> int:
        """Of all pieces so far."""
        return self._bytes

    @property
    def base_ptr(self) -> Pointer:
        """Where the launch's shared memory begins."""
        if self._static:
            raise KernelError("pieces of a static allocator have no common base")
        if self._base is None:
            self._base = get_dyn_shared()
        return self._base

    @overload
    def allocate(self, kind: type[Piece], alignment: int | None = None) -> Storage[Piece]: ...
    @overload
    def allocate(self, kind: int, alignment: int | None = None) -> Storage[Array]: ...
    @overload
    def allocate(self, kind: object, alignment: int | None = None) -> Storage[object]: ...
    def allocate(self, kind: object, alignment: int | None = None) -> Storage[object]:
        """Memory of a type, or so many bytes.

        Raises:
            KernelError: the type has no place in memory.
        """
        if kind is Empty:
            return Storage(None, Empty)
        wanted = ArrayType(Int8, kind, 1) if isinstance(kind, int) and not isinstance(kind, bool) else kind
        one = extent(wanted)
        align = max(one.align, alignment or 1)
        pointer = self._declared(one.size, align) if self._static else self._next(one, align)
        return Storage(pointer, wanted)

    def _declared(self, size: int, align: int) -> Pointer:
        self._bytes += size
        require_room(self._bytes, self._kernel)
        return declared(size, align)

    def _next(self, one: Extent, align: int) -> Pointer:
        at = up(self._bytes, align)
        self._bytes = at + one.size
        require_room(self._bytes, self._kernel)
        self._kernel.shared = self._bytes
        return self.base_ptr + at


def declared(size: int, align: int) -> Pointer:
    """Shared memory of so many bytes that the kernel declares."""
    said = DictionaryAttr({"allocAlign": IntegerAttr(align, i64), "allocBytes": IntegerAttr(size, i64)})
    aligned = f", align<{align}>" if align > 1 else ""
    return expect(apply("make_ptr", result=f"!fly.ptr<i8, shared{aligned}>", dictAttrs=said), Pointer, "a pointer")


__all__ = ["Arena", "DYNAMIC", "SharedAllocator", "declared"]
