"""A block's keys in order."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import ClassVar, Protocol

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.cooperative.digits import bits_of
from tilewright.lang.fly.cooperative.items import Items, Tile, as_given, is_tile, selected
from tilewright.lang.fly.cooperative.order import Before, less_than, paired, ranks
from tilewright.lang.fly.cooperative.places import Order, blocked, moved, striped
from tilewright.lang.fly.cooperative.specs import OfBlock, stored
from tilewright.lang.fly.functions.gpu import barrier
from tilewright.lang.fly.storage import Array

__all__ = [
    "BlockMergeSort",
    "BlockMergeSortAlgorithm",
    "BlockRadixSort",
    "BlockRadixSortAlgorithm",
]


class Pairs(Protocol):
    """Shared memory of a block's keys, and of their values."""

    keys: Array
    values: Array


class BlockMergeSortAlgorithm(Enum):
    """How a block sorts: each key's place is counted.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockMergeSortAlgorithm.Merge.value
    'merge'
    """

    MERGE = "merge"
    Merge = MERGE


class BlockRadixSortAlgorithm(Enum):
    """How a block sorts by bits: each key's place is counted, either way.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockRadixSort[fx.Int32, 64, 2].algorithm.value
    'radix_scan'
    """

    RADIX_SCAN = "radix_scan"
    RADIX_DIGIT = "radix_digit"
    RadixScan, RadixDigit = RADIX_SCAN, RADIX_DIGIT


class Sort(OfBlock):
    """What sorts have: the places of keys, and what is moved there."""

    pairs = True
    SharedStorage: ClassVar[type[Pairs]]

    @classmethod
    def ranked(
        cls, keys: Sequence[Numeric], given: Order, storage: Pairs, before: Before, valid: NumericLike | None = None
    ) -> list[Numeric]:
        """The place of each of the thread's keys among all; keys that are equal stay in the order of before."""
        at = given(cls.thread(), cls.items_per_thread, cls.block_threads)
        for place, key in zip(at, keys, strict=True):
            stored(storage.keys, place, key, None)
        barrier()
        count = cls.block_threads * cls.items_per_thread
        own = list(zip(keys, at, strict=True))
        found = ranks(own, lambda number: [(cls.dtype(storage.keys[number]), number)], count, before, valid)
        barrier()
        return found

    @classmethod
    def placed(
        cls,
        keys: Items,
        values: Items | None,
        to: Sequence[Numeric],
        order: Order,
        storage: Pairs,
    ) -> Tile | tuple[Tile, Tile]:
        """The keys, and the values, which a thread has when each went to its place."""
        wanted, own = order(cls.thread(), cls.items_per_thread, cls.block_threads), cls.items(keys)
        found = as_given(moved(own, to, wanted, storage.keys), keys)
        more = cls.payload(own, values)
        if more is None:
            return found
        return found, as_given(moved(more, to, wanted, storage.values), values)

    @classmethod
    def payload(cls, keys: Sequence[Numeric], values: Items | None) -> Sequence[Numeric] | None:
        """The values of the keys.

        Raises:
            KernelError: the operation is of keys alone.
        """
        if values is None:
            return None
        if cls.value_dtype is None:
            raise KernelError(f"{cls.__name__} is of keys alone; say {cls.__name__}[(key, value), threads, items]")
        return paired(keys, cls.items(values, cls.value_dtype))


class BlockMergeSort(Sort):
    """`BlockMergeSort[dtype or (key, value), block_size, items]`: keys in order, equal ones in that of before.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number, or of keys
            alone there are values.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockMergeSort[fx.Int32, 4, 2]
    >>> def ordered(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     return op([i, 7 - i], storage=room)
    >>> per_thread(ordered, 4)
    [(0, 1), (2, 3), (4, 5), (6, 7)]
    """

    algorithms: ClassVar[type[Enum] | None] = BlockMergeSortAlgorithm

    def __new__(  # type: ignore[misc]  # gives numbers, as FlyDSL's
        cls,
        keys: Items,
        values: Items | None = None,
        *,
        storage: Pairs,
        descending: bool = False,
        compare_op: object = None,
        valid_items: NumericLike | None = None,
        oob_default: NumericLike | None = None,
    ) -> Tile | tuple[Tile, Tile]:
        """The block's keys in order, a thread's following each other; and their values.

        Args:
            keys: a thread's keys.
            values: as many, which go with their keys.
            storage: of `SharedStorage`.
            descending: the largest come first.
            compare_op: whether a key comes before another; `<` unless said.
            valid_items: so many of the block's keys count; others stay behind them.
            oob_default: a key in place of others.
        """
        own = cls.items(keys)
        if valid_items is not None and oob_default is not None:
            at = blocked(cls.thread(), len(own), cls.block_threads)
            own = [selected(i < valid_items, key, cls.dtype(oob_default)) for i, key in zip(at, own, strict=True)]
        found = cls.ranked(own, blocked, storage, less_than(compare_op, descending), valid_items)
        given = Vector.from_elements(own) if is_tile(keys) else own[0]
        return cls.placed(given, values, found, blocked, storage)

    sort = classmethod(__new__)
    stable_sort = sort


class BlockRadixSort(Sort):
    """`BlockRadixSort[dtype or (key, value), block_size, items]`: keys in the order of their bits, as of numbers.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number, or of keys
            alone there are values.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockRadixSort[(fx.Int32, fx.Int32), 4, 1]
    >>> def ordered(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     return op(-i, 10 * i, storage=room)
    >>> per_thread(ordered, 4)
    [(-3, 30), (-2, 20), (-1, 10), (0, 0)]
    """

    algorithms: ClassVar[type[Enum] | None] = BlockRadixSortAlgorithm

    def __new__(  # type: ignore[misc]  # gives numbers, as FlyDSL's
        cls,
        keys: Items,
        values: Items | None = None,
        *,
        storage: Pairs,
        descending: bool = False,
        begin_bit: int = 0,
        end_bit: int | None = None,
        decomposer: object = None,
        radix_bits: int | None = None,
        blocked_to_striped: bool = False,
    ) -> Tile | tuple[Tile, Tile]:
        """The block's keys in order, equal ones in that of before, a thread's following each other; and their values.

        Args:
            keys: a thread's keys; -0.0 is 0.0, NaNs have the order of their bits.
            values: as many, which go with their keys.
            storage: of `SharedStorage`.
            descending: the largest come first.
            begin_bit: the lowest bit that counts, of the keys' order as unsigned numbers.
            end_bit: the bit behind the highest that counts.
            decomposer: gives a key's numbers, of which the first decides, then the second and so on.
            radix_bits: changes nothing here.
            blocked_to_striped: item i of all threads come before item i + 1.
        """
        bits = bits_of(cls.dtype, decomposer, begin_bit, end_bit)
        before = less_than(lambda a, b: bits(a) < bits(b), descending)
        found = cls.ranked(cls.items(keys), blocked, storage, before)
        return cls.placed(keys, values, found, striped if blocked_to_striped else blocked, storage)

    @classmethod
    def sort_blocked_to_striped(
        cls,
        keys: Items,
        values: Items | None = None,
        *,
        storage: Pairs,
        descending: bool = False,
        begin_bit: int = 0,
        end_bit: int | None = None,
        decomposer: object = None,
        radix_bits: int | None = None,
    ) -> Tile | tuple[Tile, Tile]:
        """The same, with item i of all threads before item i + 1."""
        return cls(
            keys,
            values,
            storage=storage,
            descending=descending,
            begin_bit=begin_bit,
            end_bit=end_bit,
            decomposer=decomposer,
            blocked_to_striped=True,
        )
