"""What is done for large tiles only, by parts and with equal rows once, gives what is done for small ones."""

from __future__ import annotations

import random

import pytest
from bank_patterns import array, random_row
from cpu import within
from strategies import Dice
from swizzle_cases import case

from tilewright import ComposedLayout, Layout, LayoutError, Swizzle, UsageError, suggest_swizzle
from tilewright.analysis.banks import rule
from tilewright.analysis.banks.rule import count
from tilewright.analysis.model import access
from tilewright.analysis.model.access import elements, vectors_of
from tilewright.analysis.model.vector import _NumpyVectors, _PlainVectors
from tilewright.arch import get
from tilewright.cli.main import main


@pytest.mark.parametrize("seed", range(150))
def test_offsets_by_parts_are_the_offsets(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    one = case(Dice(seed))
    shift = seed % 3 * 16
    tile = ComposedLayout(Swizzle(0, 0, 0), shift, one.tile) if shift else one.tile
    for asked, length in zip(one.accesses, one.lengths, strict=True):
        whole = elements(tile, asked.thread_value)
        with monkeypatch.context() as patch:
            patch.setattr(access, "MANY", 0)
            parts = elements(tile, asked.thread_value)
        assert (parts.threads, parts.values) == (whole.threads, whole.values)
        assert parts.offsets.tolist() == whole.offsets.tolist()
        for n in {1, length}:
            first, together = vectors_of(whole, n)
            assert (vectors_of(parts, n)[0].tolist(), vectors_of(parts, n)[1]) == (first.tolist(), together)


def test_most_tiles_have_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "MANY", 0)
    cases = [case(Dice(seed)) for seed in range(100)]
    found = [elements(one.tile, a.thread_value).by_thread is not None for one in cases for a in one.accesses]
    assert sum(found) > len(found) // 2


def test_a_coordinate_outside_a_large_tile_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access, "MANY", 0)
    with pytest.raises(LayoutError, match="indices 0 to 63"):
        elements(Layout((8, 8)), Layout((8, 9)))


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("merge", [True, False])
def test_equal_rows_counted_once_cost_the_same(width: int, merge: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(width)
    rows = [random_row(rng, 32, width) for _ in range(40)]
    rows += [[None if a is None else a + 4 * width * rng.randrange(40) * k for a in row] for k, row in enumerate(rows)]
    cells, spec = array(rows).reshape(-1), get("sm_90").rule("load", width)
    whole = count(_NumpyVectors(), cells, 32, width, spec, merge)
    monkeypatch.setattr(rule, "MANY_ROWS", 0)
    once = count(_NumpyVectors(), cells, 32, width, spec, merge)
    for name in ("wavefronts", "ideal", "ways"):
        assert getattr(once, name)().tolist() == getattr(whole, name)().tolist()


def test_distinct_rows_rebuild_the_matrix_with_and_without_numpy() -> None:
    rng = random.Random(0)
    for length in (1, 3, 32):
        cells = [rng.choice([-1, 0, 1, 1 << 40]) for _ in range(50 * length)]
        for xp in (_NumpyVectors(), _PlainVectors()):
            rows, which = xp.distinct_rows(xp.vector(cells), length)
            assert xp.rows(rows, length, which).tolist() == cells
            kept = [tuple(rows.tolist()[i : i + length]) for i in range(0, len(rows), length)]
            assert len(set(kept)) == len(kept)


def test_the_largest_tiles_are_answered_or_refused_soon(capsys: pytest.CaptureFixture[str]) -> None:
    with within(1):
        assert main(["banks", "(4096,4096)", "columns 2B", "--dtype", "f16"]) == 2
        assert "give a part of the tile" in capsys.readouterr().err


def test_a_large_tile_gets_the_advice_of_a_small_one() -> None:
    """The rows repeat: 4096 of them need the swizzle that 64 need."""
    best = []
    for rows in (64, 4096):
        lanes = Layout((32, (8, 16, rows // 32)), (1, (rows, 8 * rows, 32)))
        asked = access.Access(lanes, instruction="ldmatrix")
        best.append(suggest_swizzle(Layout((rows, 128), (128, 1)), asked, element_bits=16)[0])
    assert best[0].swizzle == best[1].swizzle
    assert best[1].wavefronts == best[1].ideal == 64 * best[0].ideal


def test_values_above_the_limit_are_refused() -> None:
    with pytest.raises(UsageError, match="the limit is"):
        elements(Layout(1 << 25), Layout(1 << 25))
