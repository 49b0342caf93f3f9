"""`T.TMEMPool`: buffers in tensor memory, whose columns one warp allocates at once and gives back at once.

Source: TIRx.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, Region
from xdsl.utils.exceptions import VerifyException

from tilewright.errors import KernelError, LayoutError
from tilewright.ir.core.lanes import WarpSizeOp
from tilewright.ir.tile.address import AddressOp
from tilewright.ir.tile.tmem import PAIR, TmemAllocOp, TmemDeallocOp, check_columns
from tilewright.ir.tile.together import SyncOp
from tilewright.ir.tile.types import SHARED
from tilewright.lang.buffers import pool_alloc
from tilewright.lang.pool import Pool
from tilewright.lang.rows import Function
from tilewright.lang.tensor_address import address_of
from tilewright.lang.tensor_pool import CELL, TensorBuffer, TensorPool, tensor_buffer
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, buffer_type, int_tuple, is_buffer, natural, show, type_named
from tilewright.tirx.hardware.scale_factors import sf_tmem_layout
from tilewright.tirx.hardware.tmem import tmem_mma_operand_layout


def tmem_pool(
    t: Tracer,
    pool: Value,
    total_cols: Value = 512,
    *,
    cta_group: Value = 1,
    alloc_warp: Value = 0,
    dealloc_warp: Value = None,
    tmem_addr: Value = None,
    sync_after_alloc: Value = True,
) -> TensorPool:
    """`T.TMEMPool`: so many columns of tensor memory; their address will lie in the pool of shared memory."""
    if t.tensor is not None:
        raise KernelError("a kernel has one T.TMEMPool(): its warp allocates once")
    if not isinstance(pool, Pool):
        raise KernelError(f"T.TMEMPool takes a T.SMEMPool(), where its address will lie, got {show(pool)}")
    try:
        check_columns(natural("total_cols", total_cols))
    except VerifyException as error:
        raise KernelError(str(error)) from error
    if cta_group not in (1, PAIR):
        raise KernelError(f"cta_group is 1 or {PAIR}, got {show(cta_group)}")
    first = natural("alloc_warp", alloc_warp)
    warps = first, first if dealloc_warp is None else natural("dealloc_warp", dealloc_warp)
    slot = pool_alloc(t, (1,), "uint32") if tmem_addr is None else tmem_addr
    if not is_buffer(slot) or buffer_type(slot).scope != SHARED or buffer_type(slot).dtype != type_named("uint32"):
        raise KernelError(f"tmem_addr is a buffer of uint32 in shared memory, got {show(slot)}")
    t.tensor = TensorPool(
        slot, natural("total_cols", total_cols), natural("cta_group", cta_group), warps, bool(sync_after_alloc)
    )
    return t.tensor


def _own(t: Tracer) -> TensorPool:
    assert t.tensor is not None, "its methods are known by it"
    return t.tensor


def _made(t: Tracer, shape: Value, dtype: Value, layout: Value, cols: Value) -> TensorBuffer:
    extents = int_tuple(shape, "the shape of a buffer")
    given = None if cols is None else natural("cols", cols)
    return tensor_buffer(extents, type_named(dtype), layout, _own(t), given)


def _alloc(
    t: Tracer, shape: Value, dtype: Value = "float32", *, layout: Value = None, cols: Value = None
) -> TensorBuffer:
    return _made(t, shape, dtype, layout, cols)


def _operand(
    t: Tracer, operand: str, shape: Value, dtype: Value, made: tuple[Value, ...], cols: Value, group: Value = None
) -> TensorBuffer:
    m, ctas, ws, sparse = made
    extents = int_tuple(shape, "the shape of a buffer")
    try:
        layout = tmem_mma_operand_layout(
            operand,
            extents,
            M=cast("int", m),
            cta_group=cast("int", ctas),
            ws=bool(ws),
            sparse=bool(sparse),
            group=cast("Sequence[int] | None", group),
        )
    except LayoutError as error:
        raise KernelError(str(error)) from error
    return _made(t, shape, dtype, layout, cols)


def _alloc_a(
    t: Tracer,
    shape: Value,
    dtype: Value = "bfloat16",
    *,
    M: Value,  # TIRx's names
    cta_group: Value = 1,
    ws: Value = False,
    sparse: Value = False,
    cols: Value = None,
) -> TensorBuffer:
    return _operand(t, "A", shape, dtype, (M, cta_group, ws, sparse), cols)


def _alloc_d(
    t: Tracer,
    shape: Value,
    dtype: Value = "float32",
    *,
    M: Value,
    cta_group: Value = 1,
    ws: Value = False,
    sparse: Value = False,
    cols: Value = None,
    group: Value = None,
) -> TensorBuffer:
    if type_named(dtype).bits < CELL and cols is None:
        cols = int_tuple(shape, "the shape of a buffer")[-1]  # of D an element takes a column
    return _operand(t, "D", shape, dtype, (M, cta_group, ws, sparse), cols, group)


def _alloc_sf(
    t: Tracer, shape: Value, dtype: Value = "float8_e8m0fnu", *, sf_per_mma: Value, sf_reuse: Value = 1
) -> TensorBuffer:
    extents = int_tuple(shape, "the shape of a buffer")
    if len(extents) not in (2, 3):
        raise KernelError(f"scale factors have a shape (rows, factors), or stages before it, got {extents}")
    *stages, rows, count = extents
    per_mma, reuse = natural("sf_per_mma", sf_per_mma), natural("sf_reuse", sf_reuse)
    try:
        layout = sf_tmem_layout(rows, count, per_mma, reuse, stages[0] if stages else None)
    except LayoutError as error:
        raise KernelError(str(error)) from error
    whole = (*stages, rows, count * reuse) if reuse > 1 else extents
    return _made(t, whole, dtype, layout, None)


def _move(t: Tracer, col: Value) -> None:
    _own(t).move_to(natural("the column", col))


def _commit(t: Tracer) -> None:
    pool = _own(t)
    pool.commit()
    _by_warp(t, pool.warps[0], lambda: _allocation(t, pool))
    if pool.meets:
        t.insert(SyncOp("cta"))


def _allocation(t: Tracer, pool: TensorPool) -> Operation:
    target = t.insert(AddressOp(pool.slot, [t.index.value(0)])).results[0]
    return TmemAllocOp(target, pool.total, pool.ctas)


def _dealloc(t: Tracer) -> None:
    pool = _own(t)
    _by_warp(t, pool.warps[1], lambda: TmemDeallocOp(address_of(t, pool), pool.total, pool.ctas))


def _by_warp(t: Tracer, warp: int, make: Callable[[], Operation]) -> None:
    """What is made is done by that warp of the block."""
    number = t.index.div(t.thread("x"), t.builder.insert(WarpSizeOp()).result)
    own = t.elements.compare("==", t.index.value(number), t.index.value(warp))
    block = Block()
    t.insert(scf.IfOp(own, [], Region(block)))
    with t.inside(block):
        t.insert(make())


TENSOR_BUFFERS = (
    Function("TMEMPool", tmem_pool, "Columns of tensor memory, whose address will lie in the pool; `addr` is it."),
    Function("TMEMPool.alloc", _alloc, "A buffer of the next columns; it is an address, and has `allocated_addr[0]`."),
    Function("TMEMPool.alloc_tcgen05_mma_A", _alloc_a, "An A as products read it there."),
    Function("TMEMPool.alloc_tcgen05_mma_D", _alloc_d, "A D, as products write it."),
    Function("TMEMPool.alloc_tcgen05_mma_C", _alloc_d, "The same."),
    Function("TMEMPool.alloc_sf", _alloc_sf, "Scale factors as products read them."),
    Function("TMEMPool.move_base_to", _move, "The next buffer starts at that column; it may lie over others."),
    Function("TMEMPool.commit", _commit, "The warp allocates the columns; then the block meets."),
    Function("TMEMPool.dealloc", _dealloc, "The warp gives them back."),
)
