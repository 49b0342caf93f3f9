"""Whatever the arguments of an analysis or an atom: a value or our own error, within a second."""

from __future__ import annotations

from hostile_costs import FUNCTIONS, call
from strategies import Dice

CALLS = 4_000


def test_any_arguments_give_a_value_or_our_error() -> None:
    assert [complaint for seed in range(CALLS) if (complaint := call(Dice(seed)))] == []


def test_every_public_function_is_among_them() -> None:
    assert len(FUNCTIONS) > 80
