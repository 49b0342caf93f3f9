"""Which architectures have the instruction of an atom."""

from __future__ import annotations

import re
from functools import cache
from typing import TypeAlias

from tilewright.arch.spec import ArchSpec
from tilewright.atoms import catalog, cdna, rdna
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom

_AMD = "gfx"
_NVIDIA = re.compile("sm_([0-9]+)([af]?)")
# What other Blackwells have of what is for sm_100a. Source: PTX ISA 9.0, target notes of these; ptxas of CUDA 13.5.
_MATRICES = ("ldmatrix.", "stmatrix.")
_OF_BLACKWELLS = {"110": (*_MATRICES, "tcgen05."), "120": _MATRICES, "121": _MATRICES}
# AMD's lines: within one, a copy stays once it is there.
_LINES = (("gfx90a", "gfx940", "gfx941", "gfx942", "gfx950"), ("gfx11", "gfx12", "gfx1250"))


def has_atom(spec: ArchSpec, atom: MmaAtom | CopyAtom) -> bool:
    """Can the architecture execute the atom?

    NVIDIA's instructions stay, but those of `sm_100a` and the like, which are for one family; AMD's matrix
    instructions come and go: one is there where the table has its tile, types and layouts for the architecture.

    >>> from tilewright.arch import get
    >>> [has_atom(get(name), catalog.mma("SM80_16x8x16_F32F16F16F32_TN")) for name in ("sm_75", "sm_90a", "gfx942")]
    [False, True, False]
    >>> [has_atom(get(name), catalog.copy("SM100_SU4_DU8x16_x4_LDSM_N")) for name in ("sm_90a", "sm_100a", "sm_120a")]
    [False, True, True]
    >>> [has_atom(get(name), catalog.mma("CDNA1_16x16x4_F32F32F32F32")) for name in ("gfx942", "gfx1100")]
    [True, False]
    >>> has_atom(get("gfx1200"), catalog.mma("RDNA3_16x16x16_F32F16F16F32"))  # their lanes hold other elements
    False
    """
    if atom.arch == "any":
        return True
    wanted, own = _NVIDIA.fullmatch(atom.arch), _NVIDIA.fullmatch(spec.name)
    if wanted is not None and own is not None:
        both = atom.instruction.startswith(_OF_BLACKWELLS.get(own[1], "-")) and wanted[1] == "100"
        return _reaches((int(wanted[1] if both else own[1]), own[2]), (int(wanted[1]), wanted[2]))
    if wanted is not None or own is not None:
        return False
    if isinstance(atom, MmaAtom):
        like = family(spec.name)
        return atom.arch == like or _form(atom) in _forms(like)
    return any(atom.arch in line and spec.name in line[line.index(atom.arch) :] for line in _LINES)


def has_instruction(spec: ArchSpec, first: str) -> bool:
    """Has an architecture of NVIDIA what that one was the first to have? `gfx` is any of AMD's.

    >>> from tilewright.arch import get
    >>> [has_instruction(get(name), "sm_90a") for name in ("sm_90", "sm_90a", "sm_100a", "gfx942")]
    [False, True, False, False]
    """
    wanted, own = _NVIDIA.fullmatch(first), _NVIDIA.fullmatch(spec.name)
    if wanted is None or own is None:
        return first == _AMD and spec.name.startswith(_AMD)
    return _reaches((int(own[1]), own[2]), (int(wanted[1]), wanted[2]))


def _reaches(own: tuple[int, str], wanted: tuple[int, str]) -> bool:
    if own[0] < wanted[0]:
        return False
    return not wanted[1] or (own[1] != "" and own[0] // 10 == wanted[0] // 10)


def family(name: str) -> str:
    """The architecture of the table that another one is like.

    >>> family("gfx1151"), family("gfx940"), family("sm_90")
    ('gfx1100', 'gfx942', 'sm_90')
    """
    for prefix, like in (("gfx94", "gfx942"), ("gfx1250", "gfx1250"), ("gfx11", "gfx1100"), ("gfx12", "gfx1200")):
        if name.startswith(prefix):
            return like
    return name


Form: TypeAlias = tuple[object, ...]


def _form(atom: MmaAtom) -> Form:
    """What the lanes see of it."""
    return atom.shape_mnk, atom.types, atom.scale, atom.tv_layout_A, atom.tv_layout_B, atom.tv_layout_C


@cache
def _forms(arch: str) -> frozenset[Form]:
    rows = (*cdna.mma_rows(), *rdna.mma_rows())  # the catalog would build the thousands of the others too
    atoms = (catalog.mma(name) for name, *_ in rows)
    return frozenset(_form(atom) for atom in atoms if atom.arch == arch)
