"""Whatever the arguments of an analysis or an atom: a value or our own error, within a second."""

from __future__ import annotations

import inspect

import pytest
from hostile import NAMES, complaint
from hostile_costs import FUNCTIONS, call
from strategies import Dice

import tilewright as tw

CALLS = 4_000


def test_any_arguments_give_a_value_or_our_error() -> None:
    assert [complaint for seed in range(CALLS) if (complaint := call(Dice(seed)))] == []


def test_every_public_function_is_among_them() -> None:
    functions = {name for name in tw.__all__ if inspect.isfunction(getattr(tw, name))} - {"explain"}
    assert functions <= {*FUNCTIONS, *NAMES}


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_integers_of_any_length_are_refused_by_our_error(name: str) -> None:
    """5000 digits are more than Python writes."""
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    parameters = [p for p in inspect.signature(FUNCTIONS[name]).parameters.values() if p.kind in kinds]
    required = [p.name for p in parameters if p.default is p.empty]
    for large in (10**300, 10**5000, (10**5000,), [10**5000]):
        for names in (required, [p.name for p in parameters]):
            assert complaint(name, FUNCTIONS[name], [], dict.fromkeys(names, large)) == ""
