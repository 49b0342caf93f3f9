"""Placements by name: those of TIRx's page on layouts, and the ready-made ones of the hardware."""

from __future__ import annotations

from tilewright.explorer.tab import Preset
from tilewright.tirx.hardware.scale_factors import sf_tmem_layout
from tilewright.tirx.hardware.tcgen05 import tcgen05_atom_layout
from tilewright.tirx.hardware.tmem import tmem_datapath_layout
from tilewright.tirx.iters import Iter
from tilewright.tirx.tile_layout import TileLayout


def _written(shape: str, shard: str, replica: str = "", offset: str = "", **more: str) -> dict[str, str]:
    return {"shape": shape, "shard": shard, "replica": replica, "offset": offset, **more}


def _of(shape: tuple[int, ...], layout: TileLayout, **more: str) -> dict[str, str]:
    offset = " + ".join(f"{value}@{axis}" for axis, value in layout.offset.items())
    return _written(str(shape).replace(" ", ""), _iters(layout.shard), _iters(layout.replica), offset, **more)


def _iters(iters: tuple[Iter, ...]) -> str:
    extents, strides = (
        ",".join(map(str, part)) for part in ([i.extent for i in iters], [f"{i.stride}@{i.axis}" for i in iters])
    )
    return f"({extents}):({strides})" if len(iters) > 1 else f"{extents}:{strides}" if iters else ""


def _shared(mode: str) -> Preset:
    words = (
        "a column meets one bank" if mode == "none" else "a column meets more banks; 128B frees it: play the columns"
    )
    title = "shared tile, plain" if mode == "none" else f"shared tile, {mode} swizzle"
    return Preset(title, _written("(8,64)", "(8,64):(64@m,1@m)", swizzle=mode), words)


PRESETS = (
    Preset("shard to lanes", _written("(8,4)", "(8,4):(4@laneid,1@laneid)"), "one element a lane"),
    Preset("shard with registers", _written("(8,8)", "(8,4,2):(4@laneid,1@laneid,1@m)"), "two registers a lane"),
    Preset(
        "shard with replica", _written("(8,4)", "(8,4):(2@laneid,1@laneid)", "2:4@warpid"), "each element in two warps"
    ),
    Preset("tensor-core tile", {}, "a tile of two warps, copied to two more, from warp 5 on"),
    Preset("2x2 mesh", _written("(4,4)", "(2,2,2,2):(2@gpuid,2@m,1@gpuid,1@m)"), "quarters of a matrix on a mesh"),
    Preset(
        "mesh with replica",
        _written("(4,4)", "(2,2,4):(1@gpuid,4@m,1@m)", "2:2@gpuid"),
        "rows on two, copied to two more",
    ),
    Preset("P/F scratchpad", _written("(8,16)", "(8,16):(1@P,1@F)"), "partitions down, free dimension right"),
    Preset(
        "TLane/TCol",
        _written("(128,8)", "(128,8):(1@TLane,1@TCol)", dtype="float32"),
        "an accumulator in tensor memory",
    ),
    *map(_shared, ("none", "32B", "64B", "128B")),
    Preset("1-D", _written("(64)", "64:1@laneid"), "a line, wrapped every 32"),
    Preset(
        "WGMMA D fragment",
        _written("(64,8)", "(4,2,8,4,2):(32@tid_in_wg,2@m,4@tid_in_wg,1@tid_in_wg,1@m)", dtype="float32"),
        "the accumulator's registers in a warpgroup",
    ),
    Preset(
        "tcgen05.ld 32x32b",
        _of((128, 8), tcgen05_atom_layout("32x32b", (128, 8), "float32"), dtype="float32"),
        "a row a thread, in a warpgroup's own registers",
    ),
    Preset(
        "tcgen05.ld 16x64b",
        _of((128, 8), tcgen05_atom_layout("16x64b", (128, 8), "float32"), dtype="float32"),
        "quarters of a row a thread",
    ),
    Preset("tcgen05.ld 16x128b", _of((128, 8), tcgen05_atom_layout("16x128b", (128, 8), "float32"), dtype="float32")),
    Preset(
        "accumulator, M = 64",
        _of((64, 8), tmem_datapath_layout("F", 64, 8), dtype="float32"),
        "rows scattered over the lanes",
    ),
    Preset(
        "accumulator of two SMs",
        _of((64, 8), tmem_datapath_layout("B", 64, 8), dtype="float32"),
        "one CTA's part of a pair's tile",
    ),
    Preset(
        "scale factors",
        _of((128, 4), sf_tmem_layout(128, 4, 4), dtype="float8_e4m3fn"),
        "32 rows copied to all four warps' lanes; TCol counts elements of 8 bits, four to a column of tensor memory",
    ),
)
