"""Advice holds wherever it allows the tile to lie, and repairs nothing that is not broken."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tilewright as tw
from tilewright import Access, Layout, LayoutError, suggest_swizzle
from tilewright.analysis.model.patterns import walking
from tilewright.tirx.layout import ComposeLayout, S, TileLayout

TMA = Access(instruction="tma")


@st.composite
def questions(draw: st.DrawFn) -> tuple[Layout, list[Access], int]:
    """A tile with rows of whole vectors, perhaps padded, and one or two walks over it."""
    bits = draw(st.sampled_from([8, 16, 32]))
    rows, chunks = draw(st.sampled_from([8, 16, 32])), draw(st.sampled_from([1, 2, 4, 5, 8, 9]))
    columns = chunks * 128 // bits
    pitch = columns + draw(st.sampled_from([0, 0, 128 // bits]))
    tile = Layout((rows, columns), (pitch, 1)) if draw(st.booleans()) else Layout((columns, rows), (1, pitch))

    def walk() -> Access:
        order, width = draw(st.sampled_from(["rows", "columns"])), draw(st.sampled_from([4, 8, 16]))
        return walking(tile, order, width, element_bits=bits, threads=8, kind=draw(st.sampled_from(["load", "store"])))

    return tile, [walk() for _ in range(draw(st.integers(1, 2)))], bits


@settings(max_examples=60)
@given(questions(), st.booleans(), st.integers(0, 5))
def test_at_every_address_that_is_advised_the_reports_hold(
    question: tuple[Layout, list[Access], int], with_tma: bool, multiple: int
) -> None:
    tile, accesses, bits = question
    try:
        ranking = suggest_swizzle(tile, [*accesses, *([TMA] if with_tma else [])], element_bits=bits)
    except LayoutError:
        return
    for advice in ranking[:8]:
        for access, known in zip(advice.accesses, advice.reports, strict=True):
            found = tw.bank_conflicts(
                advice.layout,
                access.thread_value,
                element_bits=bits,
                vector_bits=access.vector_bits,
                kind=access.kind,
                base_bytes=multiple * advice.alignment_bytes,
                merge=False,
            )
            assert (found.wavefronts, found.by_instruction) == (known.wavefronts, known.by_instruction)


@pytest.mark.parametrize("instruction", ["ldmatrix.x4", "stmatrix.x4", "cp.async"])
def test_a_tile_without_a_swizzle_is_aligned_to_its_widest_access(instruction: str) -> None:
    kind = "load" if instruction.startswith("ld") else "store"
    rows = Access(Layout((32, 8), (1, 32)), 128, kind, instruction)
    best = suggest_swizzle(Layout((32, 8), (8, 1)), rows, element_bits=16)[0]
    assert (best.swizzle.b, best.alignment_bytes) == (0, 16)
    assert "align the tile to 16 bytes" in str(best)
    assert json.loads(json.dumps(best.to_json()))["alignment_bytes"] == 16


@settings(max_examples=60)
@given(questions())
def test_padding_is_offered_where_the_tile_has_conflicts_and_nowhere_else(
    question: tuple[Layout, list[Access], int],
) -> None:
    tile, accesses, bits = question
    ranking = suggest_swizzle(tile, accesses, element_bits=bits)
    plain = sum(
        tw.bank_conflicts(
            tile, a.thread_value, element_bits=bits, vector_bits=a.vector_bits, kind=a.kind, merge=False
        ).excess
        for a in accesses
    )
    padding = ranking[0].padding
    assert padding is None or plain > 0
    if padding is not None:
        padded = [
            tw.bank_conflicts(
                padding.layout, a.thread_value, element_bits=bits, vector_bits=a.vector_bits, kind=a.kind, merge=False
            )
            for a in accesses
        ]
        assert all(report.conflict_free for report in padded)


def test_a_tile_that_is_padded_already_is_left_alone() -> None:
    matrices = Access(Layout((64, (8, 9)), (1, (64, 512))), instruction="ldmatrix")
    best = suggest_swizzle(Layout((64, 72), (72, 1)), matrices, element_bits=16)[0]
    assert (best.swizzle.b, best.excess, best.padding) == (0, 0, None)


@pytest.mark.parametrize(
    "tile", [TileLayout(S[(8, 64) : (64, 1)]), ComposeLayout(3, 3, 3, TileLayout(S[(8, 64) : (64, 1)]))]
)
@pytest.mark.parametrize("asked", [[], [TMA]])
def test_a_message_names_a_tile_as_it_was_given(tile: TileLayout | ComposeLayout, asked: list[Access]) -> None:
    with pytest.raises(LayoutError, match=r"the tile TileLayout\(S\[\(8, 64\):\(64, 1\)\]\) has the indices 0 to 511"):
        suggest_swizzle(tile, [*asked, Access(Layout((32, 32)))], element_bits=16)
    with pytest.raises(LayoutError, match=r"the tile \(8,64\):\(64,1\) has"):
        suggest_swizzle(Layout((8, 64), (64, 1)), [*asked, Access(Layout((32, 32)))], element_bits=16)
