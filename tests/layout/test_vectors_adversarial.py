"""Cases at which other libraries fail, with what must be answered: proved by enumeration, not by a peer."""

from __future__ import annotations

from typing import Any

import oracle
import pytest
from answers import lawful
from vectors import by_operation, rows

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle

ROWS = by_operation(rows("adversarial.jsonl"))
ELSEWHERE = {"bank_conflicts", "convert_layout", "tirx_slice", "tirx_tile", "view_dtype_swizzled"}


def plain(value: Any) -> Any:
    """JSON lists as tuples; a pair of a shape and a stride as a layout."""
    return tuple(map(plain, value)) if isinstance(value, list) else value


def layout(pair: Any) -> Layout:
    return Layout(*plain(pair))


def operand(value: Any) -> Any:
    return layout(value) if isinstance(value, list) else value


def recast_swizzle(fields: list[int], words: str) -> Swizzle:
    old, new = (int(word) for word in words.split()[1].split("->"))
    return tw.recast_swizzle(Swizzle(*fields), old, new, byte_addressed="shared pointer" in words)


CALLS: dict[str, Any] = {
    "complement": lambda a, m: tw.complement(layout(a), m),
    "compose": lambda a, b: tw.composition(layout(a), layout(b)),
    "cosize": lambda *a: tw.cosize(Layout(*plain(list(a[0])))),
    "divide": lambda a, t: tw.logical_divide(layout(a), operand(t)),
    "linv": lambda a: tw.left_inverse(layout(a)),
    "product": lambda a, t: tw.logical_product(layout(a), operand(t)),
    "recast": lambda a, old, new: tw.recast_layout(layout(a), old, new),
    "recast_swizzle": recast_swizzle,
    "rinv": lambda a: tw.right_inverse(layout(a)),
    "shape": lambda shape, stride: Layout(plain(shape), plain(stride)),
    "slice_composed": lambda s, a, c: tw.slice(plain(c), ComposedLayout(Swizzle(*s), 0, layout(a))),
    "swizzle": Swizzle,
    "to_f2": lambda a: layout(a).to_linear(),
    "zipped_divide": lambda a, t: tw.zipped_divide(layout(a), plain(t)),
}
LAWS = {
    "complement": "complement",
    "compose": "composition",
    "divide": "logical_divide",
    "linv": "left_inverse",
    "product": "logical_product",
    "recast": "recast_layout",
    "rinv": "right_inverse",
    "zipped_divide": "zipped_divide",
}


def holds(row: dict[str, Any], found: Any) -> bool:
    """Is the answer what the row expects?"""
    expect, kind = row["expect"], row["expect"]["kind"]
    if kind.startswith("function"):
        return [found(i) for i in range(found.size)] == expect["table"] and (
            "refines" not in expect or oracle.refines(found.shape, plain(expect["refines"]))
        )
    if kind.startswith("law"):
        maximal = row["op"] != "rinv" or found.size == oracle.longest_right_inverse(layout(row["args"][0]))
        return maximal and bool(lawful(LAWS[row["op"]], [operand(a) for a in map(_tiler, row["args"])], found))
    if kind == "swizzle":
        return (found.b, found.m, found.s) == tuple(expect["value"])
    if kind == "identity":
        return all(found(x) == x for x in range(64))
    return bool(found == (Layout(*expect["value"]) if kind == "layout" else expect["value"]))


def _tiler(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) and None in value else value


@pytest.mark.parametrize("operation", sorted(ROWS.keys() - ELSEWHERE))
def test_every_row_is_right_or_refused(operation: str) -> None:
    wrong = []
    for row in ROWS[operation]:
        kind = row["expect"]["kind"]
        try:
            found = CALLS[operation](*row["args"])
        except LayoutError as refusal:
            wrong += [] if "refuse" in kind and "undecided" not in str(refusal) else [(row, str(refusal))]
        else:
            wrong += [] if kind != "refuse" and holds(row, found) else [(row, str(found))]
    assert wrong == []
