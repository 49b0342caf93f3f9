"""The TIRx layout API: layouts over named axes, their builders, the axes themselves, ready-made hardware layouts."""

from tilewright.layout.axes import AXES, Axis
from tilewright.tirx.coords import CoordSet
from tilewright.tirx.iters import Iter
from tilewright.tirx.spec import R, S
from tilewright.tirx.swizzled import ComposeLayout, SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

bx, by, bz = AXES["bx"], AXES["by"], AXES["bz"]
cbx, cby, cbz = AXES["cbx"], AXES["cby"], AXES["cbz"]
tx, warpid, laneid = AXES["tx"], AXES["warpid"], AXES["laneid"]
wgid, tid_in_wg, wid_in_wg = AXES["wgid"], AXES["tid_in_wg"], AXES["wid_in_wg"]
gpuid, pid = AXES["gpuid"], AXES["pid"]
m, P, F, Bank, TCol, TLane = AXES["m"], AXES["P"], AXES["F"], AXES["Bank"], AXES["TCol"], AXES["TLane"]

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
    "F",
    "gpuid",
    "Iter",
    "laneid",
    "m",
    "P",
    "pid",
    "R",
    "S",
    "SwizzleLayout",
    "TCol",
    "tid_in_wg",
    "TileLayout",
    "TLane",
    "tx",
    "warpid",
    "wgid",
    "wid_in_wg",
]
