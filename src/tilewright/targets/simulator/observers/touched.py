"""Which sectors of global memory a run touches, each once: what a chip has to move, however well its caches work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from xdsl.ir import SSAValue

from tilewright.ir.tile.types import GLOBAL
from tilewright.targets.arguments import roles
from tilewright.targets.simulator.memory.access import Array, Mask
from tilewright.targets.simulator.sites import Site

Key: TypeAlias = tuple[object, bool]  # which memory, and whether it is written
NOTHING = np.zeros(0, bool)


@dataclass(frozen=True)
class Moved:
    """Bytes of the sectors that are read and not written, and of those that are written."""

    read: int
    written: int


@dataclass(eq=False)
class Touched:
    """Sectors of so many bytes, each once."""

    sector_bytes: int
    _sectors: dict[tuple[SSAValue, bool], Array] = field(default_factory=dict)

    def mark(self, site: Site, elements: Array, mask: Mask = None) -> None:
        """The active lanes access the elements with these numbers."""
        if site.space != GLOBAL:
            return
        active = elements if mask is None else np.broadcast_to(elements, mask.shape)[mask]
        first = np.asarray(active, np.int64).reshape(-1) * (site.step_bytes or site.width_bytes)
        if not first.size:
            return
        found = np.concatenate([first, first + site.width_bytes - 1]) // self.sector_bytes
        key, most = (site.root, site.kind != "load"), int(found.max()) + 1
        known = self._sectors.get(key, NOTHING)
        if len(known) < most:
            known = np.pad(known, (0, max(most, 2 * len(known)) - len(known)))
        known[found] = True
        self._sectors[key] = known

    def moved(self, parameters: Sequence[SSAValue], storage: Sequence[Array]) -> Moved:
        """The bytes, those of a memory that several parameters name once."""
        names: dict[SSAValue, object] = dict(zip(parameters, roles(storage), strict=True))
        read, written = dict[object, Array](), dict[object, Array]()
        for (root, writes), sectors in self._sectors.items():
            side, name = written if writes else read, names.get(root, root)
            side[name] = _either(side.get(name, NOTHING), sectors)
        only = [_without(sectors, written.get(name, NOTHING)) for name, sectors in read.items()]
        return Moved(*(self.sector_bytes * sum(int(x.sum()) for x in some) for some in (only, written.values())))


def _either(one: Array, other: Array) -> Array:
    size = max(len(one), len(other))
    found: Array = np.pad(one, (0, size - len(one))) | np.pad(other, (0, size - len(other)))
    return found


def _without(one: Array, other: Array) -> Array:
    found: Array = one.copy()
    found[: len(other)] &= ~other[: len(one)]
    return found
