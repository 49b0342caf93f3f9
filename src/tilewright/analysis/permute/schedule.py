"""`permute_schedule`: in which order does a warp move its elements, so that neither phase meets in a bank?

A warp permutes V elements in two phases: every lane reads up to P = ceil(V / lanes) of them into its registers, the
warp synchronises, and every lane writes its registers back. An element stays in one register, and registers are
numbered by constants, so a schedule is a bijection (lane, register) -> element; the lanes that meet are the same in
both phases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from tilewright.analysis.model.access import elements
from tilewright.analysis.model.memory import MAX_OFFSET, memory_layout
from tilewright.analysis.model.vector import vectors
from tilewright.analysis.permute.f2 import f2_forms
from tilewright.analysis.permute.forms import MAX_REGISTERS, Form, Rows, TableForm, XorForm, rows_of
from tilewright.analysis.permute.proof import proof
from tilewright.analysis.permute.side import PhaseCost, Side
from tilewright.analysis.permute.tables import lower_bound, tables
from tilewright.arch import ArchSpec
from tilewright.arch import get as get_arch
from tilewright.dtypes import bytes_of
from tilewright.errors import LayoutError, UsageError, counted, shown, typed_fields
from tilewright.layout.base import is_pair, no_layout
from tilewright.layout.layout import Layout

if TYPE_CHECKING:
    from tilewright.analysis.model.memory import Tile
    from tilewright.dtypes import DTypeLike

WIDTHS = (1, 2, 4, 8, 16)
SEARCHED = 256  # registers up to which every form is tried


@dataclass(frozen=True)
@typed_fields
class PermuteSchedule:
    """Register r of lane l holds element `element(l, r)`, from the read at its source to the write at its destination.

    Attributes:
        form: the map (lane, register) -> element: `XorForm`, `F2Form` or `TableForm`; `str(form)` is an expression.
        source, destination: where the elements lie, and by which rule the lanes are served there.
        read, write: wavefronts, ideal and lower bound of either phase, without merging of lanes.
        lower_bound: wavefronts of both phases that no schedule goes below; more than both bounds where they conflict.
        arch: the name of the architecture.

    Raises:
        UsageError: a field of another type.

    >>> from tilewright.tirx.layout import S, TileLayout
    >>> schedule = permute_schedule(TileLayout(S[(4, 32) : (32, 1)]), TileLayout(S[(4, 32) : (1, 4)]), element_bytes=4)
    >>> schedule.conflict_free, schedule.element(lane=9, register=2)
    (True, 105)
    """

    form: Form
    source: Side = field(repr=False)
    destination: Side = field(repr=False)
    read: PhaseCost
    write: PhaseCost
    lower_bound: int
    arch: str

    @property
    def kind(self) -> str:
        """`xor` (the form of TIRx's permute), `f2` (any bit-linear map) or `table`."""
        return self.form.kind

    @property
    def lanes(self) -> int:
        """Lanes of the warp."""
        return self.source.lanes

    @property
    def registers(self) -> int:
        """P, the elements of one lane; where they do not fill all lanes, the last of some lanes is idle."""
        return self.source.registers

    @property
    def element_bytes(self) -> int:
        """Bytes of one element."""
        return self.source.width

    def element(self, lane: int, register: int) -> int:
        """The element that a lane moves through a register; V or more where it is idle.

        Raises:
            UsageError: no such lane or register.
        """
        for name, given, count in (("lane", lane, self.lanes), ("register", register, self.registers)):
            if type(given) is not int or not 0 <= given < count:
                raise UsageError(f"a {name} is an integer from 0 to {count - 1}, got {shown(given)}")
        return self.form.element(lane, register)

    @cached_property
    def rows(self) -> Rows:
        """The elements of all lanes, a row a register."""
        return rows_of(self.form, self.lanes, self.registers)

    @property
    def conflict_free(self) -> bool:
        """Is neither phase in conflict?"""
        return self.read.conflict_free and self.write.conflict_free

    @property
    def optimal(self) -> bool:
        """Is it proved that no schedule takes fewer wavefronts?"""
        return self.wavefronts == self.lower_bound

    @property
    def wavefronts(self) -> int:
        """Wavefronts of both phases."""
        return self.read.wavefronts + self.write.wavefronts

    @property
    def proof(self) -> str:
        """How it was found, and why no schedule takes fewer wavefronts, or how few one might take."""
        return proof(self.form, self.source, self.destination, (self.read, self.write), self.lower_bound)

    def to_json(self) -> dict[str, object]:
        """The schedule as plain values."""
        names = "kind lanes registers element_bytes arch conflict_free lower_bound optimal proof"
        about = {name: getattr(self, name) for name in names.split()}
        costs = {"read": self.read.to_json(), "write": self.write.to_json()}
        return about | {"form": self.form.to_json(), "expression": str(self.form)} | costs

    def __str__(self) -> str:
        size = f"{len(self.source.offsets)} elements of {counted(self.element_bytes, 'byte')}"
        shape = f"{self.lanes} lanes x {counted(self.registers, 'register')}"
        costs = [
            f"  {name:<6}{counted(cost.wavefronts, 'wavefront')}, ideal {cost.ideal}, at least {cost.lower_bound}"
            for name, cost in (("read", self.read), ("write", self.write))
        ]
        head = f"{self.kind} schedule for {size}: {shape}, {self.arch}"
        return "\n".join([head, f"  register r of a lane holds element {self.form}", *costs, f"  proof: {self.proof}"])


def permute_schedule(
    source: Tile | Sequence[int],
    destination: Tile | Sequence[int],
    *,
    element_bytes: int | DTypeLike,
    arch: str | ArchSpec = "sm_90",
    in_order: bool = False,
) -> PermuteSchedule:
    """The order in which a warp moves elements from `source` to `destination` with the fewest bank conflicts found.

    The form of TIRx's permute comes first, then any bit-linear map, then tables; the first that is proved to be optimal
    wins, and without one the cheapest. Where the banks hold equally many elements on both sides, as they do for compact
    elements of 4 bytes and more, and the lanes of a group are the same in both phases, as on NVIDIA, there is always
    one without conflicts; where they hold unequally many, flows find one with the fewest wavefronts. Narrower elements
    share words: lanes that want one word of a bank cost one wavefront, and which go together is searched for.
    Beyond 256 registers a lane only a few bit-linear maps are tried.

    Args:
        source, destination: the offsets of elements 0, 1, .. in elements from an address aligned to a word (and to the
            element): a sequence of integers, or a layout evaluated at its own flat number (row-major for TIRx's).
        element_bytes: 1, 2, 4, 8 or 16, or a type of as many.
        arch: the architecture; its lanes, banks and groups of lanes count, without merging.
        in_order: element lane + lanes * r goes through register r, to see what that costs.

    Raises:
        UsageError: an element size or a number of elements that a warp cannot move: none, or more than 4096 a lane.
        LayoutError: a side on which two elements share an offset, or on other axes than memory.

    >>> from tilewright.tirx.layout import S, TileLayout
    >>> rows, columns = TileLayout(S[(4, 32) : (32, 1)]), TileLayout(S[(4, 32) : (1, 4)])
    >>> print(permute_schedule(rows, columns, element_bytes=8))
    xor schedule for 128 elements of 8 bytes: 32 lanes x 4 registers, sm_90
      register r of a lane holds element lane + 32 * (r ^ ((lane >> 2) & 3))
      read  8 wavefronts, ideal 8, at least 8
      write 8 wavefronts, ideal 8, at least 8
      proof: Both phases are counted by the bank model. Every group of lanes takes one wavefront, the least there is.
    """
    spec = get_arch(arch)
    width = bytes_of(element_bytes)
    if type(width) is not int or width not in WIDTHS:
        raise UsageError(f"element_bytes is one of {', '.join(map(str, WIDTHS))}, got {shown(element_bytes)}")
    most = MAX_REGISTERS * spec.lanes
    both = offset_table(source, "source", most), offset_table(destination, "destination", most)
    _check_sizes(len(both[0]), len(both[1]))
    return _schedule(*both, width, spec, bool(in_order))


@lru_cache(maxsize=32)  # a kernel's stages ask again
def _schedule(
    source: tuple[int, ...], destination: tuple[int, ...], width: int, spec: ArchSpec, in_order: bool
) -> PermuteSchedule:
    of, to = (
        Side(table, width, spec.rule(kind, width), spec.lanes)
        for table, kind in ((source, "load"), (destination, "store"))
    )
    every = of.registers <= SEARCHED and not in_order
    forms = _forms(of, to) if every else islice(_closed_forms(of, to), 1 if in_order else None)
    form, bound = next(forms)
    best = _counted(form, of, to, bound, spec.name)
    for form, bound in forms if not best.optimal else ():
        best = min(replace(best, lower_bound=bound), _counted(form, of, to, bound, spec.name), key=_wavefronts)
        if best.optimal:
            break
    return best


def _wavefronts(schedule: PermuteSchedule) -> int:
    return schedule.wavefronts


def _counted(form: Form, source: Side, destination: Side, bound: int, arch: str) -> PermuteSchedule:
    rows = rows_of(form, source.lanes, source.registers)
    return PermuteSchedule(form, source, destination, source.cost(rows), destination.cost(rows), bound, arch)


def _forms(source: Side, destination: Side) -> Iterator[tuple[Form, int]]:
    """All forms, and the lower bound that is known with each."""
    bound = lower_bound(source, destination)
    yield from ((form, bound) for form in xor_forms(source.lanes, source.registers))
    if len(source.offsets) >= source.lanes:
        yield from ((form, bound) for form in f2_forms(source, destination))
    yield from ((TableForm(rows), proved) for rows, proved in tables(source, destination))


def _closed_forms(source: Side, destination: Side) -> Iterator[tuple[Form, int]]:
    """What is soon tried: the elements in order, and the first bit-linear maps."""
    bound = lower_bound(source, destination)
    yield XorForm(source.lanes, source.lanes.bit_length() - 1, 0), bound
    yield from ((form, bound) for form in islice(f2_forms(source, destination), 4))


def xor_forms(lanes: int, registers: int) -> Iterator[XorForm]:
    """The forms of TIRx's permute: few bits first, and among them the highest lane bits first.

    The registers fall into blocks of 2^bits, within which the lane turns them.

    >>> [(form.shift, form.mask) for form in xor_forms(32, 2)]
    [(5, 0), (4, 1), (3, 1), (2, 1), (1, 1), (0, 1)]
    """
    lane_bits = lanes.bit_length() - 1
    yield XorForm(lanes, lane_bits, 0)
    for bits in range(1, (registers & -registers).bit_length()):
        first = max(0, lane_bits - bits)
        shifts = sorted(range(lane_bits), key=lambda shift: (shift != first, -shift))
        yield from (XorForm(lanes, shift, (1 << bits) - 1) for shift in shifts)


def offset_table(given: Any, what: str, most: int) -> tuple[int, ...]:
    """The offsets of elements 0, 1, .. of a layout, or those given as a sequence.

    Raises:
        UsageError: no integers, or more than `most` of them.
        LayoutError: no static map to different offsets in memory, from 0 on.
    """
    listed = isinstance(given, Sequence) or getattr(given, "ndim", None) == 1
    layout = None if listed else memory_layout(given)
    size = len(given) if listed else getattr(layout, "size", None)
    if size is None or is_pair(given):
        raise LayoutError(f"the {what} is a sequence of offsets or a layout, got {no_layout(given)}")
    if type(size) is int and size > most:
        raise UsageError(f"the {what} has {size} elements; a warp moves at most {most}")
    found = vectors(size).vector(given) if layout is None else elements(layout, Layout(size)).offsets
    return tuple(_distinct(found.tolist(), what))


def _distinct(offsets: list[int], what: str) -> list[int]:
    seen: dict[int, int] = {}
    for element, offset in enumerate(offsets):
        if not 0 <= offset < MAX_OFFSET:
            raise LayoutError(f"the {what} puts element {element} at offset {offset}; memory is from 0 to 2^48")
        if offset in seen:
            raise LayoutError(f"the {what} puts elements {seen[offset]} and {element} at one offset, {offset}")
        seen[offset] = element
    return offsets


def _check_sizes(source: int, destination: int) -> None:
    if source != destination:
        raise UsageError(f"the source has {source} elements, the destination {destination}")
    if not source:
        raise UsageError("a permutation has at least one element")
