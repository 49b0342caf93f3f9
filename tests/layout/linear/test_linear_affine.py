"""What is affine over F2, decided through compositions: by enumeration where it is small, soon where it is large."""

from __future__ import annotations

from functools import reduce
from operator import xor
from typing import Any

import pytest
from cpu import within
from hypothesis import given
from hypothesis import strategies as st

from tilewright.errors import LayoutError
from tilewright.layout.axes import term
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.linear.affine import Affine, Broken, trace
from tilewright.layout.linear.convert import affine, to_linear
from tilewright.layout.swizzle import Swizzle

OUTERS = [
    *(Swizzle(b, m, sign * (b + more)) for b in range(3) for m in range(3) for more in (0, 1) for sign in (1, -1)),
    *(Layout(9), Layout(4), Layout(8, 2), Layout((4, 8), (8, 1)), Layout((3, 4)), Layout((4, 4), (0, 1))),
]


@st.composite
def compositions(draw: st.DrawFn) -> Any:
    shape = tuple(1 << draw(st.integers(0, 3)) for _ in range(draw(st.integers(1, 3))))
    x: Any = Layout(shape, tuple(draw(st.sampled_from([0, 1, 2, 3, 4, 5, 8, 16, 32])) for _ in shape))
    for _ in range(draw(st.integers(0, 3))):
        x = ComposedLayout(draw(st.sampled_from(OUTERS)), draw(st.sampled_from([0, 0, 1, 2, 3, 5, 8, 16, 64])), x)
    return x


def by_xor(start: Any, images: Any, i: int) -> int:
    return reduce(xor, (image for k, image in enumerate(images) if i >> k & 1), start)


@given(compositions())
def test_affine_exactly_where_enumeration_says_so(x: Any) -> None:
    values = [x(i) for i in range(x.size)]
    images = [values[1 << k] ^ values[0] for k in range(len(values).bit_length() - 1)]
    is_affine = min(values) >= 0 and all(by_xor(values[0], images, i) == value for i, value in enumerate(values))
    try:
        constant, linear = affine(x)
    except LayoutError:
        assert not is_affine
    else:
        assert is_affine
        assert [constant ^ linear(i) for i in range(x.size)] == values


@given(compositions())
def test_a_trace_is_a_proof(x: Any) -> None:
    values = [x(i) for i in range(x.size)]
    match trace(x, len(values).bit_length() - 1):
        case Affine(start, images):
            assert [by_xor(start, images, i) for i in range(len(values))] == values
        case Broken(at):
            low = at & -at
            assert values[at] != values[0] ^ values[low] ^ values[at ^ low]


LARGE = Layout((1 << 15, 1 << 15), (1 << 16, 2))


@pytest.mark.parametrize(
    ("x", "reason"),
    [
        (ComposedLayout(Layout(1 << 20), 5, Layout((1024, 1024))), "maps 0 to 5"),
        (ComposedLayout(Swizzle(3, 3, 3), 8, Layout((1 << 20, 1 << 10), (1 << 10, 1))), "maps 0 to 8"),
        (
            ComposedLayout(Swizzle(3, 3, 3), 0, Layout((1 << 20, 1 << 10), (1 << 9, 1))),
            "its value at 536870913 is 1024",
        ),
        (ComposedLayout(Layout(8), term(3, "laneid"), Layout(4)), "maps 0 to 3@laneid"),
    ],
)
def test_large_compositions_are_refused_soon_with_numbers(x: Any, reason: str) -> None:
    with within(1), pytest.raises(LayoutError, match=reason):
        to_linear(x)


def test_large_offsets_that_carry_nothing_are_affine() -> None:
    constant, linear = affine(ComposedLayout(Swizzle(2, 0, 4), 1, LARGE))
    assert (constant, linear.in_bits) == (1, 30)
    with pytest.raises(LayoutError, match="its value at 6 is 8, the XOR of those at"):
        affine(ComposedLayout(Layout(1 << 31), 2, Layout((1 << 15, 1 << 15), (1, 1 << 20))))
