"""The one place that makes accesses of what users hold: a row for each type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TYPE_CHECKING

from tilewright.analysis.descriptor.demands import DESCRIPTORS
from tilewright.analysis.held.copies import of_atom, of_copy
from tilewright.analysis.held.fragments import of_fragment
from tilewright.analysis.held.named import with_atoms
from tilewright.analysis.held.operands import of_operand
from tilewright.analysis.held.question import SIDES, Memory, Question
from tilewright.analysis.held.said import TOLD, UNKNOWN, agreed, architecture, common_architecture, said_by
from tilewright.analysis.model.access import Access, check_element_bits
from tilewright.analysis.model.memory import Tile, TileLike, stored
from tilewright.arch import ArchSpec
from tilewright.arch import get as get_arch
from tilewright.atoms.catalog import copy_atom
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MODES, MmaAtom
from tilewright.atoms.tiled_copy import ThrCopy, TiledCopy
from tilewright.atoms.tiled_mma import ThrMma, TiledMma
from tilewright.dtypes import bits_of
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.base import LayoutBase, no_layout
from tilewright.layout.view import View
from tilewright.tirx.tile_layout import TileLayout

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

KNOWN = "a thread-value layout, a tw.Access, a tiled copy, a copy atom, (tiled_mma, 'A') or a TileLayout on threads"


@singledispatch
def held(given: object, asked: Question) -> Access:
    """What someone holds, as an access of the tile; each type's row says how.

    Raises:
        LayoutError: it is nothing that accesses a tile.
    """
    raise LayoutError(f"an access is {KNOWN}; got {no_layout(given)}")


def _of_access(given: Access, asked: Question) -> Access:
    return given


def _of_layout(given: LayoutBase, asked: Question) -> Access:
    return Access(given)


def _of_mma(given: TiledMma | MmaAtom, asked: Question) -> Access:
    raise UsageError("say which operand of the MMA the tile is: (mma, 'A'), (mma, 'B') or (mma, 'C')")


def _of_thread(given: ThrCopy | ThrMma, asked: Question) -> Access:
    instead = "the tiled copy" if isinstance(given, ThrCopy) else "(tiled_mma, 'A')"
    raise UsageError(
        f"thread {given.thread} alone is no access: lanes of a warp are served together; give {instead}, "
        f"with active=[{given.thread}] where the others take no part"
    )


def _of_pair(given: tuple[object, ...], asked: Question) -> Access:
    match given:
        case (TiledMma() | MmaAtom() as mma, str(operand)) if operand in MODES:
            return of_operand(mma, operand, asked)
        case (TiledCopy() | CopyAtom() as copy, str(side)) if side in SIDES:
            return held(copy, replace(asked, side=side))
        case (TiledMma() | MmaAtom() | TiledCopy() | CopyAtom(), word):
            raise UsageError(f"beside an MMA stands 'A', 'B' or 'C', beside a copy 'S' or 'D'; got {shown(word)}")
    raise LayoutError(f"an access is {KNOWN}; got {no_layout(given)}")


def _of_text(given: str, asked: Question) -> Access:
    raise UsageError(f"an access is {KNOWN}; got {_instead(given)}")


def _instead(given: str) -> str:
    if given in DESCRIPTORS:
        return f"{given!r}; write tw.Access(instruction={given!r})"
    if ":" in given:
        return no_layout(given)
    beside = f"an instruction stands beside its threads: tw.Access(thread_value, instruction={shown(given)})"
    return f"{shown(given)}; names are those of atoms, such as 'SM75_U32x4_LDSM_N', and {beside}"


held.register(Access, _of_access)
held.register(LayoutBase, _of_layout)
held.register(TiledCopy, of_copy)
held.register(CopyAtom, of_atom)
held.register(TiledMma, _of_mma)
held.register(MmaAtom, _of_mma)
held.register(tuple, _of_pair)
held.register(TileLayout, of_fragment)
held.register(str, _of_text)
held.register(ThrCopy, _of_thread)
held.register(ThrMma, _of_thread)


@dataclass(frozen=True)
class Resolved:
    """An access of a tile, with everything that its analysis needs."""

    tile: Tile
    access: Access
    element_bits: int
    spec: ArchSpec


def resolved(
    accessor: object,
    tile: TileLike,
    memory: Memory,
    *,
    element_bits: int | DTypeLike | None,
    arch: str | ArchSpec | None,
    side: str | None = None,
    copy: CopyAtom | str | None = None,
    base_bytes: int = 0,
    vector_bits: int | DTypeLike | None = None,
    kind: str | None = None,
    instruction: str = "auto",
) -> Resolved:
    """What someone holds as an access, with what is said beside it: that comes before what the object says.

    Raises:
        UsageError: options that are none; elements of unknown width, or of two.
        LayoutError: no tile, or nothing that accesses such a tile.
    """
    layout, own_bits = stored(tile)
    given, by = with_atoms(accessor), None if copy is None else copy_atom(copy, "copy is")
    spec = architecture(given) if arch is None else get_arch(arch)
    told = None if element_bits is None else check_element_bits(element_bits)
    said = ((TOLD, told), ("the tile", own_bits), said_by(given), said_by(by))
    asked = Question(layout, memory, spec, said, side, by, base_bytes)
    own = held(given, asked)
    access = Access(
        own.thread_value,
        own.vector_bits if vector_bits is None else vector_bits,
        own.kind if kind is None else kind,
        own.instruction if instruction == "auto" else instruction,
        own.name,
        own.notes,
    )
    return Resolved(layout, access, asked.element_bits, spec)


def all_resolved(
    accessors: Sequence[object],
    tile: TileLike,
    *,
    element_bits: int | DTypeLike | None,
    arch: str | ArchSpec | None,
    side: str | None = None,
    copy: CopyAtom | str | None = None,
) -> list[Resolved]:
    """Several accesses of a tile in shared memory, of the same elements on one architecture.

    Raises:
        UsageError, LayoutError: as `resolved`.
    """
    given = [with_atoms(one) for one in accessors]
    spec = common_architecture(given) if arch is None else get_arch(arch)
    told = None if element_bits is None else check_element_bits(element_bits)
    bits = agreed([(TOLD, told), ("the tile", stored(tile)[1]), *map(said_by, given)])
    return [resolved(one, tile, "shared", element_bits=bits, arch=spec, side=side, copy=copy) for one in given]


def told_width(tile: object, element_bits: int | DTypeLike | None, access: object = None) -> int:
    """The bits of an element, as callers say them or as the tile, or what accesses it, tells.

    Raises:
        UsageError: nobody does, or two say different ones.

    >>> from tilewright.layout.layout import Layout
    >>> from tilewright.layout.typed import TypedLayout
    >>> told_width(TypedLayout(Layout(4), "f16"), None), told_width(Layout(4), "f32")
    (16, 32)
    """
    told = None if element_bits is None else bits_of(element_bits)
    own = tile.element_bits if isinstance(tile, View) else None
    found = agreed([(TOLD, told), ("the tile", own), said_by(with_atoms(access))])
    if found is None:
        raise UsageError(UNKNOWN)
    return found
