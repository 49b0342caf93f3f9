"""What objects say of themselves: the bits of their elements, and the architecture that they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from tilewright.analysis.descriptor.demands import DESCRIPTORS, default_arch
from tilewright.analysis.model.access import Access
from tilewright.arch import ArchSpec, names
from tilewright.arch import get as get_arch
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MODES, MmaAtom
from tilewright.atoms.packing import container_of
from tilewright.atoms.tiled_copy import TiledCopy
from tilewright.atoms.tiled_mma import TiledMma
from tilewright.errors import UsageError

DEFAULT_ARCH = "sm_90"
RESULT, BYTE, TOLD = "D", 8, "element_bits"
UNKNOWN = (
    "say how wide an element is: element_bits=16, or its type, such as 'f16'; "
    "a tw.Tensor, an MMA's operand and atoms of elements say it themselves"
)
RECAST = "recast the tile, or take what moves such elements"
RESULTS = "C of "
CONVERTED = f"{RECAST}: of registers that are converted first, tw.make_tiled_copy_C(copy, tiled_mma)"
Said: TypeAlias = tuple[str, int | None]  # who says it, and the bits of an element


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
        return container_of(atom, RESULT if word == "C" else word).bits
    return None


def said_by(given: object) -> Said:
    """What an object says of the bits of its elements, and how messages call it."""
    atom, word = _atom(given), given[1] if isinstance(given, tuple) and len(given) == 2 else ""
    name = atom.name if isinstance(atom, MmaAtom | CopyAtom) else "the access"
    return f"{word} of {name}" if isinstance(atom, MmaAtom) else name, own_bits(given)


def agreed(said: Sequence[Said]) -> int | None:
    """The bits of an element that all say who say any; None where nobody does.

    Where callers tell of bytes, these may hold narrower elements.

    Raises:
        UsageError: two say different bits.

    >>> agreed([("the tile", None), ("A of the MMA", 16)]), agreed([("element_bits", 8), ("A of the MMA", 4)])
    (16, 8)
    """
    least = BYTE if (TOLD, BYTE) in said else 0
    known = [(who, max(bits, least)) for who, bits in said if bits is not None]
    for who, bits in known[1:]:
        if bits != known[0][1]:
            raise UsageError(
                f"{known[0][0]} says elements of {known[0][1]} bits, and {who} elements of {bits} bits; "
                f"{CONVERTED if any(name.startswith(RESULTS) for name, _ in known) else RECAST}"
            )
    return known[0][1] if known else None


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
