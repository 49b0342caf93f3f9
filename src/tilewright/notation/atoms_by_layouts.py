"""The atoms of CUTLASS by their layouts: which operations have those that CuTe prints."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias

from tilewright.atoms import catalog
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.errors import LayoutError, UsageError
from tilewright.layout.layout import Layout
from tilewright.layout.operations import coalesce

Key: TypeAlias = tuple[object, ...]

BYTE = 8
_CUTLASS = ("SM", "Universal", "DefaultCopy")


@cache
def mmas_by_layouts() -> Mapping[Key, Sequence[MmaAtom]]:
    """The atoms of CUTLASS by their layouts."""
    found: defaultdict[Key, list[MmaAtom]] = defaultdict(list)
    for atom in map(catalog.mma, _of_cutlass("mma")):
        layouts = (atom.thr_layout, atom.tv_layout_A, atom.tv_layout_B, atom.tv_layout_C)
        found[atom.shape_mnk, *map(normal, layouts)].append(atom)
    return found


@cache
def copies_by_layouts(bits: int) -> Mapping[Key, Sequence[CopyAtom]]:
    """The copies of CUTLASS that take elements of so many bits, by their layouts."""
    found: defaultdict[Key, list[CopyAtom]] = defaultdict(list)
    for name in _of_cutlass("copy"):
        try:
            atom = catalog.copy(name).with_element(bits)
        except (LayoutError, UsageError):
            continue
        if atom.widened_bits and bits != BYTE:
            continue
        layouts = (atom.thr_layout, atom.tv_layout_src, atom.tv_layout_dst, atom.tv_layout_ref)
        found[tuple(map(normal, layouts))].append(atom)
    return found


def _of_cutlass(kind: str) -> Sequence[str]:
    return [name for name in catalog.list(kind=kind) if name.startswith(_CUTLASS)]


def normal(layout: Layout[int]) -> object:
    """Equal for layouts that are one function of (thread, value), or of a thread."""
    if layout.rank != 2:
        return coalesced(layout)
    found: Layout[int] = coalesce(layout, (1, 1))
    return found


def coalesced(layout: Layout[int]) -> Layout[int]:
    """The same function of the flat coordinate, in the fewest modes."""
    found: Layout[int] = coalesce(layout)
    return found
