"""Law 72: a result for run-time leaves, at given values, is the result for the values, or a guard or refusal says no.

Every operation is run twice, on layouts with run-time leaves and on the same layouts at values, and compared as
functions. How often an answer is refused although there is one is bounded by `test_guards_are_not_needlessly_strict`.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.errors import LayoutError
from tilewright.layout import operations as tw
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.guards import GuardedLayout
from tilewright.layout.symbolic.substitution import substitute
from tilewright.layout.symbolic.symint import SymInt

M = SymInt("m", lower=1, upper=12)
N = SymInt("n", div=2, lower=2, upper=12)
K = SymInt("k", div=4, lower=4, upper=16, width=64)
VALUES = st.fixed_dictionaries(
    {"m": st.integers(1, 12), "n": st.sampled_from([2, 4, 6, 8]), "k": st.sampled_from([4, 8, 12])}
)
EXTENTS = st.sampled_from([1, 2, 3, 4, 6, 8, M, N, K])
STRIDES = st.sampled_from([0, 1, 2, 3, 4, 8, 16, M, N, K, M * N, 2 * M, M * 4])


@st.composite
def symbolic_layouts(draw, most=3, compact=None):
    shape = tuple(draw(EXTENTS) for _ in range(draw(st.integers(1, most))))
    if draw(st.booleans()) if compact is None else compact:
        order = draw(st.permutations(range(len(shape))))
        stride, reach = [0] * len(shape), 1
        for i in order:
            stride[i], reach = reach, reach * shape[i]
        return Layout(shape, tuple(stride))
    return Layout(shape, tuple(draw(STRIDES) for _ in shape))


TILES = st.sampled_from(
    [1, 2, 3, 4, 8, M, N, K, Layout(2, 2), Layout(4, 2), Layout((2, 2), (1, 4)), Layout(N), Layout(2, N)]
)


def table(layout, most=4000):
    return [layout(i) for i in range(min(layout.size, most))]


def same_function(a, b):
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(same_function, a, b))
    if isinstance(a, Layout | ComposedLayout):
        return a.size == b.size and table(a) == table(b)
    return a == b


def attempt(function, *args):
    try:
        return function(*args)
    except LayoutError:
        return None


def meets(divided, whole):
    """Every element of the whole is among the values of the divided layout."""
    return set(table(whole)) <= set(table(divided, most=10**6))


def check(function, args, values):
    """The law for one operation, arguments and values; whether an answer was given at the values, or needlessly not."""
    static, at = attempt(function, *substitute(args, values)), attempt_at(function, args, values)
    if at is not None:
        call = f"{function.__name__}{args} at {values}"
        assert not isinstance(at, GuardedLayout), f"{call}: guards {at.guards} stay open"
        assert static is not None, f"{call} is {at}, but for the values it is refused"
        assert same_function(at, static), f"{call} is {at}, but for the values it is {static}"
    return static is None or at is not None


def attempt_at(function, args, values):
    symbolic = attempt(function, *args)
    return None if symbolic is None else attempt(substitute, symbolic, values)


def named(*names):
    return pytest.mark.parametrize("name", names)


@named("coalesce", "simplify", "filter", "filter_zeros", "nullspace", "flatten")
@given(layout=symbolic_layouts(), values=VALUES)
def test_operations_on_one_layout(name, layout, values):
    check(getattr(tw, name), (layout,), values)


@named("right_inverse", "left_inverse")
@given(layout=symbolic_layouts(), values=VALUES)
def test_inverses(name, layout, values):
    at = attempt_at(getattr(tw, name), (layout,), values)
    if at is None:
        return
    a = substitute(layout, values)
    if name == "right_inverse":
        assert [a(at(i)) for i in range(at.size)] == list(range(at.size))
    else:
        assert [a(at(a(i))) for i in range(a.size)] == table(a)
        assert len(set(table(a))) < a.size or [at(v) for v in table(a)] == list(range(a.size))


@given(symbolic_layouts(), st.sampled_from([None, 1, 4, 24, 60, M, N, K, M * N]), VALUES)
def test_complement(layout, target, values):
    check(tw.complement, (layout, target), values)
    rest = attempt_at(tw.complement, (layout, target), values)
    if rest is None:
        return
    a = substitute(layout, values)
    image = set(table(a))
    assert table(rest) == sorted(set(table(rest)))
    assert len({v + w for v in image for w in table(rest)}) == len(image) * rest.size
    if target is None:
        assert rest.size >= a.cosize // len(image)  # offsets between the modes may stay uncovered
    else:
        assert len(image) * rest.size >= substitute(target, values)


@given(symbolic_layouts(), symbolic_layouts(most=2), VALUES)
def test_composition(a, b, values):
    check(tw.composition, (a, b), values)


@named(
    "composition", "logical_divide", "zipped_divide", "tiled_divide", "flat_divide", "logical_product", "zipped_product"
)
@given(layout=symbolic_layouts(most=2), tiles=st.tuples(TILES, TILES), values=VALUES)
def test_by_mode(name, layout, tiles, values):
    check(getattr(tw, name), (layout, tiles[: layout.rank]), values)


@named("logical_divide", "zipped_divide")
@given(layout=symbolic_layouts(most=2), tile=symbolic_layouts(most=2), values=VALUES)
def test_divide_by_one_layout(name, layout, tile, values):
    check(getattr(tw, name), (layout, tile), values)
    at, whole = attempt_at(getattr(tw, name), (layout, tile), values), substitute(layout, values)
    if at is not None:
        assert meets(at, whole)
        assert same_function(at[0], tw.composition(whole, substitute(tile, values)))


@named("logical_product", "blocked_product", "raked_product")
@given(layout=symbolic_layouts(most=2), tile=symbolic_layouts(most=2), values=VALUES)
def test_with_one_layout(name, layout, tile, values):
    check(getattr(tw, name), (layout, tile), values)


@given(symbolic_layouts(most=2), st.sampled_from([1, 2, 4]), VALUES)
def test_upcast(layout, factor, values):
    check(tw.upcast, (layout, factor), values)


@given(symbolic_layouts(most=2), st.sampled_from([1, 2, 4]), VALUES)
def test_downcast(layout, factor, values):
    check(tw.downcast, (layout, factor), values)
    at = attempt_at(tw.downcast, (layout, factor), values)
    if at is not None:
        wide = table(substitute(layout, values))
        assert sorted(table(at)) == sorted(factor * v + i for v in wide for i in range(factor))


@given(
    symbolic_layouts(),
    st.integers(0, 40) | st.sampled_from([SymInt("i", lower=0, upper=30)]),
    VALUES,
    st.integers(0, 30),
)
def test_evaluation_and_coordinates(layout, index, values, i):
    values = values | {"i": i}
    assert substitute(layout(index), values) == substitute(layout, values)(substitute(index, values))
    check(tw.idx2crd, (index, layout.shape), values)


@given(symbolic_layouts(), VALUES)
def test_queries(layout, values):
    at = substitute(layout, values)
    assert substitute(layout.size, values) == at.size
    assert substitute(layout.cosize, values) == at.cosize == 1 + max(table(at))


@given(symbolic_layouts(compact=True), st.permutations(range(3)), VALUES)
def test_orders(layout, order, values):
    check(tw.make_ordered_layout, (layout.shape, tuple(order[: layout.rank])), values)
    check(tw.make_layout_like, (layout,), values)


@given(st.tuples(st.sampled_from([1, 2, 4]), st.sampled_from([1, 2, 3])), st.tuples(EXTENTS, EXTENTS), VALUES)
def test_tile_to_shape(block, shape, values):
    check(tw.tile_to_shape, (Layout(block), shape), values)


@given(symbolic_layouts(), VALUES, st.data())
def test_slices_and_modes(layout, values, data):
    coord = tuple(data.draw(st.none() | st.just(0)) for _ in layout.shape)
    if None in coord:
        check(tw.slice, (coord, layout), values)
    check(tw.select, (layout, 0), values)
    check(tw.take, (layout, 0, 1), values)
    check(tw.group, (layout, 0, 1), values)
    check(tw.append, (layout, Layout(N, M)), values)


@given(symbolic_layouts(most=2), VALUES)
def test_swizzled_layouts_go_along(layout, values):
    composed = ComposedLayout(Swizzle(2, 0, 2), 0, layout)
    check(tw.logical_divide, (composed, (2,)), values)
    i = SymInt("i", lower=0, upper=20)
    assert substitute(composed(i), values | {"i": 13}) == substitute(composed, values)(13)


# ---- guards


FAMILIES = {
    "divide a row-major matrix by tiles": lambda: [
        (tw.zipped_divide, (Layout((M, K), (K, 1)), (2, 4))),
        (tw.tiled_divide, (Layout((M, N), (1, M)), (4, 4))),
        (tw.logical_divide, (Layout((K, N)), (Layout(4), None))),
    ],
    "compose with a tile that may straddle": lambda: [
        (tw.composition, (Layout((M, N), (N, 1)), Layout(4))),
        (tw.composition, (Layout((M, K)), Layout((4, 2), (1, 4)))),
        (tw.composition, (Layout((K, M), (M, 1)), Layout(N, 2))),
    ],
    "fill and repeat": lambda: [
        (tw.complement, (Layout((M, N)), 4 * M * N)),
        (tw.complement, (Layout(4, 2), K)),
        (tw.logical_product, (Layout((M, N)), Layout(4))),
        (tw.blocked_product, (Layout((2, 4)), Layout((M, N), (N, 1)))),
    ],
    "invert": lambda: [
        (tw.right_inverse, (Layout((M, N), (N, 1)),)),
        (tw.left_inverse, (Layout((M, N), (N, 1)),)),
    ],
    "recast": lambda: [
        (tw.upcast, (Layout((K, M), (1, K)), 4)),
        (tw.upcast, (Layout((M, 4), (4, 1)), 2)),
        (tw.downcast, (Layout((M, 4), (4, 1)), 2)),
    ],
}


@named(*FAMILIES)
def test_guards_are_not_needlessly_strict(name):
    for function, args in FAMILIES[name]():
        given_at = [
            check(function, args, {"m": m, "n": n, "k": k})
            for m in range(1, 13)
            for n in (2, 4, 6, 8)
            for k in (4, 8, 12)
        ]
        assert all(given_at), (
            f"{function.__name__}{args}: {given_at.count(False)} of {len(given_at)} refused needlessly"
        )


# ---- large values (law 73)


@given(st.integers(1, 2**31 - 1), st.integers(1, 2**31 - 1), st.integers(0, 2**61))
def test_indices_never_wrap(m, n, index):
    rows, cols = SymInt("rows"), SymInt("cols")
    i = SymInt("i", width=64, lower=0)
    layout = Layout((rows, cols), (cols, 1))
    values = {"rows": m, "cols": n, "i": index}
    assert substitute(layout(i), values) == index % m * n + index // m
    assert substitute(tw.cosize(layout), values) == m * n
    assert substitute(tw.zipped_divide(layout, (4, 8)), values).size == 32 * -(-m // 4) * -(-n // 8)


def test_what_does_not_fit_into_64_bits_is_refused():
    rows, cols = SymInt("rows"), SymInt("cols", width=64)
    with pytest.raises(LayoutError, match="outside"):
        substitute(Layout((2, 2), (1, rows * cols)), {"rows": 2**31 - 1, "cols": 2**40})
