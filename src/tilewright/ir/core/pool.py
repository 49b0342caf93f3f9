"""Where allocations lie in the pool of a block's shared memory, and how large they are."""

from __future__ import annotations

from xdsl.dialects.builtin import IntegerAttr, MemRefType, i64
from xdsl.ir import Attribute, Operation

from tilewright.ir.core.attributes import OFFSET
from tilewright.ir.core.element_types import element_dtype


def pool_offset(op: Operation) -> int | None:
    """Where in the pool an allocation lies, in bytes; None for one outside the pool."""
    return integer(op, OFFSET)


def place_at(op: Operation, offset: int) -> None:
    """The allocation lies in the pool, at that byte."""
    op.attributes[OFFSET] = IntegerAttr(offset, i64)


def size_in_bytes(kind: MemRefType[Attribute]) -> int:
    """Bytes of flat memory; elements below a byte are packed."""
    (elements,) = kind.get_shape()
    return -(-elements * element_dtype(kind.element_type).bits // 8)


def integer(op: Operation, name: str) -> int | None:
    """The number that an attribute of the op is; None where it has none."""
    found = op.attributes.get(name)
    return found.value.data if isinstance(found, IntegerAttr) else None
