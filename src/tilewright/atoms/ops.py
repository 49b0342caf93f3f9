"""Atoms by the calls that CuTe DSL and FlyDSL spell: `make_copy_atom(UniversalCopy(128), Float32)` and the like.

AMD's instructions are in `rocdl`.
"""

from __future__ import annotations

from typing import Any

from tilewright.atoms import catalog, copy_universal, universal
from tilewright.atoms.alias import first_fixed, fixed
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import dtype
from tilewright.errors import UsageError, shown


def make_copy_atom(op: CopyAtom | str, element: Any) -> CopyAtom:
    """A copy instruction on elements of a type.

    Args:
        op: a copy atom such as `UniversalCopy(128)`, or an atom's name.
        element: an element type, its name, or its bits.

    Raises:
        UsageError: no such atom or type.
        LayoutError: the instruction would cut an element.

    >>> print(make_copy_atom(UniversalCopy(128), "float32").tv_layout_src)
    (1,4):(0,1)
    """
    atom = catalog.copy(op) if isinstance(op, str) else op
    if not isinstance(atom, CopyAtom):
        raise UsageError(f"make_copy_atom: expected a copy operation or an atom's name, got {shown(op)}")
    return atom.with_element(element if type(element) is int else dtype(element).bits)


def make_mma_atom(op: MmaAtom | str) -> MmaAtom:
    """An MMA instruction as an atom; `op` is one already, such as `rocdl.MFMA(16, 16, 4, "float32")`, or a name.

    >>> make_mma_atom("CDNA3_16x16x4_F32F32F32F32").shape_mnk
    (16, 16, 4)
    """
    atom = catalog.mma(op) if isinstance(op, str) else op
    if not isinstance(atom, MmaAtom):
        raise UsageError(f"make_mma_atom: expected an MMA operation or an atom's name, got {shown(op)}")
    return atom


def UniversalCopy(bits: int) -> CopyAtom:
    """The plain copy of `bits` bits a thread."""
    return copy_universal.universal_copy(bits)


UniversalCopy8b, UniversalCopy16b, UniversalCopy32b = (fixed(UniversalCopy, bits) for bits in (8, 16, 32))
UniversalCopy64b, UniversalCopy128b, UniversalCopy256b = (fixed(UniversalCopy, bits) for bits in (64, 128, 256))


def UniversalAtomic(operation: str, element: Any) -> CopyAtom:
    """The atomic `add`, `max`, `min`, `and`, `or`, `inc` or `dec` on an element in memory.

    >>> UniversalAtomicAdd("float32").bits_per_thread
    32
    """
    bits = dtype(element).bits
    return copy_universal.universal_atomic(operation, bits).with_element(bits)


UniversalAtomicAdd, UniversalAtomicMax, UniversalAtomicMin, UniversalAtomicAnd = (
    first_fixed(UniversalAtomic, name) for name in ("add", "max", "min", "and")
)
UniversalAtomicOr, UniversalAtomicInc, UniversalAtomicDec = (
    first_fixed(UniversalAtomic, name) for name in ("or", "inc", "dec")
)


def UniversalFMA(element: Any = "float32") -> MmaAtom:
    """The multiply-add of one thread."""
    return universal.universal_fma(dtype(element).name)
