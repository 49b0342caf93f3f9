"""The first elements of a layout, in the order of their flat coordinates, that break a property of functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import mul
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

from tilewright.errors import LayoutError, shown
from tilewright.layout.algebra.coalesce import coalesce
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.query import bounds
from tilewright.layout.run_time import (
    behind,
    is_of_run_time,
    proved,
    proved_in_order,
    static_part,
    undecided,
    within,
)
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.comparison import equals
from tilewright.layout.table import table

if TYPE_CHECKING:
    from numpy import int64
    from numpy.typing import NDArray

    from tilewright.layout.base import LayoutBase
    from tilewright.layout.run_time import Fits

    Array: TypeAlias = NDArray[int64]

MAX_LISTED = 1 << 22
MAX_IMAGE = 1 << 20


@dataclass(frozen=True)
class Counterexample:
    """Elements, as flat coordinates, the places where they lie, and what these show, in which layouts."""

    words: str
    elements: tuple[int, ...]
    places: tuple[object, ...]
    layouts: tuple[LayoutBase, ...] = field(default=(), compare=False, repr=False)

    def __str__(self) -> str:
        return self.words


def repeated(layout: LayoutBase) -> Counterexample | None:
    """Two elements in one place, the second as early as possible."""
    if isinstance(layout, Layout) and is_of_run_time(layout):
        return _of_run_time(layout, behind, "is injective")
    if isinstance(layout, ComposedLayout) and isinstance(layout.outer, Swizzle) and proved_apart(layout.inner):
        return None
    if _is_integers(layout) and _are_apart(layout):
        return None
    found = _unmoved(layout) or _first_pair(_columns(layout))
    if found is None:
        return None
    places = layout(found[0]), layout(found[1])
    return Counterexample(f"the elements {found[0]} and {found[1]} both lie at {_text(places[1])}", found, places)


def _of_run_time(layout: Layout, fits: Fits, what: str) -> Counterexample | None:
    """None where strides prove that each fits; the modes that are known may show that none does."""
    if proved(layout, fits):
        return None
    if fits is not within and (known := repeated(static_part(layout))) is not None:
        words = f"of the modes {static_part(layout)} that are known {known}"
        return Counterexample(words, (), known.places)
    raise undecided(layout, what, fits)


def proved_apart(layout: object) -> bool:
    """Are the elements of a layout of run time in different places, as its strides prove?"""
    return isinstance(layout, Layout) and is_of_run_time(layout) and proved(layout, behind)


def _are_apart(layout: Layout[int]) -> bool:
    """Does each mode move further than all nearer ones together?"""
    reach = 0
    for d, s in sorted((abs(d), s) for s, d in layout.flat if s > 1):
        if d <= reach:
            return False
        reach += (s - 1) * d
    return True


def _unmoved(layout: LayoutBase) -> tuple[int, int] | None:
    """The elements 0 and the next that lies there, in layouts too large to be listed."""
    if not _is_integers(layout) or layout.size <= MAX_LISTED:
        return None
    begins = accumulate((s for s, _ in layout.flat), mul, initial=1)
    return next(((0, i) for (s, d), i in zip(layout.flat, begins, strict=False) if s > 1 and not d), None)


def _first_pair(columns: Sequence[Array]) -> tuple[int, int] | None:
    """Two elements with equal numbers in all columns."""
    from numpy import lexsort, logical_and

    if not columns:  # no axis tells elements apart
        return 0, 1
    order = lexsort(columns)
    same = logical_and.reduce([column[order][1:] == column[order][:-1] for column in columns])
    if not same.any():
        return None
    second = int(order[1:][same].min())
    return int(logical_and.reduce([column == column[second] for column in columns]).argmax()), second


def hole(layout: LayoutBase, cosize: int | None = None) -> Counterexample | None:
    """The first of 0 .. cosize - 1 where no element lies."""
    if cosize is not None and type(cosize) is not int:
        raise LayoutError(f"a cosize is an integer, got {shown(cosize)}")
    if isinstance(layout, Layout) and is_of_run_time(layout):
        if cosize is not None:
            raise LayoutError(f"undecided: what {layout} reaches of {cosize} places only run time knows")
        if any((d >= 0) is not True for _, d in layout.flat):
            raise LayoutError(f"undecided: {layout} may have values below 0")
        return _of_run_time(layout, within, "is surjective")
    low, high, free = _span(layout)
    if low < 0 or (cosize is not None and high >= cosize):
        end = "and up" if cosize is None else f".. {shown(cosize - 1)}"
        raise LayoutError(f"{layout} has values from {low} to {high}, outside of 0 {end}")
    return _empty(0 if low else free, high if cosize is None else cosize - 1)


def gap(layout: LayoutBase) -> Counterexample | None:
    """The first place between those that are used where no element lies."""
    if isinstance(layout, Layout) and is_of_run_time(layout):
        return _of_run_time(layout, within, "is compact")
    _, high, free = _span(layout)
    return _empty(free, high)


def _empty(place: int, last: int) -> Counterexample | None:
    return None if place > last else Counterexample(f"no element lies at {place}", (), (place,))


def _span(layout: LayoutBase) -> tuple[int, int, int]:
    """The first place that is used, the last, and the first after the first one that is not."""
    if _is_integers(layout):
        low, high = bounds(layout)
        return low, high, low + _first_gap(layout)
    from numpy import arange

    used = _places(layout)
    missing = (used != arange(used[0], used[0] + used.size)).nonzero()[0]
    return int(used[0]), int(used[-1]), int(used[0]) + (int(missing[0]) if missing.size else used.size)


def _first_gap(layout: Layout[int]) -> int:
    """The sums of the modes fill 0 .. n - 1: a mode whose stride is at most n fills on, any other begins behind n."""
    n = 1
    for d, s in sorted((abs(d), s) for s, d in layout.flat):
        if d > n:
            break
        n += (s - 1) * d
    return n


def step(layout: LayoutBase) -> Counterexample | None:
    """The first element that does not lie right behind the one before it."""
    if isinstance(layout, Layout) and is_of_run_time(layout):
        return _step_of_run_time(layout)
    first = layout(0)
    if type(first) is not int:
        raise LayoutError(f"the values of {layout} are no integers")
    return next((_apart(layout, i, first + i) for i in _turns(layout) if layout(i) != first + i), None)


def _step_of_run_time(layout: Layout) -> Counterexample | None:
    """The second element lies next to the first one unless the first mode that is known says otherwise."""
    if proved_in_order(layout):
        return None
    extent, stride = next((mode for mode in layout.flat if mode[0] != 1), (1, 1))
    if type(extent) is type(stride) is int and stride != 1:
        return Counterexample(f"the element 1 lies at {stride}, not at 1", (1,), (stride, 1))
    raise undecided(layout, "is contiguous", equals)


def _apart(layout: LayoutBase, i: int, place: int) -> Counterexample:
    return Counterexample(f"the element {i} lies at {layout(i)}, not at {place}", (i,), (layout(i), place))


def difference(a: LayoutBase, b: LayoutBase) -> Counterexample | None:
    """The first element that lies elsewhere in the other."""
    if is_of_run_time(a) or is_of_run_time(b):
        _require_same_modes(a, b)
        return None
    if a.size != b.size:
        return Counterexample(f"the first has {a.size} elements and the second {b.size}", (), (a.size, b.size))
    i = next((i for i in sorted({*_turns(a), *_turns(b)}) if a(i) != b(i)), None)
    if i is None:
        return None
    words = f"the element {i} lies at {_text(a(i))} in the first and at {_text(b(i))} in the second"
    return Counterexample(words, (i,), (a(i), b(i)))


def _require_same_modes(a: LayoutBase, b: LayoutBase) -> None:
    """Layouts that have the same modes where they are coalesced are one function; of others that is not known."""
    if not isinstance(a, Layout) or not isinstance(b, Layout) or coalesce(a).flat != coalesce(b).flat:
        raise LayoutError(
            f"undecided: {a} and {b} have sizes that only run time knows; tw.substitute gives them values"
        )


def _turns(layout: LayoutBase) -> Iterator[int]:
    """Elements of which one tells where another layout begins to differ.

    Of plain layouts those at which a coalesced mode begins: up to there they have the same modes if they agree at
    all of them. Of others every element.
    """
    if isinstance(layout, Layout) and layout.is_static:
        begins = accumulate((s for s, _ in coalesce(layout).flat[:-1]), mul, initial=1)
        yield from (i for i in (0, *begins) if i < layout.size)
    else:
        yield from range(_listed_size(layout))


def meeting(a: LayoutBase, b: LayoutBase) -> Counterexample | None:
    """The first element of b that lies where one of a does."""
    if is_of_run_time(a) or is_of_run_time(b):
        _require_plain(a, b)
        return Counterexample("the element 0 of the first and the element 0 of the second lie at 0", (0, 0), (0, 0))
    if _is_integers(a) and _is_integers(b):
        (low, high), (first, last) = bounds(a), bounds(b)
        if high < first or last < low:
            return None
    held: dict[object, int] = {}
    for i, place in enumerate(_listed(a)):
        held.setdefault(place, i)
    for j, place in enumerate(_listed(b)):
        if place in held:
            i = held[place]
            words = f"the element {i} of the first and the element {j} of the second lie at {_text(a(i))}"
            return Counterexample(words, (i, j), (a(i), b(j)))
    return None


def _require_plain(*layouts: LayoutBase) -> None:
    """Layouts of integers begin at 0; where others begin is not known here."""
    for layout in layouts:
        if not isinstance(layout, Layout) or layout.on_axes:
            raise LayoutError(f"undecided: beside one that only run time knows, where {layout} lies")


def image_of(layout: LayoutBase) -> tuple[int, ...]:
    """The places that are used, in increasing order."""
    _listed_size(layout, MAX_IMAGE)
    return tuple(_places(layout).tolist())


# ---- values


def _is_integers(layout: LayoutBase) -> TypeGuard[Layout[int]]:
    return isinstance(layout, Layout) and layout.is_static and not layout.on_axes


def _listed_size(layout: LayoutBase, most: int = MAX_LISTED) -> int:
    """The number of elements, which are few enough to be listed."""
    if type(layout.size) is not int:
        raise LayoutError(f"the size of {layout} is known at run time only; tw.substitute gives its integers values")
    if layout.size > most:
        raise LayoutError(f"undecided: {layout} has {layout.size} elements, of which at most {most} are listed")
    return layout.size


def _columns(layout: LayoutBase) -> list[Array]:
    """The values at all elements, an array for each axis."""
    from numpy import asarray, full

    size = _listed_size(layout)
    values = table(layout)
    many = values.values() if isinstance(values, dict) else values if isinstance(values, tuple) else (values,)
    flat = [asarray(column).ravel(order="F") for column in many]
    return [column if column.size == size else full(size, column[0]) for column in flat]  # where all lie in one place


def _listed(layout: LayoutBase) -> list[object]:
    columns = _columns(layout)
    return list(columns[0].tolist()) if len(columns) == 1 else list(zip(*(c.tolist() for c in columns), strict=True))


def _places(layout: LayoutBase) -> Array:
    """The places that are used, each once, in increasing order."""
    columns = _columns(layout)
    if len(columns) != 1 or type(layout(0)) is not int:
        raise LayoutError(f"the values of {layout} are no integers")
    places = columns[0]
    places.sort()
    kept = places[1:] != places[:-1]
    from numpy import concatenate

    return concatenate([places[:1], places[1:][kept]])


def _text(place: object) -> str:
    if isinstance(place, dict):
        return " + ".join(f"{value}@{axis}" for axis, value in place.items()) or "0"
    return str(place)
