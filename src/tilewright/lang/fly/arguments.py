"""Arguments of a jit function: from arrays and Python's numbers to parameters of a module, and what they are given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, TypeAlias

import numpy as np
from xdsl.ir import Attribute

from tilewright.errors import KernelError, UsageError, shown
from tilewright.lang.core.numerics.numeric import Numeric, as_numeric, numeric_type
from tilewright.lang.fly.arrays import as_array, element_name, flat, known
from tilewright.lang.fly.pointers import PointerArgument
from tilewright.lang.fly.pointers import of_array as pointer_of_array
from tilewright.lang.fly.values.memory import Pointer
from tilewright.runtime.fly.known import Memory
from tilewright.targets.arguments import Array

__all__ = ["from_dlpack", "from_torch_tensor"]

Runtime: TypeAlias = "Memory | int | float | bool"


@dataclass(frozen=True)
class TensorArgument:
    """An array as an argument, with what the kernel is told of its layout.

    Args:
        array: its memory.
        dynamic_shape, dynamic_stride: for each mode the known divisor of an integer of run time, or None.
        align: bytes that divide the address.
        narrow: are strides of 32 bits?
    """

    __is_whole__: ClassVar[bool] = True
    array: Array
    dynamic_shape: tuple[int | None, ...]
    dynamic_stride: tuple[int | None, ...]
    align: int | None = None
    narrow: bool = False

    def mark_layout_dynamic(self, leading_dim: int | None = None, divisibility: int = 1) -> TensorArgument:
        """All extents and strides are told at run time, but the stride 1 of the leading dimension."""
        lead = self._leading(leading_dim)
        rank = len(self.dynamic_shape)
        strides = tuple(None if i == lead else divisibility for i in range(rank))
        return replace(self, dynamic_shape=(_power(divisibility) and 1,) * rank, dynamic_stride=strides)

    def mark_shape_dynamic(self, dims: int | Sequence[int], divisibility: int = 1) -> TensorArgument:
        """The extents of these dimensions are told at run time."""
        return replace(self, dynamic_shape=self._marked(self.dynamic_shape, dims, divisibility))

    def mark_stride_dynamic(self, dims: int | Sequence[int], divisibility: int = 1) -> TensorArgument:
        """The strides of these dimensions are told at run time."""
        return replace(self, dynamic_stride=self._marked(self.dynamic_stride, dims, divisibility))

    def _marked(self, now: tuple[int | None, ...], dims: int | Sequence[int], divisor: int) -> tuple[int | None, ...]:
        chosen = {d % len(now) for d in ([dims] if isinstance(dims, int) else dims)}
        return tuple(_power(divisor) if i in chosen else old for i, old in enumerate(now))

    def _leading(self, given: int | None) -> int:
        if given is not None:
            return given % max(1, self.array.ndim)
        found = _unit_dimension(self.array)
        if found is None:
            raise UsageError(f"no dimension of an array has stride 1 (bytes: {self.array.strides}); say leading_dim=")
        return found

    @property
    def strides(self) -> tuple[int, ...]:
        """In elements."""
        return tuple(step // self.array.itemsize for step in self.array.strides)

    @property
    def type(self) -> str:
        """The text of the parameter's type."""
        return self.parameter().text

    def parameter(self) -> Parameter:
        """The parameter: its type, and the memory with the integers that the type leaves open.

        Raises:
            UsageError: an integer is no multiple of its divisor.
        """
        array, strides = self.array, self.strides
        wide = not self.narrow
        shape = tuple([_left(n, div, False) for n, div in zip(array.shape, self.dynamic_shape, strict=True)])
        stride = tuple([_left(d, div, wide) for d, div in zip(strides, self.dynamic_stride, strict=True)])
        text = _memref(element_name(array.dtype), shape, stride, self.align)
        leaves = [n for n, div in zip(array.shape, self.dynamic_shape, strict=True) if div is not None]
        leaves += [d for d, div in zip(strides, self.dynamic_stride, strict=True) if div is not None]
        kind, value = known(text, tuple(leaves))
        return Parameter(kind, Memory(flat(array), value), None, text)


@lru_cache(1024)
def _memref(element: str, shape: tuple[str, ...], stride: tuple[str, ...], align: int | None) -> str:
    one = len(shape) == 1
    layout = f"{shape[0]}:{stride[0]}" if one else f"({','.join(shape)}):({','.join(stride)})"
    aligned = f", align<{align}>" if align is not None else ""
    return f"!fly.memref<{element}, global, {layout}{aligned}>"


def _power(divisor: int) -> int:
    if divisor < 1 or divisor & (divisor - 1):
        raise UsageError(f"a divisibility is a power of two, got {divisor}")
    return divisor


def _left(value: int, divisor: int | None, wide: bool) -> str:
    """A leaf of a layout in a type."""
    if divisor is None:
        return str(value)
    if value % divisor:
        raise UsageError(f"{value} is no multiple of the divisibility {divisor}")
    said = [*(["i64"] if wide else []), *([f"div={divisor}"] if divisor > 1 else [])]
    return f"?{{{' '.join(said)}}}" if said else "?"


def _unit_dimension(array: Array) -> int | None:
    units = [i for i, step in enumerate(array.strides) if step == array.itemsize]
    wide = [i for i in units if array.shape[i] != 1]
    return next(reversed(wide or units), None)


def of_array(array: Array) -> TensorArgument:
    """An array as an argument: all its extents, and strides but one of 1, are told at run time.

    Raises:
        UsageError: no stride is 1, or it has no dimension.
    """
    if array.ndim == 0:
        raise UsageError("an array argument has at least one dimension; pass a number as it is")
    lead = _unit_dimension(array)
    if lead is None:
        raise UsageError(f"an array argument has a dimension of stride 1, got strides {array.strides} in bytes")
    strides = tuple(None if i == lead else 1 for i in range(array.ndim))
    return TensorArgument(array, (1,) * array.ndim, strides)


def from_dlpack(tensor: object, *, assumed_align: int | None = None, use_32bit_stride: bool = False) -> TensorArgument:
    """An array whose shape and strides the kernel knows while it is traced.

    Args:
        tensor: a numpy array, or what has `__dlpack__`.
        assumed_align: bytes that divide its address.
        use_32bit_stride: strides that are marked dynamic have 32 bits.

    Raises:
        UsageError: it is no array in this machine's memory.
    """
    found = as_array(tensor)
    if found is None or found.ndim == 0:
        raise UsageError(f"expected an array with at least one dimension, got {shown(tensor)}")
    still = (None,) * found.ndim
    return TensorArgument(found, still, still, assumed_align, use_32bit_stride)


from_torch_tensor = from_dlpack


@dataclass(frozen=True)
class Parameter:
    """A parameter of the module: its type, and what it is given. `text` is the type's, but for numbers."""

    kind: Attribute
    given: Runtime
    numeric: type[Numeric] | None = None
    text: str = ""

    @property
    def key(self) -> object:
        """What a trace depends on."""
        return self.numeric or self.text


def parameter(value: object, annotation: object, name: str) -> Parameter | None:
    """The parameter of an argument; None for what is known while tracing.

    Raises:
        UsageError: a number does not fit the type.
    """
    if isinstance(value, TensorArgument):
        return value.parameter()
    if isinstance(value, PointerArgument):
        return _pointer(value)
    if isinstance(value, Numeric) and value.is_static():
        return _number(value.value, type(value), name)  # type: ignore[arg-type]  # known
    if isinstance(value, np.generic) and value.ndim == 0:
        return _number(value.item(), numeric_type(value.dtype.name), name)
    if isinstance(value, bool | int | float):
        return _number(value, _class(value, annotation), name)
    array = as_array(value)
    if array is None:
        return None
    if isinstance(annotation, type) and issubclass(annotation, Pointer):
        return _pointer(pointer_of_array(array))
    return of_array(array).parameter()


def _pointer(value: PointerArgument) -> Parameter:
    text, given = value.parts()
    return Parameter(known(text, ())[0], given, None, text)


def _class(value: bool | int | float, annotation: object) -> type[Numeric]:
    if isinstance(annotation, type) and issubclass(annotation, Numeric):
        return annotation
    if annotation in (int, float, bool):
        return numeric_type(annotation)
    return numeric_type(type(value))


def _number(value: bool | int | float, kind: type[Numeric], name: str) -> Parameter:
    element = kind.element
    if isinstance(value, float) and not element.is_float:
        raise UsageError(f"{name} is {kind}, got the float {value}")
    if isinstance(value, int) and not element.is_float and element.kind != "bool":
        half = 1 << element.bits - 1
        low, high = (-half, half) if element.kind == "int" else (0, 2 * half)
        if not low <= value < high:
            raise UsageError(f"{name} is {kind}, which does not hold {value}; annotate it fx.Int64")
    held = as_numeric(kind(value)).value
    if isinstance(held, int) and not isinstance(held, bool) and element.kind == "uint" and held >> element.bits - 1:
        held -= 1 << element.bits
    try:
        return Parameter(kind.ir_type, held, kind)  # type: ignore[arg-type]  # known
    except KernelError as error:
        raise UsageError(str(error)) from None
