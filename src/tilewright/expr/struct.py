"""`fx.struct`: structures, unions, and shared memory."""

from tilewright.lang.fly.composites import (
    is_composite_type,
    is_specializable_struct_type,
    is_struct_type,
    struct,
    union,
)
from tilewright.lang.fly.composites import (
    struct as Struct,
)
from tilewright.lang.fly.composites import (
    union as Union,
)
from tilewright.lang.fly.shared import (
    Arena,
    SharedAllocator,
)
from tilewright.lang.fly.storage import (
    Align,
    Array,
    Empty,
    Storage,
)

__all__ = [
    "Align",
    "Arena",
    "Array",
    "Empty",
    "SharedAllocator",
    "Storage",
    "Struct",
    "Union",
    "is_composite_type",
    "is_specializable_struct_type",
    "is_struct_type",
    "struct",
    "union",
]
