"""What strides prove of layouts whose extents or strides only run time knows: for all of their values, or for none.

A mode of extent s and stride d moves s - 1 times by d. Where the modes have an order in which every stride is at least
one more than all moves before it reach, no two elements meet; where it is just that, nothing is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import TYPE_CHECKING, TypeAlias

from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout
from tilewright.layout.symbolic.comparison import equals
from tilewright.layout.symbolic.conditions import Condition, Truth, all_of

if TYPE_CHECKING:
    from tilewright.layout.symbolic.symint import SymInt

    Mode: TypeAlias = tuple[int | SymInt, int | SymInt]  # extent and stride
    Fits: TypeAlias = Callable[[int | SymInt, int | SymInt], Truth]  # of a stride, and the end of what lies before

MOST_MODES = 6  # orders are tried


def is_of_run_time(layout: object) -> bool:
    """Is it a plain layout of integers, some of which run time knows?"""
    return isinstance(layout, Layout) and not layout.on_axes and not layout.is_static


def behind(stride: int | SymInt, end: int | SymInt) -> Truth:
    """Does the mode move beyond all before it?"""
    return stride >= end


def within(stride: int | SymInt, end: int | SymInt) -> Truth:
    """Does the mode begin where those before it end, or earlier?"""
    return stride <= end


def proved(layout: Layout, fits: Fits) -> bool:
    """Is there an order of the modes in which each fits those before it?

    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> proved(Layout((4, SymInt("n")), (1, 4)), equals), proved(Layout((SymInt("n"), 4), (4, 1)), behind)
    (True, True)
    """
    modes = _upwards(layout)
    return modes is not None and any(_chain(order, fits) is True for order in _orders(modes))


def proved_in_order(layout: Layout) -> bool:
    """Does each mode, as they stand, begin where those before it end?"""
    return _chain([mode for mode in layout.flat if mode[0] != 1], equals) is True


def undecided(layout: Layout, what: str, fits: Fits) -> LayoutError:
    """What is not known, as an error."""
    modes = _upwards(layout)
    found = "the sign of a stride" if modes is None else _chain(modes, fits)
    if isinstance(found, Condition):
        rests = f"where {found} its strides prove it"
    else:
        rests = f"{found} is not known" if isinstance(found, str) else "its strides prove it in no order of the modes"
    return LayoutError(
        f"undecided: whether {layout} {what} for all that run time may bring: {rests}; "
        "tw.substitute gives its integers values"
    )


def static_part(layout: Layout) -> Layout[int]:
    """The modes that are known."""
    known = [(s, d) for s, d in layout.flat if type(s) is int and type(d) is int]
    return Layout(tuple(s for s, _ in known), tuple(d for _, d in known))


def _orders(modes: list[Mode]) -> Iterator[tuple[Mode, ...]]:
    yield tuple(modes)
    if len(modes) <= MOST_MODES:
        yield from permutations(modes)


def _chain(modes: list[Mode] | tuple[Mode, ...], fits: Fits) -> Truth:
    """Does each fit those before it?"""
    end: int | SymInt = 1
    truths: list[Truth] = []
    for extent, stride in modes:
        truths.append(fits(stride, end))
        if truths[-1] is False:
            return False
        end = end + (extent - 1) * stride
    return all_of(*truths)


def _upwards(layout: Layout) -> list[Mode] | None:
    """The modes that move, with the sizes of their strides; None where a sign is not known."""
    found: list[Mode] = []
    for extent, stride in layout.flat:
        if extent == 1:
            continue
        if (stride >= 0) is not True and (stride <= 0) is not True:
            return None
        found.append((extent, stride if (stride >= 0) is True else -stride))
    return found
