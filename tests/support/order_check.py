"""The simulator asked for a kernel of `order_programs`, and compared with the oracle."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from control_programs import written
from order_oracle import World
from order_programs import BLOCKS, FLAGS, THREADS, Program

import tilewright as tw
from tilewright.errors import BarrierError, RaceError
from tilewright.runtime.kernel import CompiledKernel

Schedule: TypeAlias = Literal["lockstep", "random"]

_WHO = r"block \((\d),0,0\) thread \((\d+),0,0\)"
_PAIR = re.compile(_WHO + r" \w+ element (\d+) of (\w+) \(byte \d+\), which " + _WHO)


def judged(program: Program, folder: Path, seeds: Sequence[int] = (0,)) -> str:
    """`right` or the kind of fault, on which both agree in lockstep and in the orders of these seeds; or `unsure`.

    Raises:
        AssertionError: they do not agree.
    """
    world = World(program).run()
    if world.unsure:
        return "unsure"
    kernel = tw.compile(written(program.text(), folder))
    orders: list[tuple[Schedule, int]] = [("lockstep", 0), *(("random", seed) for seed in seeds)]
    first, *_ = [_agreed(world, *outcome(kernel, *order), " ".join(map(str, order))) for order in orders]
    return first


def outcome(kernel: CompiledKernel, schedule: Schedule, seed: int) -> tuple[str, str]:
    """What the simulator says in that order, and the text of its error."""
    arrays = np.zeros(BLOCKS * THREADS, np.int32), np.zeros(FLAGS, np.uint32)
    try:
        kernel.simulate(*arrays, schedule=schedule, seed=seed)
    except RaceError as error:
        return "race", str(error)
    except BarrierError as error:
        return "barrier", str(error)
    return "right", ""


def _agreed(world: World, found: str, text: str, order: str) -> str:
    """What was found, which the oracle says too. Where barriers are chance, any fault may be told first."""
    if found == "right":
        assert not world.races, f"{order}: missed a race, {sorted(map(str, world.races))[0]}"
        assert not world.hazards, f"{order}: missed {world.hazards[0]}"
    elif not world.hazards:
        assert found == "race", f"{order}: no fault at a barrier\n{text}"
        assert world.races, f"{order}: no race\n{text}"
        if pair := _PAIR.match(text):
            block, thread, element, memory, other, its = pair.groups()
            who = frozenset((int(block) * THREADS + int(thread), int(other) * THREADS + int(its)))
            assert (memory, int(element), who) in world.races, f"{order}: another race\n{text}"
    return found
