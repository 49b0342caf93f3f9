"""Law 54: grouping keeps the map and gives every dimension its iters; permuting iters permutes digits."""

from __future__ import annotations

from itertools import pairwise
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tirx_model import digits, flatten, places, size, table
from tirx_strategies import AXES, shapes, tiles

from tilewright.errors import LayoutError
from tilewright.tirx.layout import R, S, TileLayout, laneid


def can_group(layout: TileLayout, shape: list[int]) -> bool:
    """Is every cumulative product of the shape reached by splitting one extent, between the others, into factors?"""
    reached = {1}
    before = 1
    for extent in layout.shape:
        reached |= {before * d for d in range(1, extent + 1) if extent % d == 0}
        before *= extent
    targets, total = [], 1
    for extent in shape:
        total *= extent
        targets.append(total)
    chain = sorted({*targets, *_boundaries(layout.shape)})
    return total == before and all(t in reached for t in targets) and all(b % a == 0 for a, b in pairwise(chain))


def _boundaries(shape: tuple[int, ...]) -> list[int]:
    return [prod(shape[: i + 1]) for i in range(len(shape))]


@given(tiles(AXES), st.data())
def test_group_keeps_the_map_and_exists_whenever_it_can(layout: TileLayout, data: st.DataObject) -> None:
    shape = data.draw(shapes(size(layout)))
    if not can_group(layout, shape):
        with pytest.raises(LayoutError, match="can not be grouped by shape"):
            layout.group(shape)
        return
    if not layout.shard:
        return
    grouped, seps = layout.group(shape)
    assert table(grouped) == table(layout)
    assert [prod(grouped.shape[a:b]) for a, b in pairwise(seps)] == shape
    assert (seps[0], seps[-1]) == (0, len(grouped.shard))


@given(tiles(AXES), st.data())
def test_group_many_refines_for_every_shape(layout: TileLayout, data: st.DataObject) -> None:
    several = [data.draw(shapes(size(layout))) for _ in range(data.draw(st.integers(1, 3)))]
    try:
        refined, all_seps = layout.group_many(several)
    except LayoutError:
        sequences = [*several, list(layout.shape)]
        chain = sorted({prod(s[: i + 1]) for s in sequences for i in range(len(s))})
        assert any(b % a for a, b in pairwise(chain))
        return
    assert table(refined) == table(layout)
    for shape, seps in zip(several, all_seps, strict=True):
        assert [prod(refined.shape[a:b]) for a, b in pairwise(seps)] == shape


@given(tiles(AXES), st.data())
def test_permuting_iters_permutes_digits(layout: TileLayout, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(layout.shard))))
    permuted = layout.permute_dims(order)
    for flat in range(size(permuted)):
        taken = digits(flat, permuted.shape)
        original = [0] * len(order)
        for position, k in enumerate(order):
            original[k] = taken[position]
        assert places(permuted, flat) == places(layout, flatten(original, layout.shape))


def test_groups_are_permuted_whole() -> None:
    layout, seps = TileLayout(S[(8, 8) : (8, 1)]).tile_to([64, 64], [8, 8]).group([64, 64])
    assert layout.permute_by_groups(seps, [1, 0]) == layout.permute_dims([2, 3, 0, 1])
    assert layout.permute_by_groups(seps, [0, 1]) == layout
    for wrong in ([0, 0], [0], [0, 1, 2]):
        with pytest.raises(LayoutError, match="invalid perm"):
            layout.permute_by_groups(seps, wrong)


def test_digits_of_a_logical_shape() -> None:
    assert TileLayout(S[16, 16]).apply_to_shape([5, 7], [16, 16]) == [5, 7]
    assert TileLayout(S[16, 4, 4]).apply_to_shape([5, 7], [16, 16]) == [5, 1, 3]
    assert TileLayout(S[4, 4, 4, 4]).apply_to_shape([13, 9], [16, 16]) == [3, 1, 2, 1]


def test_group_example_and_refusals() -> None:
    grouped, seps = TileLayout(S[4, 32] + R[2 : 1 @ laneid]).group([8, 1, 16])
    assert grouped == TileLayout(S[(4, 2, 1, 16) : (32, 16, 16, 1)] + R[2 : 1 @ laneid])
    assert seps == [0, 2, 3, 4]
    for shapes_ in ([], [[]], [[5, 2]]):
        with pytest.raises(LayoutError):
            TileLayout(S[4, 3]).group_many(shapes_)
    with pytest.raises(LayoutError, match="group_many has incompatible cumulative boundaries: 4 does not divide 6"):
        TileLayout(S[12]).group_many([[4, 3], [6, 2]])
