"""Only the threads that take part count: whatever the others would do changes no report, and is no reason to refuse."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.analysis.global_memory.sectors import coalescing
from tilewright.errors import LayoutError
from tilewright.layout.layout import Layout
from tilewright.notation.parse import parse

WORD = 32


@given(st.integers(1, 200), st.integers(1, 48), st.integers(1, 9), st.sampled_from([1, 2, 4]), st.integers(1, 4))
def test_threads_outside_the_tile_count_only_when_active(
    size: int, threads: int, step: int, length: int, count: int
) -> None:
    values = Layout((threads, length * count), (step * length, 1))
    whole = Layout(values.cosize + size)  # holds what every thread asks for
    inside = [t for t in range(threads) if values((t, length * count - 1)) < size]
    options = {"element_bits": WORD, "vector_bits": WORD * length}
    if len(inside) < threads:
        with pytest.raises(LayoutError, match="reaches coordinate index"):
            bank_conflicts(Layout(size), values, **options)
        with pytest.raises(LayoutError, match="reaches coordinate index"):
            bank_conflicts(Layout(size), values, active=[*inside, threads - 1], **options)
    if inside:
        for cost in (bank_conflicts, coalescing):
            said = str(cost(whole, values, active=inside, **options))
            for active in (inside, iter(inside), sum(1 << t for t in inside)):
                assert str(cost(Layout(size), values, active=active, **options)) == said


@pytest.mark.parametrize("matrices", [1, 2, 4])
def test_lanes_that_give_no_row_may_lie_anywhere(matrices: int) -> None:
    """`ldmatrix.x1` reads the addresses of lanes 0 to 7 alone."""
    tile = Layout((8 * matrices, 8), (8, 1))
    options = {"element_bits": 16, "instruction": f"ldmatrix.x{matrices}"}
    own = bank_conflicts(tile, Layout((8 * matrices, 8), (1, 8 * matrices)), **options)
    strided = Layout((32, 8), (1, 8 * matrices))  # lanes 8 * matrices and on lie in the next columns, or outside
    assert bank_conflicts(tile, strided, **options).wavefronts == own.wavefronts


def test_a_gap_in_the_vector_of_an_idle_thread_is_none() -> None:
    swizzled = parse("Sw<1,0,1> o 0 o (4,1):(1,0)")  # the offsets 0, 1, 3, 2
    pairs = Layout((2, 2), (2, 1))  # thread 1 has 3 and 2, which do not follow each other
    assert bank_conflicts(swizzled, pairs, element_bits=32, vector_bits=64, active=[0]).wavefronts == 1
    with pytest.raises(LayoutError, match="consecutive"):
        bank_conflicts(swizzled, pairs, element_bits=32, vector_bits=64)


@given(
    st.integers(1, 200),
    st.integers(1, 48),
    st.integers(1, 9),
    st.sampled_from([1, 2, 4]),
    st.sampled_from([Layout, lambda *a: parse(f"Sw<1,0,1> o 0 o {Layout(*a)}")]),
)
def test_an_access_of_nobody_costs_nothing(size: int, threads: int, step: int, length: int, of: Any) -> None:
    """Whatever the idle threads would ask for: outside the tile, apart, or misaligned."""
    values, options = Layout((threads, length), (step, threads)), {"element_bits": WORD, "vector_bits": WORD * length}
    for active in ([], iter([]), 0, [False] * threads):
        report = bank_conflicts(of(size), values, active=active, **options)
        assert (report.wavefronts, report.ideal, report.conflict_free) == (0, 0, True)
    assert coalescing(of(size), values, active=(), **options).sectors == 0


@pytest.mark.parametrize("count", [1 << 12, 1 << 15])
def test_where_idle_threads_start_is_nothing_for_a_large_tile_either(count: int) -> None:
    """Thread 1 would start inside a byte; tiles of many elements are looked at by parts."""
    values = Layout((2, (2, count)), (1, (1, 2)))
    options = {"element_bits": 4, "vector_bits": 8}
    report = bank_conflicts(Layout(2 * count + 1), values, active=[0], **options)
    assert report.wavefronts == count
    with pytest.raises(LayoutError, match="starts inside a byte"):
        bank_conflicts(Layout(2 * count + 1), values, **options)
