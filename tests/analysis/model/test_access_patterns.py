"""Walks over a tile: every element once, neighbouring threads at neighbouring vectors, vectors the way memory runs."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.patterns import by_matrices, plane, walking
from tilewright.arch import get
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.axes import term
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.layout import S, TileLayout

extents = st.sampled_from([1, 2, 3, 4, 6, 8, 12, 16, 20, 24, 32, 40, 64])
powers = st.sampled_from([1, 2, 4, 8, 16, 32, 64])
orders = st.sampled_from(["rows", "columns"])


def touched(access: Access) -> list[list[list[int]]]:
    """The coordinate indices by instruction, thread and place in the vector."""
    layout = access.thread_value
    inner = layout.inner if isinstance(layout, ComposedLayout) else layout
    threads, (length, count) = inner[0].size, (inner[1][0].size, inner[1][1].size)
    values = [[layout(t, v) for t in range(threads)] for v in range(length * count)]
    return [[[values[i * length + k][t] for k in range(length)] for t in range(threads)] for i in range(count)]


@given(extents, extents, powers, st.sampled_from([32, 64]), orders, st.booleans())
def test_a_walk_covers_the_tile_in_its_order(
    rows: int, columns: int, length: int, threads: int, order: str, by_row: bool
) -> None:
    layout = Layout((rows, columns), (columns, 1) if by_row else (1, rows))
    # A single row or column runs both ways in memory, and is taken as the longer one.
    way = plane(layout)
    if way.run % length:
        with pytest.raises(UsageError, match="do not fill"):
            walking(layout, order, length, element_bits=8, threads=threads)
        return
    down, across = (1, length) if way.by_row else (length, 1)
    starts = [(i, j) for i in range(0, rows, down) for j in range(0, columns, across)]
    starts.sort(key=lambda start: start if order == "rows" else start[::-1])
    if len(starts) % min(threads, len(starts)):
        with pytest.raises(UsageError, match="no whole number of instructions"):
            walking(layout, order, length, element_bits=8, threads=threads)
        return
    found = touched(walking(layout, order, length, element_bits=8, threads=threads))
    vectors = [vector for instruction in found for vector in instruction]
    assert [vector[0] for vector in vectors] == [i + rows * j for i, j in starts]
    assert all(len(instruction) == min(threads, len(starts)) for instruction in found)
    for vector in vectors:
        offsets = [layout(index) for index in vector]
        assert offsets == list(range(offsets[0], offsets[0] + length))


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_the_same_tile_in_both_orders_of_coordinates(bits: int) -> None:
    """TIRx numbers coordinates row by row; rows are rows all the same."""
    cute, tirx = Layout((32, 64), (64, 1)), TileLayout(S[(32, 64) : (64, 1)])
    for order in ("rows", "columns"):
        both = [walking(layout, order, 16, element_bits=bits, threads=32) for layout in (cute, tirx)]
        options = {"element_bits": bits, "vector_bits": 128, "merge": False}
        reports = [
            bank_conflicts(layout, one.thread_value, **options) for layout, one in zip((cute, tirx), both, strict=True)
        ]
        assert reports[0].phases == reports[1].phases


@pytest.mark.parametrize("layout", [Layout((16, 64), (64, 1)), Layout((64, 16), (1, 64))])
@pytest.mark.parametrize(("instruction", "lanes"), [("ldmatrix.x1", 8), ("ldmatrix.x2.trans", 16), ("stmatrix.x4", 32)])
def test_matrices_name_the_next_line_of_memory(layout: Layout, instruction: str, lanes: int) -> None:
    access = by_matrices(layout, instruction, get("sm_90"), element_bits=16)
    found = touched(access)
    assert access.kind == ("store" if instruction.startswith("st") else "load")
    assert all(len(matrices) == lanes for matrices in found)
    for matrices in found:
        for start in range(0, lanes, 8):
            lines = [layout(vector[0]) for vector in matrices[start : start + 8]]
            assert [b - a for a, b in pairwise(lines)] == [64] * 7
    assert sorted(layout(i) for m in found for v in m for i in v) == list(range(1024))


def test_a_swizzle_changes_no_walk() -> None:
    tile = Layout((8, 64), (64, 1))
    swizzled = ComposedLayout(Swizzle(3, 3, 3), 0, tile)
    for order in ("rows", "columns"):
        one, other = (walking(layout, order, 16, element_bits=16, threads=32) for layout in (tile, swizzled))
        assert one == other


@pytest.mark.parametrize(
    ("layout", "order", "width", "bits", "error", "words"),
    [
        (Layout((8, 64), (64, 1)), "diagonals", 16, 16, UsageError, "rows or columns, not 'diagonals'"),
        (Layout((8, 64), (64, 1)), "rows", 1, 16, UsageError, "no whole number of 16-bit elements"),
        (Layout((8, 60), (60, 1)), "rows", 16, 16, UsageError, "do not fill rows of 60 elements"),
        (Layout((60, 8), (1, 60)), "rows", 16, 16, UsageError, "do not fill columns of 60 elements"),
        (Layout((5, 64), (64, 1)), "rows", 16, 16, UsageError, "no whole number of instructions of 32 threads"),
        (Layout((8, 64), (term(1, "laneid"), 1)), "rows", 16, 16, LayoutError, "no static layout"),
        (3, "rows", 16, 16, LayoutError, "no static layout"),
    ],
)
def test_what_does_not_fit_is_refused(
    layout: Layout, order: str, width: int, bits: int, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        bank_conflicts(
            layout, walking(layout, order, width, element_bits=bits, threads=32).thread_value, element_bits=bits
        )


def test_matrices_need_eight_lines() -> None:
    with pytest.raises(UsageError, match="the tile has 12 lines"):
        by_matrices(Layout((12, 64), (64, 1)), "ldmatrix.x4", get("sm_90"), element_bits=16)
    with pytest.raises(UsageError, match="an instruction of nvidia"):
        by_matrices(Layout((8, 64), (64, 1)), "ldmatrix.x4", get("gfx942"), element_bits=16)
