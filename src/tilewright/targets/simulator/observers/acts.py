"""What lanes do beside plain accesses: they begin copies, which are done later, work on mbarriers, and wait there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.sites import Site


class Act(NamedTuple):
    """Some lanes do something at a memory, an entry each: the numbers of their blocks and threads, and the elements.

    `kind` says what: `mbarrier arrive`, or of a copy that begins `copy from`, `copy to`, and later `copy done`. `moved`
    are the elements that a copy has written, by (entry, element), with their values and which of them there are. It
    copies so many `bytes`.
    """

    kind: str
    site: Site
    blocks: Array
    threads: Array
    elements: Array
    value: Array | None = None
    bytes: Array | None = None
    moved: tuple[Array, Array, Array | None] | None = None


Told: TypeAlias = Callable[[Sequence[Act]], None]
