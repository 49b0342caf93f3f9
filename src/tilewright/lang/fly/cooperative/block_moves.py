"""A block's items from one order to another, and between memory and threads."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar, Protocol, cast

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.types import Int32
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.cooperative.items import Items, Tile, as_given, items_of
from tilewright.lang.fly.cooperative.places import Order, blocked, moved, striped, warp_striped
from tilewright.lang.fly.cooperative.specs import Memory, OfBlock, fields, loaded, stored, within
from tilewright.lang.fly.functions.gpu import barrier
from tilewright.lang.fly.storage import Array

__all__ = [
    "BlockExchange",
    "BlockExchangeAlgorithm",
    "BlockLoad",
    "BlockLoadAlgorithm",
    "BlockStore",
    "BlockStoreAlgorithm",
]


class Keys(Protocol):
    """Shared memory of a block's items."""

    keys: Array


class BlockExchangeAlgorithm(Enum):
    """How a block exchanges: all do the same here.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockExchangeAlgorithm.SharedMemory.value
    'shared_memory'
    """

    SHARED_MEMORY = "shared_memory"
    WARP_TIME_SLICING = "warp_time_slicing"
    SharedMemory, WarpTimeSlicing = SHARED_MEMORY, WARP_TIME_SLICING


class BlockLoadAlgorithm(Enum):
    """Who reads what: all but `DIRECT` and `VECTORIZE` have neighbouring threads read neighbouring elements.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockLoad[fx.Int32, 64, 2, fx.coop.BlockLoadAlgorithm.STRIPED].algorithm.value
    'striped'
    """

    DIRECT = "direct"
    STRIPED = "striped"
    VECTORIZE = "vectorize"
    TRANSPOSE = "transpose"
    WARP_TRANSPOSE = "warp_transpose"
    WARP_TRANSPOSE_TIMESLICED = "warp_transpose_timesliced"
    Direct, Striped, Vectorize, Transpose = DIRECT, STRIPED, VECTORIZE, TRANSPOSE
    WarpTranspose, WarpTransposeTimesliced = WARP_TRANSPOSE, WARP_TRANSPOSE_TIMESLICED


class BlockStoreAlgorithm(Enum):
    """Who writes what: all but `DIRECT` and `VECTORIZE` have neighbouring threads write neighbouring elements.

    >>> import tilewright.expr as fx
    >>> fx.coop.BlockStore[fx.Int32, 64, 2, fx.coop.BlockStoreAlgorithm.TRANSPOSE].algorithm.value
    'transpose'
    """

    DIRECT = "direct"
    STRIPED = "striped"
    VECTORIZE = "vectorize"
    TRANSPOSE = "transpose"
    WARP_TRANSPOSE = "warp_transpose"
    WARP_TRANSPOSE_TIMESLICED = "warp_transpose_timesliced"
    Direct, Striped, Vectorize, Transpose = DIRECT, STRIPED, VECTORIZE, TRANSPOSE
    WarpTranspose, WarpTransposeTimesliced = WARP_TRANSPOSE, WARP_TRANSPOSE_TIMESLICED


_ORDERS: dict[str, Order] = {
    "striped": striped,
    "transpose": striped,
    "warp_transpose": warp_striped,
    "warp_transpose_timesliced": warp_striped,
}


class _Tile(OfBlock):
    SharedStorage: ClassVar[type[Keys]]

    @classmethod
    def _storage(cls, kinds: list[object], threads: int, items: int) -> object:
        """The type of the memory: an array of all threads' items."""
        return fields(keys=(kinds[0], threads * items))

    @classmethod
    def at(cls, order: Order) -> list[Numeric]:
        """The thread's places in an order."""
        return order(cls.thread(), cls.items_per_thread, cls.block_threads)


class BlockExchange(_Tile):
    """`BlockExchange[dtype, block_size, items_per_thread, algorithm]`: a block's items in another order.

    Of methods alike, `value` is a thread's items, `ranks` where they go, from 0 on, `is_valid` a flag of each,
    `storage` of `SharedStorage`, and `default` what places have to which no item goes.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockExchange[fx.Int32, 4, 2]
    >>> def striped(i):
    ...     room = fx.SharedAllocator().allocate(op.SharedStorage).peek()
    ...     return op.blocked_to_striped([2 * i, 2 * i + 1], storage=room)
    >>> per_thread(striped, 4)
    [(0, 4), (1, 5), (2, 6), (3, 7)]
    """

    algorithms: ClassVar[type[Enum] | None] = BlockExchangeAlgorithm

    @classmethod
    def _from(cls, value: Items, order: Order, to: Order, storage: Keys) -> Tile:
        return as_given(moved(cls.items(value), cls.at(order), cls.at(to), storage.keys), value)

    @classmethod
    def blocked_to_striped(cls, value: Items, *, storage: Keys) -> Tile:
        """Items that follow each other in a thread, as item i of all threads."""
        return cls._from(value, blocked, striped, storage)

    @classmethod
    def striped_to_blocked(cls, value: Items, *, storage: Keys) -> Tile:
        """Item i of all threads, as items that follow each other in a thread."""
        return cls._from(value, striped, blocked, storage)

    @classmethod
    def blocked_to_warp_striped(cls, value: Items, *, storage: Keys) -> Tile:
        """Items that follow each other in a thread, as item i of the threads of each warp."""
        return cls._from(value, blocked, warp_striped, storage)

    @classmethod
    def warp_striped_to_blocked(cls, value: Items, *, storage: Keys) -> Tile:
        """Item i of the threads of each warp, as items that follow each other in a thread."""
        return cls._from(value, warp_striped, blocked, storage)

    @classmethod
    def scatter_to_blocked(cls, value: Items, ranks: Items, *, storage: Keys) -> Tile:
        """Items by their ranks, which are all different."""
        to = items_of(ranks, Int32, cls.items_per_thread)
        return as_given(moved(cls.items(value), to, cls.at(blocked), storage.keys), value)

    @classmethod
    def scatter_to_striped(cls, value: Items, ranks: Items, *, storage: Keys) -> Tile:
        """Items by their ranks, which are all different, as item i of all threads."""
        to = items_of(ranks, Int32, cls.items_per_thread)
        return as_given(moved(cls.items(value), to, cls.at(striped), storage.keys), value)

    @classmethod
    def scatter_to_striped_guarded(cls, value: Items, ranks: Items, *, storage: Keys, default: NumericLike = 0) -> Tile:
        """Items by those of their ranks that lie in the tile; the default where none has the rank."""
        return cls.scatter_to_striped_flagged(
            value, ranks, [1] * cls.items_per_thread, storage=storage, default=default
        )

    @classmethod
    def scatter_to_striped_flagged(
        cls, value: Items, ranks: Items, is_valid: Items, *, storage: Keys, default: NumericLike = 0
    ) -> Tile:
        """Items with a flag other than 0 by those of their ranks that lie in the tile; the default elsewhere."""
        count, items = cls.items_per_thread, cls.items(value)
        to, flags = items_of(ranks, Int32, count), items_of(is_valid, None, count)
        size = cls.block_threads * count
        valid = [
            as_numeric((as_numeric(flag != 0)) & (at >= 0) & (at < size)) for flag, at in zip(flags, to, strict=True)
        ]
        for at in cls.at(striped):
            stored(storage.keys, at, cls.dtype(default), None)
        barrier()
        return as_given(moved(items, to, cls.at(striped), storage.keys, valid), value)


class BlockLoad(_Tile):
    """`BlockLoad[dtype, block_size, items_per_thread, algorithm]`: a block's elements of memory.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockLoad[fx.Int32, 4, 2]
    >>> def loaded(i):
    ...     registers = fx.make_rmem_tensor(8, fx.Int32)
    ...     for j in fx.range_constexpr(8):
    ...         registers[j] = 10 * j
    ...     return op(registers, valid_items=7, default=-1)
    >>> per_thread(loaded, 4)
    [(0, 10), (20, 30), (40, 50), (60, -1)]
    """

    algorithms: ClassVar[type[Enum] | None] = BlockLoadAlgorithm

    def __new__(  # type: ignore[misc]  # gives numbers, as FlyDSL's
        cls,
        source: Memory,
        *,
        storage: object = None,
        offset: NumericLike = 0,
        valid_items: NumericLike | None = None,
        default: NumericLike = 0,
    ) -> Vector:
        """Elements from `offset` on: a thread's follow each other; by `STRIPED`, item i of all threads do.

        Args:
            source: a tensor, an array or a pointer, at the block's first element.
            storage: of `SharedStorage`, for algorithms that transpose.
            offset: elements before it.
            valid_items: so many elements are read.
            default: in place of others.

        Raises:
            KernelError: the algorithm transposes, and there is no storage.
        """
        other = cls.dtype(default)
        places = cls.at(_order(cls.algorithm))
        found = [loaded(source, as_numeric(offset + at), within(at, valid_items), other) for at in places]
        if _transposes(cls.algorithm):
            found = moved(found, places, cls.at(blocked), _keys(cls, storage))
        return Vector.from_elements(found)


class BlockStore(_Tile):
    """`BlockStore[dtype, block_size, items_per_thread, algorithm]`: a block's elements to memory.

    Raises:
        KernelError: the block has another number of threads, or items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> op = fx.coop.BlockStore[fx.Int32, 4, 2, fx.coop.BlockStoreAlgorithm.STRIPED]
    >>> def stored(i):
    ...     room = fx.SharedAllocator().allocate(fx.Array[fx.Int32, 8]).peek()
    ...     op(room, [i, 10 * i])
    ...     fx.barrier()
    ...     return [room[j] for j in range(8)]
    >>> per_thread(stored, 4)[0]
    (0, 1, 2, 3, 0, 10, 20, 30)
    """

    algorithms: ClassVar[type[Enum] | None] = BlockStoreAlgorithm

    def __new__(  # type: ignore[misc]  # gives nothing, as FlyDSL's
        cls,
        destination: Memory,
        value: Items,
        *,
        storage: object = None,
        offset: NumericLike = 0,
        valid_items: NumericLike | None = None,
    ) -> None:
        """Elements from `offset` on: a thread's follow each other; by `STRIPED`, item i of all threads do.

        Args:
            destination: a tensor, an array or a pointer, at the block's first element.
            value: a thread's items.
            storage: of `SharedStorage`, for algorithms that transpose.
            offset: elements before it.
            valid_items: so many elements are written.

        Raises:
            KernelError: the algorithm transposes, and there is no storage.
        """
        items, places = cls.items(value), cls.at(_order(cls.algorithm))
        if _transposes(cls.algorithm):
            items = moved(items, cls.at(blocked), places, _keys(cls, storage))
        for at, item in zip(places, items, strict=True):
            stored(destination, as_numeric(offset + at), item, within(at, valid_items))


def _order(algorithm: Enum | None) -> Order:
    return _ORDERS.get("" if algorithm is None else algorithm.value, blocked)


def _transposes(algorithm: Enum | None) -> bool:
    return algorithm is not None and "transpose" in algorithm.value


def _keys(cls: type[OfBlock], storage: object) -> Array:
    if storage is None:
        raise KernelError(f"{cls.__name__} by {cls.algorithm} takes a storage of {cls.__name__}[..].SharedStorage")
    return cast("Keys", storage).keys
