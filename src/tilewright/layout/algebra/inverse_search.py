"""Inverses beyond the chain of strides: proved, or searched for on small layouts."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from tilewright.errors import LayoutError
from tilewright.layout.algebra.bends import MAX_POINTS
from tilewright.layout.algebra.composition import compose_layouts
from tilewright.layout.algebra.integer_solve import solve
from tilewright.layout.algebra.modes import Modes, coalesced, from_modes, is_known
from tilewright.layout.layout import Layout
from tilewright.layout.query import bounds

MAX_RANGE = 400


def longer_right_inverse(layout: Layout, found: Layout) -> Layout:
    """The longest right inverse of a layout with negative strides, if it is longer than the one found.

    An injective layout leaves no choice: R(i) is the only coordinate with the value i, and R must be a layout on
    [0, n) for n as large as possible. Layouts of more than 2^16 elements keep what was found.
    """
    if not layout.is_static:
        raise LayoutError(f"right_inverse of {layout}: a negative stride among modes that are known at run time only")
    if layout.size > MAX_POINTS:
        return found
    where: dict[int, int] = {}
    for i in range(layout.size):
        where.setdefault(layout.at(i), i)
    extents, steps = _longest_prefix(where)
    longer = from_modes(*coalesced(tuple(extents), tuple(steps)))
    return longer if longer.size > found.size else found


def _longest_prefix(where: dict[int, int]) -> Modes:
    """Modes of the longest layout R with R(i) == where[i] on [0, size)."""
    extents: list[int] = []
    steps: list[int] = []
    known = [0]
    while len(known) in where:
        step = where[len(known)]
        run = _run(known, step, where)
        if run == 1:
            break
        extents.append(run)
        steps.append(step)
        known = [x + j * step for j in range(run) for x in known]
    return extents, steps


def _run(known: list[int], step: int, where: dict[int, int]) -> int:
    """How often the block of known coordinates repeats at `step`."""
    count = 1
    while all(where.get(count * len(known) + i) == x + count * step for i, x in enumerate(known)):
        count += 1
    return count


def proved_left_inverse(layout: Layout, found: Modes) -> Modes:
    """The candidate if it is a left inverse, else another one by search among all radices.

    Raises:
        LayoutError: there is none, or none is found.
    """
    candidate = from_modes(*found)
    other = None
    if is_known(layout):
        other = found if is_left_inverse(candidate, layout) else _by_radices(layout)
    if other is None:
        raise LayoutError(
            f"left_inverse of {layout}: the strides do not divide each other in order, filling the gaps gives "
            f"{candidate}, which is no inverse, and no other layout was found"
        )
    return other


def _by_radices(layout: Layout) -> Modes | None:
    """A layout R with R(A(i)) == i for all i: the digits of A's values in some radices, weighted.

    Complete for values up to 400: every chain of radices is tried, and its weights are integer equations.
    """
    if layout.size > MAX_RANGE or bounds(layout)[1] > MAX_RANGE:
        return None
    values: list[int] = [layout.at(i) for i in range(layout.size)]
    if len(set(values)) < len(values):
        return None
    for chain in _chains(max(values)):
        weights = solve([_digits(v, chain) for v in values], range(len(values)))
        if weights is not None:
            last = max(values) // prod(chain) + 1
            return coalesced((*chain, last), tuple(weights))
    return None


def _chains(most: int) -> Iterator[tuple[int, ...]]:
    yield ()
    for radix in range(2, most + 1):
        for rest in _chains(most // radix):
            yield (radix, *rest)


def _digits(v: int, chain: tuple[int, ...]) -> list[int]:
    digits = []
    for radix in chain:
        digits.append(v % radix)
        v //= radix
    return [*digits, v]


def is_left_inverse(candidate: Layout, layout: Layout) -> bool:
    """Does R(A(i)) == i hold for all i, or, where A is not injective, A(R(A(i))) == A(i)?"""
    try:
        back = compose_layouts(candidate, layout)
        through = compose_layouts(layout, back)
    except LayoutError:
        return layout.size <= MAX_POINTS and _inverts(candidate, layout)
    if coalesced(back.shape, back.stride) == coalesced(layout.size, 1):
        return True
    # Of an injective A this is the same: R(A(i)) == i.
    return bool(coalesced(through.shape, through.stride) == coalesced(layout.shape, layout.stride))


def _inverts(candidate: Layout, layout: Layout) -> bool:
    values = [layout.at(i) for i in range(layout.size)]
    if len(set(values)) == len(values):
        return all(candidate.at(value) == i for i, value in enumerate(values))
    return all(layout.at(candidate.at(value)) == value for value in values)
