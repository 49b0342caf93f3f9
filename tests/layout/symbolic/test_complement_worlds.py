"""The complement of run-time extents and strides, exhausted: for all values it is that of the values, or refused."""

from __future__ import annotations

from itertools import product

import pytest

from tilewright.errors import LayoutError
from tilewright.layout.base import LayoutBase
from tilewright.layout.layout import Layout
from tilewright.layout.operations import complement
from tilewright.layout.symbolic.substitution import substitute
from tilewright.layout.symbolic.symint import SymInt

N, M = SymInt("n"), SymInt("m")
VALUES = [{"n": n, "m": m} for n, m in product(range(1, 5), range(1, 4))]
# Extents that may be 1, over strides that meet the reach of those below, leave a gap, or depend on an extent.
LAYOUTS = [
    *(Layout((e, f), (1, d)) for e, f in ((2, N), (N, 2), (N, M)) for d in (1, 2, 3, 4, 6)),
    *(Layout((e, f), (1, d)) for e, f in ((2, N), (N, 2), (N, M)) for d in (N, 2 * N)),
    *(Layout((2, N, e), (1, 4, d)) for e in (2, M) for d in (2, 4, 8, 4 * N)),
]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("target", [None, 24])
def test_it_is_that_of_the_values(layout: Layout[int], target: int | None) -> None:
    found = _or_refusal(layout, target)
    for values in VALUES:
        static, here = substitute(layout, values), _at(found, values)
        there = _or_refusal(static, target)
        if here is not None:
            assert there is not None
            assert [here(i) for i in range(here.size)] == [there(i) for i in range(there.size)]


@pytest.mark.parametrize("below", [2, 3, 1000])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_gap_below_a_run_time_extent_is_answered_wherever_there_is_one(below: int, times: int) -> None:
    """An extent of 1 leaves no gap, which is the guard where there is one; other values need none."""
    step = below * times
    found = complement(Layout((below, N), (1, step)))
    for n in range(1, 6):
        assert (_at(found, {"n": n}) is not None) == (n > 1 or times == 1)
        if n > 1:
            assert _at(found, {"n": n}) == complement(Layout((below, n), (1, step)))


def _or_refusal(layout: LayoutBase, target: int | None) -> LayoutBase | None:
    try:
        return complement(layout, target)
    except LayoutError:
        return None


def _at(found: LayoutBase | None, values: dict[str, int]) -> LayoutBase | None:
    try:
        return None if found is None else substitute(found, values)
    except LayoutError:  # a guard does not hold
        return None
