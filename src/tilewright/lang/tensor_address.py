"""Addresses of tensor memory: what `pool.addr` and `buffer.allocated_addr` are."""

from __future__ import annotations

from xdsl.ir import SSAValue

from tilewright.dtypes import dtype
from tilewright.errors import KernelError
from tilewright.ir.tile.ops import LoadOp
from tilewright.lang.tensor_pool import TensorBuffer, TensorPool
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, show

_WORD = dtype("uint32")


def address_of(t: Tracer, owner: TensorPool | TensorBuffer) -> SSAValue:
    """The address, a uint32, of a pool's first column or of a buffer's first element.

    Raises:
        KernelError: the pool is not committed.
    """
    if isinstance(owner, TensorPool):
        if not owner.committed:
            raise KernelError("T.TMEMPool has no columns yet: commit() allocates them")
        return t.insert(LoadOp(owner.slot, [t.index.value(0)])).results[0]
    base = owner.base
    if isinstance(base, int):
        return t.elements.constant(base + owner.first, _WORD)
    start = address_of(t, base) if isinstance(base, TensorPool) else base
    if not owner.first:
        return start
    return t.elements.binary("+", start, t.elements.constant(owner.first, _WORD))


def attribute(t: Tracer, owner: TensorPool | TensorBuffer, name: str) -> Value:
    """What a kernel may ask of one.

    Raises:
        KernelError: anything else.
    """
    if isinstance(owner, TensorPool) and name == "addr":
        return address_of(t, owner)
    if isinstance(owner, TensorBuffer) and name == "allocated_addr":
        return (address_of(t, owner),)
    if isinstance(owner, TensorBuffer) and name in ("shape", "dtype", "layout", "scope"):
        return getattr(owner, name)
    raise KernelError(f"{show(owner)} has no attribute {name!r} in a kernel")
