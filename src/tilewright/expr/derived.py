"""`fx.derived`: one thread's part of atoms, and what is made of others."""

from tilewright.lang.fly.functions.atoms import (
    make_tiled_copy_A,
    make_tiled_copy_B,
    make_tiled_copy_C,
    make_tiled_copy_tv,
    make_tiled_mma,
)
from tilewright.lang.fly.values.atoms import (
    ThrCopy,
    ThrMma,
)

__all__ = [
    "ThrCopy",
    "ThrMma",
    "make_tiled_copy_A",
    "make_tiled_copy_B",
    "make_tiled_copy_C",
    "make_tiled_copy_tv",
    "make_tiled_mma",
]
