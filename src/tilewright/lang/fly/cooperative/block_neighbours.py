"""What a block's items have beside them: shifts, differences, and where runs begin and end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import partial
from inspect import signature
from typing import ClassVar

from tilewright.lang.core.numerics.numeric import DTypeOf, Numeric, NumericLike, as_numeric, numeric_type
from tilewright.lang.core.numerics.types import Int32
from tilewright.lang.core.numerics.vector import ReductionOp
from tilewright.lang.fly.cooperative.block_moves import Keys
from tilewright.lang.fly.cooperative.items import Items, Join, Tile, as_given, called, joined, selected
from tilewright.lang.fly.cooperative.places import blocked
from tilewright.lang.fly.cooperative.specs import OfBlock, fields, loaded, stored
from tilewright.lang.fly.functions.gpu import barrier
from tilewright.lang.fly.storage import Array

__all__ = ["BlockAdjacentDifference", "BlockDiscontinuity", "BlockShuffle", "BlockShuffleAlgorithm"]


class BlockShuffleAlgorithm(Enum):
    """By what a block shuffles.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockShuffleAlgorithm.SharedMemory.value
    'shared_memory'
    """

    SHARED_MEMORY = "shared_memory"
    SharedMemory = SHARED_MEMORY


class _Beside(OfBlock):
    tiled = False
    SharedStorage: ClassVar[type[Keys]]
    algorithms: ClassVar[type[Enum] | None] = BlockShuffleAlgorithm

    @classmethod
    def _storage(cls, kinds: list[object], threads: int, items: int) -> object:
        """The type of the memory: the first and the last item of each thread."""
        return fields(keys=(kinds[0], 2 * threads))

    @classmethod
    def ends(cls, items: Sequence[Numeric], storage: Keys) -> tuple[Array, Numeric]:
        """Shared memory with the first and then the last item of each thread, and the thread's number."""
        thread = cls.thread()
        stored(storage.keys, thread, items[0], None)
        stored(storage.keys, as_numeric(thread + cls.block_threads), items[-1], None)
        barrier()
        return storage.keys, thread

    @classmethod
    def lefts(cls, items: Sequence[Numeric], ends: tuple[Array, Numeric], edge: Numeric) -> list[Numeric]:
        """The item before each one; before the block's first, the edge."""
        array, thread = ends
        return [loaded(array, as_numeric(thread + cls.block_threads - 1), thread > 0, edge), *items[:-1]]

    @classmethod
    def rights(cls, items: Sequence[Numeric], ends: tuple[Array, Numeric], edge: Numeric) -> list[Numeric]:
        """The item behind each one; behind the block's last, the edge."""
        array, thread = ends
        return [*items[1:], loaded(array, as_numeric(thread + 1), thread < cls.block_threads - 1, edge)]


class BlockShuffle(_Beside):
    """`BlockShuffle[dtype, block_size]`: what other threads of the block have.

    Of its methods `value` is a thread's number, or its items, which follow each other; `storage` of `SharedStorage`.
    `predecessor` is before the block's first item and `successor` behind its last: without it that has itself there.
    With `return_suffix` or `return_prefix` the block's last or first item is given too.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockShuffle[fx.Int32, 4]
    >>> def turned(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     return op.rotate(i, 1, storage=room)
    >>> per_thread(turned, 4)
    [1, 2, 3, 0]
    """

    @classmethod
    def offset(
        cls, value: NumericLike, distance: NumericLike = 1, *, storage: Keys, fill: NumericLike | None = None
    ) -> Numeric:
        """What the thread has that is `distance` further; without such a one the fill, or the own."""
        own = cls.dtype(value)
        array, thread = cls.ends([own], storage)
        there = as_numeric(thread + distance)
        other = own if fill is None else cls.dtype(fill)
        return loaded(array, there, (there >= 0) & (there < cls.block_threads), other)

    @classmethod
    def rotate(cls, value: NumericLike, distance: NumericLike = 1, *, storage: Keys) -> Numeric:
        """What the thread has that is `distance` further, around the block's end."""
        array, thread = cls.ends([cls.dtype(value)], storage)
        step = as_numeric(as_numeric(distance) % cls.block_threads)
        return cls.dtype(array[(thread + step + cls.block_threads) % cls.block_threads])

    @classmethod
    def up(
        cls, value: Items, *, storage: Keys, predecessor: NumericLike | None = None, return_suffix: bool = False
    ) -> Tile | tuple[Tile, Numeric]:
        """The item before each one, and the block's last one where it is wanted."""
        items = cls.items(value)
        ends = cls.ends(items, storage)
        edge = items[0] if predecessor is None else cls.dtype(predecessor)
        found = as_given(cls.lefts(items, ends, edge), value)
        return (found, cls.dtype(ends[0][2 * cls.block_threads - 1])) if return_suffix else found

    @classmethod
    def down(
        cls, value: Items, *, storage: Keys, successor: NumericLike | None = None, return_prefix: bool = False
    ) -> Tile | tuple[Tile, Numeric]:
        """The item behind each one, and the block's first one where it is wanted."""
        items = cls.items(value)
        ends = cls.ends(items, storage)
        edge = items[-1] if successor is None else cls.dtype(successor)
        found = as_given(cls.rights(items, ends, edge), value)
        return (found, cls.dtype(ends[0][0])) if return_prefix else found


def _minus(a: Numeric, b: Numeric) -> object:
    return a - b


def _different(a: Numeric, b: Numeric) -> object:
    return a != b


class BlockAdjacentDifference(BlockShuffle):
    """`BlockAdjacentDifference[dtype, block_size]`: each item and the one beside it, by an operation.

    Of its methods `value` is a thread's items, `op` a `ReductionOp` or a function of an item and the one beside it,
    a difference unless said, `storage` of `SharedStorage`, `predecessor` before the block's first item, `successor`
    behind its last, `valid_items` how many of the block's items count, and `output_dtype` the type of the results.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockAdjacentDifference[fx.Int32, 4]
    >>> def steps(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     return op.subtract_left(i * i, storage=room, predecessor=-5)
    >>> per_thread(steps, 4)
    [5, 1, 3, 5]
    """

    @classmethod
    def subtract_left(
        cls,
        value: Items,
        op: Join = _minus,
        *,
        storage: Keys,
        predecessor: NumericLike | None = None,
        valid_items: NumericLike | None = None,
        output_dtype: DTypeOf | None = None,
    ) -> Tile:
        """`op(item, the one before)`; the block's first stays without a predecessor, others than valid ones too."""
        items = cls.items(value)
        edge = None if predecessor is None else cls.dtype(predecessor)
        others = cls.lefts(items, cls.ends(items, storage), items[0] if edge is None else edge)
        at = blocked(cls.thread(), len(items), cls.block_threads)
        keep = [at[0] == 0, *[None] * (len(items) - 1)] if edge is None else [None] * len(items)
        return _differences(op, value, items, others, at, keep, valid_items, output_dtype)

    @classmethod
    def subtract_right(
        cls,
        value: Items,
        op: Join = _minus,
        *,
        storage: Keys,
        successor: NumericLike | None = None,
        valid_items: NumericLike | None = None,
        output_dtype: DTypeOf | None = None,
    ) -> Tile:
        """`op(item, the one behind)`; the last valid one stays without a successor, others than valid ones too."""
        items = cls.items(value)
        last = as_numeric(cls.block_threads * len(items) if valid_items is None else valid_items)
        others = cls.rights(items, cls.ends(items, storage), items[-1])
        at = blocked(cls.thread(), len(items), cls.block_threads)
        ends = [as_numeric(place == last - 1) for place in at]
        if successor is not None:
            others = [selected(end, cls.dtype(successor), x) for end, x in zip(ends, others, strict=True)]
        keep: list[object] = [None] * len(items) if successor is not None else list(ends)
        return _differences(op, value, items, others, at, keep, valid_items, output_dtype)

    @classmethod
    def subtract_left_partial_tile(
        cls,
        value: Items,
        valid_items: NumericLike,
        op: Join = _minus,
        *,
        storage: Keys,
        predecessor: NumericLike | None = None,
        output_dtype: DTypeOf | None = None,
    ) -> Tile:
        """See `subtract_left`."""
        made = partial(cls.subtract_left, storage=storage, predecessor=predecessor, output_dtype=output_dtype)
        return made(value, op, valid_items=valid_items)

    @classmethod
    def subtract_right_partial_tile(
        cls,
        value: Items,
        valid_items: NumericLike,
        op: Join = _minus,
        *,
        storage: Keys,
        successor: NumericLike | None = None,
        output_dtype: DTypeOf | None = None,
    ) -> Tile:
        """See `subtract_right`."""
        made = partial(cls.subtract_right, storage=storage, successor=successor, output_dtype=output_dtype)
        return made(value, op, valid_items=valid_items)


def _differences(
    op: Join,
    like: Items,
    items: Sequence[Numeric],
    others: Sequence[Numeric],
    at: Sequence[Numeric],
    keep: Sequence[object],
    valid: NumericLike | None,
    dtype: DTypeOf | None,
) -> Tile:
    kind = items[0].dtype if dtype is None else numeric_type(dtype)
    found = []
    for item, other, place, kept in zip(items, others, at, keep, strict=True):
        own = joined(op, item, other) if isinstance(op, ReductionOp) else as_numeric(called(op)(item, other))
        result, stays = kind(own), kind(item)
        if kept is not None:
            result = selected(kept, stays, result)
        found.append(result if valid is None else selected(place < valid, result, stays))
    return as_given(found, like)


class BlockDiscontinuity(BlockShuffle):
    """`BlockDiscontinuity[dtype, block_size]`: flags of items that begin or end a run.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockDiscontinuity[fx.Int32, 4]
    >>> def heads(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     return op.flag_heads(i // 2, storage=room)
    >>> per_thread(heads, 4)
    [1, 0, 1, 0]
    """

    @classmethod
    def flag_heads(
        cls,
        value: Items,
        flag_op: Callable[..., object] = _different,
        *,
        storage: Keys,
        predecessor: NumericLike | None = None,
        return_predecessors: bool = False,
    ) -> Tile | tuple[Tile, Tile]:
        """1 for items other than the one before; for the block's first one too, without a predecessor.

        Args:
            value: a thread's items.
            flag_op: of an item and the next, and of the next's place where it takes three.
            storage: of `SharedStorage`.
            predecessor: the item before the block's first.
            return_predecessors: gives what is before each item too; before the first, the block's last.
        """
        heads, before = cls._heads(value, flag_op, cls.ends(cls.items(value), storage), predecessor)
        return (heads, before) if return_predecessors else heads

    @classmethod
    def flag_tails(
        cls,
        value: Items,
        flag_op: Callable[..., object] = _different,
        *,
        storage: Keys,
        successor: NumericLike | None = None,
    ) -> Tile:
        """1 for items other than the one behind; for the block's last one too, without a successor."""
        return cls._tails(value, flag_op, cls.ends(cls.items(value), storage), successor)

    @classmethod
    def flag_heads_and_tails(
        cls,
        value: Items,
        flag_op: Callable[..., object] = _different,
        *,
        storage: Keys,
        predecessor: NumericLike | None = None,
        successor: NumericLike | None = None,
        return_predecessors: bool = False,
    ) -> tuple[Tile, ...]:
        """Both of an item's flags."""
        ends = cls.ends(cls.items(value), storage)
        heads, before = cls._heads(value, flag_op, ends, predecessor)
        tails = cls._tails(value, flag_op, ends, successor)
        return (heads, tails, before) if return_predecessors else (heads, tails)

    @classmethod
    def _heads(
        cls,
        value: Items,
        flag_op: Callable[..., object],
        ends: tuple[Array, Numeric],
        predecessor: NumericLike | None,
    ) -> tuple[Tile, Tile]:
        items, at = cls.items(value), cls._at(value)
        edge = cls.dtype(ends[0][2 * cls.block_threads - 1] if predecessor is None else predecessor)
        before = cls.lefts(items, ends, edge)
        flags = [_flag(flag_op, a, b, place) for a, b, place in zip(before, items, at, strict=True)]
        if predecessor is None:
            flags[0] = selected(at[0] == 0, Int32(1), flags[0])
        return as_given(flags, value), as_given(before, value)

    @classmethod
    def _tails(
        cls,
        value: Items,
        flag_op: Callable[..., object],
        ends: tuple[Array, Numeric],
        successor: NumericLike | None,
    ) -> Tile:
        items, at = cls.items(value), cls._at(value)
        behind = cls.rights(items, ends, cls.dtype(items[-1] if successor is None else successor))
        flags = [_flag(flag_op, a, b, place + 1) for a, b, place in zip(items, behind, at, strict=True)]
        if successor is None:
            flags[-1] = selected(at[-1] == cls.block_threads * len(items) - 1, Int32(1), flags[-1])
        return as_given(flags, value)

    @classmethod
    def _at(cls, value: Items) -> list[Numeric]:
        return blocked(cls.thread(), len(cls.items(value)), cls.block_threads)


def _flag(flag_op: Callable[..., object], left: Numeric, right: Numeric, at: object) -> Numeric:
    own = called(flag_op)
    given = (left, right, at) if len(signature(flag_op).parameters) > 2 else (left, right)
    return as_numeric(as_numeric(own(*given)) != 0).to(Int32)
