"""Flat memory that threads share: bounds, initialisation and races of every access are checked.

An index is an integer or an array that broadcasts to (blocks, threads), as is the mask of active lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import NoReturn, Protocol

import numpy as np

from tilewright.dtypes import dtype
from tilewright.errors import BarrierError, RaceError, UninitializedError
from tilewright.targets.simulator.memory.access import Array, Lanes, Mask, Operand, out_of_bounds
from tilewright.targets.simulator.memory.pending import Pending
from tilewright.targets.simulator.order.beyond import RELAXED, Sync
from tilewright.targets.simulator.order.clocks import Flags, Numbers
from tilewright.targets.simulator.order.ordered import synchronise
from tilewright.targets.simulator.order.present import Present, actor_of
from tilewright.targets.simulator.order.recent import named
from tilewright.targets.simulator.order.shadow import Shadow
from tilewright.targets.simulator.sides import Side, told_of
from tilewright.targets.simulator.sites import Site

# What may be missing between two accesses, by the plane of the later one.
_TENSOR = "tcgen05.fence::before_thread_sync and tcgen05.fence::after_thread_sync"
_FENCES = ("fence.proxy.async", "fence.proxy.async", "fence.mbarrier_init", _TENSOR, _TENSOR)
SCOPES = ", and the scope of one leaves out the other"
SIZES = ", and they overlap as elements of two views, which are not atomic to each other"
_ADDED = 2  # numpy's `isbuiltin` of types that others, such as ml_dtypes, have added
MISSING = ("barrier", *(f"barrier, or no {fence}," for fence in _FENCES))


class Join(Protocol):
    """What makes of an element and a value the new element, as numpy's functions are."""

    def accumulate(self, array: Array, /, *, dtype: np.dtype[np.generic]) -> Array:
        """Each element joined with all before it."""


@dataclass(eq=False)
class Memory:
    """`data` holds `size` elements for all blocks; where the memory is `apart`, a copy of so many for each.

    A block's copy begins `pitch` elements behind the one before: as many as it has, or `step` where views share bytes.
    What is not apart has its values from the start. Without a shadow no lane ever writes. `agreed` takes note of
    threads that write one value to one element with no barrier between; where it is None that is an error.
    """

    data: Array
    size: int
    shadow: Shadow | None = None
    apart: bool = False
    agreed: dict[Site, str] | None = None
    pending: Pending | None = None  # from the first asynchronous access on
    live: Flags | None = None  # which elements are mbarriers
    changes: int = 0  # how often something was stored, or changed atomically
    step: int = 0

    @property
    def pitch(self) -> int:
        """The elements from a block's copy to the next one's."""
        return self.step or self.size

    def load(self, lanes: Lanes, index: Operand, mask: Mask, site: Site) -> Array:
        """The element at each active lane's index; 0 at the others."""
        values = self.read(self._locate(lanes, index, mask, site), lanes, lanes.present(mask), site)
        return self._spread(values, lanes, mask)

    def store(self, lanes: Lanes, index: Operand, value: Operand, mask: Mask, site: Site) -> None:
        """Puts each active lane's value at its index."""
        at = self._locate(lanes, index, mask, site)
        self.write(at, self._of_active(value, lanes, mask), lanes, lanes.present(mask), site)

    def update(
        self,
        lanes: Lanes,
        index: Operand,
        value: Operand,
        mask: Mask,
        site: Site,
        function: Join | None,
        sync: Sync = RELAXED,
    ) -> Array:
        """Lane after lane, function(element, value) takes the element's place; what it was, 0 at inactive lanes."""
        values = self._of_active(value, lanes, mask)
        return self._change(lanes, index, mask, site, sync, lambda at: updated(self.data, at, values, function))

    def swap(
        self, lanes: Lanes, index: Operand, pair: tuple[Operand, Operand], mask: Mask, site: Site, sync: Sync
    ) -> Array:
        """Lane after lane, the second takes the element's place where that is the first; what it was."""
        expected, values = (self._of_active(value, lanes, mask) for value in pair)
        return self._change(lanes, index, mask, site, sync, lambda at: swapped(self.data, at, expected, values))

    def observe(self, lanes: Lanes, index: Operand, mask: Mask, site: Site, sync: Sync) -> Array:
        """The elements, which others may change atomically at the same time; 0 at inactive lanes."""
        at, present = self._locate(lanes, index, mask, site), lanes.present(mask)
        self._reserved(at, lanes, present, site)
        if self.shadow is not None:
            self.shadow.recent.note(site, at, present.actor, present.clocks.now)
            self._written(at, lanes, present, site)
            self._refuse(self.shadow.observing(at, present), at, lanes, present, site, "writes")
            self._refuse_left_out(at, lanes, present, site, sync)
        lanes.one_by_one(synchronise(present, id(self.data), at, sync), site.op)
        return self._spread(self.data.take(at), lanes, mask)

    def _change(
        self, lanes: Lanes, index: Operand, mask: Mask, site: Site, sync: Sync, change: Callable[[Array], Array]
    ) -> Array:
        at = self._locate(lanes, index, mask, site)
        return self._spread(self._changed(at, lanes, lanes.present(mask), site, sync, change), lanes, mask)

    def alter(
        self, at: Array, values: Array, lanes: Lanes, present: Present, site: Site, function: np.ufunc, sync: Sync
    ) -> Array:
        """As `update`, at positions of `data` that are known to lie inside."""
        return self._changed(at, lanes, present, site, sync, lambda at: updated(self.data, at, values, function))

    def _changed(
        self, at: Array, lanes: Lanes, present: Present, site: Site, sync: Sync, change: Callable[[Array], Array]
    ) -> Array:
        self._reserved(at, lanes, present, site)
        if self.shadow is not None:
            self.shadow.recent.note(site, at, present.actor, present.clocks.now)
            if sync.changes:
                self._written(at, lanes, present, site)
            for rivals, did in zip(self.shadow.updating(at, present), ("writes", "reads"), strict=True):
                self._refuse(rivals, at, lanes, present, site, did)
            self._refuse_left_out(at, lanes, present, site, sync)
            if not sync.changes and self.apart:
                self.shadow.fill(at, present)
        before = change(at)
        self.changes += not same_bits(before, self.data.take(at)).all()
        lanes.one_by_one(synchronise(present, id(self.data), at, sync), site.op)
        return before

    def _refuse_left_out(self, at: Array, lanes: Lanes, present: Present, site: Site, sync: Sync) -> None:
        """Raises `RaceError` where atomic accesses are not for each other, or not of the same bytes."""
        assert self.shadow is not None, "asked where lanes are checked"
        left_out = self.shadow.reaching(at, present, sync.scope, sync.writes)
        for found, why in ((left_out, SCOPES), (self.shadow.mixing(at, present, sync.writes), SIZES)):
            for rivals, did in zip(found, ("changes", "reads"), strict=True):
                self._refuse(rivals, at, lanes, present, site, did, why)

    def _of_active(self, value: Operand, lanes: Lanes, mask: Mask) -> Array:
        full = np.broadcast_to(np.asarray(value, self.data.dtype), lanes.shape)
        return full.reshape(-1) if mask is None else full[mask]

    def _spread(self, values: Array, lanes: Lanes, mask: Mask) -> Array:
        if mask is None:
            return values.reshape(lanes.shape)
        full = np.zeros(lanes.shape, self.data.dtype)
        full[mask] = values
        return full

    def _written(self, at: Array, lanes: Lanes, present: Present, site: Site) -> None:
        """Raises `UninitializedError` where an element has no value."""
        missing = self.shadow.unwritten(at) if self.shadow is not None and self.apart else None
        if missing is not None:
            bad = int(np.argmax(missing))
            name, actor = lanes.name(int(present.actor[bad])), int(present.actor[bad])
            side = Side.of("reads", site, int(at[bad]) % self.pitch, actor, present.clocks)
            self._uninitialised(int(at[bad]), name, side)

    def forget(self, rows: Array) -> None:
        """What is in the copies of these blocks counts as unwritten again; who touched it last is still known."""
        if self.shadow is not None:
            self.shadow.forget(rows, self.pitch)

    def held(self, lanes: Lanes, row: int, column: int) -> tuple[Array, Array]:
        """The elements as the lane there would find them, and which of them have a value; nobody is asked."""
        start = int(lanes.rows[row]) * self.pitch if self.apart else 0
        part = np.arange(start, start + self.size)
        missing = self.shadow.unwritten(part) if self.apart and self.shadow is not None else None
        return self.data.take(part), np.ones(self.size, bool) if missing is None else ~missing

    def read(self, at: Array, lanes: Lanes, present: Present, site: Site) -> Array:
        """The elements at positions of `data` that are known to lie inside, read by these lanes."""
        self._reserved(at, lanes, present, site)
        if self.shadow is not None:
            self.shadow.recent.note(site, at, present.actor, present.clocks.now)
            self._written(at, lanes, present, site)
            self._refuse(self.shadow.reading(at, present), at, lanes, present, site, "writes")
        values: Array = self.data.take(at)
        return values

    def write(self, at: Array, values: Array, lanes: Lanes, present: Present, site: Site) -> None:
        """Puts the values at positions of `data` that are known to lie inside, written by these lanes."""
        self._reserved(at, lanes, present, site)
        self.changes += 1
        if self.shadow is None:
            self.data[at] = values
            return
        self.shadow.recent.note(site, at, present.actor, present.clocks.now)
        writers, readers, changers = self.shadow.writing(at, present, lambda: same_bits(self.data[at], values))
        self._refuse(readers, at, lanes, present, site, "reads")
        self._refuse(changers, at, lanes, present, site, "changes")  # of one value, too, as if the other came second
        self._refuse(self._differing(writers, at, values, lanes, present, site), at, lanes, present, site, "writes")
        self.data[at] = values
        rivals = self.shadow.rivals(at, present)
        self._refuse(self._differing(rivals, at, values, lanes, present, site), at, lanes, present, site, "writes")

    def begin(self, at: Array, lanes: Lanes, present: Present, site: Site) -> None:
        """Work that goes on by itself is to access these positions for the lanes, as the site says."""
        self._reserved(at, lanes, present, site)
        if self.shadow is not None:
            if site.kind == "load":
                self._written(at, lanes, present, site)
            found = self.shadow.beginning(at, present, site.kind)
            for rivals, did in zip(found, ("writes", "reads"), strict=True):
                self._refuse(rivals, at, lanes, present, site, did)
            self.shadow.recent.note(site, at, None, present.clocks.now)

    def synchronise(self, at: Array, lanes: Lanes, present: Present, site: Site) -> None:
        """The lanes work on the mbarriers at these positions.

        Raises:
            BarrierError: there is none.
            RaceError: who made it lies not before.
        """
        dead = ~self.live.take(at) if self.live is not None else np.ones(len(at), bool)
        if dead.any():
            bad = int(np.argmax(dead))
            who = lanes.name(int(present.actor[bad]))
            text = f"{who} uses {self.element(int(at[bad]), site)} as an mbarrier, before mbarrier.init"
            raise BarrierError(f"{text}\n{site.where}")
        if self.shadow is not None:
            for rivals, did in zip(self.shadow.updating(at, present), ("writes", "reads"), strict=True):
                self._refuse(rivals, at, lanes, present, site, did)

    def element(self, at: int, site: Site) -> str:
        """The element at a position of `data` for a message: its number, first byte, and coordinate if one is known."""
        number = at % self.pitch
        text = f"element {number} of {site.buffer} (byte {number * bits_of(self.data.dtype) // 8})"
        found = site.coordinate(number)
        return f"{text} at {found}" if found else text

    def _reserved(self, at: Array, lanes: Lanes, present: Present, site: Site) -> None:
        """Raises where the positions are mbarriers, or work that goes on by itself is on its way to them."""
        if self.live is not None and (words := self.live.take(at)).any():
            bad = int(np.argmax(words))
            who, element = lanes.name(int(present.actor[bad])), self.element(int(at[bad]), site)
            raise BarrierError(f"{who} {site.does} {element}, which is an mbarrier\n{site.where}")
        met = None if self.pending is None else self.pending.met(at, site.kind)
        if met is not None and self.pending is not None:
            bad, other = met
            who, element = lanes.name(int(present.actor[bad])), self.element(int(at[bad]), site)
            what, begun = self.pending.describe(int(at[bad]), other)
            raise RaceError(f"{who} {site.does} {element}, which {what}\n{site.where}\n{begun}")

    def _differing(
        self, rivals: Numbers | None, at: Array, values: Array, lanes: Lanes, present: Present, site: Site
    ) -> Numbers | None:
        """The rivals that wrote another value; of the others one of each place is noted."""
        if rivals is None or self.agreed is None:
            return rivals
        same = same_bits(self.data[at], values)
        older = None if self.shadow is None else self.shadow.older(at, present)
        if older is not None:
            same &= older == 0
        noted = same & (rivals != 0)
        if noted.any():
            if site not in self.agreed:
                self.agreed[site] = self._race(int(np.argmax(noted)), rivals, at, lanes, present, site, "writes")
            self._agree(rivals[noted], at[noted], lanes, present.actor[noted], site)
        return np.where(same, 0, rivals)

    def _agree(self, rivals: Numbers, at: Array, lanes: Lanes, actor: Numbers, site: Site) -> None:
        """Takes note of where the others wrote: who comes second is the schedule's choice."""
        assert self.agreed is not None, "checks are not strict"
        assert self.shadow is not None, "rivals are known"
        rival = actor_of(rivals)
        for other, bad in self.shadow.recent.stores(at, rival):
            if other not in self.agreed:
                me, who = lanes.name(int(rival[bad])), lanes.name(int(actor[bad]))
                text = f"{me} writes {self.element(int(at[bad]), other)}, which {who} writes with no barrier between"
                self.agreed[other] = f"{text}\n{other.where}\n{site.where}"

    def _locate(self, lanes: Lanes, index: Operand, mask: Mask, site: Site) -> Array:
        """Positions in `data` of the active lanes' elements, checked and counted."""
        found = np.asarray(index, np.int64)
        if mask is not None:
            placed = self._placed(lanes, found, mask, site)
        else:
            size = 8 * prod(lanes.shape)
            placed = lanes.following(self, found, size, lambda: self._placed(lanes, found, None, site))
        lanes.count(site, found, mask)
        return placed

    def _placed(self, lanes: Lanes, found: Array, mask: Mask, site: Site) -> Array:
        if not site.inside and (found.min(initial=0) < 0 or found.max(initial=0) >= self.size):
            self._check_bounds(lanes, found, mask, site)
        if self.apart:
            rows = lanes.rows if lanes.rows.ndim > 1 else lanes.rows[:, None]
            found = found + rows * self.pitch
        placed: Array = np.broadcast_to(found, lanes.shape)
        return placed.reshape(-1) if mask is None else placed[mask]

    def _check_bounds(self, lanes: Lanes, index: Array, mask: Mask, site: Site) -> None:
        outside = np.broadcast_to((index < 0) | (index >= self.size), lanes.shape)
        outside = outside if mask is None else outside & mask
        if outside.any():
            bad = int(np.argmax(outside))
            at = int(np.broadcast_to(index, lanes.shape).flat[bad])
            present = lanes.present(None)
            actor = int(present.actor[bad])
            side = Side.of(site.does, site, at, actor, present.clocks)
            out_of_bounds(self.size, at, lanes.name(actor), site, side=side)

    def _uninitialised(self, at: int, name: str, side: Side) -> NoReturn:
        site = side.site
        text = f"{name} reads {self.element(at, site)}, which nothing has written\n{site.where}"
        raise told_of(UninitializedError(text), side)

    def _refuse(
        self,
        rivals: Numbers | None,
        at: Array,
        lanes: Lanes,
        present: Present,
        site: Site,
        did: str,
        why: str = "",
    ) -> None:
        if rivals is not None and rivals.any():
            bad = int(np.argmax(rivals != 0))
            pair = np.array([present.actor[bad], actor_of(rivals[bad])])
            apart = _of_blocks(pair // (present.clocks.width * present.clocks.cluster))
            text = self._race(bad, rivals, at, lanes, present, site, did, why) + apart
            raise told_of(RaceError(text), *self._sides(bad, rivals, at, present, site, did))

    def _sides(self, bad: int, rivals: Numbers, at: Array, present: Present, site: Site, did: str) -> tuple[Side, Side]:
        """Both accesses of a race."""
        element, there = int(at[bad]) % self.pitch, self._others(bad, rivals, at, site, did)
        did = did if len(there) < 2 else f"perhaps {did}"
        mine = Side.of(site.does, site, element, int(present.actor[bad]), present.clocks)
        return mine, Side.of(did, (*there, site)[0], element, int(actor_of(rivals[bad])), present.clocks)

    def _others(self, bad: int, rivals: Numbers, at: Array, site: Site, did: str) -> list[Site]:
        return [] if self.shadow is None else self.shadow.recent.others(site, did, int(at[bad]), int(rivals[bad]))

    def _race(
        self,
        bad: int,
        rivals: Numbers,
        at: Array,
        lanes: Lanes,
        present: Present,
        site: Site,
        did: str,
        why: str = "",
    ) -> str:
        rival = int(actor_of(rivals[bad]))
        me, other = lanes.name(int(present.actor[bad])), lanes.name(rival)
        doing = {"load": "reads", "store": "writes"}.get(site.kind, "changes")
        element = self.element(int(at[bad]), site)
        there = named(self._others(bad, rivals, at, site, did), site)
        text = f"{me} {doing} {element}, which {other} {did} with no {MISSING[present.plane]} between{why}"
        return f"{text}\n{site.where}{there}"


def _of_blocks(clusters: Numbers) -> str:
    """What would order the lanes of two blocks, of these clusters; nothing more where a barrier is for both."""
    if clusters[0] == clusters[1]:
        return ""
    return (
        "\n  (no barrier is for both blocks: one releases and the other acquires, each behind a barrier of its block)"
    )


def bits_of(held: np.dtype[np.generic]) -> int:
    """The bits of an element in a kernel's memory, of which numpy may hold each in a byte.

    >>> bits_of(np.dtype("float32")), bits_of(dtype("int4").numpy())
    (32, 4)
    """
    return dtype(held.name).bits if held.isbuiltin == _ADDED else 8 * held.itemsize


def same_bits(a: Array, b: Array) -> Array:
    """Elementwise: are these the same bits?"""

    def rows(x: Array) -> Array:
        return np.ascontiguousarray(x).view(np.uint8).reshape(len(x), x.itemsize)

    return np.asarray((rows(a) == rows(b)).all(axis=1))


def updated(data: Array, at: Array, values: Array, function: Join | None) -> Array:
    """Puts function(element, value), or the value, in the place of each element in turn; gives what was there before.

    >>> data = np.array([5, 7])
    >>> updated(data, np.array([0, 1, 0]), np.array([1, 2, 3]), np.add).tolist(), data.tolist()
    ([5, 7, 6], [9, 9])
    """
    order = np.argsort(at, kind="stable")
    places, starts = np.unique(at[order], return_index=True)
    before = np.empty_like(values)
    for place, group in zip(places, np.split(order, starts[1:]), strict=True):
        chain = np.concatenate([data[place : place + 1], values[group]])
        chain = chain if function is None else function.accumulate(chain, dtype=chain.dtype)
        before[group], data[place] = chain[:-1], chain[-1]
    return before


def swapped(data: Array, at: Array, expected: Array, values: Array) -> Array:
    """Puts the value in the place of each element in turn that is as expected; gives what was there before.

    >>> data = np.array([0, 7])
    >>> swapped(data, np.array([0, 0, 1]), np.array([0, 0, 0]), np.array([1, 2, 3])).tolist(), data.tolist()
    ([0, 1, 7], [1, 7])
    """
    before = np.empty_like(values)
    for lane, place in enumerate(at.tolist()):
        before[lane] = data[place]
        if before[lane] == expected[lane]:
            data[place] = values[lane]
    return before
