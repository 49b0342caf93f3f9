"""The types that FlyDSL 0.4.2 infers, by text; where ours differ on purpose, the reason is checked row by row."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import cycle
from typing import Any

import pytest
from answers import lawful
from vectors import by_operation, rows, unwrapped

from tilewright.errors import LayoutError, NotationError
from tilewright.ir.fly import infer
from tilewright.ir.fly.normal_form import canonical, innermost
from tilewright.ir.fly.type_reader import read
from tilewright.ir.fly.types import Tile
from tilewright.layout.inttuple import flatten, leaves, product
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.symint import SymInt

ROWS = by_operation(rows("flydsl.jsonl.gz"))
NUMBER = re.compile(r"-?\d+")
LEAF = re.compile(r"\?(?:\{(?:i\d+)? ?(?:div=(\d+))?\})?")


def texts(row: dict[str, Any]) -> list[str]:
    return [f"!fly.{kind}<{text}>" for kind, text in row["args"]]


def stored(row: dict[str, Any]) -> str:
    kind, text = row["expected"]
    return str(text) if kind == "bool" else f"!fly.{kind}<{text}>"


def answer(row: dict[str, Any]) -> str | None:
    try:
        return infer(row["op"], texts(row), row.get("attrs"))
    except (LayoutError, NotationError):
        return None


def operands(row: dict[str, Any]) -> list[Any]:
    values = [read(text) for text in texts(row)]
    by_mode = any(isinstance(value, Tile) for value in values)
    plain = [value.tiler if isinstance(value, Tile) else value for value in values]
    # What fly drops of profiles is no part of a law; a tile goes by the modes as they are.
    dropped = [canonical(x) if isinstance(x, Layout) and not by_mode else x for x in plain]
    return dropped + list(row.get("attrs", {}).values())


def name(row: dict[str, Any]) -> str:
    return str(row["op"].removeprefix("fx."))


def judge(row: dict[str, Any], ours: Any) -> bool:
    if name(row) == "tile_to_shape":  # which rounds up here, as FlyDSL's does, where the layout half refuses
        block, shape, _ = operands(row)
        return bool(ours.size % block.size == 0 and ours.size >= product(shape))
    first, *rest = operands(row)
    if isinstance(first, Layout) and name(row) == "composition" and first.rank == 1 and isinstance(rest[0], tuple):
        rest[0] = rest[0][0]  # fly dropped the tuple of one mode
    return lawful(name(row), [first, *rest], ours) is not False


# ---- why a row is marked: what FlyDSL's answer breaks, and ours does not


def breaks_its_law(row: dict[str, Any], ours: str | None) -> bool:
    """FlyDSL's answer is not lawful; ours is, or there is none."""
    try:
        theirs = read(stored(row))
    except LayoutError:
        return ours is None or lawful(name(row), operands(row), read(ours)) is not False
    if lawful(name(row), operands(row), theirs) is not False:
        return False
    return ours is None or bool(lawful(name(row), operands(row), read(ours)))


def wraps(row: dict[str, Any], ours: str | None) -> bool:
    """A number on the way to the answer is beyond 32 bits: FlyDSL wraps it, here it is exact or refused."""
    if ours is None or max(map(int, NUMBER.findall(ours))) >= 2**31:
        return True
    with pytest.raises(LayoutError, match="extents must be at least 1"):
        read(stored(row))
    return True


def has_another_tile(row: dict[str, Any], ours: str | None) -> bool:
    """The tile of a divided layout is the layout composed with the tiler, in which `*` leaves a mode as it is.

    FlyDSL composes so, but divides such a mode into its two parts, and dies where it has not two (its issue 739).
    """
    return ours is not None and has_its_tile(row, ours) and not has_its_tile(row, stored(row))


def has_its_tile(row: dict[str, Any], divided: str) -> bool:
    layout, tiler = operands(row)
    composed, whole = (innermost(read(text)) for text in (infer("fly.composition", texts(row)), divided))
    count = len(tiler)
    tile = whole[:count] if name(row) == "flat_divide" else whole[0]
    wanted = composed[:count] if innermost(layout).rank > 1 else composed
    return unwrapped(tile.shape) == unwrapped(wanted.shape) and live(tile) == live(wanted)


def live(layout: Layout) -> list[Any]:
    """The leaves that have more than one element: the others' strides are as one likes."""
    return [(extent, str(step)) for extent, step in layout.flat if extent > 1]


def no_extent(row: dict[str, Any], ours: str | None) -> bool:
    """An extent below 1 has no coordinate: every law of the algebra is about extents of 1 and more."""
    return ours is None and min(leaves(operands(row)[0])) < 1


def wrong_at_values(row: dict[str, Any], ours: str | None) -> bool:
    """At values of the run-time leaves the operation is refused, or FlyDSL's type does not cover the answer."""
    found = [answer({**row, "args": at_values(row, values)}) for values in ((2, 3, 5), (4, 6, 10), (8, 12, 20))]
    return any(value is None or not covers(stored(row), value) for value in found)


def at_values(row: dict[str, Any], values: tuple[int, ...]) -> list[list[str]]:
    supply = cycle(values)
    return [[kind, LEAF.sub(lambda leaf: str(int(leaf[1] or 1) * next(supply)), text)] for kind, text in row["args"]]


def covers(declared: str, value: str) -> bool:
    wanted, found = (flatten((layout.shape, layout.stride)) for layout in map(read, (declared, value)))  # type: ignore[union-attr]  # both are layouts
    return len(wanted) == len(found) and all(
        v % d.div == 0 if isinstance(d, SymInt) else v == d for d, v in zip(wanted, found, strict=True)
    )


WHY: dict[str, Callable[[dict[str, Any], str | None], bool]] = {
    "32 bits": wraps,
    "extent": no_extent,
    "function": breaks_its_law,
    "tile": has_another_tile,
    "values": wrong_at_values,
}


@pytest.mark.parametrize("operation", ROWS)
def test_types_are_those_of_flydsl(operation: str) -> None:
    right = [row for row in ROWS[operation] if "expected" in row and not row.get("peer_wrong")]
    assert [(row["id"], stored(row), ours) for row in right if (ours := answer(row)) != stored(row)] == []


@pytest.mark.parametrize("why", WHY)
def test_what_a_marked_row_breaks_is_what_its_mark_says(why: str) -> None:
    marked = [row for rows in ROWS.values() for row in rows if row.get("why") == why]
    assert marked
    assert [(row["id"], stored(row), answer(row)) for row in marked if not WHY[why](row, answer(row))] == []


@pytest.mark.parametrize("operation", ["zipped_divide", "tiled_divide", "flat_divide"])
def test_the_tile_of_a_divided_layout_is_the_layout_composed_with_the_tiler(operation: str) -> None:
    """Ours of every row, and FlyDSL's of those that are not marked."""
    by_tiles = [row for row in ROWS[operation] if row["args"][1][1].startswith("[") and "?" not in str(row)]
    answered = [(row, ours) for row in by_tiles if (ours := answer(row)) is not None]
    assert [(row["id"], ours) for row, ours in answered if not has_its_tile(row, ours)] == []
    assert len(answered) > 40


@pytest.mark.parametrize("operation", ROWS)
def test_where_flydsl_dies_or_is_wrong_the_answer_is_lawful_or_a_refusal(operation: str) -> None:
    for row in ROWS[operation]:
        if "error" not in row and not row.get("peer_wrong"):
            continue
        ours = answer(row)
        if ours is not None and "?" not in ours:
            assert judge(row, read(ours)), (row, ours)
        if "error" in row and row["error"] != "abort":
            assert ours is None, (row, ours)


def test_nothing_is_left_out() -> None:
    assert sum(map(len, ROWS.values())) > 5800
    assert len(ROWS) > 50
