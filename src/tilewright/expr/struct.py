"""`fx.struct`: structures, unions, and shared memory."""

from tilewright.lang.fly.shared import (
    SharedAllocator,
)
from tilewright.lang.fly.storage import (
    Storage,
    is_composite_type,
    is_struct_type,
    struct,
    union,
)

__all__ = [
    "SharedAllocator",
    "Storage",
    "is_composite_type",
    "is_struct_type",
    "struct",
    "union",
]
