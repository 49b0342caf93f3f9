"""What an instruction moves per lane: n narrow elements side by side are one element n times as wide."""

from __future__ import annotations

from itertools import product

import pytest

import tilewright as tw
from tilewright import Access, Layout, LayoutError, bank_conflicts, coalescing, suggest_swizzle
from tilewright.analysis.model.access import into_warps
from tilewright.analysis.model.memory import check_reach
from tilewright.analysis.model.participants import Participants
from tilewright.analysis.model.vector import vectors

PAIRS = [(bits, length) for bits, length in product((1, 2, 4, 8, 16, 32), (2, 4, 8, 16)) if 8 <= bits * length <= 128]
THREADS = 32


@pytest.mark.parametrize(("bits", "length"), PAIRS)
@pytest.mark.parametrize("pitch", [1, 3, 64])
def test_a_vector_costs_what_an_element_of_its_width_costs(bits: int, length: int, pitch: int) -> None:
    """THREADS lanes, `pitch` vectors apart, two vectors each."""
    narrow = Layout(((length, pitch, THREADS)), (1, length, length * pitch))
    wide = Layout((pitch, THREADS), (1, pitch))
    second = min(1, pitch - 1)
    vectors = Layout((THREADS, (length, 2)), (length * pitch, (1, length * second)))
    elements = Layout((THREADS, 2), (pitch, second))
    width = bits * length
    banks = bank_conflicts(narrow, vectors, element_bits=bits, vector_bits=width)
    assert banks == bank_conflicts(wide, elements, element_bits=width)
    sectors = coalescing(narrow, vectors, element_bits=bits, vector_bits=width)
    assert sectors.to_json() == coalescing(wide, elements, element_bits=width).to_json()
    advice = suggest_swizzle(narrow, Access(vectors, width), element_bits=bits)[0]
    same = suggest_swizzle(wide, Access(elements), element_bits=width)[0]
    assert (advice.wavefronts, advice.ideal, advice.bits) == (same.wavefronts, same.ideal, same.bits)


@pytest.mark.parametrize(("bits", "length"), PAIRS)
def test_the_elements_of_a_vector_follow_each_other(bits: int, length: int) -> None:
    gaps = Layout((length, THREADS), (2, 2 * length))
    lanes = Layout((THREADS, length), (length, 1))
    for analysis in (bank_conflicts, coalescing):
        with pytest.raises(LayoutError, match="consecutive"):
            analysis(gaps, lanes, element_bits=bits, vector_bits=bits * length)
    with pytest.raises(LayoutError, match="consecutive"):
        suggest_swizzle(gaps, Access(lanes, bits * length), element_bits=bits)


@pytest.mark.parametrize(("bits", "length"), [(bits, length) for bits, length in PAIRS if bits < 8])
def test_a_vector_starts_at_a_byte(bits: int, length: int) -> None:
    shifted = tw.ComposedLayout(tw.Swizzle(0, 0, 0), 1, Layout((length, THREADS), (1, 2 * length)))
    lanes = Layout((THREADS, length), (length, 1))
    for analysis in (bank_conflicts, coalescing):
        with pytest.raises(LayoutError, match="starts inside a byte"):
            analysis(shifted, lanes, element_bits=bits, vector_bits=bits * length)


@pytest.mark.parametrize("bits", [1, 2, 4])
def test_a_single_element_below_a_byte_reads_its_byte(bits: int) -> None:
    lanes = Layout((THREADS, 1), (1, 0))
    for said in (None, bits):
        report = bank_conflicts(Layout(THREADS), lanes, element_bits=bits, vector_bits=said)
        assert [word for words in report.phases[0].words for word in words] == [t * bits // 32 for t in range(THREADS)]
    named = bank_conflicts(Layout(64), Layout((32, 2), (2, 1)), element_bits=4, instruction="ld.shared.u8")
    assert named.wavefronts == 1, "the name says 8 bits: two elements in one instruction"


@pytest.mark.parametrize("threads", [1, 31, 32, 33, 64, 96])
def test_warps_are_as_few_as_hold_the_threads(threads: int) -> None:
    xp = vectors(threads)
    requests = into_warps(xp, xp.arange(2 * threads), threads, Participants(32), 4)
    assert (requests.warps, requests.rows) == (-(-threads // 32), 2 * -(-threads // 32))
    assert sorted(a for a in requests.addresses.tolist() if a >= 0) == list(range(2 * threads))


@pytest.mark.parametrize(
    "layout", [Layout(2, 1 << 47), Layout(2, 1 << 46), Layout((3, 4), (1, 1 << 45)), Layout((2, 2), (1 << 46, 1))]
)
def test_the_reach_of_a_layout_bounds_its_values_beyond_the_domain_too(layout: Layout) -> None:
    for size in range(1, 40):
        if max(layout(i) for i in range(size)) >= 1 << 48:
            with pytest.raises(LayoutError, match="the limit is 2"):
                check_reach(layout, size, "layout")


@pytest.mark.parametrize("bits", [4, 8, 16])
def test_no_swizzle_tears_a_vector(bits: int) -> None:
    length = 16 // bits or 1
    tile, lanes = Layout((64 * length, 32), (1, 64 * length)), Layout((32, length), (64 * length, 1))
    for advice in suggest_swizzle(tile, Access(lanes, bits * length), element_bits=bits):
        for start in range(0, tile.size, length):
            first = advice.swizzle(start)
            assert [advice.swizzle(start + k) for k in range(length)] == [first + k for k in range(length)]
