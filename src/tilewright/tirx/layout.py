"""The TIRx layout API: layouts over named axes, their builders, the axes themselves, ready-made hardware layouts."""

from tilewright.layout.axes import AXES, Axis
from tilewright.tirx.coords import CoordSet
from tilewright.tirx.explain import ElementSteps, MemoryPlace, explain_element
from tilewright.tirx.fragments import mma_fragment_layout
from tilewright.tirx.iters import Iter
from tilewright.tirx.scale_factors import sf_smem_layout, sf_tmem_layout
from tilewright.tirx.shared import (
    SwizzleMode,
    get_swizzle_mode_from_layout,
    mma_atom_layout,
    mma_atom_shape,
    mma_shared_layout,
)
from tilewright.tirx.spec import R, S
from tilewright.tirx.swizzled import ComposeLayout, SwizzleLayout
from tilewright.tirx.tcgen05 import tcgen05_atom_layout, wg_local_layout
from tilewright.tirx.tile_layout import TileLayout
from tilewright.tirx.tmem import tmem_datapath_layout, tmem_mma_operand_layout

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
