"""Lines of compilers: the one type in them is read, and never another than the one that stands there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from notation_strategies import layouts

import tilewright as tw
from tilewright.errors import LayoutError, NotationError
from tilewright.layout.layout import Layout

ROUND = (
    'a.cu(12): error: static assertion failed with "no [with T = {}]"',
    "a.cpp:10:68: error: static assertion failed: in ‘void f(const X&) [with X = {}; T = int]’",
    "a.cpp:17:8: error: cannot convert ‘M1’ {{aka ‘{}’}} to ‘int’",
    'a.cu(3): error: class "{}" has no member "x < y"',
    "error: no type named ‘size’ in ‘const struct {}’",
    "note: f(a<0>(x), ‘{}&’) instantiation of",
)
PLAIN = layouts(st.integers(0, 2**20)).filter(lambda layout: bool(layout.shape))


def typed(layout: Layout) -> str:
    return tw.to_cpp(layout).replace("Shape<", "cute::tuple<").replace("Stride<", "cute::tuple<")


@given(PLAIN, st.sampled_from(ROUND))
def test_the_only_type_of_a_message_is_read(layout: Layout, line: str) -> None:
    assert tw.parse(line.format(typed(layout))) == layout


@given(PLAIN)
def test_parameters_of_a_template_are_what_the_message_says(layout: Layout) -> None:
    shape, stride = (tw.to_cpp(x).replace("Shape<", "cute::tuple<") for x in (layout.shape, layout.stride))
    for line in (f"[with S = {shape}; D = {stride}]", f"[with S={shape}, D={stride}]"):
        assert tw.parse(f"error: in f(const cute::Layout<S, D>&) {line}") == layout


@given(PLAIN, PLAIN, st.sampled_from(ROUND[:2]))
def test_of_two_types_neither_is_taken(a: Layout, b: Layout, line: str) -> None:
    text = f"{line.format(typed(a))} and {typed(b)}"
    if a == b:
        assert tw.parse(text) == a
        return
    with pytest.raises(NotationError, match="2 types stand in the message") as caught:
        tw.parse(text)
    assert str(caught.value).endswith("^")


@pytest.mark.parametrize(
    "around",
    [
        "error: f(const cute::Layout<S, D>&) required from ‘{}’",
        "error: f(const {}&) [with Layout = int; cute = long]",
        "error: cout<<x, ‘{}’",
        "error: i< n, ‘{}’",
        "error: f(const cute::Layout<S>&) [with F = auto (*)(int, long) -> int; S = cute::tuple<cute::_4>]",
    ],
)
def test_what_stands_around_a_type_is_no_part_of_it(around: str) -> None:
    assert tw.parse(around.format("cute::Layout<cute::tuple<cute::_4>>")) == Layout((4,))


@pytest.mark.parametrize(
    "line",
    [
        "error: ‘cute::Layout<cute::_4>’ and ‘{}cute::Layout<cute::_5>’",
        "error: <{}cute::Layout<cute::_4>",
        "error: ‘cute::Layout<cute::_4>{}>’",
    ],
)
def test_the_caret_is_under_the_type_that_is_too_many(line: str) -> None:
    with pytest.raises(NotationError) as caught:
        tw.parse(line.replace("{}", ""))
    assert caught.value.position == line.index("{}")


def test_of_a_type_alone_the_caret_is_within() -> None:
    text = "cute::Layout<cute::_4, cute::half>"
    with pytest.raises(NotationError) as caught:
        tw.parse(text)
    assert caught.value.position == text.index("half")


def test_the_caret_is_under_the_list_that_breaks_off() -> None:
    line = "error: f [with T = int] and g(const cute::Layout<S>&) "
    with pytest.raises(NotationError, match="breaks off") as caught:
        tw.parse(f"{line}[with S = cute::tuple<cute")
    assert caught.value.position == len(line)


AROUND = (
    "note: ‘cute::always<{}>::value’",
    "error: static assertion failed: std::integral_constant<{}, 3>",
    "error: f<decltype(a->b), {}, cute::tuple<cute::_4>, int>",
    "error: cute::tuple<{}, float>",
    "error: in ‘mine::deep<always<cute::tuple<{}, int>, cute::C<4> > >’",
    "error: cutlass::Kernel<cute::SM75_U32x4_LDSM_N, cute::tuple<cute::_128, cute::half>, {}>::run()",
)
ALONE = ("cute::always<{}>", "const mine::always<{}>::value&", "struct f<int, cute::tuple<{}, half_t>, {}>{{}};")


@given(PLAIN, st.sampled_from(AROUND + ALONE))
def test_the_only_layout_within_types_that_nobody_knows_is_read(layout: Layout, line: str) -> None:
    for text in (typed(layout), f"cute::ComposedLayout<cute::Swizzle<3,4,3>, cute::C<0>, {typed(layout)} >"):
        assert tw.parse(line.format(text, text)) == tw.parse(text)


@settings(max_examples=40)
@given(st.lists(PLAIN, min_size=2, max_size=6, unique=True), st.sampled_from([*AROUND, "f<{}>"]), st.integers(0, 80))
def test_of_several_each_has_its_caret(layouts: list[Layout], line: str, shift: int) -> None:
    """Under the first letter of each of the first four, each in a line of its own."""
    text = line.format(", ".join(map(typed, layouts))).replace("note:", f"note:{' ' * shift}")
    with pytest.raises(NotationError, match=f"{len(layouts)} types stand in the message") as caught:
        tw.parse(text)
    lines = str(caught.value).splitlines()
    below = [(lines[i - 1], row.index("^")) for i, row in enumerate(lines) if row.strip() == "^"]
    assert [row[at:].startswith(typed(one)[:20]) for (row, at), one in zip(below, layouts, strict=False)] == [
        True
    ] * min(4, len(layouts))
    assert ("and 2 more" in str(caught.value)) == (len(layouts) == 6)


def test_a_kind_chooses_within_types_too() -> None:
    line = "error: f<cute::tuple<cute::Layout<cute::_4>, cute::C<2> >, cute::Swizzle<3, 4, 3>, cute::Layout<cute::_4> >"
    assert tw.parse(line, tw.Layout) == Layout(4)
    assert tw.parse(line, tw.Swizzle) == tw.Swizzle(3, 4, 3)
    whole = "error: cute::tuple<cute::Layout<cute::_4>, cute::C<2> >"
    assert tw.parse(whole) == (Layout(4), 2)
    assert tw.parse(whole, tw.Layout) == Layout(4)


@pytest.mark.parametrize(
    "text",
    ["cute::tuple<cute::Layout<cute::_4>, float>", "ComposdLayout<Int<0>, Layout<_4> >", "f<Layout<_4> >(x)", "f<_4>"],
)
def test_a_text_alone_is_no_message_where_it_may_be_a_slip(text: str) -> None:
    with pytest.raises(NotationError, match="expected an integer"):
        tw.parse(text)


def test_a_message_has_so_many_characters_at_most() -> None:
    line = "error: ‘cute::Layout<cute::_4>’".ljust(1 << 20)
    assert tw.parse(line) == Layout(4)
    with pytest.raises(NotationError, match="more than 1048576"):
        tw.parse(line + " ")


def test_an_operation_alone_is_its_atom() -> None:
    name = "SM80_16x8x16_F32F16F16F32_TN"
    assert tw.parse(f"error: no type named ‘x’ in ‘struct cute::{name}’") == tw.atoms.mma(name)


def test_a_kind_chooses() -> None:
    line = "error: f(cute::Layout<cute::_4>, cute::Swizzle<3, 4, 3>) static assertion"
    assert tw.parse(line, tw.Layout) == Layout(4)
    assert tw.parse(line, tw.Swizzle) == tw.Swizzle(3, 4, 3)
    with pytest.raises(NotationError, match="2 types"):
        tw.parse(line)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("error: static assertion failed: rank mismatch", "without a type of CuTe"),
        ("error: [with X = cute::Laxout<cute::tuple<cute::_4>, cute::tuple<cute::_1> >]", "stands inside a type"),
        ("error: in ‘cute::Layout<cute::tuple<cute::C<4> >, cute::tuple<cute::C<1> >’", "is not closed"),
        ("error: in ‘cute::Layout<cute::_4> >’", "brackets around a type"),
        ("error: in ‘Layxut <cute::tuple<cute::_4> >’", "brackets around a type"),
        ("error: in ‘cute::Layout<cute::_4, cute::half>’", "expected"),
        ("error: in ‘cute::Layout<cute::tuple<cute::_4>, cute::tuple<> >’", "different profiles"),
        ("error: f(const cute::Layout<S, D>&) [with S = cute::tuple<cute::_4>; D = cute", "breaks off"),
        ("error: in ‘mine::Layout<cute::tuple<cute::_4> >’", "stands inside a type"),
        ("error: the Layout is static", "without a type of CuTe"),
        ("error: no type named ‘x’ in ‘struct mine::SM80_16x8x16_F32F16F16F32_TN’", "without a type of CuTe"),
        ("error: f<decltype(a->b), cute::tuple<cute::_4>, int>", "cute::tuple<..> stands inside a type"),
        ("error: Laxout<cute::Layout<cute::tuple<cute::_4> > >", "cute::Layout<..> stands inside a type"),
        ("error: mine::Tensor<int, cute::Layout<cute::_4> >", "cute::Layout<..> stands inside a type"),
        ("error: f<cute::Layout<cute::_4, cute::half> >", "expected"),
        ("error: f<cute::tuple<cute::_4, float> >", "cute::tuple<..> stands inside a type"),
        ("error: cute::tuple<cute::_4, float>", "got 'float'"),
        ("error: ‘cute::Layout<cute::_4>4’", "brackets around a type"),
    ],
)
def test_what_could_be_another_type_is_refused_with_a_caret(line: str, said: str) -> None:
    with pytest.raises((NotationError, LayoutError)) as caught:
        tw.parse(line)
    assert said in str(caught.value)
    assert str(caught.value).endswith("^")
