"""Matrix products that wait until somebody looks at their result.

A kernel multiplies small tiles one by one: acc[i, j] += a[i] b[j], for all i and j, then again for the next k. Nobody
looks at acc in between, so the products are only noted, and at the first look worked out together: the rows of all a
and the columns of all b are one product for each k. The numbers are those of one product after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from tilewright.atoms.mma import MmaAtom
from tilewright.targets.simulator.collective.rule import fast, multiply_add

Array = np.ndarray[Any, np.dtype[Any]]

MOST_FACTORS = 1 << 10  # of products that wait; each is a fragment of all lanes
MOST_ELEMENTS = 3 << 16  # of them that a warp, or who else executes an atom, holds


class Matrices:
    """The matrices (warps, rows, columns) that a fragment holds, made when they are first asked for."""

    def __init__(self, make: Callable[[], Array]) -> None:
        self._make: Callable[[], Array] | None = make
        self._made: Array | None = None

    @property
    def made(self) -> Array:
        """The matrices."""
        if self._made is None:
            assert self._make is not None, "made or to be made"
            self._made, self._make = self._make(), None
        return self._made


class Product(Matrices):
    """D = A B + C of an atom."""

    def __init__(self, waiting: Waiting, a: Matrices, b: Matrices, c: Matrices) -> None:
        self._made = None
        self.waiting = waiting
        self.operands: tuple[Matrices, ...] = (a, b, c)

    @property
    def waits(self) -> bool:
        """Is it still to be worked out?"""
        return self._made is None

    @property
    def made(self) -> Array:
        """The result."""
        if self._made is None:
            self.waiting.evaluate(self)
        assert self._made is not None, "evaluated"
        return self._made

    def settle(self, made: Array) -> None:
        """This is the result."""
        self._made, self.operands = made, ()


Factors: TypeAlias = tuple[Matrices, ...]


@dataclass(frozen=True, eq=False)
class Chain:
    """A product that waits: what its sum starts from, and the factors of each term, in order."""

    product: Product
    start: Matrices
    left: Factors
    right: Factors

    @staticmethod
    def of(product: Product) -> Chain:
        """The products that this one adds to, and itself."""
        terms: list[tuple[Matrices, Matrices]] = []
        start: Matrices = product
        while isinstance(start, Product) and start.waits:
            a, b, start = start.operands
            terms.append((a, b))
        terms.reverse()
        return Chain(product, start, tuple(a for a, _ in terms), tuple(b for _, b in terms))


@dataclass(eq=False)
class Waiting:
    """The products of one atom by the same warps that wait: those that no later one adds to."""

    atom: MmaAtom
    fast: bool
    last: dict[Product, None] = field(default_factory=dict)
    held: set[Matrices] = field(default_factory=set)

    @cached_property
    def most(self) -> int:
        """How many factors may wait."""
        m, n, k = self.atom.shape_mnk
        return min(MOST_FACTORS, max(2, 2 * MOST_ELEMENTS // ((m + n) * k)))

    def add(self, a: Matrices, b: Matrices, c: Matrices) -> Product:
        """The product, to be worked out later."""
        made = Product(self, a, b, c)
        if isinstance(c, Product):
            self.last.pop(c, None)
        self.last[made] = None
        self.held |= {a, b}
        if len(self.held) > self.most:
            self.evaluate(made)
        return made

    def evaluate(self, wanted: Product) -> None:
        """Works out what is wanted, and all else that waits."""
        chains = [Chain.of(product) for product in {**self.last, wanted: None}]
        self.last, self.held = {}, set()
        alike: dict[tuple[int, int], list[Chain]] = {}
        for one in chains:
            alike.setdefault((len(one.left), len(one.start.made)), []).append(one)
        for group in alike.values():
            sides = {(one.left, one.right) for one in group}
            rows, columns = ({side[i] for side in sides} for i in (0, 1))
            whole = len(rows) * len(columns) == len(sides) == len(group)
            for part in [group] if whole else [[one] for one in group]:
                self._together(part)

    def _together(self, group: Sequence[Chain]) -> None:
        """Chains for every left side with every right side, as one of large matrices."""
        rows, columns = ({side: i for i, side in enumerate(dict.fromkeys(sides))} for sides in _sides(group))
        warps, m, n = group[0].start.made.shape
        total = np.empty((warps, len(rows) * m, len(columns) * n), group[0].start.made.dtype)
        tiles = {one: (rows[one.left] * m, columns[one.right] * n) for one in group}
        for one, (i, j) in tiles.items():
            total[:, i : i + m, j : j + n] = one.start.made
        total = self._summed(list(rows), list(columns), total)
        for one, (i, j) in tiles.items():
            one.product.settle(total[:, i : i + m, j : j + n])

    def _summed(self, rows: Sequence[Factors], columns: Sequence[Factors], total: Array) -> Array:
        """total and the products of all factors: one k after the other, or, where that need not be, at once."""
        steps = [
            (_joined([side[k].made for side in rows], 1), _joined([side[k].made for side in columns], 1))
            for k in range(len(rows[0]))
        ]
        if self.fast and not self.atom.dtypes[0].is_integer:
            steps = [(_joined([a for a, _ in steps], 2), _joined([b for _, b in steps], 2))]
        return self.apply(steps, total)

    def apply(self, steps: Sequence[tuple[Array, Array]], total: Array) -> Array:
        """total and the products of matrices, one after the other."""
        function = fast if self.fast else multiply_add
        for left, right in steps:
            total = function(left, right, total, self.atom.dtypes, self.atom.instruction)
        return total


def _joined(parts: Sequence[Array], axis: int) -> Array:
    return np.concatenate(parts, axis=axis)


def _sides(group: Sequence[Chain]) -> tuple[list[Factors], list[Factors]]:
    return [one.left for one in group], [one.right for one in group]
