"""Owners of elements, in columns or not, are those that asking every thread for every value finds."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import example, given
from hypothesis import strategies as st

from tilewright.figures.cell import Owner
from tilewright.figures.owners import Owners, distinct, firsts, owners, plus, shared_by, texts
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
