"""Who has what: the threads and values of a thread-value layout, by the element that they have."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from tilewright.errors import UsageError, counted
from tilewright.figures.cell import Owner
from tilewright.figures.domain import checked, extent
from tilewright.figures.listing import listing
from tilewright.figures.series import words
from tilewright.figures.values import TOLD, shortened
from tilewright.layout.layout import Layout

Owners = Mapping[int, tuple[Owner, ...]]
NAMED = 4  # owners that a note names
ALL = (None,)  # the thread that stands for all of them
Locate = Callable[[Any, Owner], int]


def owners(layout: Any, locate: Locate, size: int = 0) -> Owners:
    """element -> its owners by value and thread, where `locate` numbers the element at what the layout answers.

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
    values = checked(served * extent(shape[1:])) // served
    places = listing(layout) if served == threads else [layout(threads * value) for value in range(values)]
    every = [
        Owner(thread, value) for value in range(values) for thread in (range(threads) if served == threads else ALL)
    ]
    numbered = set(map(type, places)) == {int} and min(places) >= 0 and max(places) < size
    there = places if numbered else list(map(locate, places, every))
    if len(set(there)) == len(there):
        return dict(zip(there, zip(every, strict=True), strict=True))
    found: dict[int, list[Owner]] = {}
    for element, owner in zip(there, every, strict=True):
        found.setdefault(element, []).append(owner)
    return {element: tuple(who) for element, who in found.items()}


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
    counts, size = {len(who) for who in every}, len(every)
    if len(counts) != 1 or max(counts) > TOLD or any(None in owner for who in every for owner in who):
        return list(map(label, every)), [story(who, threads) for who in every]
    columns = [([who[i].thread for who in every], [who[i].value for who in every]) for i in range(counts.pop())]
    (thread, value), more = columns[0], f"+{len(columns) - 1}" if len(columns) > 1 else ""
    told = [part for t, v in columns for part in (", thread ", t, " value ", v)]
    return words(size, "T", thread, f"{more}\nV", value), words(size, "thread ", *told[1:])


def plus(several: Sequence[tuple[Owner, ...]]) -> str:
    """What a label with a plus means: the owners of the first such element, and what holds of all of them.

    >>> plus([(Owner(0, 1), Owner(64, 1)), (Owner(1, 1), Owner(65, 1))])
    'T0+1: T0 V1 and T64 V1 have this element; each that is marked so has owners 64 threads apart'
    """
    first = several[0]
    names = [_name(owner) for owner in first[:NAMED]]
    more = [f"{len(first) - NAMED} more"] if len(first) > NAMED else []
    *rest, last = [*names, *more]
    apart = {tuple((b.thread or 0) - (a.thread or 0) for a, b in pairwise(who)) for who in several}
    steps = {step for steps in apart for step in steps}
    rule = (
        f"; each that is marked so has owners {counted(steps.pop(), 'thread')} apart" if _is_rule(apart, steps) else ""
    )
    return f"{label(first).split(chr(10))[0]}: {', '.join(rest)} and {last} have this element{rule}"


def _is_rule(apart: set[tuple[int, ...]], steps: set[int]) -> bool:
    """Are all owners, of all elements, equally many threads apart?"""
    return len(apart) == len(steps) == 1 and min(steps) > 0


def _name(owner: Owner) -> str:
    return f"V{owner.value}" if owner.thread is None else f"T{owner.thread} V{owner.value}"
