"""Reductions and scans of what a block's threads have, each thread one item or several."""

from __future__ import annotations

from enum import Enum
from itertools import accumulate
from typing import ClassVar

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.fly.cooperative.items import Items, Join, Tile, as_given, folded, is_tile, joined, selected
from tilewright.lang.fly.cooperative.specs import OfBlock, stored
from tilewright.lang.fly.cooperative.warps import after, warp_reduce, warp_scan_with_aggregate
from tilewright.lang.fly.functions import arith
from tilewright.lang.fly.functions.gpu import barrier
from tilewright.lang.fly.kernels import current_kernel
from tilewright.lang.fly.storage import Array, ArrayType
from tilewright.lang.fly.values.base import expect

__all__ = ["BlockReduce", "BlockReduceAlgorithm", "BlockScan", "BlockScanAlgorithm"]


class BlockReduceAlgorithm(Enum):
    """How a block reduces: all do the same here.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockReduce[fx.Int32, 64, fx.coop.BlockReduceAlgorithm.RAKING].algorithm.value
    'raking'
    """

    WARP_REDUCTIONS = "warp_reductions"
    WARP_REDUCTIONS_NONDETERMINISTIC = "warp_reductions_nondeterministic"
    RAKING = "raking"
    RAKING_COMMUTATIVE_ONLY = "raking_commutative_only"
    WarpReductions, WarpReductionsNondeterministic = WARP_REDUCTIONS, WARP_REDUCTIONS_NONDETERMINISTIC
    Raking, RakingCommutativeOnly = RAKING, RAKING_COMMUTATIVE_ONLY


class BlockScanAlgorithm(Enum):
    """How a block scans: all do the same here.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockScan[fx.Int32, 64, fx.coop.BlockScanAlgorithm.RAKING].algorithm.value
    'raking'
    """

    WARP_SCANS = "warp_scans"
    RAKING = "raking"
    RAKING_MEMOIZE = "raking_memoize"
    WarpScans, Raking, RakingMemoize = WARP_SCANS, RAKING, RAKING_MEMOIZE


class _OfWarps(OfBlock):
    """What the block's warps find is joined through a number of each in shared memory."""

    SharedStorage: ClassVar[type[Array]]

    tiled = False

    @classmethod
    def _storage(cls, kinds: list[object], threads: int, items: int) -> object:
        """An array of a number of each warp."""
        assert isinstance(kinds[0], type)
        return ArrayType(kinds[0], max(1, threads // 32), None)

    @classmethod
    def lanes(cls) -> int:
        """Lanes of a warp, or of the block where it has fewer threads."""
        lanes = min(current_kernel().lanes, cls.block_threads)
        if cls.block_threads % lanes:
            raise KernelError(f"{cls.block_threads} threads are no whole number of warps of {lanes} lanes")
        return lanes

    @classmethod
    def partials(cls, value: Numeric, storage: Array) -> list[Numeric]:
        """What the last lane of each warp has, for all threads to see."""
        thread, lanes = cls.thread(), cls.lanes()
        stored(storage, as_numeric(thread // lanes), value, thread % lanes == lanes - 1)
        barrier()
        return [as_numeric(storage[i]) for i in range(cls.block_threads // lanes)]


class BlockReduce(_OfWarps):
    """`BlockReduce[dtype, block_size, algorithm](value, op, storage=..)`: all threads' values joined, for each thread.

    Within a kernel: `storage = fx.SharedAllocator().allocate(BlockReduce[..].SharedStorage).peek()`.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockReduce[fx.Int32, 64]
    >>> def total(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     return op(i, fx.ReductionOp.ADD, storage=room)
    >>> per_thread(total, 64)[:3]
    [2016, 2016, 2016]
    """

    algorithms: ClassVar[type[Enum] | None] = BlockReduceAlgorithm

    def __new__(  # type: ignore[misc]  # gives a number, as FlyDSL's
        cls,
        value: Items,
        op: Join,
        *,
        storage: Array,
        valid_items: NumericLike | None = None,
        identity: NumericLike | None = None,
    ) -> Numeric:
        """The result, which each thread has.

        Args:
            value: a number, or several: a thread's are joined first.
            op: a `ReductionOp`, or an associative function of two numbers.
            storage: of `SharedStorage`.
            valid_items: so many of the threads count, from the first on.
            identity: the result where none counts.

        Raises:
            KernelError: the block has another number of threads, items are of another type, or `op` changes the type.
        """
        found = folded(op, cls.items(value))
        if valid_items is not None:
            return cls._of_first(found, op, storage, as_numeric(valid_items), identity, is_tile(value))
        return folded(op, cls.partials(warp_reduce(found, op, width=cls.lanes()), storage))

    @classmethod
    def _of_first(
        cls, value: Numeric, op: Join, storage: Array, valid: Numeric, identity: NumericLike | None, several: bool
    ) -> Numeric:
        if several:
            raise KernelError("valid_items counts threads of one number each; join a thread's items first")
        inclusive = expect(scanned(cls, value, op, storage, None)[0], Numeric, "a number")
        barrier()
        last = arith.max(valid - 1, 0)
        stored(storage, as_numeric(valid * 0), inclusive, cls.thread() == last)
        barrier()
        found = as_numeric(storage[0])
        return found if identity is None else selected(valid == 0, cls.dtype(identity), found)


class BlockScan(_OfWarps):
    """`BlockScan[dtype, block_size, algorithm]`: what items up to each one, or before it, have joined.

    Items are in the order of the threads, those of a thread one after the other; a result has as many as were given.
    Of methods alike, `value` is a number or several, `op` a `ReductionOp` or an associative function of two numbers,
    `storage` of `SharedStorage`, and `init` what is joined before the first item. Without it the first item has before
    it the number that changes nothing under a `ReductionOp`, and itself under a function.

    Raises:
        KernelError: the block has another number of threads, items are of another type, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockScan[fx.Int32, 64]
    >>> def sums(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     return op.exclusive(i, fx.ReductionOp.ADD, storage=room)
    >>> per_thread(sums, 64)[:5]
    [0, 0, 1, 3, 6]
    """

    algorithms: ClassVar[type[Enum] | None] = BlockScanAlgorithm

    @classmethod
    def inclusive(cls, value: Items, op: Join, *, storage: Array, init: NumericLike | None = None) -> Tile:
        """What items up to each one have joined."""
        return scanned(cls, value, op, storage, init)[0]

    @classmethod
    def exclusive(cls, value: Items, op: Join, *, storage: Array, init: NumericLike | None = None) -> Tile:
        """What items before each one have joined."""
        return scanned(cls, value, op, storage, init)[1]

    @classmethod
    def inclusive_with_aggregate(
        cls, value: Items, op: Join, *, storage: Array, init: NumericLike | None = None
    ) -> tuple[Tile, Numeric]:
        """What items up to each one have joined, and what all have, without `init`."""
        found, _, total = scanned(cls, value, op, storage, init)
        return found, total

    @classmethod
    def exclusive_with_aggregate(
        cls, value: Items, op: Join, *, storage: Array, init: NumericLike | None = None
    ) -> tuple[Tile, Numeric]:
        """What items before each one have joined, and what all have, without `init`."""
        _, found, total = scanned(cls, value, op, storage, init)
        return found, total


def scanned(
    of: type[_OfWarps], value: Items, op: Join, storage: Array, init: NumericLike | None
) -> tuple[Tile, Tile, Numeric]:
    """What items up to each one have joined, what those before have, and what all of the block have without `init`."""
    local = list(accumulate(of.items(value), lambda a, b: joined(op, a, b)))
    lanes, thread = of.lanes(), of.thread()
    inclusive, exclusive, _ = warp_scan_with_aggregate(local[-1], op, width=lanes)
    parts = of.partials(expect(inclusive, Numeric, "a number"), storage)
    wave, before = thread // lanes, expect(exclusive, Numeric, "a number")
    prefixes = list(accumulate(parts, lambda a, b: joined(op, a, b)))
    for number, prefix in enumerate(prefixes[:-1]):
        here = selected(thread % lanes == 0, prefix, joined(op, prefix, expect(exclusive, Numeric, "a number")))
        before = selected(wave == number + 1, here, before)
    up_to, up_from = after(op, local, before, thread == 0, init)
    return as_given(up_to, value), as_given(up_from, value), prefixes[-1]
