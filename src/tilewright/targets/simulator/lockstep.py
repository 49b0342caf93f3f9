"""All lanes of some blocks, step by step together, with every access checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from xdsl.ir import Attribute, Operation

from tilewright.errors import BarrierError
from tilewright.ir.tile.types import LOCAL
from tilewright.targets.launch import Launch, where
from tilewright.targets.simulator.arithmetic import numpy_type
from tilewright.targets.simulator.limits import Fuel
from tilewright.targets.simulator.memory import Mask, Memory, Registers
from tilewright.targets.simulator.order.clocks import Clocks, Present
from tilewright.targets.simulator.order.shadow import Shadow
from tilewright.targets.simulator.sites import INACTIVE, Site, Tally

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


@dataclass(eq=False)
class Lockstep:
    """The blocks with these numbers, executed together: lanes of shape (blocks, threads)."""

    launch: Launch
    blocks: Array
    warp_size: int
    tally: Tally
    fuel: Fuel
    clocks: Clocks = field(init=False)
    shared: dict[Operation, Memory] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        threads = np.arange(self.launch.threads, dtype=np.int64)[None]
        self.clocks = Clocks(self.blocks, self.launch.warps(self.warp_size), self.warp_size)
        self.threads = threads
        self.thread = np.ascontiguousarray(self.blocks[:, None] * self.clocks.width + threads)

    @property
    def shape(self) -> tuple[int, int]:
        """Blocks and threads."""
        return len(self.blocks), self.launch.threads

    def apply(self, function: Callable[..., Any], *values: Any) -> Any:
        """The function of the values."""
        return function(*values)

    def decide(self, condition: Any) -> Any:
        """A Python value where all lanes agree by construction, else the array."""
        return condition.item() if np.ndim(condition) == 0 and not isinstance(condition, bool | int) else condition

    def outside(self, value: Any, low: int, high: int, mask: Mask) -> tuple[int, str] | None:
        """The first active lane's value that is not in [low, high), and the name of its thread."""
        found = np.asarray(value)
        wrong = (found < low) | (found >= high)
        if mask is not None:
            wrong = wrong & mask
        if not wrong.any():
            return None
        at = int(np.argmax(np.broadcast_to(wrong, self.shape)))
        return int(np.broadcast_to(found, self.shape).flat[at]), self.name(int(self.thread.flat[at]))

    def thread_id(self, axis: int) -> Any:
        """The lanes' thread coordinate, of shape (1, threads); an integer where there is only one."""
        return coordinate(self.threads, self.launch.block, axis)

    def block_id(self, axis: int) -> Any:
        """The lanes' block coordinate, of shape (blocks, 1); an integer where there is only one."""
        return coordinate(self.blocks[:, None], self.launch.grid, axis)

    def allocate(self, op: Operation, element: Attribute, size: int, space: str) -> Memory | Registers:
        """The op's buffer, nothing in it written."""
        dtype, (blocks, threads) = numpy_type(element), self.shape
        if space == LOCAL:
            self.fuel.allocate(size * blocks * threads * dtype.itemsize)
            return Registers(self, size, dtype)
        if op not in self.shared:
            self.fuel.allocate(size * blocks * dtype.itemsize)
            offset = np.arange(blocks, dtype=np.int64)[:, None] * size
            shadow = Shadow(size * blocks, self.clocks.width, apart=True)
            self.shared[op] = Memory(self, np.zeros(size * blocks, dtype), size, offset, shadow, given=False)
        self.shared[op].forget()
        return self.shared[op]

    def barrier(self, op: Operation, scope: str, mask: Mask) -> None:
        """The threads of each warp or block meet; none of them may be missing."""
        groups = None if mask is None else self._groups(op, scope, mask)
        meet = self.clocks.meet_warps if scope == "warp" else self.clocks.meet_blocks
        meet(groups)

    def _groups(self, op: Operation, scope: str, mask: Array) -> Array:
        """Which warps of (blocks, warps), or which blocks, take part: with all their threads."""
        size = self.warp_size if scope == "warp" else self.launch.threads
        starts = np.arange(0, self.launch.threads, size)
        some, all_ = np.logical_or.reduceat(mask, starts, axis=1), np.logical_and.reduceat(mask, starts, axis=1)
        torn = some & ~all_
        if torn.any():
            block, group = (int(at[0]) for at in np.nonzero(torn))
            missing = int(starts[group]) + int(np.argmin(mask[block, starts[group] :]))
            name = self.name(int(self.thread[block, missing]))
            raise BarrierError(f"{name} does not reach a barrier of its {scope} that others wait at\n{where(op)}")
        return some if scope == "warp" else some[:, 0]

    def burn(self, steps: int) -> None:
        """Uses up steps of the fuel."""
        self.fuel.burn(steps)

    def lanes(self, mask: Mask) -> Present:
        """The active lanes, flat."""
        return Present(self.clocks, self.thread.reshape(-1) if mask is None else self.thread[mask])

    def name(self, thread: int) -> str:
        """`block (x,y,z) thread (x,y,z)`."""
        block, inside = divmod(thread, self.clocks.width)
        return f"block {_triple(block, self.launch.grid)} thread {_triple(inside, self.launch.block)}"

    def count(self, site: Site, index: Array, mask: Mask) -> None:
        """Adds one access to the tally: that of one block where all are alike."""
        index = index.reshape((1,) * (2 - index.ndim) + index.shape)
        alike = len(index) == 1 and mask is None
        rows = np.broadcast_to(index, (1 if alike else self.shape[0], self.shape[1]))
        self.tally.add(site, rows if mask is None else np.where(mask, rows, INACTIVE), self.shape[0] if alike else 1)


def coordinate(number: Any, extents: tuple[int, int, int], axis: int) -> Any:
    """The coordinate along an axis of numbers that count x fastest; the integer 0 along an axis of one.

    >>> coordinate(np.arange(6), (2, 3, 1), 1).tolist(), coordinate(np.arange(6), (2, 3, 1), 2)
    ([0, 0, 1, 1, 2, 2], 0)
    """
    if extents[axis] == 1:
        return 0
    below = int(np.prod(extents[:axis], dtype=np.int64))
    return number // below % extents[axis]


def _triple(number: int, extents: tuple[int, int, int]) -> str:
    x, y, _ = extents
    return f"({number % x},{number // x % y},{number // (x * y)})"
