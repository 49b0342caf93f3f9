"""Memory behind a descriptor: what lies outside reads as 0 and is not written. AMD's buffers, on any target."""

from __future__ import annotations

from enum import StrEnum

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Int16, Int32, Int64
from tilewright.lang.fly.functions.queries import cosize, get_scalar
from tilewright.lang.fly.values.base import apply, expect
from tilewright.lang.fly.values.memory import Pointer, Tensor, view

__all__ = ["TargetAddressSpace", "get_buffer_rsrc", "make_buffer_ptr", "make_buffer_tensor"]

EVERYTHING = (1 << 32) - 1
FLAGS = 159744  # how words of the descriptor are read, as gfx9 has it


class TargetAddressSpace(StrEnum):
    """Where memory lies that is AMD's own."""

    BufferDesc = "#fly_rocdl.buffer_desc"


def make_buffer_ptr(ptr: Pointer, num_records_bytes: NumericLike | None = None) -> Pointer:
    """A pointer to a buffer of so many bytes, else of all that there are."""
    given = expect(ptr, Pointer, "ptr")
    size = Int64(EVERYTHING) if num_records_bytes is None else Int64(as_numeric(num_records_bytes))
    text = f"!fly.ptr<{given._pointer.element}, {TargetAddressSpace.BufferDesc}>"
    return expect(apply("make_ptr", given, Int16(0), size, Int32(FLAGS), result=text), Pointer, "a pointer")


def make_buffer_tensor(
    tensor: Tensor, max_size: bool = True, *, num_records_bytes: NumericLike | None = None
) -> Tensor:
    """The tensor as a buffer.

    Args:
        tensor: of global memory.
        max_size: has the buffer all bytes that there are? else those that the tensor's layout reaches.
        num_records_bytes: the bytes that it has.
    """
    given = expect(tensor, Tensor, "tensor")
    size = num_records_bytes
    if size is None and not max_size:
        size = _reach(given)
    start = given.iter
    if not isinstance(start, Pointer):
        raise KernelError(f"{tensor} has coordinates; a buffer is made of memory")
    return view(make_buffer_ptr(start, size), given.layout)


def _reach(tensor: Tensor) -> Numeric:
    return as_numeric(Int64(get_scalar(cosize(tensor.layout))) * (tensor.element_type.width // 8))


def get_buffer_rsrc(ptr: Pointer) -> Pointer:
    """The pointer itself, by which a buffer is known here."""
    return expect(ptr, Pointer, "ptr")
