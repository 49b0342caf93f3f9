"""The costs of a launch, summed by the place in the kernel: what accesses cost is worked out when somebody asks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from tilewright.arch.spec import ArchSpec
from tilewright.ir.core.location import dump_line
from tilewright.targets.launch import described
from tilewright.targets.simulator.observers.costs import OBSERVERS
from tilewright.targets.simulator.observers.patterns import Rows, patterns, warps
from tilewright.targets.simulator.proofs import Checks, Judge
from tilewright.targets.simulator.report import AccessReport
from tilewright.targets.simulator.sites import Place, Site

MOST = 4096  # remembered costs


@dataclass(eq=False)
class Accesses:
    """Accesses that lie alike, so many times each."""

    site: Site
    made: Callable[[], Mapping[str, int]]
    times: int = 0

    @cached_property
    def costs(self) -> Mapping[str, int]:
        """What each of them costs."""
        return self.made()


class Tally:
    """Sums what the observers see, by the rules of one architecture."""

    def __init__(self, spec: ArchSpec) -> None:
        self.spec = spec
        self._sums: defaultdict[Site, Counter[str]] = defaultdict(Counter)
        self._known: dict[tuple[Site, bytes, bytes], Accesses] = {}
        self._counted: list[Accesses] = []
        self._later: list[Callable[[], None]] = []

    def add(self, site: Site, costs: Mapping[str, int]) -> None:
        """An access of the site that costs so much."""
        sums = self._sums[site]
        for name, cost in costs.items():
            sums[name] += cost

    def later(self, count: Callable[[], None]) -> None:
        """Something is to be counted when somebody asks for the sums."""
        self._later.append(count)

    def count(self, accesses: Accesses, times: int = 1) -> None:
        """They happen so many times."""
        if not accesses.times:
            self._counted.append(accesses)
        accesses.times += times

    def accesses(self, site: Site, elements: Rows, all_active: bool = False) -> Accesses:
        """One access: element numbers by (block, thread), negative where a lane is inactive."""
        rows = warps(elements, self.spec.lanes, all_active)
        bytes_ = site.step_bytes or site.width_bytes, site.base_bytes
        return self._alike(site, *patterns(rows, *bytes_)) if len(rows) else Accesses(site, dict[str, int])

    def _alike(self, site: Site, rows: Rows, counts: Rows) -> Accesses:
        """Those of rows, each so many times. Loops come back to the same ones: they are remembered."""
        key = site, rows.astype(np.int64).tobytes(), counts.astype(np.int64).tobytes()
        if key not in self._known:
            if len(self._known) >= MOST:
                self._sum_up()
                self._known.clear()
            self._known[key] = Accesses(site, partial(_observed, self.spec, *key, rows.shape[1]))
        return self._known[key]

    def _sum_up(self) -> None:
        """Adds what has been counted."""
        for one in self._counted:
            self.add(one.site, {name: cost * one.times for name, cost in one.costs.items()})
            one.times = 0
        self._counted.clear()

    def reports(self, sites: Iterable[Site], judge: Judge) -> tuple[AccessReport, ...]:
        """The sums of these sites, and how they were checked; a site that never ran has zeros."""
        while self._later:
            self._later.pop()()
        self._sum_up()
        return tuple(self._report(site, judge(site)) for site in sites)

    def _report(self, site: Site, checks: Checks) -> AccessReport:
        sums, place = self._sums.get(site, Counter()), Place.of(site.op)
        return AccessReport(
            kind=site.kind,
            buffer=site.buffer,
            space=site.space,
            width_bytes=site.width_bytes,
            where=" ".join(described(site.op).split()),
            file=place.file,
            line=place.line,
            column=place.column,
            dump=dump_line(site.op),
            accesses=sums["accesses"],
            wavefronts=sums["wavefronts"],
            ideal=sums["ideal"],
            sectors=sums["sectors"],
            ideal_sectors=sums["ideal_sectors"],
            bytes=sums["bytes"],
            distinct_bytes=sums["distinct_bytes"],
            checks=checks,
        )


def _observed(spec: ArchSpec, site: Site, places: bytes, times: bytes, lanes: int) -> Mapping[str, int]:
    """The costs of rows of places, each so many times."""
    rows, counts = np.frombuffer(places, np.int64).reshape(-1, lanes), np.frombuffer(times, np.int64)
    found = [observer(spec, site, rows) for observer in OBSERVERS]
    return {name: int(costs @ counts) for part in found for name, costs in part.items()}
