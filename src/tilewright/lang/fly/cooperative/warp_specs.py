"""Operations of a warp's lanes for a type, a width and a number of items."""

from __future__ import annotations

from enum import Enum
from typing import ClassVar

from tilewright.errors import KernelError
from tilewright.lang.core.numerics.numeric import Numeric, NumericLike, as_numeric
from tilewright.lang.core.numerics.vector import Vector
from tilewright.lang.fly.cooperative import batches, lanes, warps
from tilewright.lang.fly.cooperative.items import Items, Join, Tile, as_given, items_of, lane_of, width_of
from tilewright.lang.fly.cooperative.specs import Memory, OfWarp, loaded, stored, within

__all__ = [
    "WarpBitonicSort",
    "WarpExchange",
    "WarpExchangeAlgorithm",
    "WarpLoad",
    "WarpLoadAlgorithm",
    "WarpMergeSort",
    "WarpReduce",
    "WarpReduceBatched",
    "WarpScan",
    "WarpStore",
    "WarpStoreAlgorithm",
]


class WarpExchangeAlgorithm(Enum):
    """By what lanes exchange: by shuffles here, either way.

    >>> import tilewright.expr as fx
    >>> fx.coop.WarpExchangeAlgorithm.Shuffle is fx.coop.WarpExchangeAlgorithm.SHUFFLE
    True
    """

    SHARED = "shared"
    SHUFFLE = "shuffle"
    Shared, Shuffle = SHARED, SHUFFLE


class WarpLoadAlgorithm(Enum):
    """Who reads what: `STRIPED` and `TRANSPOSE` have neighbouring lanes read neighbouring elements.

    >>> import tilewright.expr as fx
    >>> fx.coop.WarpLoadAlgorithm.Striped is fx.coop.WarpLoadAlgorithm.STRIPED
    True
    """

    DIRECT = "direct"
    STRIPED = "striped"
    VECTORIZE = "vectorize"
    TRANSPOSE = "transpose"
    Direct, Striped, Vectorize, Transpose = DIRECT, STRIPED, VECTORIZE, TRANSPOSE


class WarpStoreAlgorithm(Enum):
    """Who writes what: `STRIPED` and `TRANSPOSE` have neighbouring lanes write neighbouring elements.

    >>> import tilewright.expr as fx
    >>> fx.coop.WarpStoreAlgorithm.Striped is fx.coop.WarpStoreAlgorithm.STRIPED
    True
    """

    DIRECT = "direct"
    STRIPED = "striped"
    VECTORIZE = "vectorize"
    TRANSPOSE = "transpose"
    Direct, Striped, Vectorize, Transpose = DIRECT, STRIPED, VECTORIZE, TRANSPOSE


class WarpReduce(OfWarp):
    """`WarpReduce[dtype, width]`: lanes' values joined.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.WarpReduce[fx.Int32, 4].reduce(i, fx.ReductionOp.MAX), 8)
    [3, 3, 3, 3, 7, 7, 7, 7]
    """

    tiled = False

    @classmethod
    def reduce(
        cls, value: Items, op: Join, *, valid_items: NumericLike | None = None, storage: object = None
    ) -> Numeric:
        """See `warp_reduce`."""
        return warps.warp_reduce(_typed(cls, value), op, width=cls.warp_threads, valid_items=valid_items)

    @classmethod
    def head_segmented_reduce(
        cls, value: Items, head_flag: NumericLike, op: Join, *, storage: object = None
    ) -> Numeric:
        """See `warp_head_segmented_reduce`."""
        return warps.warp_head_segmented_reduce(_typed(cls, value), head_flag, op, width=cls.warp_threads)

    @classmethod
    def tail_segmented_reduce(
        cls, value: Items, tail_flag: NumericLike, op: Join, *, storage: object = None
    ) -> Numeric:
        """See `warp_tail_segmented_reduce`."""
        return warps.warp_tail_segmented_reduce(_typed(cls, value), tail_flag, op, width=cls.warp_threads)


class WarpScan(OfWarp):
    """`WarpScan[dtype, width]`: what lanes up to each one have joined.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.WarpScan[fx.Int32, 4].scan(i, fx.ReductionOp.ADD), 4)
    [(0, 0), (1, 0), (3, 1), (6, 3)]
    """

    tiled = False

    @classmethod
    def inclusive_scan(
        cls,
        value: Items,
        op: Join,
        *,
        init: NumericLike | None = None,
        valid_items: NumericLike | None = None,
        storage: object = None,
    ) -> Tile:
        """See `warp_inclusive_scan`."""
        return cls.scan(value, op, init=init, valid_items=valid_items)[0]

    @classmethod
    def exclusive_scan(
        cls,
        value: Items,
        op: Join,
        *,
        init: NumericLike | None = None,
        valid_items: NumericLike | None = None,
        storage: object = None,
    ) -> Tile:
        """See `warp_exclusive_scan`."""
        return cls.scan(value, op, init=init, valid_items=valid_items)[1]

    @classmethod
    def scan(
        cls,
        value: Items,
        op: Join,
        *,
        init: NumericLike | None = None,
        valid_items: NumericLike | None = None,
        storage: object = None,
    ) -> tuple[Tile, Tile]:
        """See `warp_scan`."""
        return cls.scan_with_aggregate(value, op, init=init, valid_items=valid_items)[:2]

    @classmethod
    def scan_with_aggregate(
        cls,
        value: Items,
        op: Join,
        *,
        init: NumericLike | None = None,
        valid_items: NumericLike | None = None,
        storage: object = None,
    ) -> tuple[Tile, Tile, Numeric]:
        """See `warp_scan_with_aggregate`."""
        given = _typed(cls, value)
        return warps.warp_scan_with_aggregate(given, op, width=cls.warp_threads, init=init, valid_items=valid_items)

    @classmethod
    def broadcast(cls, value: Items, source_lane: NumericLike, *, storage: object = None) -> Tile:
        """See `warp_broadcast`."""
        return warps.warp_broadcast(_typed(cls, value), source_lane, width=cls.warp_threads)


class WarpReduceBatched(OfWarp):
    """`WarpReduceBatched[dtype, width, batches]`: item i of all lanes joined.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type. More items
            than lanes, of `reduce`.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.WarpReduceBatched[fx.Int32, 4, 2].reduce([i, 10 * i], fx.ReductionOp.ADD), 4)[:2]
    [6, 60]
    """

    @classmethod
    def reduce(cls, value: Items, op: Join, *, sync_physical_warp: bool = False, storage: object = None) -> Numeric:
        """See `warp_reduce_batched`."""
        return batches.warp_reduce_batched(_typed(cls, value), op, width=cls.warp_threads)

    @classmethod
    def reduce_to_blocked(
        cls, value: Items, op: Join, *, sync_physical_warp: bool = False, storage: object = None
    ) -> Vector:
        """See `warp_reduce_batched_to_blocked`."""
        return batches.warp_reduce_batched_to_blocked(_typed(cls, value), op, width=cls.warp_threads)

    @classmethod
    def reduce_to_striped(
        cls, value: Items, op: Join, *, sync_physical_warp: bool = False, storage: object = None
    ) -> Vector:
        """See `warp_reduce_batched_to_striped`."""
        return batches.warp_reduce_batched_to_striped(_typed(cls, value), op, width=cls.warp_threads)


class WarpExchange(OfWarp):
    """`WarpExchange[dtype, width, items, algorithm]`: a group's items in another order.

    Of its methods `value` is a lane's items, `ranks` where they go, from 0 on; of `storage` there is no need.

    Raises:
        KernelError: items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.WarpExchange[fx.Int32, 4, 2].blocked_to_striped([2 * i, 2 * i + 1]), 4)
    [(0, 4), (1, 5), (2, 6), (3, 7)]
    """

    algorithms: ClassVar[type[Enum] | None] = WarpExchangeAlgorithm

    @classmethod
    def blocked_to_striped(cls, value: Items, *, storage: object = None) -> Tile:
        """Items that follow each other in a lane, as item i of all lanes."""
        return lanes.to_striped(_typed(cls, value), width_of(cls.warp_threads))

    @classmethod
    def striped_to_blocked(cls, value: Items, *, storage: object = None) -> Tile:
        """Item i of all lanes, as items that follow each other in a lane."""
        return lanes.to_blocked(_typed(cls, value), width_of(cls.warp_threads))

    @classmethod
    def scatter_to_striped(cls, value: Items, ranks: Items, *, storage: object = None) -> Tile:
        """Items by their ranks, which are all different, as item i of all lanes."""
        return lanes.scatter_to_striped(_typed(cls, value), ranks, width_of(cls.warp_threads))


class WarpLoad(OfWarp):
    """`WarpLoad[dtype, width, items, algorithm]`: a group's elements of memory.

    Raises:
        KernelError: a default without `valid_items`, or memory of another type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> def loaded(i):
    ...     registers = fx.make_rmem_tensor(8, fx.Int32)
    ...     for j in fx.range_constexpr(8):
    ...         registers[j] = 10 * j
    ...     return fx.coop.WarpLoad[fx.Int32, 4, 2].load(registers, valid_items=7, default=-1)
    >>> per_thread(loaded, 4)
    [(0, 10), (20, 30), (40, 50), (60, -1)]
    """

    algorithms: ClassVar[type[Enum] | None] = WarpLoadAlgorithm

    @classmethod
    def load(
        cls,
        source: Memory,
        *,
        offset: NumericLike = 0,
        valid_items: NumericLike | None = None,
        default: NumericLike | None = None,
        storage: object = None,
    ) -> Vector:
        """Elements from `offset` on: a lane's follow each other; by `STRIPED`, item i of all lanes do.

        Args:
            source: a tensor, an array or a pointer, at the group's first element.
            offset: elements before it.
            valid_items: so many elements are read.
            default: in place of others; 0 unless said.
            storage: none is needed.
        """
        if default is not None and valid_items is None:
            raise KernelError("a default is for elements that are not valid; say valid_items too")
        width, other = width_of(cls.warp_threads), cls.dtype(0 if default is None else default)
        found = [
            loaded(source, as_numeric(offset + at), within(at, valid_items), other)
            for at in _places(cls.algorithm, width, cls.items_per_thread)
        ]
        made = Vector.from_elements(found)
        return Vector(lanes.to_blocked(made, width)) if cls.algorithm is WarpLoadAlgorithm.TRANSPOSE else made


class WarpStore(OfWarp):
    """`WarpStore[dtype, width, items, algorithm]`: a group's elements to memory.

    Raises:
        KernelError: items are of another type or number, or memory of another type.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> def stored(i):
    ...     room = fx.SharedAllocator().allocate(fx.Array[fx.Int32, 8]).peek()
    ...     fx.coop.WarpStore[fx.Int32, 4, 2, fx.coop.WarpStoreAlgorithm.STRIPED].store(room, [i, 10 * i])
    ...     fx.barrier()
    ...     return [room[j] for j in range(8)]
    >>> per_thread(stored, 4)[0]
    (0, 1, 2, 3, 0, 10, 20, 30)
    """

    algorithms: ClassVar[type[Enum] | None] = WarpStoreAlgorithm

    @classmethod
    def store(
        cls,
        destination: Memory,
        value: Items,
        *,
        offset: NumericLike = 0,
        valid_items: NumericLike | None = None,
        storage: object = None,
    ) -> None:
        """Elements from `offset` on: a lane's follow each other; by `STRIPED`, item i of all lanes do.

        Args:
            destination: a tensor, an array or a pointer, at the group's first element.
            value: a lane's items.
            offset: elements before it.
            valid_items: so many elements are written.
            storage: none is needed.
        """
        width, given = width_of(cls.warp_threads), _typed(cls, value)
        if cls.algorithm is WarpStoreAlgorithm.TRANSPOSE:
            given = lanes.to_striped(given, width)
        places = _places(cls.algorithm, width, cls.items_per_thread)
        for at, item in zip(places, items_of(given), strict=True):
            stored(destination, as_numeric(offset + at), item, within(at, valid_items))


class _Sort(OfWarp):
    pairs = True
    stable: ClassVar[bool]

    @classmethod
    def sort(
        cls,
        keys: Items,
        values: Items | None = None,
        *,
        compare_op: object,
        valid_items: NumericLike | None = None,
        storage: object = None,
    ) -> Tile | tuple[Tile, Tile]:
        """See `warp_merge_sort`, or `warp_bitonic_sort`."""
        more = None if values is None else _typed(cls, values, cls.value_dtype)
        order = lanes.warp_merge_sort if cls.stable else lanes.warp_bitonic_sort
        return order(_typed(cls, keys), more, width=cls.warp_threads, compare_op=compare_op, valid_items=valid_items)


class WarpBitonicSort(_Sort):
    """`WarpBitonicSort[dtype or (key, value), width, items]`: a group's keys in order, as item i of all lanes.

    Raises:
        KernelError: items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.WarpBitonicSort[fx.Int32, 4, 2].sort([i, 7 - i], compare_op=lambda a, b: a < b), 4)
    [(0, 4), (1, 5), (2, 6), (3, 7)]
    """

    stable = False


class WarpMergeSort(_Sort):
    """`WarpMergeSort[dtype or (key, value), width, items]`: a group's keys in order, equal ones in that of before.

    Raises:
        KernelError: items are of another type or number.

    >>> import tilewright.expr as fx
    >>> from tilewright.testing import per_thread
    >>> per_thread(lambda i: fx.coop.WarpMergeSort[fx.Int32, 4, 2].sort([i, 7 - i], compare_op=lambda a, b: a < b), 4)
    [(0, 1), (2, 3), (4, 5), (6, 7)]
    """

    stable = True


def _typed(cls: type[OfWarp], value: Items, dtype: type[Numeric] | None = None) -> Tile:
    return as_given(cls.items(value, dtype), value)


def _places(algorithm: Enum | None, width: int, count: int) -> list[Numeric]:
    ordered = getattr(algorithm, "name", "") in ("STRIPED", "TRANSPOSE")
    place = lanes.striped(width) if ordered else lanes.blocked(count)
    return [place(lane_of(width), slot) for slot in range(count)]
