"""Accesses of buffers by offsets in bytes, and copies of a wave into shared memory, by AMD's names."""

from __future__ import annotations

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Int8, Int32
from tilewright.lang.core.numerics.vector import Vector, VectorAlias
from tilewright.lang.fly.functions.atoms import copy, make_copy_atom
from tilewright.lang.fly.functions.construction import make_layout
from tilewright.lang.fly.functions.memory import make_rmem_tensor
from tilewright.lang.fly.functions.rocdl import BufferAtomicAdd, BufferAtomicMax, BufferCopyLDS
from tilewright.lang.fly.values.base import apply, expect
from tilewright.lang.fly.values.memory import Pointer, load, pointer_text, recast

__all__ = [
    "buffer_load_to_lds",
    "raw_ptr_buffer_atomic_fadd",
    "raw_ptr_buffer_atomic_fmax",
    "raw_ptr_buffer_load",
    "raw_ptr_buffer_load_lds",
    "s_buffer_load",
]


def _at(rsrc: Pointer, *offsets: NumericLike) -> Pointer:
    """The bytes of a buffer from an offset on."""
    bytes_ = recast(expect(rsrc, Pointer, "a buffer"), Int8)
    for offset in offsets:
        if not isinstance(offset, int) or offset:
            bytes_ = bytes_ + as_numeric(offset)
    return bytes_


def _elements(bytes_: Pointer, kind: type[Numeric]) -> Pointer:
    """The elements that lie there, as aligned as the instruction asks them to be."""
    text = pointer_text(kind, bytes_._pointer.space)
    return expect(apply("recast_iter", bytes_, result=text), Pointer, "a pointer")


def raw_ptr_buffer_load(
    res: object, rsrc: Pointer, offset: NumericLike, soffset: NumericLike, aux: int | None = None
) -> Numeric | Vector:
    """What lies in a buffer at an offset in bytes, of a type; 0 where the buffer ends before it."""
    return load(_at(rsrc, offset, soffset), res)


def s_buffer_load(ptr: Pointer, offset: NumericLike, *, count: int = 1, cache_modifier: int = 0) -> Numeric | Vector:
    """One or four Int32 of a buffer, at an offset in Int32; all lanes ask for the same ones.

    Raises:
        KernelError: another count.
    """
    if count not in (1, 4):
        raise KernelError(f"s_buffer_load reads 1 or 4 words, got {shown(count)}")
    where = recast(expect(ptr, Pointer, "ptr"), Int32) + as_numeric(offset)
    return load(where, Int32 if count == 1 else VectorAlias(Int32, count))


def raw_ptr_buffer_atomic_fadd(
    vdata: NumericLike, rsrc: Pointer, offset: NumericLike, soffset: NumericLike, aux: int | None = None
) -> None:
    """Adds a float to one in a buffer, at an offset in bytes, at once."""
    _changed(BufferAtomicAdd, vdata, _at(rsrc, offset, soffset))


def raw_ptr_buffer_atomic_fmax(
    vdata: NumericLike, rsrc: Pointer, offset: NumericLike, soffset: NumericLike, aux: int | None = None
) -> None:
    """The larger of a float and one in a buffer takes its place, at an offset in bytes, at once."""
    _changed(BufferAtomicMax, vdata, _at(rsrc, offset, soffset))


def _changed(operation: object, vdata: NumericLike, where: Pointer) -> None:
    given = as_numeric(vdata)
    kind = given.dtype
    held = make_rmem_tensor(1, kind)
    held[0] = given
    atom = make_copy_atom(operation(kind), kind)  # type: ignore[operator]  # one of the two
    copy(atom, held, _elements(where, kind).view(make_layout(1, 1)))


def raw_ptr_buffer_load_lds(
    rsrc: Pointer,
    lds_ptr: Pointer,
    size: int,
    voffset: NumericLike,
    soffset: NumericLike = 0,
    offset: NumericLike = 0,
    aux: int | None = None,
) -> None:
    """Copies `size` bytes a lane of a buffer into shared memory, the wave's lanes one after the other."""
    source = _elements(_at(rsrc, voffset, soffset, offset), Int32)
    target = _elements(recast(lds_ptr, Int8), Int32)
    count = int(as_numeric(size)) // 4
    run = make_layout(count, 1)
    copy(make_copy_atom(BufferCopyLDS(32 * count), 32), source.view(run), target.view(run))


def buffer_load_to_lds(
    rsrc: Pointer,
    lds_ptr: Pointer,
    voffset: NumericLike,
    size_bytes: int = 4,
    soffset: NumericLike = 0,
    offset: NumericLike = 0,
) -> None:
    """Copies bytes of a buffer into shared memory, as `raw_ptr_buffer_load_lds`."""
    raw_ptr_buffer_load_lds(rsrc, lds_ptr, size_bytes, voffset, soffset, offset)
