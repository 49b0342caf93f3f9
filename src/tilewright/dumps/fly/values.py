"""What the values of a FlyDSL dump are for the threads of one block: numbers a thread each, places in memory, layouts.

Numbers are exact Python integers where all threads have one, else arrays with an entry a thread. Inside layouts they
are run-time integers of the algebra, `Leaves` remembers of which array.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeAlias, TypeGuard

import numpy as np
from numpy.typing import NDArray

from tilewright.errors import LayoutError
from tilewright.ir.core.facts import truncated_quotient
from tilewright.ir.fly import types
from tilewright.ir.fly.types import AnyLayout, MemRef, Pointer
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.inttuple import IntTuple
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.layout.symbolic.evaluation import Calls, in_bulk
from tilewright.layout.symbolic.polynomial import Polynomial
from tilewright.layout.symbolic.symint import SymInt

Array: TypeAlias = NDArray[np.int64]
Number: TypeAlias = "int | Array"
# A function around a layout, and the offset behind it.
Applied: TypeAlias = "tuple[Swizzle | AnyLayout, IntTuple]"

MOST_OFFSETS = 1 << 10


@dataclass(frozen=True, slots=True)
class Missing:
    """A value that is not known, and why."""

    why: str


@dataclass(frozen=True, slots=True)
class Place(Pointer):
    """A pointer that tells where it points: moved from `start` bits behind the beginning of the memory `base`.

    `origin` is where the buffer begins there that it points into, as far as views tell buffers apart.
    """

    base: str = ""
    start: int | SymInt = 0
    origin: int = 0

    @property
    def buffer(self) -> str:
        """The name of the buffer."""
        return f"{self.base} + {self.origin // 8}" if self.origin else self.base

    @property
    def at(self) -> int | SymInt:
        """Bits behind the beginning of the memory."""
        return self.start + self.distance * self.bits

    def moved(self, bits: int | SymInt) -> Place:
        """The pointer so many bits on."""
        return replace(self, start=self.start + bits)

    def of(self, pointer: Pointer) -> Place:
        """The same place seen through a pointer of another type."""
        return located(pointer, self.base, self.at, self.origin)


def located(pointer: Pointer, base: str, start: int | SymInt = 0, origin: int = 0) -> Place:
    """The pointer with its place."""
    facts = (pointer.element, pointer.space, pointer.bits, pointer.align, pointer.swizzle)
    return Place(*facts, base=base, start=start, origin=origin)


# Numbers, places, structures, and the values of fly's types.
Value: TypeAlias = "types.Value | Array | Missing | Struct"


class Struct(tuple[Value, ...]):
    """The fields of a structure; of a kernel's view two: its run-time extents, and its run-time strides."""


_IN_BULK: Calls = {"min": np.minimum, "max": np.maximum, "trunc": truncated_quotient}


class Leaves:
    """The run-time integers of layouts, each with its numbers, and the buffers whose addresses are asked for.

    Attributes:
        buffers: the memory, and where in it each begins.
    """

    def __init__(self) -> None:
        self._leaves: dict[tuple[bytes, int], SymInt] = {}
        self._arrays: dict[str, Array] = {}
        self.buffers: list[tuple[str, int]] = []

    def buffer(self, of: tuple[str, int]) -> int:
        """The buffer's place among all."""
        if of not in self.buffers:
            self.buffers.append(of)
        return self.buffers.index(of)

    def leaf(self, number: Number, width: int = 64) -> int | SymInt:
        """The number as a leaf of a layout: an integer where all threads have one."""
        if isinstance(number, int):
            return number
        first, least, most = int(number[0]), int(number.min()), int(number.max())
        if least == most:
            return first
        key = (number.tobytes(), width)
        if key not in self._leaves:
            div = max(1, int(np.gcd.reduce(np.abs(number))))
            name = f"lanes {len(self._leaves)}"
            self._leaves[key] = SymInt(name, width=width, div=div, lower=least, upper=most)
            self._arrays[name] = number
        return self._leaves[key]

    def number(self, leaf: object) -> Number:
        """The numbers of a leaf.

        Raises:
            LayoutError: it is no integer.
        """
        if not isinstance(leaf, int | SymInt):
            raise LayoutError(f"expected an integer, got {leaf}")
        return in_bulk(leaf, self._arrays, _IN_BULK)

    def polynomial(self, found: Polynomial) -> Number:
        """The numbers of a polynomial in leaves."""
        return self.number(SymInt.of_result(found, 64, 1))

    def offsets(self, layout: AnyLayout, threads: int) -> tuple[Array, Array]:
        """For each coordinate, colexicographically, the element offsets of all threads, and those without any swizzle.

        Raises:
            LayoutError: extents or strides that differ from thread to thread, or more than 1,024 coordinates.
        """
        outer, start, inner = _parts(layout)
        if not inner.is_static:
            raise LayoutError(f"the layout {inner} has extents or strides that are known at run time only")
        cells = np.array(_cells(inner), np.int64)[:, None]
        plain = cells + lanes(self.number(start), threads)[None]
        return _through(outer, plain), plain


@lru_cache(1024)
def _cells(layout: Layout) -> tuple[int, ...]:
    """The offset at every coordinate."""
    if layout.size > MOST_OFFSETS:
        raise LayoutError(f"a copy of {layout.size} elements by one thread; at most {MOST_OFFSETS} are followed")
    return tuple(layout(i) for i in range(layout.size))


def _parts(layout: AnyLayout) -> tuple[list[Applied], IntTuple, Layout]:
    """The functions around the innermost layout, each with the offset behind it, then that layout's own offset."""
    functions: list[Applied] = []
    offset: IntTuple = 0
    while isinstance(layout, ComposedLayout):
        functions.append((layout.outer, offset))
        offset, layout = layout.offset, layout.inner
    return functions[::-1], offset, layout


def _through(functions: Sequence[Applied], offset: Array) -> Array:
    for function, behind in functions:
        offset = function(offset)
        if behind:
            raise LayoutError("an offset between two swizzles is not followed")
    return offset


def is_number(value: Value) -> TypeGuard[Number]:
    """Is it an integer in every thread?"""
    return isinstance(value, int | np.ndarray)


def are_numbers(values: Sequence[Value]) -> TypeGuard[Sequence[Number]]:
    """Are all integers in every thread?"""
    return all(map(is_number, values))


def lanes(number: Number, threads: int) -> Array:
    """The number of every thread."""
    return number if isinstance(number, np.ndarray) else np.full(threads, number, np.int64)


def place_of(value: Value) -> Place | None:
    """Where a pointer or a view points; None for what points nowhere known."""
    found = value.pointer if isinstance(value, MemRef) else value
    return found if isinstance(found, Place) else None
