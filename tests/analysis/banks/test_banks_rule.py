"""Law 67: the vectorised count equals brute enumeration; the published cases come out as published."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from bank_oracle import wavefronts
from bank_patterns import array, random_row

from tilewright.analysis.banks.rule import distinct_start_banks, wavefronts_at
from tilewright.errors import UsageError

PATTERNS = 2000

# (width, byte address of lane t, wavefronts): Nsight Compute on A100, loads.
PUBLISHED: list[tuple[int, Callable[[int], int | None], int]] = [
    (8, lambda t: 8 * t, 2),
    (8, lambda t: 8 * (t // 2), 1),
    (16, lambda t: 64 if t in (15, 16) else None, 2),
    (16, lambda t: 64 if t in (0, 15) else None, 1),
    (16, lambda t: 16 * ((t // 8) * 2 + ((t % 8) // 2) % 2), 2),
    (16, lambda t: 16 * ((t // 8) * 2 + (((t % 8) // 2) % 2 if t < 16 else (t % 8) % 2)), 4),
    (16, lambda t: 16 * ((t // 16) * 4 + (t % 16) // 8 + ((t % 8) // 4) * 8), 4),
    (4, lambda t: 4 * t, 1),
    (4, lambda t: 8 * t, 2),
    (4, lambda t: 128 * t, 32),
    (4, lambda t: 400, 1),
    (1, lambda t: t, 1),
    (2, lambda t: 2 * t, 1),
    (16, lambda t: 16 * t, 4),
    (16, lambda t: 144 * t, 4),
    (16, lambda t: 128 * t, 32),
]


@pytest.mark.parametrize(("width", "address", "expected"), PUBLISHED)
def test_published_cases(width: int, address: Callable[[int], int | None], expected: int) -> None:
    row = [address(t) for t in range(32)]
    assert wavefronts_at(array([row]), width, arch="sm_80").tolist() == [expected]
    assert wavefronts(row, width) == expected


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("kind", ["load", "store"])
@pytest.mark.parametrize("merge", [False, True])
def test_equals_enumeration_on_nvidia(width: int, kind: str, merge: bool) -> None:
    rng = random.Random(width)
    rows = [random_row(rng, 32, width) for _ in range(PATTERNS)]
    got = wavefronts_at(array(rows), width, kind, "sm_90", merge=merge).tolist()
    assert got == [wavefronts(row, width, kind=kind, merge=merge) for row in rows]


@pytest.mark.parametrize("arch", ["gfx942", "gfx950"])
@pytest.mark.parametrize("width", [1, 2, 4, 8, 16])
@pytest.mark.parametrize("kind", ["load", "store"])
def test_equals_enumeration_on_amd(arch: str, width: int, kind: str) -> None:
    rng = random.Random(width)
    rows = [random_row(rng, 64, width) for _ in range(PATTERNS)]
    got = wavefronts_at(array(rows), width, kind, arch).tolist()
    assert got == [wavefronts(row, width, arch, kind) for row in rows]


@pytest.mark.parametrize("instruction", ["ldmatrix", "stmatrix"])
def test_equals_enumeration_on_matrices(instruction: str) -> None:
    rng = random.Random(7)
    rows = [random_row(rng, 32, 16) for _ in range(PATTERNS)]
    got = wavefronts_at(array(rows), 16, arch="sm_90", instruction=instruction).tolist()
    assert got == [wavefronts(row, 16, matrix=instruction) for row in rows]


def test_unaligned_addresses_count_every_word_touched() -> None:
    rng = random.Random(3)
    rows = [[rng.randrange(512) for _ in range(32)] for _ in range(200)]
    assert wavefronts_at(np.array(rows), 8, merge=False).tolist() == [wavefronts(row, 8, merge=False) for row in rows]


def test_batches_keep_their_shape_and_equal_rows_count_alike() -> None:
    rows = np.arange(32) * 8 + 128 * np.arange(6).reshape(2, 3, 1)
    assert wavefronts_at(rows, 4).tolist() == [[2, 2, 2], [2, 2, 2]]
    assert wavefronts_at(rows, 4, active=(np.arange(32) < 16) & (rows >= 0)).tolist() == [[1] * 3] * 2


def test_refusals_carry_the_numbers() -> None:
    with pytest.raises(UsageError, match="33 addresses for a warp of 32"):
        wavefronts_at(np.arange(33), 4)
    with pytest.raises(UsageError, match="1, 2, 4, 8 or 16 bytes per lane, not 3"):
        wavefronts_at(np.arange(32), 3)
    with pytest.raises(UsageError, match="sm_70 has no ldmatrix"):
        wavefronts_at(np.arange(32), 16, arch="sm_70", instruction="ldmatrix")
    with pytest.raises(UsageError, match="float64"):
        wavefronts_at(np.arange(32) * 0.5, 4)


def test_start_banks_know_neither_groups_nor_broadcast() -> None:
    assert distinct_start_banks(range(0, 128, 4))
    assert not distinct_start_banks([0] * 32)
    assert not distinct_start_banks(range(0, 512, 16))
