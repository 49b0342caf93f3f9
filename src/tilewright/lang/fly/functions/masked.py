"""Registers of which a copy with a predicate is the first to write some."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue

from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.types import MemRef, Pointer
from tilewright.lang.fly.values.base import wrapped
from tilewright.lang.fly.values.memory import Tensor, leave_undefined

REGISTER = "register"


def begin(target: Tensor) -> None:
    """Fills registers that nothing has written with what stands for anything.

    Elements that a predicate leaves out hold anything on a machine, which does no harm: they are added and the like
    with the others, and left out again where the result is stored. Reading what nothing has written is an error, so
    these begin as zeros of which the simulator knows that they are not to be stored.
    """
    if _space(target.ssa()) == REGISTER:
        root = _root(target.ssa())
        found = wrapped(root.type, root)
        if isinstance(found, Tensor) and not _written(root):
            leave_undefined(found)


def _space(value: SSAValue) -> str:
    kind = value.type.value if isinstance(value.type, FlyType) else None
    pointer = kind.pointer if isinstance(kind, MemRef) else kind
    return pointer.space if isinstance(pointer, Pointer) else ""


def _root(value: SSAValue) -> SSAValue:
    """The registers that a view shows."""
    while isinstance(value.owner, Operation):
        viewed = next((x for x in value.owner.operands if _space(x) == REGISTER), None)
        if viewed is None:
            break
        value = viewed
    return value


def _written(value: SSAValue) -> bool:
    """Is there an op that may have written them, through whichever view?"""
    users = [use.operation for use in value.uses]
    shown = [result for user in users for result in user.results if _space(result) == REGISTER]
    return any(not user.results for user in users) or any(map(_written, shown))
