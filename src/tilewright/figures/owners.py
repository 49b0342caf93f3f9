"""Who has what: the threads and values of a thread-value layout, by the element that they have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tilewright.errors import UsageError
from tilewright.figures.cell import Owner
from tilewright.figures.domain import checked, extent
from tilewright.figures.values import TOLD, shortened
from tilewright.layout.layout import Layout

Owners = Mapping[int, tuple[Owner, ...]]
Locate = Callable[[Any, Owner], int]


def owners(layout: Any, locate: Locate) -> Owners:
    """element -> its owners by value and thread, where `locate` numbers the element at what the layout answers.

    What every one of several threads has is owned by the thread None.

    Raises:
        UsageError: fewer than two modes, more than 65536 pairs of thread and value.
    """
    shape = getattr(layout, "shape", None)
    if not isinstance(shape, tuple) or len(shape) < 2:
        raise UsageError(f"a thread-value layout has the two modes (thread, value), got {layout}")
    threads = extent(shape[0])
    served = 1 if shared_by(layout) else threads
    found: dict[int, list[Owner]] = {}
    for value in range(checked(served * extent(shape[1:])) // served):
        for thread in range(served):
            owner = Owner(thread if served == threads else None, value)
            found.setdefault(locate(layout(thread + threads * value), owner), []).append(owner)
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


def plus(who: tuple[Owner, ...]) -> str:
    """What a label with a plus means, told of one with several owners.

    >>> plus((Owner(0, 1), Owner(64, 1)))
    'T0+1: thread 0 and 1 more have the element, named where one points at it'
    """
    first = label(who).split("\n")[0]
    name = f"value {who[0].value}" if who[0].thread is None else f"thread {who[0].thread}"
    return f"{first}: {name} and {len(who) - 1} more have the element, named where one points at it"
