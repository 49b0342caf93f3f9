"""Random kernels of lanes that tell each other something: the simulator finds what happens-before says."""

from __future__ import annotations

from pathlib import Path

import pytest
from order_check import judged
from order_oracle import World
from order_programs import Program, Statement, drawn

GIVES = Statement("store", 0, memory="A", form="row"), Statement("cta", 0)
TAKES = Statement("cta", 1), Statement("load", 1, memory="A", form="other row")


@pytest.mark.parametrize("seed", [*range(5), 1139, 5206])
def test_the_simulator_agrees_with_the_definition(seed: int, tmp_path: Path) -> None:
    """`tests/fuzz/fuzz_order.py` asks for more."""
    judged(drawn(seed), tmp_path)


@pytest.mark.parametrize(
    ("orders", "scopes", "race"),
    [
        (("release", "acquire"), ("gpu", "gpu"), False),
        (("relaxed", "acquire"), ("gpu", "gpu"), True),
        (("release", "relaxed"), ("gpu", "gpu"), True),
        (("release", "acquire"), ("cta", "gpu"), True),
        (("release", "acquire"), ("gpu", "cta"), True),
    ],
)
def test_the_definition(orders: tuple[str, str], scopes: tuple[str, str], race: bool, tmp_path: Path) -> None:
    """A flag tells of what came before where it releases and acquires, each for the other; and the simulator agrees."""
    add = Statement("add", 0, 0, 0, order=orders[0], scope=scopes[0])
    spin = Statement("spin", 1, 0, 0, order=orders[1], scope=scopes[1])
    program = Program((*GIVES, add, spin, *TAKES))
    assert bool(World(program).run().races) == race
    assert judged(program, tmp_path) == ("race" if race else "right")
