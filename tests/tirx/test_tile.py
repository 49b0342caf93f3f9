"""Law 53: tiling and direct sums, what they mean, and that the recognisers undo them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tirx_model import add, base, copies, flatten, place, points, scaled, size, table
from tirx_strategies import shapes, tiles

from tilewright.errors import LayoutError
from tilewright.target import Target
from tilewright.tirx.layout import (
    ComposeLayout,
    R,
    S,
    SwizzleLayout,
    TileLayout,
    laneid,
    tx,
    warpid,
)

SMALL = tiles(st.sampled_from(["m", "laneid"]), limit=12)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[TileLayout, list[int], TileLayout, list[int]]:
    """Two layouts with shapes of one rank by which they can be grouped."""
    outer, inner = draw(SMALL), draw(SMALL)
    first, second = draw(shapes(size(outer))), draw(shapes(size(inner)))
    rank = max(len(first), len(second))
    first, second = [1] * (rank - len(first)) + first, [1] * (rank - len(second)) + second
    assume(outer.shard and inner.shard)
    try:
        inner.direct_sum(outer, first, second)
    except LayoutError:
        assume(False)
    return outer, first, inner, second


def sum_of(outer: TileLayout, first: list[int], inner: TileLayout, second: list[int], factors: dict[str, int]) -> Any:
    """The places of outer(o) * factors + inner(i), by the interleaved coordinate."""
    shift = [add(a, b) for a in copies(outer) for b in copies(inner)]
    offset = {axis.name: value for axis, value in outer.offset.items()}
    out = []
    for coord in points([n for pair in zip(first, second, strict=True) for n in pair]):
        step = add(base(outer, flatten(coord[0::2], first)), scaled(offset, -1))
        moved = {axis: value * factors.get(axis, 1) for axis, value in step.items()}
        here = add(moved, offset, base(inner, flatten(coord[1::2], second)))
        out.append(frozenset(place(add(here, s)) for s in shift))
    return out


@given(pairs())
def test_tile_puts_the_inner_layout_into_every_element(pair: Any) -> None:
    outer, first, inner, second = pair
    tiled = inner.tile(outer, first, second)
    axes = {it.axis.name for it in inner.shard if it.extent > 1} or {inner.shard[0].axis.name}
    factors = {axis: max(inner.span(axis), inner.extent(axis)) for axis in axes}
    assert table(tiled) == sum_of(outer, first, inner, second, factors)


def axes_of(iters: Any) -> set[str]:
    return {it.axis.name for it in iters if it.extent > 1 and it.stride}


@given(pairs())
def test_tiles_of_injective_layouts_do_not_overlap(pair: Any) -> None:
    outer, first, inner, second = pair
    scaled_axes = axes_of(inner.shard)
    apart = axes_of(inner.replica) <= scaled_axes and not axes_of(outer.replica) & scaled_axes
    if apart and outer.is_injective() and inner.is_injective():
        tiled = inner.tile(outer, first, second)
        assert tiled.is_injective()
        places = table(tiled)
        assert sum(map(len, places)) == len(frozenset().union(*places))


@pytest.mark.parametrize(
    ("inner", "outer"),
    [
        (S[2 : 1 @ laneid] + R[2:1], S[2:1]),  # copies on an axis that only they use: it is not scaled
        (S[2:1], S[2:1] + R[2:2]),  # outer's copies, which are not scaled either
    ],
)
def test_copies_elsewhere_may_overlap(inner: Any, outer: Any) -> None:
    inside, outside = TileLayout(inner), TileLayout(outer)
    assert inside.is_injective()
    assert outside.is_injective()
    assert not inside.tile(outside, [2], [2]).is_injective()


def composed(tile: TileLayout, shape: list[int]) -> list[Any]:
    """A tile, a swizzle over it, and the bare swizzle, each of which may be the inner or the right one."""
    return [tile, ComposeLayout(1, 1, 2, tile), SwizzleLayout(1, 1, 2)]


ANY_SHAPE = st.lists(st.integers(1, 6), min_size=1, max_size=3)


@given(SMALL, SMALL, ANY_SHAPE, ANY_SHAPE, st.data())
def test_recognisers_answer_for_shapes_of_any_size(
    known: TileLayout, whole: TileLayout, counts: list[int], part: list[int], data: st.DataObject
) -> None:
    """None, or a factor that undoes it: it is no error that a layout has no such shape, if one divides the other."""
    rank = min(len(counts), len(part))
    counts, part = counts[:rank], part[:rank]
    shape = [a * b for a, b in zip(counts, part, strict=True)]
    mine = data.draw(st.sampled_from(composed(known, part)))
    other = data.draw(st.sampled_from([*composed(whole, shape), mine]))
    outer = mine.is_tile_inner(other, shape, part)
    assert outer is None or mine.tile(outer, counts, part).equivalent(over(other, shape))
    inner = mine.is_tile_outer(other, shape, part)
    assert inner is None or inner.tile(mine, part, counts).equivalent(over(other, shape))
    both = [n for pair in zip(counts, part, strict=True) for n in pair]
    left = mine.is_direct_sum_right(other, both, part)
    assert left is None or mine.direct_sum(left, counts, part).equivalent(over(other, both))
    both = [n for pair in zip(part, counts, strict=True) for n in pair]
    right = mine.is_direct_sum_left(other, both, part)
    assert right is None or right.direct_sum(mine, part, counts).equivalent(over(other, both))


def over(layout: Any, shape: list[int]) -> Any:
    """The layout; of a bare swizzle the one over the row-major tile of that shape."""
    return layout.compose(shape) if isinstance(layout, SwizzleLayout) else layout


@given(pairs())
def test_recognisers_undo_tiling(pair: Any) -> None:
    outer, first, inner, second = pair
    tiled = inner.tile(outer, first, second)
    whole = [a * b for a, b in zip(first, second, strict=True)]
    found_outer = inner.is_tile_inner(tiled, whole, second)
    assert found_outer is not None
    assert inner.tile(found_outer, first, second).equivalent(tiled)
    found_inner = outer.is_tile_outer(tiled, whole, first)
    if found_inner is not None:
        assert found_inner.tile(outer, first, second).equivalent(tiled)
    elif not outer.replica:
        raise AssertionError(f"{outer} tiles {inner} to {tiled}, and is not recognised")


@given(pairs())
def test_direct_sum_adds_and_is_undone(pair: Any) -> None:
    left, first, right, second = pair
    total = right.direct_sum(left, first, second)
    assert table(total) == sum_of(left, first, right, second, {})
    both = [n for pair in zip(first, second, strict=True) for n in pair]
    found = right.is_direct_sum_right(total, both, second)
    assert found is not None
    assert right.direct_sum(found, first, second).equivalent(total)
    found = left.is_direct_sum_left(total, both, first)
    assert found is not None
    assert found.direct_sum(left, first, second).equivalent(total)


@given(pairs(), SMALL)
def test_recognisers_never_lie(pair: Any, other: TileLayout) -> None:
    outer, first, inner, second = pair
    tiled = inner.tile(outer, first, second)
    whole = [a * b for a, b in zip(first, second, strict=True)]
    try:
        found = other.is_tile_inner(tiled, whole, second)
    except LayoutError:
        return
    if found is not None:
        assert table(other.tile(found, first, second)) == table(tiled)


def test_examples() -> None:
    assert TileLayout(S[8, 16]).tile(TileLayout(S[2, 4]), [2, 4], [8, 16]) == TileLayout(
        S[(2, 8, 4, 16) : (512, 16, 128, 1)]
    )
    assert TileLayout(S[8:1]).tile_to([64], [8]) == TileLayout(S[64:1])
    rows = TileLayout(S[(4, 8) : (-8, 1)])
    assert rows.tile(TileLayout(S[2:1]), [2], [32]).is_injective()
    warps = TileLayout(S[2 : 2 @ warpid] + R[2 : 1 @ warpid])
    block = TileLayout(S[(64, 128) : (128, 1)])
    tiled = block.tile(warps, [2, 1], [64, 128])
    assert tiled == TileLayout(S[(2, 8192) : (2 @ warpid, 1)] + R[2 : 1 @ warpid])
    assert block.is_tile_inner(tiled, [128, 128], [64, 128]).equivalent(warps)
    assert warps.is_tile_outer(tiled, [128, 128], [2, 1]).equivalent(block)


def test_what_is_no_tiling_is_not_recognised() -> None:
    inner, outer = TileLayout(S[(2, 4) : (1, 2)]), TileLayout(S[(8, 8) : (8, 1)])
    tiled = inner.tile(outer, [8, 8], [2, 4])
    assert outer.is_tile_inner(tiled, [16, 32], [8, 8]) is None
    assert inner.is_tile_outer(tiled, [16, 32], [2, 4]) is None
    assert inner.is_tile_inner(ComposeLayout(3, 3, 3, tiled), [16, 32], [2, 4]) is None
    assert outer.is_tile_outer(SwizzleLayout(3, 3, 3), [16, 32], [8, 8]) is None
    assert inner.is_direct_sum_left(ComposeLayout(3, 3, 3, tiled), [8, 2, 8, 4], [8, 8]) is None


def test_shapes_that_do_not_fit_are_refused() -> None:
    inner, outer = TileLayout(S[2, 4]), TileLayout(S[8:1])
    for wrong in (
        lambda: inner.tile(outer, [8], [2, 4]),
        lambda: inner.tile(outer, [4], [8]),
        lambda: inner.tile_to([3, 4], [2, 4]),
        lambda: inner.is_tile_inner(outer, [8], [3]),
        lambda: inner.is_direct_sum_right(outer, [8], [2, 4]),
        lambda: ComposeLayout(3, 3, 3, inner).is_tile_inner(ComposeLayout(3, 3, 3, outer), [8], [3]),
    ):
        with pytest.raises(LayoutError):
            wrong()


def test_a_swizzle_tiles_as_the_tile_below_it() -> None:
    swizzle, outer = SwizzleLayout(3, 3, 3), TileLayout(S[(8, 4) : (1, 8)])
    tiled = swizzle.tile(outer, (8, 4), (8, 64))
    assert tiled == ComposeLayout(swizzle, TileLayout(S[(64, 4, 64) : (64, 4096, 1)]))
    assert swizzle.is_tile_inner(tiled, (64, 256), (8, 64)).equivalent(outer)
    found = outer.is_tile_outer(tiled, (64, 256), (8, 4))
    assert found.equivalent(swizzle)
    again = tiled.tile(TileLayout(S[(2, 2) : (1, 2)]), (2, 2), (64, 256))
    assert swizzle.is_tile_inner(again, (128, 512), (8, 64)).equivalent(
        outer.tile(TileLayout(S[(2, 2) : (1, 2)]), (2, 2), (8, 4))
    )
    assert tiled.is_tile_outer(again, (128, 512), (2, 2)) is None
    assert SwizzleLayout(3, 2, 3).is_tile_inner(tiled, (64, 256), (8, 64)) is None


@given(pairs())
def test_recognisers_see_through_a_swizzle(pair: Any) -> None:
    outer, first, inner, second = pair
    swizzled = ComposeLayout(1, 1, 2, inner)
    whole = [a * b for a, b in zip(first, second, strict=True)]
    both = [n for pair in zip(first, second, strict=True) for n in pair]
    tiled, total = swizzled.tile(outer, first, second), swizzled.direct_sum(outer, first, second)
    assert swizzled.is_tile_inner(tiled, whole, second).equivalent(
        inner.is_tile_inner(tiled.tile_layout, whole, second)
    )
    assert swizzled.is_direct_sum_right(total, both, second).equivalent(
        inner.is_direct_sum_right(total.tile_layout, both, second)
    )
    below, right = outer.is_tile_outer(tiled, whole, first), outer.is_direct_sum_left(total, both, first)
    assert below is None or (below.swizzle == swizzled.swizzle and below.tile(outer, first, second).equivalent(tiled))
    assert right.direct_sum(outer, first, second).equivalent(total)


def test_a_bare_swizzle_is_over_the_row_major_tile_that_is_asked_about() -> None:
    for swizzle in (SwizzleLayout(3, 3, 3), SwizzleLayout(3, 3, 3).compose((8, 64))):
        outer = swizzle.is_tile_inner(SwizzleLayout(3, 3, 3), (32, 64), (8, 64))
        assert outer.equivalent(TileLayout(S[4:1]))
        left = swizzle.is_direct_sum_right(SwizzleLayout(3, 3, 3), (4, 8, 1, 64), (8, 64))
        assert left.equivalent(TileLayout(S[4:512]))
    assert TileLayout(S[4:1]).is_tile_outer(SwizzleLayout(3, 3, 3), (32, 64), (4, 1)).size() == 512


def test_summands_are_found_where_the_copies_of_the_sum_run_downwards() -> None:
    for shift, e, f, s in product((-3, 0, 5), (2, 3), (2, 3, 4), (1, 2)):
        known, other = TileLayout(S[2:16] + R[e:s]), TileLayout(S[2:32])
        total = TileLayout(S[(2, 2) : (32, 16)] + R[e * f : -s] + shift)
        left, right = known.is_direct_sum_right(total, [2, 2], [2]), other.is_direct_sum_left(total, [2, 2], [2])
        tiled = TileLayout(S[(2, 2) : (known.span("m"), 16)] + R[e * f : -s] + shift)
        assert table(known.direct_sum(left, [2], [2])) == table(total)
        assert table(right.direct_sum(other, [2], [2])) == table(total)
        assert table(known.tile(known.is_tile_inner(tiled, [4], [2]), [2], [2])) == table(tiled)


def test_thread_axes_are_split_where_a_factor_ends() -> None:
    with Target("cuda"):
        tiled = TileLayout(S[(2, 8, 2, 4, 2) : (64 @ tx, 4 @ tx, 32 @ tx, 1 @ tx, 1)])
        warp = TileLayout(S[(8, 1, 4, 2) : (4 @ laneid, 2, 1 @ laneid, 1)])
        warps = TileLayout(S[(2, 2) : (2 @ warpid, 1 @ warpid)])
        assert warp.is_tile_inner(tiled, [16, 16], [8, 8]).equivalent(warps)
        assert warps.is_tile_outer(tiled, [16, 16], [2, 2]).equivalent(TileLayout(S[(32, 2) : (1 @ laneid, 1)]))
        assert (
            TileLayout(S[2:1])
            .is_tile_inner(tiled, [16, 16], [1, 2])
            .equivalent(TileLayout(S[(2, 8, 2, 4) : (64 @ tx, 4 @ tx, 32 @ tx, 1 @ tx)]))
        )
