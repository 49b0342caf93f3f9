"""The costs of a launch, summed by the place in the kernel."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from tilewright.arch.spec import ArchSpec
from tilewright.ir.core.location import dump_line
from tilewright.targets.launch import described
from tilewright.targets.simulator.observers.costs import OBSERVERS
from tilewright.targets.simulator.observers.patterns import Rows, patterns, warps
from tilewright.targets.simulator.proofs import Checks, Judge
from tilewright.targets.simulator.report import AccessReport
from tilewright.targets.simulator.sites import Place, Site

MOST = 4096  # remembered costs


class Tally:
    """Sums what the observers see, by the rules of one architecture."""

    def __init__(self, spec: ArchSpec) -> None:
        self.spec = spec
        self._sums: defaultdict[Site, Counter[str]] = defaultdict(Counter)
        self._known: dict[tuple[Site, bytes, bytes], Mapping[str, int]] = {}
        self._later: list[Callable[[], None]] = []

    def add(self, site: Site, costs: Mapping[str, int]) -> None:
        """An access of the site that costs so much."""
        sums = self._sums[site]
        for name, cost in costs.items():
            sums[name] += cost

    def later(self, count: Callable[[], None]) -> None:
        """Something is to be counted when somebody asks for the sums."""
        self._later.append(count)

    def costs(self, site: Site, elements: Rows, times: int = 1, all_active: bool = False) -> Mapping[str, int]:
        """Of an access, so many times: element numbers by (block, thread), negative where a lane is inactive."""
        rows = warps(elements, self.spec.lanes, all_active)
        bytes_ = site.step_bytes or site.width_bytes, site.base_bytes
        found = self._costs(site, *patterns(rows, *bytes_)) if len(rows) else {}
        return {name: cost * times for name, cost in found.items()}

    def _costs(self, site: Site, rows: Rows, counts: Rows) -> Mapping[str, int]:
        """The costs of rows, each so many times. Loops come back to the same ones: they are remembered."""
        key = site, rows.tobytes(), counts.tobytes()
        if key not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
            found = [observer(self.spec, site, rows) for observer in OBSERVERS]
            self._known[key] = {name: int(costs @ counts) for part in found for name, costs in part.items()}
        return self._known[key]

    def reports(self, sites: Iterable[Site], judge: Judge) -> tuple[AccessReport, ...]:
        """The sums of these sites, and how they were checked; a site that never ran has zeros."""
        while self._later:
            self._later.pop()()
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
