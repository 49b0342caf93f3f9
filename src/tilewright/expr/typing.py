"""`fx.typing`: values and types."""

from tilewright.lang.core.numerics.vector import (
    ReductionOp,
    Vector,
    empty_like,
    full,
    full_like,
    ones_like,
    zeros_like,
)
from tilewright.lang.fly.annotations import (
    Constexpr,
    Stream,
)
from tilewright.lang.fly.functions.gpu import (
    Tuple3D,
)
from tilewright.lang.fly.storage import (
    Align,
    Array,
)
from tilewright.lang.fly.typing import (
    ComposedLayoutType,
    CopyAtomType,
    IntTupleType,
    LayoutType,
    MemRefType,
    MmaAtomType,
    PointerType,
    SwizzleType,
    T,
    TileType,
    Types,
)
from tilewright.lang.fly.values.atoms import (
    CopyAtom,
    MmaAtom,
    TiledCopy,
    TiledMma,
)
from tilewright.lang.fly.values.int_tuple import (
    Basis,
    E,
    IntTuple,
)
from tilewright.lang.fly.values.layouts import (
    ComposedLayout,
    CoordSwizzle,
    Layout,
    Swizzle,
    Tile,
)
from tilewright.lang.fly.values.memory import (
    Pointer,
    Tensor,
)

__all__ = [
    "Align",
    "Array",
    "Basis",
    "ComposedLayout",
    "ComposedLayoutType",
    "Constexpr",
    "CoordSwizzle",
    "CopyAtom",
    "CopyAtomType",
    "E",
    "IntTuple",
    "IntTupleType",
    "Layout",
    "LayoutType",
    "MemRefType",
    "MmaAtom",
    "MmaAtomType",
    "Pointer",
    "PointerType",
    "ReductionOp",
    "Stream",
    "Swizzle",
    "SwizzleType",
    "T",
    "Tensor",
    "Tile",
    "TileType",
    "TiledCopy",
    "TiledMma",
    "Tuple3D",
    "Types",
    "Vector",
    "empty_like",
    "full",
    "full_like",
    "ones_like",
    "zeros_like",
]
