"""FlyDSL 0.4.2 as a second opinion: the same function wherever its answer is lawful. Run-time leaves are elsewhere.

Where the two differ on purpose, the rule says so: CuTe drops modes beyond a tiler and fly keeps them, so fly's tilers
are filled up with None here; CuTe keeps a stride of 0.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from answers import lawful
from vectors import by_operation, rows, same

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, NotationError, parse
from tilewright.layout.inttuple import leaves

ROWS = by_operation([row for row in rows("flydsl.jsonl.gz") if "?" not in json.dumps(row) and "CS<" not in str(row)])

CALLS: dict[str, Any] = {
    "make_ordered_layout": lambda shape, order: tw.make_ordered_layout(shape, order, ties="overlap"),
    "composed_get_inner": lambda c: c.outer,
    "composed_get_offset": lambda c: c.offset,
    "composed_get_outer": lambda c: c.inner,
    "composition": lambda a, b: tw.composition(a, filled(a, b)),
    "slice": lambda x, c: tw.slice(c, x),
    "dice": lambda x, c: tw.dice(c, x),
}
ATTRIBUTES = {
    "get": ("mode",),
    "select": ("indices",),
    "take": ("begin", "end"),
    "group": ("begin", "end"),
    "append": ("n",),
    "prepend": ("n",),
    "recast_layout": ("old", "new"),
}
OUT_OF_NOTATION = object()


def filled(layout: Any, tiler: Any) -> Any:
    """fly's tiler with None for the modes beyond it, and without its own modes beyond the layout."""
    if isinstance(tiler, tuple):
        return (*tiler, *(None,) * (layout.rank - len(tiler)))[: layout.rank]
    return tiler


def read(tagged: list[str]) -> Any:
    try:
        return tagged[1] == "true" if tagged[0] == "bool" else parse(tagged[1])
    except (NotationError, LayoutError):
        return OUT_OF_NOTATION


def judge(row: dict[str, Any]) -> str:
    """Nothing if our answer is right, else what is wrong with it."""
    name = row["op"].removeprefix("fx.")
    args = [read(arg) for arg in row["args"]]
    stored = read(row["expected"]) if "expected" in row else None
    if OUT_OF_NOTATION in args or stored is OUT_OF_NOTATION:
        return ""
    more = [row.get("attrs", {}).get(key) for key in ATTRIBUTES.get(name, ())]
    try:
        found = CALLS.get(name, getattr(tw, name, None))(*args, *more)
    except LayoutError as refusal:
        refused = "error" in row or row.get("peer_wrong") or row.get("overcover")
        unlawful = stored is not None and lawful(name, [*args, *more], stored) is False
        ours = name in REFUSED and REFUSED[name](args)
        return "" if refused or unlawful or ours else f"refused: {refusal}"
    if "error" in row or row.get("peer_wrong"):
        return "" if lawful(name, [*args, *more], found) in (True, None) else f"unlawful: {found}"
    if same(found, stored) or (name in DIFFERENT and DIFFERENT[name](args, found, stored)):
        return ""
    better = lawful(name, [*args, *more], stored) is False and lawful(name, [*args, *more], found)
    return "" if better else f"{found}, not {stored}"


def has_zeros(layout: Any) -> bool:
    return isinstance(layout, Layout) and 0 in leaves(layout.stride)


def exact(args: list[Any], found: Any, stored: Any) -> bool:
    """fly forgets the swizzle and the offset."""
    return isinstance(args[0], ComposedLayout) and found == 1 + max(args[0](i) for i in range(args[0].size))


DIFFERENT: dict[str, Any] = {
    "make_layout_like": lambda args, found, stored: has_zeros(args[0]) and found.shape == stored.shape,
    "make_fragment_layout_like": lambda args, found, stored: has_zeros(args[0]) and found.size == stored.size,
    "cosize": exact,
    "left_inverse": lambda args, found, stored: lawful("left_inverse", args, found),
}
REFUSED: dict[str, Any] = {
    "append": lambda args: tw.rank(args[0]) == 1,
}


@pytest.mark.parametrize("operation", ROWS)
def test_every_row_is_the_same_function_or_better(operation: str) -> None:
    wrong = [(row["id"], row["args"], complaint) for row in ROWS[operation] if (complaint := judge(row))]
    assert wrong == []


def test_nothing_is_left_out() -> None:
    assert sum(map(len, ROWS.values())) > 5100
    assert len(ROWS) > 50
