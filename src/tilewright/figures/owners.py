"""Who has what: the threads and values of a thread-value layout, by the element that they have."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import sub
from typing import Any

from tilewright.errors import UsageError, counted
from tilewright.figures.cell import Owner
from tilewright.figures.domain import checked, extent
from tilewright.figures.listing import listing
from tilewright.figures.series import Owned, Same, picked, words
from tilewright.figures.values import TOLD, shortened
from tilewright.layout.layout import Layout

NAMED = 4  # owners that a note names
Locate = Callable[[Any, Owner], int]


@dataclass(frozen=True, slots=True)
class Owners(Mapping[int, tuple[Owner, ...]]):
    """element -> its owners by value and thread: `number` says which of `who` they are."""

    number: Mapping[int, int]
    who: Sequence[tuple[Owner, ...]]

    def __getitem__(self, element: int) -> tuple[Owner, ...]:
        return self.who[self.number[element]]

    def __iter__(self) -> Iterator[int]:
        return iter(self.number)

    def __len__(self) -> int:
        return len(self.number)

    def of(self, elements: Sequence[int]) -> Sequence[tuple[Owner, ...]]:
        """The owners of these elements, none of those that have none."""
        if all(map(self.number.__contains__, elements)):
            return picked(self.who, list(map(self.number.__getitem__, elements)))
        found = dict(zip(self.number, self.who, strict=True))
        return [found.get(element, ()) for element in elements]


def owners(layout: Any, locate: Locate, size: int = 0) -> Owners:
    """Who has what, where `locate` numbers the element at what the layout answers to (thread, value).

    Where all that it answers are numbers below `size`, those are the elements. What every one of several threads has is
    owned by the thread None.

    Raises:
        UsageError: fewer than two modes, more than 65536 pairs of thread and value.
    """
    shape = getattr(layout, "shape", None)
    if not isinstance(shape, tuple) or len(shape) < 2:
        raise UsageError(f"a thread-value layout has the two modes (thread, value), got {layout}")
    threads = extent(shape[0])
    served = 1 if shared_by(layout) else threads
    pairs = checked(served * extent(shape[1:]))
    places = listing(layout) if served == threads else [layout(threads * value) for value in range(pairs)]
    numbered = set(map(type, places)) == {int} and min(places) >= 0 and max(places) < size
    if not numbered:
        places = [locate(at, own) for at, (own,) in zip(places, _owned(range(pairs), served, threads), strict=True)]
    return _by_element(places, served, threads)


def _owned(pairs: Sequence[int], served: int, threads: int) -> Owned:
    """The owners of these numbers of pairs, threads first; of all threads where one is served for them."""
    values = [pair // served for pair in pairs]
    return Owned((([pair % served for pair in pairs] if served == threads else Same(None, len(pairs)), values),))


def _by_element(places: Sequence[int], served: int, threads: int) -> Owners:
    """The owners at each element; in columns where all have equally many."""
    order = sorted(range(len(places)), key=places.__getitem__)
    elements = dict.fromkeys(map(places.__getitem__, order))
    number = dict(zip(elements, range(len(elements)), strict=True))
    each = len(order) // len(number)
    if [places[pair] for pair in order[::each]] == [places[pair] for pair in order[each - 1 :: each]] == list(elements):
        columns = (_owned(order[turn::each], served, threads).columns[0] for turn in range(each))
        return Owners(number, Owned(tuple(columns)))
    alike = groupby(zip(order, _owned(order, served, threads), strict=True), lambda pair: places[pair[0]])
    return Owners(number, [tuple(owner for _, (owner,) in pairs) for _, pairs in alike])


def shared_by(layout: Any) -> int:
    """The number of threads, where there are several and all of them have the same values; else 0."""
    if not isinstance(layout, Layout) or layout[0].size == 1:
        return 0
    return extent(layout[0].shape) if all(stride == 0 for size, stride in layout[0].flat if size != 1) else 0


def story(who: tuple[Owner, ...], threads: int = 0) -> str:
    """The owners in words; `threads` are all that there are.

    >>> story((Owner(3, 1), Owner(None, 2)), 32)
    'thread 3 value 1, all 32 threads value 2'
    """
    names = (f"{f'all {threads} threads' if t is None else f'thread {t}'} value {v}" for t, v in who[:TOLD])
    return shortened(names, len(who), ", ")


def label(who: tuple[Owner, ...]) -> str:
    r"""The first owner as `T3` and `V1`, and how many more there are.

    >>> label((Owner(3, 1), Owner(7, 1)))
    'T3+1\nV1'
    """
    thread, value = who[0]
    more = f"+{len(who) - 1}" if len(who) > 1 else ""
    return f"V{value}{more}" if thread is None else f"T{thread}{more}\nV{value}"


def texts(every: Sequence[tuple[Owner, ...]], threads: int = 0) -> tuple[Sequence[str], Sequence[str]]:
    """`label` and `story` of each, put together of columns where all have equally many owners."""
    if not isinstance(every, Owned) or len(every.columns) > TOLD or isinstance(every.columns[0][0], Same):
        return list(map(label, every)), [story(who, threads) for who in every]
    (thread, value), *rest = every.columns
    told = [part for t, v in every.columns for part in (", thread ", t, " value ", v)]
    shown = words(len(every), "T", thread, f"{f'+{len(rest)}' if rest else ''}\nV", value)
    return shown, words(len(every), "thread ", *told[1:])


def firsts(every: Sequence[tuple[Owner, ...]], field: int) -> list[int]:
    """The thread, or the value, of each first owner; 0 where that is every thread."""
    column = every.columns[0][field] if isinstance(every, Owned) else [who[0][field] for who in every]
    return [number or 0 for number in column]


def distinct(every: Sequence[tuple[Owner, ...]], field: int) -> set[int]:
    """The threads, or the values, of all owners, likewise."""
    columns = (
        [column[field] for column in every.columns]
        if isinstance(every, Owned)
        else [[owner[field] for who in every for owner in who]]
    )
    return {number or 0 for number in set().union(*columns)}


def plus(several: Sequence[tuple[Owner, ...]]) -> str:
    """What a label with a plus means: the owners of the first such element, and what holds of all of them.

    >>> plus([(Owner(0, 1), Owner(64, 1)), (Owner(1, 1), Owner(65, 1))])
    'T0+1: T0 V1 and T64 V1 have this element; each that is marked so has owners 64 threads apart'
    """
    first = several[0]
    names = [_name(owner) for owner in first[:NAMED]]
    more = [f"{len(first) - NAMED} more"] if len(first) > NAMED else []
    *rest, last = [*names, *more]
    apart = _apart(several)
    steps = {step for steps in apart for step in steps}
    rule = (
        f"; each that is marked so has owners {counted(steps.pop(), 'thread')} apart" if _is_rule(apart, steps) else ""
    )
    return f"{label(first).split(chr(10))[0]}: {', '.join(rest)} and {last} have this element{rule}"


def _apart(several: Sequence[tuple[Owner, ...]]) -> set[tuple[int, ...]]:
    """From each owner of an element to the next, how many threads."""
    if not isinstance(several, Owned):
        return {tuple((b.thread or 0) - (a.thread or 0) for a, b in pairwise(who)) for who in several}
    threads = [[thread or 0 for thread in column] for column, _ in several.columns]
    return set(zip(*(map(sub, after, before) for before, after in pairwise(threads)), strict=True))


def _is_rule(apart: set[tuple[int, ...]], steps: set[int]) -> bool:
    """Are all owners, of all elements, equally many threads apart?"""
    return len(apart) == len(steps) == 1 and min(steps) > 0


def _name(owner: Owner) -> str:
    return f"V{owner.value}" if owner.thread is None else f"T{owner.thread} V{owner.value}"
