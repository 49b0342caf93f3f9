"""Where in the kernel a memory was accessed last, so that a race names both accesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tilewright.targets.simulator.order.clocks import Numbers
from tilewright.targets.simulator.sites import Site

MOST = 3  # places that are named, where it may have been each of several

# What kinds of sites do that.
_DOES: Mapping[str, tuple[str, ...]] = {
    "writes": ("store", "atomic"),
    "reads": ("load", "atomic"),
    "changes": ("atomic",),
}


class Recent:
    """For each site its last access: the positions, and who; None where engines act for lanes."""

    def __init__(self) -> None:
        self.last: dict[Site, tuple[Numbers, Numbers | None]] = {}

    def note(self, site: Site, at: Numbers, actors: Numbers | None) -> None:
        """The site accesses these positions."""
        self.last[site] = at, actors

    def other(self, site: Site, did: str, at: int, actor: int) -> str:
        """Where the actor did that at a position, a line or more; nothing where it was at the site itself.

        Loops come back to a site, whose earlier accesses are forgotten: then each site that does such a thing may have
        been it.
        """
        able = [known for known in self.last if known.kind in _DOES[did]]
        found = list(self._at(able, at, actor))[-1:] or able
        if not found or found == [site]:
            return ""
        places = [known.where for known in found[:MOST]]
        head = "\n" if len(found) == 1 else f"\nin one of {len(found)} places:\n"
        return head + "\n".join(places)

    def _at(self, able: list[Site], at: int, actor: int) -> Iterator[Site]:
        for site in able:
            places, actors = self.last[site]
            here = places == at
            if (here if actors is None else here & (actors == actor)).any():
                yield site
