"""The laws of the layout algebra, by number and name, each judged by enumeration.

A law draws its operands from a `Chooser` and raises AssertionError where it does not hold. A LayoutError from the
package is a refusal; laws that say when refusing is right catch it themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from math import gcd, prod
from typing import Any

import oracle
import pytest
import strategies as draw
from oracle import leaves, modes, size, table, value
from strategies import Chooser

import tilewright as tw
from tilewright import ComposedLayout, Layout, LayoutError, Swizzle
from tilewright.layout.axes import components, coordinate_of

Law = Callable[[Chooser], None]
LAWS: dict[str, Law] = {}


def law(name: str) -> Callable[[Law], Law]:
    """Enters a law under its name."""

    def enter(check: Law) -> Law:
        LAWS[name] = check
        return check

    return enter


def same(a: Any, b: Any) -> bool:
    """Are both layouts of one size and equal everywhere?"""
    return a == b or (a.size == b.size and all(a(i) == b(i) for i in range(a.size)))


def positive(a: Layout) -> bool:
    return all(stride >= 0 for _, stride in modes(a))


# ---- int tuples and coordinates


@law("tuple-flat")
def _(pick: Chooser) -> None:
    t = draw.int_tuple(pick)
    assert tw.unflatten(tw.flatten(t), t) == t
    assert list(tw.get_leaves(t)) == leaves(t)


@law("tuple-size")
def _(pick: Chooser) -> None:
    a, b = draw.shape(pick), draw.shape(pick)
    assert tw.size((a, b)) == tw.size(a) * tw.size(b) == size((a, b))
    assert prod(leaves(tw.int_tuple_product_each((a, b)))) == tw.int_tuple_product((a, b))


@law("compat-order")
def _(pick: Chooser) -> None:
    def refined(t: Any) -> Any:
        if isinstance(t, tuple):
            return tuple(map(refined, t))
        d = pick.one([d for d in range(1, t + 1) if t % d == 0])
        return (d, t // d) if pick.integer(0, 1) else t

    a = draw.shape(pick)
    b = refined(a)
    c = refined(b)
    assert tw.compatible(a, a)
    assert tw.compatible(a, b)
    assert tw.compatible(a, c)
    assert a == b or not (tw.compatible(a, b) and tw.compatible(b, a))
    assert tw.compatible(b, c) == oracle.refines(c, b)
    other = draw.shape(pick)
    assert tw.compatible(a, other) == oracle.refines(other, a)


@law("crd-roundtrip")
def _(pick: Chooser) -> None:
    drawn = draw.shape(pick)
    i = pick.integer(0, 2 * size(drawn))
    coord = tw.idx2crd(i, drawn)
    assert tw.congruent(coord, drawn)
    assert tw.crd2idx(coord, drawn) == i
    a = draw.layout(pick, kind=pick.one(("compact", "permuted")))
    j = pick.integer(0, a.size - 1)
    assert a(tw.idx2crd(a(j), a)) == a(j)
    assert a(tw.get_1d_coord(a(j), a)) == a(j)
    assert a(tw.get_flat_coord(a(j), a)) == a(j)


@law("idx2crd-mode")
def _(pick: Chooser) -> None:
    """An index a mode, of any coarser profile: the coordinate has the shape's profile and the same place."""
    drawn = draw.shape(pick)
    coord = draw.coordinate(pick, drawn)
    found = tw.idx2crd(coord, drawn)
    assert tw.congruent(found, drawn)
    assert tw.crd2idx(found, drawn) == tw.crd2idx(coord, drawn)


@law("crd-profile")
def _(pick: Chooser) -> None:
    """A coordinate is accepted exactly if, zeros taken where it ends early, it is weakly congruent to the shape."""
    drawn, coord = draw.shape(pick), draw.shape(pick)
    try:
        found = tw.crd2idx(coord, drawn)
    except LayoutError:
        assert oracle.with_zeros(coord, drawn) is None
    else:
        whole = oracle.with_zeros(coord, drawn)
        assert tw.weakly_congruent(whole, drawn)
        assert found == tw.crd2idx(whole, drawn)


@law("crd-zeros")
def _(pick: Chooser) -> None:
    """L(c) == L(c + zeros): of plain and swizzled layouts, at numbers and at arrays."""
    a = draw.layout(pick)
    short = draw.ending_early(pick, draw.coordinate(pick, a.shape))
    whole = oracle.with_zeros(short, a.shape)
    for layout in (a, ComposedLayout(Swizzle(1, 0, 2), 1, a)):
        assert layout(short) == layout(whole)
        assert layout.contains(short) == layout.contains(whole)
        if leaves(short):
            assert list(layout(draw.as_arrays(short))) == [layout(whole)] * 2


@law("crd2crd")
def _(pick: Chooser) -> None:
    source, target = draw.shape(pick), draw.shape(pick)
    coord = draw.coordinate(pick, source)
    assert tw.crd2idx(tw.crd2crd(coord, source, target), target) == tw.crd2idx(coord, source)


@law("prefix")
def _(pick: Chooser) -> None:
    drawn = draw.shape(pick)
    flat = leaves(drawn)
    right, left = Layout(drawn), tw.make_layout_right(drawn)
    assert [d for s, d in modes(right) if s > 1] == [prod(flat[:k]) for k in range(len(flat)) if flat[k] > 1]
    assert [d for s, d in modes(left) if s > 1] == [prod(flat[k + 1 :]) for k in range(len(flat)) if flat[k] > 1]
    k = pick.integer(0, len(flat))
    assert tw.shape_div(drawn, prod(flat[:k])) == draw.like(drawn, [1] * k + flat[k:])


@law("hash-eq")
def _(pick: Chooser) -> None:
    a, b, c = draw.layout(pick), draw.swizzle(pick), draw.swizzled(pick)
    for x in (a, b, c):
        again = eval(repr(x), {name: getattr(tw, name) for name in ("ComposedLayout", "Layout", "Swizzle", "term")})
        assert again == x
        assert hash(again) == hash(x)
    assert a != b
    assert b != c
    assert (a == a.shape) is False
    assert (a == "text") is False
    assert (c == a) is False


# ---- evaluation


@law("eval-extended")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    i = pick.integer(0, 3 * a.size)
    assert a(i) == value(a, i)
    assert a.contains(i) == (i < a.size)
    assert [a(j) for j in range(a.size)] == table(a)
    with_more = (*a.shape, 1) if isinstance(a.shape, tuple) else (1, 1)
    try:
        a(with_more)
    except LayoutError:
        return
    raise AssertionError(f"{a} takes the coordinate {with_more}")


@law("linear-eval")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    coord = draw.coordinate(pick, a.shape)
    index = tw.crd2idx(coord, a.shape)
    assert a(coord) == value(a, index)
    full = tw.idx2crd(index, a.shape)
    assert a(full) == sum(c * d for c, d in zip(leaves(full), leaves(a.stride), strict=True))
    assert a.contains(coord)


@law("cosize")
def _(pick: Chooser) -> None:
    a, c = draw.layout(pick), draw.swizzled(pick)
    assert tw.cosize(a) == a.cosize == max(table(a)) + 1
    assert c.cosize == max(c(i) for i in range(c.size)) + 1


# ---- coalesce, filter


@law("coalesce")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    found = tw.coalesce(a)
    assert table(found) == table(a)
    assert found.depth <= 1
    flat = modes(found)
    assert len(flat) == 1 or all(s > 1 for s, _ in flat)
    assert all(s * d != e for (s, d), (_, e) in pairwise(flat))
    assert len(flat) == max(1, len(oracle.fit(table(a)) or []))
    assert same(tw.simplify(a), a)


@law("coalesce-x")
def _(pick: Chooser) -> None:
    from tilewright.layout.algebra.modes import extended

    a = draw.layout(pick)
    extents, steps = extended(a.shape, a.stride)
    assert all(value((tuple(extents), tuple(steps)), i) == value(a, i) for i in range(4 * a.size))


@law("coalesce-idem")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    found = tw.coalesce(a)
    assert tw.coalesce(found) == found
    profile = (1,) * a.rank if isinstance(a.shape, tuple) else 1
    by_mode = tw.coalesce(a, profile)
    assert by_mode.rank == a.rank
    assert table(by_mode) == table(a)
    assert tw.coalesce(by_mode, profile) == by_mode
    assert [mode.size for mode in by_mode] == [mode.size for mode in a]


@law("filter-nullspace")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    null, kept = tw.nullspace(a), tw.filter(a)
    assert all(value(a, x) == 0 for x in table(null))
    assert kept.size * null.size == a.size
    assert set(table(kept)) == set(table(a))
    assert table(tw.filter_zeros(a)) == table(Layout(tw.filter_zeros(a).shape, a.stride))


# ---- composition


@law("comp-fn")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    b = draw.inside(pick, a)
    assert table(tw.composition(a, b)) == oracle.composed_table(a, b)


@law("comp-shape")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    b = draw.inside(pick, a)
    assert tw.compatible(b.shape, tw.composition(a, b).shape)


@law("comp-composed")
def _(pick: Chooser) -> None:
    """L o (outer o offset o inner), also where the inner values go beyond the domain of L or of the outer function."""
    a, inner = draw.layout(pick), draw.swizzled(pick)
    if pick.integer(0, 2) == 0:
        inner = ComposedLayout(draw.layout(pick), inner.offset, inner.inner)
    found = tw.composition(a, inner)
    assert found.shape == inner.shape
    assert [found(i) for i in range(inner.size)] == [value(a, inner(i)) for i in range(inner.size)]


@law("composed-coordinates")
def _(pick: Chooser) -> None:
    """An outer layout at the coordinates that the inner one gives, moved by a coordinate."""
    a = draw.layout(pick)
    if a.rank < 2 or not isinstance(a.shape, tuple):
        a = Layout((a.shape, 2), (a.stride, 1))
    inner = draw.coordinates(pick, a)
    offset = tuple(pick.integer(0, 2) for _ in range(a.rank))
    found = ComposedLayout(a, offset, inner)
    for i in range(inner.size):
        at = coordinate_of(inner.at(i), offset)
        assert found(i) == a(tuple(x + y for x, y in zip(at, offset, strict=True)))


@law("comp-total")
def _(pick: Chooser) -> None:
    a, b = draw.layout(pick), draw.layout(pick)
    if pick.integer(0, 2):
        b = draw.inside(pick, a)
    try:
        found = tw.composition(a, b)
    except LayoutError:
        assert not oracle.composable(a, b)
    else:
        assert table(found) == oracle.composed_table(a, b)


@law("comp-assoc")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    b = draw.inside(pick, a)
    c = draw.inside(pick, b)
    points = [value(b, x) for x in table(c)]
    left = tw.composition(tw.composition(a, b), c)
    right = tw.composition(a, tw.composition(b, c))
    beyond = max(points) >= a.size or max(table(c)) >= b.size
    assert beyond or table(left) == table(right)


@law("comp-id")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    assert table(tw.composition(a, Layout(a.size))) == table(a)
    assert table(tw.composition(a, Layout(a.shape))) == table(a)
    if positive(a):
        assert tw.composition(Layout(a.cosize), a) == a or a.cosize == 1


@law("comp-bymode")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    if not isinstance(a.shape, tuple):
        return
    tiler = tuple(draw.tile(pick, size(mode)) for mode in a.shape)
    found = tw.composition(a, tiler)
    for mode, tile, got in zip(a, tiler, found, strict=True):
        expected = mode if tile is None else tw.composition(mode, tile if isinstance(tile, Layout) else Layout(tile))
        assert table(got) == table(expected)


@law("comp-huge")
def _(pick: Chooser) -> None:
    a, b = draw.huge(pick), draw.huge(pick)
    if b.cosize > a.size:
        b = Layout(a.shape, b.stride) if tw.congruent(a, b) else Layout(a.size)
    found = tw.composition(a, b)
    assert tw.compatible(b.shape, found.shape)
    for _ in range(40):
        i = pick.integer(0, b.size - 1)
        assert value(found, i) == value(a, value(b, i))


# ---- strides on axes


@law("module-eval")
def _(pick: Chooser) -> None:
    a = draw.on_axes(pick)
    assert [a.at(i) for i in range(a.size)] == table(a)
    found = tw.coalesce(a)
    assert table(found) == table(a)
    assert len(modes(found)) == max(1, len(oracle.fit(table(a)) or []))
    shown = a(a.size - 1)
    assert isinstance(shown, dict if a.on_axes and not isinstance(shown, tuple) else int | tuple)
    again = eval(repr(a), {"Layout": Layout, "term": tw.term})
    assert again == a


@law("module-comp")
def _(pick: Chooser) -> None:
    a = draw.on_axes(pick)
    b = draw.inside(pick, a)
    try:
        found = tw.composition(a, b)
    except LayoutError:
        assert not oracle.composable(a, b)
    else:
        assert table(found) == oracle.composed_table(a, b)
        assert tw.compatible(b.shape, found.shape)


@law("module-divide")
def _(pick: Chooser) -> None:
    a = draw.on_axes(pick)
    tiler = draw.tiler(pick, a)
    found = tw.zipped_divide(a, tiler)
    assert not Counter(table(a)) - Counter(table(found))
    assert found.size > a.size or Counter(table(a)) == Counter(table(found))
    coord = draw.with_none(pick, a.shape)
    kept, offset = tw.slice_and_offset(coord, a)
    assert [x + offset for x in table(kept)] == [a.at(i) for i, _ in _filled(coord, a.shape)]


@law("coordinate-comp")
def _(pick: Chooser) -> None:
    a = draw.on_axes(pick) if pick.integer(0, 1) else draw.layout(pick)
    if a.rank < 2:
        return
    b = draw.coordinates(pick, a)
    points = [dict(components(x)) for x in table(b)]
    expected = [sum((value(a[k], p.get((k,), 0)) for k in range(a.rank)), 0) for p in points]
    try:
        found = tw.composition(a, b)
    except LayoutError:
        assert not oracle.fit_tree(b.shape, expected)
    else:
        assert table(found) == expected


@law("identity-tensor")
def _(pick: Chooser) -> None:
    shape = draw.shape(pick)
    if not isinstance(shape, tuple):
        return
    identity, zeros = tw.make_identity_tensor(shape), draw.like(shape, [0] * len(leaves(shape)))
    assert all(identity(i) == tw.idx2crd(i, shape) for i in range(identity.size))
    if any(isinstance(mode, tuple) for mode in shape):
        return
    a = Layout(shape, draw.like(shape, draw.strides(pick, leaves(shape), "random")))
    tiler = tuple(draw.tile(pick, mode) for mode in shape)
    parts, coords = tw.zipped_divide(a, tiler), tw.zipped_divide(identity, tiler)
    where = [coordinate_of(coords.at(i), zeros) for i in range(coords.size)]
    inside = [i for i, c in enumerate(where) if tw.elem_less(c, shape)]
    assert all(parts(i) == a(where[i]) for i in inside)
    assert len({where[i] for i in inside}) == a.size


@law("axis-complement")
def _(pick: Chooser) -> None:
    axes: tuple[Any, ...] = pick.one((("laneid",), ((0,), (1,)), ("laneid", "m")))
    a = draw.on_axes(pick, axes, 8)
    found = tw.complement(a, dict.fromkeys((*axes, "m"), 6))
    image = set(table(a))
    assert max(Counter(x + y for x in image for y in table(found)).values()) == 1
    assert len(image) * found.size >= 6 ** len({*axes, "m"})


@law("axis-inverse")
def _(pick: Chooser) -> None:
    shape = (pick.integer(1, 6), pick.integer(1, 6))
    a = tw.composition(tw.make_identity_layout(shape), Layout(prod(shape)))
    right, left = tw.right_inverse(a), tw.left_inverse(a)
    assert [a(right(i)) for i in range(right.size)] == [tw.idx2crd(i, right.shape) for i in range(right.size)]
    assert [left(_padded_coordinate(a(i), left)) for i in range(a.size)] == list(range(a.size))


def _padded_coordinate(coord: Any, target: Layout) -> Any:
    return (*coord, *(0,) * (target.rank - len(coord))) if isinstance(coord, tuple) else coord


# ---- partitions


@law("local-tile")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    if not isinstance(a.shape, tuple):
        return
    tiler = tuple(pick.one([d for d in range(1, size(s) + 1) if size(s) % d == 0]) for s in a.shape)
    counts = [size(s) // t for s, t in zip(a.shape, tiler, strict=True)]
    if tw.zipped_divide(a, tiler).size > a.size:
        return
    every = [tw.local_tile(a, tiler, tw.idx2crd(i, tuple(counts))) for i in range(prod(counts))]
    assert Counter(t(i) for t in every for i in range(t.size)) == Counter(table(a))
    assert all(t.size == prod(tiler) for t in every)


@law("local-partition")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    if not isinstance(a.shape, tuple):
        return
    extents = tuple(pick.one([d for d in range(1, size(s) + 1) if size(s) % d == 0]) for s in a.shape)
    threads = Layout(extents, tuple(draw.strides(pick, extents, "permuted")))
    if tw.zipped_divide(a, extents).size > a.size:
        return
    every = [tw.local_partition(a, threads, t) for t in range(threads.size)]
    assert Counter(p(i) for p in every for i in range(p.size)) == Counter(table(a))


@law("layout-tv")
def _(pick: Chooser) -> None:
    thr, val = draw.layout(pick, 8, "permuted"), draw.layout(pick, 8, "permuted")
    tiler, tv = tw.make_layout_tv(thr, val)
    raked = tw.raked_product(thr, val)
    assert tv.size == thr.size * val.size == prod(tiler)
    assert [value(raked, tv((t, v))) for v in range(val.size) for t in range(thr.size)] == list(range(tv.size))


@law("table")
def _(pick: Chooser) -> None:
    import numpy

    a = draw.swizzled(pick) if pick.integer(0, 1) else draw.layout(pick)
    values = [a(i) for i in range(a.size)]
    found = a.table()
    assert found.ravel(order="F").tolist() == values
    assert found.shape == tuple(mode.size for mode in a)
    assert a(numpy.arange(a.size)).tolist() == values
    coords = tw.idx2crd(numpy.arange(a.size), a.shape)
    assert a(coords).tolist() == values


# ---- complement


def admissible(a: Layout) -> bool:
    """Do the strides, sorted, chain?"""
    reach = 1
    for stride, extent in sorted((d, s) for s, d in modes(a) if s > 1 and d != 0):
        if stride < reach or stride % reach:
            return False
        reach = stride * extent
    return True


def complement_case(pick: Chooser) -> tuple[Layout, int, Layout]:
    a = draw.injective(pick) if pick.integer(0, 3) else draw.layout(pick)
    target = pick.integer(1, 3 * max(1, a.cosize))
    try:
        return a, target, tw.complement(a, target)
    except LayoutError:
        assert not admissible(a)
        raise


@law("compl-order")
def _(pick: Chooser) -> None:
    _, _, found = complement_case(pick)
    assert all(x < y for x, y in pairwise(table(found)))


@law("compl-disjoint")
def _(pick: Chooser) -> None:
    a, _, found = complement_case(pick)
    sums = Counter(x + y for x in set(table(a)) for y in table(found))
    assert max(sums.values()) == 1


@law("compl-cover")
def _(pick: Chooser) -> None:
    a, target, found = complement_case(pick)
    image = len(set(table(a)))
    assert image * found.size >= target
    reach = max((d * s for s, d in modes(a) if s > 1 and d > 0), default=1)
    if admissible(a) and target % reach == 0:
        assert image * found.size == target
        assert {x + y for x in table(a) for y in table(found)} == set(range(target))


@law("compl-norm")
def _(pick: Chooser) -> None:
    a, target, found = complement_case(pick)
    assert tw.coalesce(found) == found
    reach = max((d * s for s, d in modes(a) if s > 1 and d > 0), default=1)
    if admissible(a) and target % reach == 0:
        assert tw.complement(found, target).size == len(set(table(a)))


@law("compl-shape")
def _(pick: Chooser) -> None:
    _, _, found = complement_case(pick)
    assert all(s >= 1 and d >= 0 for s, d in modes(found))


# ---- inverses


@law("rinv")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    found = tw.right_inverse(a)
    assert all(0 <= x < a.size for x in table(found))
    assert [value(a, x) for x in table(found)] == list(range(found.size))


@law("rinv-max")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    if oracle.is_injective(a):
        assert tw.right_inverse(a).size == oracle.longest_right_inverse(a)


@law("linv")
def _(pick: Chooser) -> None:
    a = draw.layout(pick, 24)
    if not oracle.is_injective(a):
        return
    try:
        found = tw.left_inverse(a)
    except LayoutError:
        assert not positive(a) or not oracle.has_left_inverse(a)
        raise
    assert [value(found, x) for x in table(a)] == list(range(a.size))


@law("quasi-inv")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    found = tw.left_inverse(a)
    assert [value(a, value(found, x)) for x in table(a)] == table(a)


@law("inv-compact")
def _(pick: Chooser) -> None:
    a = draw.layout(pick, kind=pick.one(("compact", "permuted")))
    assert table(tw.left_inverse(a)) == table(tw.right_inverse(a))


# ---- divide


def divided(pick: Chooser) -> tuple[Layout, Layout, Layout]:
    a = draw.layout(pick)
    t = draw.inside(pick, a, max(1, a.size))
    return a, t, tw.logical_divide(a, t)


@law("div-tile")
def _(pick: Chooser) -> None:
    a, t, found = divided(pick)
    assert table(found[0]) == oracle.composed_table(a, t)
    assert tw.compatible(t.shape, found[0].shape)


@law("div-part")
def _(pick: Chooser) -> None:
    a, t, found = divided(pick)
    assert found.size >= a.size
    if oracle.is_injective(t):
        lost = Counter(table(a)) - Counter(table(found))
        assert not lost
        assert found.size > a.size or Counter(table(a)) == Counter(table(found))


@law("div-total")
def _(pick: Chooser) -> None:
    a, t = draw.layout(pick, kind=pick.one(("compact", "permuted", "random"))), draw.injective(pick, 12)
    reach = max((d * s for s, d in modes(t) if s > 1 and d > 0), default=1)
    fits = admissible(t) and a.size % reach == 0
    both = [*modes(t), *modes(tw.complement(t, a.size))] if fits else []
    try:
        tw.logical_divide(a, t)
    except LayoutError:
        assert not fits or not oracle.composable(a, (tuple(s for s, _ in both), tuple(d for _, d in both)))


@law("div-variants")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    tiler = draw.tiler(pick, a)
    logical = tw.logical_divide(a, tiler)
    zipped, tiled, flat = (f(a, tiler) for f in (tw.zipped_divide, tw.tiled_divide, tw.flat_divide))
    assert Counter(table(logical)) == Counter(table(zipped)) == Counter(table(tiled)) == Counter(table(flat))
    assert zipped.rank == 2
    assert tiled[0] == zipped[0]
    assert tiled.rank == 1 + zipped[1].rank
    assert flat.rank == zipped[0].rank + zipped[1].rank
    assert table(zipped) == table(tiled) == table(flat)
    if isinstance(tiler, tuple):
        assert table(zipped[0]) == table(tw.composition(a, tiler))


# ---- product


@law("prod-block")
def _(pick: Chooser) -> None:
    a, t = draw.layout(pick, 12), draw.layout(pick, 12)
    found = tw.logical_product(a, t)
    assert found[0] == a
    assert found[1].size == t.size
    assert tw.compatible(t.shape, found[1].shape)


@law("prod-inj")
def _(pick: Chooser) -> None:
    a, t = draw.injective(pick, 12), draw.injective(pick, 12) if pick.integer(0, 1) else draw.layout(pick, 12)
    found = tw.logical_product(a, t)
    assert oracle.is_injective(found) or not oracle.is_injective(t)


@law("prod-variants")
def _(pick: Chooser) -> None:
    a, t = draw.layout(pick, 8), draw.layout(pick, 8)
    expected = Counter(table(tw.logical_product(a, t)))
    names = ("zipped", "tiled", "flat")
    assert all(Counter(table(getattr(tw, f"{name}_product")(a, t))) == expected for name in names)
    rank = max(a.rank, t.rank)
    blocked, raked = tw.blocked_product(a, t), tw.raked_product(a, t)
    assert blocked.rank == raked.rank == rank
    assert Counter(table(blocked)) == Counter(table(raked)) == Counter(table(tw.logical_product(*_padded(a, t, rank))))


def _padded(a: Layout, t: Layout, rank: int) -> list[Layout]:
    return [tw.append(x, Layout(1), rank) if x.rank < rank else x for x in (a, t)]


@law("tile-to-shape")
def _(pick: Chooser) -> None:
    a = draw.injective(pick, 12)
    shape = [mode.size * pick.integer(1, 3) for mode in a]
    found = tw.tile_to_shape(a, tuple(shape))
    assert [mode.size for mode in found] == shape
    assert oracle.is_injective(found)
    blocks = [range(mode.size) for mode in a]
    corner = [pick.integer(0, len(block) - 1) for block in blocks]
    assert found(tuple(corner)) == a(tuple(corner) if isinstance(a.shape, tuple) else corner[0])


# ---- recast


@law("recast-bytes")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    old, new = pick.one((1, 2, 4, 6, 8, 16)), pick.one((1, 2, 4, 6, 8, 16))
    found = tw.recast_layout(a, old, new)
    assert oracle.bits(found, new) == oracle.bits(a, old)


@law("recast-total")
def _(pick: Chooser) -> None:
    a, factor = draw.layout(pick), pick.integer(2, 4)
    expected = oracle.wide_elements(a, factor)
    try:
        found = tw.upcast(a, factor)
    except LayoutError:
        assert expected is None or oracle.fit(expected) is None
    else:
        assert table(found) == expected


@law("recast-rt")
def _(pick: Chooser) -> None:
    a, factor = draw.layout(pick), pick.integer(1, 4)
    assert Counter(table(tw.upcast(tw.downcast(a, factor), factor))) == Counter(table(a))


# ---- common


@law("max-common")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    b = Layout(a.shape, draw.like(a.shape, draw.strides(pick, leaves(a.shape), pick.one(draw.KINDS))))
    common = tw.max_common_layout(a, b)
    count = tw.max_common_vector(a, b)
    points = table(common)
    assert [value(a, x) for x in points] == [value(b, x) for x in points] == list(range(common.size))
    met = {i for i, j in zip(table(a), table(b), strict=True) if i == j}
    assert met >= set(range(count))
    assert count not in met
    assert count == tw.max_common_vector(b, a)
    vector = tw.max_alignment(a)
    held = set(table(a))
    assert all(x - x % vector + j in held for x in held for j in range(vector))


# ---- slices and structure


@law("slice-offset")
def _(pick: Chooser) -> None:
    whole = draw.swizzled(pick) if pick.integer(0, 1) else draw.layout(pick)
    coord = draw.with_none(pick, whole.shape)
    found, offset = tw.slice_and_offset(coord, whole)
    kept = [i for i, c in _filled(coord, whole.shape)]
    assert [found(x) + offset for x in range(found.size)] == [whole(i) for i in kept]


def _filled(coord: Any, shape: Any) -> list[tuple[Any, Any]]:
    """Every coordinate with numbers in place of None, the first None fastest."""
    if not isinstance(coord, tuple):
        return [(i, None) for i in range(size(shape))] if coord is None else [(coord, None)]
    out: list[tuple[Any, ...]] = [()]
    for c, s in zip(coord, shape, strict=True):
        out = [(*before, i) for i, _ in _filled(c, s) for before in out]
    return [(c, None) for c in out]


@law("slice-order")
def _(pick: Chooser) -> None:
    """The side with None is the coordinate, of int tuples as of layouts; on both sides it is an error."""
    drawn = draw.shape(pick)
    coord = draw.with_none(pick, drawn)
    assert tw.slice(coord, drawn) == tw.slice(drawn, coord) == tw.slice(coord, Layout(drawn)).shape
    with pytest.raises(LayoutError, match="both"):
        tw.slice(coord, coord)


@law("slice-call")
def _(pick: Chooser) -> None:
    whole = draw.swizzled(pick)
    coord = draw.with_none(pick, whole.shape)
    found = whole(coord)
    assert [found(x) for x in range(found.size)] == [whole(i) for i, _ in _filled(coord, whole.shape)]


@law("select-group")
def _(pick: Chooser) -> None:
    a = draw.layout(pick)
    rank = a.rank
    chosen = [pick.integer(0, rank - 1) for _ in range(pick.integer(1, 3))]
    assert tw.select(a, *chosen) == tw.make_layout(*(a[i] for i in chosen))
    begin = pick.integer(0, rank)
    grouped = tw.group(a, begin, pick.integer(begin, rank))
    assert table(grouped) == table(a)
    assert tw.flatten(grouped) == tw.flatten(a) or not isinstance(a.shape, tuple)
    assert table(tw.take(a, 0, rank)) == table(a)
    assert tw.append(a, Layout(3, 7))[-1] == Layout(3, 7)
    assert table(tw.with_shape(Layout(a.size), a.shape)) == list(range(a.size))


# ---- swizzles


@law("swz-inv")
def _(pick: Chooser) -> None:
    s = draw.swizzle(pick)
    base = s.block * pick.integer(0, 3)
    values = [s(base + i) for i in range(min(s.block, 4096))]
    assert [s(v) for v in values] == [base + i for i in range(len(values))]
    assert all(v // s.block == base // s.block for v in values)


@law("swz-refuse")
def _(pick: Chooser) -> None:
    b, m, s = (pick.integer(-2, 6) for _ in range(3))
    try:
        Swizzle(b, m, s)
    except LayoutError:
        assert b < 0 or m < 0 or abs(s) < b
    else:
        assert b >= 0
        assert m >= 0
        assert abs(s) >= b


@law("swz-low")
def _(pick: Chooser) -> None:
    s = draw.swizzle(pick)
    x = pick.integer(0, 1 << 20)
    assert s(x) & ~s.zzz_mask == x & ~s.zzz_mask
    assert s(x) % (1 << s.m) == x % (1 << s.m)


@law("swz-recast")
def _(pick: Chooser) -> None:
    c, factor = draw.swizzled(pick), 1 << pick.integer(0, 3)
    narrow = tw.downcast(c, factor)
    assert oracle_bits(narrow, 1) == oracle_bits(c, factor)
    wide = tw.upcast(c, factor)
    assert oracle_bits(wide, factor) == oracle_bits(c, 1)


def oracle_bits(c: Any, width: int) -> Counter[int]:
    return Counter(c(i) * width + j for i in range(c.size) for j in range(width))


@law("comp-lay")
def _(pick: Chooser) -> None:
    c = draw.swizzled(pick)
    assert [c(i) for i in range(c.size)] == [c.outer(c.offset + v) for v in table(c.inner)]
    assert same(tw.coalesce(c), c)
    tiler = draw.tiler(pick, c.inner)
    assert same(tw.zipped_divide(c, tiler), ComposedLayout(c.outer, c.offset, tw.zipped_divide(c.inner, tiler)))
    b = draw.inside(pick, c.inner)
    assert [tw.composition(c, b)(i) for i in range(b.size)] == [c(x) for x in table(b)] or max(table(b)) >= c.size


@law("comp-lay-inverse")
def _(pick: Chooser) -> None:
    c = draw.swizzled(pick)
    if c.offset == 0:
        right = tw.right_inverse(c)
        assert [c(right(i)) for i in range(right.size)] == list(range(right.size))
    left = tw.left_inverse(c)
    assert [c(left(c(i))) for i in range(c.size)] == [c(i) for i in range(c.size)]


@law("swz-move")
def _(pick: Chooser) -> None:
    a, s = draw.layout(pick, kind=pick.one(("compact", "permuted", "gapped"))), draw.swizzle(pick)
    if pick.integer(0, 2):
        extents = [1 << pick.integer(0, 4) for _ in range(pick.integer(1, 3))]
        a = Layout(tuple(extents), tuple(draw.strides(pick, extents, "permuted")))
    found = tw.composition(a, s)
    assert [found(i) for i in range(a.size)] == [value(a, s(i)) for i in range(a.size)]


@law("swz-merge")
def _(pick: Chooser) -> None:
    a, b = draw.swizzle(pick), draw.swizzle(pick)
    found = tw.composition(a, b)
    assert all(found(x) == a(b(x)) for x in (pick.integer(0, 1 << 16) for _ in range(60)))


@law("max-common-swizzled")
def _(pick: Chooser) -> None:
    c = draw.swizzled(pick)
    b = Layout(c.shape, draw.like(c.shape, draw.strides(pick, leaves(c.shape), "permuted")))
    points = table(tw.max_common_layout(c, b))
    assert [c(x) - c(0) for x in points] == [value(b, x) for x in points] == list(range(len(points)))
    vector = tw.max_alignment(c)
    held = {c(i) for i in range(c.size)}
    assert gcd(vector, c.offset) == vector
    assert all(x - x % vector + j in held for x in held for j in range(vector))
