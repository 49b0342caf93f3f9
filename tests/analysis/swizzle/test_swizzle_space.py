"""The space of swizzles worth trying: nothing outside it changes a count, and nothing in it is left out."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import Dice
from swizzle_cases import every_swizzle, verdict

from tilewright import Access, Layout, Swizzle, suggest_swizzle
from tilewright.analysis.banks.rank import missing_rank
from tilewright.analysis.banks.rule import wavefronts_at
from tilewright.analysis.swizzle.space import Space
from tilewright.tirx.layout import S, TileLayout

TILES = 350
TOP = 11
BYTES_IN_LINE = 7


def test_enumeration_of_every_swizzle_never_beats_the_advice() -> None:
    found = [verdict(Dice(seed)) for seed in range(TILES)]
    assert [complaint for _, complaint in found if complaint] == []
    assert len({kind for kind, _ in found}) == 7, "every kind of answer occurs"


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
def test_a_step_that_is_not_of_use_changes_no_count(width: int) -> None:
    """In bytes: every single step that keeps vectors whole, on random accesses."""
    least = width.bit_length() - 1
    space = Space(least, 2, (BYTES_IN_LINE,), TOP)
    rows = np.random.default_rng(width).integers(0, 1 << TOP - least, (40, 32)) << least
    plain = wavefronts_at(rows, width, merge=False)
    for source, target in product(range(least, TOP), repeat=2):
        if source != target and not space.of_use(source, target):
            step = Swizzle(1, min(source, target), source - target)
            assert (wavefronts_at(step(rows), width, merge=False) == plain).all()


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
def test_every_step_of_use_changes_some_count(width: int) -> None:
    """Two lanes that differ in the bits of the step and in one bit more tell."""
    least = width.bit_length() - 1
    space = Space(least, 2, (BYTES_IN_LINE,), TOP)
    for source, target in product(range(TOP), repeat=2):
        if source != target and space.of_use(source, target):
            step = Swizzle(1, min(source, target), source - target)
            pairs = [[0, 1 << source], [0, 1 << source | 1 << target], [0, 1 << source | 1 << BYTES_IN_LINE]]
            counts = [wavefronts_at([pair, list(map(step, pair))], width, merge=False).tolist() for pair in pairs]
            assert any(before != after for before, after in counts)


@pytest.mark.parametrize(
    ("least", "word", "lines"), [(0, 2, (7,)), (1, 1, (6,)), (0, 0, (4, 5)), (2, 3, (8, 9)), (3, 0, (3,))]
)
def test_the_space_is_every_swizzle_of_steps_of_use(least: int, word: int, lines: tuple[int, ...]) -> None:
    space = Space(least, word, lines, TOP)

    def steps(swizzle: Swizzle) -> list[tuple[int, int]]:
        source, target = swizzle.yyy_mask.bit_length(), swizzle.zzz_mask.bit_length()
        return [(source - 1 - k, target - 1 - k) for k in range(swizzle.b)]

    found = list(space.swizzles())
    assert len(found) == len(set(found))
    assert set(found) == {s for s in every_swizzle(TOP) if s.b and all(space.of_use(*step) for step in steps(s))}
    assert max((s.b for s in found), default=0) <= space.most_bits


@given(st.lists(st.integers(0, 4095), max_size=5), st.integers(0, 3), st.integers(1, 6), st.booleans())
def test_a_swizzle_of_b_bits_closes_the_gap_of_ranks_by_at_most_b(
    columns: list[int], base: int, bits: int, upward: bool
) -> None:
    """Of word addresses of bytes: sub-word bits, banks and lines alike."""
    swizzle = Swizzle(bits, base, -bits if upward else bits)
    gap = missing_rank([column >> 2 for column in columns], 32)
    assert missing_rank([swizzle(column) >> 2 for column in columns], 32) >= gap - bits


def test_bits_inside_a_word_free_scalars_with_fewer_bits() -> None:
    halves = suggest_swizzle(Layout((8, 64), (129, 128)), [Access(Layout((8, 1), (5, 0)))], element_bits=16)[0]
    assert (halves.swizzle, halves.conflict_free, halves.alignment_bytes) == (Swizzle(1, 0, -3), True, 32)
    assert "1 swizzle with fewer bits" in halves.proof.text
    bytes_ = suggest_swizzle(Layout((16, 32), (1, 64)), [Access(Layout((31, 1), (17, 0)))], element_bits=8)[0]
    assert (bytes_.swizzle, bytes_.conflict_free) == (Swizzle(2, 0, -4), True)


@pytest.mark.parametrize("bits", [8, 16, 32])
@pytest.mark.parametrize(("rows", "columns"), [(8, 64), (32, 33), (5, 48), (3, 7)])
def test_advice_says_how_far_it_reaches(rows: int, columns: int, bits: int) -> None:
    """A swizzle permutes blocks: of a tile that fills no whole one, elements may come to lie past its end."""
    tile, across = Layout((rows, columns), (columns, 1)), Layout((rows, columns))
    for advice in suggest_swizzle(tile, [Access(across)], element_bits=bits):
        reach = 1 + max(advice.swizzle(offset) for offset in range(rows * columns))
        assert advice.memory_bytes == -(-max(reach, rows * columns) * bits // 8)
        assert advice.bytes_past == advice.memory_bytes - rows * columns * bits // 8
        assert (f"{advice.bytes_past} past the tile's end" in str(advice)) == (advice.bytes_past > 0)


def test_the_reach_of_a_tirx_tile() -> None:
    ranking = suggest_swizzle(TileLayout(S[(3, 40) : (40, 1)]), [Access(Layout((3, 40)))], element_bits=32)
    advice = next(one for one in ranking if one.bytes_past)
    assert advice.memory_bytes == 4 * (1 + max(advice.swizzle(offset) for offset in range(120)))
