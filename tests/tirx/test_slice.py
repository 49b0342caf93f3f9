"""Law 52: a slice has the parent's table in its region, and exists whenever a layout has that table."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tirx_model import base, fits, flatten, points, region_table, size, table
from tirx_strategies import AXES, regions, shapes, tiles

from tilewright.errors import LayoutError
from tilewright.layout.symbolic.symint import SymInt
from tilewright.tirx.layout import ComposeLayout, Iter, R, S, SwizzleLayout, TileLayout, laneid, m, warpid
from tilewright.tirx.spec import LayoutSpec


@given(tiles(AXES), st.data())
def test_a_slice_is_its_region_and_exists_whenever_it_can(layout: TileLayout, data: st.DataObject) -> None:
    shape = data.draw(shapes(size(layout)))
    region = data.draw(regions(shape))
    try:
        found = layout.slice(shape, region)
    except LayoutError:
        found = None
    if found is None:
        extents = [end - begin for begin, end in region]
        corner = [begin for begin, _ in region]
        flat = [flatten([c + b for c, b in zip(p, corner, strict=True)], shape) for p in points(extents)]
        assert not fits([base(layout, x) for x in flat])
    else:
        assert table(found) == region_table(layout, shape, region)


@given(tiles(st.just("m"), offsets=False), st.integers(0, 3), st.data())
def test_a_composed_slice_keeps_the_swizzle(tile: TileLayout, bits: int, data: st.DataObject) -> None:
    if not tile.shard:
        return
    layout = ComposeLayout(SwizzleLayout(1, bits, 3), tile)
    shape = data.draw(shapes(size(layout)))
    region = data.draw(regions(shape))
    try:
        found = layout.slice(shape, region)
    except LayoutError:
        return
    assert found is None or table(found) == region_table(layout, shape, region)


@pytest.mark.parametrize(
    ("spec", "shape", "region", "expected"),
    [
        (S[(8, 64) : (1, 8)], [512], [(96, 160)], S[(2, 32) : (-255, 8)] + 257),
        (S[(3, 128, 128) : (16384, 128, 1)], [3, 128, 128], [(1, 2), (0, 128), (0, 64)],
         S[(1, 128, 64) : (16384, 128, 1)] + 16384),
        (S[(4, 8) : (1 @ laneid, 1)], [32], [(8, 16)], S[(1, 8) : (1 @ laneid, 1)] + 1 @ laneid + 0 @ m),
        (S[(8, 8) : (8, 1)] + R[2:64] + 5, [64], [(5, 8)], S[3:1] + R[2:64] + 10),
    ],
)  # fmt: skip
def test_examples(spec: LayoutSpec, shape: list[int], region: list[tuple[int, int]], expected: LayoutSpec) -> None:
    assert TileLayout(spec).slice(shape, region) == TileLayout(expected)


def test_a_carry_beyond_the_next_iter_is_no_straight_step() -> None:
    """The straddle rule must look at where the carry ends, not only at its own iter."""
    layout = TileLayout(S[(2, 2, 8) : (100, 10, 1)])
    found = layout.slice([32], [(12, 20)])
    assert found == TileLayout(S[(2, 4) : (86, 1)] + 14)
    assert table(found) == region_table(layout, [32], [(12, 20)])


def test_a_carry_between_two_axes_needs_a_stride_on_both() -> None:
    layout = TileLayout(S[(4, 8) : (1 @ laneid, 1)])
    found = layout.slice([32], [(4, 12)])
    assert found is not None
    assert table(found) == region_table(layout, [32], [(4, 12)])
    assert repr(found) == "TileLayout(S[(2, 4):((1 @ laneid + -4), 1)] + (0 @ laneid + 4))"


def test_begins_may_be_known_at_run_time_only() -> None:
    stage = SymInt("stage", lower=0, upper=2)
    layout = TileLayout(S[(3, 128, 128) : (16384, 128, 1)])
    found = layout.slice([3, 128, 128], [(stage, stage + 1), (0, 128), (0, 128)])
    assert found is not None
    assert found.offset[next(iter(found.offset))] == 16384 * stage
    rows = SymInt("rows", div=32, lower=0, upper=96)
    tile = TileLayout(S[(4, 32, 2) : (1 @ warpid, 1 @ laneid, 1)])
    part = tile.slice([128, 2], [(rows, rows + 32), (0, 2)])
    assert part is not None
    assert part.shard == TileLayout(S[(1, 32, 2) : (1 @ warpid, 1 @ laneid, 1)]).shard
    assert part.slice([32, 2], [(0, 32), (0, 1)]) is not None


def test_an_unaligned_run_time_begin_across_a_carry_is_no_layout() -> None:
    row = SymInt("row", lower=0, upper=96)
    assert TileLayout(S[(4, 32) : (1 @ warpid, 1 @ laneid)]).slice([128], [(row, row + 32)]) is None


@pytest.mark.parametrize(
    ("shape", "region"),
    [
        ([8, 8], [(7, 9), (0, 8)]),
        ([8, 8], [(3, 3), (0, 8)]),
        ([8, 8], [(-1, 2), (0, 8)]),
        ([8, 8], [(0, 8)]),
        ([64], [(0.5, 2)]),
        ([64], [7]),
        ([0, 64], [(0, 1), (0, 1)]),
        ([8, 8], [(0, SymInt("n")), (0, 8)]),
    ],
)
def test_regions_outside_the_shape_are_refused(shape: list[int], region: list[object]) -> None:
    with pytest.raises(LayoutError):
        TileLayout(S[8, 8]).slice(shape, region)


def test_a_shape_that_cuts_iters_is_named() -> None:
    with pytest.raises(LayoutError, match="can not be grouped by shape"):
        TileLayout(S[(5, 7) : (100, 3)]).slice([7, 5], [(1, 3), (0, 4)])


def test_large_slices_across_a_carry_are_undecided() -> None:
    with pytest.raises(LayoutError, match="undecided"):
        TileLayout(S[(8, 1 << 24) : (1, 8)]).slice([1 << 27], [(3, 1 << 25)])


def test_a_range_that_ends_with_its_iter_needs_no_table() -> None:
    wide = TileLayout(S[(4, 1 << 30) : (1 << 31, 1)])
    half = wide.slice([1 << 32], [(1 << 29, 1 << 30)])
    assert half == TileLayout(S[(1 << 29) : 1] + (1 << 29))


def test_every_range_of_small_dimensions_is_cut_right_or_not_at_all() -> None:
    for layout in (TileLayout(S[(3, 4) : (10, 1)]), TileLayout(S[(2, 3, 4) : (100, 7, 1)])):
        size = layout.size()
        for begin in range(size):
            for end in range(begin + 1, size + 1):
                made = layout.slice([size], [(begin, end)])
                wanted = [layout.apply(x) for x in range(begin, end)]
                assert made is None or [made.apply(x) for x in range(end - begin)] == wanted


@pytest.mark.parametrize("outer", ["warpid", "laneid", "m"])
@pytest.mark.parametrize("inner", ["warpid", "laneid", "m"])
def test_a_step_of_nothing_stays_on_the_axis_that_is_cut(outer: str, inner: str) -> None:
    layout = TileLayout.from_iters([Iter(2, 0, outer), Iter(2, 0, inner), Iter(4, 1, "tx")])
    if inner != outer:  # else they are one iter
        found = layout.slice([16], [(4, 12)])
        assert found is not None
        assert [it for it in found.shard if it.extent > 1] == [Iter(2, 0, inner), Iter(4, 1, "tx")]
