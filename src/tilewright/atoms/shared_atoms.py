"""The canonical layouts of operands in shared memory, by CUTLASS's names: what matrix descriptors can describe."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from tilewright.atoms.shared_modes import MODES, SharedMode
from tilewright.dtypes import bits_of
from tilewright.errors import LayoutError, UsageError, close_names, shown, typed_fields
from tilewright.layout.composed import ComposedLayout
from tilewright.layout.layout import Layout

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

Major = Literal["K", "MN"]
SPARSITY = 2  # of a sparse A every other element is stored
MOST_SPARSE = 1 << 16
_DENSE, _SPARSE = "_Atom", "_SpAtom"


@dataclass(frozen=True, slots=True)
@typed_fields
class SharedAtom:
    """A layout of an operand's tile (MN, K) that repeats: `lines` rows of the mode's span, contiguous along `major`.

    That of a sparse A has a place for one of `sparsity` neighbours along K: coordinates count all of them, offsets
    those that are stored.

    Raises:
        UsageError: a field of another type.
        LayoutError: a sparsity below 1.

    Source: CuTe's `mma_traits_sm90_gmma` (GMMA), `mma_traits_sm100` (UMMA), `mma_traits_sm90_gmma_sparse` (SpAtom);
    PTX ISA, matrix layouts in shared memory.

    >>> from tilewright.atoms.shared_atoms import smem
    >>> print(smem("Layout_K_SW64_Atom", "f16"), smem("Layout_K_SW64_SpAtom", "f16"))
    Sw<2,3,3> o 0 o (8,32):(32,1) Sw<2,3,3> o 0 o (8,(2,32)):(32,(0,1))
    """

    name: str
    major: Major
    mode: SharedMode
    arch: str
    sparsity: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.sparsity <= MOST_SPARSE:
            raise LayoutError(f"one of 1 to {MOST_SPARSE} elements is stored, got {self.sparsity}")

    @property
    def lines(self) -> int:
        """How many rows of the mode's span it has."""
        return self.mode.lines

    def extents(self, element_bits: int) -> tuple[int, int]:
        """Elements along MN and along K, of a sparse atom those that are left out too."""
        rows, columns = self._stored(element_bits)
        return rows, columns * self.sparsity

    def _stored(self, element_bits: int) -> tuple[int, int]:
        width = self.mode.width(element_bits)
        return (self.lines, width) if self.major == "K" else (width, self.lines)

    def layout(self, element_bits: int) -> ComposedLayout[int]:
        """The atom: (MN, K) -> offset, in elements that are stored.

        Raises:
            LayoutError: 16 bytes hold no whole number of elements.
        """
        rows, columns = self._stored(element_bits)
        down, along = (columns, 1) if self.major == "K" else (1, rows)
        dense = Layout((rows, columns), (down, along))
        sparse = Layout((rows, (self.sparsity, columns)), (down, (0, along)))
        return ComposedLayout(self.mode.swizzle(element_bits), 0, dense if self.sparsity == 1 else sparse)

    def __str__(self) -> str:
        return self.name


def _rows() -> tuple[SharedAtom, ...]:
    majors: tuple[Major, Major] = ("K", "MN")
    modes = (("INTER", "none"), ("SW32", "32B"), ("SW64", "64B"), ("SW128", "128B"))
    found = [SharedAtom(f"Layout_{m}_{word}_Atom", m, MODES[name], "sm_90") for m in majors for word, name in modes]
    narrow = SharedAtom("Layout_MN_SW128_32B_Atom", "MN", MODES["128B_ATOM_32B"], "sm_100")
    return (*found, narrow)


def sparse_name(name: str) -> str:
    """What the atom of a sparse A is called, of the dense one's name.

    >>> sparse_name("Layout_K_SW128_Atom")
    'Layout_K_SW128_SpAtom'
    """
    return f"{name.removesuffix(_DENSE)}{_SPARSE}"


def _sparse(atom: SharedAtom) -> SharedAtom:
    return replace(atom, name=sparse_name(atom.name), sparsity=SPARSITY)


SHARED_ATOMS: Mapping[str, SharedAtom] = {atom.name: atom for atom in _rows()}  # of dense operands
SPARSE_ATOMS: Mapping[str, SharedAtom] = {atom.name: atom for atom in map(_sparse, SHARED_ATOMS.values())}
ALL_SHARED: Mapping[str, SharedAtom] = {**SHARED_ATOMS, **SPARSE_ATOMS}


def shared_atom(name: str) -> SharedAtom:
    """The row of the tables; names with `GMMA::` or `UMMA::` before them, and CuTe DSL's short ones, are read too.

    Raises:
        UsageError: there is none; the message suggests names.

    >>> shared_atom("UMMA::Layout_MN_SW128_32B_Atom").mode.name, shared_atom("K_SW64").name
    ('128B_ATOM_32B', 'Layout_K_SW64_Atom')
    """
    if not isinstance(name, str):
        raise UsageError(f"a shared-memory atom's name is a text, got {shown(name)}")
    short = name.strip().rsplit("::", 1)[-1].rsplit(".", 1)[-1]
    found = ALL_SHARED.get(short) or SHARED_ATOMS.get(f"Layout_{short}_Atom")
    if found is None:
        close = close_names(short, ALL_SHARED, 3)
        hint = f"close names: {', '.join(close)}" if close else f"there are {', '.join(SHARED_ATOMS)}"
        raise UsageError(f"there is no shared-memory layout atom {shown(name)}; {hint}")
    return found


def smem(name: str, element: int | DTypeLike | None = None) -> ComposedLayout[int]:
    """The shared-memory layout atom of that name: (MN, K) -> offset, both in elements.

    Args:
        name: CUTLASS's, such as `Layout_K_SW128_Atom`; `GMMA::` or `UMMA::` may stand before it, its type behind it:
            `GMMA::Layout_K_SW128_Atom<half_t>`. Of a sparse A `Layout_K_SW128_SpAtom`, of which every other element is
            stored, or one of as many as `<half_t, 4>` says.
        element: an element type, its name, or its bits; None where the name says it.

    Raises:
        UsageError: no such atom or type; the message suggests names. No type, or two.
        LayoutError: 16 bytes hold no whole number of elements.

    >>> print(smem("Layout_K_SW128_Atom", "f16"))
    Sw<3,3,3> o 0 o (8,64):(64,1)
    >>> smem("GMMA::Layout_K_SW128_Atom<cutlass::half_t>") == smem("K_SW128", 16)
    True
    >>> print(smem("Layout_MN_SW128_32B_Atom", "tf32"))
    Sw<2,3,2> o 0 o (32,4):(1,32)
    """
    own, told, count = _typed(name)
    atom = of_sparsity(shared_atom(own), count)
    given = told if element is None else element
    if given is None or (element is not None and told is not None):
        example = f"{atom.name}<half_t>, or smem({atom.name!r}, 'f16')"
        raise UsageError(f"an atom's layout needs one element type: write {example}")
    return atom.layout(checked_bits(given))


def of_sparsity(atom: SharedAtom, sparsity: int | None) -> SharedAtom:
    """The atom of which one of so many elements is stored; None: as many as its name says.

    Raises:
        UsageError: an atom of dense operands.
        LayoutError: a sparsity below 1.
    """
    if sparsity is None:
        return atom
    if atom.sparsity == 1:
        raise UsageError(f"{atom} has dense operands; those of sparse ones are called {sparse_name(atom.name)}")
    return replace(atom, sparsity=sparsity)


def _typed(name: str) -> tuple[str, str | None, int | None]:
    """The name, and the type and the sparsity in its angle brackets."""
    found = _TYPED.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        return name, None, None
    return found[1], found[2].rsplit("::", 1)[-1], int(found[3]) if found[3] else None


_TYPED = re.compile(r"\s*([\w:.]+)<\s*([\w:]+)\s*(?:,\s*([0-9]{1,5})\s*)?>\s*(?:\{\})?\s*")


def checked_bits(element: int | DTypeLike) -> int:
    """The bits of an element type, of its name, or of the number that says them."""
    bits = bits_of(element)
    if type(bits) is not int or not 1 <= bits <= 128:
        raise UsageError(f"an element has 1 to 128 bits, got {shown(element)}")
    return bits
