"""Building, comparing and printing: what is accepted, that text reads back, and that malformed input is refused."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tirx_model import table
from tirx_strategies import AXES, tiles

from tilewright.errors import LayoutError
from tilewright.layout.axes import AXES as AXES_BY_NAME
from tilewright.notation import parse
from tilewright.tirx import layout as tirx
from tilewright.tirx.layout import (
    Axis,
    ComposeLayout,
    CoordSet,
    Iter,
    R,
    S,
    SwizzleLayout,
    TCol,
    TileLayout,
    TLane,
    laneid,
    m,
    warpid,
)

COMPOSED = st.builds(
    lambda m, b, gap, inner, tile: ComposeLayout(SwizzleLayout(m, b, b + gap, inner), tile),
    st.integers(0, 5), st.integers(0, 4), st.integers(0, 4), st.booleans(), tiles(st.just("m")),
)  # fmt: skip


@given(st.one_of(tiles(AXES), COMPOSED))
def test_repr_is_python_over_the_front_door(layout: Any) -> None:
    assert eval(repr(layout), dict(vars(tirx))) == layout
    assert str(layout) == repr(layout)


@given(st.one_of(tiles(AXES), COMPOSED))
def test_both_texts_read_back(layout: Any) -> None:
    assert parse(layout.notation()) == layout
    assert parse(repr(layout)) == layout


@given(st.one_of(tiles(AXES), COMPOSED))
def test_values_are_equal_hashable_and_copyable(layout: Any) -> None:
    for twin in (copy.copy(layout), copy.deepcopy(layout), pickle.loads(pickle.dumps(layout))):
        assert twin == layout
        assert hash(twin) == hash(layout)
        assert repr(twin) == repr(layout)
    assert layout != repr(layout)
    with pytest.raises(AttributeError):
        layout.parts = None


@given(tiles(AXES), tiles(AXES))
def test_equality_is_of_the_pieces(first: TileLayout, second: TileLayout) -> None:
    def pieces(x: TileLayout) -> Any:
        return x.shard, x.replica, {axis: value for axis, value in x.offset.items() if value}

    assert (first == second) == (pieces(first) == pieces(second))
    twin = TileLayout(first.shard, first.replica, {**first.offset, TLane: first.offset.get(TLane, 0)})
    assert first == twin
    assert hash(first) == hash(twin)


@pytest.mark.parametrize(
    ("layout", "text"),
    [
        (TileLayout(S[8:1]), "TileLayout(S[8:1])"),
        (TileLayout(S[(8, 2) : (4 @ laneid, 1)] + R[2 : 4 @ warpid] + 5 @ warpid),
         "TileLayout(S[(8, 2):(4 @ laneid, 1)] + R[2:4 @ warpid] + 5 @ warpid)"),
        (TileLayout(S[8:1] + 1 @ laneid + 5 + 2 @ laneid), "TileLayout(S[8:1] + (3 @ laneid + 5))"),
        (TileLayout(S[8 : 0 @ TCol] + 0 @ TLane), "TileLayout(S[8:0 @ TCol] + 0 @ TLane)"),
        (TileLayout(R[4:8]), "TileLayout(R[4:8])"),
        (TileLayout.from_iters(), "TileLayout.from_iters()"),
        (TileLayout.from_iters(offset={"m": 32}), 'TileLayout.from_iters(offset={"m": 32})'),
        (ComposeLayout(3, 3, 3, TileLayout(S[512:1]), swizzle_inner=False),
         "ComposeLayout(3, 3, 3, TileLayout(S[512:1]), swizzle_inner=False)"),
    ],
)  # fmt: skip
def test_printed_texts(layout: Any, text: str) -> None:
    assert repr(layout) == text


@pytest.mark.parametrize(
    "spelling",
    [
        S[(8, 4) : (4 @ laneid, 1)],
        S[[8, 4] : [4 @ laneid, 1]],
        S[(8, 4) : ((4, "laneid"), 1 @ m)],
        S[(np.int64(8), 4) : (np.int32(4) @ laneid, 1)],
        [Iter(8, 4, laneid), Iter(4, 1)],
        [Iter(8, 4 @ laneid), Iter(4, 1, "m")],
    ],
)
def test_spellings_of_one_layout(spelling: Any) -> None:
    assert TileLayout(spelling) == TileLayout.from_iters([Iter(8, 4, "laneid"), Iter(4, 1, "m")])


def test_defaults_and_sums() -> None:
    assert TileLayout(S[4, 8]) == TileLayout(S[(4, 8)]) == TileLayout(S[(4, 8) : (8, 1)])
    assert TileLayout(S[8]) == TileLayout(S[8:1])
    assert TileLayout(S[8:"laneid"]) == TileLayout(S[8:laneid]) == TileLayout(S[8 : 1 @ laneid])
    assert TileLayout(R[2:8] + S[4:1]) == TileLayout(S[4:1] + R[2:8])
    assert TileLayout(S[4:1] + R[2:8] + R[3:16]).replica == (Iter(2, 8), Iter(3, 16))
    assert TileLayout(3 @ laneid + S[4:1]) == TileLayout(S[4:1] + 3 @ laneid)
    assert TileLayout(64 + S[4:1] + (1 @ laneid + 2 @ warpid)).offset == {m: 64, laneid: 1, warpid: 2}
    assert TileLayout([Iter(4, 1)], [Iter(2, 8)], 5 @ warpid) == TileLayout(S[4:1] + R[2:8] + 5 @ warpid)


SWIZZLE, TILE = SwizzleLayout(3, 3, 3), TileLayout(S[8, 64])


@pytest.mark.parametrize(
    "layout",
    [
        ComposeLayout(SWIZZLE, TILE),
        ComposeLayout(swizzle=SWIZZLE, tile=TILE),
        ComposeLayout(layout_A=SWIZZLE, layout_B=TILE),
        ComposeLayout(SWIZZLE, tile_layout=TILE),
        ComposeLayout(3, 3, 3, TILE, True),
        ComposeLayout(per_element=3, swizzle_len=3, atom_len=3, tile_layout=TILE),
    ],
)
def test_spellings_of_a_composed_layout(layout: ComposeLayout) -> None:
    assert layout == ComposeLayout(3, 3, 3, TILE)
    assert (layout.per_element, layout.swizzle_len, layout.atom_len, layout.swizzle_inner) == (3, 3, 3, True)
    assert (layout.swizzle, layout.tile_layout) == (SWIZZLE, TILE)


@given(st.integers(0, 3), st.integers(0, 2), st.integers(0, 2), st.booleans())
def test_a_swizzle_permutes_each_period(m_: int, b: int, gap: int, inner: bool) -> None:
    layout = SwizzleLayout(m_, b, b + gap, inner)
    period = layout.size()
    image = [layout.apply(x)["m"] for x in range(period)]
    assert sorted(image) == list(range(period))
    assert [frozenset([frozenset({("m", x)} if x else ())]) for x in image] == table(layout.compose())
    assert layout.equivalent(layout.compose())
    assert layout.compose().is_swizzle()


def test_equivalent_composed_layouts() -> None:
    plain = TileLayout(S[8, 8])
    assert ComposeLayout(2, 0, 3, plain).equivalent(plain)
    assert not ComposeLayout(0, 3, 3, plain).equivalent(plain)
    assert ComposeLayout(0, 3, 3, TileLayout(S[8:1])).equivalent(TileLayout(S[8:1]))
    assert ComposeLayout(0, 3, 3, plain).equivalent(ComposeLayout(0, 3, 3, TileLayout(S[64:1])))
    assert ComposeLayout(0, 3, 3, plain) != ComposeLayout(0, 3, 3, TileLayout(S[64:1]))
    assert not ComposeLayout(0, 3, 3, plain).equivalent("ComposeLayout")


def test_coordinate_sets() -> None:
    places = CoordSet([{"laneid": 1, "m": 0}, {"laneid": 2}, {"laneid": 1}])
    assert len(places) == 2
    assert places == [{"laneid": 2}, {"laneid": 1}] == places
    assert hash(places) == hash(CoordSet([{"laneid": 2}, {"laneid": 1}]))
    assert places != [{"laneid": 1}]
    assert places != {"laneid": 1}
    assert places != 7
    assert places[1] == {"laneid": 2}
    assert [p["laneid"] for p in places[0:1]] == [1]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda: S[(2, 3) : (1,)], "2 extents and 1 strides"),
        (lambda: S[4:1] + S[4:1], "one shard"),
        (lambda: S[8:"lane"], "did you mean 'laneid'"),
        (lambda: Iter(4, 1, "warpidx"), "did you mean 'warpid'"),
        (lambda: TileLayout(S[0:1]), "at least 1"),
        (lambda: TileLayout(S[-4]), "at least 1"),
        (lambda: S[4:1.5], "is an integer"),
        (lambda: 1.5 @ laneid, "is an integer"),
        (lambda: S[4:1:2], "one colon"),
        (lambda: S[4 : ((1, 2, 3),)], "pair"),
        (lambda: S[8:1] + "laneid", "integer"),
        (lambda: S[8:1] + None, "integer"),
        (lambda: TileLayout("S[8:1]"), "sequence of Iter"),
        (lambda: TileLayout([8, 4]), "sequence of Iter"),
        (lambda: TileLayout(S[8:1], [Iter(2, 8)]), "summands"),
        (lambda: TileLayout.from_iters(offset={"lane": 1}), "did you mean"),
        (lambda: Iter(4, 2 @ laneid, "m"), "already says its axis"),
        (lambda: Axis.get("foo"), "unknown axis"),
        (lambda: SwizzleLayout(3, 3, 2), "not well-formed"),
        (lambda: SwizzleLayout(-1, 3, 3), "not well-formed"),
        (lambda: SwizzleLayout(3.0, 3, 3), "per_element is an integer"),
        (lambda: ComposeLayout(3, 3, 2, TILE), "not well-formed"),
        (lambda: ComposeLayout(TILE, SWIZZLE), "ComposeLayout takes"),
        (lambda: ComposeLayout(3, 3, 3), "ComposeLayout takes"),
        (lambda: ComposeLayout(SWIZZLE, TILE, tile=TILE), "ComposeLayout takes"),
        (lambda: TILE.size("lane"), "did you mean"),
        (lambda: TILE.broadcast(2, 0, "lane"), "did you mean"),
        (lambda: TILE.group([8, 0]), "at least 1"),
        (lambda: TILE.group([2.0, 4]), "integer"),
        (lambda: TileLayout(S[1 << 30 : 1]).table(), "at most"),
    ],
)
def test_malformed_input_is_refused(make: Any, reason: str) -> None:
    with pytest.raises(LayoutError, match=reason):
        make()


def test_axes_are_names_with_levels() -> None:
    assert Axis.laneid is Axis.get("laneid") is laneid
    assert laneid.is_thread()
    assert TLane.is_memory()
    assert Axis.warpid.get_scope().name == "cta"
    assert (Axis.warpid.get_subscope(), m.get_scope()) == ("warp", None)
    with pytest.raises(AttributeError, match="no axis is named"):
        Axis.lane


# (scope, subscope) of every axis as apache-tvm 0.27 registers it, and the two mesh axes of the paper.
REGISTERED = {
    **dict.fromkeys(("m", "P", "F", "Bank", "TCol", "TLane"), (None, None)),
    **dict.fromkeys(("gpuid", "pid"), ("world", "gpu")),
    **dict.fromkeys(("bx", "by", "bz"), ("thread", "cta")),
    **dict.fromkeys(("cbx", "cby", "cbz"), ("cluster", "cta")),
    "tx": ("cta", "thread"),
    "warpid": ("cta", "warp"),
    "laneid": ("warp", "thread"),
    "wgid": ("cta", "warpgroup"),
    "tid_in_wg": ("warpgroup", "thread"),
    "wid_in_wg": ("warpgroup", "warp"),
}


def test_axes_answer_as_the_release_registers_them() -> None:
    assert set(AXES_BY_NAME) == set(REGISTERED)
    for name, registered in REGISTERED.items():
        axis = Axis.get(name)
        levels = (axis.get_scope(), axis.get_subscope())
        assert levels == registered
        assert tuple(level and level.name for level in levels) == registered
        assert axis.is_thread() == (registered[0] is not None) != axis.is_memory()
