"""Law 55, and what the remaining operations mean: sizes, element width, broadcast, storage, injectivity, Trainium."""

from __future__ import annotations

from itertools import combinations_with_replacement, product
from math import prod
from operator import mul

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tirx_model import add, base, copies, place, places, scaled, size, table
from tirx_strategies import AXES, tiles

from tilewright.errors import LayoutError
from tilewright.tirx.layout import (
    Bank,
    ComposeLayout,
    F,
    Iter,
    P,
    R,
    S,
    SwizzleLayout,
    TileLayout,
    laneid,
    warpid,
)

ANY = tiles(AXES)


def values(layout: TileLayout, axis: str) -> list[int]:
    """Every value on one axis, by enumeration."""
    found = [add(base(layout, x), copy) for x in range(size(layout)) for copy in copies(layout)]
    return [vector.get(axis, 0) for vector in found]


@given(ANY, st.sampled_from(["m", "laneid", "TCol", "P"]))
def test_span_extent_and_cosize_are_those_of_the_image(layout: TileLayout, axis: str) -> None:
    image = values(layout, axis)
    assert layout.extent(axis) == max(image) - min(image) + 1
    assert layout.cosize(axis) == max(image) + 1
    steps = [it.stride for it in (*layout.shard, *layout.replica) if it.axis.name == axis and it.extent > 1]
    assert layout.span(axis) == (layout.extent(axis) if min(steps, default=0) < 0 else layout.cosize(axis))


@given(ANY)
def test_without_an_axis_the_memory_axes_count_together(layout: TileLayout) -> None:
    axes = {it.axis for it in (*layout.shard, *layout.replica)} | set(layout.offset)
    memory = [axis for axis in axes if axis.is_memory()]
    assert layout.cosize() == 1 + sum(layout.cosize(axis) - 1 for axis in memory)
    assert layout.extent() == 1 + sum(layout.extent(axis) - 1 for axis in memory)
    assert layout.size() == prod(layout.shape)
    assert layout.size("laneid") == prod(it.extent for it in layout.shard if it.axis is laneid)


@given(ANY, st.integers(1, 4))
def test_unpack_scales_everything_and_counts_the_parts(layout: TileLayout, num: int) -> None:
    small = layout.unpack(num)
    for flat in range(size(layout)):
        for part in range(num):
            whole = [add(scaled(add(base(layout, flat), copy), num), {"m": part}) for copy in copies(layout)]
            assert places(small, flat * num + part) == frozenset(map(place, whole))


@given(ANY, st.integers(1, 4))
def test_pack_undoes_unpack_and_never_cuts_an_element(layout: TileLayout, num: int) -> None:
    assert layout.unpack(num).pack(num).equivalent(layout)
    try:
        packed = layout.pack(num)
    except LayoutError:
        return
    assert [table(packed.unpack(num))[i] for i in range(0, size(layout), num)] == table(layout)[::num]


@given(ANY, st.integers(1, 3), st.integers(-3, 3))
def test_broadcast_adds_a_dimension_that_sees_the_same_element(layout: TileLayout, num: int, position: int) -> None:
    count = len(layout.shard)
    if not -count - 1 <= position <= count:
        with pytest.raises(LayoutError):
            layout.broadcast(num, position)
        return
    wide = layout.broadcast(num, position)
    inner = prod(wide.shape[(position if position >= 0 else count + 1 + position) + 1 :])
    for flat in range(size(wide)):
        assert places(wide, flat) == places(layout, flat // (inner * num) * inner + flat % inner)


@given(ANY)
def test_storage_keeps_the_memory_axes(layout: TileLayout) -> None:
    kept = layout.storage()
    assert all(axis.is_memory() for axis in {it.axis for it in (*kept.shard, *kept.replica)} | set(kept.offset))
    assert kept.shard == tuple(it for it in layout.shard if it.axis.is_memory())


# Copies of one element that meet each other are one place; a stride on two axes counts on both.
@example(TileLayout(S[(4, 2) : (-4, 2)] + R[(3, 4) : (3 @ laneid, -2 @ laneid)]))
@example(TileLayout([Iter(2, 1 @ laneid + 3 @ warpid), Iter(4, 1, "laneid"), Iter(2, 1, "warpid")]))
@example(TileLayout([Iter(2, 1 @ laneid + 1 @ warpid), Iter(2, 1, "laneid"), Iter(2, 1, "warpid")]))
@example(TileLayout(S[(3, 3, 3) : (1, 4, 6)]))
@given(ANY)
def test_injective_means_disjoint_places(layout: TileLayout) -> None:
    whole = table(layout)
    assert layout.is_injective() == (len(frozenset().union(*whole)) == sum(map(len, whole)))


@given(tiles(st.sampled_from(["m", "laneid"]), limit=24, offsets=False))
def test_bijective_means_onto_a_box(layout: TileLayout) -> None:
    image = frozenset().union(*table(layout))
    onto = len(image) == layout.extent("m") * layout.extent("laneid") == size(layout)
    assert layout.is_bijective() == (onto and all(len(p) == 1 for p in table(layout)))


@given(ANY)
def test_trivial_means_the_identity_on_memory(layout: TileLayout) -> None:
    axes = {it.axis for it in layout.shard} | set(layout.offset)
    if layout.is_trivial():
        assert not {axis for point in frozenset().union(*table(layout)) for axis, _ in point} & {"laneid", "warpid"}
        assert [sum(v for _, v in next(iter(p))) for p in table(layout)] == list(range(size(layout)))
    elif len(axes) == 1 and next(iter(axes)).is_memory() and not layout.replica:
        assert [sum(v for _, v in next(iter(p))) for p in table(layout)] != list(range(size(layout)))


def test_packing_examples() -> None:
    assert TileLayout(S[(8, 16) : (16, 1)]).pack(2) == TileLayout(S[(8, 8) : (8, 1)])
    assert TileLayout(S[(8, 4) : (1 @ laneid, 1)] + R[2:8] + 3).unpack(2) == TileLayout(
        S[(8, 4, 2) : (2 @ laneid, 2, 1)] + R[2:16] + 6
    )
    assert SwizzleLayout(4, 3, 3).pack(2) == SwizzleLayout(3, 3, 3)
    assert (
        ComposeLayout(3, 3, 3, TileLayout(S[8, 64]))
        .unpack(2)
        .pack(2)
        .equivalent(ComposeLayout(3, 3, 3, TileLayout(S[8, 64])))
    )


@pytest.mark.parametrize(
    ("layout", "num", "reason"),
    [
        (TileLayout(S[8:2]), 2, "can not be packed"),
        (TileLayout(S[6:1]), 4, "can not be packed"),
        (TileLayout(S[8 : 1 @ laneid]), 2, "can not be packed"),
        (TileLayout(S[(2, 8) : (9, 1)]), 2, "would be cut"),
        (TileLayout(S[8:1] + 1), 2, "would be cut"),
        (TileLayout(S[8:1] + R[2:1]), 2, "would be cut"),
        (TileLayout.from_iters(), 2, "can not be packed"),
        (TileLayout(S[8:1]), 0, "positive integer"),
        (SwizzleLayout(1, 3, 3), 4, "per_element must be greater"),
        (SwizzleLayout(3, 3, 3), 3, "power of 2"),
    ],
)
def test_what_cannot_be_packed_is_refused(layout: TileLayout, num: int, reason: str) -> None:
    with pytest.raises(LayoutError, match=reason):
        layout.pack(num)


def test_trainium() -> None:
    assert TileLayout.trainium("PF", (128, 64)) == TileLayout(S[(128, 64) : (1 @ P, 1 @ F)])
    assert TileLayout.trainium("PF", (256, 64)) == TileLayout(S[(2, 128, 64) : (64 @ F, 1 @ P, 1 @ F)])
    wide = TileLayout.trainium("FPF", (32, 512, 512))
    assert wide == TileLayout(S[(32, 4, 128, 512) : (512 @ F, (512 * 32) @ F, 1 @ P, 1 @ F)])
    assert wide.is_injective()
    assert TileLayout.trainium("FPPF", (2, 4, 32, 512)).shape == (2, 4, 32, 512)
    banks = TileLayout(S[(1024, 8) : (1 @ F, 1 @ P)]).to_psum()
    assert banks == TileLayout(S[(2, 512, 8) : (1 @ Bank, 1 @ F, 1 @ P)])
    assert TileLayout.trainium("PF", (128, 1024), is_psum=True).span("Bank") == 2
    assert banks.is_trainium()
    assert not TileLayout(S[8:1]).is_trainium()


@pytest.mark.parametrize(
    ("annotation", "shape"), [("PX", (1, 2)), ("P", (1, 2)), ("PF", (200, 4)), ("PP", (64, 64)), ("PPF", (256, 128, 4))]
)
def test_partitions_that_do_not_fit_are_refused(annotation: str, shape: tuple[int, ...]) -> None:
    with pytest.raises(LayoutError):
        TileLayout.trainium(annotation, shape)


def test_psum_banks_are_not_crossed() -> None:
    with pytest.raises(LayoutError, match="PSUM"):
        TileLayout.from_iters([Iter(3, 300, F)]).to_psum()


def test_scalar_layouts() -> None:
    empty = TileLayout.from_iters()
    assert (empty.size(), empty.span(), empty.apply(0)) == (1, 1, {})
    assert TileLayout(R[4 : 8 @ laneid] + 2 @ warpid).apply(0) == [{"laneid": 8 * r, "warpid": 2} for r in range(4)]


def test_two_iters_are_injective_exactly_when_no_two_elements_meet() -> None:
    extents, strides = range(2, 5), range(1, 7)
    for a, b, s, t in product(extents, extents, strides, strides):
        layout = TileLayout(S[(a, b) : (s, t)])
        assert layout.is_injective() == (len({i * s + j * t for i in range(a) for j in range(b)}) == a * b)
        copied = TileLayout(S[a:s] + R[b:t])
        places = [{i * s + j * t for j in range(b)} for i in range(a)]
        assert copied.is_injective() == (len(set().union(*places)) == sum(map(len, places)))


def test_three_iters_are_injective_exactly_when_no_two_elements_meet() -> None:
    for extents in product((2, 3), repeat=3):
        for strides in combinations_with_replacement(range(1, 8), 3):
            places = {sum(map(mul, at, strides)) for at in product(*map(range, extents))}
            layout = TileLayout(S[extents:strides])
            assert layout.is_injective() == (len(places) == prod(extents)), layout


def test_copies_of_one_element_may_meet_and_those_of_two_may_not() -> None:
    for (a, b), c in product(product((2, 3), repeat=2), (2, 3)):
        for s, t, r in product(range(1, 6), repeat=3):
            places = [{i * s + j * t + k * r for k in range(c)} for i, j in product(range(a), range(b))]
            layout = TileLayout(S[(a, b) : (s, t)] + R[c:r])
            assert layout.is_injective() == (len(set().union(*places)) == sum(map(len, places))), layout
