"""Runs of neighbouring registers, held by all lanes as one array, which may be worked out when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from tilewright.targets.simulator.collective.operands import Operand
from tilewright.targets.simulator.collective.products import Matrices
from tilewright.targets.simulator.memory.access import Array


class Run:
    """So many registers of all lanes; `make` gives their values, (blocks, threads, count), which never change."""

    def __init__(self, count: int, make: Callable[[], Array]) -> None:
        self.count, self._make = count, make
        self.seen: dict[Operand, Matrices] = {}  # the matrices that the registers are

    @property
    def columns(self) -> tuple[Column, ...]:
        """Its registers; they know the run, which must not know them: what nobody holds is to go at once."""
        return tuple(Column(self, number) for number in range(self.count))

    @cached_property
    def values(self) -> Array:
        """The registers' values."""
        return self._make()

    def part(self, start: int, count: int) -> Run:
        """The run of some of the registers."""
        return self if count == self.count else Run(count, lambda: self.values[:, :, start : start + count])


class Column:
    """One register of a run."""

    __slots__ = ("number", "run")

    def __init__(self, run: Run, number: int) -> None:
        self.run, self.number = run, number

    @property
    def value(self) -> Array:
        """Its values, (blocks, threads)."""
        found: Array = self.run.values[:, :, self.number]
        return found


def gathered(cells: Sequence[object], shape: tuple[int, int], dtype: np.dtype[np.generic]) -> Run:
    """The run that the cells already are, in order, or a new one that holds their values."""
    first = cells[0]
    if isinstance(first, Column):
        run, start = first.run, first.number
        if all(isinstance(c, Column) and c.run is run and c.number == start + i for i, c in enumerate(cells)):
            return run.part(start, len(cells))
    values = np.empty((*shape, len(cells)), dtype)
    for number, cell in enumerate(cells):
        values[:, :, number] = cell.value if isinstance(cell, Column) else cell
    return Run(len(cells), lambda: values)
