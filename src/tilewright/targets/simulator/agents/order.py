"""Which of those that may go next goes next: the first, or under `schedule="random"` whoever the seed says.

Whatever a schedule may decide is asked of an `Order`: which blocks run together, which warps of them go on, and which
asynchronous work completes. A kernel without races gives the same bits under every order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.func import FuncOp

from tilewright.ir.core.walk import only, operations
from tilewright.ir.tile.ops import PrimitiveOp
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.options import SimOptions

# Warps that must stay together for a primitive of the scope; 0: all of the block.
_SCOPES = {"thread": 1, "warp": 1, "wg": 4, "warpgroup": 4}
PIECES = 8  # at most so many chunks more than are needed


@dataclass(frozen=True)
class Order:
    """The order of a schedule; without dice everything goes in the order in which it is."""

    dice: np.random.Generator | None = None

    @staticmethod
    def of(options: SimOptions) -> Order:
        """The order that the options ask for."""
        return Order(np.random.default_rng(options.seed) if options.schedule == "random" else None)

    @property
    def random(self) -> bool:
        """Is there a choice?"""
        return self.dice is not None

    def among(self, count: int) -> int:
        """Which of so many that are ready goes first.

        >>> Order().among(5)
        0
        """
        return 0 if self.dice is None else int(self.dice.integers(count))

    def all(self, count: int) -> list[int]:
        """So many that are ready, in the order in which they go.

        >>> Order().all(3), sorted(Order.of(SimOptions(schedule="random")).all(3))
        ([0, 1, 2], [0, 1, 2])
        """
        found: list[int] = (np.arange(count) if self.dice is None else self.dice.permutation(count)).tolist()
        return found

    def chunks(self, blocks: int, most: int) -> Iterator[Array]:
        """The numbers of the blocks, in ascending chunks of at most so many.

        >>> [chunk.tolist() for chunk in Order().chunks(5, 2)]
        [[0, 1], [2, 3], [4]]
        """
        size = most
        if self.dice is not None:
            size = min(most, -(-blocks // int(self.dice.integers(1, PIECES + 1))))
        numbers = np.array(self.all(blocks), dtype=np.int64) if self.random else np.arange(blocks, dtype=np.int64)
        for start in range(0, blocks, size):
            yield np.sort(numbers[start : start + size])


def kept_together(func: FuncOp) -> int:
    """How many warps of a block no schedule may part, as an op needs them all at once; 0: all of them.

    The class of an op that several warps execute together says so by `warps_together`.
    """
    ops = operations(func)
    found = [*(_SCOPES.get(op.scope.data, 0) for op in only(ops, PrimitiveOp)), *map(_warps, ops)]
    return 0 if 0 in found else max(found)


def _warps(op: object) -> int:
    return int(getattr(op, "warps_together", 1))
