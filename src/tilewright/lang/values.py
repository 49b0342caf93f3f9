"""What an expression of a kernel can be: a constant, a traced value, a region of a buffer, a name of the language."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FunctionType, MethodType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, TypeAlias, TypeGuard, TypeVar, cast

from xdsl.dialects.builtin import IndexType
from xdsl.ir import SSAValue

from tilewright.dtypes import DType, dtype
from tilewright.errors import KernelError
from tilewright.ir.core.index import linear
from tilewright.ir.core.ranges import Index
from tilewright.ir.tile.types import BufferType
from tilewright.lang.core.frames import OTHERS
from tilewright.lang.core.helpers import is_users
from tilewright.lang.names import Name, Namespace
from tilewright.layout.axes import Axis
from tilewright.layout.base import LayoutBase
from tilewright.tirx.compose_layout import ComposeLayout
from tilewright.tirx.hardware.scale_factors import sf_smem_layout, sf_tmem_layout
from tilewright.tirx.hardware.shared import mma_atom_layout, mma_atom_shape, mma_shared_layout
from tilewright.tirx.hardware.tcgen05 import tcgen05_atom_layout, wg_local_layout
from tilewright.tirx.hardware.tmem import tmem_datapath_layout, tmem_mma_operand_layout
from tilewright.tirx.spec import LayoutSpec, SpecBuilder
from tilewright.tirx.swizzle_layout import SwizzleLayout
from tilewright.tirx.tile_layout import TileLayout

if TYPE_CHECKING:
    from tilewright.dtypes import DTypeLike

MAX_INT = 2**63
MAX_ELEMENTS = 2**31
MAX_ITEMS = 4096  # of a list that is written out
_SCALARS = (bool, int, float, str, type(None), DType)
_CONSTANTS = (Axis, TileLayout, SwizzleLayout, ComposeLayout, LayoutSpec, SpecBuilder)
# What makes a layout of constants.
ON_CONSTANTS = (
    TileLayout,
    SwizzleLayout,
    ComposeLayout,
    mma_atom_layout,
    mma_atom_shape,
    mma_shared_layout,
    sf_smem_layout,
    sf_tmem_layout,
    tcgen05_atom_layout,
    tmem_datapath_layout,
    tmem_mma_operand_layout,
    wg_local_layout,
)
# Python's own functions, which a kernel may call on what is known while it is read.
PYTHONS: tuple[Callable[..., object], ...] = (
    *(len, min, max, abs, sum, sorted, any, all, int, float, bool, str, divmod, round),
    *(range, tuple, list, reversed, enumerate, zip),
)
_FUNCTIONS = (*ON_CONSTANTS, *PYTHONS)
_LANGUAGE = (Name, Namespace, ModuleType)
_NOT_USERS = OTHERS | {"builtins", "tilewright"}  # packages whose objects are no user's

# int, float, bool, str, tuple, layout, Name, ... or SSAValue, Region, Handle: whoever uses one asks what it is.
Value: TypeAlias = object
Checked = TypeVar("Checked")


class Opaque:
    """What nothing is computed with."""


@dataclass(frozen=True)
class Handle(Opaque):
    """A `T.handle` parameter, by its name and position; `T.match_buffer` says what it holds."""

    name: str
    position: int


@dataclass(frozen=True)
class Region(Opaque):
    """A box of a buffer: the first coordinate and the extent in each dimension."""

    buffer: SSAValue
    starts: tuple[Index, ...]
    extents: tuple[Index, ...]


@dataclass(frozen=True)
class Pointer(Opaque):
    """The memory of a buffer: `A.data`."""

    buffer: SSAValue


@dataclass(frozen=True)
class Scalar(Opaque):
    """A number of the thread that changes, `x: T.int32 = 0`: a register, written and read by its name."""

    buffer: SSAValue


def type_named(value: Value) -> DType:
    """The type of elements that a value names.

    Raises:
        UsageError: it names none.
    """
    return dtype(cast("DTypeLike", value))


def number_of(value: Value) -> int | float:
    """The number that a constant is.

    Raises:
        KernelError: it is none.
    """
    if isinstance(value, int | float):
        return value
    raise KernelError(f"a number of Python's is needed here, got {show(value)}")


def is_index(value: Value) -> TypeGuard[Index]:
    """Is it an integer constant or a value of type `index`?"""
    return type(value) is int or (isinstance(value, SSAValue) and isinstance(value.type, IndexType))


def is_buffer(value: Value) -> TypeGuard[SSAValue]:
    """Is it a buffer?"""
    return isinstance(value, SSAValue) and isinstance(value.type, BufferType)


def is_constant(value: Value) -> bool:
    """Is it known while the kernel is read?"""
    return not isinstance(value, SSAValue | Opaque)


def buffer_type(buffer: SSAValue) -> BufferType:
    """The type of a buffer value."""
    return cast(BufferType, buffer.type)


def admit(value: object, what: str) -> Value:
    """A captured value as a kernel sees it; numpy scalars and dtypes become plain ones.

    Raises:
        KernelError: kernels cannot use such a value.
    """
    if isinstance(value, _SCALARS):
        return checked(value)
    if isinstance(value, list | tuple):
        parts = tuple(admit(item, what) for item in value)
        return value._make(parts) if hasattr(value, "_make") else parts
    if isinstance(value, _LANGUAGE + _CONSTANTS) or any(value is function for function in _FUNCTIONS):
        return value
    if is_helper(value) or is_object(value):
        return value
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        return checked(value.item())
    if "dtype" in type(value).__name__.lower() or _is_scalar_type(value):
        return type_named(value)
    if isinstance(value, LayoutBase):
        wanted = "kernels have TIRx's layouts, such as TileLayout(S[shape : strides])"
        raise KernelError(f"{what} is a {type(value).__name__}; {wanted}")
    raise KernelError(
        f"{what} is a {type(value).__name__}; a kernel uses T and Tx functions and helpers of one's own, and captures "
        "numbers, texts, tuples and dicts of them, objects with such attributes, and TIRx layouts"
    )


def is_helper(value: Value) -> TypeGuard[FunctionType | MethodType]:
    """Is it a user's function or method, which a kernel that calls it takes in?"""
    function = value.__func__ if isinstance(value, MethodType) else value
    return isinstance(function, FunctionType) and is_users(function)


def is_object(value: Value) -> bool:
    """Is it a dict, an array, or an object of a user's class or such a class: of which a kernel sees the parts?"""
    if isinstance(value, dict | SimpleNamespace) or (hasattr(value, "__array__") and getattr(value, "shape", None)):
        return True
    kind = value if isinstance(value, type) else type(value)
    return kind.__module__.partition(".")[0] not in _NOT_USERS


def part_of(part: Callable[[], object], what: str) -> Value:
    """An attribute or an item of an object, as a kernel sees it.

    Raises:
        KernelError: the object has none, or kernels cannot use it.
    """
    try:
        found = part()
    except Exception as error:  # what a user's class does
        raise KernelError(f"{what} cannot be read: {type(error).__name__}: {error}") from error
    return admit(found, what)


def _is_scalar_type(value: object) -> TypeGuard[type]:
    return isinstance(value, type) and value.__module__ in ("numpy", "ml_dtypes")


def checked(value: Checked) -> Checked:
    """The constant, if it is no integer beyond 64 bits.

    Raises:
        KernelError: it is one.
    """
    if isinstance(value, int) and not -MAX_INT < value < 2 * MAX_INT:
        raise KernelError("an integer of the kernel is outside (-2^63, 2^64)")
    return value


def constant_extent(start: Index, stop: Index) -> int | None:
    """stop - start, if it is the same for all values of the variables in both."""
    total: dict[Index, int] = {}
    for terms, sign in ((linear(stop), 1), (linear(start), -1)):
        for index, factor in terms:
            total[index] = total.get(index, 0) + sign * factor
    constant = total.pop(1, 0)
    return None if any(total.values()) else constant


def int_tuple(value: Value, what: str) -> tuple[int, ...]:
    """A constant integer or tuple of integers.

    Raises:
        KernelError: it is something else.
    """
    items: Iterable[object] = value if isinstance(value, tuple) else (value,)
    found = tuple(item for item in items if isinstance(item, int) and type(item) is int)
    if len(found) < len(tuple(items)):
        raise KernelError(f"{what} is made of constant integers, got {show(value)}")
    return found


def natural(what: str, value: Value) -> int:
    """The constant, a number of elements or bytes.

    Raises:
        KernelError: it is a run-time value, negative, or beyond 2^31.
    """
    if type(value) is not int or not 0 <= value <= MAX_ELEMENTS:
        raise KernelError(f"{what} is a constant of at least 0 and at most 2^31, got {show(value)}")
    return value


def show(value: Value) -> str:
    """A value as a message names it."""
    if isinstance(value, SSAValue):
        return f"{value.name_hint or 'a value'} of type {value.type}"
    if isinstance(value, Name | Namespace):
        return f"T.{value.path}"
    if isinstance(value, tuple):
        return f"({', '.join(map(show, value))}{',' * (len(value) == 1)})"
    return f"the parameter {value.name}" if isinstance(value, Handle) else repr(value)
