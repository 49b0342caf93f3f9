"""Operations for a type and a number of threads, `Operation[dtype, threads, items, algorithm]`."""

from __future__ import annotations

from enum import Enum
from math import prod
from typing import ClassVar, Self, TypeVar, cast

from tilewright.errors import KernelError, shown
from tilewright.lang.core.numerics.numeric import DTypeOf, Numeric, NumericLike, as_numeric, numeric_type
from tilewright.lang.fly.composites import STRUCTURES
from tilewright.lang.fly.cooperative.items import Items, branched, items_of, thread_number, width_of
from tilewright.lang.fly.kernels import current_kernel
from tilewright.lang.fly.storage import Array, ArrayType, Empty
from tilewright.lang.fly.values.memory import Pointer, Tensor

Of = TypeVar("Of")


class Operations(type):
    """To type checkers, for whom a subscript of no types is none, an operation for a type is the operation."""

    def __getitem__(cls: type[Of], given: object) -> type[Of]:
        operation = cast("type[Operation]", cls)
        return cast("type[Of]", operation.specialised(given if isinstance(given, tuple) else (given,)))


class Operation(metaclass=Operations):
    """What is known of an operation: the class of it is for one type, so many threads and so many items of each."""

    tiled: ClassVar[bool] = True
    pairs: ClassVar[bool] = False
    algorithms: ClassVar[type[Enum] | None] = None
    dtype: ClassVar[type[Numeric]]
    key_dtype: ClassVar[type[Numeric]]
    value_dtype: ClassVar[type[Numeric] | None] = None
    items_per_thread: ClassVar[int] = 1
    algorithm: ClassVar[Enum | None] = None
    SharedStorage: ClassVar[type[object]] = Empty

    @classmethod
    def specialised(cls, parts: tuple[object, ...]) -> type[Self]:
        """The operation for a type, threads, items of each, and an algorithm."""
        needed = cls.fewest + cls.tiled
        if not needed <= len(parts) <= 2 + cls.tiled + (cls.algorithms is not None):
            words = "dtype, threads" + ", items_per_thread" * cls.tiled + ", algorithm" * (cls.algorithms is not None)
            raise KernelError(f"{cls.__name__}[{words}], got {shown(parts)}")
        return cast("type[Self]", Operations(cls.__name__, (cls,), cls.known(parts)))

    fewest: ClassVar[int] = 2

    @classmethod
    def known(cls, parts: tuple[object, ...]) -> dict[str, object]:
        """The attributes of the operation for what is said."""
        kinds = parts[0] if isinstance(parts[0], tuple) else (parts[0],)
        if len(kinds) > 1 + cls.pairs:
            raise KernelError(f"{cls.__name__} is of one type, got {shown(parts[0])}")
        dtypes = [numeric_type(cast("DTypeOf", kind)) for kind in kinds]
        count = parts[2] if cls.tiled else 1
        if isinstance(count, bool) or not isinstance(count, int) or count < 1:
            raise KernelError(f"{cls.__name__} has at least one item of each thread, got {shown(count)}")
        policy = parts[2 + cls.tiled] if len(parts) > 2 + cls.tiled else None
        if policy is not None and (cls.algorithms is None or not isinstance(policy, cls.algorithms)):
            raise KernelError(f"{cls.__name__} has no algorithm {shown(policy)}")
        default = None if cls.algorithms is None else next(iter(cls.algorithms))
        return {
            "dtype": dtypes[0],
            "key_dtype": dtypes[0],
            "value_dtype": dtypes[1] if len(dtypes) > 1 else None,
            "items_per_thread": count,
            "algorithm": policy or default,
        }

    @classmethod
    def items(cls, value: Items, dtype: type[Numeric] | None = None) -> list[Numeric]:
        """A thread's items, as many as the operation is of."""
        if not hasattr(cls, "dtype"):
            raise KernelError(f"{cls.__name__} is for a type: {cls.__name__}[dtype, threads, ..]")
        return items_of(value, dtype or cls.dtype, cls.items_per_thread if cls.tiled else None)


class OfWarp(Operation):
    """An operation of groups of lanes; it needs no memory."""

    fewest: ClassVar[int] = 1
    warp_threads: ClassVar[int | None] = None

    @classmethod
    def known(cls, parts: tuple[object, ...]) -> dict[str, object]:
        """The attributes of the operation for what is said."""
        width = parts[1] if len(parts) > 1 else None
        return {**super().known(parts), "warp_threads": width_of(cast("int | None", width))}


class OfBlock(Operation):
    """An operation of all threads of a block; `SharedStorage` is what a call of it takes as `storage`.

    Within a kernel: `storage = fx.SharedAllocator().allocate(Operation[..].SharedStorage).peek()`.
    Before the storage is used again there is a barrier: the caller's.
    """

    block_threads: ClassVar[int]
    block_size: ClassVar[tuple[int, int, int]]

    @classmethod
    def known(cls, parts: tuple[object, ...]) -> dict[str, object]:
        """The attributes of the operation for what is said."""
        size = parts[1]
        sizes = tuple(size) if isinstance(size, tuple | list) else (size, 1, 1)
        if len(sizes) != 3 or not all(isinstance(n, int) and 1 <= n <= 1024 for n in sizes) or prod(sizes) > 1024:
            raise KernelError(f"a block has 1 to 1024 threads, got {shown(size)}")
        found = {**super().known(parts), "block_threads": prod(sizes), "block_size": sizes}
        kinds = [found["dtype"], found["value_dtype"]]
        return {**found, "SharedStorage": cls._storage(kinds, prod(sizes), cast("int", found["items_per_thread"]))}

    @classmethod
    def _storage(cls, kinds: list[object], threads: int, items: int) -> object:
        """The type of the memory: an array of all threads' items."""
        return fields(keys=(kinds[0], threads * items), values=(kinds[1], threads * items))

    @classmethod
    def thread(cls) -> Numeric:
        """The thread's number, of as many as the operation is of."""
        block = current_kernel().block
        if block is not None and prod(block) != cls.block_threads:
            raise KernelError(f"{cls.__name__} is of {cls.block_threads} threads, and the block has {prod(block)}")
        return thread_number()


def fields(**arrays: tuple[object, int]) -> object:
    """A structure of arrays; none where there is no type."""
    present = {name: ArrayType(kind, size, None) for name, (kind, size) in arrays.items() if isinstance(kind, type)}
    return STRUCTURES[tuple(slice(name, kind) for name, kind in present.items())]


Memory = Pointer | Array | Tensor
"""What is indexed by elements."""


def loaded(source: Memory, at: Numeric, valid: object, default: Numeric) -> Numeric:
    """An element; the default where it is not valid, which then is not read."""
    if valid is None:
        return default.dtype(source[at])
    return branched(_read)(valid, source, at, default)


def stored(target: Memory, at: Numeric, value: Numeric, valid: object) -> None:
    """Writes an element where it is valid."""
    if valid is None:
        target[at] = value
    else:
        branched(_write)(valid, target, at, value)


def _read(valid: object, source: Memory, at: Numeric, default: Numeric) -> Numeric:
    value = default
    if valid:
        value = default.dtype(source[at])
    return value


def _write(valid: object, target: Memory, at: Numeric, value: Numeric) -> None:
    if valid:
        target[at] = value


def within(place: Numeric, count: NumericLike | None) -> object:
    """Whether the place is one of the first; None where all are."""
    return None if count is None else as_numeric(place < count)
