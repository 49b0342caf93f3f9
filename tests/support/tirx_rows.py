"""Rows that another TIRx implementation recorded: how a row is asked of ours, and how the answers are compared."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tilewright.tirx import layout as tirx
from tilewright.tirx.layout import ComposeLayout, CoordSet, Iter, TileLayout

DATA = Path(__file__).parents[1] / "data" / "tirx.jsonl.gz"
Row = dict[str, Any]


def rows() -> list[Row]:
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def build(text: Row) -> Any:
    """The layout of a row's dictionary."""
    if text["t"] == "compose":
        return ComposeLayout(text["M"], text["B"], text["A"], build(text["tile"]), swizzle_inner=text["inner"])
    return TileLayout.from_iters([Iter(*it) for it in text["S"]], [Iter(*it) for it in text["R"]], text["O"])


def plain(text: str) -> str:
    """A printed text without the prefixes of its script."""
    return text.replace("T.", "").replace("Axis.", "")


def ask(row: Row) -> Any:
    """Our answer to the question of a row."""
    op = row["op"].removeprefix("compose_")
    if op in CONSTRUCTORS:
        return CONSTRUCTORS[op](row)
    if op == "swizzle_table":
        return swizzle_table(row)
    return METHODS[op](build(row["layout"]), row)


def agrees(ours: Any, row: Row) -> bool:
    """Is our answer the recorded one: the same text, or the same map?"""
    theirs = row["res"]
    if isinstance(theirs, dict) and "t" in theirs:
        return ours is not None and same_map(ours, theirs)
    if row["op"] in ("group", "group_many"):
        return same_map(ours[0], theirs[0]) and ours[1] == theirs[1]
    if row["op"] == "print":
        return bool(ours == plain(theirs))
    if isinstance(theirs, dict):
        return point(ours) == point(theirs)
    if row["op"] == "table":
        return [point(p) for p in ours] == [point(p) for p in theirs]
    return bool(ours == theirs)


def same_map(ours: Any, theirs: Row) -> bool:
    return str(ours) == plain(theirs["str"]) or ours.equivalent(build(theirs))


def point(place: Row) -> Row:
    """A place without the axes on which it is 0."""
    return {axis: value for axis, value in place.items() if value}


def swizzle_table(row: Row) -> list[int]:
    layout = ComposeLayout(row["M"], row["B"], row["A"], TileLayout.row_major((64,)), swizzle_inner=row["inner"])
    return [layout.base(i)["m"] for i in range(len(row.get("res", ())))]


def get_scope(layout: TileLayout, row: Row) -> list[str] | None:
    scopes = layout.get_scope()
    return None if scopes is None else list(scopes)


METHODS: dict[str, Callable[[Any, Row], Any]] = {
    "apply": lambda x, row: x.base(*row["coord"], shape=row["shape"]),
    "table": lambda x, row: [x.base(i) for i in range(len(row["res"]))],
    "size": lambda x, row: x.size(*([row["axis"]] if "axis" in row else [])),
    "span": lambda x, row: x.span(*([row["axis"]] if "axis" in row else [])),
    "print": lambda x, row: str(x),
    "is_swizzle": lambda x, row: x.is_swizzle(),
    "is_trivial": lambda x, row: x.is_trivial(),
    "storage": lambda x, row: x.storage(),
    "get_scope": get_scope,
    "verify_well_formed": lambda x, row: x.verify_well_formed(),
    "canonicalize": lambda x, row: x.canonicalize(row.get("target")),
    "slice": lambda x, row: x.slice(row["shape"], row["region"]),
    "pack": lambda x, row: x.pack(row["num"]),
    "unpack": lambda x, row: x.unpack(row["num"]),
    "broadcast": lambda x, row: x.broadcast(row["num"], row["position"]),
    "permute_dims": lambda x, row: x.permute_dims(row["perm"]),
    "group": lambda x, row: list(x.group(row["shape"])),
    "group_many": lambda x, row: list(x.group_many(row["shapes"])),
    "tile": lambda x, row: x.tile(build(row["outer"]), row["outer_shape"], row["inner_shape"]),
    "direct_sum": lambda x, row: x.direct_sum(build(row["left"]), row["left_shape"], row["right_shape"]),
    "is_tile_inner": lambda x, row: x.is_tile_inner(build(row["tiled"]), row["tiled_shape"], row["inner_shape"]),
    "is_tile_outer": lambda x, row: x.is_tile_outer(build(row["tiled"]), row["tiled_shape"], row["outer_shape"]),
    "is_direct_sum_left": lambda x, row: x.is_direct_sum_left(build(row["sum"]), row["interleaved"], row["left_shape"]),
    "is_direct_sum_right": lambda x, row: x.is_direct_sum_right(
        build(row["sum"]), row["interleaved"], row["right_shape"]
    ),
}

CONSTRUCTORS: dict[str, Callable[[Row], Any]] = {
    "tmem_datapath_layout": lambda r: tirx.tmem_datapath_layout(r["datapath"], r["rows"], r["cols"], r["sub_slab"]),
    "tcgen05_atom_layout": lambda r: tirx.tcgen05_atom_layout(r["instr"], tuple(r["tensor_shape"]), r["dtype"]),
    "wg_local_layout": lambda r: tirx.wg_local_layout(r["cols"], r["rows"]),
    "tmem_mma_operand_layout": lambda r: tirx.tmem_mma_operand_layout(
        r["operand"],
        tuple(r["shape"]),
        "float32",
        **{k: r[k] for k in ("M", "cta_group", "ws", "sparse", "group") if k in r},
    ),
    "mma_atom_layout": lambda r: tirx.mma_atom_layout(r["dtype"], r["swizzle"]),
    "mma_atom_shape": lambda r: list(tirx.mma_atom_shape(r["dtype"], r["swizzle"])),
    "mma_shared_layout": lambda r: tirx.mma_shared_layout(r["dtype"], r["swizzle"], r["shape"]),
    "sf_smem_layout": lambda r: tirx.sf_smem_layout(
        r["rows"], r["SF_K"], r["sf_per_mma"], r["sf_reuse"], r["pipe_depth"]
    ),
    "sf_tmem_layout": lambda r: tirx.sf_tmem_layout(
        r["rows"], r["SF_K"], r["sf_per_mma"], r["sf_reuse"], r["pipe_depth"]
    ),
}

OPS = (*METHODS, *CONSTRUCTORS, "swizzle_table")

__all__ = ["OPS", "CoordSet", "Row", "agrees", "ask", "build", "plain", "point", "rows", "same_map"]
