"""Law 50: apply is the set { D(x) + r + O }, in every way of asking for it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tirx_model import copies, digits, place, places, points, size, table
from tirx_model import flatten as row_major
from tirx_strategies import AXES, shapes, tiles

from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout
from tilewright.tirx.layout import (
    ComposeLayout,
    CoordSet,
    R,
    S,
    SwizzleLayout,
    TileLayout,
    laneid,
    warpid,
)

ANY = tiles(AXES)


def as_places(found: Any) -> frozenset[Any]:
    """What apply gives, as a set of places."""
    return frozenset(map(place, found if isinstance(found, CoordSet) else [found]))


@given(ANY)
def test_apply_is_the_definition(layout: TileLayout) -> None:
    assert [as_places(layout.apply(x)) for x in range(size(layout))] == table(layout)


@given(ANY)
def test_a_replica_gives_a_set_and_nothing_else_does(layout: TileLayout) -> None:
    found = layout.apply(0)
    assert isinstance(found, CoordSet if layout.replica else dict)
    if isinstance(found, CoordSet):
        offsets = {place(copy) for copy in copies(layout)}
        assert len(found) == len(offsets) <= math.prod(it.extent for it in layout.replica)
        assert found.base() == next(iter(found))
        assert place(found.base()) == place(layout.base(0))


@given(ANY, st.data())
def test_apply_in_any_shape_is_apply_of_the_flat_number(layout: TileLayout, data: st.DataObject) -> None:
    shape = data.draw(shapes(size(layout)))
    for coord in points(shape):
        flat = row_major(coord, shape)
        assert as_places(layout.apply(*coord, shape=shape)) == places(layout, flat)


@given(ANY)
def test_apply_by_the_digits_of_the_iters(layout: TileLayout) -> None:
    for flat in range(size(layout)) if len(layout.shard) > 1 else ():
        assert as_places(layout.apply(*digits(flat, layout.shape))) == places(layout, flat)


@given(ANY)
def test_beyond_the_domain_the_outermost_digit_goes_on(layout: TileLayout) -> None:
    for flat in range(size(layout), 2 * size(layout) + 1) if layout.shard else ():
        assert as_places(layout.apply(flat)) == places(layout, flat)


def rows(values: dict[str, Any], index: Any) -> frozenset[Any]:
    """The places that arrays hold at an index, over the replicas."""
    columns = {axis: np.atleast_1d(column[index]).tolist() for axis, column in values.items()}
    count = max(map(len, columns.values()), default=1)
    return frozenset(place({axis: column[k] for axis, column in columns.items()}) for k in range(count))


@given(ANY, st.data())
def test_arrays_give_arrays_of_the_same_values(layout: TileLayout, data: st.DataObject) -> None:
    shape = data.draw(shapes(size(layout)))
    found = layout.apply(*np.indices(shape), shape=shape)
    assert isinstance(found, dict)
    for coord in points(shape):
        assert rows(found, coord) == places(layout, row_major(coord, shape))


@given(ANY)
def test_the_table_holds_every_place(layout: TileLayout) -> None:
    values = layout.table()
    assert [rows(values, flat) for flat in range(size(layout))] == table(layout)


@given(tiles(AXES, replicas=False, offsets=False))
def test_the_shard_is_the_layout_with_its_iters_reversed(layout: TileLayout) -> None:
    """Law 56: one order is the other backwards, and the way back restores the map."""
    cute = layout.to_layout()
    for flat in range(size(layout)):
        value = cute(flat)
        vector = value if isinstance(value, dict) else {"m": value}
        assert frozenset([place(vector)]) == places(layout, flat)
    assert TileLayout.from_layout(cute).equivalent(layout)


@given(tiles(AXES, replicas=False, offsets=False))
def test_a_layout_survives_the_way_to_tirx_and_back(layout: TileLayout) -> None:
    cute = Layout(tuple(reversed(layout.shape)), tuple(reversed(layout.strides)))
    assert TileLayout.from_layout(cute).to_layout() == (cute if layout.shard else Layout((1,), (0,)))


def test_document_003_register_tile() -> None:
    layout = TileLayout(S[(8, 2, 4, 2) : (4 @ laneid, 1 @ warpid, 1 @ laneid, 1)] + R[2 : 4 @ warpid] + 5 @ warpid)
    for i in range(8):
        for j in range(16):
            lane, slot = 4 * i + j // 2 % 4, j % 2
            copies = [{"laneid": lane, "warpid": j // 8 + 5 + 4 * r, "m": slot} for r in (0, 1)]
            assert layout.apply(i, j, shape=(8, 16)) == copies == layout.apply(16 * i + j)
            assert layout.base(i, j, shape=(8, 16)) == copies[0]


@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), st.booleans(), tiles(st.just("m")))
def test_a_composed_layout_permutes_the_addresses(
    per_element: int, swizzle_len: int, gap: int, inner: bool, tile: TileLayout
) -> None:
    layout = ComposeLayout(SwizzleLayout(per_element, swizzle_len, swizzle_len + gap, inner), tile)
    if not (tile.shard or tile.replica or tile.offset):
        return
    assert [as_places(layout.apply(x)) for x in range(size(layout))] == table(layout)


@pytest.mark.parametrize("coord", [(1, 2, 3), (1.5,), ("1",), (None,), ([1, 2],)])
def test_wrong_coordinates_are_refused(coord: tuple[Any, ...]) -> None:
    with pytest.raises(LayoutError):
        TileLayout(S[8, 8]).apply(*coord)


def test_a_swizzle_over_other_axes_is_refused() -> None:
    with pytest.raises(LayoutError, match="not on m alone"):
        ComposeLayout(3, 3, 3, TileLayout(S[(8, 64) : (1 @ laneid, 1)])).apply(0)


def test_narrow_arrays_do_not_wrap_around() -> None:
    layout = TileLayout(S[(8, 64) : (1024, 1)])
    narrow = layout.apply(np.arange(8, dtype=np.int8), np.int8(63), shape=(8, 64))
    assert narrow["m"].tolist() == [1024 * i + 63 for i in range(8)]
    assert layout.apply(np.uint8(255)) == layout.apply(255)


@pytest.mark.parametrize(
    ("layout", "coord"),
    [
        (TileLayout(S[8:1]), np.array([0.5])),
        (TileLayout(S[8 : 1 << 60]), np.arange(8)),
        (TileLayout(S[8 : 1 << 40]), np.array([1 << 40])),
        (TileLayout(S[(1 << 31, 1 << 31) : (1, 1 << 30)]), np.array([1 << 62])),
    ],
)
def test_arrays_that_would_wrap_around_are_refused(layout: TileLayout, coord: Any) -> None:
    with pytest.raises(LayoutError):
        layout.apply(coord)


def test_more_copies_than_can_be_listed_are_refused() -> None:
    with pytest.raises(LayoutError, match="too many"):
        TileLayout(S[8:1] + R[1 << 40 : 1]).apply(0)
    with pytest.raises(LayoutError, match="at most"):
        TileLayout(S[8:1] + R[1 << 30 : 1]).table()
