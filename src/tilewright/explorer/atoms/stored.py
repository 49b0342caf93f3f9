"""The layouts in shared memory that fit an operand or a copy, with the copy atom and what it costs in banks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from math import lcm

from tilewright.analysis.banks.conflicts import bank_conflicts
from tilewright.analysis.banks.report import BankReport
from tilewright.analysis.held.question import Accessor
from tilewright.analysis.held.table import resolved
from tilewright.analysis.model.access import Access
from tilewright.arch.spec import BANK_BYTES, ArchSpec
from tilewright.atoms import catalog
from tilewright.atoms.available import has_atom
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.shared_atoms import SHARED_ATOMS
from tilewright.errors import TilewrightError
from tilewright.explorer.answer import Row, Table
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout
from tilewright.layout.operations import tile_to_shape

MOST_ELEMENTS = 1 << 15
BANKS = "banks"  # the name of their tab
LINES = 8  # after so many each swizzle repeats
LINE_BITS = 32 * BANK_BYTES * 8
# For each way in which a tile may be contiguous, along K (rows) and across it: the layout atoms, and the copy atoms,
# of which the widest come first.
SWIZZLED = (
    ("Layout_K_SW128_Atom", "Layout_K_SW64_Atom", "Layout_K_SW32_Atom", "Layout_K_INTER_Atom"),
    ("Layout_MN_SW128_Atom",),
)
LOADS = (("SM75_U32x4_LDSM_N", "SM75_U32x2_LDSM_N", "SM75_U32x1_LDSM_N"), ("SM75_U16x8_LDSM_T", "SM75_U16x4_LDSM_T"))
STORES = (("SM90_U32x4_STSM_N", "SM90_U32x2_STSM_N"), ("SM90_U16x8_STSM_T", "SM90_U16x4_STSM_T"))
PLAIN = ("plain, by rows", "plain, by columns")
HEADS = ("layout atom", "by", "wavefronts", "ideal", "verdict", "tile")
TYPES = {4: "float4_e2m1fn", 8: "int8", 16: "float16", 32: "float32", 64: "float64"}  # of the tab of banks
Tile = Layout[int] | ComposedLayout[int]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What accesses a tile: an operand or a copy, in elements of `bits`, of which shared memory has `shape` or more.

    `python` is how a line of Python names it; `copies` are copy atoms to try before what the object does by itself, for
    each way of SWIZZLED; `side` is a copy's.
    """

    name: str
    given: Accessor
    python: str
    shape: tuple[int, int]
    bits: int
    spec: ArchSpec
    copies: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    side: str | None = None


@dataclass(frozen=True, slots=True)
class Stored:
    """A tile in shared memory, made of an atom, the access to it, and what that costs."""

    atom: str
    tile: Tile
    copy: CopyAtom | None
    access: Access
    report: BankReport

    @property
    def text(self) -> str:
        """The access as the tab of banks reads it."""
        one = self.access
        if one.thread_value is None:
            return one.instruction
        bits = f" {one.vector_bits}b" if one.vector_bits else ""
        return f"{one.kind if one.instruction == 'auto' else one.instruction} {one.thread_value}{bits}"


@lru_cache(maxsize=64)  # what a click on another thread leaves as it is
def stored(wanted: Wanted) -> tuple[Stored, ...]:
    """The tiles that fit: the fewest wavefronts for their size first, then those along K, then the widest swizzle."""
    found = [one for way in (0, 1) for one in _by_first(wanted, tuple(_tiles(wanted, way)), wanted.copies[way])]
    return tuple(sorted(found, key=lambda one: one.report.wavefronts / one.tile.size))


def table(wanted: Wanted, found: tuple[Stored, ...]) -> Table:
    """The tiles that fit, as rows."""
    return Table(
        f"{wanted.name} in shared memory, the best first (see: in the tab Banks)",
        HEADS,
        tuple(_row(wanted, one) for one in found),
    )


def _row(wanted: Wanted, one: Stored) -> Row:
    report = one.report
    verdict = "conflict-free" if report.conflict_free else f"{report.ways}-way conflict"
    by = one.copy.name if one.copy else f"{report.instruction}, {8 * report.width_bytes} bits"
    numbers = (str(report.wavefronts), str(report.ideal))
    return Row((one.atom, by, *numbers, verdict, str(one.tile)), _in_banks(wanted, one), BANKS)


def _in_banks(wanted: Wanted, one: Stored) -> dict[str, str]:
    """The same as the tab of banks is asked for it, if it has such elements."""
    if wanted.bits not in TYPES:
        return {}
    arch = wanted.spec.name.rstrip("af") if wanted.spec.name.startswith("sm_") else wanted.spec.name
    return {"tile": str(one.tile), "accesses": one.text, "dtype": TYPES[wanted.bits], "arch": arch}


def in_python(wanted: Wanted, one: Stored) -> str:
    """The line of Python that counts the same."""
    options = [f"element_bits={wanted.bits}", f"arch={wanted.spec.name!r}"]
    options += [f"side={wanted.side!r}"] if wanted.side else []
    options += [f"copy=tw.atoms.copy({one.copy.name!r})"] if one.copy else []
    return f"print(tw.bank_conflicts(tw.parse({str(one.tile)!r}), {wanted.python}, {', '.join(options)}))\n"


def _tiles(wanted: Wanted, way: int) -> Iterator[tuple[str, Tile]]:
    """The layout atoms repeated over whole lines of memory, eight or more, wide swizzles first; then the plain tile."""
    line = max(1, LINE_BITS // wanted.bits)
    units = (line, LINES) if way else (LINES, line)
    rows, columns = (lcm(extent, unit) for extent, unit in zip(wanted.shape, units, strict=True))
    if rows * columns > MOST_ELEMENTS:
        return
    for name in SWIZZLED[way]:
        with suppress(TilewrightError):  # of elements that fill no 16 bytes
            yield name, tile_to_shape(SHARED_ATOMS[name].layout(wanted.bits), (rows, columns))
    yield PLAIN[way], Layout((rows, columns), (1, rows) if way else (columns, 1))


def _by_first(wanted: Wanted, tiles: Sequence[tuple[str, Tile]], names: Sequence[str]) -> Iterator[Stored]:
    """The tiles by the first copy atom that can, as the first of them tells, or by what the object does by itself."""
    copies = [copy for copy in map(catalog.copy, names) if has_atom(wanted.spec, copy)]
    able = (copy for copy in (*copies, None) if tiles and _accessed(wanted, *tiles[0], copy))
    for copy in islice(able, 1):
        found = (_accessed(wanted, atom, tile, copy) for atom, tile in tiles)
        yield from (one for one in found if one)


def _accessed(wanted: Wanted, atom: str, tile: Tile, copy: CopyAtom | None) -> Stored | None:
    """The access and its cost; None where the tile cannot be accessed so."""
    bits, spec = wanted.bits, wanted.spec
    try:
        how = resolved(wanted.given, tile, "shared", element_bits=bits, arch=spec, copy=copy, side=wanted.side)
        return Stored(atom, tile, copy, how.access, _cost(tile, replace(how.access, name=""), bits, spec))
    except TilewrightError:
        return None


@lru_cache(maxsize=256)  # A and B are often alike
def _cost(tile: Tile, access: Access, bits: int, spec: ArchSpec) -> BankReport:
    return bank_conflicts(tile, access, element_bits=bits, arch=spec)
