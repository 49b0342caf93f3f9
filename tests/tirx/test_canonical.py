"""Law 51: canonicalize keeps the map, is idempotent, and gives equal maps equal forms, replicas included."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tirx_model import Place, size, table, threads
from tirx_strategies import AXES, tiles

from tilewright.errors import LayoutError
from tilewright.target import Target
from tilewright.tirx.layout import (
    Axis,
    Iter,
    R,
    S,
    TileLayout,
    bx,
    cbx,
    laneid,
    m,
    tid_in_wg,
    tx,
    warpid,
    wgid,
    wid_in_wg,
)
from tilewright.tirx.progressions import normal_progressions, spread
from tilewright.tirx.spec import LayoutSpec

Map = tuple[frozenset[Place], ...]


@given(tiles(AXES))
def test_canonicalize_keeps_the_map_and_is_idempotent(layout: TileLayout) -> None:
    canonical = layout.canonicalize()
    assert size(canonical) == size(layout)
    assert table(canonical) == table(layout)
    assert canonical.canonicalize() == canonical
    assert canonical.equivalent(layout)


def small_world() -> list[TileLayout]:
    """All layouts of few short iters: strides of every sign, replicas that overlap, offsets."""
    steps = [Iter(e, s, a) for e, s, a in product((1, 2, 3), (-1, 0, 1, 2, 3), ("m", "laneid")) if a == "m" or s >= 1]
    shards = [[], *([a] for a in steps), *([a, b] for a in steps[::2] for b in steps[1::2])]
    few = [Iter(e, s, a) for e, s, a in product((2, 3), (-1, 1, 2), ("m", "laneid")) if a == "m" or s == 1]
    replicas = [[], [Iter(2, 0)], *([a] for a in few), *([a, b] for a in few for b in few)]
    return [TileLayout(shard, replica, {"m": 1}) for shard in shards[::2] for replica in replicas[::2]]


def test_equal_maps_have_equal_forms_in_a_small_world() -> None:
    forms: dict[Map, TileLayout] = {}
    for layout in small_world():
        canonical = layout.canonicalize()
        assert forms.setdefault(tuple(table(layout)), canonical) == canonical
    assert len(set(forms.values())) == len(forms) > 500


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 12)), max_size=4), st.randoms())
def test_the_form_of_a_replica_depends_on_its_set_alone(progressions: list[tuple[int, int]], random: object) -> None:
    normal = normal_progressions(progressions)
    assert spread(1, normal) == spread(1, progressions)
    assert normal_progressions(normal) == normal
    assert [s for _, s in normal] == sorted(s for _, s in normal)


@given(tiles(AXES, replicas=False), tiles(AXES, replicas=False))
def test_equivalent_is_equality_of_maps(first: TileLayout, second: TileLayout) -> None:
    assert first.equivalent(second) == (table(first) == table(second))


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (TileLayout(S[(4, 1, 8) : (8, 5, 1)]), TileLayout(S[32:1])),
        (TileLayout(S[(32, 8, 8) : (64, 8, 1)] + 1 + 0 @ laneid), TileLayout(S[2048:1] + 1)),
        (TileLayout(S[8:1] + R[(2, 2) : (1, 1)]), TileLayout(S[8:1] + R[3:1])),
        (TileLayout(S[8:1] + R[4:-32]), TileLayout(S[8:1] + R[4:32] + -96)),
        (TileLayout(S[1:1] + R[(8, 4) : (4 @ laneid, 1 @ laneid)]), TileLayout(S[1:1] + R[32 : 1 @ laneid])),
        (TileLayout(S[(2, 4) : (0 @ warpid, 1 @ warpid)]), TileLayout(S[(2, 4) : (0, 1 @ warpid)])),
        (TileLayout(S[1 : 5 @ laneid]), TileLayout(S[1:1])),
        (TileLayout.from_iters(), TileLayout(S[1:1])),
    ],
)
def test_examples(written: TileLayout, canonical: TileLayout) -> None:
    assert written.canonicalize() == canonical


CUDA_CHAINS = st.sampled_from(
    [
        ("m", "laneid", "warpid"),
        ("laneid", "wid_in_wg", "m"),
        ("wgid", "tid_in_wg"),
        ("wgid", "wid_in_wg", "laneid"),
        ("wid_in_wg", "wgid"),
        ("laneid", "warpid"),
    ]
)


@given(st.data())
def test_fusing_thread_axes_keeps_the_thread(data: st.DataObject) -> None:
    axes = st.sampled_from(data.draw(CUDA_CHAINS))
    layout = data.draw(tiles(axes, st.integers(0, 40)))
    try:
        fused = layout.canonicalize(target="cuda")
    except LayoutError:
        assume(False)
    used = {*(it.axis for it in (*fused.shard, *fused.replica)), *fused.offset}
    assert fused.get_scope() is None or len({axis for axis in used if axis.is_thread()}) == 1
    assert [threads(p) for p in table(fused)] == [threads(p) for p in table(layout)]
    assert fused.canonicalize(target="cuda") == fused


@pytest.mark.parametrize(
    ("written", "fused"),
    [
        (S[(2, 4, 32) : (1 @ wgid, 1 @ wid_in_wg, 1 @ laneid)], S[256 : 1 @ tx]),
        (S[(2, 2, 4, 32) : (2 @ wgid, 1 @ wgid, 32 @ tid_in_wg, 1 @ tid_in_wg)], S[512 : 1 @ tx]),
        (S[(4, 32) : (1 @ wid_in_wg, 1 @ laneid)], S[128 : 1 @ tid_in_wg]),
        (S[(2, 4) : (1 @ wgid, 1 @ wid_in_wg)], S[8 : 1 @ warpid]),
        (S[8 : 1 @ laneid] + 1 @ warpid + 3 @ laneid, S[8 : 1 @ tx] + 35 @ tx),
        (S[(4, 8) : (1 @ bx, 4 @ tx)], S[(4, 8) : (1 @ bx, 4 @ tx)]),
        (S[(4, 2, 8) : (1 @ bx, 1 @ warpid, 4 @ laneid)], S[(4, 2, 8) : (1 @ bx, 32 @ tx, 4 @ tx)]),
        (S[(4, 8) : (1 @ wgid, 1)], S[(4, 8) : (1 @ wgid, 1)]),
    ],
)
def test_axes_are_fused_under_a_gpu_target_only(written: LayoutSpec, fused: LayoutSpec) -> None:
    layout, expected = TileLayout(written), TileLayout(fused)
    assert layout.canonicalize(target="cuda") == expected.canonicalize()
    with Target("cuda"):
        assert layout.canonicalize() == expected.canonicalize()
    assert {it.axis for it in layout.canonicalize().shard} <= {it.axis for it in layout.shard}


def test_the_warp_size_is_the_target_s() -> None:
    layout = TileLayout(S[(2, 64) : (1 @ warpid, 1 @ laneid)])
    assert layout.canonicalize(target="hip:gfx942") == TileLayout(S[128 : 1 @ tx])


@pytest.mark.parametrize(
    ("spec", "scopes"),
    [
        (S[(8, 4, 2) : (4 @ laneid, 1 @ laneid, 1)], ("thread", "warp")),
        (S[(2, 8, 2) : (2 @ warpid, 4 @ laneid, 1)], ("thread", "cta")),
        (S[(2, 8, 2) : (2 @ wid_in_wg, 4 @ laneid, 1)], ("thread", "warpgroup")),
        (S[(4, 8) : (1 @ cbx, 1)], ("cta", "cluster")),
        (S[(4, 8) : (1 @ bx, 4 @ tx)], ("thread", "grid")),
        (S[(4, 8) : (1 @ m, 4)], None),
        (S[4:1] + R[2 : 1 @ laneid], None),
    ],
)
def test_scopes_form_a_chain(spec: LayoutSpec, scopes: tuple[str, str] | None) -> None:
    layout = TileLayout(spec)
    found = layout.get_scope()
    assert found == scopes
    assert layout.verify_well_formed()
    assert found is None or tuple(scope.name for scope in found) == scopes


@pytest.mark.parametrize(
    ("spec", "reason"),
    [
        (S[(2, 8) : (1 @ wgid, 1 @ laneid)], "disconnected scope chain"),
        (S[8 : 1 @ laneid] + R[2 : 1 @ wgid], "disconnected scope chain"),
        (S[8 : 1 @ laneid] + 1 @ wgid, "disconnected scope chain"),
        (S[(2, 8) : (1 @ tid_in_wg, 1 @ laneid)], "conflicting scopes for thread"),
        (S[(2, 8) : (1 @ cbx, 1 @ bx)], "conflicting scopes for cta"),
    ],
)
def test_axes_without_a_chain_are_ill_formed(spec: LayoutSpec, reason: str) -> None:
    layout = TileLayout(spec)
    for ask in (layout.verify_well_formed, layout.get_scope, lambda: layout.canonicalize(target="cuda")):
        with pytest.raises(LayoutError, match=reason):
            ask()
    assert layout.canonicalize().equivalent(layout)  # without a GPU the axes are independent


def test_what_stays_below_the_level_is_only_renamed() -> None:
    for extent, stride in ((n, s) for n in range(1, 33) for s in range(1, 32) if (n - 1) * s < 32):
        assert TileLayout(S[extent : stride @ tx]).split_axes("warp") == TileLayout(S[extent : stride @ laneid])


@pytest.mark.parametrize(("level", "inner", "size"), [("warp", "laneid", 32), ("warpgroup", "tid_in_wg", 128)])
def test_the_inner_axis_stays_within_its_level(level: str, inner: str, size: int) -> None:
    half = size // 2
    for start in range(size + 1):
        layout = TileLayout(S[(2, half) : (size @ tx, 1 @ tx)] + start @ tx)
        if start % size <= half:
            values = layout.split_axes(level).table()[inner]
            assert (values.min(), values.max()) == (start % size, start % size + half - 1)
        else:
            with pytest.raises(LayoutError, match="do not respect that boundary"):
                layout.split_axes(level)


@given(tiles(st.sampled_from(["tx", "m"]), st.integers(0, 64), limit=48), st.sampled_from(["warp", "warpgroup"]))
def test_splitting_undoes_fusing(layout: TileLayout, level: str) -> None:
    try:
        split = layout.split_axes(level)
    except LayoutError:
        return
    assert Axis.tx not in {it.axis for it in split.shard}
    assert [threads(p) for p in table(split)] == [threads(p) for p in table(layout)]


def test_splitting_examples() -> None:
    assert TileLayout(S[256 : 1 @ tx]).split_axes("warp") == TileLayout(S[(8, 32) : (1 @ warpid, 1 @ laneid)])
    assert TileLayout(S[256 : 1 @ tx]).split_axes("warpgroup") == TileLayout(S[(2, 128) : (1 @ wgid, 1 @ tid_in_wg)])
    assert TileLayout(S[8 : 1 @ warpid]).split_axes("warpgroup") == TileLayout(S[(2, 4) : (1 @ wgid, 1 @ wid_in_wg)])
    with pytest.raises(LayoutError, match="can not be split"):
        TileLayout(S[4 : 24 @ tx]).split_axes("warp")
    with pytest.raises(LayoutError, match="can not be split"):
        TileLayout(S[32 : 1 @ tx] + 16 @ tx).split_axes("warp")
