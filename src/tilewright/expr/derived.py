"""`fx.derived`: one thread's part of atoms, and what is made of others."""

from tilewright.lang.fly.functions.atoms import (
    gather,
    make_tiled_copy,
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_copy_tv,
    make_tiled_mma,
    scatter,
)
from tilewright.lang.fly.functions.construction import (
    make_layout_tv,
)
from tilewright.lang.fly.functions.memory import (
    make_rmem_tensor,
)
from tilewright.lang.fly.values.atoms import (
    CopyAtom,
    MmaAtom,
    ThrCopy,
    ThrMma,
    TiledCopy,
    TiledMma,
)

__all__ = [
    "CopyAtom",
    "MmaAtom",
    "ThrCopy",
    "ThrMma",
    "TiledCopy",
    "TiledMma",
    "gather",
    "make_layout_tv",
    "make_rmem_tensor",
    "make_tiled_copy",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_copy_tv",
    "make_tiled_mma",
    "scatter",
]
