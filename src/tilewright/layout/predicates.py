"""What can be true of a layout as a function, decided exactly, and the elements that show where it is not.

A layout is a function of its flat coordinate, 0 <= i < size. Plain layouts of integers are decided by their modes
where a rule does; everything else by its values, of up to 2^22 elements. Where run time knows some of the numbers, an
answer holds for all of them, and is proved by strides, else refused with what is not known. Of what is seen through a
layout, such as a tensor, its layout is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol, overload

from tilewright.errors import UsageError, shown
from tilewright.layout.base import LayoutBase, layout_of
from tilewright.layout.view import View
from tilewright.layout.witness import Counterexample, difference, gap, hole, image_of, meeting, repeated, step


class Injective(Protocol):
    """A layout of another view, which answers for itself: `LinearLayout`, `TileLayout`."""

    def is_injective(self) -> bool:
        """Do different elements lie in different places?"""


class Surjective(Protocol):
    """A layout of another view, which answers for itself: `LinearLayout`."""

    def is_surjective(self) -> bool:
        """Has every place an element?"""


class Bijective(Protocol):
    """A layout of another view, which answers for itself: `TileLayout`."""

    def is_bijective(self) -> bool:
        """Has every place exactly one element?"""


@overload
def is_injective(layout: LayoutBase | View) -> bool: ...
@overload
def is_injective(layout: Injective) -> bool: ...
def is_injective(layout: LayoutBase | View | Injective) -> bool:
    """Do different elements lie in different places? L(i) == L(j) only for i == j.

    Raises:
        LayoutError: run-time values by which strides prove neither, or more than 2^22 elements of which no rule for the
            modes decides.

    >>> from tilewright.layout.layout import Layout
    >>> is_injective(Layout((4, 8), (8, 1))), is_injective(Layout((4, 2), (1, 2)))
    (True, False)
    >>> from tilewright.layout.symbolic.symint import SymInt
    >>> is_injective(Layout((4, SymInt("n")), (1, 4)))
    True
    >>> print(counterexample(is_injective, Layout((4, 2), (1, 2))))
    the elements 2 and 4 both lie at 2
    """
    if isinstance(layout, LayoutBase | View):
        return repeated(layout_of(layout)) is None
    return _own(layout, "is_injective")


@overload
def is_surjective(layout: LayoutBase | View, cosize: int | None = None) -> bool: ...
@overload
def is_surjective(layout: Surjective) -> bool: ...
def is_surjective(layout: LayoutBase | View | Surjective, cosize: int | None = None) -> bool:
    """Does an element lie at each of 0 .. cosize - 1? Without a cosize, at each up to the largest that is used.

    Raises:
        LayoutError: run-time values, coordinates or names as values, values outside of the given range, or more than
            2^22 elements.

    >>> from tilewright.layout.layout import Layout
    >>> is_surjective(Layout((4, 8), (8, 1))), is_surjective(Layout(4, 2)), is_surjective(Layout(4), 8)
    (True, False, False)
    >>> print(counterexample(is_surjective, Layout(4, 2)))
    no element lies at 1
    """
    if isinstance(layout, LayoutBase | View):
        return hole(layout_of(layout), cosize) is None
    return _own(layout, "is_surjective")


@overload
def is_bijective(layout: LayoutBase | View) -> bool: ...
@overload
def is_bijective(layout: Bijective) -> bool: ...
def is_bijective(layout: LayoutBase | View | Bijective) -> bool:
    """Does exactly one element lie at each of 0 .. size - 1?

    Raises:
        LayoutError: no layout of known size.

    >>> from tilewright.layout.layout import Layout
    >>> is_bijective(Layout((4, 8), (8, 1))), is_bijective(Layout((4, 8), (9, 1)))
    (True, False)
    """
    if isinstance(layout, LayoutBase | View):
        return _not_bijective(layout_of(layout)) is None
    return _own(layout, "is_bijective")


def is_compact(layout: LayoutBase | View) -> bool:
    """Do the elements fill their memory? Each place between the first and the last that is used has exactly one.

    Raises:
        LayoutError: no layout of known size.

    >>> from tilewright.layout.layout import Layout
    >>> is_compact(Layout((4, 8), (8, 1))), is_compact(Layout((4, 8), (-8, 1))), is_compact(Layout((4, 8), (16, 1)))
    (True, True, False)
    >>> print(counterexample(is_compact, Layout((4, 8), (16, 1))))
    no element lies at 8
    """
    return _not_compact(layout_of(layout)) is None


def is_contiguous(layout: LayoutBase | View) -> bool:
    """Do the elements follow one another in memory in the order of their coordinates? L(i) == L(0) + i.

    Raises:
        LayoutError: no layout of known size.

    >>> from tilewright.layout.layout import Layout
    >>> is_contiguous(Layout((4, 8), (1, 4))), is_contiguous(Layout((4, 8), (8, 1)))
    (True, False)
    >>> print(counterexample(is_contiguous, Layout((4, 8), (8, 1))))
    the element 1 lies at 8, not at 1
    """
    return step(layout_of(layout)) is None


def equivalent(a: LayoutBase | View, b: LayoutBase | View) -> bool:
    """Are they one function of the flat coordinate? Equal sizes, and a(i) == b(i) for all i, however the modes nest.

    Raises:
        LayoutError: no layouts of known sizes.

    >>> from tilewright.layout.layout import Layout
    >>> equivalent(Layout((4, 8), (1, 4)), Layout((2, 16), (1, 2))), equivalent(Layout(8, 1), Layout(8, 2))
    (True, False)
    >>> print(counterexample(equivalent, Layout((4, 8), (8, 1)), Layout((4, 8), (8, 2))))
    the element 4 lies at 1 in the first and at 2 in the second
    """
    return difference(layout_of(a), layout_of(b)) is None


def overlaps(a: LayoutBase | View, b: LayoutBase | View) -> bool:
    """Does some place hold an element of both? Of two tensors that share a pointer.

    Raises:
        LayoutError: no layouts of known sizes.

    >>> from tilewright.layout.layout import Layout
    >>> overlaps(Layout(4, 2), Layout(4, 3)), overlaps(Layout((4, 2), (1, 8)), Layout((2, 2), (1, 24)))
    (True, True)
    >>> print(counterexample(overlaps, Layout(4, 2), Layout(4, 3)))
    the element 0 of the first and the element 0 of the second lie at 0
    """
    return meeting(layout_of(a), layout_of(b)) is not None


def image(layout: LayoutBase | View) -> tuple[int, ...]:
    """The places that hold an element, each once, in increasing order.

    Raises:
        LayoutError: run-time values, coordinates or names as values, or more than 2^20 elements.

    >>> from tilewright.layout.layout import Layout
    >>> image(Layout((4, 2), (1, 2)))
    (0, 1, 2, 3, 4, 5)
    """
    return image_of(layout_of(layout))


def counterexample(predicate: Callable[..., bool], *layouts: LayoutBase | View) -> Counterexample | None:
    """The elements that show that a predicate of this module does not hold of layouts; None where it holds.

    Of `overlaps` the elements that meet, None where none do. `tw.draw` frames them in the layouts.

    Raises:
        UsageError: no predicate of this module.
        LayoutError: as the predicate does.

    >>> from tilewright.layout.layout import Layout
    >>> found = counterexample(is_injective, Layout((4, 2), (1, 2)))
    >>> found.elements, found.places
    ((2, 4), (2, 2))
    """
    find = next((find for of, find in _FINDERS.items() if of is predicate), None)
    if find is None:
        raise UsageError(f"counterexample takes {', '.join(f.__name__ for f in _FINDERS)}, got {shown(predicate)}")
    asked = tuple(map(layout_of, layouts))
    found = find(*asked)
    return found and replace(found, layouts=asked)


def _own(layout: object, name: str) -> bool:
    """What a layout of another view answers."""
    asked: Callable[[], bool] | None = getattr(layout, name, None)
    return layout_of(layout) is None if asked is None or isinstance(layout, type) else asked()


def _not_bijective(layout: LayoutBase) -> Counterexample | None:
    return repeated(layout) or hole(layout, None)


def _not_compact(layout: LayoutBase) -> Counterexample | None:
    return repeated(layout) or gap(layout)


_FINDERS: dict[Callable[..., bool], Callable[..., Counterexample | None]] = {
    is_injective: repeated,
    is_surjective: hole,
    is_bijective: _not_bijective,
    is_compact: _not_compact,
    is_contiguous: step,
    equivalent: difference,
    overlaps: meeting,
}
