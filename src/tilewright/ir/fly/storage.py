"""Allocations of registers, and where in them a pointer points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.fly.dialect_types import IntTupleType, PointerType
from tilewright.ir.fly.ops import FlyOp, is_fly
from tilewright.ir.fly.registers import is_register, storage_element

# The second is what older texts say.
SIZES = ("allocSize", "allocaSize")
# Ops whose result begins where their operand does, or as far behind it as they say.
_POINTING = ("add_offset", "make_view", "get_iter")


def allocated(op: Operation) -> int | None:
    """How many elements an op allocates as registers, if it does."""
    if not is_fly(op) or op.short != "make_ptr" or op.operands or not is_register(op.results[0].type):
        return None
    said = op.properties.get("dictAttrs")
    sizes = [said.data.get(name) for name in SIZES] if isinstance(said, DictionaryAttr) else []
    found = next((size.value.data for size in sizes if isinstance(size, IntegerAttr)), 0)
    return found if found > 0 else None


def stored_as(allocation: Operation, count: int) -> VectorType[Attribute]:
    """The vector that holds an allocation of so many elements."""
    kind = allocation.results[0].type
    assert isinstance(kind, PointerType)
    return VectorType(storage_element(kind.value), [count])


@dataclass(frozen=True)
class Reach:
    """What is reached from an allocation: who uses it, and where its pointers point; None is known at run time only."""

    users: tuple[Operation, ...]
    offsets: Mapping[SSAValue, int | None]

    @property
    def is_known(self) -> bool:
        """Is every place of it known?"""
        return None not in self.offsets.values()


def reach(allocation: Operation) -> Reach:
    """All that use an allocation, or a pointer or view made of it, in the order in which they are found."""
    offsets: dict[SSAValue, int | None] = {allocation.results[0]: 0}
    users: dict[Operation, None] = {}
    waiting: list[SSAValue] = list(offsets)
    for value in waiting:
        for use in value.uses:
            if use.operation in users:
                continue
            users[use.operation] = None
            made = [result for result in use.operation.results if is_register(result.type)]
            waiting += made
            if value in offsets and is_fly(use.operation) and use.operation.short in _POINTING:
                offsets[made[0]] = _moved(offsets[value], use.operation)
    return Reach(tuple(users), offsets)


def _moved(offset: int | None, op: FlyOp) -> int | None:
    if op.short != "add_offset":
        return offset
    kind = op.operands[1].type
    step = kind.value if isinstance(kind, IntTupleType) else None
    while isinstance(step, tuple) and len(step) == 1:
        step = step[0]
    return offset + step if offset is not None and type(step) is int else None
