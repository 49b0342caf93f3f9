"""How registers of one element type hold the elements of another: as they are, or several packed into a word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tilewright.atoms.mma import MmaAtom
from tilewright.dtypes import DType

# A float32 register holds a tf32: the lower 13 bits of it are not looked at.
_SAME = frozenset({("float32", "tfloat32"), ("tfloat32", "float32")})


def is_held(register: DType, element: DType) -> bool:
    """Is an element of the type a register of that type, one to one?

    >>> from tilewright.dtypes import dtype
    >>> is_held(dtype("f32"), dtype("tf32")), is_held(dtype("u32"), dtype("f16"))
    (True, False)
    """
    return register == element or (register.name, element.name) in _SAME


class Container(NamedTuple):
    """The room that a register has for an element: so many bits, the element's own are those from `first` on."""

    bits: int
    first: int = 0


# Of products whose operands may be of 8, 6 or 4 bits, each kind with each: the bits of a byte from where they lie.
_MIXED = ("kind::f8f6f4", "kind::mxf8f6f4")
_FIRST: Mapping[int, int] = {8: 0, 6: 0, 4: 2}


def container_of(atom: MmaAtom, operand: str) -> Container:
    """The room of an element of D, A, B or C in registers; of `mma.sync`'s products of mixed types a byte.

    Source: PTX ISA, fragments of mma.m16n8k32; CuTe, `fp4_shift_A` of mma_traits_sm120.

    >>> from tilewright.atoms.catalog import mma
    >>> [container_of(mma(f"SM120_16x8x32_F32{x}{x}F32_TN"), "A") for x in ("E3M2", "E2M1")]
    [Container(bits=8, first=0), Container(bits=8, first=2)]
    >>> container_of(mma("SM120_16x8x64_F32E2M1E2M1F32_TN_VS32"), "A")
    Container(bits=4, first=0)
    """
    bits = atom.dtypes["DABC".index(operand)].bits
    if operand in "AB" and atom.instruction.startswith("mma.") and any(f".{x}." in atom.instruction for x in _MIXED):
        return Container(8, _FIRST[bits])
    return Container(bits)


def registers_for(register: DType, element: DType, count: int, room: int = 0) -> int | None:
    """How many registers of one type hold so many elements of another; None where they cannot.

    Integers of any sign hold elements that fill them evenly, the first in the lowest bits; each has `room` bits, or
    just its own.

    >>> from tilewright.dtypes import dtype
    >>> registers_for(dtype("u32"), dtype("f16"), 8), registers_for(dtype("f32"), dtype("f16"), 8)
    (4, None)
    >>> registers_for(dtype("u32"), dtype("e2m1"), 16), registers_for(dtype("u32"), dtype("e2m1"), 16, 8)
    (2, 4)
    """
    if is_held(register, element):
        return count
    bits = room or element.bits
    words, rest = divmod(count * bits, register.bits)
    packed = register.is_integer and register.bits % bits == 0 and element.kind != "vector"
    return words if packed and not rest else None
