"""Atoms by the calls that CuTe DSL and FlyDSL spell: `make_copy_atom(UniversalCopy(128), Float32)` and the like.

AMD's instructions are in `rocdl`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tilewright.atoms import catalog, copy_universal, universal
from tilewright.atoms.alias import first_fixed, fixed
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import bits_of, dtype
from tilewright.errors import UsageError, shown

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike


def make_copy_atom(copy_op_type: CopyAtom | str, elem_type: int | DTypeLike) -> CopyAtom:
    """A copy instruction on elements of a type.

    Args:
        copy_op_type: a copy atom such as `UniversalCopy(128)`, or an atom's name.
        elem_type: an element type, its name, or its bits.

    Raises:
        UsageError: no such atom or type.
        LayoutError: the instruction would cut an element.

    >>> print(make_copy_atom(UniversalCopy(128), "float32").tv_layout_src)
    (1,4):(0,1)
    """
    return catalog.copy_atom(copy_op_type, "make_copy_atom: the first argument is").with_element(elem_type)


def make_mma_atom(mma_op_type: MmaAtom | str) -> MmaAtom:
    """An MMA instruction as an atom: `mma_op_type` is one, such as `rocdl.MFMA(16, 16, 4, "float32")`, or a name.

    Raises:
        UsageError: no MMA atom has the name.

    >>> make_mma_atom("CDNA3_16x16x4_F32F32F32F32").shape_mnk
    (16, 16, 4)
    """
    atom = catalog.mma(mma_op_type) if isinstance(mma_op_type, str) else mma_op_type
    if not isinstance(atom, MmaAtom):
        raise UsageError(f"make_mma_atom: expected an MMA operation or an atom's name, got {shown(mma_op_type)}")
    return atom


def UniversalCopy(bit_size: int | DTypeLike) -> CopyAtom:
    """The plain copy of so many bits, or of one element of a type, a thread.

    Raises:
        UsageError: no type, or bits that are no copy.

    >>> print(UniversalCopy(64).tv_layout_src)
    (1,64):(0,1)
    """
    return copy_universal.universal_copy(bits_of(bit_size))


UniversalCopy8b, UniversalCopy16b, UniversalCopy32b = (fixed(UniversalCopy, bits) for bits in (8, 16, 32))
UniversalCopy64b, UniversalCopy128b, UniversalCopy256b = (fixed(UniversalCopy, bits) for bits in (64, 128, 256))


def UniversalAtomic(atomic_op: str, val_type: DTypeLike) -> CopyAtom:
    """The atomic `add`, `max`, `min`, `and`, `or`, `inc` or `dec` on an element in memory.

    Raises:
        UsageError: no such operation or type.

    >>> UniversalAtomicAdd("float32").bits_per_thread
    32
    """
    bits = dtype(val_type).bits
    return copy_universal.universal_atomic(atomic_op, bits).with_element(bits)


UniversalAtomicAdd, UniversalAtomicMax, UniversalAtomicMin, UniversalAtomicAnd = (
    first_fixed(UniversalAtomic, name) for name in ("add", "max", "min", "and")
)
UniversalAtomicOr, UniversalAtomicInc, UniversalAtomicDec = (
    first_fixed(UniversalAtomic, name) for name in ("or", "inc", "dec")
)


def UniversalFMA(ty: DTypeLike = "float32") -> MmaAtom:
    """The multiply-add of one thread.

    Raises:
        UsageError: no such type.

    >>> UniversalFMA().shape_mnk, UniversalFMA().types
    ((1, 1, 1), ('float32', 'float32', 'float32', 'float32'))
    """
    return universal.universal_fma(dtype(ty).name)
