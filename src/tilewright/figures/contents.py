"""What lies in cells that stand for places, of memory or of hardware: no, one or several elements of a tile each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilewright.figures.domain import Domain, bare
from tilewright.figures.series import Alone, picked, words
from tilewright.figures.values import TOLD, shortened
from tilewright.layout.inttuple import IntTuple


@dataclass(frozen=True, slots=True)
class Contents:
    """Of each cell the numbers of the elements there, as the plane has them, and what is to say of those.

    `names` are all that the plane has, without the parentheses; `told` says all of a cell's in words; `coordinate` is
    the first one's.
    """

    held: Sequence[tuple[int, ...]]
    first: Sequence[int]
    names: Sequence[str]
    told: Sequence[str]
    elements: Sequence[tuple[int, ...]]
    coordinate: Sequence[IntTuple]


def contents(domain: Domain, held: Sequence[tuple[int, ...]]) -> Contents:
    """The contents of cells that hold these elements.

    >>> from tilewright.figures.domain import column_major
    >>> two = contents(column_major((2, 2)), [(0, 3), (1,)])
    >>> two.told, two.elements, two.coordinate
    (['(0,0), (1,1)', '(0,1)'], [(0, 3), (2,)], [(0, 0), (0, 1)])
    """
    names, flat = list(domain.name), list(domain.flat)
    plain = list(map(bare, names))
    if isinstance(held, Alone):
        first = held.numbers
        own = picked(plain, first)
        told = own if plain == names else words(len(held), "(", own, ")")
        elements: Sequence[tuple[int, ...]] = Alone(picked(flat, first))
    else:
        first = [numbers[0] for numbers in held]
        told = [shortened([names[n] for n in numbers[:TOLD]], len(numbers), ", ") for numbers in held]
        elements = [tuple(flat[n] for n in numbers) for numbers in held]
    return Contents(held, first, plain, told, elements, picked(domain.coordinate, first))
