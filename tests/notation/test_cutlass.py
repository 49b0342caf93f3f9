"""CUTLASS's spellings: types as in its sources and kernel names, calls, and what CuTe prints behind a pointer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from notation_strategies import INTEGERS, composed, layouts

from tilewright import atoms, recognise
from tilewright.errors import LayoutError, NotationError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.construct import make_identity_layout, make_ordered_layout
from tilewright.layout.layout import Layout
from tilewright.layout.operations import composition
from tilewright.layout.swizzle import Swizzle
from tilewright.notation import parse

# how an integer, a tuple and a layout read
SPELLINGS = [
    ("_{}", "Shape<{}>", "Layout<{},{}>"),
    ("Int<{}>", "Stride<{}>", "Layout<{}, {}>"),
    ("cute::C<{}>", "cute::tuple<{} >", "cute::Layout<{}, {} >"),
    ("Int<{}>{{}}", "make_shape({})", "make_layout({}, {})"),
    ("_{}{{}}", "({})", "Layout<{},{}>{{}}"),
]


def spelled(x: Any, spelling: tuple[str, str, str]) -> str:
    number, many, layout = spelling
    if isinstance(x, Layout):
        return layout.format(spelled(x.shape, spelling), spelled(x.stride, spelling))
    if isinstance(x, tuple):
        return many.format(", ".join(spelled(item, spelling) for item in x))
    return number.format(x)


@given(layouts(st.integers(0, 2**40)), st.sampled_from(SPELLINGS))
def test_layouts_read_in_every_spelling(layout: Layout, spelling: tuple[str, str, str]) -> None:
    assert parse(spelled(layout, spelling)) == layout


@given(
    st.lists(st.integers(1, 8), min_size=1, max_size=4).map(tuple),
    st.sampled_from(["{}, order={}", "shape={}, order={}", "{}, {}"]),
    st.data(),
)
def test_constructors_as_cute_dsl_calls_them(shape: tuple[int, ...], arguments: str, data: st.DataObject) -> None:
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    call = arguments.format(shape, order)
    assert parse(f"cute.make_ordered_layout({call})") == make_ordered_layout(shape, order)
    assert parse(f"cute.make_identity_layout({shape})") == make_identity_layout(shape)
    compact = make_ordered_layout(shape, order)
    assert parse(f"cute.make_layout({shape}, stride={compact.stride})") == compact
    assert parse(f"cute.composition(lhs=cute.make_layout({shape}), rhs=cute.make_layout(1))") == Layout(1)


def test_modes_of_equal_order_overlap_as_in_cute() -> None:
    assert parse("make_ordered_layout(Shape<_4,_8,_2>{}, make_step(_0{}, _0{}, _1{}))") == make_ordered_layout(
        (4, 8, 2), (0, 0, 1), ties="overlap"
    )


@given(st.one_of(layouts(INTEGERS), composed()))
def test_what_repr_writes_is_read(x: Layout | ComposedLayout) -> None:
    assert parse(repr(x)) == x


@given(layouts(st.integers(0, 2**20)), st.integers(0, 3), st.sampled_from(SPELLINGS), st.sampled_from(["", "_0{}, "]))
def test_a_call_of_composition_is_the_swizzled_layout(
    layout: Layout, b: int, spelling: tuple[str, str, str], offset: str
) -> None:
    call = f"composition(Swizzle<{b}, 3, 3>{{}}, {offset}{spelled(layout, spelling)})"
    wanted = ComposedLayout(Swizzle(b, 3, 3), 0, layout)
    assert parse(call) == parse(f"using SmemLayoutAtom = decltype({call});") == wanted


@given(layouts(st.integers(0, 64)), st.integers(1, 8))
@example(Layout((1, 2, ()), (0, 1, ())), 3)
def test_a_call_of_composition_of_two_layouts_is_a_after_b(layout: Layout, n: int) -> None:
    text = f"cute::composition({spelled(layout, SPELLINGS[0])}, Layout<_{n}>{{}})"
    try:
        wanted = composition(layout, Layout(n))
    except LayoutError:  # beyond the layout's size there may be no layout that goes on so
        with pytest.raises(LayoutError, match="composition"):
            parse(text)
    else:
        assert parse(text) == wanted


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("b", [0, 1, 2, 3])
def test_a_swizzle_behind_a_pointer_permutes_bytes(bits: int, b: int) -> None:
    across = 1024 // bits
    printed = f"Sw<{b},4,3> o smem_ptr[{bits}b](unset) o (_16,_{across}):(_{across},_1)"
    shape, stride = f"Shape<_16,_{across}>", f"Stride<_{across},_1>"
    typed = f"ComposedLayout<Swizzle<{b},4,3>, smem_ptr_flag_bits<{bits}>, Layout<{shape},{stride}>>"
    tile, width = parse(printed), bits // 8
    assert tile == parse(typed) == parse(printed.replace(f"[{bits}b]", f"_{bits}b"))
    in_bytes = Swizzle(b, 4, 3)
    plain = Layout((16, across), (across, 1))
    assert all(tile(i) * width == in_bytes(plain(i) * width) for i in range(plain.size))


@pytest.mark.parametrize("name", atoms.list("_Atom", kind="smem"))
def test_the_atoms_of_bits_are_recognised_in_one_bit_elements(name: str) -> None:
    b, m, s = (2, 5, 2) if "32B" in name else ({"INTER": 0, "SW32": 1, "SW64": 2, "SW128": 3}[name.split("_")[2]], 4, 3)
    lines, run = (4 if "32B" in name else 8), 128 << b if "32B" not in name else 1024
    shape, stride = ((lines, run), (run, 1)) if "_K_" in name else ((run, lines), (1, run))
    texts = spelled(Layout(shape, stride), SPELLINGS[0])
    found = parse(f"ComposedLayout<Swizzle<{b},{m},{s}>, smem_ptr_flag, {texts}>")
    assert found == atoms.smem(name, 1)


@pytest.mark.parametrize("stages", [1, 4])
def test_a_printed_smem_layout_is_recognised(stages: int) -> None:
    tile = parse(f"Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_{stages})):((_64,_512),(_1,_8192))")
    assert recognise(tile, "f16").atom == "Layout_K_SW128_Atom"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Layout<>", "Layout takes 1 or 2 arguments, got 0"),
        ("Layout<Shape<_8,_64>,Stride<_64>>", "different profiles"),
        ("Layout<Shape<_8>,Strde<_1>>", "got 'Strde'"),
        ("Layout<Layout<_8>,_1>", "made of integers"),
        ("Layout<smem_ptr_flag>", "made of integers"),
        ("smem_ptr_flag_bits<16>", "a pointer alone"),
        ("make_tuple(smem_ptr_flag, 4)", "a pointer alone"),
        ("ComposedLayout<Layout<_8>,smem_ptr_flag,Layout<_8>>", "stands behind a swizzle"),
        ("Sw<3,4,3> o smem_ptr[0b](unset) o 8:1", "1 to 65536 bits"),
        ("Sw<3,4,3> o smem_ptr(unset) o 8:1", "expected smem_ptr[16b](unset)"),
        ("cute::", "the end of the text"),
        ("composition(Swizzle<3,3,3>{}, _8{})", "ends in a layout"),
        ("composition(Swizzle<3,3,3>{}, Layout<_8>{}, Layout<_8>{})", "ends in a layout"),
        ("composition(_8{}, Layout<_8>{})", "a composed layout is"),
        ("decltype(LayoutLeft{})", "an order of strides"),
        ("Swizzle<3,4,3> o smem_ptr[24b](unset) o 8:1", "power of two"),
    ],
)
def test_what_is_no_layout_is_refused(words: str, said: str) -> None:
    with pytest.raises((NotationError, LayoutError)) as caught:
        parse(words)
    assert said in str(caught.value)


def test_a_swizzle_without_its_shift_shifts_by_its_bits() -> None:
    """CUTLASS: `template <int BBits, int MBase, int SShift = BBits>`."""
    assert parse("cute::Swizzle<2,4>") == Swizzle(2, 4, 2)
    assert parse("ComposedLayout<Swizzle<2,3>,_0,Layout<_64>>") == ComposedLayout(Swizzle(2, 3, 2), 0, Layout(64))
