"""Several reductions of a warp at once: number i is of what the lanes have as item i."""

from __future__ import annotations

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.numeric import Numeric, as_numeric
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.cooperative.items import Items, Join, chosen, items_of, lane_of, width_of
from tilewright.lang.fly.cooperative.warps import warp_reduce

__all__ = ["warp_reduce_batched", "warp_reduce_batched_to_blocked", "warp_reduce_batched_to_striped"]


def _reduced(value: Items, op: Join, width: int) -> list[Numeric]:
    return [warp_reduce(item, op, width=width) for item in items_of(value)]


def warp_reduce_batched(
    value: Items, op: Join, *, width: int | None = None, sync_physical_warp: bool = False
) -> Numeric:
    """Item i of all lanes joined, which lane i of the group has; others' results say nothing.

    Args:
        value: as many items as the group has lanes, or fewer.
        op: a `ReductionOp`, or an associative function of two numbers.
        width: lanes of a group.
        sync_physical_warp: changes nothing here.

    Raises:
        KernelError: more items than lanes.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.warp_reduce_batched([i, 10 * i], fx.ReductionOp.ADD, width=4), 4)[:2]
    [6, 60]
    """
    size = width_of(width)
    found = _reduced(value, op, size)
    if len(found) > size:
        raise KernelError(f"{len(found)} batches for {size} lanes; take warp_reduce_batched_to_blocked or _to_striped")
    return chosen(lane_of(size), found)


def warp_reduce_batched_to_blocked(
    value: Items, op: Join, *, width: int | None = None, sync_physical_warp: bool = False
) -> Vector:
    """Item i of all lanes joined; each lane has the next n / width of the n results, in their order.

    Args:
        value: a lane's items.
        op: a `ReductionOp`, or an associative function of two numbers.
        width: lanes of a group.
        sync_physical_warp: changes nothing here.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> def sums(i):
    ...     return fx.coop.warp_reduce_batched_to_blocked([i, 10 * i, 1, 2], fx.ReductionOp.ADD, width=2)
    >>> per_thread(sums, 2)
    [(1, 10), (2, 4)]
    """
    size = width_of(width)
    found = _reduced(value, op, size)
    each, lane = -(-len(found) // size), lane_of(size)
    return Vector.from_elements([chosen(as_numeric(lane * each + slot), found) for slot in range(each)])


def warp_reduce_batched_to_striped(
    value: Items, op: Join, *, width: int | None = None, sync_physical_warp: bool = False
) -> Vector:
    """Item i of all lanes joined; lane l has results l, l + width, l + 2 width and so on.

    Args:
        value: a lane's items.
        op: a `ReductionOp`, or an associative function of two numbers.
        width: lanes of a group.
        sync_physical_warp: changes nothing here.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> def sums(i):
    ...     return fx.coop.warp_reduce_batched_to_striped([i, 10 * i, 1, 2], fx.ReductionOp.ADD, width=2)
    >>> per_thread(sums, 2)
    [(1, 2), (10, 4)]
    """
    size = width_of(width)
    found = _reduced(value, op, size)
    each, lane = -(-len(found) // size), lane_of(size)
    return Vector.from_elements([chosen(as_numeric(lane + slot * size), found) for slot in range(each)])
