"""The largest or smallest of a block's keys, and the places that keys have by their digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from typing import ClassVar, cast

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Int32
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.cooperative.block_sorts import Pairs, Sort
from tilewright.lang.fly.cooperative.digits import bits_of, digit
from tilewright.lang.fly.cooperative.items import Items, Tile, as_given, called, repeated, selected
from tilewright.lang.fly.cooperative.order import less_than
from tilewright.lang.fly.cooperative.places import blocked, warp_striped
from tilewright.lang.fly.cooperative.specs import Operations, stored
from tilewright.lang.fly.functions.gpu import barrier

__all__ = ["BlockRadixRank", "BlockRadixRankAlgorithm", "BlockTopK", "BlockTopKAlgorithm"]


class BlockRadixRankAlgorithm(Enum):
    """In which order the keys are given: `BASIC` and `MEMOIZE` blocked, others warp-striped.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockRadixRankAlgorithm.EarlyCounts.value
    'match_early_counts_any'
    """

    BASIC = "basic"
    MEMOIZE = "memoize"
    MATCH = "match"
    MATCH_EARLY_COUNTS_ANY = "match_early_counts_any"
    MATCH_EARLY_COUNTS_ATOMIC_OR = "match_early_counts_atomic_or"
    Basic, Memoize, Match = BASIC, MEMOIZE, MATCH
    MatchEarlyCountsAny, MatchEarlyCountsAtomicOr = MATCH_EARLY_COUNTS_ANY, MATCH_EARLY_COUNTS_ATOMIC_OR
    EARLY_COUNTS, EarlyCounts = MATCH_EARLY_COUNTS_ANY, MATCH_EARLY_COUNTS_ANY


class BlockTopKAlgorithm(Enum):
    """`MERGE` gives the keys in order, `AIR` in the order of before.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockTopK[fx.Int32, 64, 2, fx.coop.BlockTopKAlgorithm.AIR].algorithm.value
    'air'
    """

    MERGE = "merge"
    AIR = "air"
    Merge, Air = MERGE, AIR


class BlockRadixRank(Sort):
    """`BlockRadixRank[dtype, block_size, items, algorithm]`: the places of keys by some of their bits.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockRadixRank[fx.Int32, 4, 1]
    >>> def places(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     return op(i % 2, storage=room)
    >>> per_thread(places, 4)
    [0, 2, 1, 3]
    """

    pairs = False
    algorithms: ClassVar[type[Enum] | None] = BlockRadixRankAlgorithm
    configured_radix_bits: ClassVar[int] = 8

    def __new__(  # type: ignore[misc]  # gives numbers, as FlyDSL's
        cls,
        keys: Items,
        *,
        storage: Pairs,
        descending: bool = False,
        begin_bit: int = 0,
        end_bit: int | None = None,
        digit_extractor: object = None,
        radix_bits: int | None = None,
        count_callback: Callable[[Vector], object] | None = None,
        with_prefix: bool = False,
    ) -> Tile | tuple[Tile, Vector]:
        """The place of each key, from 0 on; equal ones in the order of before.

        Args:
            keys: a thread's keys.
            storage: of `SharedStorage`.
            descending: the largest come first.
            begin_bit: the lowest bit that counts, of the key as it is.
            end_bit: the bit behind the highest that counts.
            digit_extractor: gives the digit of a key, of `radix_bits` bits.
            radix_bits: bits of a digit.
            count_callback: is called with how many keys have each of the thread's digits; algorithms that match only.
            with_prefix: gives the first place of each of the thread's digits too.

        Raises:
            KernelError: a callback of an algorithm that does not match, or more bits than are configured.
        """
        of, size = digit(cls.dtype, digit_extractor, begin_bit, end_bit, radix_bits)
        matches = cls.algorithm not in (BlockRadixRankAlgorithm.BASIC, BlockRadixRankAlgorithm.MEMOIZE)
        if count_callback is not None and not matches:
            raise KernelError(f"{cls.algorithm} counts nothing for a callback; take a MATCH algorithm")
        if (count_callback is not None or with_prefix) and size > cls.configured_radix_bits:
            raise KernelError(f"{size} bits are more than the {cls.configured_radix_bits} configured")
        before = less_than(lambda a, b: of(a) < of(b), descending)
        given = cls.items(keys)
        found = as_given(cls.ranked(given, warp_striped if matches else blocked, storage, before), keys)
        if count_callback is None and not with_prefix:
            return found
        counts, prefix = cls._bins(of, 1 << size, descending, storage)
        if count_callback is not None:
            called(count_callback)(counts)
        return (found, prefix) if with_prefix else found

    rank = classmethod(__new__)

    @classmethod
    def with_radix_bits(cls, radix_bits: int) -> type[BlockRadixRank]:
        """The operation for digits of so many bits at most."""
        if isinstance(radix_bits, bool) or not isinstance(radix_bits, int) or not 1 <= radix_bits <= 30:
            raise KernelError(f"a digit has 1 to 30 bits, got {shown(radix_bits)}")
        made = Operations(cls.__name__, (cls,), {"configured_radix_bits": radix_bits})
        return cast("type[BlockRadixRank]", made)

    @classmethod
    def _bins(
        cls, of: Callable[[Numeric], Numeric], bins: int, descending: bool, storage: Pairs
    ) -> tuple[Vector, Vector]:
        """How many keys have each of the thread's digits, and how many come before them."""
        each, thread = -(-bins // cls.block_threads), cls.thread()
        mine = [as_numeric(thread * each + i) for i in range(each)]

        def counted(found: list[Numeric], number: Int32) -> list[Numeric]:
            seen = of(cls.dtype(storage.keys[number]))
            more = [as_numeric(seen == bin).to(Int32) for bin in mine]
            sooner = [as_numeric(seen > bin if descending else seen < bin).to(Int32) for bin in mine]
            return [as_numeric(a + b) for a, b in zip(found, more + sooner, strict=True)]

        zeros: list[Numeric] = [Int32(0) for _ in range(2 * each)]
        total = repeated(cls.block_threads * cls.items_per_thread, counted, zeros)
        return Vector.from_elements(total[:each]), Vector.from_elements(total[each:])


class BlockTopK(Sort):
    """`BlockTopK[dtype or (key, value), block_size, items, algorithm]`: the largest or smallest k of a block's keys.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockTopK[fx.Int32, 4, 1]
    >>> def largest(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     return op(i * i, 2, storage=room)
    >>> per_thread(largest, 4)
    [(9, 1), (4, 1), (1, 0), (0, 0)]
    """

    algorithms: ClassVar[type[Enum] | None] = BlockTopKAlgorithm

    def __new__(  # type: ignore[misc]  # gives numbers, as FlyDSL's
        cls,
        keys: Items,
        k: NumericLike,
        values: Items | None = None,
        *,
        storage: Pairs,
        largest: bool = True,
        num_valid: NumericLike | None = None,
        compare_op: object = None,
    ) -> tuple[Tile, ...]:
        """The k keys in a block's first places, their values, and which of the thread's places have one.

        Args:
            keys: a thread's keys.
            k: how many of the block.
            values: as many as keys, which go with them.
            storage: of `SharedStorage`.
            largest: the largest; else the smallest.
            num_valid: so many of the block's keys count.
            compare_op: whether a key comes before another in ascending order; of `MERGE` only.

        Raises:
            KernelError: `AIR` with a comparison of the user's.
        """
        air = cls.algorithm is BlockTopKAlgorithm.AIR
        if air and compare_op is not None:
            raise KernelError("BlockTopK by AIR takes the order of numbers; take MERGE for another")
        bits = bits_of(cls.dtype, None, 0, None)
        before = less_than((lambda a, b: bits(a) < bits(b)) if air else compare_op, largest)
        own = cls.items(keys)
        places = cls.ranked(own, blocked, storage, before, num_valid)
        chosen = [as_numeric(place < k) for place in places]
        if air:
            places = cls._compacted(chosen, storage, k)
        found = cls.placed(keys, values, places, blocked, storage)
        at = blocked(cls.thread(), len(own), cls.block_threads)
        valid = as_given([as_numeric(place < k) for place in at], keys)
        return (*(found if isinstance(found, tuple) else (found,)), valid)

    @classmethod
    def _compacted(cls, chosen: Sequence[Numeric], storage: Pairs, k: NumericLike) -> list[Numeric]:
        """The chosen keys' places among the chosen, and behind them those of the others."""
        at = blocked(cls.thread(), len(chosen), cls.block_threads)
        for place, flag in zip(at, chosen, strict=True):
            stored(storage.keys, place, cls.dtype(flag.to(Int32)), None)
        barrier()

        def counted(found: list[Numeric], number: Int32) -> list[Numeric]:
            flag = as_numeric(cls.dtype(storage.keys[number]) != 0)
            return [as_numeric(x + (flag & (number < i)).to(Int32)) for x, i in zip(found, at, strict=True)]

        zeros: list[Numeric] = [Int32(0) for _ in chosen]
        found = repeated(cls.block_threads * len(chosen), counted, zeros)
        barrier()
        return [
            selected(flag, place, as_numeric(as_numeric(k) + i - place))
            for flag, place, i in zip(chosen, found, at, strict=True)
        ]

    @classmethod
    def max_keys(
        cls, keys: Items, k: NumericLike, num_valid: NumericLike | None = None, *, storage: Pairs
    ) -> tuple[Tile, ...]:
        """The k largest keys, and which places have one."""
        return cls(keys, k, storage=storage, num_valid=num_valid)

    @classmethod
    def min_keys(
        cls, keys: Items, k: NumericLike, num_valid: NumericLike | None = None, *, storage: Pairs
    ) -> tuple[Tile, ...]:
        """The k smallest keys, and which places have one."""
        return cls(keys, k, storage=storage, largest=False, num_valid=num_valid)

    @classmethod
    def max_pairs(
        cls, keys: Items, values: Items, k: NumericLike, num_valid: NumericLike | None = None, *, storage: Pairs
    ) -> tuple[Tile, ...]:
        """The k largest keys, their values, and which places have one."""
        return cls(keys, k, values, storage=storage, num_valid=num_valid)

    @classmethod
    def min_pairs(
        cls, keys: Items, values: Items, k: NumericLike, num_valid: NumericLike | None = None, *, storage: Pairs
    ) -> tuple[Tile, ...]:
        """The k smallest keys, their values, and which places have one."""
        return cls(keys, k, values, storage=storage, largest=False, num_valid=num_valid)
