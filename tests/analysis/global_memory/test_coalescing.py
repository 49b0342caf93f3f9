"""Law 69: sectors and lines are the count of a set of addresses; vector widths are provable."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tilewright as tw
from tilewright import Layout, coalescing
from tilewright.analysis.global_memory.sectors import coalescing_at
from tilewright.analysis.model.vector_width import widest_vector

TILE = Layout((64, 64), (64, 1))


def cells(row: Iterable[int], width: int, unit: int) -> int:
    return len({byte // unit for address in row for byte in range(address, address + width)})


@given(
    st.lists(st.lists(st.integers(0, 400), min_size=40, max_size=40), min_size=1, max_size=3),
    st.sampled_from([1, 2, 4, 8, 16]),
)
def test_sectors_and_lines_are_set_counts(rows: list[list[int]], width: int) -> None:
    rows = [[width * a for a in row] for row in rows]
    warps = [part for row in rows for part in (row[:32], row[32:])]
    report = coalescing_at(rows, width)
    assert report.sectors == sum(cells(warp, width, 32) for warp in warps)
    assert report.lines == sum(cells(warp, width, 128) for warp in warps)
    assert report.bytes == sum(cells(warp, width, 1) for warp in warps)
    assert report.ideal == sum(-(-cells(warp, width, 1) // 32) for warp in warps)
    assert report.by_instruction == tuple(cells(r[:32], width, 32) + cells(r[32:], width, 32) for r in rows)
    assert report.efficiency == report.bytes / (32 * report.sectors) <= 1
    assert all(min(warp) % report.alignment == 0 for warp in warps)


@given(st.lists(st.integers(0, 300), min_size=64, max_size=64))
def test_an_address_is_a_multiple_of_the_alignment_not_of_the_width(cells_of: list[int]) -> None:
    """12 bytes a lane lie at multiples of 4."""
    row = [4 * a for a in cells_of]
    report = coalescing_at(row, 12, arch="gfx942")
    assert (report.sectors, report.bytes) == (cells(row, 12, 64), cells(row, 12, 1))
    assert report.ideal == -(-report.bytes // 64)


@pytest.mark.parametrize(
    ("tv", "options", "sectors", "ideal", "widest"),
    [
        (Layout((32, 8), (1, 64)), {}, 256, 16, 128),
        (Layout((32, 2), (64, 2048)), {}, 4, 4, 16),
        (Layout((32, 2), (128, 64)), {"vector_bits": 32}, 4, 4, 32),
        (Layout(((8, 4), 8), ((512, 1), 64)), {"vector_bits": 128}, 16, 16, 128),
        (Layout((32, 2), (64, 2048)), {"base_bytes": 2}, 6, 4, 16),
    ],
)
def test_rows_of_halves(tv: Layout, options: dict[str, Any], sectors: int, ideal: int, widest: int) -> None:
    report = coalescing(TILE, tv, element_bits=16, **options)
    assert (report.sectors, report.ideal, report.widest_bits) == (sectors, ideal, widest)
    assert report.coalesced == (sectors == ideal)


def test_inactive_lanes_move_nothing() -> None:
    assert coalescing_at([4 * t for t in range(32)], 4, active=range(8)).sectors == 1
    empty = coalescing_at([None] * 32, 4)
    assert (empty.sectors, empty.lines, empty.efficiency) == (0, 0, 1.0)
    row = [64 * t + 64 for t in range(32)]
    alone, beside = coalescing_at(row, 4), coalescing_at([row, [None] * 32], 4)
    assert (alone.alignment, alone.sectors) == (beside.alignment, beside.sectors) == (64, 32)


def test_blackwell_moves_32_bytes_a_lane_and_amd_has_its_own_lines() -> None:
    tv = Layout((32, 16), (16, 1))
    assert coalescing(Layout(512), tv, element_bits=16, arch="sm_100").widest_bits == 256
    assert coalescing(Layout(512), tv, element_bits=16, arch="sm_90").widest_bits == 128
    amd = coalescing(Layout(64), Layout(64), element_bits=32, arch="gfx942")
    assert (amd.lines, amd.sector_bytes) == (2, 64)
    assert any("unverified" in note for note in amd.notes)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Layout, Layout, int, int]:
    """A tile with long contiguous runs, threads over it, element bits, base address."""
    columns, rows = draw(st.sampled_from([4, 6, 8, 16, 24])), draw(st.integers(1, 4))
    pitch = columns * draw(st.integers(1, 3)) + draw(st.sampled_from([0, 0, 1, 2, 4, 8]))
    inner = draw(st.sampled_from([n for n in (1, 2, 3, 4, 8, 16) if columns % n == 0]))
    tv = Layout(((columns // inner, rows), inner), ((inner, columns), 1))
    return Layout((columns, rows), (1, pitch)), tv, draw(st.sampled_from([4, 8, 16, 32])), draw(st.integers(0, 16))


@given(pairs())
def test_the_widest_vector_is_the_widest_that_holds_everywhere(pair: tuple[Layout, Layout, int, int]) -> None:
    layout, tv, bits, base = pair
    threads, values = tw.size(tv[0]), tw.size(tv[1])

    def holds(n: int) -> bool:
        starts = [(t, v) for t in range(threads) for v in range(0, values, n)]
        first = {tv_: layout(tv(*tv_)) for tv_ in starts}
        return values % n == 0 and all(
            layout(tv(t, v + k)) == first[t, v] + k and (8 * base + first[t, v] * bits) % (n * bits) == 0
            for t, v in starts
            for k in range(n)
        )

    widths = [n for n in (2, 4, 8, 16, 32) if 8 <= n * bits <= 128]
    expected = bits * max([n for n in widths if holds(n)], default=1)
    assert widest_vector(layout, tv, element_bits=bits, base_bytes=base) == expected


def test_reports_print_and_dump() -> None:
    report = coalescing(TILE, Layout((32, 8), (1, 64)), element_bits=16)
    assert json.loads(json.dumps(report.to_json()))["sectors"] == 256
    assert "256 sectors of 32 bytes, ideal 16: 240 in excess" in str(report)
    assert "allow vectors of 128 bits" in str(report)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: coalescing(TILE, Layout((32, 8), (8, 1)), element_bits=16, vector_bits=128), "8 consecutive ones"),
        (lambda: coalescing(TILE, Layout(32), element_bits=16, base_bytes=1), "lane 0 asks for byte 1"),
        (lambda: coalescing(TILE, Layout(32), element_bits=16, kind="atomic"), "'load' or 'store'"),
        (lambda: coalescing_at([0], 0), "width_bytes is an integer from 1"),
        (lambda: coalescing_at([0], 3), "1, 2, 4, 8, 16 bytes per lane, not 3"),
    ],
)
def test_refusals_carry_the_numbers(call: Any, message: str) -> None:
    with pytest.raises((tw.LayoutError, tw.UsageError), match=message):
        call()
