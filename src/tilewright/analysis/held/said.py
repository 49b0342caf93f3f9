"""What objects say of themselves: the bits of their elements, and the architecture that they need."""

from __future__ import annotations

from collections.abc import Iterable

from tilewright.analysis.descriptor.demands import DESCRIPTORS, default_arch
from tilewright.analysis.model.access import Access
from tilewright.arch import ArchSpec, names
from tilewright.arch import get as get_arch
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MODES, MmaAtom
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.atoms.tiled_mma import TiledMma

DEFAULT_ARCH = "sm_90"
RESULT, OPERANDS = 0, "ABC"  # a type of D, then one of each


def own_bits(given: object) -> int | None:
    """The bits of the elements that an object moves; None where it does not say them.

    >>> from tilewright.atoms.catalog import copy, mma
    >>> own_bits((mma("SM80_16x8x16_F32F16F16F32_TN"), "A")), own_bits(copy("SM75_U32x4_LDSM_N"))
    (16, None)
    """
    atom, word = _atom(given), given[1] if isinstance(given, tuple) and len(given) == 2 else None
    if isinstance(atom, CopyAtom):
        return atom.val_bits if atom.val_bits > 1 else None
    if isinstance(atom, MmaAtom) and isinstance(word, str) and word in MODES:
        return atom.dtypes[RESULT if word == "C" else 1 + OPERANDS.index(word)].bits
    return None


def architecture(given: object) -> ArchSpec:
    """sm_90, or a later one or AMD's where the atom or the unit came with that.

    >>> architecture(Access(instruction="tcgen05")).name, architecture(None).name
    ('sm_100', 'sm_90')
    """
    if isinstance(given, Access):
        return get_arch(default_arch([given.instruction] if given.instruction in DESCRIPTORS else []))
    atom = _atom(given)
    own = atom.arch if isinstance(atom, MmaAtom | CopyAtom) else ""
    return get_arch(own if own in names()[names().index(DEFAULT_ARCH) :] else DEFAULT_ARCH)


def common_architecture(given: Iterable[object]) -> ArchSpec:
    """The latest of the architectures that several objects need."""
    return max(map(architecture, given), key=lambda spec: names().index(spec.name))


def _atom(given: object) -> object:
    first = given[0] if isinstance(given, tuple) and given else given
    return first.atom if isinstance(first, TiledMma | TiledCopy) else first
