"""Ops of which nothing is to be asserted: what others ask of their operands must not be lost with their results."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.errors import LayoutError
from tilewright.ir.fly.dialect_types import ComposedLayoutType, FlyType, IntTupleType, LayoutType
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.ops import FlyOp, make, text_of
from tilewright.ir.fly.types import Value
from tilewright.ir.fly.worked import worked
from tilewright.passes.fly.held import fly_type
from tilewright.passes.fly.lowered import BY_RULE, SOURCES


def is_certain(op: FlyOp) -> bool:
    """Is nothing to be asserted for the op? What is folded away cannot assert it any more."""
    if op.short in SOURCES:
        return all(leaf.div == 1 for leaf in run_time_leaves(fly_type(op.results[0]).value))
    if op.short not in BY_RULE:
        return True
    try:
        return not worked(op.short, tuple(map(text_of, op.operand_types)), op.parameters).conditions
    except LayoutError:  # which is said where the op is lowered
        return False


def asks_nothing(value: SSAValue) -> bool:
    """Is nothing to be asserted for the value, nor for what it is made of?"""
    waiting, seen = [value], set[Operation]()
    while waiting:
        owner = waiting.pop().owner
        if not isinstance(owner, FlyOp) or owner in seen:
            continue
        if not is_certain(owner):
            return False
        seen.add(owner)
        waiting += owner.operands
    return True


def keep_asked(value: SSAValue) -> None:
    """Asserts, behind the value, that it is what its static type tells, so that what it asks stays asked."""
    owner = value.owner
    assert isinstance(owner, Operation)
    builder = Builder(InsertPoint.after(owner))

    def add(name: str, *operands: SSAValue, result: FlyType[Value] | None = None) -> SSAValue:
        made = builder.insert(make(name, operands, None, None if result is None else (result,)))
        made.location = owner.location
        return made.results[0]

    if isinstance(value.type, ComposedLayoutType):
        value = add("composed_get_offset", value)
    if isinstance(value.type, IntTupleType | LayoutType):
        known = add("static", result=value.type)
        made = builder.insert(AssertOp(add("equal", value, known), f"{owner.name}: the value is that of its type"))
        made.location = owner.location
