"""Atoms by the calls that CuTe DSL and FlyDSL spell: `make_copy_atom(UniversalCopy(128), Float32)` and the like."""

from __future__ import annotations

from typing import Any

from tilewright.atoms import catalog, cdna, copy_amd, copy_universal, rdna, universal
from tilewright.atoms.copy_atom import CopyAtom
from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import dtype
from tilewright.errors import UsageError


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
        raise UsageError(f"make_copy_atom: expected a copy operation or an atom's name, got {op!r}")
    return atom.with_element(element if type(element) is int else dtype(element).bits)


def make_mma_atom(op: MmaAtom | str) -> MmaAtom:
    """An MMA instruction as an atom; `op` is one already, such as `MFMA(16, 16, 4, "float32")`, or a name.

    >>> make_mma_atom(MFMA(16, 16, 4, "float32")).shape_mnk
    (16, 16, 4)
    """
    atom = catalog.mma(op) if isinstance(op, str) else op
    if not isinstance(atom, MmaAtom):
        raise UsageError(f"make_mma_atom: expected an MMA operation or an atom's name, got {op!r}")
    return atom


def UniversalCopy(bits: int) -> CopyAtom:
    """The plain copy of `bits` bits a thread."""
    return copy_universal.universal_copy(bits)


def UniversalCopy8b() -> CopyAtom:
    """The plain copy of 8 bits a thread."""
    return UniversalCopy(8)


def UniversalCopy16b() -> CopyAtom:
    """The plain copy of 16 bits a thread."""
    return UniversalCopy(16)


def UniversalCopy32b() -> CopyAtom:
    """The plain copy of 32 bits a thread."""
    return UniversalCopy(32)


def UniversalCopy64b() -> CopyAtom:
    """The plain copy of 64 bits a thread."""
    return UniversalCopy(64)


def UniversalCopy128b() -> CopyAtom:
    """The plain copy of 128 bits a thread."""
    return UniversalCopy(128)


def UniversalFMA(element: Any = "float32") -> MmaAtom:
    """The multiply-add of one thread."""
    return universal.universal_fma(dtype(element).name)


def BufferCopy8b() -> CopyAtom:
    """The AMD buffer copy of 8 bits a lane."""
    return copy_amd.run("BufferCopy", 8)


def BufferCopy16b() -> CopyAtom:
    """The AMD buffer copy of 16 bits a lane."""
    return copy_amd.run("BufferCopy", 16)


def BufferCopy32b() -> CopyAtom:
    """The AMD buffer copy of 32 bits a lane."""
    return copy_amd.run("BufferCopy", 32)


def BufferCopy64b() -> CopyAtom:
    """The AMD buffer copy of 64 bits a lane."""
    return copy_amd.run("BufferCopy", 64)


def BufferCopy128b() -> CopyAtom:
    """The AMD buffer copy of 128 bits a lane."""
    return copy_amd.run("BufferCopy", 128)


def BufferCopyLDS32b() -> CopyAtom:
    """The AMD buffer copy of 32 bits a lane straight into LDS."""
    return copy_amd.run("BufferCopyLDS", 32)


def BufferCopyLDS128b() -> CopyAtom:
    """The AMD buffer copy of 128 bits a lane straight into LDS."""
    return copy_amd.run("BufferCopyLDS", 128)


def MFMA(m: int, n: int, k: int, element: Any, element_b: Any = None, accumulator: Any = None) -> MmaAtom:
    """The CDNA matrix instruction of an m x n x k tile on elements of a type.

    The accumulator is float64 for float64, int32 for integers, else float32, unless it is given.

    Raises:
        UsageError: no generation has the instruction; the message lists those that there are.

    >>> print(MFMA(32, 32, 8, "float16").tv_layout_C)
    ((32,2),(4,4)):((32,4),(1,8))
    """
    a, b = dtype(element), dtype(element if element_b is None else element_b)
    d = dtype(accumulator).name if accumulator is not None else _accumulator(a.name)
    return cdna.find_mfma(m, n, k, (d, a.name, b.name, d))


def WMMA(generation: str, k: int, element: Any, element_b: Any = None, accumulator: Any = None) -> MmaAtom:
    """The RDNA matrix instruction of a 16 x 16 x k tile: generation "RDNA3", "RDNA4" or "GFX1250".

    >>> print(WMMA("RDNA4", 16, "bfloat16").tv_layout_A)
    ((16,2),8):((1,128),16)
    """
    a, b = dtype(element), dtype(element if element_b is None else element_b)
    d = dtype(accumulator).name if accumulator is not None else _accumulator(a.name)
    return rdna.wmma(generation, k, (d, a.name, b.name, d))


def _accumulator(element: str) -> str:
    kind = dtype(element)
    if element == "float64":
        return "float64"
    return "int32" if kind.is_integer else "float32"
