"""How each check of an access was made: proved for all lanes at once, or executed as they ran."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, TypeAlias

from tilewright.ir.tile.types import GLOBAL
from tilewright.targets.simulator.sites import Site

How: TypeAlias = Literal["proved", "once", "executed", "off", "none"]


@dataclass(frozen=True)
class Checks:
    """How it is known of an access that it does nothing undefined.

    `bounds`: that it stays inside its buffer; `written`: that what it reads has a value; `races`: that a barrier lies
    between it and others. Each is `proved` (nothing was looked at while lanes ran), looked at `once`, in a run that
    stands for all data, or `executed` at each access; or it is `off`; `none`: there is nothing that could be wrong.
    """

    bounds: How = "none"
    written: How = "none"
    races: How = "none"


@dataclass(frozen=True)
class Judge:
    """Says it of the sites of a run: was all `proved`, or found `once`, were there `checks`, what did anybody write."""

    proved: bool
    once: bool
    checks: bool
    written: Collection[object]  # the roots of arrays

    def __call__(self, site: Site) -> Checks:
        """How the checks of a site were made.

        >>> from unittest.mock import Mock
        >>> site = Mock(kind="load", space="global", root="A", inside=True)
        >>> Judge(False, False, True, {"B"})(site)
        Checks(bounds='proved', written='none', races='proved')
        """
        ran: How = "proved" if self.proved else "once" if self.once else "executed"
        looked: How = ran if self.checks or self.proved else "off"
        reads = site.kind != "store" and site.space != GLOBAL  # arrays have their values from the start
        alone = site.space == GLOBAL and site.root not in self.written
        bounds: How = "proved" if site.inside else ran
        return Checks(bounds, looked if reads else "none", "proved" if alone else looked)
