"""Texts as people paste them, each with what it says beside it, and what that means, worked out in plain Python.

`tests/data/pasted.jsonl` has a text a line, where it is from, and one statement:

    shape, stride [, swizzle, offset | bytes, address]   a layout; behind `bytes` the swizzle acts on byte addresses
    swizzle | tuple | basis                              these alone
    shard, replica, offset [, swizzle]                   (extent, stride, axis), the last of the shard fastest
    tensor, owned                                        (register, lane, warp) -> element by rows, a layout each
    memory, stride [, swizzle | gaps | rotating]         element of a tile -> offset; `cells` are rows and columns
    held                                                 (thread, value) -> element, as CUTLASS prints it: A, B and C
                                                         of an MMA, S and D of a copy, an atom or tiled

Texts of compilers are what g++, nvcc and nm say of types that were written with the statement.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.layout.axes import AxisSum
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.layout import ComposeLayout, TileLayout

Row: TypeAlias = dict[str, Any]
SOME = 97  # elements of a layout that are compared, evenly spread; of small ones all


@cache
def rows() -> tuple[Row, ...]:
    """The texts and their statements."""
    lines = (Path(__file__).parents[1] / "data" / "pasted.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(map(json.loads, lines))


def agrees(found: object, row: Row) -> bool:
    """Is what was read what the statement says, by its values?"""
    if "shape" in row:
        return isinstance(found, Layout | ComposedLayout) and _is_layout(found, row)
    if "held" in row:
        return all(_is_held(found, operand, *told) for operand, told in row["held"].items())
    if "shard" in row:
        return isinstance(found, TileLayout | ComposeLayout) and _is_tile(found, row)
    if "owned" in row:
        return isinstance(found, LinearLayout) and _is_distributed(found, row)
    if "memory" in row or "cells" in row:
        return _is_memory(found, row)
    if "swizzle" in row:
        return isinstance(found, Swizzle) and all(found(i) == swizzled(row["swizzle"], i) for i in range(4096))
    if "basis" in row:
        return isinstance(found, AxisSum) and found.terms == ((tuple(row["basis"]), 1),)
    return bool(_lists(found) == row["tuple"])


def swizzled(fields: list[int], x: int) -> int:
    """The bits [m + max(s, 0), ..) of x, b of them, are xored to those s lower."""
    b, m, s = fields
    taken = ((1 << b) - 1) << (m + max(s, 0))
    return x ^ ((x & taken) >> s if s >= 0 else (x & taken) << -s)


def dot(i: int, shape: Any, stride: Any) -> Counter[str]:
    """The value at a colexicographic index, on the axes that strides name; "" is memory."""
    found: Counter[str] = Counter()
    for extent, step in zip(leaves(shape), leaves(stride), strict=True):
        i, digit = divmod(i, extent)
        for axis, value in (step if isinstance(step, dict) else {"": step}).items():
            found[axis] += digit * value
    return found


def leaves(tree: Any) -> Iterator[Any]:
    """The numbers of nested lists."""
    for item in tree if isinstance(tree, list) else [tree]:
        if isinstance(item, list):
            yield from leaves(item)
        else:
            yield item


def size(shape: Any) -> int:
    """The product of the extents."""
    found = 1
    for extent in leaves(shape):
        found *= extent
    return found


def _is_held(found: object, operand: str, shape: Any, stride: Any) -> bool:
    """Do an atom's threads hold what the statement says, value by value?"""
    if isinstance(found, TiledMma):
        own = found.tiled_tv_layout(operand)
    elif isinstance(found, MmaAtom):
        own = found.tv_layout(operand)
    elif isinstance(found, TiledCopy):
        own = found.tiled_tv_layout_S if operand == "S" else found.tiled_tv_layout_D
    else:
        assert isinstance(found, CopyAtom)
        own = found.tv_layout_src if operand == "S" else found.tv_layout_dst
    whole = size(shape)
    return own.size == whole and all(own(i) == dot(i, shape, stride)[""] for i in _some(whole))


def _some(count: int) -> Iterator[int]:
    return (i * (count - 1) // (SOME - 1) for i in range(SOME)) if count > SOME else iter(range(count))


def _is_layout(found: Layout | ComposedLayout, row: Row) -> bool:
    if _lists(found.shape) != row["shape"]:
        return False
    return all(_values(found(i)) == _said(row, i) for i in _some(size(row["shape"])))


def _said(row: Row, i: int) -> dict[str, int]:
    """What the statement says of an element, an entry an axis, none of them 0."""
    at, first = dot(i, row["shape"], row["stride"]), row.get("offset", 0)
    for axis, value in enumerate(first) if isinstance(first, list) else [("", first)]:
        at[str(axis)] += value
    if "bytes" in row:
        address, width, (b, m, s) = row.get("address", 0), row["bytes"], row["swizzle"]
        block = address >> (b + m + s) << (b + m + s)
        at[""] = (swizzled(row["swizzle"], address + at[""] * width) - block) // width
    elif "swizzle" in row:
        at[""] = swizzled(row["swizzle"], at[""])
    return {axis: value for axis, value in at.items() if value}


def _values(value: object) -> dict[str, int]:
    """A value of a layout, or the numbers on its axes."""
    if isinstance(value, dict):
        named = {"" if axis == "m" else str(axis): int(number) for axis, number in value.items()}
        return {axis: number for axis, number in named.items() if number}
    if isinstance(value, tuple):
        return {axis: number for axis, number in _paths(value) if number}
    assert isinstance(value, int)
    return {"": value} if value else {}


def _paths(value: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[str, int]]:
    for i, item in enumerate(value):
        if isinstance(item, tuple):
            yield from _paths(item, (*path, i))
        else:
            yield ",".join(map(str, (*path, i))), item


def _is_tile(found: TileLayout | ComposeLayout, row: Row) -> bool:
    whole = size([extent for extent, _, _ in row["shard"]])
    return all(
        sorted(map(_sorted, _places(found, i))) == sorted(map(_sorted, _said_places(row, i))) for i in _some(whole)
    )


def _sorted(place: dict[str, int]) -> list[tuple[str, int]]:
    return sorted((axis, value) for axis, value in place.items() if value)


def _places(found: TileLayout | ComposeLayout, i: int) -> list[dict[str, int]]:
    given: Any = found.apply(i)
    return [dict(given)] if isinstance(given, dict) else [dict(place) for place in given]


def _said_places(row: Row, i: int) -> Iterator[dict[str, int]]:
    at: Counter[str] = Counter(row["offset"])
    for extent, step, axis in reversed(row["shard"]):
        i, digit = divmod(i, extent)
        at[axis] += digit * step
    if "swizzle" in row:
        at["m"] = swizzled(row["swizzle"], at["m"])
    for copy in itertools.product(*(range(extent) for extent, _, _ in row["replica"])):
        there = at.copy()
        for k, (_, step, axis) in zip(copy, row["replica"], strict=True):
            there[axis] += k * step
        yield there


def _is_distributed(found: LinearLayout, row: Row) -> bool:
    owners, ins = row["owned"], dict(found.ins)
    counts = {name: size(shape) for name, (shape, _) in owners.items()}
    if any(ins.get(name, 1) != count for name, count in counts.items()) or sizes(found) != row["tensor"]:
        return False
    for i in _some(size(list(counts.values()))):
        at, flat = dict.fromkeys(ins, 0), 0
        for name, (shape, stride) in owners.items():
            i, own = divmod(i, counts[name])
            at[name] = own
            flat += dot(own, shape, stride)[""]
        if element(found, at, row["tensor"]) != flat:
            return False
    return True


def sizes(found: LinearLayout) -> list[int]:
    """The extents of its outputs."""
    return [count for _, count in found.outs]


def element(found: LinearLayout, at: dict[str, int], shape: list[int]) -> int:
    """The flat index, by rows, that it gives."""
    index = 0
    for extent, value in zip(shape, found.apply(at).values(), strict=True):
        index = index * extent + value
    return index


def _is_memory(found: object, row: Row) -> bool:
    tile = row.get("memory") or row["cells"]
    return all(_holds(found, row, divmod(i, tile[1])) for i in _some(tile[0] * tile[1]))


def _holds(found: object, row: Row, at: tuple[int, ...]) -> bool:
    """Does the element lie where the statement says?"""
    if "cells" in row:
        assert isinstance(found, LinearLayout)
        return tuple(found.apply({"row": at[0], "col": at[1]}).values()) == at
    offset = sum(i * step for i, step in zip(at, row["stride"], strict=True))
    if "gaps" in row:
        offset += sum(offset // every * gap for every, gap in row["gaps"])
    if "swizzle" in row:
        offset = swizzled(row["swizzle"], offset)
    if "rotating" in row:
        vec, per_phase, phases = row["rotating"]
        offset ^= vec * ((at[0] // per_phase % phases) ^ (at[0] // per_phase // phases % phases))
    if isinstance(found, Layout | ComposedLayout):
        return bool(found(at) == offset)
    assert isinstance(found, LinearLayout)
    return tuple(found.apply(dict.fromkeys(dict(found.ins), 0) | {"offset": offset}).values()) == at


def _lists(tree: object) -> object:
    return [_lists(item) for item in tree] if isinstance(tree, tuple | list) else tree
