"""Every pass of fly keeps what the reference functions say that a function computes."""

from __future__ import annotations

import pytest
from fly_functions import judged


@pytest.mark.parametrize("seeds", [range(10 * i, 10 * i + 10) for i in range(5)], ids=str)
def test_passes_keep_the_function(seeds: range) -> None:
    outcomes = [outcome for seed in seeds for outcome in judged(seed)]
    assert [outcome for outcome in outcomes if outcome.startswith("wrong")] == []
    assert outcomes.count("same") > len(outcomes) // 2
