"""Law 68: the F2 rank formula equals enumeration on random linear maps, full rank or not."""

from __future__ import annotations

import random

from bank_oracle import cost
from hypothesis import given
from hypothesis import strategies as st

from tilewright.analysis.banks.rank import f2_conflict_free, f2_ways, missing_rank, xor_columns
from tilewright.layout.linear.f2 import apply

MAPS = 2000
maps = st.lists(st.integers(0, 1023), max_size=6).map(tuple)


def words(columns: tuple[int, ...], constant: int = 0) -> list[int]:
    return [apply(columns, lane) ^ constant for lane in range(1 << len(columns))]


def test_ways_equal_enumeration_on_random_maps() -> None:
    rng = random.Random(68)
    for _ in range(MAPS):
        lanes, bits, banks = rng.randrange(7), rng.randrange(1, 12), rng.choice([32, 64])
        columns = tuple(rng.randrange(1 << bits) for _ in range(lanes))
        addresses = [4 * word for word in words(columns, rng.randrange(1 << bits))]
        expected = cost(addresses, range(len(addresses)), 4, banks)
        assert f2_ways(columns, banks) == expected
        assert f2_conflict_free(columns, banks) == (expected == 1)


@given(maps, maps, st.sampled_from([32, 64]))
def test_a_map_of_rank_b_frees_at_most_b(columns: tuple[int, ...], change: tuple[int, ...], banks: int) -> None:
    """Adding a map that leaves the words apart lowers the missing rank by at most its own rank."""
    added = tuple(c ^ (d % banks) for c, d in zip(columns, change, strict=False)) + columns[len(change) :]
    rank = len({0} | {apply(tuple(d % banks for d in change), x) for x in range(1 << len(change))}).bit_length() - 1
    assert missing_rank(added, banks) >= missing_rank(columns, banks) - rank - (words_rank(columns) - words_rank(added))


def words_rank(columns: tuple[int, ...]) -> int:
    return len(set(words(columns))).bit_length() - 1


@given(maps, st.integers(0, 1023))
def test_columns_are_found_again(columns: tuple[int, ...], constant: int) -> None:
    assert xor_columns(words(columns, constant)) == columns


@given(st.lists(st.integers(0, 15), min_size=1, max_size=9))
def test_columns_are_found_only_where_there_are_any(values: list[int]) -> None:
    columns = xor_columns(values)
    linear = len(values) in (1, 2, 4, 8) and all(
        values[i] ^ values[j] ^ values[0] == values[i ^ j] for i in range(len(values)) for j in range(len(values))
    )
    assert (columns is not None) == linear
