"""Pointers as arguments: `from_c_void_p`, and arrays for parameters that are annotated `fx.Pointer`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from tilewright.errors import UsageError, shown
from tilewright.lang.core.numerics.numeric import DTypeOf, Numeric, numeric_type
from tilewright.lang.fly.arrays import as_array, element_name, flat, known
from tilewright.lang.fly.values.enums import AddressSpace
from tilewright.runtime.fly.known import Memory
from tilewright.targets.arguments import Array

__all__ = ["from_c_void_p"]


@dataclass(frozen=True)
class PointerArgument:
    """Where an array begins, as elements of a type.

    Args:
        array: its memory, as elements of `element`.
        element: MLIR's name of the elements.
        align: bytes that divide the address.
    """

    __is_whole__: ClassVar[bool] = True
    array: Array
    element: str
    align: int | None = None

    def parts(self) -> tuple[str, Memory]:
        """The text of the parameter's type, and what it is given."""
        aligned = "" if self.align is None else f", align<{self.align}>"
        text = f"!fly.ptr<{self.element}, global{aligned}>"
        return text, Memory(flat(self.array), known(text, ())[1])


def of_array(array: Array) -> PointerArgument:
    """Where an array begins, as its own elements."""
    return PointerArgument(array, element_name(array.dtype))


def from_c_void_p(
    element_type: DTypeOf,
    pointer: object,
    *,
    address_space: AddressSpace = AddressSpace.Global,
    assumed_align: int | None = None,
) -> PointerArgument:
    """Where an array begins, as elements of a type: an argument for a parameter that is annotated `fx.Pointer`.

    Args:
        element_type: of the elements.
        pointer: the array, or what ctypes or numpy made of it (`a.ctypes`, `a.ctypes.data_as(..)`).
        address_space: where it lies: in global memory.
        assumed_align: bytes that divide the address.

    Raises:
        UsageError: a plain address, of which nobody knows how many bytes lie behind it.
    """
    kind: type[Numeric] = numeric_type(element_type)
    if address_space is not AddressSpace.Global:
        raise UsageError(f"an argument points into global memory, not {shown(address_space)}")
    held = getattr(pointer, "_arr", pointer)
    found = as_array(held)
    if found is None:
        raise UsageError(
            f"a pointer is made of the array that it points at, got {shown(pointer)}: "
            "accesses are checked, and an address does not say how far it reaches; pass the array, or array.ctypes"
        )
    if not found.flags.c_contiguous:
        raise UsageError(f"a pointer is made of contiguous memory, got strides {found.strides}; pass a contiguous copy")
    whole = found.reshape(-1).view(kind.numpy_dtype)
    return PointerArgument(whole, str(kind.ir_type), assumed_align)
