"""MMA, copy and shared-memory layout atoms as frozen, proved values; tiled copies and tiled MMAs built from them."""

from tilewright.atoms.catalog import copy, mma
from tilewright.atoms.catalog import list as list
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.find import find
from tilewright.atoms.mma import MmaAtom
from tilewright.atoms.shared_atoms import SharedAtom, smem

__all__ = ["copy", "CopyAtom", "find", "mma", "MmaAtom", "SharedAtom", "smem"]
