"""C++ CuTe (CUTLASS 4.7.0) as a second opinion: the same text wherever it answers and is right."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from answers import lawful
from vectors import by_operation, rows, same

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle, parse
from tilewright.layout.inttuple import to_text

ROWS = by_operation(rows("cute.jsonl.gz"))
SWIZZLED_TEXT = "M0|"


def operands(row: dict[str, Any]) -> list[Any]:
    args = [parse(text) for text in row["args"]]
    swizzled = len(args) > 1 and isinstance(args[0], Swizzle) and isinstance(args[1], Layout)
    return [tw.composition(*args[:2]), *args[2:]] if swizzled and "composition" not in row["op"] else args


def answer(operation: str, args: list[Any]) -> Any:
    """The operation of a row on our side."""
    name, _, form = operation.removesuffix("@mixed").removesuffix("_values").partition("_identity")
    if "_identity" in operation and not form and name != "make":
        return answer(name, [tw.make_identity_layout(args[0]), *args[1:]])
    if name in CALLS:
        return CALLS[name](*args)
    return getattr(tw, operation.removesuffix("@mixed"))(*args)


CALLS: dict[str, Any] = {
    "swizzle": lambda s: s,
    "composition_swizzle": tw.composition,
    "composition_layout_swizzle": tw.composition,
    "right_inverse": tw.right_inverse,
    "ceil_div_layout": tw.ceil_div,
    "crd2idx_shape": tw.crd2idx,
    "make_ordered_layout": lambda shape, order: tw.make_ordered_layout(shape, order, ties="overlap"),
    "recast_swizzle_ptr": lambda layout: tw.recast_layout(layout, 16, 8),
    "slice_row": lambda layout, c: tw.slice((c, None), layout),
    "slice_row_dyn": lambda layout, c: tw.slice((c, None), layout),
    "slice_col": lambda layout, c: tw.slice((None, c), layout),
}


def text(x: Any) -> str:
    if isinstance(x, tuple) and any(isinstance(item, Layout) for item in x):
        return f"({','.join(map(text, x))})"
    return to_text(x) if isinstance(x, tuple) else str(int(x)) if isinstance(x, bool) else str(x)


def judge(row: dict[str, Any]) -> str:
    """Nothing if our answer is right, else what is wrong with it."""
    args = operands(row)
    try:
        found = answer(row["op"], args)
    except LayoutError as refusal:
        return "" if row.get("error") or row.get("peer_wrong") or row.get("overcover") else f"refused: {refusal}"
    operation = row["op"].removesuffix("@mixed")
    if row.get("peer_wrong") or row.get("error"):
        return "" if lawful(operation, args, found) in (True, None) else f"unlawful: {found}"
    if _agrees(row, found) or ("@mixed" in row["op"] and lawful(operation, args, found)):
        return ""
    return f"{text(found)[:200]}, not {str(row['result'])[:200]}"


def _agrees(row: dict[str, Any], found: Any) -> bool:
    stored = row["result"]
    if isinstance(stored, list):
        return [found(i) for i in range(len(stored))] == stored
    if row["op"].startswith("slice_") and row["op"] != "slice_and_offset":
        return _same_up_to_a_constant(found, stored)
    return text(found) == stored or ("@mixed" in row["op"] and same(found, parse(stored)))


def _same_up_to_a_constant(found: Any, stored: str) -> bool:
    """Slices of swizzled layouts are stored without their offset; where C++ finds a plain layout, so do we."""
    swizzle, tracked, inner = stored.partition(f" o {SWIZZLED_TEXT}")
    if tracked:
        offset, _, inner = inner.partition("=")[2].partition(" o ")
        stored = f"{swizzle} o {offset} o {inner}"
    expected = parse(stored)
    plain = isinstance(found, Layout) or found.outer.b == 0
    differences = {found(i) - expected(i) for i in range(expected.size)}
    return len(differences) == 1 and found.size == expected.size and (plain or isinstance(expected, ComposedLayout))


@pytest.mark.parametrize("operation", ROWS)
def test_every_row_is_answered_as_cute_does_or_better(operation: str) -> None:
    wrong = [(row["args"], complaint) for row in ROWS[operation] if (complaint := judge(row))]
    assert wrong == []


def test_nothing_is_left_out() -> None:
    assert sum(map(len, ROWS.values())) > 3800
    assert len(ROWS) > 80


def test_layouts_of_equal_orders_are_compact_where_cutes_overlap() -> None:
    """Seven rows have equal orders: CuTe's modes begin at one stride; by position the image is every number once."""
    rows = [[parse(text) for text in row["args"]] for row in ROWS["make_ordered_layout"]]
    overlapping = [args for args in rows if not tw.is_injective(tw.make_ordered_layout(*args, ties="overlap"))]
    assert len(overlapping) == 7
    for shape, order in rows:
        found = tw.make_ordered_layout(shape, order)
        assert sorted(found(i) for i in range(found.size)) == list(range(found.size))
        if [shape, order] not in overlapping:
            assert found == tw.make_ordered_layout(shape, order, ties="overlap")


def test_orders_tell_which_mode_is_faster_and_positions_where_they_are_equal() -> None:
    """Exhaustively in a small world, against strides counted up mode by mode."""
    for shape in product((1, 2, 3), repeat=3):
        for order in product(range(3), repeat=3):
            stride, step = [0, 0, 0], 1
            for i in sorted(range(3), key=lambda i: (order[i], i)):
                stride[i] = step if shape[i] > 1 else 0
                step *= shape[i]
            assert tw.make_ordered_layout(shape, order) == Layout(shape, tuple(stride))
    with pytest.raises(LayoutError, match="by position, or overlap"):
        tw.make_ordered_layout((4, 8), (0, 0), ties="first")
