"""Objects of every notation, for property tests: int tuples, layouts, swizzles, compositions, tilers, TIRx, F2."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tilewright.layout.axes import AXES, from_terms
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import flatten, unflatten
from tilewright.layout.layout import Layout
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.layout import ComposeLayout, Iter, SwizzleLayout, TileLayout

INTEGERS = st.one_of(st.integers(-4, 64), st.integers(-(2**63) + 1, 2**63 - 1))
EXTENTS = st.one_of(st.integers(1, 16), st.integers(1, 2**62))
NAMES = st.sampled_from(sorted(AXES))
PATHS = st.lists(st.integers(0, 9), min_size=1, max_size=3).map(tuple)


def trees(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Nested tuples of leaves, or one leaf."""
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=12)


def elements(axes: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Elements of the stride module: integers, and sums of terms on the given axes."""
    terms = st.lists(st.tuples(axes, st.integers(-99, 99)), min_size=1, max_size=3)
    return st.one_of(INTEGERS, terms.map(from_terms))


ANY_ELEMENTS = elements(st.one_of(NAMES, PATHS))
BASES = st.one_of(INTEGERS, st.tuples(PATHS, st.integers(-99, 99)).map(lambda term: from_terms([term])))


@st.composite
def layouts(draw: st.DrawFn, strides: st.SearchStrategy[Any] = ANY_ELEMENTS) -> Layout:
    """A layout of any profile."""
    shape = draw(trees(EXTENTS))
    extents = within_64_bits(flatten(shape))
    steps = tuple(_near(draw(strides), s * len(extents)) if s > 1 else draw(strides) for s in extents)
    return Layout(unflatten(extents, shape), unflatten(steps, shape))


def within_64_bits(extents: tuple[int, ...]) -> tuple[int, ...]:
    """The extents as long as they leave room for values; small ones instead of the others."""
    room, out = 1 << 52, []
    for extent in extents:
        fits = next(n for n in (extent, extent % 16 + 1, 1) if n <= room)
        room //= fits
        out.append(fits)
    return tuple(out)


def _near(stride: Any, count: int) -> Any:
    """The stride; an integer that so many steps would carry beyond 64 bits loses its high bits."""
    most = (1 << 62) // count
    return stride if not isinstance(stride, int) or abs(stride) <= most else stride % most


@st.composite
def swizzles(draw: st.DrawFn) -> Swizzle:
    """A swizzle of either sign."""
    b, m, gap = draw(st.integers(0, 6)), draw(st.integers(0, 10)), draw(st.integers(0, 6))
    return Swizzle(b, m, draw(st.sampled_from([1, -1])) * (b + gap))


def composed(strides: st.SearchStrategy[Any] = INTEGERS) -> st.SearchStrategy[ComposedLayout]:
    """Compositions of compositions, to both sides."""
    plain = layouts(strides)

    def join(parts: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        outer = st.one_of(swizzles(), parts)
        return st.builds(ComposedLayout, outer, trees(INTEGERS), parts)

    return st.builds(ComposedLayout, st.one_of(swizzles(), plain), INTEGERS, plain).flatmap(
        lambda first: st.recursive(st.just(first), join, max_leaves=4)
    )


def tilers(strides: st.SearchStrategy[Any] = INTEGERS) -> st.SearchStrategy[Any]:
    """Tuples of None, integers, layouts and tilers."""
    return trees(st.one_of(st.none(), st.integers(1, 64), layouts(strides))).filter(lambda t: isinstance(t, tuple))


def iters() -> st.SearchStrategy[Iter]:
    """TIRx iters on one named axis."""
    return st.builds(Iter, EXTENTS, st.integers(-99, 99), NAMES)


def _fitting(drawn: list[Iter]) -> list[Iter]:
    extents = within_64_bits(tuple(it.extent for it in drawn))
    return [Iter(extent, it.stride, it.axis) for extent, it in zip(extents, drawn, strict=True)]


def tile_layouts() -> st.SearchStrategy[TileLayout]:
    """TIRx layouts with replicas and offsets."""
    some = st.lists(iters(), max_size=4).map(_fitting)
    offsets = st.dictionaries(NAMES, st.integers(-99, 99), max_size=3)
    return st.builds(TileLayout.from_iters, some, some, offsets)


@st.composite
def tirx_swizzles(draw: st.DrawFn) -> SwizzleLayout:
    """TIRx swizzles of both directions."""
    b = draw(st.integers(0, 6))
    return SwizzleLayout(draw(st.integers(0, 10)), b, b + draw(st.integers(0, 6)), draw(st.booleans()))


def compose_layouts() -> st.SearchStrategy[ComposeLayout]:
    """A swizzle on top of a tile."""
    return st.builds(ComposeLayout, tirx_swizzles(), tile_layouts())


@st.composite
def linear_layouts(draw: st.DrawFn) -> LinearLayout:
    """F2 maps between a few named dimensions, onto or not."""
    names = st.lists(st.sampled_from(["register", "lane", "warp", "offset", "x_1"]), unique=True, max_size=3)
    ins = [(name, 1 << draw(st.integers(0, 4))) for name in draw(names)]
    outs = [(f"dim{i}", 1 << draw(st.integers(0, 5))) for i in range(draw(st.integers(0, 3)))]
    bits = sum(size.bit_length() - 1 for _, size in ins)
    limit = 1 << sum(size.bit_length() - 1 for _, size in outs)
    return LinearLayout(tuple(ins), tuple(outs), tuple(draw(st.integers(0, limit - 1)) for _ in range(bits)))
