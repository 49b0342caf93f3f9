"""Where a thread's item lies in the order of a block's items, and items from one order to another by shared memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tilewright.lang.core.numerics.numeric import Numeric, as_numeric
from tilewright.lang.fly.cooperative.specs import stored
from tilewright.lang.fly.functions.gpu import barrier
from tilewright.lang.fly.kernels import current_kernel
from tilewright.lang.fly.storage import Array


def blocked(thread: Numeric, count: int, threads: int) -> list[Numeric]:
    """A thread's items follow each other."""
    return [as_numeric(thread * count + item) for item in range(count)]


def striped(thread: Numeric, count: int, threads: int) -> list[Numeric]:
    """Item i of all threads, then item i + 1."""
    return [as_numeric(thread + item * threads) for item in range(count)]


def warp_striped(thread: Numeric, count: int, threads: int) -> list[Numeric]:
    """Striped within each warp, whose items follow those of the warp before."""
    lanes = min(current_kernel().lanes, threads)
    lane = thread % lanes
    return [as_numeric((thread - lane) * count + lane + item * lanes) for item in range(count)]


Order = Callable[[Numeric, int, int], list[Numeric]]


def moved(
    items: Sequence[Numeric],
    to: Sequence[Numeric],
    wanted: Sequence[Numeric],
    storage: Array,
    valid: Sequence[object] | None = None,
) -> list[Numeric]:
    """The items at the wanted places, where each thread's go to places of all; what is not valid goes nowhere."""
    for item, at, here in zip(items, to, valid or [None] * len(items), strict=True):
        stored(storage, at, item, here)
    barrier()
    return [type(items[0])(storage[at]) for at in wanted]
