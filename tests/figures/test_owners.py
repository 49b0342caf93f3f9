"""Owners of elements, in columns or not, are those that asking every thread for every value finds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tilewright.errors import UsageError
from tilewright.figures.cell import Owner
from tilewright.figures.draw import draw
from tilewright.figures.owners import NAMED, Owners, distinct, firsts, owners, plus, shared_by, texts
from tilewright.layout.layout import Layout

modes = st.lists(st.tuples(st.integers(1, 4), st.sampled_from((0, 1, 2, 4, 8))), min_size=1, max_size=2)


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    """(thread, value) -> element, some elements owned by several."""
    shape, stride = zip(*(tuple(zip(*draw(modes), strict=True)) for _ in range(2)), strict=True)
    return Layout(shape, stride)


def found(layout: Layout) -> Owners:
    return owners(layout, lambda place, owner: int(place))


def asked(layout: Layout) -> dict[int, tuple[Owner, ...]]:
    """The same by asking: value by value, each thread; all threads as one where they have the same."""
    every: dict[int, list[Owner]] = {}
    threads = [None] if shared_by(layout) else list(range(layout[0].size))
    for value in range(layout[1].size):
        for thread in threads:
            every.setdefault(int(layout(thread or 0, value)), []).append(Owner(thread, value))
    return {element: tuple(who) for element, who in every.items()}


@given(layouts())
@example(Layout((4, 2), (0, 1)))  # all threads have the same
@example(Layout(((2, 2), 2), ((1, 0), 2)))  # two have each
def test_owners_are_who_asks_for_an_element(layout: Layout) -> None:
    there, wanted = found(layout), asked(layout)
    assert dict(there) == wanted
    assert list(there) == sorted(wanted)
    some = range(layout.cosize + 2)
    assert list(there.of(some)) == [wanted.get(element, ()) for element in some]
    assert list(there.of(sorted(wanted, reverse=True))) == [wanted[element] for element in sorted(wanted, reverse=True)]


@given(layouts())
@example(Layout((4, 2), (0, 1)))  # all threads have the same
@example(Layout(((2, 2), 2), ((1, 0), 2)))  # two have each
@example(Layout(((40, 2), 2), ((0, 1), 2)))  # more than are told
def test_what_is_said_of_owners_does_not_depend_on_columns(layout: Layout) -> None:
    who = found(layout).who
    plain: Sequence[tuple[Owner, ...]] = list(who)
    threads = shared_by(layout)
    assert list(map(list, texts(who, threads))) == list(map(list, texts(plain, threads)))
    for field in (0, 1):
        assert firsts(who, field) == firsts(plain, field)
        assert distinct(who, field) == distinct(plain, field)
    if all(len(own) > 1 for own in plain):
        assert plus(who) == plus(plain)


@given(layouts())
@example(Layout((4, 2), (0, 0)))  # all threads have the same
@example(Layout(((4, 2), 1), ((0, 1), 0)))  # as many owners as are named
@example(Layout((2, 2), (1, 0)))  # a thread has an element twice
@example(Layout(((3, 3), 1), ((4, 2), 0)))  # some elements have one owner, some two
def test_a_plus_is_explained_by_the_first_owners_and_a_rule_that_holds(layout: Layout) -> None:
    several = [who for who in asked(layout).values() if len(who) > 1]
    if not several:
        return
    told = plus(several).partition(": ")[2]
    names = [tuple(None if n == "" else int(n) for n in found) for found in re.findall(r"(?:T(\d+) )?V(\d+)", told)]
    more, apart = re.search(r"(\d+) more", told), re.search(r"owners (\d+) threads? apart", told)
    assert names == list(map(tuple, several[0][:NAMED]))
    assert (int(more[1]) if more else 0) == len(several[0]) - len(names)
    assert more is None or more[1] != "0"
    steps = {tuple((b.thread or 0) - (a.thread or 0) for a, b in pairwise(who)) for who in several}
    one = {step for each in steps for step in each}
    assert (apart is not None) == (len(steps) == len(one) == 1 and min(one) > 0)
    assert apart is None or one == {int(apart[1])}


@given(layouts(), st.integers(1, 5), st.integers(1, 5), st.sampled_from([1, -1]))
@example(Layout(((2,), (2,)), ((1,), (2,))), 1, 3, 1)  # one beyond
def test_elements_outside_of_the_tile_are_refused(layout: Layout, rows: int, columns: int, sign: int) -> None:
    turned = Layout(layout.shape, tuple(tuple(sign * step for step in mode) for mode in layout.stride))
    values = [turned(i) for i in range(turned.size)]
    if min(values) >= 0 and max(values) < rows * columns:
        assert len(draw(turned, kind="tv", tile=(rows, columns)).scene.panels[0].cells) == len(set(values))
    else:
        with pytest.raises(UsageError, match="outside of the tile"):
            draw(turned, kind="tv", tile=(rows, columns))
