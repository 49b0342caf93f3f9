"""The values that pictures list are those that layouts answer one by one."""

from __future__ import annotations

import pytest
from drawn import LAYOUTS
from hypothesis import given
from hypothesis import strategies as st

from tilewright import ComposedLayout, Layout, Swizzle
from tilewright.figures.listing import listing
from tilewright.layout.layout import idx2crd
from tilewright.layout.linear.linear import LinearLayout
from tilewright.tirx.layout import Axis, R, S, TileLayout, laneid, tx, warpid

KNOWN = {name: layout for name, layout in LAYOUTS.items() if isinstance(layout, Layout | ComposedLayout)}


@pytest.mark.parametrize("name", KNOWN)
def test_layouts_of_every_kind(name: str) -> None:
    layout = KNOWN[name]
    assert isinstance(layout, Layout | ComposedLayout)
    assert list(listing(layout)) == [layout(i) for i in range(layout.size)]


@given(st.integers(0, 2), st.integers(0, 2), st.integers(-2, 3), st.integers(0, 9))
def test_swizzles(b: int, m: int, s: int, offset: int) -> None:
    layout = ComposedLayout(Swizzle(min(b, abs(s)), m, s), offset, Layout((4, (2, 3)), (2, (1, 8))))
    assert listing(layout) == [layout(i) for i in range(24)]


@given(
    st.lists(
        st.tuples(st.integers(1, 4), st.integers(-3, 5), st.sampled_from([laneid, warpid, tx, None])),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 3),
    st.integers(0, 3),
)
def test_tiles_with_and_without_copies(iters: list[tuple[int, int, Axis | None]], copies: int, start: int) -> None:
    shape = tuple(extent for extent, _, _ in iters)
    strides = tuple(stride if axis is None else stride @ axis for _, stride, axis in iters)
    layout = TileLayout(S[shape:strides] + R[copies : 4 @ warpid] + start @ laneid)
    found = listing(layout)
    assert found == [layout.apply(i) for i in range(layout.size())]
    if copies == 1 and not layout.replica:
        assert [list(point) for point in found] == [list(layout.apply(i)) for i in range(layout.size())]


@given(st.data())
def test_linear_layouts(data: st.DataObject) -> None:
    image = st.tuples(st.integers(0, 3), st.integers(0, 7)).map(list)
    ins = [(name, data.draw(st.lists(image, max_size=3))) for name in ("lane", "register")]
    layout = LinearLayout.from_bases(ins, ["row", "column"], [4, 8], require_surjective=False)
    sizes = tuple(size for _, size in layout.ins)
    names = layout.get_in_dim_names()
    wanted = [layout.apply(zip(names, idx2crd(i, sizes), strict=True)) for i in range(len(listing(layout)))]
    assert listing(layout) == wanted
