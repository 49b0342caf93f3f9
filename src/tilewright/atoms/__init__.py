"""MMA and copy atoms as frozen, proved values; tiled copies and tiled MMAs built from them."""

from tilewright.atoms.catalog import copy, mma
from tilewright.atoms.catalog import list as list
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom

__all__ = ["copy", "CopyAtom", "mma", "MmaAtom"]
