"""`SwizzleAdvice`: one ranked swizzle of a tile, with what every access costs under it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Generic

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.analysis.banks.report import BankReport
from tilewright.analysis.descriptor.box import TensorMapBox, box_of
from tilewright.analysis.descriptor.recognise import CanonicalTile, recognise
from tilewright.analysis.model.access import Access, elements
from tilewright.analysis.model.memory import bare, without_swizzle, without_swizzles
from tilewright.analysis.swizzle.padding import PaddingAdvice
from tilewright.analysis.swizzle.space import in_unit
from tilewright.arch import ArchSpec
from tilewright.errors import LayoutError, TilewrightError, counted, typed_fields
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.swizzle import Swizzle
from tilewright.tirx.compose_layout import ComposeLayout

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    # The proposed layout is of CuTe's kind or of TIRx's, as the tile is that was asked about.
    Proposed = TypeVar(
        "Proposed",
        bound=ComposedLayout[int] | ComposeLayout,
        default=ComposedLayout[int] | ComposeLayout,
        covariant=True,
    )
else:
    from typing import TypeVar

    Proposed = TypeVar("Proposed", bound=ComposedLayout[int] | ComposeLayout, covariant=True)

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Proof:
    """Why no swizzle with fewer bits does it (or none at all).

    `method` is `F2 rank` or `exhaustive search`, under a descriptor `every mode`; `needed_bits` the lower bound that
    the ranks give (0 where there are none), `tried` the number of swizzles, or placements, that were counted.
    """

    method: str
    needed_bits: int
    tried: int
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
@typed_fields
class SwizzleAdvice(Generic[Proposed]):
    """One swizzle for a tile. In a ranking the first one is the best.

    Attributes:
        swizzle: in elements; `bytes` and `bits` give the same permutation in those units. What mode
            `128B_ATOM_32B_FLIP_8B` does beside it stands in `layout`.
        mode: the TMA and descriptor mode that it equals: `none`, `32B`, `64B`, `128B`, or None. Under a descriptor of
            sm_100 also `128B_ATOM_32B`, `128B_ATOM_32B_FLIP_8B` and `128B_ATOM_64B`.
        layout: the whole proposed layout, swizzled, of TIRx where a TIRx layout was asked about. Under a descriptor it
            may place the elements anew.
        wavefronts, ideal: summed over the accesses that lanes issue, without merging of lanes.
        proof: why the best one is the smallest.
        padding: the alternative to any swizzle, or None; a tile that a descriptor reads has none.
        descriptors: the accesses that no lanes issue.
        least_alignment: bytes that they, and the widest access of lanes, demand of the tile's address.
        shape: the rows and columns of the tile that they see.
        retiled: where no swizzle alone frees the tile of conflicts, the same modes placed anew with fewer wavefronts.

    Raises:
        UsageError: a field of another type.

    >>> from tilewright.layout.layout import Layout
    >>> from tilewright.analysis.swizzle.search import suggest_swizzle
    >>> rows = Access(Layout((8, 8), (1, 8)), instruction="ldmatrix.x1")
    >>> best = suggest_swizzle(Layout((8, 64), (64, 1)), [rows], element_bits=16)[0]
    >>> str(best.swizzle), best.mode, best.wavefronts, best.excess
    ('Sw<3,3,3>', '128B', 1, 0)
    """

    swizzle: Swizzle
    element_bits: int
    mode: str | None
    layout: Proposed
    wavefronts: int
    ideal: int
    proof: Proof
    padding: PaddingAdvice | None
    accesses: tuple[Access, ...] = field(repr=False)
    arch: ArchSpec = field(repr=False)
    descriptors: tuple[Access, ...] = ()
    least_alignment: int = 1
    shape: tuple[int, int] | None = None
    retiled: SwizzleAdvice[Proposed] | None = None

    @property
    def excess(self) -> int:
        """Wavefronts above the ideal, over all accesses."""
        return self.wavefronts - self.ideal

    @property
    def conflict_free(self) -> bool:
        """Is every access free of bank conflicts?"""
        return self.excess == 0

    @property
    def bytes(self) -> Swizzle | None:
        """The swizzle on byte addresses; None when it moves parts of a byte."""
        return in_unit(self.swizzle, self.element_bits, 8)

    @property
    def bits(self) -> Swizzle | None:
        """The swizzle on bit addresses."""
        return in_unit(self.swizzle, self.element_bits, 1)

    @property
    def alignment_bytes(self) -> int:
        """What the tile's address is a multiple of: at such addresses every report holds, and no access faults."""
        return max(self.least_alignment, self.swizzle.block * self.element_bits // 8)

    @cached_property
    def memory_bytes(self) -> int:
        """The bytes that the tile takes from its address on: a swizzle may move elements past the last of them."""
        end, block = self._end, self.swizzle.block
        if end % block == 0:  # elements stay within blocks, and all of these are the tile's
            return self._bytes(end)
        try:
            offsets = elements(self.layout, Layout(without_swizzle(self.layout).size)).offsets
            return self._bytes(max(end, int(offsets.max()) + 1))
        except TilewrightError:  # too many elements to look at
            return self._bytes(-(-end // block) * block)

    @property
    def bytes_past(self) -> int:
        """How many bytes more than without the swizzle these are."""
        return self.memory_bytes - self._bytes(self._end)

    @property
    def _end(self) -> int:
        below = without_swizzle(self.layout)
        assert isinstance(below.offset, int)  # as in all memory
        return below.offset + int(below.inner.cosize)

    def _bytes(self, count: int) -> int:
        return -(-count * self.element_bits // 8)

    @cached_property
    def canonical(self) -> CanonicalTile | None:
        """The layout as `recognise` sees it; None where it is no canonical one."""
        try:
            return recognise(self.layout, self.element_bits, shape=self.shape)
        except LayoutError:
            return None

    @property
    def atom(self) -> str | None:
        """The name of the shared-memory layout atom that the layout repeats, as `tw.atoms.smem` takes it."""
        return self.canonical.atom if self.canonical else None

    @cached_property
    def tensor_map(self) -> TensorMapBox:
        """The box of the tensor map with which TMA moves the tile. There is one wherever TMA was asked about.

        Raises:
            LayoutError: TMA cannot move the tile, and why.
        """
        if self.mode is None:
            raise LayoutError(f"TMA cannot move {self.layout}: {self.swizzle} is no mode of the hardware")
        return box_of(without_swizzles(self.layout), self.mode, self.element_bits, self.shape)

    @property
    def box(self) -> TensorMapBox | None:
        """`tensor_map`, or None where TMA cannot move the tile."""
        try:
            return self.tensor_map
        except LayoutError:
            return None

    @cached_property
    def reports(self) -> tuple[BankReport, ...]:
        """The bank report of every access that lanes issue, in their order, without merging of lanes."""
        return tuple(
            bank_conflicts(
                self.layout,
                access,
                element_bits=self.element_bits,
                arch=self.arch,
                merge=False,
            )
            for access in self.accesses
        )

    def to_json(self) -> dict[str, object]:
        """The advice as plain values, the reports without their phases."""
        units = {"elements": self.swizzle, "bytes": self.bytes, "bits": self.bits}
        return {
            "swizzle": {unit: [s.b, s.m, s.s] if s else None for unit, s in units.items()},
            "element_bits": self.element_bits,
            "mode": self.mode,
            "layout": str(self.layout),
            "wavefronts": self.wavefronts,
            "ideal": self.ideal,
            "excess": self.excess,
            "conflict_free": self.conflict_free,
            "alignment_bytes": self.alignment_bytes,
            "memory_bytes": self.memory_bytes,
            "atom": self.atom,
            "box": self.box.to_json() if self.box else None,
            "descriptors": [str(access) for access in self.descriptors],
            "reports": [report.to_json(phases=False) for report in self.reports],
            "proof": {"method": self.proof.method, "needed_bits": self.proof.needed_bits, "text": self.proof.text},
            "padding": self.padding.to_json() if self.padding else None,
            "retiled": self.retiled.to_json() if self.retiled else None,
        }

    def __str__(self) -> str:
        head = [
            f"{self.swizzle} in elements of {self.element_bits} bits, {self.bytes} in bytes, {self.bits} in bits",
            f"mode {self.mode or 'none of the hardware'}; align the tile to {self.alignment_bytes} bytes",
            *([f"memory {self.memory_bytes} bytes, {self.bytes_past} past the tile's end"] if self.bytes_past else []),
            *([f"layout {self.layout}"] if self.descriptors else []),
            *([f"repeats {self.atom}"] if self.atom else []),
            *([f"tensor map: {self.box}"] if self.box and self.descriptors else []),
        ]
        wide = max((27, *map(len, map(str, self.accesses))))
        rows = [
            f"  {access!s:<{wide}} {counted(report.wavefronts, 'wavefront')}, ideal {report.ideal}"
            + ("" if report.conflict_free else f": {report.ways}-way conflict")
            for access, report in zip(self.accesses, self.reports, strict=True)
        ]
        tail = [f"padding instead: {self.padding}"] if self.padding else []
        if self.retiled:
            spent = counted(self.retiled.wavefronts, "wavefront")
            tail += [
                f"placed anew: {self.retiled.layout}, mode {self.retiled.mode}: {spent}, ideal {self.retiled.ideal}"
            ]
        return "\n".join([*head, *rows, str(self.proof), *tail])


class SwizzleRanking(tuple[SwizzleAdvice[Proposed], ...]):
    """Swizzles from the best to the worst; prints as a short table."""

    def __repr__(self) -> str:
        best = f", the best {self[0].swizzle} with {counted(self[0].wavefronts, 'wavefront')}" if self else ""
        return f"<SwizzleRanking of {counted(len(self), 'swizzle')}{best}>"

    def __str__(self) -> str:
        top = list(dict.fromkeys((*range(min(SHOWN, len(self))), *(i for i, a in enumerate(self) if a.mode))))
        wide = max(6, *(len(self[rank].mode or "") + 1 for rank in top))
        rows = [_row(rank, self[rank], wide) for rank in top]
        units = f"{'elements':<12}{'bytes':<12}{'bits':<12}"
        columns = f"{'rank':>5}  {units}{'mode':<{wide}}{'wavefronts':>10}{'ideal':>7}{'excess':>8}"
        columns += "  layout" if self[0].descriptors else ""
        return "\n".join([str(self[0]), "", columns, *rows, f"{len(self)} swizzles ranked"])

    def to_json(self) -> list[dict[str, object]]:
        """Every advice as plain values, from the best to the worst."""
        return [advice.to_json() for advice in self]


def _row(rank: int, advice: SwizzleAdvice, wide: int) -> str:
    units = "".join(f"{unit!s:<12}" for unit in (advice.swizzle, advice.bytes, advice.bits))
    counts = [advice.wavefronts, advice.ideal, advice.excess] if advice.accesses else ["-"] * 3
    where = f"  {_placed(advice)}" if advice.descriptors else ""
    return f"{rank + 1:>5}  {units}{advice.mode or '-':<{wide}}{counts[0]:>10}{counts[1]:>7}{counts[2]:>8}{where}"


def _placed(advice: SwizzleAdvice) -> object:
    """The layout below the swizzle; all of it where that has more than the one swizzle that stands beside."""
    return bare(advice.layout) if isinstance(without_swizzle(advice.layout).inner, Layout) else advice.layout
