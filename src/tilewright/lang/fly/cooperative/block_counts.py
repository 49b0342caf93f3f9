"""How often a block's keys occur, and runs of which the lengths are known."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Protocol

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Int32
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.cooperative.items import Items, branched, items_of, repeated, selected
from tilewright.lang.fly.cooperative.places import blocked, striped
from tilewright.lang.fly.cooperative.specs import OfBlock, fields, loaded, stored
from tilewright.lang.fly.functions.atomics import atomic_add
from tilewright.lang.fly.functions.gpu import barrier
from tilewright.lang.fly.storage import Array

__all__ = ["BlockHistogram", "BlockHistogramAlgorithm", "BlockRunLengthDecode", "BlockRunLengthDecodeAlgorithm"]


class Counts(Protocol):
    """Shared memory of a histogram."""

    counts: Array


class Runs(Protocol):
    """Shared memory of runs: their values and where they begin."""

    values: Array
    starts: Array


class BlockHistogramAlgorithm(Enum):
    """How a block counts: by atomics here, either way.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockHistogram[fx.Int32, 64, 4, fx.coop.BlockHistogramAlgorithm.SORT].algorithm.value
    'sort'
    """

    ATOMIC = "atomic"
    SORT = "sort"
    Atomic, Sort = ATOMIC, SORT


class BlockRunLengthDecodeAlgorithm(Enum):
    """How a block decodes runs.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockRunLengthDecode[fx.Int32, 64, 1].algorithm.value
    'scan'
    """

    SCAN = "scan"
    Scan = SCAN


class BlockHistogram(OfBlock):
    """`BlockHistogram[dtype or (dtype, counter), block_size, bins, algorithm]`: how many keys are 0, 1, 2, ...

    Of its methods `value` is a thread's keys, one or several, and `storage` of `SharedStorage`.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockHistogram[fx.Int32, 8, 3]
    >>> def counts(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     found = op(i % 3, storage=room)
    ...     return [found[bin] for bin in range(3)]
    >>> per_thread(counts, 8)[0]
    (3, 3, 2)
    """

    SharedStorage: ClassVar[type[Counts]]

    pairs = True
    algorithms: ClassVar[type[Enum] | None] = BlockHistogramAlgorithm

    @classmethod
    def _storage(cls, kinds: list[object], threads: int, items: int) -> object:
        """The type of the memory: an array of the counts."""
        return fields(counts=(kinds[1] or Int32, items))

    def __new__(cls, value: Items, *, storage: Counts) -> Array:  # type: ignore[misc]  # gives an array, as FlyDSL's
        """The counts of the block's keys, which all threads see; keys outside the bins count nowhere."""
        cls.init(storage=storage)
        return cls.composite(value, storage=storage)

    @classmethod
    def init(cls, *, storage: Counts) -> None:
        """Sets all counts to 0."""
        bins, thread = cls.items_per_thread, cls.thread()
        for at in striped(thread, -(-bins // cls.block_threads), cls.block_threads):
            stored(storage.counts, at, (cls.value_dtype or Int32)(0), at < bins)
        barrier()

    @classmethod
    def composite(cls, value: Items, *, storage: Counts) -> Array:
        """Adds the block's keys to the counts."""
        cls.thread()
        for item in items_of(value, cls.dtype):
            key = item.to(Int32)
            inside = (key >= 0) & (key < cls.items_per_thread)
            branched(_counted)(inside, storage.counts, key, (cls.value_dtype or Int32)(1))
        barrier()
        return storage.counts


def _counted(inside: object, counts: Array, key: Numeric, one: Numeric) -> None:
    if inside:
        atomic_add(counts.ptr + key, one)


class BlockRunLengthDecode(OfBlock):
    """`BlockRunLengthDecode[dtype or (dtype, offsets), block_size, runs_per_thread]`: the items of runs.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number, or no item
            is decoded.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockRunLengthDecode[fx.Int32, 4, 1]
    >>> def items(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     values, places, total = op(10 * i, i, storage=room, decoded_items_per_thread=2)
    ...     return [*values, total]
    >>> per_thread(items, 4)
    [(10, 20, 6), (20, 30, 6), (30, 30, 6), (0, 0, 6)]
    """

    SharedStorage: ClassVar[type[Runs]]

    pairs = True
    algorithms: ClassVar[type[Enum] | None] = BlockRunLengthDecodeAlgorithm

    @classmethod
    def _storage(cls, kinds: list[object], threads: int, items: int) -> object:
        """The type of the memory: the values of all runs and where they begin."""
        return fields(values=(kinds[0], threads * items), starts=(kinds[1] or Int32, threads * items))

    def __new__(  # type: ignore[misc]  # gives numbers, as FlyDSL's
        cls,
        values: Items,
        lengths: Items,
        *,
        storage: Runs,
        decoded_items_per_thread: int = 1,
        offset: NumericLike = 0,
        default: NumericLike = 0,
    ) -> tuple[Vector, Vector, Numeric]:
        """A thread's items of the runs from `offset` on, their places in their runs, and how many all runs have.

        Args:
            values: of the thread's runs.
            lengths: of the thread's runs; 0 too.
            storage: of `SharedStorage`.
            decoded_items_per_thread: how many items each thread gets.
            offset: items before the first thread's.
            default: behind the last run, where the place is -1.
        """
        runs = cls.init_with_run_lengths(values, lengths, storage=storage)
        return runs.decode(decoded_items_per_thread=decoded_items_per_thread, offset=offset, default=default)

    @classmethod
    def init_with_run_lengths(cls, values: Items, lengths: Items, *, storage: Runs) -> Decoder:
        """Runs by their lengths."""
        kind = cls.value_dtype or Int32
        own, at = cls.items(lengths, kind), blocked(cls.thread(), cls.items_per_thread, cls.block_threads)
        for place, length in zip(at, own, strict=True):
            stored(storage.starts, place, length, None)
        barrier()

        def summed(found: list[Numeric], number: Int32) -> list[Numeric]:
            length = kind(storage.starts[number])
            sums = [as_numeric(x + selected(number < i, length, kind(0))) for x, i in zip(found, at, strict=False)]
            return [*sums, as_numeric(found[-1] + length)]

        count = cls.block_threads * cls.items_per_thread
        *starts, total = repeated(count, summed, [kind(0) for _ in range(len(at) + 1)])
        return Decoder(cls, cls.items(values), starts, total, storage)

    @classmethod
    def init_with_run_offsets(
        cls, values: Items, offsets: Items, *, storage: Runs, total: NumericLike | None = None
    ) -> Decoder:
        """Runs by where they begin, each up to the next; the last up to `total`, or the largest number."""
        kind = cls.value_dtype or Int32
        largest = (1 << (kind.width - (kind.element.kind == "int"))) - 1
        starts = cls.items(offsets, kind)
        return Decoder(cls, cls.items(values), starts, kind(largest if total is None else total), storage)


@dataclass(frozen=True)
class Decoder:
    """Runs that are decoded bit by bit.

    Args:
        kind: the operation.
        values: of the thread's runs.
        starts: where they begin.
        total: behind the last run.
        storage: of the operation's `SharedStorage`.
    """

    kind: type[BlockRunLengthDecode]
    values: list[Numeric]
    starts: list[Numeric]
    total: Numeric
    storage: Runs

    def decode(
        self, *, decoded_items_per_thread: int = 1, offset: NumericLike = 0, default: NumericLike = 0
    ) -> tuple[Vector, Vector, Numeric]:
        """A thread's items from `offset` on, their places in their runs, and where the last run ends."""
        each, kind, storage = decoded_items_per_thread, self.total.dtype, self.storage
        if isinstance(each, bool) or not isinstance(each, int) or each < 1:
            raise KernelError(f"a thread decodes at least one item, got {shown(each)}")
        barrier()
        thread, threads = self.kind.thread(), self.kind.block_threads
        for at, value, start in zip(blocked(thread, len(self.values), threads), self.values, self.starts, strict=True):
            stored(storage.values, at, value, None)
            stored(storage.starts, at, start, None)
        barrier()
        wanted = [as_numeric(kind(offset) + at.to(kind)) for at in blocked(thread, each, threads)]

        def counted(found: list[Numeric], number: Int32) -> list[Numeric]:
            start = kind(storage.starts[number])
            return [as_numeric(x + (start <= at).to(Int32)) for x, at in zip(found, wanted, strict=True)]

        none: list[Numeric] = [Int32(0) for _ in wanted]
        runs = repeated(threads * len(self.values), counted, none)
        inside = [as_numeric((run > 0) & (at < self.total)) for run, at in zip(runs, wanted, strict=True)]
        values, places = [], []
        for run, at, here in zip(runs, wanted, inside, strict=True):
            last = as_numeric(run - 1)
            values.append(loaded(storage.values, last, here, self.kind.dtype(default)))
            places.append(selected(here, at - loaded(storage.starts, last, here, kind(0)), kind(-1)))
        barrier()
        return Vector.from_elements(values), Vector.from_elements(places), self.total

    run_length_decode = decode
