"""Who acts, as a person names it: a thread, or what goes on by itself for one."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tilewright.targets.launch import Launch
from tilewright.targets.simulator.agents.transfers import Transfer
from tilewright.targets.simulator.order.clocks import Clocks


@dataclass(frozen=True, eq=False)
class Names:
    """The names of actors; of engines those from `products` on work at products, the others deliver copies.

    It holds nobody who holds it: what blocks have needed is free again as soon as they are done.
    """

    launch: Launch
    clocks: Clocks
    products: int
    delivered: dict[tuple[int, int], Transfer] = field(default_factory=dict)  # the last, by row and engine

    def __call__(self, actor: int) -> str:
        """`block (x,y,z) thread (x,y,z)`, or what an engine is."""
        clocks, launch = self.clocks, self.launch
        block, inside = divmod(actor, clocks.width)
        engine, of = inside - clocks.warps * clocks.lanes, f"block {_triple(block, launch.grid)}"
        if engine < 0:
            return f"{of} thread {_triple(inside, launch.block)}"
        if engine >= self.products:
            return f"a product of {of}"
        begun = self._beginner(block, engine)
        return f"a copy of {of if begun is None else self(begun)}"

    def _beginner(self, block: int, engine: int) -> int | None:
        """Who began the copy that an engine has last delivered; None where nobody knows, or lanes' own are meant."""
        for row in np.flatnonzero(self.clocks.blocks == block).tolist():
            transfer = self.delivered.get((row, engine))
            if transfer is not None and transfer.barrier is not None:
                return int(transfer.actor[np.argmax(transfer.barrier[1] == row)])
        return None


def _triple(number: int, extents: tuple[int, int, int]) -> str:
    x, y, _ = extents
    return f"({number % x},{number // x % y},{number // (x * y)})"
