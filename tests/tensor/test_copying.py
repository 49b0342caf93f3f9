"""copy moves element by element as coordinates say; its vectors lie one after the other, aligned, on both sides."""

from __future__ import annotations

from itertools import product
from typing import Any, cast

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright import Layout, LayoutError, Tensor, UsageError

TILE = (8, 16)
LAYOUTS = [
    Layout(TILE, (16, 1)),
    Layout(TILE, (1, 8)),
    Layout(TILE, (20, 1)),
    Layout(TILE, (24, 1)),
    Layout((8, (4, 4)), (4, (1, 32))),
    tw.parse("Sw<2,2,3> o 0 o (8,16):(16,1)"),
    tw.parse("Sw<1,3,3> o 0 o (8,16):(16,1)"),
]


def tensor(layout: Any, start: int = 0, first: int = 0) -> Tensor:
    memory = numpy.arange(first, first + layout.cosize + start, dtype="float32")
    return tw.make_view(Tensor(memory).iter + start, layout)


def is_vector(src: Tensor, dst: Tensor, n: int) -> bool:
    """Do runs of n elements, each at a multiple of n on both sides, move src to dst?"""
    places = dict(zip(dst.places().tolist(), src.places().tolist(), strict=True))
    runs = {at - at % n for at in places}
    return all(
        places.get(at) is not None
        and places[at] % n == 0
        and all(places.get(at + i) == places[at] + i for i in range(n))
        for at in runs
    )


@pytest.mark.parametrize(("a", "b"), list(product(LAYOUTS, LAYOUTS)), ids=str)
@pytest.mark.parametrize("start", [0, 2])
def test_every_element_goes_to_its_coordinate_by_whole_vectors(a: Any, b: Any, start: int) -> None:
    src, dst = tensor(a, start, 1000), tensor(b)
    moved = tw.copy(src, dst)
    for i in range(a.size):
        assert dst[i] == src[i] == 1000 + start + a(i)
    assert is_vector(src, dst, moved.vector)
    assert moved.vector * moved.bits <= 128
    assert moved.vectors * moved.vector == moved.elements == 128


def test_vectors_are_as_wide_as_rows_begin_aligned() -> None:
    rows = tensor(Layout(TILE, (16, 1)))
    assert [tw.copy(rows, tensor(Layout(TILE, (s, 1)))).vector for s in (16, 20, 18, 17)] == [4, 4, 2, 1]
    assert tw.copy(rows, tensor(Layout(TILE, (1, 8)))).vector == 1

    assert str(tw.copy(rows, rows)) == "128 elements in 32 vectors of 4 elements (128 bits)"


def test_what_is_read_several_times_is_read_by_whole_vectors() -> None:
    assert tw.copy(tensor(Layout((4, 2), (1, 0))), tensor(Layout((4, 2)))).vector == 4


@given(st.permutations([2, 2, 3, 4]), st.permutations([0, 1, 2, 3]), st.permutations([0, 1, 2, 3]), st.integers(0, 4))
def test_vectors_of_any_compact_layouts(shape: Any, one: Any, other: Any, start: int) -> None:
    extents = tuple(shape)
    src, dst = (tensor(tw.make_ordered_layout(extents, tuple(order)), start) for order in (one, other))
    assert is_vector(src, dst, tw.copy(src, dst).vector)
    assert (src.numpy() == dst.numpy()).all()


def test_what_overlaps_is_read_before_it_is_written() -> None:
    memory = numpy.arange(9)
    tw.copy(Tensor(memory, Layout(8)), tw.make_view(Tensor(memory).iter + 1, Layout(8)))
    assert memory.tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7]


def test_two_elements_in_one_place_are_refused() -> None:
    with pytest.raises(LayoutError, match="the elements 2 and 4 both lie at 2"):
        tw.copy(tensor(Layout((4, 2))), tensor(Layout((4, 2), (1, 2))))
    tw.copy(tensor(Layout((4, 2), (1, 2))), tensor(Layout((4, 2))))


def test_other_shapes_types_and_values_are_refused() -> None:
    src, anything = tensor(Layout(TILE)), cast("Any", numpy.zeros(TILE))
    with pytest.raises(LayoutError, match=r"\(8,16\) and \(16,8\)"):
        tw.copy(src, tensor(Layout((16, 8))))
    with pytest.raises(UsageError, match="float32 is not float64"):
        tw.copy(src, Tensor(numpy.zeros(TILE)))
    with pytest.raises(UsageError, match=r"write tw\.Tensor"):
        tw.copy(src, anything)
    tw.copy(src, tensor(Layout(128)))


def test_a_vector_holds_in_every_row_and_not_in_the_first_alone() -> None:
    """Rows of three elements, of which a swizzle's offset leaves two together: the second two are in two rows."""
    src = tensor(tw.parse("Sw<1,1,3> o 4 o (3,2,3):(3,9,1)"))
    dst = tensor(Layout((3, 2, 3), (6, 3, 1)))
    assert tw.max_common_vector(src.layout, dst.layout) == 2
    assert tw.copy(src, dst).vector == 1
