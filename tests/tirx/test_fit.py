"""Laws of `fit`: what it finds has the table, and where a layout has the table it finds one."""

from __future__ import annotations

from itertools import product

import numpy
import pytest

from tilewright.layout.axes import Axis
from tilewright.tirx.fit import fit
from tilewright.tirx.iters import make_iter, terms

M, LANE = Axis.m, Axis.laneid


def table_of(iters, size):
    """Axis -> values, by the definition: digits times strides, the last iter fastest."""
    values = {axis: [0] * size for axis in (M, LANE)}
    for x in range(size):
        rest = x
        for each in reversed(iters):
            rest, digit = divmod(rest, each.extent)
            for axis, stride in terms(each.stride, each.axis):
                values[axis][x] += digit * stride
    return values


def check(table, size):
    found = fit({axis: numpy.array(values) for axis, values in table.items()}, size)
    if found is not None:
        at_zero = {axis: [v - values[0] for v in values] for axis, values in table.items()}
        assert table_of(found, size) == at_zero
    return found


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_what_is_found_has_the_table(size):
    for m, lane in product(product(range(-1, 3), repeat=size), repeat=2) if size < 4 else _tables_of_four():
        check({M: m, LANE: lane}, size)


def _tables_of_four():
    """Those on two axes that start at 0 and have few steps."""
    lines = [(0, *rest) for rest in product(range(4), repeat=3)]
    return product(lines, lines)


def test_where_a_layout_has_the_table_one_is_found():
    extents = [(2, 2), (2, 3), (3, 2), (2, 2, 2), (4,), (6,)]
    for shape in extents:
        for strides in product(((1, M), (3, M), (-2, M), (1, LANE), (5, LANE)), repeat=len(shape)):
            iters = tuple(make_iter(e, d, axis) for e, (d, axis) in zip(shape, strides, strict=True))
            size = int(numpy.prod(shape))
            found = check(table_of(iters, size), size)
            assert found is not None
            assert len(found) <= len(iters)
