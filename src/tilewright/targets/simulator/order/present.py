"""The lanes of an access, and what lies before it: an epoch is who did something, and when."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tilewright.targets.simulator.distinct import is_among
from tilewright.targets.simulator.order.clocks import GENERIC, GLOBAL_PROXY, TENSOR, TIME, Clocks, Flags, Numbers
from tilewright.targets.simulator.order.past import Past

_ACTOR = (1 << TIME) - 1


@dataclass(frozen=True, eq=False)
class Present:
    """The lanes of one access, one entry each, and now; in another plane, of what an engine begins for them."""

    clocks: Clocks
    actor: Numbers
    plane: int = GENERIC
    words: bool = field(default=False, kw_only=True)  # do they work on mbarriers?
    reads: bool = field(default=False, kw_only=True)  # is it reads that lie before or not?

    def __getitem__(self, chosen: Numbers | Flags) -> Present:
        return replace(self, actor=self.actor[chosen])

    @property
    def generic(self) -> Present:
        """The lanes themselves."""
        return self if self.plane == GENERIC else replace(self, plane=GENERIC)

    @property
    def over_reads(self) -> Present:
        """The same lanes, who ask about reads."""
        return self if self.clocks.handed is None else replace(self, reads=True)

    @cached_property
    def epoch(self) -> Numbers:
        """The epochs of the access."""
        return self.actor | (self.clocks.now << TIME)

    @cached_property
    def _place(self) -> tuple[Numbers, Numbers, Numbers]:
        """The blocks of the lanes, where the clocks keep them, and their numbers therein."""
        block, inside = np.divmod(self.actor, self.clocks.width)
        return block, np.searchsorted(self.clocks.blocks, block), inside

    def after(self, epoch: Numbers) -> Flags:
        """Do these epochs, one for each lane, lie before its present? That of no access does.

        Where lanes access several elements each, runs of equal questions are asked once.
        """
        if len(epoch) < 2 or self.actor[0] != self.actor[1]:
            return self._after(epoch)
        changes = (epoch[1:] != epoch[:-1]) | (self.actor[1:] != self.actor[:-1])
        heads = np.flatnonzero(np.concatenate([[True], changes]))
        return np.repeat(self[heads]._after(epoch[heads]), np.diff(np.append(heads, len(epoch))))

    def _after(self, epoch: Numbers) -> Flags:
        found = self._known(epoch)
        if self.clocks.waited and not found.all():
            left = np.flatnonzero(~found)
            waited = np.array([self.clocks.waited.get(one, one) for one in epoch[left].tolist()], np.int64)
            found[left] = self[left]._known(waited)
        return found

    def _known(self, epoch: Numbers) -> Flags:
        block, row, inside = self._place
        actor, time = actor_of(epoch), epoch >> TIME
        theirs, number = np.divmod(actor, self.clocks.width)
        here = theirs == block
        number = np.where(here, number, 0)
        ordered = here & (time <= self.clocks.times(row, inside, number, GENERIC)) | (actor == self.actor)
        ordered = np.asarray(ordered | (epoch == 0))
        if self.reads and self.clocks.handed is not None:
            warp = inside // self.clocks.lanes
            ordered |= here & (number // self.clocks.lanes == warp) & (time <= self.clocks.handed[row, warp])
        told = np.zeros(len(epoch), bool)
        if self.clocks.beyond and not ordered.all():
            told[~ordered] = self.clocks.beyond.after(self.actor[~ordered], epoch[~ordered], TIME, self.words)
        if self.plane != GENERIC:
            fenced = time <= self.clocks.times(row, inside, number, self.plane)
            since = self.clocks.now if self.plane == TENSOR else self.clocks.fenced_by(row, inside, self.plane)
            fenced |= (actor == self.actor) & (time <= since)  # in tensor memory a warp needs none for itself
            if self.plane == GLOBAL_PROXY and self.clocks.by_engines:
                fenced |= is_among(epoch, list(self.clocks.by_engines))
            if not here.all():
                fenced[~here] = self[~here]._fenced_there(epoch[~here])
            ordered &= fenced | (epoch == 0)
            told &= fenced | here  # what others tell of the own block has passed a fence there
        return ordered | told

    def _fenced_there(self, epoch: Numbers) -> Flags:
        """Has anybody fenced what lanes of other blocks did since: there, or who looks? Engines need none."""
        clocks, time = self.clocks, epoch >> TIME
        block, number = np.divmod(actor_of(epoch), clocks.width)
        theirs = np.minimum(np.searchsorted(clocks.blocks, block), len(clocks.blocks) - 1)
        lanes = clocks.warps * clocks.lanes
        lane = np.minimum(number, lanes - 1)
        known = clocks.known_of(theirs, lane, self.plane)
        fenced = time <= np.maximum(known, clocks.fenced_by(theirs, lane, self.plane))
        found = fenced | (number >= lanes) | (clocks.blocks[theirs] != block)
        if not found.all():
            found[~found] = clocks.beyond.fenced_since(self.actor[~found], epoch[~found], TIME)
        return np.asarray(found)

    def past(self, number: int) -> Past:
        """All that the lane with this number among them knows."""
        _, row, inside = self._place
        known = self.clocks.warps_known(int(row[number]), int(inside[number]))
        return self.clocks.beyond.past_of(int(self.actor[number]), known, self.clocks.now)


def actor_of(epoch: Numbers) -> Numbers:
    """Who made the accesses."""
    return epoch & _ACTOR
