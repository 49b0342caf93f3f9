"""Law 80 for the parsers: any text gives an object or one of our two errors, within a second."""

from __future__ import annotations

import random

from parser_fuzz import GOOD, PARSERS, outcome, strings

COUNT = 20_000


def test_random_and_mutated_texts() -> None:
    rng = random.Random(20261120)
    outcomes = [(words, *outcome(words, rng.choice(PARSERS))) for words in strings(rng, COUNT)]
    assert [(words, what) for words, what, _ in outcomes if what not in GOOD] == []
    assert [(words, seconds) for words, _, seconds in outcomes if seconds > 1] == []
    assert {what for _, what, _ in outcomes} == set(GOOD)
