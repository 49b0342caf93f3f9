"""The F2 view in small worlds: what is affine, what is one swizzle of a layout, where dimensions end."""

from __future__ import annotations

from functools import reduce
from itertools import product
from operator import xor

import pytest

from tilewright import LinearLayout
from tilewright.errors import LayoutError
from tilewright.layout.axes import term
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import flatten
from tilewright.layout.layout import Layout
from tilewright.layout.linear import dims, f2
from tilewright.layout.linear.affine import Affine, Broken, trace
from tilewright.layout.linear.clash import clash_text, first_clash
from tilewright.layout.linear.convert import affine, to_linear
from tilewright.layout.linear.matrix import F2Matrix
from tilewright.layout.swizzle import Swizzle

PLAIN = [
    *(Layout(s, d) for s, d in product((2, 4, 8), (-2, -1, 0, 1, 2, 3))),
    *(Layout((2, 4), (d, e)) for d, e in product((-4, -1, 0, 1, 2, 4), (-2, 1, 2, 4, 8))),
]
OUTERS = [
    *(Swizzle(b, m, s) for b, m, s in ((0, 0, 0), (1, 0, 1), (1, 0, -1), (1, 1, 2), (2, 0, -2))),
    *(Layout(64), Layout(4, 2), Layout((4, 8), (8, 1)), Layout((4, 4), (0, 1)), Layout((2, 2, 8), (1, 0, 2))),
]
WORLD = [*PLAIN, *(ComposedLayout(f, offset, x) for f, offset, x in product(OUTERS, (-8, 0, 1, 4), PLAIN))]


def by_xor(start, images, i):
    return reduce(xor, (image for k, image in enumerate(images) if i >> k & 1), start)


def answer(function, *args):
    try:
        return function(*args)
    except LayoutError:
        return None


def test_affine_is_what_xor_of_natural_numbers_gives():
    for x in WORLD:
        values = [x(i) for i in range(x.size)]
        images = [values[1 << k] ^ values[0] for k in range(len(values).bit_length() - 1)]
        found = answer(affine, x)
        holds = min(values) >= 0 and values == [by_xor(values[0], images, i) for i in range(len(values))]
        assert (found is not None) == holds, x
        if found is not None:
            assert [found[0] ^ found[1](i) for i in range(x.size)] == values, x
        assert (answer(to_linear, x) is not None) == (holds and values[0] == 0), x


def test_a_trace_proves_what_it_says():
    for x in WORLD:
        values = [x(i) for i in range(x.size)]
        found = trace(x, len(values).bit_length() - 1)
        if isinstance(found, Affine):
            assert [by_xor(found.start, found.images, i) for i in range(len(values))] == values, x
        elif isinstance(found, Broken):
            low = found.at & -found.at
            assert values[found.at] != values[0] ^ values[low] ^ values[found.at ^ low], x


@pytest.mark.parametrize("extent", [3, 6, 12])
def test_a_refusal_names_the_extent(extent):
    for x in (Layout(extent), Layout((2, extent)), ComposedLayout(Swizzle(1, 0, 1), 0, Layout(extent))):
        with pytest.raises(LayoutError, match=f"extent {extent} is not a power of two"):
            to_linear(x)


def test_the_first_clash_is_the_first_pair_that_shares_a_bit():
    for images in product(range(-2, 7), repeat=3):
        pairs = ((j, i) for i in range(3) for j in range(i + 1) if (images[i] < 0 if i == j else images[i] & images[j]))
        first = min(pairs, key=lambda pair: (pair[1], pair[0] != pair[1], pair[0]), default=None)
        assert first_clash(images) == first, images
        if first is not None and first[0] != first[1]:
            shared = images[first[0]] & images[first[1]]
            assert clash_text(images).endswith(f"share bit {next(k for k in range(9) if shared >> k & 1)}")
        on_axes = [term(image, "laneid") for image in images]
        assert first_clash(on_axes) == first
        assert first_clash([images[0] and term(images[0], "laneid"), abs(images[1])]) == (
            (0, 0) if images[0] < 0 else None
        )


SWIZZLES = [
    Swizzle(b, m, s) for b in range(1, 5) for m in range(5) for s in range(-4, 5) if abs(s) >= b and m + b + abs(s) <= 5
]


def leaves(columns):
    """The leaves of a layout with these images, one mode."""
    return sum(k == 0 or column != 2 * columns[k - 1] for k, column in enumerate(columns))


def test_one_swizzle_is_found_wherever_there_is_one_and_the_simplest():
    for columns in product((0, 1, 2, 3, 5, 6, 9, 10, 12, 17, 24), repeat=3):
        linear = LinearLayout((("dim0", 8),), (("offset", 32),), columns)
        ways = [tuple(map(swizzle, columns)) for swizzle in SWIZZLES]
        fit = [
            (leaves(way), swizzle.b) for swizzle, way in zip(SWIZZLES, ways, strict=True) if first_clash(way) is None
        ]
        found = answer(linear.to_layout)
        if first_clash(columns) is None:
            assert isinstance(found, Layout)
        else:
            assert (found is not None) == bool(fit), columns
        if found is not None:
            assert [found(i) for i in range(8)] == [linear(i) for i in range(8)], columns
        if isinstance(found, ComposedLayout):
            assert (len(flatten(found.inner.shape)), found.outer.b) == min(fit), columns


def test_on_a_named_axis_no_swizzle_helps():
    for columns in product(range(8), repeat=2):
        linear = LinearLayout((("dim0", 4),), (("laneid", 8), ("warpid", 2)), columns)
        found = answer(linear.to_layout)
        assert (found is not None) == (first_clash(columns) is None)
        alone = answer(LinearLayout((("dim0", 4),), (("laneid", 8),), columns).to_layout)
        assert (alone is not None) == (first_clash(columns) is None)


def test_a_basis_of_a_span_is_reduced():
    for vectors in product(range(16), repeat=3):
        basis = f2.span_basis(vectors)
        tops = [row.bit_length() - 1 for row in basis]
        assert sorted(set(tops)) == tops
        assert all(row >> top & 1 == (k == j) for j, row in enumerate(basis) for k, top in enumerate(tops))


def test_sizes_end_at_2_to_62():
    assert dims.as_size(1 << 62, "a") == 1 << 62
    for size in (0, -1, 3, 1 << 63):
        with pytest.raises(LayoutError):
            dims.as_size(size, "a")


def test_dimensions_are_reshaped_to_as_many_bits():
    linear = LinearLayout((("a", 4),), (("b", 16),), (1, 2))
    for size in (1, 2, 4, 8, 16, 32):
        assert (answer(linear.reshape_ins, [("c", size)]) is not None) == (size == 4)
        assert (answer(linear.reshape_outs, [("c", size)]) is not None) == (size == 16)


def test_a_matrix_has_a_column_an_input_bit_and_a_row_an_output_bit():
    for count, high in product(range(4), range(5)):
        columns = (high,) * count
        fits = count == 2 and high < 4
        assert (answer(F2Matrix, (("a", 4),), (("b", 4),), columns) is not None) == fits
    assert answer(F2Matrix, (("a", 2),), (("b", 4),), (-1,)) is None


def test_maps_are_joined_where_the_other_side_agrees():
    one, other = LinearLayout.strided_1d(4, 1, "a", "b"), LinearLayout.strided_1d(4, 2, "c", "b")
    assert answer(one.concat_ins, other) is None
    assert answer(one.concat_ins, LinearLayout.strided_1d(4, 1, "c", "d")) is None
    assert one.concat_ins(LinearLayout.strided_1d(4, 1, "c", "b")).columns == (1, 2, 1, 2)
    assert answer(one.concat_outs, LinearLayout.strided_1d(8, 1, "a", "c")) is None
    assert answer(one.concat_outs, LinearLayout.strided_1d(4, 1, "d", "c")) is None
    assert one.concat_outs(LinearLayout.strided_1d(4, 2, "a", "c")).columns == (1 | 2 << 2, 2 | 4 << 2)


def test_a_strided_map_is_as_wide_as_its_largest_value():
    for size, stride in product((1, 2, 8), (1, 2, 4)):
        found = LinearLayout.strided_1d(size, stride, "a", "b")
        assert [found(i) for i in range(size)] == [i * stride for i in range(size)]
        assert found.get_out_dim_size("b") == 1 << ((size - 1) * stride).bit_length()
