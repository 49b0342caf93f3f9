"""`coalescing`: the sectors and lines of global memory that the accesses of a warp touch."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from tilewright.analysis.banks.raw import MAX_WIDTH, integer, raw_addresses
from tilewright.analysis.banks.rule import check_kind, units_wanted
from tilewright.analysis.global_memory.touched import Sectors, Touched
from tilewright.analysis.held.table import resolved
from tilewright.analysis.model.access import (
    Requests,
    byte_addresses,
    check_alignment,
    check_base,
    elements,
    into_warps,
    lane_move,
)
from tilewright.analysis.model.participants import Participants
from tilewright.analysis.model.vector import Backend, Vector
from tilewright.analysis.model.vector_width import widest_of
from tilewright.arch import ArchSpec
from tilewright.arch import get as get_arch
from tilewright.errors import UsageError, counted, typed_fields

if TYPE_CHECKING:
    from tilewright.analysis.banks.raw import Active, Addresses
    from tilewright.analysis.held.question import Accessor
    from tilewright.analysis.model.memory import TileLike
    from tilewright.atoms.copy_atom import CopyAtom
    from tilewright.dtypes import DTypeLike


@dataclass(frozen=True, slots=True)
@typed_fields
class CoalescingReport:
    """What the warps' accesses to global memory move. Counts are summed over instructions and warps.

    Attributes:
        sectors: sectors touched, each counted once an instruction.
        lines: cache lines touched, likewise.
        ideal: the fewest sectors that could hold the bytes asked for, instruction by instruction.
        bytes: distinct bytes asked for.
        moved: bytes of the sectors touched.
        alignment: the largest power of two, up to a line, that divides the lowest address of every instruction.
        vector_bits: bits that each lane moves per instruction.
        widest_bits: the widest vector that these layouts provably allow; None for raw addresses.
        by_instruction: sectors of each instruction of a thread, summed over the warps.
        touched: for each instruction of each warp the sectors, bytes and lanes.

    Raises:
        UsageError: a field of another type.

    >>> from tilewright.analysis.global_memory.sectors import coalescing_at
    >>> report = coalescing_at([8 * lane for lane in range(32)], 4)
    >>> report.sectors, report.ideal, report.efficiency
    (8, 4, 0.5)
    """

    sectors: int
    lines: int
    ideal: int
    bytes: int
    moved: int
    alignment: int
    vector_bits: int
    widest_bits: int | None
    by_instruction: tuple[int, ...]
    kind: str
    arch: str
    sector_bytes: int
    line_bytes: int
    notes: tuple[str, ...] = ()
    touched: Sectors | tuple[Touched, ...] = field(default=(), repr=False, compare=False)

    @property
    def efficiency(self) -> float:
        """Distinct bytes asked for, over bytes moved."""
        return self.bytes / self.moved if self.moved else 1.0

    @property
    def excess(self) -> int:
        """Sectors above the ideal."""
        return self.sectors - self.ideal

    @property
    def coalesced(self) -> bool:
        """Does no instruction touch more sectors than its bytes need?"""
        return self.excess == 0

    def to_json(self) -> dict[str, object]:
        """The report as plain values."""
        names = ("kind", "arch", "sectors", "lines", "ideal", "excess", "coalesced", "efficiency", "bytes", "moved")
        more = ("alignment", "vector_bits", "widest_bits", "sector_bytes", "line_bytes")
        lists = {"by_instruction": list(self.by_instruction), "notes": list(self.notes)}
        return {name: getattr(self, name) for name in (*names, *more)} | lists

    def __str__(self) -> str:
        verdict = "coalesced" if self.coalesced else f"{self.excess} in excess"
        lines = [
            f"global {self.kind}, {self.vector_bits} bits per lane, {self.arch}",
            f"{counted(self.sectors, 'sector')} of {self.sector_bytes} bytes, ideal {self.ideal}: {verdict}",
            f"{counted(self.lines, 'line')} of {self.line_bytes} bytes; "
            f"{self.bytes} of {self.moved} bytes moved are used "
            f"({100 * self.efficiency:.0f} %); every instruction starts at a multiple of {self.alignment} bytes",
        ]
        if self.widest_bits and self.widest_bits > self.vector_bits:
            lines.append(f"these layouts allow vectors of {self.widest_bits} bits")
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def coalescing(
    layout: TileLike,
    access: Accessor,
    *,
    element_bits: int | DTypeLike | None = None,
    vector_bits: int | DTypeLike | None = None,
    kind: str | None = None,
    arch: str | ArchSpec | None = None,
    active: Active | None = None,
    base_bytes: int = 0,
    side: str | None = None,
    copy: CopyAtom | str | None = None,
) -> CoalescingReport:
    """The sectors and lines that a tile's accesses in global memory touch: value v of thread t at layout(tv(t, v)).

    Arguments as for `bank_conflicts`, `side` being that in global memory; `base_bytes` is the byte address of the tile
    modulo a line.

    Raises:
        LayoutError: a coordinate outside the tile, vectors whose values are apart, misaligned addresses.
        UsageError: widths that do not fit each other or the architecture.

    >>> from tilewright.layout.layout import Layout
    >>> report = coalescing(Layout((32, 64), (64, 1)), Layout((32, 8), (1, 32)), element_bits=16)
    >>> report.sectors, report.ideal, report.widest_bits
    (256, 16, 128)
    >>> from tilewright.atoms.catalog import copy
    >>> from tilewright.atoms.tiled_copy import make_tiled_copy_tv
    >>> vectors = copy("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>").with_element(16)
    >>> rows = make_tiled_copy_tv(vectors, Layout((16, 8), (8, 1)), Layout((1, 8)))
    >>> coalescing(Layout((32, 64), (64, 1)), rows).coalesced
    True
    """
    base_bytes = check_base(base_bytes)
    asked = resolved(
        access,
        layout,
        "global",
        element_bits=element_bits,
        arch=arch,
        side=side,
        copy=copy,
        base_bytes=base_bytes,
        vector_bits=vector_bits,
        kind=kind,
    )
    one, bits, spec = asked.access, asked.element_bits, asked.spec
    move = lane_move(bits, one.vector_bits, None)
    who = Participants(spec.lanes, active=active)
    found = elements(asked.tile, one.thread_value, who)
    addresses = byte_addresses(found, bits, move, base_bytes)
    requests = into_warps(found.xp, addresses, found.threads, who, move.width)
    widest = widest_of(found, bits, base_bytes, spec.vector_bytes, spec.max_alignment)
    made = _report(requests, one.kind, spec, widest)
    return replace(made, notes=(*one.notes, *made.notes))


def coalescing_at(
    byte_addresses: Addresses,
    width_bytes: int,
    *,
    kind: str = "load",
    arch: str | ArchSpec = "sm_90",
    active: Active | None = None,
    base_bytes: int = 0,
) -> CoalescingReport:
    """The sectors and lines of accesses given as raw addresses, as for `bank_conflicts_at`.

    Raises:
        UsageError: addresses, widths or lanes that are none, or that the architecture lacks.

    >>> coalescing_at([4 * lane for lane in range(32)], 4).sectors
    4
    """
    check_kind(kind)
    base_bytes = check_base(base_bytes)
    spec = get_arch(arch)
    width = integer(width_bytes, "width_bytes", 1, MAX_WIDTH)
    xp, addresses, threads = raw_addresses(byte_addresses, base_bytes)
    who = Participants(spec.lanes, active=active)
    return _report(into_warps(xp, addresses, threads, who, width), kind, spec, None)


def _report(requests: Requests, kind: str, spec: ArchSpec, widest: int | None) -> CoalescingReport:
    if requests.width not in spec.global_widths:
        known = ", ".join(map(str, spec.global_widths))
        raise UsageError(f"{spec.name}: a global access moves one of {known} bytes per lane, not {requests.width}")
    quantum = spec.alignment(requests.width)
    check_alignment(requests, quantum, f"a {kind} of {requests.width} bytes")
    sectors, lines = _touched(requests, spec.sector_bytes), _touched(requests, spec.line_bytes)
    asked = _touched(requests, quantum) * quantum
    return CoalescingReport(
        sectors=int(sectors.sum()),
        lines=int(lines.sum()),
        ideal=int(((asked + (spec.sector_bytes - 1)) // spec.sector_bytes).sum()),
        bytes=int(asked.sum()),
        moved=int(sectors.sum()) * spec.sector_bytes,
        alignment=_alignment(requests, spec.line_bytes),
        vector_bits=8 * requests.width,
        widest_bits=widest,
        by_instruction=tuple(requests.xp.row_sum(sectors, requests.warps).tolist()),
        kind=kind,
        arch=spec.name,
        sector_bytes=spec.sector_bytes,
        line_bytes=spec.line_bytes,
        notes=tuple(f"unverified on {spec.name}: {fact}" for fact in spec.unverified),
        touched=Sectors(requests, spec.sector_bytes),
    )


def touched(xp: Backend, addresses: Vector, lanes: int, width: int, unit: int) -> Vector:
    """By row of `lanes` byte addresses (negative: inactive), the distinct cells of `unit` bytes that are touched."""
    cells, per_lane = units_wanted(xp, addresses, width, unit)
    found, row = xp.distinct(cells, per_lane * lanes)
    return xp.count(xp.keep(row, found >= 0), len(addresses) // lanes)


def _touched(requests: Requests, unit: int) -> Vector:
    return touched(requests.xp, requests.addresses, requests.lanes, requests.width, unit)


def _alignment(requests: Requests, line: int) -> int:
    """The largest power of two up to `line` that divides the lowest address of every row with an active lane."""
    far = int(requests.addresses.max()) + 1
    present = requests.xp.where(requests.addresses >= 0, requests.addresses, far)
    lowest: list[int] = [a for a in requests.xp.row_min(present, requests.lanes).tolist() if a < far]
    return min([line, *(a & -a for a in lowest if a)])
