"""What TMA and the tensor cores demand of a tile that they reach through a descriptor: one row of a table a unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from tilewright.analysis.descriptor.box import DESTINATION_BYTES, box_of
from tilewright.analysis.descriptor.matrix import MAX_BYTES, Matrix
from tilewright.analysis.descriptor.recognise import CanonicalTile, canonical, check_size, why_not
from tilewright.arch import ArchSpec
from tilewright.atoms.shared_atoms import SHARED_ATOMS
from tilewright.atoms.shared_modes import SharedMode
from tilewright.dtypes import DType
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.numerals import natural

OPERAND_BITS = 256  # what one instruction takes along K
CORE_ROWS = 8


@dataclass(frozen=True, slots=True)
class Placed:
    """A tile's plain layout under a mode, `offset` elements into its buffer."""

    plain: Layout[int]
    mode: SharedMode
    element_bits: int
    offset: int = 0

    @property
    def layout(self) -> ComposedLayout[int]:
        """The swizzled layout."""
        under = ComposedLayout(self.mode.swizzle(self.element_bits), self.offset, self.plain)
        flip = self.mode.flipping(self.element_bits)
        return under if flip is None else ComposedLayout(flip, 0, under)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit that reads or writes shared memory through a descriptor.

    It is in compute capabilities `first` to `last`, and takes the element types `types`, or all that have its bits.
    `check` raises `LayoutError` for a tile that it cannot use, told as a matrix as well; `alignment` is what it
    demands of the tile's address beside the mode.
    """

    name: str
    first: int
    last: int
    alignment: int
    check: Callable[[Placed, Matrix], object]
    types: tuple[str, ...] = ()


def check_start(tile: Placed, alignment: int) -> None:
    """Raises `LayoutError` where the tile's first element is no multiple of `alignment` bytes into its buffer."""
    bits = tile.offset * tile.element_bits
    if bits % (8 * alignment):
        raise LayoutError(
            f"the tile starts at element {tile.offset} of its buffer, byte {bits / 8:g}; multiples of {alignment} bytes"
            " are needed"
        )


def _tma(tile: Placed, _: Matrix) -> None:
    """What a box can write. Source: the driver API, cuTensorMapEncodeTiled."""
    box_of(tile.plain, tile.mode.name, tile.element_bits)


def _wgmma(tile: Placed, place: Matrix) -> None:
    """K-major operands of 1, 8, 16 or 32 bits; MN-major ones of 16 bits only. Source: PTX ISA, wgmma.mma_async."""
    found = _operand(tile, place, (1, 8, 16, 32), "wgmma", k_major=(1, 8, 32))
    if found.atom not in SHARED_ATOMS or SHARED_ATOMS[found.atom].arch != "sm_90":
        raise LayoutError(f"wgmma has no mode {found.mode}")


def _tcgen05(tile: Placed, place: Matrix) -> None:
    """MN-major operands of 32 bits take mode 128B_ATOM_32B and no other, 4-bit ones are K-major. Source: CUTLASS."""
    found, bits = _operand(tile, place, (4, 8, 16, 32), "tcgen05", k_major=(4,)), tile.element_bits
    if found.major == "MN" and (bits == 32) != (found.mode == "128B_ATOM_32B"):
        raise LayoutError("tcgen05 takes MN-major operands in mode 128B_ATOM_32B when they have 32 bits, only then")


def _operand(
    tile: Placed, place: Matrix, widths: tuple[int, ...], who: str, *, k_major: tuple[int, ...]
) -> CanonicalTile:
    """The canonical tile, if an instruction's descriptor describes it; widths in `k_major` have no other order.

    Of a sparse operand it is the half that is stored.
    """
    place = place.half or place
    if tile.element_bits not in widths:
        known = ", ".join(map(str, widths))
        raise LayoutError(f"{who} has operands of {known} bits, not of {tile.element_bits}")
    if all(atom.mode != tile.mode for atom in SHARED_ATOMS.values()):
        raise LayoutError(f"{who} has no such mode")
    check_size(place, tile.element_bits)
    if not place.by_row and tile.element_bits in k_major:
        raise LayoutError(f"{who} takes operands of {tile.element_bits} bits K-major only, and this one is MN-major")
    deep = OPERAND_BITS // tile.element_bits
    if place.rows % CORE_ROWS or place.columns % deep:
        raise LayoutError(
            f"{who} takes multiples of {CORE_ROWS} along MN and of {deep} along K; the tile has "
            f"{place.rows} and {place.columns}"
        )
    found = canonical(place, tile.element_bits)
    if found is None:
        raise LayoutError(why_not(place, tile.element_bits))
    if found.mode != tile.mode.name:  # a mode may swizzle a small tile as a smaller mode does
        raise LayoutError(f"the tile is too small for the mode, and is that of mode {found.mode}")
    together = deep // SHARED_ATOMS[found.atom].extents(tile.element_bits)[1]
    if together > 1 and found.repeats[1].flat[0][0] % together:
        raise LayoutError(f"{who} reads {together} atoms along K with one stride, and they repeat as {found.repeats}")
    if len(found.repeats[0].flat) > 1:
        raise LayoutError(f"{who} reads atoms along MN with one stride, and they repeat as {found.repeats}")
    farthest = max(found.stride_bytes or 0, found.leading_bytes or 0)
    if farthest >= MAX_BYTES:
        raise LayoutError(f"atoms lie {farthest} bytes apart; a descriptor of {who} reaches {MAX_BYTES}")
    return found


_BYTES = ("int8", "uint8", "float8_e4m3fn", "float8_e5m2")
_WGMMA = ("uint1", *_BYTES, "float16", "bfloat16", "tfloat32", "float32")  # float32 is read as tf32
_TCGEN05 = ("float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn", *_WGMMA[1:])
UNITS: Mapping[str, Unit] = {
    unit.name: unit
    for unit in (
        Unit("tma", 90, 999, DESTINATION_BYTES, _tma),
        Unit("wgmma", 90, 90, 16, _wgmma, _WGMMA),
        Unit("tcgen05", 100, 119, 16, _tcgen05, _TCGEN05),
    )
}
# The instructions of PTX that a unit has.
DESCRIPTORS: Mapping[str, str] = {
    **{name: name for name in UNITS},
    "cp.async.bulk": "tma",
    "cp.async.bulk.tensor": "tma",
    "wgmma.mma_async": "wgmma",
    "tcgen05.mma": "tcgen05",
}


def units_of(instructions: Iterable[str]) -> tuple[Unit, ...]:
    """The units of these instructions, each once."""
    return tuple(dict.fromkeys(UNITS[DESCRIPTORS[text]] for text in instructions))


def default_arch(instructions: Iterable[str]) -> str:
    """The oldest architecture that has the instructions.

    >>> default_arch(["tma", "tcgen05"]), default_arch([])
    ('sm_100', 'sm_90')
    """
    return f"sm_{max((unit.first for unit in units_of(instructions)), default=90)}"


def check_type(units: Iterable[Unit], element: DType) -> None:
    """Raises `UsageError` where a unit has no operands of that type, whatever its bits.

    Source: PTX ISA, the kinds of wgmma.mma_async and of tcgen05.mma.
    """
    for unit in units:
        if unit.types and element.name not in unit.types:
            raise UsageError(f"{unit.name} has no operands of {element.name}; it has {', '.join(unit.types)}")


def check_units(units: Iterable[Unit], spec: ArchSpec) -> int:
    """The compute capability of an architecture that has all these units.

    Raises:
        UsageError: it lacks one.
    """
    digits = spec.name.removeprefix("sm_").rstrip("af")
    capability = (natural(digits, 1000) or 0) if spec.vendor == "nvidia" else 0
    for unit in units:
        if not unit.first <= capability <= unit.last:
            raise UsageError(
                f"{spec.name} has no {unit.name}; it came with sm_{unit.first}: say arch='sm_{unit.first}'"
            )
    return capability
