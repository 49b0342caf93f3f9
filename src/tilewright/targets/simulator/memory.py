"""Memory that checks every access: bounds, initialisation, races.

A `Memory` is flat and shared by threads: a whole buffer in global memory, or one copy a block of a shared buffer.
`Registers` are a thread's own. Both answer `load` and `store` of one element a lane; an index is an integer or an
array that broadcasts to (blocks, threads), as is the mask of active lanes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np

from tilewright.errors import OutOfBoundsError, RaceError, UninitializedError
from tilewright.targets.simulator.order.clocks import Numbers, Present, actor_of
from tilewright.targets.simulator.order.shadow import Shadow
from tilewright.targets.simulator.sites import Site

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]
Mask: TypeAlias = Array | None


class Machine(Protocol):
    """What a memory must know of the launch: shape (blocks, threads) of the lanes, who they are, what is counted."""

    @property
    def shape(self) -> tuple[int, int]:
        """Blocks and threads."""

    def lanes(self, mask: Mask) -> Present:
        """The active lanes, flat."""

    def name(self, thread: int) -> str:
        """The thread as a person names it."""

    def count(self, site: Site, index: Array, mask: Mask) -> None:
        """One access of the active lanes, each to the element at its index, which broadcasts to (blocks, threads)."""


@dataclass(eq=False)
class Memory:
    """`data` holds `size` elements for each of the copies that start at `offset`, one a block or one for all.

    What is `given` has a value from the start. Without a shadow no lane ever writes.
    """

    machine: Machine
    data: Array
    size: int
    offset: Any = 0
    shadow: Shadow | None = None
    given: bool = True

    def load(self, index: Any, mask: Mask, site: Site) -> Array:
        """The element at each active lane's index; 0 at the others."""
        at = self._locate(index, mask, site)
        return self._spread(self.read(at, self.machine.lanes(mask), site), mask)

    def store(self, index: Any, value: Any, mask: Mask, site: Site) -> None:
        """Puts each active lane's value at its index."""
        at = self._locate(index, mask, site)
        full = np.broadcast_to(np.asarray(value, self.data.dtype), self.machine.shape)
        self.write(at, full.reshape(-1) if mask is None else full[mask], self.machine.lanes(mask), site)

    def forget(self) -> None:
        """What is in the memory counts as unwritten again; who touched it last is still known."""
        if self.shadow is not None:
            self.shadow.forget()

    def read(self, at: Array, lanes: Present, site: Site) -> Array:
        """The elements at positions of `data` that are known to lie inside, read by these lanes."""
        if self.shadow is not None:
            missing = None if self.given else self.shadow.unwritten(at)
            if missing is not None:
                self._uninitialised(int(np.argmax(missing)), at, lanes, site)
            self._refuse(self.shadow.reading(at, lanes), at, lanes, site, "writes")
        values: Array = self.data.take(at)
        return values

    def write(self, at: Array, values: Array, lanes: Present, site: Site) -> None:
        """Puts the values at positions of `data` that are known to lie inside, written by these lanes."""
        if self.shadow is None:
            self.data[at] = values
            return
        writers, readers = self.shadow.writing(at, lanes)
        self._refuse(readers, at, lanes, site, "reads")
        self._refuse(self._differing(writers, at, values), at, lanes, site, "writes")
        self.data[at] = values
        self._refuse(self._differing(self.shadow.rivals(at, lanes), at, values), at, lanes, site, "writes")

    def _differing(self, rivals: Numbers | None, at: Array, values: Array) -> Numbers | None:
        """Threads that write one and the same value agree on the result: that is no error."""
        return None if rivals is None else np.where(same_bits(self.data[at], values), 0, rivals)

    def _locate(self, index: Any, mask: Mask, site: Site) -> Array:
        """Positions in `data` of the active lanes' elements, checked and counted."""
        found = np.asarray(index, np.int64)
        if found.min(initial=0) < 0 or found.max(initial=0) >= self.size:
            self._check_bounds(found, mask, site)
        self.machine.count(site, found, mask)
        placed: Array = np.broadcast_to(found + self.offset, self.machine.shape)
        return placed.reshape(-1) if mask is None else placed[mask]

    def _spread(self, values: Array, mask: Mask) -> Array:
        if mask is None:
            return values.reshape(self.machine.shape)
        full = np.zeros(self.machine.shape, self.data.dtype)
        full[mask] = values
        return full

    def _check_bounds(self, index: Array, mask: Mask, site: Site) -> None:
        outside = np.broadcast_to((index < 0) | (index >= self.size), self.machine.shape)
        outside = outside if mask is None else outside & mask
        if outside.any():
            bad = int(np.argmax(outside))
            thread = int(self.machine.lanes(None).actor[bad])
            at = int(np.broadcast_to(index, self.machine.shape).flat[bad])
            out_of_bounds(self.size, at, self.machine.name(thread), site)

    def _uninitialised(self, bad: int, at: Array, lanes: Present, site: Site) -> NoReturn:
        name, element = self.machine.name(int(lanes.actor[bad])), int(at[bad]) % self.size
        raise UninitializedError(
            f"{name} reads element {element} of {site.buffer}, which nothing has written\n{site.where}"
        )

    def _refuse(self, rivals: Numbers | None, at: Array, lanes: Present, site: Site, did: str) -> None:
        if rivals is not None and rivals.any():
            bad = int(np.argmax(rivals != 0))
            me, other = (self.machine.name(int(actor)) for actor in (lanes.actor[bad], actor_of(rivals[bad])))
            doing = "reads" if site.kind == "load" else "writes"
            raise RaceError(
                f"{me} {doing} element {at[bad] % self.size} of {site.buffer}, which {other} {did} "
                f"with no barrier between\n{site.where}"
            )


class Registers:
    """A local buffer: one array over all lanes for each element, so a thread can only reach its own."""

    def __init__(self, machine: Machine, size: int, dtype: np.dtype[Any]) -> None:
        self.machine, self.size, self.dtype = machine, size, dtype
        self.cells: list[Any] = [None] * size
        self.written: list[Any] = [False] * size  # False, True, or a mask of lanes

    def load(self, index: Any, mask: Mask, site: Site) -> Any:
        """The element at each active lane's index."""
        if type(index) is int:
            return self._load_cell(self._checked(index, site), mask, site)
        result = np.zeros(self.machine.shape, self.dtype)
        for cell, chosen in self._cells(index, mask, site):
            result = np.where(chosen, self._load_cell(cell, chosen, site), result)
        return result

    def store(self, index: Any, value: Any, mask: Mask, site: Site) -> None:
        """Puts each active lane's value at its index."""
        if type(index) is int:
            self._store_cell(self._checked(index, site), value, mask)
            return
        for cell, chosen in self._cells(index, mask, site):
            self._store_cell(cell, value, chosen)

    def gather(self, block: Array, thread: Array, cell: Array, site: Site) -> Array:
        """The elements in cells of threads, given by three arrays of one shape."""
        values = np.zeros(cell.shape, self.dtype)
        for number, mine, at in self._split(block, thread, cell, site):
            lanes = np.zeros(self.machine.shape, bool)
            lanes[at] = True
            values[mine] = np.broadcast_to(self._load_cell(number, lanes, site), self.machine.shape)[at]
        return values

    def scatter(self, block: Array, thread: Array, cell: Array, values: Array, site: Site) -> None:
        """Puts the values into cells of threads, given by arrays of one shape."""
        for number, mine, at in self._split(block, thread, cell, site):
            lanes, full = np.zeros(self.machine.shape, bool), np.zeros(self.machine.shape, self.dtype)
            lanes[at], full[at] = True, values[mine]
            self._store_cell(number, full, lanes)

    def _split(self, block: Array, thread: Array, cell: Array, site: Site) -> Iterator[tuple[int, Array, Any]]:
        for number in np.unique(cell).tolist():
            mine = cell == number
            yield self._checked(number, site), mine, (block[mine], thread[mine])

    def _load_cell(self, cell: int, mask: Mask, site: Site) -> Any:
        missing = ~np.broadcast_to(self.written[cell], self.machine.shape)
        wrong = missing if mask is None else missing & mask
        if self.written[cell] is not True and wrong.any():
            thread = int(self.machine.lanes(None).actor[int(np.argmax(wrong))])
            element = f"element {cell} of its {site.buffer}"
            raise UninitializedError(f"{self.machine.name(thread)} reads unwritten {element}\n{site.where}")
        return self.cells[cell]

    def _store_cell(self, cell: int, value: Any, mask: Mask) -> None:
        if mask is None:
            self.cells[cell], self.written[cell] = value, True
        else:
            old = np.zeros((), self.dtype) if self.cells[cell] is None else self.cells[cell]
            self.cells[cell], self.written[cell] = np.where(mask, value, old), self.written[cell] | mask

    def _cells(self, index: Any, mask: Mask, site: Site) -> list[tuple[int, Array]]:
        full = np.broadcast_to(index, self.machine.shape)
        active = np.ones(self.machine.shape, bool) if mask is None else np.broadcast_to(mask, self.machine.shape)
        return [(self._checked(int(cell), site), active & (full == cell)) for cell in np.unique(full[active])]

    def _checked(self, cell: int, site: Site) -> int:
        if not 0 <= cell < self.size:
            out_of_bounds(self.size, cell, "a thread", site)
        return cell


def out_of_bounds(size: int, index: int, thread: str, site: Site) -> NoReturn:
    """Raises the error for an access outside a buffer."""
    raise OutOfBoundsError(
        f"{thread} accesses element {index} of {site.buffer}, which has {size} elements\n{site.where}"
    )


def same_bits(a: Array, b: Array) -> Array:
    """Elementwise: are these the same bits?"""

    def rows(x: Array) -> Array:
        return np.ascontiguousarray(x).view(np.uint8).reshape(len(x), x.itemsize)

    return np.asarray((rows(a) == rows(b)).all(axis=1))
