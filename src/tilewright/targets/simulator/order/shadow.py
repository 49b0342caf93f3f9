"""What a memory remembers of its accesses, so that a race is seen at the second of the two that race.

For each element: the epoch of the last write, and of a read that no other read follows. Where two reads are not
ordered, the earlier one goes to the `Crowd`, which is asked when the element is next written. Reads that lie before
another need not be remembered: who races with them races with the later one. So nothing is missed, and nothing is
reported that is ordered.

Source: the epochs of C. Flanagan and S. Freund, FastTrack: Efficient and Precise Dynamic Race Detection, 2009.
"""

from __future__ import annotations

import numpy as np

from tilewright.targets.simulator.order.clocks import TIME, Flags, Numbers, Present
from tilewright.targets.simulator.order.crowd import Crowd


class Shadow:
    """The epochs of the elements of one memory; a negative one of a write says that its value is forgotten.

    `reading`, `writing` and `rivals` answer with an epoch for each lane, that of an access which races with the lane's,
    or 0; None where no lane races.

    Args:
        elements: how many.
        width: the number of actors of a block.
        reads: are readers remembered? A memory that the kernel only writes needs none.
        apart: has each block its own elements? Then a barrier of all its warps settles what lies before.
    """

    def __init__(self, elements: int, width: int, *, reads: bool = True, apart: bool = False) -> None:
        self.apart = apart
        self.written: Numbers = np.zeros(elements, np.int64)
        self.read: Numbers = np.zeros(elements if reads else 0, np.int64)
        self.crowd = Crowd(width)

    def forget(self, rows: Numbers, size: int) -> None:
        """The values in these rows of so many elements count as unwritten again; who touched them is still known."""
        written = self.written.reshape(-1, size)
        written[rows] = -np.abs(written[rows])

    def unwritten(self, at: Numbers) -> Flags | None:
        """Which of the elements have no value? None where all have."""
        missing = self.written.take(at) <= 0
        return missing if missing.any() else None

    def reading(self, at: Numbers, lanes: Present) -> Numbers | None:
        """The lanes read the elements: the writes that they race with."""
        races = self._unordered(np.abs(self.written.take(at)), lanes)
        if len(self.read):
            self._remember(at, lanes)
        return races

    def writing(self, at: Numbers, lanes: Present) -> tuple[Numbers | None, Numbers | None]:
        """The lanes write the elements: the earlier writes, and the reads, that they race with."""
        writes = self._unordered(np.abs(self.written.take(at)), lanes)
        reads = self._readers(at, lanes) if len(self.read) else None
        self.written[at] = lanes.epoch
        return writes, reads

    def rivals(self, at: Numbers, lanes: Present) -> Numbers | None:
        """Right after `writing`: the writes of the same step to the same elements."""
        last = self.written.take(at)
        lost = last != lanes.epoch
        return np.where(lost, last, 0) if lost.any() else None

    def _remember(self, at: Numbers, lanes: Present) -> None:
        if self.crowd.latest < self._settled(lanes):
            self.crowd.clear()
        followed = self._unordered(self.read.take(at), lanes)
        if followed is not None:
            kept = followed != 0
            self.crowd.add(at[kept], followed[kept])
        self.read[at] = lanes.epoch
        lost = self.read.take(at) != lanes.epoch
        if lost.any():
            self.crowd.add(at[lost], lanes.epoch[lost])

    def _readers(self, at: Numbers, lanes: Present) -> Numbers | None:
        last = self._unordered(self.read.take(at), lanes)
        others = self.crowd.unordered(at, lanes) if self.crowd.latest >= self._settled(lanes) else None
        return last if others is None else others if last is None else np.where(last, last, others)

    def _unordered(self, epochs: Numbers, lanes: Present) -> Numbers | None:
        if epochs.max(initial=0) < self._settled(lanes):
            return None
        found = np.where(lanes.after(epochs), 0, epochs)
        return found if found.any() else None

    def _settled(self, lanes: Present) -> int:
        """Lower epochs lie before the present of everyone who can reach the element."""
        return lanes.clocks.floor + 1 << TIME if self.apart else 1
