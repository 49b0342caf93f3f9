"""What may be written into memory of an element type."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from tilewright.dtypes import DType
from tilewright.errors import UsageError, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy import generic
    from numpy.typing import NDArray

    from tilewright.tensor.memory import Elements

    Stored: TypeAlias = "complex | generic | NDArray[Any] | Sequence[Stored]"


def one(value: object, kind: DType) -> Elements:
    """A number as an element of a type: Python's take it, others have it.

    Raises:
        UsageError: no number; another type, which would be converted unasked; a number that the type does not hold.
    """
    found = _of_type(value, kind)
    if found.shape:
        raise UsageError(f"what is stored here is one number, got an array of shape {found.shape}")
    return found


def several(value: object, kind: DType, shape: tuple[int, ...]) -> Elements:
    """Elements of a type one after the other, given so or as an array of a shape.

    Raises:
        UsageError: as of `one`; another number of elements.
    """
    found = _of_type(value, kind)
    if found.shape not in (shape, (prod(shape),)):
        raise UsageError(
            f"what is stored here is {prod(shape)} elements, or an array of shape {shape}; got shape {found.shape}"
        )
    return found.ravel(order="F")


def _of_type(value: object, kind: DType) -> Elements:
    import numpy

    if isinstance(value, numpy.ndarray | numpy.generic):
        if value.dtype != kind.numpy():
            raise UsageError(f"memory of {kind} takes no {value.dtype}; convert it with .astype")
        return numpy.asarray(value)
    try:
        given = numpy.asarray(value)
        if given.dtype.kind in "biufc" and _holds(kind, given):
            with numpy.errstate(over="ignore"):
                return given.astype(kind.numpy())
    except (TypeError, ValueError, OverflowError, RecursionError, AttributeError):
        pass
    raise UsageError(f"memory of {kind} takes numbers that it can hold, got {shown(value)}")


def _holds(kind: DType, numbers: Elements) -> bool:
    """Integers take integers in their range, reals take no complex numbers."""
    if kind.kind not in ("int", "uint", "bool"):
        return kind.kind == "complex" or numbers.dtype.kind != "c"
    bits = 1 if kind.kind == "bool" else kind.bits
    low, high = (-(1 << bits - 1), 1 << bits - 1) if kind.kind == "int" else (0, 1 << bits)
    return numbers.dtype.kind in "biu" and all(low <= n < high for n in (int(numbers.min()), int(numbers.max())))
