"""Atoms by their names, where what accesses a tile is given so."""

from __future__ import annotations

from tilewright.analysis.descriptor.demands import DESCRIPTORS
from tilewright.analysis.held.question import SIDES
from tilewright.atoms import catalog
from tilewright.atoms.mma import MODES


def with_atoms(given: object) -> object:
    """What someone holds, the atoms that are named in it found.

    Raises:
        UsageError: a name that begins as those of atoms do, and is none.

    >>> with_atoms(("SM80_16x8x16_F32F16F16F32_TN", "A"))[0].shape_mnk, with_atoms("ldmatrix")
    ((16, 8, 16), 'ldmatrix')
    """
    match given:
        case (str(name), str(word)) if word in MODES:
            return catalog.mma(name), word
        case (str(name), str(word)) if word in SIDES:
            return catalog.copy(name), word
        case str(name) if name not in DESCRIPTORS and name[:1].isupper():
            return catalog.mma(name) if catalog.has_mma(name) else catalog.copy(name)
    return given
