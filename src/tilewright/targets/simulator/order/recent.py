"""Where in the kernel a memory was accessed last, so that a race names both accesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from tilewright.targets.simulator.distinct import is_among
from tilewright.targets.simulator.order.clocks import TIME, Numbers
from tilewright.targets.simulator.sites import Site

MOST = 3  # places that are named, where it may have been each of several

# What kinds of sites do that.
_DOES: Mapping[str, tuple[str, ...]] = {
    "writes": ("store", "atomic"),
    "reads": ("load", "atomic"),
    "changes": ("atomic",),
}


class Access(NamedTuple):
    """Positions, and who; None where engines act for lanes. It is the `only` one of its site, or the last of some."""

    at: Numbers
    actors: Numbers | None
    only: bool
    time: int

    def is_of(self, at: int, actor: int) -> bool:
        """May it be the actor's to that position? Which engine acts is not told."""
        here = self.at == at
        return bool((here if self.actors is None else here & (self.actors == actor)).any())


def _keys(at: Numbers, actors: Numbers) -> Numbers:
    return np.asarray(at << TIME | actors)


class Recent:
    """For each site its last access; the last of all last."""

    def __init__(self) -> None:
        self.last: dict[Site, Access] = {}

    def note(self, site: Site, at: Numbers, actors: Numbers | None, time: int) -> None:
        """The site accesses these positions."""
        self.last[site] = Access(at, actors, self.last.pop(site, None) is None, time)

    def stores(self, at: Numbers, actors: Numbers) -> Iterator[tuple[Site, int]]:
        """The sites at which some of these actors last wrote these positions, and the first who did."""
        for site, access in self.last.items():
            if site.kind == "store" and access.actors is not None:
                here = is_among(_keys(at, actors), _keys(access.at, access.actors))
                if here.any():
                    yield site, int(np.argmax(here))

    def others(self, site: Site, did: str, at: int, epoch: int) -> list[Site]:
        """Where an actor did that at a position, each site that may have been it; none where nobody knows.

        Loops come back to a site, whose earlier accesses are forgotten: then each such site that does such a thing may
        have been it.
        """
        able = [(known, access) for known, access in self.last.items() if known.kind in _DOES[did]]
        exact = [(known, access.time) for known, access in able if access.is_of(at, epoch % (1 << TIME))]
        found = [known for known, time in exact if known is not site and time == epoch >> TIME][-1:]
        found = found or [known for known, _ in exact][-1:]
        return found or [known for known, access in able if not access.only]


def named(found: list[Site], site: Site) -> str:
    """The places of an access that races with the site's, a line or more; nothing where it was at the site itself."""
    if not found or found == [site]:
        return ""
    places = [known.where for known in found[:MOST]]
    head = "\n" if len(found) == 1 else f"\nin one of {len(found)} places:\n"
    return head + "\n".join(places)
