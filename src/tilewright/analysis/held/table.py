"""The one place that makes accesses of what users hold: a row for each type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import TYPE_CHECKING

from tilewright.analysis.descriptor.demands import DESCRIPTORS
from tilewright.analysis.held.copies import of_atom, of_copy
from tilewright.analysis.held.fragments import of_fragment
from tilewright.analysis.held.operands import of_operand
from tilewright.analysis.held.question import SIDES, Memory, Question
from tilewright.analysis.held.said import architecture, common_architecture, own_bits
from tilewright.analysis.model.access import Access, check_element_bits
from tilewright.analysis.model.memory import Tile
from tilewright.arch import ArchSpec
from tilewright.arch import get as get_arch
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MODES, MmaAtom
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.errors import LayoutError, UsageError, shown
from tilewright.layout.base import LayoutBase, no_layout
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
    found = f"{given!r}; write tw.Access(instruction={given!r})" if given in DESCRIPTORS else no_layout(given)
    raise UsageError(f"an access is {KNOWN}; got {found}")


held.register(Access, _of_access)
held.register(LayoutBase, _of_layout)
held.register(TiledCopy, of_copy)
held.register(CopyAtom, of_atom)
held.register(TiledMma, _of_mma)
held.register(MmaAtom, _of_mma)
held.register(tuple, _of_pair)
held.register(TileLayout, of_fragment)
held.register(str, _of_text)


@dataclass(frozen=True)
class Resolved:
    """An access with everything that its analysis needs."""

    access: Access
    element_bits: int
    spec: ArchSpec


def resolved(
    given: object,
    layout: Tile,
    memory: Memory,
    *,
    element_bits: int | DTypeLike | None,
    arch: str | ArchSpec | None,
    side: str | None = None,
    copy: CopyAtom | None = None,
    base_bytes: int = 0,
    vector_bits: int | DTypeLike | None = None,
    kind: str | None = None,
    instruction: str = "auto",
) -> Resolved:
    """What someone holds as an access, with what is said beside it: that comes before what the object says.

    Raises:
        UsageError: options that are none; elements of unknown width.
        LayoutError: nothing that accesses such a tile.
    """
    spec = architecture(given) if arch is None else get_arch(arch)
    bits = own_bits(given) if element_bits is None else check_element_bits(element_bits)
    if bits is None:
        raise UsageError("say how wide an element is: element_bits=16, or its type, such as 'f16'")
    own = held(given, Question(layout, memory, spec, bits, side, copy, base_bytes))
    told = Access(
        own.thread_value,
        own.vector_bits if vector_bits is None else vector_bits,
        own.kind if kind is None else kind,
        own.instruction if instruction == "auto" else instruction,
        own.name,
        own.notes,
    )
    return Resolved(told, bits, spec)


def all_resolved(
    given: Sequence[object], layout: Tile, *, element_bits: int | DTypeLike | None, arch: str | ArchSpec | None
) -> list[Resolved]:
    """Several accesses of a tile in shared memory, of the same elements on one architecture.

    Raises:
        UsageError, LayoutError: as `resolved`.
    """
    spec = common_architecture(given) if arch is None else get_arch(arch)
    bits = next(filter(None, map(own_bits, given)), None) if element_bits is None else element_bits
    return [resolved(one, layout, "shared", element_bits=bits, arch=spec) for one in given]
