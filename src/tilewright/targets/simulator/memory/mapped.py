"""A tensor in global memory, as a tensor map describes it."""

from __future__ import annotations

from dataclasses import dataclass

from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.tensor_map import TensorMap


@dataclass(frozen=True, eq=False)
class Mapped:
    """What a parameter with the annotation `T.TensorMap()` holds."""

    memory: Memory
    map: TensorMap
