"""`fx.coop`: reductions and scans of what the lanes of a warp, or the threads of a block, have."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from math import prod
from types import FunctionType
from typing import ClassVar, TypeAlias, cast

from tilewright.errors import KernelError, shown
from tilewright.lang.core import constructs
from tilewright.lang.core.numerics.numeric import DTypeOf, Numeric, NumericLike, as_numeric, numeric_type
from tilewright.lang.core.numerics.types import Int32
from tilewright.lang.core.numerics.vector import ReductionOp
from tilewright.lang.core.rewrite.functions import rewritten
from tilewright.lang.fly.functions import arith
from tilewright.lang.fly.functions.gpu import barrier, block_dim, shuffle_idx, shuffle_up, shuffle_xor, thread_idx
from tilewright.lang.fly.kernels import current_kernel
from tilewright.lang.fly.storage import Array, ArrayType
from tilewright.lang.fly.values.base import expect

Join: TypeAlias = "ReductionOp | Callable[[Numeric, Numeric], object]"
_JOINS: dict[ReductionOp, Callable[[Numeric, Numeric], object]] = {
    ReductionOp.ADD: lambda a, b: a + b,
    ReductionOp.MUL: lambda a, b: a * b,
    ReductionOp.MAX: lambda a, b: arith.max(a, b),
    ReductionOp.MIN: lambda a, b: arith.min(a, b),
}


def _joined(op: Join, a: Numeric, b: Numeric) -> Numeric:
    if isinstance(op, ReductionOp):
        return as_numeric(_JOINS[op](a, b))
    made = constructs.call(op)
    if not callable(made):
        raise KernelError(f"op is a fx.ReductionOp or a function of two numbers, got {shown(op)}")
    found = as_numeric(made(a, b))
    if found.dtype is not a.dtype:
        raise KernelError(f"op gives {found.dtype} for two {a.dtype}s; convert it with .to(fx.{a.dtype})")
    return found


def _selected(condition: object, yes: Numeric, no: Numeric) -> Numeric:
    return as_numeric(as_numeric(condition).select(yes, no))


def _thread() -> Numeric:
    """The thread's number in its block."""
    (x, y, z), sizes = thread_idx, current_kernel().block
    if sizes is not None and sizes[1] * sizes[2] == 1:
        return x
    return as_numeric(x + block_dim.x * (y + block_dim.y * z))


def _width(width: int | None) -> int:
    lanes = current_kernel().lanes
    if width is None:
        return lanes
    if not isinstance(width, int) or not 1 <= width <= lanes or width & (width - 1):
        raise KernelError(f"a width is a power of two up to the warp's {lanes} lanes, got {shown(width)}")
    return width


def warp_reduce(value: NumericLike, op: Join, *, width: int | None = None) -> Numeric:
    """All lanes' values joined, in the order of the lanes; each lane of a group of `width` has the result.

    Raises:
        KernelError: `width` is no power of two up to the warp's lanes, or `op` changes the type.
    """
    found, size, lane = as_numeric(value), _width(width), _thread()
    step = 1
    while step < size:
        other = expect(shuffle_xor(found, step, size), Numeric, "a lane's number")
        if isinstance(op, ReductionOp):
            found = _joined(op, found, other)
        else:
            upper = (lane & step) != 0
            found = _joined(op, _selected(upper, other, found), _selected(upper, found, other))
        step *= 2
    return found


def warp_scan_with_aggregate(
    value: NumericLike, op: Join, *, width: int | None = None, init: NumericLike | None = None
) -> tuple[Numeric, Numeric, Numeric]:
    """What lanes up to this one have joined, what those before have, and what all of the group have, without `init`.

    Args:
        init: is joined before the first lane's value. Without one the first lane has nothing before it: 0 for a sum,
            1 for a product, the least or largest number for a maximum or minimum; its own value for a function.
    """
    own, size = as_numeric(value), _width(width)
    lane = as_numeric(_thread() % size)
    found, step = own, 1
    while step < size:
        before = expect(shuffle_up(found, step, size), Numeric, "a lane's number")
        found = _selected(lane >= step, _joined(op, before, found), found)
        step *= 2
    total = expect(shuffle_idx(found, size - 1, size), Numeric, "a lane's number")
    before = expect(shuffle_up(found, 1, size), Numeric, "a lane's number") if size > 1 else found
    if init is None:
        first = _identity(op, own)
        return found, _selected(lane == 0, first, before), total
    start = type(own)(init) if isinstance(init, int | float) else as_numeric(init)
    return _joined(op, start, found), _selected(lane == 0, start, _joined(op, start, before)), total


def _identity(op: Join, like: Numeric) -> Numeric:
    if not isinstance(op, ReductionOp):
        return like
    if op in (ReductionOp.ADD, ReductionOp.MUL):
        return type(like)(int(op is ReductionOp.MUL))
    element, least = like.number.element, op is ReductionOp.MAX
    if element.is_float:
        return type(like)(float("-inf") if least else float("inf"))
    half = 1 << element.bits - (element.kind == "int")
    low = -half if element.kind == "int" else 0
    return type(like)(low if least else half - 1)


def warp_scan(
    value: NumericLike, op: Join, *, width: int | None = None, init: NumericLike | None = None
) -> tuple[Numeric, Numeric]:
    """What lanes up to this one have joined, and what those before it have."""
    inclusive, exclusive, _ = warp_scan_with_aggregate(value, op, width=width, init=init)
    return inclusive, exclusive


def warp_inclusive_scan(
    value: NumericLike, op: Join, *, width: int | None = None, init: NumericLike | None = None
) -> Numeric:
    """What lanes up to this one have joined."""
    return warp_scan(value, op, width=width, init=init)[0]


def warp_exclusive_scan(
    value: NumericLike, op: Join, *, width: int | None = None, init: NumericLike | None = None
) -> Numeric:
    """What lanes before this one have joined."""
    return warp_scan(value, op, width=width, init=init)[1]


class BlockReduceAlgorithm(Enum):
    """How a block reduces: all do the same here."""

    WARP_REDUCTIONS = "warp_reductions"
    RAKING = "raking"
    RAKING_COMMUTATIVE_ONLY = "raking_commutative_only"


class BlockScanAlgorithm(Enum):
    """How a block scans: all do the same here."""

    WARP_SCANS = "warp_scans"
    RAKING = "raking"
    RAKING_MEMOIZE = "raking_memoize"


class _Block:
    """For a type and a number of threads; `SharedStorage` is what a call of it takes as `storage`.

    Before the storage is used again there is a barrier: the caller's.
    """

    dtype: ClassVar[type[Numeric]]
    threads: ClassVar[int]
    SharedStorage: ClassVar[ArrayType]

    @classmethod
    def _partials(cls, value: Numeric, storage: Array) -> list[Numeric]:
        """What the last lane of each warp has, for all threads to see."""
        if value.dtype is not cls.dtype:
            raise KernelError(f"{cls.__name__} is of {cls.dtype}, got {value.dtype}")
        block, lanes = current_kernel().block, current_kernel().lanes
        if block is not None and prod(block) != cls.threads:
            raise KernelError(f"{cls.__name__} is of {cls.threads} threads, and the block has {prod(block)}")
        if cls.threads % lanes:
            raise KernelError(f"{cls.threads} threads are no whole number of warps of {lanes} lanes")
        thread = _thread()
        rewritten(cast(FunctionType, _kept), constructs)(storage, thread // lanes, thread % lanes == lanes - 1, value)
        barrier()
        return [as_numeric(storage[i]) for i in range(cls.threads // lanes)]


def _kept(storage: Array, at: Numeric, last: bool, value: Numeric) -> None:
    if last:
        storage[at] = value


def _specialised(base: type[_Block], given: tuple[object, ...]) -> dict[str, object]:
    if not 2 <= len(given) <= 3:
        raise KernelError(f"{base.__name__}[dtype, block_size, algorithm], got {shown(given)}")
    dtype, size = numeric_type(given[0]), given[1]
    sizes = size if isinstance(size, tuple | list) else (size,)
    if not all(isinstance(n, int) and 1 <= n <= 1024 for n in sizes) or prod(sizes) > 1024:
        raise KernelError(f"a block has 1 to 1024 threads, got {shown(size)}")
    return {"dtype": dtype, "threads": prod(sizes), "SharedStorage": ArrayType(dtype, max(1, prod(sizes) // 32), None)}


class BlockReduce(_Block):
    """`BlockReduce[dtype, block_size, algorithm](value, op, storage=..)`: all threads' values joined, for each thread.

    Within a kernel: `storage = fx.SharedAllocator().allocate(BlockReduce[..].SharedStorage).peek()`.
    """

    def __class_getitem__(cls, given: tuple[DTypeOf, object] | tuple[DTypeOf, object, object]) -> type[BlockReduce]:
        return type(cls.__name__, (cls,), _specialised(cls, given))

    def __new__(cls, value: NumericLike, op: Join, *, storage: Array) -> Numeric:  # type: ignore[misc]  # as FlyDSL's
        """The result, which each thread has."""
        parts = cls._partials(warp_reduce(value, op), storage)
        found = parts[0]
        for part in parts[1:]:
            found = _joined(op, found, part)
        return found


class BlockScan(_Block):
    """`BlockScan[dtype, block_size, algorithm]`: what threads up to each one, or before it, have joined."""

    def __class_getitem__(cls, given: tuple[DTypeOf, object] | tuple[DTypeOf, object, object]) -> type[BlockScan]:
        return type(cls.__name__, (cls,), _specialised(cls, given))

    @classmethod
    def _scanned(
        cls, value: NumericLike, op: Join, storage: Array, init: NumericLike | None
    ) -> tuple[Numeric, Numeric, Numeric]:
        inclusive, exclusive, _ = warp_scan_with_aggregate(value, op)
        parts = cls._partials(inclusive, storage)
        lanes = current_kernel().lanes
        wave, first = Int32(_thread() // lanes), as_numeric(_thread() % lanes) == 0
        start = None if init is None else type(inclusive)(init)
        prefix, total = start, parts[0]
        found = inclusive if start is None else _joined(op, start, inclusive)
        before = exclusive if start is None else _selected(first, start, _joined(op, start, exclusive))
        for number, part in enumerate(parts[:-1]):
            prefix = part if prefix is None else _joined(op, prefix, part)
            here = wave == number + 1
            found = _selected(here, _joined(op, prefix, inclusive), found)
            before = _selected(here, _selected(first, prefix, _joined(op, prefix, exclusive)), before)
            total = _joined(op, total, parts[number + 1])
        return found, before, total

    @classmethod
    def inclusive(cls, value: NumericLike, op: Join, *, storage: Array, init: NumericLike | None = None) -> Numeric:
        """What threads up to this one have joined."""
        return cls._scanned(value, op, storage, init)[0]

    @classmethod
    def exclusive(cls, value: NumericLike, op: Join, *, storage: Array, init: NumericLike | None = None) -> Numeric:
        """What threads before this one have joined."""
        return cls._scanned(value, op, storage, init)[1]

    @classmethod
    def inclusive_with_aggregate(
        cls, value: NumericLike, op: Join, *, storage: Array, init: NumericLike | None = None
    ) -> tuple[Numeric, Numeric]:
        """What threads up to this one have joined, and what all have, without `init`."""
        found, _, total = cls._scanned(value, op, storage, init)
        return found, total

    @classmethod
    def exclusive_with_aggregate(
        cls, value: NumericLike, op: Join, *, storage: Array, init: NumericLike | None = None
    ) -> tuple[Numeric, Numeric]:
        """What threads before this one have joined, and what all have, without `init`."""
        _, found, total = cls._scanned(value, op, storage, init)
        return found, total
