"""A copy atom in elements that show what it moves, where nobody says which."""

from __future__ import annotations

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.errors import LayoutError

WIDTHS = (16, 8, 4, 2)  # halves, as the instructions that move matrices count; else the widest that are not cut


def in_values(atom: CopyAtom) -> CopyAtom:
    """The atom in halves, or in the widest elements below that it does not cut; as it is, if it has elements already.

    >>> from tilewright.atoms.catalog import copy
    >>> in_values(copy("SM75_U32x4_LDSM_N")).val_bits, in_values(copy("SM75_U32x4_LDSM_N").with_element(32)).val_bits
    (16, 32)
    """
    if atom.val_bits != 1:
        return atom
    for bits in WIDTHS:
        try:
            return atom.with_element(bits)
        except LayoutError:
            continue
    return atom
