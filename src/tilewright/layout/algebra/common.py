"""What two layouts share at their start: the vectors that a copy may move at once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import gcd

from tilewright.errors import LayoutError
from tilewright.layout.algebra.composition import compose_layouts
from tilewright.layout.algebra.inverse import chained_inverse, right_inverse
from tilewright.layout.algebra.modes import coalesced, from_modes
from tilewright.layout.base import as_layout
from tilewright.layout.inttuple import product
from tilewright.layout.layout import Layout, trusted
from tilewright.layout.query import bounds
from tilewright.layout.symbolic.conditions import UndecidedError, proving
from tilewright.layout.symbolic.operators import maximum, minimum
from tilewright.layout.symbolic.symint import SymInt

MOST_LISTED = 1 << 14


def max_common_layout(a: Layout[int], b: Layout[int]) -> Layout[int]:
    """R with A(R(i)) == A(R(0)) + i and the same for B, as long as the modes of A and B show; A may extend.

    Of run-time leaves it is what they all allow, without a guard; so are `max_common_vector` and `max_alignment`.

    Raises:
        LayoutError: no layouts of integers.

    Source: CuTe's `max_common_layout`.

    >>> print(max_common_layout(Layout((16, 8), (1, 16)), Layout((16, 8), (1, 32))))
    16:1
    """
    return common_layout(_on_integers(a), _on_integers(b), ())


def common_layout(a: Layout, b: Layout, limits: Sequence[int]) -> Layout:
    """`max_common_layout`, of at most so many elements as each limit says."""
    found = _by_inverse(a, b, limits)
    if not (a.is_static and b.is_static):
        return found
    other = _by_inverse(b, a, limits)  # what one inverse leaves open the other may show
    return other if _held(other, b) > _held(found, a) else found


def _by_inverse(a: Layout, b: Layout, limits: Sequence[int]) -> Layout:
    with proving():
        try:
            inverse, found = _through(a, b)
            extents, steps = coalesced(found.shape, found.stride, proved=True)
            if not extents or steps[0] != 1:
                return trusted(1, 0)
            return _first(inverse, reduce(minimum, limits, extents[0]))
        except LayoutError:
            if a.is_static and b.is_static:
                raise
            return trusted(1, 0)


def _first(inverse: Layout, most: int) -> Layout:
    """So many of an inverse's first elements; where no layout has these, as many of them as its modes show."""
    if not inverse.is_static or type(most) is not int:
        return compose_layouts(inverse, trusted(most, 1))
    found = _composed(inverse, trusted(most, 1))
    return compose_layouts(inverse, trusted(_whole(inverse, most), 1)) if found is None else found


def _whole(layout: Layout, most: int) -> int:
    """The largest count up to `most` that is made of whole modes and a part of the next one."""
    count = 1
    for extent, _ in layout.flat:
        if count * extent > most:
            return count * (most // count)
        count *= extent
    return count


def max_common_vector(a: Layout[int], b: Layout[int]) -> int:
    """How many of the first elements lie one after another, at the same coordinates, in both layouts.

    The largest n such that each i < n has a coordinate c with A(c) == B(c) == i. Of more than 16384 coordinates it is
    as many as their modes show.

    Raises:
        LayoutError: no layouts of integers.

    >>> max_common_vector(Layout((16, 8), (1, 16)), Layout((16, 8), (1, 32)))
    16
    """
    return common_vector(_on_integers(a), _on_integers(b), ())


def common_vector(a: Layout, b: Layout, limits: Sequence[int]) -> int:
    """`max_common_vector`, of at most so many elements as each limit says."""
    found = maximum(_held(_by_inverse(a, b, limits), a), _held(_by_inverse(b, a, limits), b))
    return max(found, min([_listed(a, b), *limits])) if a.is_static and b.is_static else found


def _held(common: Layout, extended: Layout) -> int:
    """How many elements of the common layout lie in the layout that it extends, too."""
    with proving():
        try:
            found: int = product(_within(common, extended.size).shape)
        except UndecidedError:
            return 1
    return found


def _listed(a: Layout, b: Layout) -> int:
    """How many of 0, 1, 2, .. both layouts take at one of the coordinates that are listed."""
    met = {i for i, j in zip(_values(a), _values(b), strict=False) if i == j}
    return next(i for i in range(len(met) + 1) if i not in met)


def _values(layout: Layout) -> list[int]:
    """The values at the first coordinates."""
    values = [0]
    for extent, stride in layout.flat:
        steps = range(min(extent, -(-MOST_LISTED // len(values))))
        values = [step * stride + value for step in steps for value in values]
    return values[:MOST_LISTED]


def max_alignment(layout: Layout[int]) -> int:
    """The largest N such that the layout is made of whole vectors of N elements, each at a multiple of N.

    In memory: `upcast` by N asks moreover that they begin in an order that a layout has.

    Raises:
        LayoutError: no layout of integers.

    Source: CuTe's `max_alignment`.

    >>> max_alignment(Layout((16, 8), (1, 16))), max_alignment(Layout((12, 2), (3, 5)))
    (128, 1)
    """
    inverse = chained_inverse(_on_integers(layout))
    parts = (product(inverse.shape), *_beyond(layout, inverse))
    return gcd(*(part.divisor if isinstance(part, SymInt) else part for part in parts))


def _through(a: Layout, b: Layout) -> tuple[Layout, Layout]:
    """The right inverse R of B, and A o R; where that does not exist, for as much of R as it does."""
    inverse = right_inverse(b) if b.is_static else chained_inverse(b)
    found = _composed(a, inverse)
    if found is not None:
        return inverse, found
    if a.is_static and b.is_static:
        return _longest_through(a, inverse)
    first = next(iter(inverse))
    return first, compose_layouts(a, first)


def _longest_through(a: Layout, inverse: Layout) -> tuple[Layout, Layout]:
    """The first modes of R, the last one cut, through which A has a composition."""
    kept = found = trusted(1, 0)
    for extent, step in inverse.flat:
        whole, cut = (_joined(kept, take, step) for take in (extent, min(extent, _room(a, step))))
        longer = next(((r, through) for r in (whole, cut) if (through := _composed(a, r)) is not None), None)
        if longer is None:
            break
        kept, found = longer
        if kept is not whole:
            break
    return kept, found


def _composed(a: Layout, b: Layout) -> Layout | None:
    try:
        return compose_layouts(a, b)
    except LayoutError:
        return None


def _joined(kept: Layout, extent: int, step: int) -> Layout:
    extents, steps = zip(*kept.flat, (extent, step), strict=True)
    return from_modes(*coalesced(extents, steps))


def _room(layout: Layout, step: int) -> int:
    """How many steps from 0 stay within one mode."""
    below = 1
    for extent, _ in zip(*coalesced(layout.shape, layout.stride), strict=True):
        if step < below * extent:
            return int(-(-below * extent // step))
        below *= extent
    return 1


def _within(common: Layout, size: int) -> Layout:
    """The layout, or as much of its first mode as stays among the first `size` coordinates."""
    if bounds(common)[1] < size:
        return common
    extents, steps = coalesced(common.shape, common.stride)
    return from_modes(*coalesced(min(extents[0], (size - 1) // steps[0] + 1), steps[0]))


def _on_integers(layout: Layout) -> Layout:
    found: Layout = as_layout(layout)
    if found.on_axes:
        raise LayoutError(f"the values of {layout} lie on axes: they have no neighbours")
    return found


def _beyond(layout: Layout, inverse: Layout) -> list[int]:
    """The strides of the modes that the right inverse leaves out."""
    covered = {step for _, step in inverse.flat}
    out = []
    step = 1
    for extent, stride in zip(*coalesced(layout.shape, layout.stride), strict=True):
        if step not in covered:
            out.append(stride)
        step *= extent
    return out
