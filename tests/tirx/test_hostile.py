"""Law 80: whatever the arguments, the answer is a value or one of our errors, and it comes soon."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest
from cpu import within
from hypothesis import given
from hypothesis import strategies as st
from tirx_strategies import AXES, tiles

from tilewright.errors import TilewrightError
from tilewright.tirx import layout as tirx
from tilewright.tirx.layout import ComposeLayout, Iter, R, S, SwizzleLayout, TileLayout

HUGE = 1 << 40
SCALARS = st.one_of(
    st.integers(-3, 70),
    st.just(HUGE),
    st.just(1 << 70),
    st.just(10**5000),
    st.none(),
    st.booleans(),
    st.floats(),
    st.text(max_size=4),
)
GARBAGE = st.one_of(
    SCALARS,
    st.lists(SCALARS, max_size=3),
    st.lists(st.tuples(SCALARS, SCALARS), max_size=3),
    st.sampled_from([S[8:1], S, Iter(2, 1), TileLayout(S[8, 8]), SwizzleLayout(3, 3, 3), TileLayout, object()]),
)
METHODS = [
    name
    for cls in (TileLayout, ComposeLayout, SwizzleLayout)
    for name in dir(cls)
    if not name.startswith("_") and callable(getattr(cls, name)) and name not in ("map_tile",)
]
PLAIN = ("ElementSteps", "MemoryPlace", "Axis", "SwizzleMode", "CoordSet")  # records and enumerations of Python's own
FUNCTIONS = [name for name in tirx.__all__ if callable(getattr(tirx, name)) and name not in PLAIN]


@given(tiles(AXES), st.sampled_from(sorted({*METHODS})), st.lists(GARBAGE, max_size=3))
def test_methods_refuse_garbage(layout: TileLayout, name: str, args: list[Any]) -> None:
    for owner in (layout, SwizzleLayout(1, 1, 2), SwizzleLayout(0, 1, 1).compose()):
        if hasattr(owner, name) and _takes(getattr(owner, name), args):
            with contextlib.suppress(TilewrightError):
                getattr(owner, name)(*args)


@given(st.sampled_from(FUNCTIONS), st.lists(GARBAGE, max_size=4))
def test_constructors_refuse_garbage(name: str, args: list[Any]) -> None:
    make = getattr(tirx, name)
    if _takes(make, args):
        with contextlib.suppress(TilewrightError):
            make(*args)


@given(GARBAGE, GARBAGE)
def test_builders_refuse_garbage(first: Any, second: Any) -> None:
    for builder in (S, R):
        with contextlib.suppress(TilewrightError):
            repr(builder[first:second] + second)


def _takes(function: Any, args: list[Any]) -> bool:
    """Does the signature take so many arguments? A wrong number of them is Python's own TypeError."""
    import inspect

    try:
        inspect.signature(function).bind(*args)
    except TypeError:
        return False
    return True


LARGE = [
    TileLayout(S[(HUGE, HUGE >> 18) : (HUGE >> 18, 1)]),
    TileLayout(S[(1 << 20, 1 << 20) : (3, 2)]),
    TileLayout(S[8:1] + R[HUGE:1]),
    TileLayout(S[8:1] + R[(64, 64, 3) : (7, 5, 11)]),
    TileLayout(S[8:1] + R[(2,) * 14 : (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47)]),
    TileLayout([Iter(2, 1)] * 62 + [Iter(1, 1)] * 4000),
]


@pytest.mark.parametrize("layout", LARGE, ids=repr)
def test_large_layouts_answer_or_refuse_soon(layout: TileLayout) -> None:
    size = layout.size()
    questions = [
        lambda: layout.apply(5),
        lambda: layout.canonicalize(),
        lambda: layout.equivalent(LARGE[0]),
        lambda: layout.is_injective(),
        lambda: layout.is_bijective(),
        lambda: layout.table(),
        lambda: layout.slice([size], [(3, size // 2 + 1)]),
        lambda: layout.group_many([[size], [size]]),
        lambda: layout.is_tile_inner(layout, [size], [size]),
        lambda: layout.split_axes("warp"),
    ]
    for question in questions:
        with within(1), contextlib.suppress(TilewrightError):
            question()
