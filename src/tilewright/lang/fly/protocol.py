"""What values of the language are made of, and how users' own classes take part."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Protocol, runtime_checkable

from xdsl.ir import Attribute, SSAValue

from tilewright.errors import KernelError, shown
from tilewright.lang.core.carried import extracted
from tilewright.lang.core.numerics.numeric import Numeric, as_numeric
from tilewright.lang.core.pytree import CONSTRUCT, EXTRACT, flatten, is_leaf
from tilewright.lang.fly.storage import Storage, extent
from tilewright.lang.fly.values.base import value_of
from tilewright.lang.fly.values.enums import AddressSpace
from tilewright.lang.fly.values.memory import Pointer

__all__ = [
    "DslType",
    "JitArgument",
    "Storable",
    "as_dsl_value",
    "as_ir_value",
    "c_abi_spec",
    "cache_signature",
    "construct_from_ir_values",
    "dsl_align_of",
    "dsl_size_of",
    "extract_to_ir_values",
    "get_ir_types",
    "is_generic_address_space",
    "is_target_address_space",
    "peek_from_ptr",
    "poke_into_ptr",
]


@runtime_checkable
class DslType(Protocol):
    """What control flow carries: it splits into values of the IR and is made of such again."""

    def __extract_to_ir_values__(self) -> list[SSAValue]:
        """The values."""

    @classmethod
    def __construct_from_ir_values__(cls, values: list[SSAValue], exemplar: object = None) -> object:
        """The same of other values."""


@runtime_checkable
class JitArgument(Protocol):
    """What a jit function is given."""

    def __get_ir_types__(self) -> list[Attribute]:
        """The types of its parameters."""

    def __cache_signature__(self) -> object:
        """What a trace depends on."""


@runtime_checkable
class Storable(Protocol):
    """A type that has a place in memory."""

    @classmethod
    def __dsl_size_of__(cls) -> int:
        """Its bytes."""

    @classmethod
    def __dsl_align_of__(cls) -> int:
        """The bytes that divide its address."""

    @classmethod
    def __peek_from_ptr__(cls, ptr: Pointer) -> object:
        """What lies at a pointer to bytes."""

    @classmethod
    def __poke_into_ptr__(cls, ptr: Pointer, value: object) -> None:
        """Writes a value at a pointer to bytes."""


def as_ir_value(value: object, *, keep_static: bool = False) -> object:
    """The value as one of run time: of a known number a constant, unless `keep_static`; of lists their parts.

    Typed numbers stand for values of the IR here: they have all the operators.
    """
    if isinstance(value, tuple | list):
        return type(value)(as_ir_value(part, keep_static=keep_static) for part in value)
    if isinstance(value, Numeric) and value.is_static():
        return value.value if keep_static else value.ir_value()
    if isinstance(value, bool | int | float):
        return value if keep_static else as_numeric(value).ir_value()
    return value


def as_dsl_value(value: object, exemplar: object = None) -> object:
    """A value of the IR as a value of the language, of the class of an exemplar where there is one."""
    if isinstance(value, tuple | list):
        likes = exemplar if isinstance(exemplar, tuple | list) else [exemplar] * len(value)
        return type(value)(as_dsl_value(part, like) for part, like in zip(value, likes, strict=True))
    found = value_of(value.type, value) if isinstance(value, SSAValue) else value
    kind = exemplar if isinstance(exemplar, type) else type(exemplar)
    return kind(found) if issubclass(kind, Numeric) and isinstance(found, Numeric) else found


def is_generic_address_space(address_space: object, expected: AddressSpace) -> bool:
    """Is it that memory?"""
    if not isinstance(expected, AddressSpace):
        raise KernelError(f"expected one of fx.AddressSpace, got {shown(expected)}")
    return address_space is expected


def is_target_address_space(address_space: object, expected: object) -> bool:
    """Is it that memory of a target's own?"""
    if isinstance(expected, AddressSpace):
        raise KernelError(f"{expected} is no memory of one target; ask is_generic_address_space")
    return not isinstance(address_space, AddressSpace) and str(address_space) == str(expected)


# ---- values of the IR


def extract_to_ir_values(obj: object) -> list[SSAValue]:
    """The values of the IR that a value is made of.

    Raises:
        KernelError: a part of it is no value of the language.
    """
    if isinstance(obj, SSAValue):
        return [obj]
    found = list[SSAValue]()
    for leaf in flatten(obj, "value").leaves:
        given = leaf if not isinstance(leaf, bool | int | float) else as_numeric(leaf)
        if not is_leaf(given):
            raise KernelError(f"{shown(leaf)} has no value in the IR")
        found += extracted(given)
    return found


def construct_from_ir_values(dsl_type: object, args: object, values: Sequence[SSAValue]) -> object:
    """A value like `args`, of other values of the IR; without one, of a class.

    Raises:
        KernelError: there are more or fewer values than it is made of.
    """
    if isinstance(args, type):
        return getattr(args, CONSTRUCT)(list(values), None)
    flat, rest = flatten(args, "value"), list(values)
    leaves = []
    for leaf in flat.leaves:
        count = len(extract_to_ir_values(leaf))
        taken, rest = rest[:count], rest[count:]
        leaves.append(getattr(type(leaf), CONSTRUCT)(taken, leaf) if hasattr(type(leaf), EXTRACT) else taken[0])
    if rest:
        raise KernelError(f"{shown(args)} is made of {len(values) - len(rest)} values, got {len(values)}")
    return flat.rebuild(leaves)


def get_ir_types(obj: object) -> list[Attribute]:
    """The types of the values of the IR that a value is made of."""
    own = getattr(obj, "__get_ir_types__", None)
    return list(own()) if callable(own) else [value.type for value in extract_to_ir_values(obj)]


def cache_signature(obj: object) -> object:
    """What a trace depends on of a value."""
    own = getattr(obj, "__cache_signature__", None)
    if callable(own):
        return own()
    if isinstance(obj, SimpleNamespace):
        return tuple((name, cache_signature(value)) for name, value in vars(obj).items())
    if isinstance(obj, tuple | list):
        return tuple(map(cache_signature, obj))
    return type(obj), tuple(map(str, get_ir_types(obj))) if is_leaf(obj) else shown(obj)


def c_abi_spec(obj: object) -> object:
    """How a value is passed to compiled code.

    Raises:
        KernelError: it does not say so: nothing is compiled for a device here.
    """
    own = getattr(obj, "__c_abi_spec__", None)
    if not callable(own):
        raise KernelError(f"{shown(obj)} says no way to pass it to compiled code; a jit function passes its arguments")
    return own()


# ---- places in memory


def dsl_size_of(dsl_type: object) -> int:
    """The bytes that a type takes.

    >>> from tilewright.lang.core.numerics.types import Int32
    >>> dsl_size_of(Int32)
    4
    """
    return extent(dsl_type).size


def dsl_align_of(dsl_type: object) -> int:
    """The bytes that divide a type's address."""
    return extent(dsl_type).align


def peek_from_ptr(dsl_type: object, ptr: Pointer) -> object:
    """What lies at a pointer to bytes, of a type."""
    return Storage(ptr, dsl_type).peek()


def poke_into_ptr(dsl_type: object, ptr: Pointer, value: object) -> None:
    """Writes a value of a type at a pointer to bytes."""
    Storage(ptr, dsl_type).poke(value)
