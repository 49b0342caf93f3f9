"""What the slots of a frame hold: numbers, whatever stands for them, and memories; and who accesses these.

A number is a Python integer where all lanes agree and it is an index or a truth value; else an array that broadcasts to
(blocks, threads), a numpy scalar being one of rank 0.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, NoReturn, Protocol, TypeAlias, TypeVar

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import OutOfBoundsError
from tilewright.targets.simulator.order.beyond import RELAXED, Sync
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.sides import Side, told_of
from tilewright.targets.simulator.sites import Site

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]  # its element type is known at run time only
T = TypeVar("T")
Element: TypeAlias = np.dtype[Any]
Number: TypeAlias = int | Array
Function: TypeAlias = Callable[..., Number]  # elementwise, of numbers
Mask: TypeAlias = Array | None  # which lanes are active; None: all


class NotUniformError(Exception):
    """What the recorder cannot express; never leaves the simulator."""


class Symbolic:
    """Stands for numbers that are not known yet; numpy must not look into it."""

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        raise NotUniformError

    def __array_ufunc__(self, *args: object, **kwargs: object) -> NoReturn:
        raise NotUniformError

    def __bool__(self) -> NoReturn:
        raise NotUniformError

    def resolve(self) -> NoReturn:
        """Where a number is needed."""
        raise NotUniformError


Operand: TypeAlias = Number | Symbolic


class Lanes(Protocol):
    """Who accesses a memory: lanes of shape (blocks, threads), their names, and what is counted of them."""

    @property
    def shape(self) -> tuple[int, int]:
        """Blocks and threads."""

    @property
    def rows(self) -> Array:
        """Which copy of a shared buffer is each block's."""

    def present(self, mask: Mask) -> Present:
        """The active lanes, flat."""

    def name(self, thread: int) -> str:
        """The thread as a person names it."""

    def apply(self, function: Function, *values: Operand) -> Operand:
        """The function of the values."""

    def following(self, what: Hashable, index: Operand, size: int, make: Callable[[], T]) -> T:
        """What `make` gives, of so many bytes; made once where the index is one that lanes come back to."""

    def one_by_one(self, count: int, op: Operation) -> None:
        """So many of them had to be asked one after the other, which takes its time."""

    def count(self, site: Site, index: Array, mask: Mask) -> None:
        """One access of the active lanes, each to the element at its index, which broadcasts to (blocks, threads)."""


class Storage(Protocol):
    """A memory, or what stands for one."""

    def load(self, lanes: Lanes, index: Operand, mask: Mask, site: Site) -> Operand:
        """The element at each active lane's index."""

    def store(self, lanes: Lanes, index: Operand, value: Operand, mask: Mask, site: Site) -> None:
        """Puts each active lane's value at its index."""


class SharedStorage(Storage, Protocol):
    """A memory that several lanes reach."""

    def update(
        self,
        lanes: Lanes,
        index: Operand,
        value: Operand,
        mask: Mask,
        site: Site,
        function: np.ufunc | None,
        sync: Sync = RELAXED,
    ) -> Operand:
        """Lane after lane, function(element, value) takes the element's place; what it was."""

    def swap(
        self, lanes: Lanes, index: Operand, pair: tuple[Operand, Operand], mask: Mask, site: Site, sync: Sync
    ) -> Operand:
        """Lane after lane, the second takes the element's place where that is the first; what it was."""

    def observe(self, lanes: Lanes, index: Operand, mask: Mask, site: Site, sync: Sync) -> Operand:
        """The elements, which others may change atomically at the same time."""


class Described(Protocol):
    """A memory that only engines reach, with what they are told of it."""

    @property
    def memory(self) -> Storage:
        """The memory."""


class Compound:
    """Several values in one slot, which part and join each by itself."""

    def each(self, change: Callable[[Value], Value]) -> Compound:
        """The same of the changed values."""
        raise NotImplementedError

    def with_(self, other: Compound, join: Callable[[Value, Value], Value]) -> Compound:
        """These of some lanes and those of others."""
        raise NotImplementedError


Value: TypeAlias = Operand | Storage | Described | Compound | None


def select(condition: Number, yes: Number, no: Number) -> Number:
    """yes where the condition holds, else no."""
    return (yes if condition else no) if np.ndim(condition) == 0 else np.where(condition, yes, no)


def same(one: Number, other: Number) -> bool:
    """Are they one number, or arrays of one shape, of the same type and bits? Zeros of two signs are not.

    >>> same(1, 1), same(np.float32(0), np.float32(-0.0)), same(np.float32("nan"), np.float32("nan"))
    (True, False, True)
    """
    if isinstance(one, int) or isinstance(other, int):
        return type(one) is type(other) and bool(one == other)
    return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())


def out_of_bounds(
    size: int, index: int, thread: str, site: Site, advice: str = "", side: Side | None = None
) -> NoReturn:
    """Raises the error for an access outside a buffer; `side` says which lane's it is, where that is known."""
    text = f"{thread} {site.does} element {index} of {site.buffer}, which has {size} elements{advice}\n{site.where}"
    raise told_of(OutOfBoundsError(text), side or Side(site.does, site, index))
