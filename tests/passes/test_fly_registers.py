"""A thread's memory after a `fly` program is the same whatever passes it went through."""

from __future__ import annotations

from collections import Counter

import pytest
from fly_machine import memory
from fly_programs import PIPELINES, outcome, parsed, run

SEEDS = range(12)


def test_every_pipeline_computes_the_same() -> None:
    told = Counter[tuple[str, str]]()
    for seed in SEEDS:
        told.update(outcome(seed).items())
    wrong = {what: count for what, count in told.items() if what[1] not in ("same", "refused")}
    assert not wrong
    promoted = told[PIPELINES[-1], "same"]
    assert promoted >= len(SEEDS) * 3 // 4, "registers become vectors where no view lies apart"


@pytest.mark.parametrize("seed", SEEDS[:4])
def test_programs_do_something(seed: int) -> None:
    module = parsed(seed)
    function = module.ops.first
    before = [memory(len(bits), seed + 1000 * i) for i, bits in enumerate(run(module, seed))]
    assert len(before) == len(function.body.block.args)
    assert before != run(module, seed)
    assert run(module, seed) == run(module, seed)
