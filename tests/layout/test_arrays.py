"""Laws of evaluation at arrays of every integer type, negative and huge: the values one by one, or a refusal."""

from __future__ import annotations

import itertools
import re

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Drawn
from strategies import layout as draw_layout

from tilewright import ComposedLayout, Layout, LayoutError, Swizzle

TYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
SWIZZLES = st.builds(
    lambda b, m, s, sign: Swizzle(b, m, sign * (b + s)),
    *map(st.integers, (0,) * 3, (3, 30, 20)),
    st.sampled_from((1, -1)),
)


@st.composite
def arrays(draw):
    """Integers of one type, up to its limits, in one or two dimensions."""
    info = numpy.iinfo(draw(st.sampled_from(TYPES)))
    near = st.integers(max(info.min, -40), min(info.max, 100))
    values = draw(st.lists(near | st.integers(info.min, info.max), min_size=4, max_size=4))
    return numpy.array(values, dtype=info.dtype).reshape(draw(st.sampled_from(((4,), (2, 2), (1, 4)))))


@st.composite
def functions(draw, depth=2):
    """Layouts and composed layouts, some of which reach the limit of 64 bits."""
    plain = draw_layout(Drawn(draw(st.data())))
    if not depth or draw(st.booleans()):
        return Layout((plain.shape, 2), (plain.stride, draw(st.sampled_from((1, 64, 2**40, 2**62)))))
    outer = draw(SWIZZLES) if draw(st.booleans()) else plain
    offset = draw(st.sampled_from((0, 1, 7, -3, 2**40, 2**62, -(2**62))))
    return ComposedLayout(outer, offset, draw(functions(depth=depth - 1)))


def check(function, array):
    try:
        found = function(array)
    except LayoutError:
        numbers = map(int, [*re.findall(r"\d+", str(function)), *array.ravel()])
        assert max(map(abs, numbers)) >= 2**31, "needlessly refused"
        return
    assert found.dtype == numpy.int64
    assert found.shape == array.shape
    assert found.ravel().tolist() == [function(int(i)) for i in array.ravel()]


@given(functions(), arrays())
def test_a_layout_at_an_array(function, array):
    check(function, array)


@given(SWIZZLES, arrays())
def test_a_swizzle_at_an_array(swizzle, array):
    check(swizzle, array)


@given(functions())
def test_a_table_holds_the_values_or_is_refused(function):
    try:
        found = function.table()
    except LayoutError:
        assert max(map(abs, [int(n) for n in re.findall(r"\d+", str(function))])) >= 2**39, "needlessly refused"
        return
    assert found.ravel(order="F").tolist() == [function(i) for i in range(function.size)]


@pytest.mark.parametrize("kind", TYPES)
def test_a_swizzle_moves_bits_out_of_a_narrow_type(kind):
    assert Swizzle(3, 3, -3)(numpy.arange(64, dtype=kind)).tolist() == list(map(Swizzle(3, 3, -3), range(64)))
    assert Swizzle(3, 30, 3)(numpy.array([5], dtype=kind)).tolist() == [5]
    assert Swizzle(3, 3, -3)(numpy.dtype(kind).type(8)) == 8 + 64


def test_what_leaves_64_bits_is_refused():
    far = numpy.array([2**63], dtype="uint64")
    for function in (Layout(8), Layout((4, 2)), Swizzle(1, 0, 1), ComposedLayout(Swizzle(1, 0, 1), 0, Layout((4, 2)))):
        with pytest.raises(LayoutError, match="below 2\\^63"):
            function(far)
    for outer in (Swizzle(1, 0, 1), Layout(8)):
        with pytest.raises(LayoutError, match="leave 64 bits"):
            ComposedLayout(outer, 2**62, Layout(4, 2**61)).table()


@pytest.mark.parametrize("strides", [(-1, 2**61), (1, 2**61), (-(2**61), 1), (2**60, -(2**61)), (-(2**60), 2**61)])
def test_values_near_the_limit_of_64_bits(strides):
    for shape, i in itertools.product(((2, 4), (4, 2), (3, 3)), range(-9, 10)):
        check(Layout(shape, strides), numpy.array([i, 0]))
        check(Layout(shape, strides), numpy.array([[i], [1]]))
