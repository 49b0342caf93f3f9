"""Which sectors each instruction of a warp touches, how many of their bytes, and for which lanes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, overload

from tilewright.analysis.model.access import Requests


class Touched(NamedTuple):
    """One instruction of one warp: sector -> distinct bytes asked for, and the lanes of the warp that ask."""

    instruction: int
    warp: int
    bytes: Mapping[int, int]
    lanes: Mapping[int, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class Sectors(Sequence[Touched]):
    """What a report's accesses touch, row by row in the order instruction, warp; counted when it is asked for."""

    requests: Requests = field(repr=False)
    sector_bytes: int

    @overload
    def __getitem__(self, i: int) -> Touched: ...
    @overload
    def __getitem__(self, i: slice) -> tuple[Touched, ...]: ...
    def __getitem__(self, i: int | slice) -> Touched | tuple[Touched, ...]:
        rows = range(len(self))[i]
        return self._row(rows) if isinstance(rows, int) else tuple(map(self._row, rows))

    def __len__(self) -> int:
        return self.requests.rows

    def __iter__(self) -> Iterator[Touched]:
        return map(self._row, range(len(self)))

    def _row(self, row: int) -> Touched:
        lanes, width = self.requests.lanes, self.requests.width
        asked: dict[int, set[int]] = {}
        who: dict[int, list[int]] = {}
        for lane, start in enumerate(self.requests.addresses[row * lanes : (row + 1) * lanes].tolist()):
            for byte in range(start, start + width) if start >= 0 else ():
                asked.setdefault(byte // self.sector_bytes, set()).add(byte)
                if lane not in (found := who.setdefault(byte // self.sector_bytes, [])):
                    found.append(lane)
        counts = {sector: len(found) for sector, found in asked.items()}
        return Touched(
            *divmod(row, self.requests.warps), counts, {sector: tuple(found) for sector, found in who.items()}
        )
