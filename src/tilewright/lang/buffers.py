"""Buffers: parameters, allocations, views of other buffers, and the pool of shared memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute, SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.pool import size_in_bytes
from tilewright.ir.tile import ops as tile
from tilewright.ir.tile.shared import ARRAY_ALIGNMENT, POOL_ALIGNMENT, natural_alignment
from tilewright.ir.tile.types import GLOBAL, LOCAL, SHARED
from tilewright.lang.buffer_types import buffer, memory_elements
from tilewright.lang.expressions import is_element
from tilewright.lang.pool import Pool
from tilewright.lang.rows import Function
from tilewright.lang.tensor_pool import TMEM, TensorBuffer, tensor_buffer
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Handle, Pointer, Value, buffer_type, int_tuple, natural, show, type_named
from tilewright.lang.views import Place, view
from tilewright.tirx.hardware.shared import mma_shared_layout

POOLED = "shared.dyn"
SPACES: Mapping[Value, str] = {"shared": SHARED, POOLED: SHARED, "local": LOCAL, "global": GLOBAL}
ARRAYS = ("shared", "local")
ALIGNMENTS: Mapping[Value, int] = {"shared": ARRAY_ALIGNMENT, "local": 64}  # that arrays of their own have
SWIZZLES: Mapping[Value, int] = {"auto": 3, "none": 0}


def match_buffer(t: Tracer, handle: Value, shape: Value, dtype: Value = "float32", layout: Value = None) -> SSAValue:
    """`T.match_buffer`: a parameter as a buffer."""
    if not isinstance(handle, Handle):
        raise KernelError(f"T.match_buffer views a parameter of the kernel, got {show(handle)}")
    if t.builder.insertion_point.block is not t.body:
        raise KernelError("T.match_buffer stands outside of loops and branches")
    kind = buffer(shape, dtype, GLOBAL, layout)
    before = t.arguments.get(handle)
    elements = memory_elements(kind)
    if before is not None:
        known = cast("MemRefType[Attribute]", before.type)
        if known.element_type != kind.element:
            raise KernelError(
                f"{handle.name} was matched with elements of type {known.element_type}, not {kind.element}"
            )
        elements = max(elements, known.get_shape()[0])
    return t.insert(tile.MatchBufferOp(t.argument(handle, kind.storage_type(elements)), kind)).results[0]


# ---- new memory


def alloc_buffer(
    t: Tracer, shape: Value, dtype: Value = "float32", scope: Value = "global", layout: Value = None, align: Value = 0
) -> SSAValue:
    """`T.alloc_buffer`: new memory, an array of its own or (`shared.dyn`) a part of the pool."""
    aligned = natural("align", align)
    if scope == POOLED:
        return pool_alloc(t, shape, dtype, align=align, layout=layout)
    if scope not in ARRAYS:
        raise KernelError(
            f'new memory lies in scope="shared", "shared.dyn" or "local", not in {show(scope)}; '
            "global memory comes in as a parameter, and data=A.data views it; tensor memory is T.TMEMPool's"
        )
    if aligned > (most := ALIGNMENTS[scope]):
        raise KernelError(
            f"an array is aligned to {most} bytes, not {aligned}; the pool aligns to up to {POOL_ALIGNMENT}"
        )
    kind = buffer(shape, dtype, SPACES[scope], layout)
    memory_elements(kind)
    return t.insert(tile.AllocBufferOp(kind)).results[0]


def alloc_local(t: Tracer, shape: Value, dtype: Value = "float32", layout: Value = None) -> SSAValue:
    """`T.alloc_local`: registers of the thread."""
    return alloc_buffer(t, shape, dtype, "local", layout)


def alloc_shared(t: Tracer, shape: Value, dtype: Value = "float32", layout: Value = None) -> SSAValue:
    """`T.alloc_shared`: an array of the block."""
    return alloc_buffer(t, shape, dtype, "shared", layout)


# ---- views


def decl_buffer(
    t: Tracer,
    shape: Value,
    dtype: Value = "float32",
    data: Value = None,
    *,
    elem_offset: Value = None,
    byte_offset: Value = None,
    scope: Value = None,
    align: Value = 0,
    layout: Value = None,
    allocated_addr: Value = None,
) -> SSAValue | TensorBuffer:
    """`T.decl_buffer`: a view of `data`, the memory `A.data` of another buffer; without it new memory."""
    if scope == TMEM:
        extents = int_tuple(shape, "the shape of a buffer")
        return tensor_buffer(extents, type_named(dtype), layout, _tensor_base(allocated_addr))
    if data is not None:
        if scope is not None and isinstance(data, Pointer) and SPACES.get(scope) != buffer_type(data.buffer).scope:
            lies = f"{data.buffer.name_hint} lies in scope {buffer_type(data.buffer).scope!r}"
            raise KernelError(f"{lies}, a view of it cannot lie in {show(scope)}")
        return view(t, data, buffer(shape, dtype, GLOBAL, layout), Place(elem_offset, byte_offset))
    if elem_offset is not None or (byte_offset is not None and scope != POOLED):
        raise KernelError("an offset places a view, with data=A.data, or a buffer of the pool, with byte_offset=")
    if byte_offset is not None:
        return pool_alloc(t, shape, dtype, align=align, layout=layout, at=byte_offset)
    return alloc_buffer(t, shape, dtype, "global" if scope is None else scope, layout, align)


def _tensor_base(value: Value) -> SSAValue | int:
    """Where a buffer of tensor memory begins."""
    address = value[0] if isinstance(value, tuple) and len(value) == 1 else value
    if type(address) is int or (is_element(address) and element_dtype(address.type).name == "uint32"):
        return address
    raise KernelError(f'scope="tmem" views allocated_addr=, a uint32; T.TMEMPool has new columns; got {show(value)}')


# ---- the pool


def smem_pool(t: Tracer) -> Pool:
    """`T.SMEMPool`: the pool of the block."""
    if t.pool.opened:
        raise KernelError("a kernel has one T.SMEMPool(): the shared memory that is sized at launch is one region")
    t.pool.opened = True
    return t.pool


def pool_alloc(
    t: Tracer,
    shape: Value,
    dtype: Value = "float32",
    *,
    scope: Value = POOLED,
    align: Value = 0,
    layout: Value = None,
    at: Value = None,
) -> SSAValue:
    """`pool.alloc`: the next bytes of the pool, or those from byte `at` on, aligned to `align` and to the element."""
    if scope != POOLED:
        raise KernelError(f'the pool lies in scope="shared.dyn", got {show(scope)}')
    kind = buffer(shape, dtype, SHARED, layout)
    alignment = max(natural("align", align), natural_alignment(kind.dtype.bits))
    if at is not None:
        pool_move_base_to(t, at)
    size = size_in_bytes(kind.storage_type(memory_elements(kind)))
    offset = t.pool.place(size, alignment)
    if at not in (None, offset):
        raise KernelError(f"byte_offset={at} is no multiple of {alignment}, to which the buffer is aligned")
    return t.insert(tile.AllocBufferOp(kind, offset)).results[0]


def pool_alloc_mma(
    t: Tracer, shape: Value, dtype: Value = "float16", swizzle_mode: Value = "auto", align: Value = 1024
) -> SSAValue:
    """`pool.alloc_mma`: a tile as TMA writes and tensor cores read it; 128-byte rows are swizzled unless told."""
    mode = SWIZZLES.get(swizzle_mode, swizzle_mode)
    layout = mma_shared_layout(type_named(dtype), cast("int", mode), int_tuple(shape, "the shape of a buffer"))
    return pool_alloc(t, shape, dtype, align=align, layout=layout)


def pool_move_base_to(t: Tracer, offset: Value) -> None:
    """`pool.move_base_to`: the next buffer starts at that byte, or at the next one that it can be aligned to."""
    t.pool.move_to(natural("the offset", offset))


def pool_commit(t: Tracer, size: Value = None) -> None:
    """`pool.commit`: nothing more is needed of the pool than what it has handed out, or `size` bytes."""
    t.pool.commit(None if size is None else natural("the size", size))


BUFFERS = (
    Function("match_buffer", match_buffer, "A parameter as a buffer."),
    Function("alloc_buffer", alloc_buffer, "New memory: `shared`, `shared.dyn` (of the pool) or `local`."),
    Function("alloc_local", alloc_local, "Registers of the thread."),
    Function("alloc_shared", alloc_shared, "An array of the block."),
    Function(
        "decl_buffer",
        decl_buffer,
        "A view of `A.data`; `elem_offset` may vary, and of shared memory the type.",
    ),
    Function("SMEMPool", smem_pool, "The pool of the block, in shared memory that is sized at launch."),
    Function("SMEMPool.alloc", pool_alloc, "The next bytes of the pool."),
    Function("SMEMPool.alloc_mma", pool_alloc_mma, "A tile of the pool as TMA writes and tensor cores read it."),
    Function("SMEMPool.alloc_tcgen05_mma_AB", pool_alloc_mma, "The same."),
    Function("SMEMPool.move_base_to", pool_move_base_to, "The next buffer of the pool starts at that byte."),
    Function("SMEMPool.commit", pool_commit, "Nothing more is needed of the pool."),
)
