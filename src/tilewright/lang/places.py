"""Places: a buffer and the indices of an element there."""

from __future__ import annotations

from typing import TypeAlias

from xdsl.ir import SSAValue

from tilewright.ir.tile.ops import LoadOp
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value

Spot: TypeAlias = tuple[SSAValue, tuple[SSAValue, ...]]


def element_at(t: Tracer, value: Value) -> Spot | None:
    """Where the element lies that an operand is; if it was read for this alone, it is not read."""
    owner = value.owner if isinstance(value, SSAValue) else None
    if not isinstance(owner, LoadOp):
        return None
    t.perhaps_unread.append(owner)
    return owner.buffer, tuple(owner.indices)
