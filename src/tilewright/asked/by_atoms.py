"""Accesses that the command line names by atoms: `SM75_U32x4_LDSM_N`, `A of SM80_.. by SM75_..`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tilewright.analysis.held.question import Accessor
from tilewright.analysis.held.said import Said, architecture, said_by
from tilewright.analysis.held.table import resolved
from tilewright.analysis.model.access import Access
from tilewright.analysis.model.memory import Tile
from tilewright.arch import ArchSpec
from tilewright.atoms.catalog import copy, mma
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import checked_operand

_ATOM = r"[A-Z][A-Za-z0-9_]{3,}[^ ]*"  # no instruction and no pattern begins with a capital
NAMED = re.compile(rf"(?:(?P<operand>\S+) of (?P<mma>\S+)|(?P<atom>{_ATOM}))(?: (?P<side>[SD]))?(?: by (?P<copy>\S+))?")


@dataclass(frozen=True)
class NamedAccess:
    """An operand of an MMA atom, perhaps by a copy atom; or a copy atom on the whole tile, perhaps on a side."""

    held: Accessor
    side: str | None
    copy: CopyAtom | None

    def access(self, tile: Tile, element_bits: int, spec: ArchSpec) -> Access:
        """The access of the tile."""
        found = resolved(
            self.held, tile, "shared", element_bits=element_bits, arch=spec, side=self.side, copy=self.copy
        )
        return found.access

    @property
    def said(self) -> tuple[Said, Said]:
        """What the operand and the copy say of the bits of an element."""
        return said_by(self.held), said_by(self.copy)

    @property
    def arch(self) -> str:
        """The name of the architecture that it needs."""
        return architecture(self.held).name


def named(text: str) -> NamedAccess | None:
    """What a text names by its atoms; None where it names none.

    Raises:
        UsageError: there is no such atom, or operand.

    >>> named("A of SM80_16x8x16_F32F16F16F32_TN by SM75_U32x4_LDSM_N").copy.name, named("rows 16B")
    ('SM75_U32x4_LDSM_N', None)
    """
    found = NAMED.fullmatch(" ".join(text.split()))
    if found is None:
        return None
    by = copy(found["copy"]) if found["copy"] else None
    if found["atom"]:
        return NamedAccess(copy(found["atom"]), found["side"], by)
    return NamedAccess((mma(found["mma"]), checked_operand(found["operand"])), found["side"], by)
