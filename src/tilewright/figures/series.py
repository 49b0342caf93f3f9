"""Columns that are worked out where they are asked for: one value for all cells, what rows and columns add, texts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat
from typing import TypeVar, overload

from tilewright.figures.cell import OnAxes, Owner
from tilewright.layout.inttuple import IntTuple

T = TypeVar("T")
Sum = TypeVar("Sum", int, str, tuple[IntTuple, ...])  # what `+` makes one of


class Series(Sequence[T]):
    """A sequence that need not be written out."""

    __slots__ = ()

    @abstractmethod
    def item(self, at: int) -> T:
        """The item of a number from 0 on."""

    def picked(self, numbers: Sequence[int]) -> Sequence[T]:
        """The items of these numbers."""
        return list(map(list(self).__getitem__, numbers))

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[T]: ...
    def __getitem__(self, at: int | slice) -> T | Sequence[T]:
        numbers = range(len(self))[at]
        return self.item(numbers) if isinstance(numbers, int) else [self.item(number) for number in numbers]


@dataclass(frozen=True, slots=True)
class Same(Series[T]):
    """One value, so many times.

    >>> list(Same(7, 3))
    [7, 7, 7]
    """

    value: T
    size: int

    def item(self, at: int) -> T:
        """The value."""
        return self.value

    def picked(self, numbers: Sequence[int]) -> Same[T]:
        """The value, so many times."""
        return Same(self.value, len(numbers))

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[T]:
        return repeat(self.value, self.size)


@dataclass(frozen=True, slots=True)
class Crossed(Series[Sum]):
    """Row by row, the sum of what a row and a column have: numbers, texts, and tuples alike.

    >>> list(Crossed((0, 10), (1, 2, 3))), Crossed(("a", "b"), ("x", "y"))[2]
    ([1, 2, 3, 11, 12, 13], 'bx')
    """

    rows: Sequence[Sum]
    columns: Sequence[Sum]

    def item(self, at: int) -> Sum:
        """The sum at the cell of that number."""
        row, column = divmod(at, len(self.columns))
        return self.rows[row] + self.columns[column]

    def picked(self, numbers: Sequence[int]) -> list[Sum]:
        """The sums at the cells of these numbers."""
        width = len(self.columns)
        return [self.rows[at // width] + self.columns[at % width] for at in numbers]

    def __len__(self) -> int:
        return len(self.rows) * len(self.columns)

    def __iter__(self) -> Iterator[Sum]:
        return chain.from_iterable([row + column for column in self.columns] for row in self.rows)


@dataclass(frozen=True, slots=True)
class Words(Series[str]):
    """Texts that are put together of the same parts: texts, and columns of what differs.

    >>> list(Words(("element ", (3, 4), ".")))
    ['element 3.', 'element 4.']
    """

    parts: tuple[str | Sequence[object], ...]

    @property
    def columns(self) -> list[Sequence[object]]:
        """The parts that differ."""
        return [part for part in self.parts if not isinstance(part, str)]

    def item(self, at: int) -> str:
        """The text at a number."""
        return "".join(part if isinstance(part, str) else str(part[at]) for part in self.parts)

    def picked(self, numbers: Sequence[int]) -> Words:
        """The texts at these numbers."""
        return Words(tuple(part if isinstance(part, str) else picked(part, numbers) for part in self.parts))

    def __len__(self) -> int:
        return len(self.columns[0])

    def __iter__(self) -> Iterator[str]:
        template = "".join(part.replace("%", "%%") if isinstance(part, str) else "%s" for part in self.parts)
        return map(template.__mod__, zip(*self.columns, strict=True))


def words(size: int, *parts: str | Sequence[object]) -> Sequence[str]:
    """So many texts of such parts, as the simplest column that has them.

    >>> words(2, "a", Same("b", 2), "c"), words(2, "a", words(2, range(2), "b"))
    (Same(value='abc', size=2), Words(parts=('a', range(0, 2), 'b')))
    """
    flat: list[str | Sequence[object]] = []
    for part in chain.from_iterable(_parts(part) for part in parts):
        if isinstance(part, str) and flat and isinstance(flat[-1], str):
            flat[-1] += part
        elif part != "":
            flat.append(part)
    if all(isinstance(part, str) for part in flat):
        return Same("".join(map(str, flat)), size)
    return Words(tuple(flat))


def _parts(part: str | Sequence[object]) -> tuple[str | Sequence[object], ...]:
    if isinstance(part, Words):
        return part.parts
    return (str(part.value),) if isinstance(part, Same) else (part,)


@dataclass(frozen=True, slots=True)
class Alone(Series[tuple[int]]):
    """Each number as a tuple of its own.

    >>> list(Alone(range(2)))
    [(0,), (1,)]
    """

    numbers: Sequence[int]

    def item(self, at: int) -> tuple[int]:
        """The number's tuple."""
        return (self.numbers[at],)

    def picked(self, numbers: Sequence[int]) -> Alone:
        """The tuples of these numbers."""
        return Alone(picked(self.numbers, numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[tuple[int]]:
        return zip(self.numbers, strict=True)


@dataclass(frozen=True, slots=True)
class OnCopies(Series[tuple[OnAxes, ...]]):
    """Of each copy the positions on each axis, as columns.

    >>> OnCopies(2, ({"laneid": (3, 4)}, {"laneid": (7, 8)}))[1]
    ((('laneid', 4),), (('laneid', 8),))
    """

    size: int
    copies: tuple[Mapping[str, Sequence[int]], ...]

    def item(self, at: int) -> tuple[OnAxes, ...]:
        """The places at a number."""
        return tuple(tuple((axis, positions[at]) for axis, positions in copy.items()) for copy in self.copies)

    def picked(self, numbers: Sequence[int]) -> OnCopies:
        """The places at these numbers."""
        copies = ({axis: picked(positions, numbers) for axis, positions in copy.items()} for copy in self.copies)
        return OnCopies(len(numbers), tuple(copies))

    def __len__(self) -> int:
        return self.size

    def __iter__(self) -> Iterator[tuple[OnAxes, ...]]:
        if not self.copies or not all(self.copies):
            return map(self.item, range(self.size))
        each = (zip(*(zip(repeat(axis), on) for axis, on in c.items()), strict=True) for c in self.copies)
        return zip(*each, strict=True)


@dataclass(frozen=True, slots=True)
class Owned(Series[tuple[Owner, ...]]):
    """Of each owner, the first, the second .., the threads and the values, as columns: all have equally many.

    >>> Owned((((0, 1), (7, 7)), ((8, 9), (7, 7))))[1]
    (Owner(thread=1, value=7), Owner(thread=9, value=7))
    """

    columns: tuple[tuple[Sequence[int | None], Sequence[int | None]], ...]

    def item(self, at: int) -> tuple[Owner, ...]:
        """The owners at a number."""
        return tuple(Owner(thread[at], value[at]) for thread, value in self.columns)

    def __len__(self) -> int:
        return len(self.columns[0][0])

    def __iter__(self) -> Iterator[tuple[Owner, ...]]:
        return zip(*(map(Owner, thread, value) for thread, value in self.columns), strict=True)

    def picked(self, numbers: Sequence[int]) -> Owned:
        """Those of these numbers."""
        return Owned(tuple((picked(thread, numbers), picked(value, numbers)) for thread, value in self.columns))


def picked(values: Sequence[T], numbers: Sequence[int]) -> Sequence[T]:
    """The items of these numbers.

    >>> picked(range(10, 20), (3, 1)), picked(Same("x", 9), (3, 1))
    ([13, 11], Same(value='x', size=2))
    """
    if isinstance(numbers, range) and numbers == range(len(values)):
        return values
    if isinstance(values, Series):
        return values.picked(numbers)
    return list(map(values.__getitem__, numbers))
