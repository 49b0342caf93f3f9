"""What a kernel says must hold."""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.cf import AssertOp

from tilewright.errors import KernelError
from tilewright.ir.core.attributes import TRAP
from tilewright.ir.core.bounds import claim
from tilewright.ir.core.effects import ACCESSES, VERBS
from tilewright.lang.expressions import Condition, as_condition
from tilewright.lang.machines import require
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, is_index


def hold(t: Tracer, condition: Condition, message: str) -> None:
    """The condition holds here, in every lane; else the kernel ends.

    Raises:
        KernelError: it never does.
    """
    if condition is False:
        raise KernelError(f"this never holds: {message}")
    if condition is not True:
        made = t.insert(AssertOp(condition, message))
        made.attributes[TRAP] = UnitAttr()


def _trap(t: Tracer, cond: Value) -> None:
    hold(t, as_condition(t, cond), "an assertion does not hold")


def _within(t: Tracer, value: Value, extent: Value, message: Value, verb: Value = ACCESSES) -> None:
    if not is_index(value) or type(extent) is not int or extent < 0 or not (isinstance(message, str) and verb in VERBS):
        raise KernelError(f"T.within takes an index, a constant extent, what has it, and one of {', '.join(VERBS)}")
    claim(t.index, value, extent, message, verb)


def _require(t: Tracer, instruction: Value, archs: Value) -> None:
    if not (isinstance(instruction, str) and isinstance(archs, str) and archs):
        raise KernelError("T.require takes the name of an instruction, and the first machines that have it, as texts")
    require(t, instruction, archs)


CHECKS = (
    Function("cuda.trap_when_assert_failed", _trap, "Ends the kernel where the condition does not hold."),
    Function("require", _require, "Says which instruction the kernel needs, and which machines had it first."),
    Function("within", _within, "Says that 0 <= value < extent, as accesses do; CUDA text does not check it."),
)
