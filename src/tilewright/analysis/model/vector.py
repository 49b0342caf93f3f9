"""Vectors of integers for the analyses: numpy's where it is installed, else plain Python ones up to 4,096 elements.

A row of lanes does not wait for numpy to be loaded, which takes longer than the analysis of a dump.

`vectors(n)` gives the `Backend`, a handful of operations on flat vectors. The analyses are written once, with these
and the operators + - * // % & == >=; they never ask which backend they have.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, repeat
from typing import Any, Protocol, TypeAlias

from tilewright.analysis.model.plain_table import values_at
from tilewright.errors import UsageError, shown

FEW = 128
MAX_PLAIN = 4096
MAX_INT = 2**63

# numpy.ndarray or Ints: both have the operators, iteration, len and tolist.
Vector: TypeAlias = Any


class Backend(Protocol):
    """Operations on flat vectors. A matrix is the vector of its rows with the rows' length."""

    def vector(self, values: Iterable[int]) -> Vector:
        """The integers as a vector."""

    def arange(self, n: int) -> Vector:
        """0, 1, .., n-1."""

    def where(self, mask: Vector, yes: Vector, no: int) -> Vector:
        """`yes` where the mask holds, else `no`."""

    def keep(self, values: Vector, mask: Vector) -> Vector:
        """The values where the mask holds."""

    def columns(self, values: Vector, length: int, order: Sequence[int]) -> Vector:
        """The matrix of the named columns, in that order."""

    def outer(self, a: Vector, b: Vector) -> Vector:
        """a[i] + b[j], j fastest."""

    def tile(self, values: Vector, times: int) -> Vector:
        """The whole vector `times` times."""

    def repeat(self, values: Vector, times: int) -> Vector:
        """Each value `times` times."""

    def distinct(self, values: Vector, length: int) -> tuple[Vector, Vector]:
        """The distinct values of each row, ascending, and the numbers of their rows."""

    def count(self, values: Vector, n: int) -> Vector:
        """How often each of 0..n-1 occurs."""

    def row_max(self, values: Vector, length: int) -> Vector:
        """The largest value of each row."""

    def row_min(self, values: Vector, length: int) -> Vector:
        """The smallest value of each row."""

    def row_sum(self, values: Vector, length: int) -> Vector:
        """The sum of each row."""

    def common_row(self, values: Vector, length: int) -> Vector | None:
        """The row that all rows equal, or None."""

    def distinct_rows(self, values: Vector, length: int) -> tuple[Vector, Vector]:
        """The matrix of the distinct rows, and which of them each row is."""

    def rows(self, values: Vector, length: int, which: Vector) -> Vector:
        """The matrix of the rows of those numbers."""

    def evaluate(self, function: Callable[[Any], Any], arguments: Vector) -> Vector:
        """The function at every argument."""


def vectors(size: int) -> Backend:
    """The backend for vectors of up to `size` elements.

    Raises:
        UsageError: numpy is missing and `size` is above 4,096.
    """
    if size <= FEW and "numpy" not in sys.modules:
        return _PlainVectors()
    try:
        import numpy  # noqa: F401  the question is whether it is there
    except ImportError:
        if size <= MAX_PLAIN:
            return _PlainVectors()
        raise UsageError(f"{size} elements need numpy; without it the limit is {MAX_PLAIN}") from None
    return _NumpyVectors()


class _NumpyVectors:
    """The backend on numpy arrays of int64."""

    def vector(self, values: Iterable[int]) -> Vector:
        import numpy as np

        try:
            found = np.asarray(values if hasattr(values, "__array__") else list(values))
        except (TypeError, ValueError):
            raise UsageError("rows of different lengths where a matrix of integers is expected") from None
        if found.size and (found.dtype.kind not in "iub" or (found.dtype.kind == "u" and int(found.max()) >= MAX_INT)):
            raise UsageError(f"expected integers of 64 bits, got {found.dtype} such as {shown(found.flat[0])}")
        return found.astype(np.int64, copy=False).reshape(-1)

    def arange(self, n: int) -> Vector:
        import numpy as np

        return np.arange(n, dtype=np.int64)

    def where(self, mask: Vector, yes: Vector, no: int) -> Vector:
        import numpy as np

        return np.where(mask, yes, no)

    def keep(self, values: Vector, mask: Vector) -> Vector:
        return values[mask]

    def columns(self, values: Vector, length: int, order: Sequence[int]) -> Vector:
        if isinstance(order, range):
            return values.reshape(-1, length)[:, order.start : order.stop : order.step].reshape(-1)
        return values.reshape(-1, length)[:, list(order)].reshape(-1)

    def outer(self, a: Vector, b: Vector) -> Vector:
        return (a[:, None] + b).reshape(-1)

    def tile(self, values: Vector, times: int) -> Vector:
        import numpy as np

        return np.tile(values, times)

    def repeat(self, values: Vector, times: int) -> Vector:
        return values.repeat(times)

    def distinct(self, values: Vector, length: int) -> tuple[Vector, Vector]:
        import numpy as np

        rows = np.sort(values.reshape(-1, length), axis=1)
        first = np.ones(rows.shape, dtype=bool)
        np.not_equal(rows[:, 1:], rows[:, :-1], out=first[:, 1:])
        return rows[first], np.nonzero(first)[0]

    def count(self, values: Vector, n: int) -> Vector:
        import numpy as np

        return np.bincount(values, minlength=n)

    def row_max(self, values: Vector, length: int) -> Vector:
        return values.reshape(-1, length).max(axis=1)

    def row_min(self, values: Vector, length: int) -> Vector:
        return values.reshape(-1, length).min(axis=1)

    def row_sum(self, values: Vector, length: int) -> Vector:
        return values.reshape(-1, length).sum(axis=1)

    def common_row(self, values: Vector, length: int) -> Vector | None:
        rows = values.reshape(-1, length)
        return rows[0] if bool((rows == rows[0]).all()) else None

    def distinct_rows(self, values: Vector, length: int) -> tuple[Vector, Vector]:
        import numpy as np

        rows = values.reshape(-1, length)
        odd = np.random.default_rng(length).integers(0, 1 << 63, length, dtype=np.uint64) * 2 + 1
        _, first, which = np.unique((rows.astype(np.uint64) * odd).sum(axis=1), return_index=True, return_inverse=True)
        found = rows[first]
        if not bool((found[which] == rows).all()):  # two rows with one key
            found, which = np.unique(rows, axis=0, return_inverse=True)
        return found.reshape(-1), which.reshape(-1)

    def rows(self, values: Vector, length: int, which: Vector) -> Vector:
        return values.reshape(-1, length)[which].reshape(-1)

    def evaluate(self, function: Callable[[Any], Any], arguments: Vector) -> Vector:
        import numpy as np

        return np.broadcast_to(function(arguments), arguments.shape).astype(np.int64, copy=False)


class _PlainVectors:
    """The backend on `Ints`."""

    def vector(self, values: Iterable[int]) -> Vector:
        found = list(_flat(values))
        for value in found:
            if not isinstance(value, int) or not -MAX_INT <= value < MAX_INT:
                raise UsageError(f"expected integers of 64 bits, got {shown(value)}")
        return Ints(found)

    def arange(self, n: int) -> Vector:
        return Ints(range(n))

    def where(self, mask: Vector, yes: Vector, no: int) -> Vector:
        return Ints(y if m else no for m, y in zip(mask, yes, strict=True))

    def keep(self, values: Vector, mask: Vector) -> Vector:
        return Ints(compress(values, mask))

    def columns(self, values: Vector, length: int, order: Sequence[int]) -> Vector:
        return Ints(row[i] for row in _rows(values, length) for i in order)

    def outer(self, a: Vector, b: Vector) -> Vector:
        return Ints(x + y for x in a for y in b)

    def tile(self, values: Vector, times: int) -> Vector:
        return Ints(values.items * times)

    def repeat(self, values: Vector, times: int) -> Vector:
        return Ints(x for x in values for _ in range(times))

    def distinct(self, values: Vector, length: int) -> tuple[Vector, Vector]:
        found = [(x, row) for row, cells in enumerate(_rows(values, length)) for x in sorted(set(cells))]
        return Ints(x for x, _ in found), Ints(row for _, row in found)

    def count(self, values: Vector, n: int) -> Vector:
        counts = [0] * n
        for x in values:
            counts[x] += 1
        return Ints(counts)

    def row_max(self, values: Vector, length: int) -> Vector:
        return Ints(map(max, _rows(values, length)))

    def row_min(self, values: Vector, length: int) -> Vector:
        return Ints(map(min, _rows(values, length)))

    def row_sum(self, values: Vector, length: int) -> Vector:
        return Ints(map(sum, _rows(values, length)))

    def common_row(self, values: Vector, length: int) -> Vector | None:
        rows = _rows(values, length)
        return Ints(rows[0]) if all(row == rows[0] for row in rows) else None

    def distinct_rows(self, values: Vector, length: int) -> tuple[Vector, Vector]:
        number: dict[tuple[int, ...], int] = {}
        which = Ints(number.setdefault(tuple(row), len(number)) for row in _rows(values, length))
        return Ints(x for row in number for x in row), which

    def rows(self, values: Vector, length: int, which: Vector) -> Vector:
        cells = _rows(values, length)
        return Ints(x for i in which for x in cells[i])

    def evaluate(self, function: Callable[[Any], Any], arguments: Vector) -> Vector:
        return Ints(values_at(function, arguments.items))


def _elementwise(op: Callable[[Any, Any], Any]) -> Callable[[Ints, Any], Ints]:
    def method(self: Ints, other: Any) -> Ints:
        return Ints(map(op, self.items, other.items if isinstance(other, Ints) else repeat(other)))

    return method


class Ints:
    """A flat vector of integers without numpy: elementwise operators with integers and other vectors."""

    __slots__ = ("items",)

    def __init__(self, items: Iterable[int]) -> None:
        self.items = list(items)

    __add__ = _elementwise(operator.add)
    __sub__ = _elementwise(operator.sub)
    __mul__ = _elementwise(operator.mul)
    __floordiv__ = _elementwise(operator.floordiv)
    __mod__ = _elementwise(operator.mod)
    __and__ = _elementwise(operator.and_)
    __xor__ = _elementwise(operator.xor)
    __lshift__ = _elementwise(operator.lshift)
    __rshift__ = _elementwise(operator.rshift)
    __or__ = _elementwise(operator.or_)
    __ge__ = _elementwise(operator.ge)
    __gt__ = _elementwise(operator.gt)
    __le__ = _elementwise(operator.le)
    __lt__ = _elementwise(operator.lt)
    __ne__ = _elementwise(operator.ne)  # type: ignore[assignment]  # elementwise, as in numpy
    __eq__ = _elementwise(operator.eq)  # type: ignore[assignment]  # elementwise, as in numpy
    __hash__ = None  # type: ignore[assignment]  # a mutable vector, as in numpy

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[int]:
        return iter(self.items)

    def __getitem__(self, i: Any) -> Any:
        return Ints(self.items[i]) if isinstance(i, slice) else self.items[i]

    def tolist(self) -> list[int]:
        """The integers as a list."""
        return list(self.items)

    def sum(self) -> int:
        """The sum of all elements."""
        return sum(self.items)

    def max(self) -> int:
        """The largest element."""
        return max(self.items)

    def min(self) -> int:
        """The smallest element."""
        return min(self.items)

    def all(self) -> bool:
        """Does every element hold?"""
        return all(self.items)

    def any(self) -> bool:
        """Does any element hold?"""
        return any(self.items)


def _rows(values: Vector, length: int) -> list[list[int]]:
    return [values.items[i : i + length] for i in range(0, len(values), length)]


def shape_of(values: Any, deepest: int = 16) -> tuple[int, ...]:
    """The shape of an array, or of nested sequences as their first entries have it."""
    if hasattr(values, "__array__"):
        return tuple(values.shape)
    if not isinstance(values, Sequence) or isinstance(values, str | bytes) or not values or not deepest:
        return ()
    return (len(values), *shape_of(values[0], deepest - 1))


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, Iterable):
            yield from _flat(value)
        else:
            yield value
