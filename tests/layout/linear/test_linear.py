"""The F2 view: Triton's semantics, and exactness of the ways from and to layouts, by enumeration."""

from __future__ import annotations

import contextlib
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.errors import LayoutError
from tilewright.layout.axes import term
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.linear import f2
from tilewright.layout.linear.convert import affine, to_linear
from tilewright.layout.linear.linear import LinearLayout
from tilewright.layout.swizzle import Swizzle

SWIZZLES = [
    Swizzle(b, m, sign * s)
    for b in range(4)
    for m in range(4)
    for s in range(b, 6)
    for sign in (1, -1)
    if s or sign > 0
]


SMALL = st.integers(0, 40)


@st.composite
def linear_layouts(draw, ins=("a", "b"), outs=("x", "y"), most=3):
    in_bits = [draw(st.integers(0, most)) for _ in ins]
    out_bits = [draw(st.integers(0, most)) for _ in outs]
    column = st.integers(0, (1 << sum(out_bits)) - 1)
    columns = draw(st.lists(column, min_size=sum(in_bits), max_size=sum(in_bits)))
    sized_in = tuple((name, 1 << bits) for name, bits in zip(ins, in_bits, strict=True))
    sized_out = tuple((name, 1 << bits) for name, bits in zip(outs, out_bits, strict=True))
    return LinearLayout(sized_in, sized_out, tuple(columns))


@st.composite
def power_layouts(draw, strides=SMALL):
    shape = tuple(1 << draw(st.integers(0, 3)) for _ in range(draw(st.integers(1, 3))))
    return Layout(shape, tuple(draw(strides) for _ in shape))


def every(layout):
    """Every input of a linear layout, as the named values."""
    names = layout.get_in_dim_names()
    for values in product(*(range(size) for _, size in layout.in_dims)):
        yield dict(zip(names, values, strict=True))


def table(x, size):
    return [x(i) for i in range(size)]


def is_xor_linear(values):
    images = [values[1 << i] for i in range(len(values).bit_length() - 1)]
    return all(v >= 0 and v == f2.apply(images, i) for i, v in enumerate(values))


# ---- Triton's semantics


@given(linear_layouts())
def test_a_layout_is_linear_under_xor(layout):
    for x, y in zip(every(layout), reversed(list(every(layout))), strict=True):
        both = layout.apply({name: x[name] ^ y[name] for name in x})
        assert both == {name: layout.apply(x)[name] ^ layout.apply(y)[name] for name in both}


@given(linear_layouts())
def test_from_bases_of_the_bases_is_the_layout(layout):
    sizes = [size for _, size in layout.out_dims]
    again = LinearLayout.from_bases(layout.bases, layout.get_out_dim_names(), sizes, require_surjective=False)
    assert again == layout
    assert hash(again) == hash(layout)
    assert eval(repr(layout)) == layout


@given(linear_layouts())
def test_rank_injectivity_and_surjectivity_by_counting(layout):
    outputs = {tuple(layout.apply(x).values()) for x in every(layout)}
    assert len(outputs) == 2**layout.rank
    assert layout.is_injective() == (len(outputs) == layout.size)
    assert layout.is_surjective() == (len(outputs) == 2**layout.out_bits)
    assert layout.is_invertible() == (layout.is_injective() and layout.is_surjective())


@given(linear_layouts())
def test_kernel_inputs_map_to_zero_and_count(layout):
    kernel = layout.kernel()
    assert all(set(layout.apply(x).values()) <= {0} for x in kernel)
    assert len(kernel) == layout.in_bits - layout.rank


@given(linear_layouts())
def test_matrix_view_times_input_bits_is_the_output_bits(layout):
    matrix = np.array(layout.get_matrix_view(), dtype=int).reshape(layout.out_bits, layout.in_bits)
    for x in range(layout.size):
        out = matrix @ [x >> i & 1 for i in range(layout.in_bits)] % 2
        assert layout(x) == sum(int(bit) << i for i, bit in enumerate(out))


@given(linear_layouts(), linear_layouts(ins=("y", "x"), outs=("u",)))
def test_compose_is_application_one_after_the_other(inner, outer):
    fits = all(inner.get_out_dim_size(n) <= outer.get_in_dim_size(n) for n in ("x", "y"))
    if not fits:
        with pytest.raises(LayoutError, match="exceeds"):
            inner.compose(outer)
        return
    for x in every(inner):
        assert inner.compose(outer).apply(x) == outer.apply(inner.apply(x))


@given(linear_layouts())
def test_invert_undoes_exactly_the_bijections(layout):
    if not layout.is_invertible():
        with pytest.raises(LayoutError, match="bijection"):
            layout.invert()
        return
    for x in every(layout):
        assert layout.invert().apply(layout.apply(x)) == x


@given(linear_layouts())
def test_pseudoinvert_is_a_right_inverse_of_onto_layouts(layout):
    if not layout.is_surjective():
        with pytest.raises(LayoutError, match="onto"):
            layout.pseudoinvert()
        return
    right = layout.pseudoinvert()
    assert all(layout.apply(right.apply(y)) == y for y in every(right))


@given(linear_layouts(), linear_layouts(ins=("b", "c"), outs=("y", "x")))
def test_invert_and_compose_solves_whenever_the_image_is_reached(inner, outer):
    if any(inner.get_out_dim_size(n) > outer.get_out_dim_size(n) for n in ("x", "y")):
        with pytest.raises(LayoutError, match="exceeds"):
            inner.invert_and_compose(outer)
        return
    reached = {tuple(sorted(outer.apply(y).items())) for y in every(outer)}
    if not {tuple(sorted(inner.apply(x).items())) for x in every(inner)} <= reached:
        with pytest.raises(LayoutError, match="never reached"):
            inner.invert_and_compose(outer)
        return
    found = inner.invert_and_compose(outer)
    assert all(outer.apply(found.apply(x)) == inner.apply(x) for x in every(inner))


def test_dimensions_that_act_alike_map_to_themselves():
    # Both broadcast over warps; the least solution would send every warp to warp 0.
    one = LinearLayout.from_bases([("lane", [[1], [2]]), ("warp", [[0], [0]])], ["x"])
    other = LinearLayout.from_bases([("lane", [[2], [1]]), ("warp", [[0], [0]])], ["x"])
    assert one.invert_and_compose(other).bases == [("lane", [[2, 0], [1, 0]]), ("warp", [[0, 1], [0, 2]])]


@given(linear_layouts(), linear_layouts(ins=("b", "c"), outs=("y", "z")))
def test_product_acts_on_low_bits_by_the_first_and_high_bits_by_the_second(low, high):
    whole = low * high
    for x in every(low):
        for y in every(high):
            both = {n: x.get(n, 0) + y.get(n, 0) * dict(low.in_dims).get(n, 1) for n in {**x, **y}}
            out_low, out_high = low.apply(x), high.apply(y)
            expected = {
                n: out_low.get(n, 0) + out_high.get(n, 0) * dict(low.out_dims).get(n, 1)
                for n in {**out_low, **out_high}
            }
            assert whole.apply(both) == expected


@given(linear_layouts(most=2), linear_layouts(ins=("b", "c"), outs=("y", "z"), most=2))
def test_division_inverts_the_product_on_either_side(low, high):
    whole = low * high
    left, right = whole.divide_left(low), whole.divide_right(high)
    assert left is not None
    assert right is not None
    assert low * left == whole
    assert right * high == whole


@given(linear_layouts(most=2), linear_layouts(most=1))
def test_division_answers_only_with_a_factor(whole, divisor):
    left, right = whole.divide_left(divisor), whole.divide_right(divisor)
    assert left is None or divisor * left == whole
    assert right is None or right * divisor == whole


def test_a_size_1_dimension_of_the_divisor_does_not_count():
    whole = LinearLayout.identity_1d(8, "i", "o")
    divisor = LinearLayout.identity_1d(2, "i", "o") * LinearLayout.zeros_1d(1, "extra", "o")
    assert whole.divide_left(divisor) == LinearLayout.identity_1d(4, "i", "o")


@given(linear_layouts())
def test_the_empty_layout_is_the_unit_of_the_product(layout):
    assert layout * LinearLayout() == layout == LinearLayout() * layout


def test_product_of_opposite_orders_is_refused():
    one = LinearLayout.identity_1d(2, "a", "x") * LinearLayout.identity_1d(2, "b", "x")
    other = LinearLayout.identity_1d(2, "b", "x") * LinearLayout.identity_1d(2, "a", "x")
    with pytest.raises(LayoutError, match="opposite"):
        one * other


@given(linear_layouts())
def test_reordering_dimensions_keeps_the_map(layout):
    turned = layout.transpose_ins(["b", "a"]).transpose_outs(["y", "x"])
    assert all(turned.apply(x) == layout.apply(x) for x in every(layout))


@given(linear_layouts())
def test_reshaping_keeps_the_flat_map(layout):
    flat = layout.flatten_ins().flatten_outs()
    assert (flat.num_in_dims, flat.num_out_dims) == (1, 1)
    assert table(flat, layout.size) == table(layout, layout.size)
    assert flat.reshape_ins(layout.in_dims).reshape_outs(layout.out_dims) == layout


@given(linear_layouts())
def test_sublayouts_concatenate_to_the_whole(layout):
    outs = layout.get_out_dim_names()
    parts = [layout.sublayout([name], outs) for name in layout.get_in_dim_names()]
    assert parts[0].concat_ins(parts[1]) == layout
    ins = layout.get_in_dim_names()
    assert layout.sublayout(ins, ["x"]).concat_outs(layout.sublayout(ins, ["y"])) == layout


@given(linear_layouts())
def test_bulk_application_equals_one_by_one(layout):
    grid = np.meshgrid(*(np.arange(size) for _, size in layout.in_dims), indexing="ij")
    found = layout.apply(dict(zip(layout.get_in_dim_names(), grid, strict=True)))
    for x in every(layout):
        at = tuple(x.values())
        assert {name: int(values[at]) for name, values in found.items()} == layout.apply(x)
    assert layout(np.arange(layout.size)).tolist() == table(layout, layout.size)


def test_a_bijection_of_2_to_the_62_inverts():
    turned = LinearLayout.from_bases([("i", [[1 << 61 - k] for k in range(62)])], ["o"])
    assert turned.apply({"i": 1}) == {"o": 1 << 61}
    assert turned.invert().apply(turned.apply({"i": 2**61 + 12345})) == {"i": 2**61 + 12345}


WRONG = {
    "not a power": lambda: LinearLayout.identity_1d(6, "i", "o"),
    "twice": lambda: LinearLayout((("i", 2), ("i", 2)), (("o", 4),), (1, 2)),
    "identifier": lambda: LinearLayout.identity_1d(4, "a b", "o"),
    "integer": lambda: LinearLayout.identity_1d(2.5, "i", "o"),
    "lies outside": lambda: LinearLayout((("i", 2),), (("o", 2),), (2,)),
    "columns": lambda: LinearLayout((("i", 4),), (("o", 4),), (1,)),
    "does not fit": lambda: LinearLayout.from_bases([("i", [[4]])], ["o"], [4], require_surjective=False),
    "at least 0": lambda: LinearLayout.from_bases([("i", [[-1]])], ["o"]),
    "must be 1 integers": lambda: LinearLayout.from_bases([("i", [[1, 2]])], ["o"]),
    "list of lists": lambda: LinearLayout.from_bases([("i", 3)], ["o"]),
    "pairs": lambda: LinearLayout.from_bases(7, ["o"]),
    "reaches": lambda: LinearLayout.from_bases([("i", [[2]])], ["o"]),
    "out_dim_sizes": lambda: LinearLayout.from_bases([("i", [[2]])], ["o"], require_surjective=False),
    "for the dimensions": lambda: LinearLayout.identity_1d(4, "i", "o").apply({"j": 1}),
    "outside": lambda: LinearLayout.identity_1d(4, "i", "o").apply({"i": 4}),
    "not of integers": lambda: LinearLayout.identity_1d(4, "i", "o").apply({"i": np.ones(2)}),
    "reaches 0 .. 4": lambda: LinearLayout.identity_1d(4, "i", "o")(np.arange(5)),
    "do not match": lambda: LinearLayout.identity_1d(4, "i", "o").compose(LinearLayout.identity_1d(4, "i", "o")),
    "reshape": lambda: LinearLayout.identity_1d(4, "i", "o").reshape_ins([("i", 8)]),
    "permutation": lambda: LinearLayout.identity_1d(4, "i", "o").transpose_ins(["j"]),
    "no dimension": lambda: LinearLayout.identity_1d(4, "i", "o").get_in_dim_size("j"),
}


@pytest.mark.parametrize("message", WRONG)
def test_wrong_input_is_refused_with_the_reason(message):
    with pytest.raises(LayoutError, match=message):
        WRONG[message]()


# ---- to and from layouts (laws 46 and 57)


@pytest.mark.parametrize("swizzle", SWIZZLES, ids=str)
def test_law_46_the_matrix_of_a_swizzle_is_the_swizzle(swizzle):
    linear = to_linear(swizzle)
    assert linear.is_invertible()
    assert linear.invert() == linear
    assert table(linear, linear.size) == table(swizzle, linear.size)


@given(power_layouts())
def test_law_57_exactly_the_xor_linear_layouts_convert(layout):
    values = table(layout, layout.size)
    if not is_xor_linear(values):
        with pytest.raises(LayoutError, match="not linear under XOR: its value"):
            to_linear(layout)
        return
    linear = to_linear(layout)
    assert table(linear, layout.size) == values
    assert table(linear.to_layout(), layout.size) == values


@given(power_layouts(st.sampled_from([0, 1, 2, 4, 8, 16, 32, 64])))
def test_law_57_coordinates_name_the_inputs(layout):
    try:
        linear = to_linear(layout)
    except LayoutError:
        return
    back = linear.to_layout()
    for x in every(linear):
        coord = tuple(x.values())
        assert layout(*coord) == linear.apply(x)["offset"] == back(*coord)


@given(power_layouts(), st.sampled_from(SWIZZLES), st.integers(0, 40))
def test_swizzled_layouts_convert_exactly_when_they_are_affine(layout, swizzle, offset):
    composed = ComposedLayout(swizzle, offset, layout)
    values = table(composed, composed.size)
    shifted = [v ^ values[0] for v in values]
    if not is_xor_linear(shifted):
        with pytest.raises(LayoutError, match="not linear"):
            affine(composed)
        return
    constant, linear = affine(composed)
    assert [constant ^ v for v in table(linear, linear.size)] == values
    if values[0]:
        with pytest.raises(LayoutError, match=f"maps 0 to {values[0]}"):
            to_linear(composed)
    else:
        assert to_linear(composed) == linear


@given(power_layouts(st.sampled_from([1, 2, 4, 8, 16, 32, 64])), st.sampled_from(SWIZZLES))
def test_a_swizzled_layout_is_found_again(layout, swizzle):
    composed = ComposedLayout(swizzle, 0, layout)
    try:
        linear = to_linear(composed)
    except LayoutError:
        return
    back = linear.to_layout()
    assert table(back, composed.size) == table(composed, composed.size)


@given(power_layouts(), power_layouts(), st.integers(0, 40))
def test_compositions_of_layouts_convert_exactly_when_they_are_affine(outer, inner, offset):
    composed = ComposedLayout(outer, offset, inner)
    values = table(composed, composed.size)
    if is_xor_linear([v ^ values[0] for v in values]):
        constant, linear = affine(composed)
        assert [constant ^ v for v in table(linear, linear.size)] == values
    else:
        with pytest.raises(LayoutError, match="not linear"):
            affine(composed)


def test_the_usual_swizzled_tile_prints_itself_again():
    tile = ComposedLayout(Swizzle(3, 3, 3), 0, Layout((64, 64), (64, 1)))
    assert str(to_linear(tile).to_layout()) == "Sw<3,3,3> o 0 o (64,64):(64,1)"


def test_two_swizzles_in_a_row_have_a_matrix_but_no_swizzled_layout():
    twice = ComposedLayout(Swizzle(1, 0, 2), 0, ComposedLayout(Swizzle(1, 1, 3), 0, Layout((4, 8), (1, 4))))
    linear = to_linear(twice)
    assert table(linear, 32) == table(twice, 32)
    with pytest.raises(LayoutError, match="neither a layout nor one swizzle"):
        linear.to_layout()


def test_axes_and_coordinates_are_output_dimensions():
    layout = Layout((4, 2, 8), (term(1, "laneid"), term(4, "laneid"), 2))
    assert to_linear(layout).out_dims == [("laneid", 8), ("offset", 16)]
    assert to_linear(layout).to_layout() == layout
    identity = Layout((4, 8), (term(1, (0,)), term(1, (1,))))
    assert to_linear(identity).out_dims == [("dim0", 4), ("dim1", 8)]
    assert to_linear(identity).to_layout() == identity


def test_a_thread_value_layout_maps_lanes_and_registers_to_the_tile():
    # The C fragment of a 16x8 tensor core tile: (thread, value) -> column-major tile index.
    fragment = Layout(((4, 8), (2, 2)), ((32, 1), (16, 8)))
    linear = to_linear(fragment, ["lane", "register"], [("m", 16), ("n", 8)])
    assert linear.is_invertible()
    for lane, register in product(range(32), range(4)):
        index = fragment(lane, register)
        assert linear.apply({"lane": lane, "register": register}) == {"m": index % 16, "n": index // 16}


def test_large_layouts_convert_without_enumeration():
    layout = Layout((1 << 30, 1 << 31), (1 << 31, 1))
    assert to_linear(layout).to_layout() == layout
    swizzled = ComposedLayout(Swizzle(3, 4, 3), 1 << 61, layout)
    constant, linear = affine(swizzled)
    assert constant ^ linear(123456789012345) == swizzled(123456789012345)


REFUSED = {
    "extent 3": Layout((4, 3), (1, 4)),
    "negative": Layout(4, -1),
    "no F2 view": 7,
    "undecided": ComposedLayout(Layout((3, 1 << 20)), 0, Layout(1 << 20)),
}


@pytest.mark.parametrize("message", REFUSED)
def test_functions_without_an_f2_view_are_refused(message):
    with pytest.raises(LayoutError, match=message):
        to_linear(REFUSED[message])


JUNK = [
    None,
    0,
    -1,
    2**70,
    3.5,
    "a",
    b"a",
    (),
    (4, 8),
    [1, [2]],
    {},
    {"i": 1},
    ["o"],
    [("i", 4)],
    [("i", [[1]])],
    object(),
]
JUNK += [Layout(4), Swizzle(1, 0, 1), LinearLayout(), np.arange(3), term(1, "laneid")]
IDENTITY = LinearLayout.identity_1d(4, "i", "o") * LinearLayout.identity_1d(2, "j", "o")
METHODS = (
    "apply compose invert_and_compose divide_left divide_right reshape_ins reshape_outs transpose_ins transpose_outs "
    "concat_ins concat_outs get_in_dim_size"
)
TAKING = {
    1: [*(getattr(IDENTITY, name) for name in METHODS.split()), IDENTITY, to_linear, affine],
    2: [IDENTITY.sublayout, LinearLayout.from_bases, to_linear, LinearLayout],
    3: [LinearLayout.identity_1d, LinearLayout.zeros_1d, LinearLayout.from_bases, LinearLayout, to_linear],
}


@given(st.data())
def test_nothing_but_our_errors_comes_of_wrong_arguments(data):
    count = data.draw(st.sampled_from(sorted(TAKING)))
    function = data.draw(st.sampled_from(TAKING[count]))
    with contextlib.suppress(LayoutError):
        function(*(data.draw(st.sampled_from(JUNK)) for _ in range(count)))
