"""Allocations of registers, and where in them a pointer points."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.fly.attrs import IntTupleType, PointerType
from tilewright.ir.fly.ops import FlyOp
from tilewright.ir.fly.registers import defining, is_register, storage_element

# The second is what older texts say.
_SIZES = ("allocSize", "allocaSize")


def allocated(op: Operation) -> int | None:
    """How many elements an op allocates as registers, if it does."""
    if not isinstance(op, FlyOp) or op.short != "make_ptr" or op.operands or not is_register(op.results[0].type):
        return None
    said = op.properties.get("dictAttrs")
    sizes = [said.data.get(name) for name in _SIZES] if isinstance(said, DictionaryAttr) else []
    found = next((size.value.data for size in sizes if isinstance(size, IntegerAttr)), 0)
    return found if found > 0 else None


def stored_as(allocation: Operation, count: int) -> VectorType[Attribute]:
    """The vector that holds an allocation of so many elements."""
    kind = allocation.results[0].type
    assert isinstance(kind, PointerType)
    return VectorType(storage_element(kind.value), [count])


@dataclass(frozen=True, slots=True)
class Place:
    """An element of an allocation; `offset` is None where only the running program knows it."""

    allocation: Operation
    offset: int | None


def place_of(pointer: SSAValue) -> Place | None:
    """Where a pointer points, if it is an allocation moved by offsets."""
    offset: int | None = 0
    while (moved := defining(pointer, "add_offset")) is not None:
        step = _static(moved.operands[1])
        offset = None if offset is None or step is None else offset + step
        pointer = moved.operands[0]
    made = defining(pointer, "make_ptr")
    return None if made is None or allocated(made) is None else Place(made, offset)


def _static(offset: SSAValue) -> int | None:
    value = offset.type.value if isinstance(offset.type, IntTupleType) else None
    while isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    return value if type(value) is int else None


def reached(pointer: SSAValue) -> Iterator[Operation]:
    """All ops that use a pointer, or one made of it by offsets, casts or views."""
    for use in list(pointer.uses):
        yield use.operation
        for result in use.operation.results:
            if is_register(result.type):
                yield from reached(result)
