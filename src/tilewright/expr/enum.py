"""`fx.enum`: sets of words."""

from tilewright.lang.fly.values.enums import (
    AtomicOp,
    AtomicOrdering,
    SyncScope,
)

__all__ = [
    "AtomicOp",
    "AtomicOrdering",
    "SyncScope",
]
