"""How registers of one element type hold the elements of another: as they are, or several packed into a word."""

from __future__ import annotations

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


def registers_for(register: DType, element: DType, count: int) -> int | None:
    """How many registers of one type hold so many elements of another; None where they cannot.

    Integers of any sign hold elements that fill them evenly, the first in the lowest bits.

    >>> from tilewright.dtypes import dtype
    >>> registers_for(dtype("u32"), dtype("f16"), 8), registers_for(dtype("f32"), dtype("f16"), 8)
    (4, None)
    """
    if is_held(register, element):
        return count
    words, rest = divmod(count * element.bits, register.bits)
    packed = register.is_integer and register.bits % element.bits == 0 and element.kind != "vector"
    return words if packed and not rest else None
