"""Whatever the arguments: a value or our own error, within a second."""

from __future__ import annotations

import pytest
from cpu import within
from hostile import NAMES, complaint, degenerate_calls, nested, trouble
from strategies import Dice

import tilewright as tw
from tilewright import Layout, LayoutError
from tilewright.layout.inttuple import MAX_LEAVES

CALLS = 6_000


def test_any_arguments_give_a_value_or_our_error() -> None:
    assert [complaint for seed in range(CALLS) if (complaint := trouble(Dice(seed)))] == []


def test_degenerate_values_give_a_value_or_our_error() -> None:
    assert [found for call in degenerate_calls() if (found := complaint(*call))] == []


@pytest.mark.parametrize("digits", [300, 5000])
def test_integers_of_any_length_are_refused_by_our_error(digits: int) -> None:
    """5000 digits are more than Python writes."""
    large = 10**digits
    for name in NAMES:
        for arguments in ([large], [large, Layout(4)], [Layout(4), large], [Layout(4), (large,)], [4, -large]):
            assert complaint(name, getattr(tw, name), arguments) == ""


def test_every_operation_is_among_them() -> None:
    assert len(NAMES) > 85


@pytest.mark.parametrize(
    ("shape", "stride"),
    [
        (0, 1),
        (-4, 1),
        (2.5, 1),
        (True, 1),
        ((4, None), (1, 4)),
        ((4, 8), (1,)),
        ((4, 8), (1, None)),
        ((4, (8,)), (1, 4)),
        (2**63, 1),
        (4, 2**63),
        (nested(65), nested(65)),
        ((1,) * 5000, (1,) * 5000),
        ("8", 1),
        ((4, 8), "18"),
        (tw.term(4, "laneid"), 1),
    ],
)
def test_malformed_layouts_are_refused(shape: object, stride: object) -> None:
    with pytest.raises(LayoutError):
        Layout(shape, stride)


@pytest.mark.parametrize("coord", [1.5, "3", (1, 2, 3), ((1, 2), 3), True, {}, (1, 2.0), object()])
def test_malformed_coordinates_are_refused(coord: object) -> None:
    with pytest.raises(LayoutError):
        Layout((4, 8))(coord)


def test_refusals_say_what_where_and_why() -> None:
    with pytest.raises(LayoutError, match=r"\(4,4\):\(1,5\) o 4:3.*A\(3\) \+ A\(6\) = 10, but A\(9\) = 11"):
        tw.composition(Layout((4, 4), (1, 5)), Layout(4, 3))
    with pytest.raises(LayoutError, match=r"A\(1\) \+ A\(2\) = 12, but A\(3\) = 1"):
        tw.composition(Layout((3, 4), (4, 1)), Layout((2, 2), (1, 2)))
    with pytest.raises(LayoutError, match="mode 3:3 asks for A at 0, 3, 6, and these values do not repeat"):
        tw.composition(Layout((5, 3), (2, 1)), Layout(3, 3))
    with pytest.raises(LayoutError, match="negative values"):
        tw.composition(Layout((2, 3), (3, 1)), Layout(4, -3))
    with pytest.raises(LayoutError, match=r"complement of \(4,4\):\(1,2\): mode 4:2 starts below 4"):
        tw.complement(Layout((4, 4), (1, 2)), 64)
    with pytest.raises(LayoutError, match="at most 4 of 6 offsets"):
        tw.logical_divide(Layout(6), Layout((2, 2), (1, 3)))
    with pytest.raises(LayoutError, match="hold only a part"):
        tw.recast_layout(Layout(3), 8, 16)


def test_leaves_are_counted_over_all_of_a_tuple():
    half = MAX_LEAVES // 2
    assert tw.rank(((1,) * half, (1,) * half)) == 2
    for shape in ((1,) * (MAX_LEAVES + 1), ((1,) * half, (1,) * half, 1), (((1,) * half,) * 3,)):
        with pytest.raises(LayoutError, match=f"more than {MAX_LEAVES} leaves"):
            tw.make_shape(*shape)


def test_a_tuple_of_too_many_leaves_is_left_before_the_last():
    """A tuple that names one row again and again has as many leaves as one likes."""
    row = (1,) * MAX_LEAVES
    with within(0.5), pytest.raises(LayoutError, match="leaves"):
        tw.rank((row,) * MAX_LEAVES)
