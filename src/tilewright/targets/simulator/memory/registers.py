"""Registers: a local buffer of every lane, which no other lane reaches but by a collective step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from tilewright.errors import UninitializedError
from tilewright.targets.simulator.memory.access import Array, Lanes, Mask, out_of_bounds
from tilewright.targets.simulator.sites import Site


class Registers:
    """One array over all lanes for each element."""

    def __init__(self, size: int, dtype: np.dtype[Any]) -> None:
        self.size, self.dtype = size, dtype
        self.cells: list[Any] = [None] * size
        self.written: list[Any] = [False] * size  # False, True, or a mask of lanes

    def each(self, change: Callable[[Any], Any]) -> Registers:
        """The registers of a part of the lanes; `change` takes their part of an array."""
        return self._of(map(change, self.cells), map(change, self.written))

    def with_(self, other: Registers, join: Callable[[Any, Any], Any]) -> Registers:
        """These of some lanes and those of others."""
        cells = (self._cell(join, *pair) for pair in zip(self.cells, other.cells, strict=True))
        return self._of(cells, map(join, self.written, other.written))

    def _cell(self, join: Callable[[Any, Any], Any], mine: Any, theirs: Any) -> Any:
        """A cell that only one side has written holds zeros on the other, which nobody reads."""
        nothing = np.zeros((), self.dtype)
        return None if mine is theirs is None else join(*(nothing if x is None else x for x in (mine, theirs)))

    def _of(self, cells: Iterable[Any], written: Iterable[Any]) -> Registers:
        found = Registers(self.size, self.dtype)
        found.cells, found.written = list(cells), list(written)
        return found

    def load(self, lanes: Lanes, index: Any, mask: Mask, site: Site) -> Any:
        """The element at each active lane's index."""
        if type(index) is int:
            return self._load_cell(lanes, self._checked(index, site), mask, site)
        result = np.zeros(lanes.shape, self.dtype)
        for cell, chosen in self._chosen(lanes, index, mask, site):
            result = np.where(chosen, self._load_cell(lanes, cell, chosen, site), result)
        return result

    def store(self, lanes: Lanes, index: Any, value: Any, mask: Mask, site: Site) -> None:
        """Puts each active lane's value at its index."""
        if type(index) is int:
            self._store_cell(self._checked(index, site), value, mask)
            return
        for cell, chosen in self._chosen(lanes, index, mask, site):
            self._store_cell(cell, value, chosen)

    def gather(self, lanes: Lanes, block: Array, thread: Array, cell: Array, site: Site) -> Array:
        """The elements in cells of threads, given by three arrays of one shape."""
        values = np.zeros(cell.shape, self.dtype)
        for number, mine, at in self._split(block, thread, cell, site):
            mask = np.zeros(lanes.shape, bool)
            mask[at] = True
            values[mine] = np.broadcast_to(self._load_cell(lanes, number, mask, site), lanes.shape)[at]
        return values

    def scatter(self, lanes: Lanes, block: Array, thread: Array, cell: Array, values: Array, site: Site) -> None:
        """Puts the values into cells of threads, given by arrays of one shape."""
        for number, mine, at in self._split(block, thread, cell, site):
            mask, full = np.zeros(lanes.shape, bool), np.zeros(lanes.shape, self.dtype)
            mask[at], full[at] = True, values[mine]
            self._store_cell(number, full, mask)

    def _split(self, block: Array, thread: Array, cell: Array, site: Site) -> Iterator[tuple[int, Array, Any]]:
        for number in np.unique(cell).tolist():
            mine = cell == number
            yield self._checked(number, site), mine, (block[mine], thread[mine])

    def _load_cell(self, lanes: Lanes, cell: int, mask: Mask, site: Site) -> Any:
        missing = ~np.broadcast_to(self.written[cell], lanes.shape)
        wrong = missing if mask is None else missing & mask
        if self.written[cell] is not True and wrong.any():
            name = lanes.name(int(lanes.present(None).actor[int(np.argmax(wrong))]))
            raise UninitializedError(f"{name} reads unwritten element {cell} of its {site.buffer}\n{site.where}")
        return self.cells[cell]

    def _store_cell(self, cell: int, value: Any, mask: Mask) -> None:
        if mask is None:
            self.cells[cell], self.written[cell] = value, True
        else:
            old = np.zeros((), self.dtype) if self.cells[cell] is None else self.cells[cell]
            self.cells[cell], self.written[cell] = np.where(mask, value, old), self.written[cell] | mask

    def _chosen(self, lanes: Lanes, index: Any, mask: Mask, site: Site) -> list[tuple[int, Array]]:
        full = np.broadcast_to(index, lanes.shape)
        active = np.ones(lanes.shape, bool) if mask is None else np.broadcast_to(mask, lanes.shape)
        return [(self._checked(int(cell), site), active & (full == cell)) for cell in np.unique(full[active])]

    def _checked(self, cell: int, site: Site) -> int:
        if not 0 <= cell < self.size:
            out_of_bounds(self.size, cell, "a thread", site)
        return cell
