"""Registers: a local buffer of every lane, which no other lane reaches but by a collective step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NoReturn, TypeAlias

import numpy as np

from tilewright.errors import UninitializedError
from tilewright.targets.simulator.distinct import distinct_values
from tilewright.targets.simulator.memory.access import (
    Array,
    Element,
    Lanes,
    Mask,
    Number,
    Operand,
    Symbolic,
    out_of_bounds,
    select,
)
from tilewright.targets.simulator.memory.guards import Guard
from tilewright.targets.simulator.memory.runs import Column, Run, gathered
from tilewright.targets.simulator.sides import Side
from tilewright.targets.simulator.sites import Site

Join: TypeAlias = Callable[[Number, Number], Number]


class Registers:
    """One array over all lanes for each element."""

    def __init__(self, size: int, dtype: Element, written: bool = False, guard: Guard | None = None) -> None:
        """Nothing in them is written; else zeros are. Products that go on by themselves are in those with a guard."""
        self.size, self.dtype, self.guard = size, dtype, guard
        self.cells: list[Operand | Column | None] = [np.zeros((), dtype) if written else None] * size
        self.written: list[bool | Array] = [written] * size  # or the lanes that wrote it
        # Cells that hold what a machine leaves undefined, and in which lanes.
        self.anything: dict[int, bool | Array] = {}

    def each(self, change: Callable[[Number], Number]) -> Registers:
        """The registers of a part of the lanes; `change` takes their part of an array."""
        cells = (None if cell is None else change(_known(cell)) for cell in self.cells)
        found = self._of(cells, map(change, self.written), self.guard and self.guard.each(change))
        found.anything = {cell: _truths(change(flags)) for cell, flags in self.anything.items()}
        return found

    def with_(self, other: Registers, join: Join) -> Registers:
        """These of some lanes and those of others."""
        cells = (self._cell(join, *pair) for pair in zip(self.cells, other.cells, strict=True))
        guard = self.guard.with_(other.guard, join) if self.guard and other.guard else None
        found = self._of(cells, map(join, self.written, other.written), guard)
        for cell in {**self.anything, **other.anything}:
            found.anything[cell] = _truths(join(self.anything.get(cell, False), other.anything.get(cell, False)))
        return found

    def _cell(self, join: Join, mine: Operand | Column | None, theirs: Operand | Column | None) -> Number | None:
        """A cell that only one side has written holds zeros on the other, which nobody reads."""
        nothing = np.zeros((), self.dtype)
        both = (nothing if x is None else _known(x) for x in (mine, theirs))
        return None if mine is theirs is None else join(*both)

    def _of(
        self, cells: Iterable[Operand | Column | None], written: Iterable[Number], guard: Guard | None
    ) -> Registers:
        found = Registers(self.size, self.dtype, guard=guard)
        found.cells = list(cells)
        found.written = list(map(_truths, written))
        return found

    def load(self, lanes: Lanes, index: Operand, mask: Mask, site: Site) -> Operand:
        """The element at each active lane's index."""
        if isinstance(index, int):
            return self._load_cell(lanes, self._checked(index, lanes, mask, site), mask, site)
        result = np.zeros(lanes.shape, self.dtype)
        for cell, chosen in self._chosen(lanes, index, mask, site):
            result = np.where(chosen, _known(self._load_cell(lanes, cell, chosen, site)), result)
        return result

    def store(self, lanes: Lanes, index: Operand, value: Operand, mask: Mask, site: Site) -> None:
        """Puts each active lane's value at its index."""
        if isinstance(index, int):
            self._store_cell(lanes, self._checked(index, lanes, mask, site), value, mask, site)
            return
        for cell, chosen in self._chosen(lanes, index, mask, site):
            self._store_cell(lanes, cell, value, chosen, site)

    def held(self, lanes: Lanes, row: int, column: int) -> tuple[Array, Array]:
        """The elements of one lane, and which of them have a value."""

        def mine(values: Iterable[Number], dtype: Element) -> Array:
            return np.array([np.broadcast_to(value, lanes.shape)[row, column] for value in values], dtype)

        nothing = np.zeros((), self.dtype)
        cells = (nothing if cell is None else _known(cell) for cell in self.cells)
        return mine(cells, self.dtype), mine(self.written, np.dtype(bool))

    def run(self, lanes: Lanes, start: int, count: int, mask: Mask, site: Site) -> Run:
        """The registers from `start` on; what inactive lanes hold is anything."""
        self._check_run(start, count, lanes, mask, site)
        self._touch_run(lanes, start, count, mask, site)
        return self.taken(lanes, start, count, mask, site)

    def taken(self, lanes: Lanes, start: int, count: int, mask: Mask, site: Site) -> Run:
        """The same for a product, which asks the guard itself."""
        self._check_run(start, count, lanes, mask, site)
        for cell in range(start, start + count):
            self._check_written(lanes, cell, mask, site)
        held = self.cells[start : start + count]
        found = gathered(held, lanes.shape, self.dtype)
        first = held[0]
        if mask is None and not (isinstance(first, Column) and first.run is found):
            self.cells[start : start + count] = found.columns
        return found

    def put(self, lanes: Lanes, start: int, run: Run, mask: Mask, site: Site) -> None:
        """A run takes the registers from `start` on."""
        self._check_run(start, run.count, lanes, mask, site)
        self._touch_run(lanes, start, run.count, mask, site)
        self.placed(lanes, start, run, mask, site)

    def placed(self, lanes: Lanes, start: int, run: Run, mask: Mask, site: Site) -> None:
        """The same for a product, which asks the guard itself."""
        self._check_run(start, run.count, lanes, mask, site)
        if mask is None:
            self.cells[start : start + run.count] = run.columns
            self.written[start : start + run.count] = [True] * run.count
            for cell in range(start, start + run.count) if self.anything else ():
                self.anything.pop(cell, None)
            return
        for number, column in enumerate(run.columns):
            self._set_cell(lanes, start + number, column.value, mask)

    def _touch_run(self, lanes: Lanes, start: int, count: int, mask: Mask, site: Site) -> None:
        for cell in range(start, start + count) if self.guard else ():
            self._touch(lanes, cell, mask, site)

    def _touch(self, lanes: Lanes, cell: int, mask: Mask, site: Site) -> None:
        if self.guard:
            self.guard.touch(lanes, cell, mask, site)

    def _check_run(self, start: int, count: int, lanes: Lanes, mask: Mask, site: Site) -> None:
        self._checked(start, lanes, mask, site)
        self._checked(start + count - 1, lanes, mask, site)

    def gather(self, lanes: Lanes, block: Array, thread: Array, cell: Array, site: Site) -> Array:
        """The elements in cells of threads, given by three arrays of one shape."""
        values = np.zeros(cell.shape, self.dtype)
        for number, mine, at in self._split(lanes, block, thread, cell, site):
            mask = np.zeros(lanes.shape, bool)
            mask[at] = True
            values[mine] = np.broadcast_to(_known(self._load_cell(lanes, number, mask, site)), lanes.shape)[at]
        return values

    def scatter(self, lanes: Lanes, block: Array, thread: Array, cell: Array, values: Array, site: Site) -> None:
        """Puts the values into cells of threads, given by arrays of one shape."""
        for number, mine, at in self._split(lanes, block, thread, cell, site):
            mask, full = np.zeros(lanes.shape, bool), np.zeros(lanes.shape, self.dtype)
            mask[at], full[at] = True, values[mine]
            self._store_cell(lanes, number, full, mask, site)

    def _split(
        self, lanes: Lanes, block: Array, thread: Array, cell: Array, site: Site
    ) -> Iterator[tuple[int, Array, tuple[Array, Array]]]:
        for number in distinct_values(cell).tolist():
            mine = cell == number
            at = block[mine], thread[mine]
            if not 0 <= number < self.size:
                row, column = (int(own.flat[0]) for own in at)
                self._outside(number, lanes, row * lanes.shape[1] + column, site)
            yield number, mine, at

    def _load_cell(self, lanes: Lanes, cell: int, mask: Mask, site: Site) -> Operand:
        self._touch(lanes, cell, mask, site)
        self._check_written(lanes, cell, mask, site)
        found = self.cells[cell]
        assert found is not None, "what is written is there"
        return found.value if isinstance(found, Column) else found

    def _check_written(self, lanes: Lanes, cell: int, mask: Mask, site: Site) -> None:
        if self.written[cell] is True:
            return
        missing = ~np.broadcast_to(self.written[cell], lanes.shape)
        wrong = missing if mask is None else missing & mask
        if wrong.any():
            name = lanes.name(int(lanes.present(None).actor[int(np.argmax(wrong))]))
            raise UninitializedError(f"{name} reads unwritten element {cell} of its {site.buffer}\n{site.where}")

    def _store_cell(self, lanes: Lanes, cell: int, value: Operand, mask: Mask, site: Site) -> None:
        self._touch(lanes, cell, mask, site)
        self._set_cell(lanes, cell, value, mask)

    def _set_cell(self, lanes: Lanes, cell: int, value: Operand, mask: Mask) -> None:
        if cell in self.anything:
            self.leave(cell, False, mask)
        if mask is None:
            self.cells[cell], self.written[cell] = value, True
        else:
            before = self.cells[cell]
            old = np.zeros((), self.dtype) if before is None else before.value if isinstance(before, Column) else before
            self.cells[cell] = lanes.apply(select, mask, value, old)
            self.written[cell] = self.written[cell] | mask

    def leave(self, cell: int, flags: bool | Array, mask: Mask) -> None:
        """Says in which of the active lanes a cell holds what a machine leaves undefined."""
        before = self.anything.pop(cell, False)
        found = flags if mask is None else np.where(mask, flags, before)
        if np.any(found):
            self.anything[cell] = found

    def _chosen(self, lanes: Lanes, index: Operand, mask: Mask, site: Site) -> list[tuple[int, Array]]:
        full = np.broadcast_to(_known(index), lanes.shape)
        active = np.ones(lanes.shape, bool) if mask is None else np.broadcast_to(mask, lanes.shape)
        outside = active & ((full < 0) | (full >= self.size))
        if outside.any():
            bad = int(np.argmax(outside))
            self._outside(int(full.flat[bad]), lanes, bad, site)
        return [(int(cell), active & (full == cell)) for cell in distinct_values(full[active])]

    def _checked(self, cell: int, lanes: Lanes, mask: Mask, site: Site) -> int:
        if not 0 <= cell < self.size:
            self._outside(cell, lanes, 0 if mask is None else int(np.argmax(np.broadcast_to(mask, lanes.shape))), site)
        return cell

    def _outside(self, cell: int, lanes: Lanes, lane: int, site: Site) -> NoReturn:
        present = lanes.present(None)
        actor = int(present.actor[lane])
        side = Side.of(site.does, site, cell, actor, present.clocks)
        out_of_bounds(self.size, cell, lanes.name(actor), site, side=side)


def _truths(flags: Number) -> bool | Array:
    return flags if isinstance(flags, np.ndarray) else bool(flags)


def _known(value: Operand | Column) -> Number:
    """The number that it is; what only stands for one is left to the lockstep run."""
    if isinstance(value, Column):
        return value.value
    return value.resolve() if isinstance(value, Symbolic) else value
