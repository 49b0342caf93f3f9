"""What a memory remembers of its accesses, so that a race is seen at the second of the two that race.

For each element: the epoch of the last write, and of a read that no other read follows. Where two reads are not
ordered, the earlier one goes to the `Crowd`, which is asked when the element is next written. Reads that lie before
another need not be remembered: who races with them races with the later one. So nothing is missed, and nothing is
reported that is ordered. Atomic accesses do not race with each other: they are remembered as reads are, beside them.

Source: the epochs of C. Flanagan and S. Freund, FastTrack: Efficient and Precise Dynamic Race Detection, 2009.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tilewright.targets.simulator.order.clocks import GENERIC, TENSOR, TIME, Flags, Numbers
from tilewright.targets.simulator.order.crowd import Crowd
from tilewright.targets.simulator.order.peers import Peers, either, unordered
from tilewright.targets.simulator.order.present import Present, actor_of
from tilewright.targets.simulator.order.recent import Recent
from tilewright.targets.simulator.order.scoped import Scoped
from tilewright.targets.simulator.order.scopes import Scope


class Shadow:
    """The epochs of the elements of one memory; a negative one of a write says that its value is forgotten.

    `reading`, `writing` and `rivals` answer with an epoch for each lane, that of an access which races with the lane's,
    or 0; None where no lane races.

    Args:
        elements: how many.
        width: the number of actors of a block.
        reads: are readers remembered? A memory that the kernel only writes needs none.
        apart: has each block its own elements? Then a barrier of all its warps settles what lies before.
        edges: may lanes learn what those of other blocks did?
        scoped: are there atomic accesses that are not for all?
    """

    def __init__(
        self,
        elements: int,
        width: int,
        *,
        reads: bool = True,
        apart: bool = False,
        edges: bool = False,
        scoped: bool = False,
    ) -> None:
        self.apart, self.edges = apart, edges
        self.width = width
        self.written: Numbers = np.zeros(elements, np.int64)
        self.forgets = False  # is any of these negative?
        self.unlike: Numbers | None = None  # of the last write of another value, from the first that was overwritten on
        self.agreed = Crowd(width, thins=not edges)  # writes that others of the same value have followed, unordered
        self.readers = Peers(elements, width, edges=edges) if reads else None
        self.atomics: Peers | None = None  # from the first on
        self.recent = Recent()
        self.polls: Peers | None = None  # atomic reads: they race with what is written otherwise
        self.by_extent: dict[tuple[int, int], tuple[Peers, Peers]] = {}  # atomic changes and reads, of several views
        self.scoped = (Scoped(), Scoped()) if scoped else None  # atomic changes, and atomic reads

    def forget(self, rows: Numbers, size: int) -> None:
        """The values in these rows of so many elements count as unwritten again; who touched them is still known."""
        written = self.written.reshape(-1, size)
        written[rows] = -np.abs(written[rows])
        self.forgets = True

    def fill(self, at: Numbers, lanes: Present) -> None:
        """The elements have values, which the lanes put there atomically; who else wrote them last stays known."""
        before_all = np.maximum(lanes.actor, 1)  # at time 0, by someone of the block
        self.written[at] = np.maximum(np.abs(self.written[at]), before_all)

    def unwritten(self, at: Numbers) -> Flags | None:
        """Which of the elements have no value? None where all have."""
        last = self.written.take(at)
        return last <= 0 if last.min(initial=1) <= 0 else None

    def reading(self, at: Numbers, lanes: Present) -> Numbers | None:
        """The lanes read the elements: the writes that they race with."""
        settled = self.settled(lanes)
        races = either(self._writes(at, self._last(at), lanes, settled), self._atomics(at, lanes, settled))
        if self.readers is not None:
            self.readers.join(at, lanes, settled)
        return races

    def writing(
        self, at: Numbers, lanes: Present, same: Callable[[], Flags] | None = None
    ) -> tuple[Numbers | None, Numbers | None, Numbers | None]:
        """The lanes write the elements: the earlier writes, the reads, and the atomic changes, that they race with.

        `same` says which of them have that value already; without it nobody writes twice what races.
        """
        settled = self.settled(lanes)
        last = self._last(at)
        writes, changes = self._writes(at, last, lanes, settled), self._atomics(at, lanes, settled)
        reads = None if self.readers is None else self.readers.unordered(at, lanes.over_reads, settled)
        polls = None if self.polls is None else self.polls.unordered(at, lanes, settled)
        if same is not None and last.max(initial=0) >= settled:
            self._overwrite(at, last, ~same(), lanes, settled)
        self.written[at] = lanes.epoch
        return writes, either(reads, polls), changes

    def updating(self, at: Numbers, lanes: Present) -> tuple[Numbers | None, Numbers | None]:
        """The lanes change the elements atomically: the writes and the reads, not atomic, that they race with."""
        settled = self.settled(lanes)
        writes = self._writes(at, self._last(at), lanes, settled)
        reads = None if self.readers is None else self.readers.unordered(at, lanes, settled)
        if self.atomics is None:
            self.atomics = Peers(len(self.written), self.width, edges=self.edges)
        self.atomics.join(at, lanes, settled)
        return writes, reads

    def reaching(
        self, at: Numbers, lanes: Present, scope: Scope, writes: bool = True
    ) -> tuple[Numbers | None, Numbers | None]:
        """The atomic changes, and reads, that this one races with, as the scope of one leaves out the other."""
        if self.scoped is None:
            return None, None
        changes, reads = self.scoped
        (changes if writes else reads).join(at, lanes, scope)
        return changes.left_out(at, lanes, scope), reads.left_out(at, lanes, scope) if writes else None

    def mixing(self, at: Numbers, lanes: Present, writes: bool) -> tuple[Numbers | None, Numbers | None]:
        """The atomic changes, and reads, that this one races with, as they overlap it and are not of the same bytes."""
        return None, None

    def observing(self, at: Numbers, lanes: Present) -> Numbers | None:
        """The lanes read the elements atomically: the writes, not atomic, that they race with."""
        settled = self.settled(lanes)
        writes = self._writes(at, self._last(at), lanes, settled)
        if self.polls is None:
            self.polls = Peers(len(self.written), self.width, edges=self.edges)
        self.polls.join(at, lanes, settled)
        return writes

    def beginning(self, at: Numbers, lanes: Present, kind: str) -> tuple[Numbers | None, Numbers | None]:
        """An engine is about to access the elements for the lanes, by a `load`, `store` or `atomic` change.

        The writes, and the reads, that this races with; nothing is remembered until it has `landed`.
        """
        settled = self.settled(lanes)
        writes = self._writes(at, self._last(at), lanes, settled)
        if kind != "atomic":
            writes = either(writes, self._atomics(at, lanes, settled))
        if kind == "load":
            return writes, None
        # Reads elsewhere need no fence before a write; those before a shuffle have been made.
        fenced = lanes if lanes.plane == TENSOR else lanes.generic.over_reads
        reads = None if self.readers is None else self.readers.unordered(at, fenced, settled)
        polls = None if self.polls is None or kind == "atomic" else self.polls.unordered(at, fenced, settled)
        return writes, either(reads, polls)

    def read(self, at: Numbers, lanes: Present) -> None:
        """The lanes have read the elements, which nobody changed meanwhile."""
        if self.readers is not None:
            self.readers.join(at, lanes, 1)

    def landed(self, at: Numbers, epochs: Numbers, kind: str) -> None:
        """What an engine began is done, at these epochs."""
        if kind == "store":
            self.written[at] = epochs
        elif kind == "load":
            if self.readers is not None:
                self.readers.land(at, epochs)
        else:
            if self.atomics is None:
                self.atomics = Peers(len(self.written), self.width, edges=self.edges)
            self.atomics.land(at, epochs)

    def _overwrite(self, at: Numbers, before: Numbers, differs: Flags, lanes: Present, settled: int) -> None:
        """These elements get a value: an other one, or that which somebody wrote at the same time."""
        differs = differs & (before != 0)
        if differs.any():
            self.unlike = np.zeros(len(self.written), np.int64) if self.unlike is None else self.unlike
            self.unlike[at[differs]] = before[differs]
        followed = unordered(before, lanes, settled)
        if followed is not None:
            kept = followed != 0
            self.agreed.add(at[kept], followed[kept])

    def older(self, at: Numbers, lanes: Present) -> Numbers | None:
        """Writes of another value that lie before the last one, but not before the lanes."""
        return None if self.unlike is None else unordered(self.unlike.take(at), lanes, self.settled(lanes))

    def rivals(self, at: Numbers, lanes: Present) -> Numbers | None:
        """Right after `writing`: the writes of the same step to the same elements."""
        last = self.written.take(at)
        lost = last != lanes.epoch
        if not lost.any():
            return None
        self._keep_lost(at, last, lost, lanes)
        return np.where(lost, last, 0)

    def _keep_lost(self, at: Numbers, last: Numbers, lost: Flags, lanes: Present) -> None:
        """Of each other warp of the winner's block one write is kept; lanes of other blocks race with the winner."""
        size, winner = lanes.clocks.lanes, actor_of(last)
        kept = lost & (winner // self.width == lanes.actor // self.width) & (winner // size != lanes.actor // size)
        if kept.any():
            places, warps = at[kept], lanes.actor[kept] // size
            first = np.unique(places * (1 << TIME) + warps, return_index=True)[1]
            self.agreed.add(places[first], lanes.epoch[kept][first])

    def _last(self, at: Numbers) -> Numbers:
        """The epochs of the last writes, whether their values are forgotten or not."""
        last = self.written.take(at)
        return np.abs(last) if self.forgets else last

    def _writes(self, at: Numbers, last: Numbers, lanes: Present, settled: int) -> Numbers | None:
        agreed = self.agreed.unordered(at, lanes) if self.agreed.latest >= settled else None
        return either(unordered(last, lanes, settled), agreed)

    def _atomics(self, at: Numbers, lanes: Present, settled: int) -> Numbers | None:
        return None if self.atomics is None else self.atomics.unordered(at, lanes, settled)

    def settled(self, lanes: Present) -> int:
        """Lower epochs lie before the present of everyone who can reach the element."""
        return lanes.clocks.floor + 1 << TIME if self.apart and lanes.plane == GENERIC else 1
