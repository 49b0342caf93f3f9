"""Who takes part in an access: the threads whose addresses count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tilewright.analysis.banks.raw import active_mask
from tilewright.analysis.model.vector import Backend, Vector

if TYPE_CHECKING:
    from tilewright.analysis.banks.raw import Active


@dataclass(frozen=True, slots=True)
class Participants:
    """Threads fill warps of `lanes` in order; the first `counted` lanes give addresses, and of them the active ones.

    None is all of them.
    """

    lanes: int
    counted: int | None = None
    active: Active | None = None

    def __post_init__(self) -> None:
        if isinstance(self.active, Iterator):  # which is looked at more than once
            object.__setattr__(self, "active", tuple(self.active))

    @property
    def everyone(self) -> bool:
        """Does every thread take part?"""
        return self.counted is None and self.active is None

    def is_nobody(self, xp: Backend, threads: int) -> bool:
        """Does no thread take part?"""
        return not (self.everyone or bool(self.mask(xp, threads).any()))

    def mask(self, xp: Backend, threads: int) -> Vector:
        """Which threads take part.

        Raises:
            UsageError: `active` names a thread that there is not.

        >>> from tilewright.analysis.model.vector import vectors
        >>> Participants(4, counted=3, active=[0, 3, 5]).mask(vectors(6), 6).tolist()
        [True, False, False, False, False, True]
        """
        live = xp.arange(threads) % self.lanes < (self.lanes if self.counted is None else self.counted)
        return live if self.active is None else live & (xp.vector(active_mask(self.active, threads)) == 1)

    def stand_ins(self, xp: Backend, threads: int) -> Vector:
        """For every thread itself, or one that takes part where it does not: what that one may, this one may.

        Some thread takes part.

        >>> from tilewright.analysis.model.vector import vectors
        >>> Participants(4, active=[2, 3]).stand_ins(vectors(4), 4).tolist()
        [2, 2, 2, 3]
        """
        mask, numbers = self.mask(xp, threads), xp.arange(threads)
        return xp.where(mask, numbers, int(xp.keep(numbers, mask).min()))
