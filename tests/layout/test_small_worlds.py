"""Small worlds: a seeded part of them here, all of them in the fuzz."""

from __future__ import annotations

import random

import pytest
from small_worlds import judge_binary, judge_unary, pair, swizzles, unary

from tilewright import LayoutError, Swizzle

UNARY, PAIRS = 2_500, 7_000


def test_operations_of_one_layout() -> None:
    world = random.Random(2002).sample(list(unary()), UNARY)
    assert [complaint for a in world if (complaint := judge_unary(a))] == []


def test_operations_of_two_layouts() -> None:
    world = map(pair, random.Random(2003).sample(range(1_774_224), PAIRS))
    assert [complaint for a, b in world if (complaint := judge_binary(a, b))] == []


def test_every_small_swizzle_permutes_each_block_and_undoes_itself() -> None:
    for s in swizzles():
        for start in (0, 3 * s.block):
            block = range(start, start + s.block)
            values = [s(x) for x in block] if s.block <= 1 << 10 else [s(x) for x in block[:: s.block >> 10]]
            assert [s(v) for v in values] == list(block if s.block <= 1 << 10 else block[:: s.block >> 10])
            assert all(v in block for v in values)


MALFORMED = [(2, 0, 1), (1, 0, 0), (-1, 0, 3), (1, -1, 3), (3, 4, 60), (1.0, 0, 3), (True, 0, 3)]


@pytest.mark.parametrize("fields", MALFORMED)
def test_malformed_swizzles_are_refused(fields: tuple[int, int, int]) -> None:
    with pytest.raises(LayoutError):
        Swizzle(*fields)
