"""Registers in which products go on by themselves: who may touch which of them, and what a fence is still missing for.

A product has a number, its ticket; those up to `done` have been waited for. `marks` is how many fences there had been
when a register was last used, `kinds` by whom: a lane, or a product, by the kind of its operand. Products of one kind
may follow each other in a register as they like; after any other use a fence has to come first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from tilewright.errors import RaceError
from tilewright.targets.simulator.memory.access import Lanes, Mask, Number, select
from tilewright.targets.simulator.sites import Site

LANE, FACTOR = 0, -1  # a lane's own use; a product reads A there. Accumulators have positive kinds.

Join: TypeAlias = Callable[[Number, Number], Number]


class Guard:
    """What is known of each of so many registers, as a number for all lanes or one for each."""

    def __init__(self, size: int) -> None:
        self.tickets: list[Number] = [0] * size
        self.marks: list[Number] = [-1] * size
        self.kinds: list[Number] = [LANE] * size
        self.fences: Number = 0
        self.done: Number = 0

    def each(self, change: Callable[[Number], Number]) -> Guard:
        """The same of a part of the lanes."""
        found = type(self)(0)
        found.tickets, found.marks, found.kinds = (list(map(change, x)) for x in (self.tickets, self.marks, self.kinds))
        found.fences, found.done = change(self.fences), change(self.done)
        return found

    def with_(self, other: Guard, join: Join) -> Guard:
        """These of some lanes and those of others."""
        found = type(self)(0)
        found.tickets = list(map(join, self.tickets, other.tickets))
        found.marks = list(map(join, self.marks, other.marks))
        found.kinds = list(map(join, self.kinds, other.kinds))
        found.fences, found.done = join(self.fences, other.fences), join(self.done, other.done)
        return found

    def touch(self, lanes: Lanes, cell: int, mask: Mask, site: Site) -> None:
        """Lanes read or write a register themselves.

        Raises:
            RaceError: a product works in it.
        """
        text = "in which a product on its way works, for which nobody has waited: wgmma.wait_group"
        self._refuse(self.tickets[cell] > self.done, lanes, cell, mask, site, text)
        self.marks[cell] = _where(mask, self.fences, self.marks[cell])
        self.kinds[cell] = _where(mask, LANE, self.kinds[cell])

    def begin(self, lanes: Lanes, cells: range, kind: int, ticket: int, mask: Mask, site: Site) -> None:
        """A product begins to work in these registers.

        Raises:
            RaceError: another kind of product is in one of them, or a fence is missing.
        """
        for cell in cells:
            other = self.kinds[cell] != kind
            text = "in which a product of another shape is on its way, for which nobody has waited"
            self._refuse((self.tickets[cell] > self.done) & other, lanes, cell, mask, site, text)
            text = "which was used with no wgmma.fence between"
            self._refuse((self.marks[cell] == self.fences) & other, lanes, cell, mask, site, text)
            self.tickets[cell] = _where(mask, ticket, self.tickets[cell])
            self.marks[cell] = _where(mask, self.fences, self.marks[cell])
            self.kinds[cell] = _where(mask, kind, self.kinds[cell])

    def fence(self, mask: Mask) -> None:
        """What lanes did before comes before the products that begin later."""
        self.fences = _where(mask, self.fences + 1, self.fences)

    def finish(self, done: Number) -> None:
        """Products up to that number are done; of lanes that have waited for none it is 0."""
        both = self.done, done
        self.done = max(both) if all(isinstance(x, int) for x in both) else np.maximum(*both)

    def _refuse(self, wrong: Number, lanes: Lanes, cell: int, mask: Mask, site: Site, text: str) -> None:
        if wrong is False or not np.any(wrong if mask is None else wrong & mask):
            return
        at = int(np.argmax(np.broadcast_to(wrong if mask is None else wrong & mask, lanes.shape)))
        who = lanes.name(int(lanes.present(None).actor[at]))
        raise RaceError(f"{who} {site.does} element {cell} of its {site.buffer}, {text}\n{site.where}")


class Loads(Guard):
    """Registers to which words of tensor memory are on their way."""

    def touch(self, lanes: Lanes, cell: int, mask: Mask, site: Site) -> None:
        """Lanes read or write a register.

        Raises:
            RaceError: a word is on its way to it.
        """
        text = "to which a tcgen05.ld is on its way, for which nobody has waited: tcgen05.wait::ld"
        self._refuse(self.tickets[cell] > self.done, lanes, cell, mask, site, text)

    def load(self, cells: range, ticket: int, mask: Mask) -> None:
        """Words are on their way to these registers."""
        for cell in cells:
            self.tickets[cell] = _where(mask, ticket, self.tickets[cell])


def _where(mask: Mask, new: Number, old: Number) -> Number:
    return new if mask is None else select(mask, new, old)
