"""Views of the same bytes of a block's pool: a memory each, with elements and bounds of its own, and one shadow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.tile.shared import Union, aligned
from tilewright.targets.simulator.agents.engine import Engine
from tilewright.targets.simulator.memory.access import Element
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.pending import Describe, Pending
from tilewright.targets.simulator.order.grained import Grain, GrainedPending, GrainedShadow
from tilewright.targets.simulator.order.shadow import Shadow
from tilewright.targets.simulator.sites import Site

WIDEST = 16  # bytes of an element


def pitch(union: Union) -> int:
    """The bytes from a block's copy to the next one's."""
    return aligned(union.end - union.start, WIDEST)


def views(
    union: Union,
    elements: Sequence[Element],
    blocks: int,
    shadow: Shadow | None,
    agreed: dict[Site, str] | None,
    engine: Engine,
) -> Mapping[Operation, Memory]:
    """The memories of a union's members, of these types of elements; the shadow has an entry for each unit."""
    step = pitch(union)
    data = np.zeros(step * blocks, np.uint8)
    made: list[tuple[Operation, Memory, Grain]] = []
    for one, element in zip(union.members, elements, strict=True):
        begin, size = (one.offset or 0) - union.start, element.itemsize
        grain = Grain(size // union.unit, begin // union.unit)
        whole = data[begin : begin + (len(data) - begin) // size * size].view(element)
        seen = None if shadow is None else GrainedShadow(shadow, grain)
        made.append((one.op, Memory(whole, one.size // size, seen, True, agreed, step=step // size), grain))
    if shadow is not None:
        pending = Pending(step * blocks // union.unit, _describer(engine, made))
        engine.watched.append(pending)
        for _, memory, grain in made:
            memory.pending = GrainedPending(pending, grain)
    return {op: memory for op, memory, _ in made}


def _describer(engine: Engine, made: Sequence[tuple[Operation, Memory, Grain]]) -> Describe:
    def describe(unit: int, kind: str) -> tuple[str, str]:
        found = (
            engine.begun(memory, (unit - grain.first) // grain.count, kind)
            for _, memory, grain in made
            if unit >= grain.first
        )
        return next(told for told in found if told is not None)

    return describe
