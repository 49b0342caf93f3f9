"""The TIRx layout API: layouts over named axes, their builders, the axes themselves, ready-made hardware layouts.

A layout maps a logical coordinate to a SET of places over named hardware axes. The worked examples of TIRx's page:

>>> from tilewright.tirx.layout import (
...     TileLayout, SwizzleLayout, ComposeLayout, S, R, laneid, warpid, tid_in_wg, TLane, TCol, m,
...     tcgen05_atom_layout, tmem_datapath_layout,
... )

A register tile: (8, 16) elements on warps 5 and 6, and copied to warps 9 and 10.

>>> tile = TileLayout(S[(8, 2, 4, 2) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2 : 4 @ warpid] + 5 @ warpid)
>>> i, j = 3, 12
>>> tile.apply(i, j, shape=(8, 16)) == [
...     {"laneid": 4 * i + j // 2 % 4, "warpid": j // 8 + 5 + 4 * r, "m": j % 2} for r in (0, 1)
... ]
True

An accumulator of 224 columns in tensor memory, and scale factors that all four warps see.

>>> accumulator = TileLayout(S[(2, 128, 112) : (112 @ TCol, 1 @ TLane, 1 @ TCol)])
>>> accumulator.apply(1, 5, 7, shape=(2, 128, 112)), accumulator.span("TCol")
({'TCol': 119, 'TLane': 5}, 224)
>>> scale = TileLayout(S[(32, 4) : (1 @ TLane, 1 @ TCol)] + R[4 : 32 @ TLane])
>>> [place["TLane"] for place in scale.apply(7, 0, shape=(32, 4))]
[7, 39, 71, 103]

The 128-byte swizzle spreads a column of float16 over the banks.

>>> rows = TileLayout(S[(8, 64) : (64 @ m, 1 @ m)])
>>> swizzled = ComposeLayout(SwizzleLayout(per_element=3, swizzle_len=3, atom_len=3), rows)
>>> [[layout.apply(i, 0, shape=(8, 64))["m"] // 2 % 32 for i in range(8)] for layout in (rows, swizzled)]
[[0, 0, 0, 0, 0, 0, 0, 0], [0, 4, 8, 12, 16, 20, 24, 28]]

Ready-made layouts are ordinary ones.

>>> tmem_datapath_layout("D", 128, 256)
TileLayout(S[(128, 256):(1 @ TLane, 1 @ TCol)])
>>> tcgen05_atom_layout("32x32b", (128, 64), "float32") == TileLayout(S[(128, 64) : (1 @ tid_in_wg, 1)])
True
"""

from tilewright.layout.axes import AXES, Axis
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.coords import CoordSet
from tilewright.tirx.explain import ElementSteps, MemoryPlace, explain_element
from tilewright.tirx.hardware.fragments import copy_fragment_layout, mma_fragment_layout
from tilewright.tirx.hardware.scale_factors import sf_smem_layout, sf_tmem_layout
from tilewright.tirx.hardware.shared import (
    SwizzleMode,
    get_swizzle_mode_from_layout,
    mma_atom_layout,
    mma_atom_shape,
    mma_shared_layout,
)
from tilewright.tirx.hardware.tcgen05 import tcgen05_atom_layout, wg_local_layout
from tilewright.tirx.hardware.tmem import tmem_datapath_layout, tmem_mma_operand_layout
from tilewright.tirx.iters import Iter
from tilewright.tirx.spec import R, S
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

bx, by, bz = AXES["bx"], AXES["by"], AXES["bz"]
cbx, cby, cbz = AXES["cbx"], AXES["cby"], AXES["cbz"]
tx, warpid, laneid = AXES["tx"], AXES["warpid"], AXES["laneid"]
wgid, tid_in_wg, wid_in_wg = AXES["wgid"], AXES["tid_in_wg"], AXES["wid_in_wg"]
gpuid, pid = AXES["gpuid"], AXES["pid"]
m, P, F, Bank, TCol, TLane = AXES["m"], AXES["P"], AXES["F"], AXES["Bank"], AXES["TCol"], AXES["TLane"]

# The names that TVM keeps for its older programs.
tma_atom_layout, tma_atom_shape, tma_shared_layout = mma_atom_layout, mma_atom_shape, mma_shared_layout

__all__ = [
    "Axis",
    "Bank",
    "bx",
    "by",
    "bz",
    "cbx",
    "cby",
    "cbz",
    "ComposeLayout",
    "CoordSet",
    "copy_fragment_layout",
    "ElementSteps",
    "explain_element",
    "F",
    "get_swizzle_mode_from_layout",
    "gpuid",
    "Iter",
    "laneid",
    "m",
    "MemoryPlace",
    "mma_atom_layout",
    "mma_atom_shape",
    "mma_fragment_layout",
    "mma_shared_layout",
    "P",
    "pid",
    "R",
    "S",
    "sf_smem_layout",
    "sf_tmem_layout",
    "SwizzleLayout",
    "SwizzleMode",
    "tcgen05_atom_layout",
    "TCol",
    "tid_in_wg",
    "TileLayout",
    "TLane",
    "tma_atom_layout",
    "tma_atom_shape",
    "tma_shared_layout",
    "tmem_datapath_layout",
    "tmem_mma_operand_layout",
    "tx",
    "warpid",
    "wg_local_layout",
    "wgid",
    "wid_in_wg",
]
