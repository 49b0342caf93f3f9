"""Shared memory by offsets in bytes: FlyDSL's older allocator, which is filled before a kernel is traced."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import Numeric, numeric_type
from tilewright.lang.core.numerics.types import Int8
from tilewright.lang.fly.functions.construction import make_ordered_layout
from tilewright.lang.fly.kernels import current_kernel
from tilewright.lang.fly.shared import declared
from tilewright.lang.fly.storage import up
from tilewright.lang.fly.values.base import expect
from tilewright.lang.fly.values.enums import AddressSpace
from tilewright.lang.fly.values.int_tuple import IntTuple, IntTupleLike
from tilewright.lang.fly.values.memory import Pointer, Stored, Tensor, recast

__all__ = ["SmemAllocator", "SmemPtr", "get_mlir_type_align", "get_mlir_type_size", "lds_space"]

ALIGNMENT = 128


class SmemAllocator:
    """Counts the bytes of a kernel's shared memory.

    `at = smem._align(smem.ptr, 16); smem.ptr = at + size` sets bytes aside; within the kernel `get_base()` is where all
    of them begin.

    Args:
        ctx: nothing.
        arch: the architecture whose limit they keep.
        global_sym_name: their name, without effect.
    """

    def __init__(self, ctx: object, arch: str | None = None, global_sym_name: str = "smem_storage") -> None:
        self.ctx, self.arch, self.global_sym_name = ctx, arch, global_sym_name
        self.ptr, self.finalized = 0, False
        self._bases: dict[int, Pointer] = {}

    def _align(self, ptr: int, align: int) -> int:
        return up(ptr, align)

    def finalize(self) -> None:
        """No more bytes are needed."""
        self.finalized = True

    def get_base(self) -> Pointer:
        """Where the bytes begin, in the kernel that is being traced.

        Raises:
            KernelError: no kernel is being traced.
        """
        kernel = current_kernel()
        if id(kernel) not in self._bases:
            self._bases = {id(kernel): declared(max(ALIGNMENT, up(self.ptr, ALIGNMENT)), 1024)}
        return self._bases[id(kernel)]


class SmemPtr:
    """Elements of a type in shared memory, at an offset in bytes.

    Args:
        base_memref: what `get_base()` gave.
        byte_offset: where they begin.
        element_type: of the elements.
        shape: their extents, the last one fastest; without it there is one.
    """

    def __init__(
        self, base_memref: Pointer, byte_offset: int, element_type: object, shape: Sequence[int] | None = None
    ) -> None:
        self.base_memref, self.byte_offset = expect(base_memref, Pointer, "base_memref"), byte_offset
        self.element_type: type[Numeric] = numeric_type(element_type)
        self.shape = None if shape is None else tuple(shape)

    def get(self) -> Tensor:
        """The elements as a tensor."""
        shape = self.shape or (1,)
        start = recast(recast(self.base_memref, Int8) + self.byte_offset, self.element_type)
        order = tuple(range(len(shape) - 1, -1, -1))
        return start.view(make_ordered_layout(shape if len(shape) > 1 else shape[0], order if len(shape) > 1 else 0))

    def load(self, idxs: Sequence[IntTupleLike] | None = None) -> Numeric | IntTuple:
        """The element at these indices; without them the first one."""
        found = self.get()[self._indices(idxs)]
        assert isinstance(found, Numeric | IntTuple)
        return found

    def store(self, val: Stored, idxs: Sequence[IntTupleLike] | None = None) -> None:
        """Writes the element at these indices; without them the first one."""
        self.get()[self._indices(idxs)] = val

    def _indices(self, given: Sequence[IntTupleLike] | None) -> IntTupleLike:
        rank = len(self.shape or (1,))
        found = (0,) * rank if given is None else tuple(given)
        if len(found) != rank:
            raise KernelError(f"{len(found)} indices into shared memory of shape {shown(self.shape)}")
        return found if rank > 1 else found[0]


def lds_space() -> AddressSpace:
    """Shared memory."""
    return AddressSpace.Shared


def get_mlir_type_size(mlir_type: object) -> int:
    """The bytes of a number, or of a vector of them.

    >>> from tilewright.lang.core.numerics.types import Float16
    >>> get_mlir_type_size(Float16)
    2
    """
    from xdsl.dialects.builtin import VectorType

    if isinstance(mlir_type, VectorType):
        return int(prod(mlir_type.get_shape())) * get_mlir_type_size(mlir_type.element_type)
    return max(1, numeric_type(mlir_type).width // 8)


def get_mlir_type_align(mlir_type: object) -> int:
    """The bytes that divide the address of one: its size, at most 16."""
    return min(get_mlir_type_size(mlir_type), 16)
