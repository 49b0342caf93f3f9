"""What a kernel says must hold."""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.cf import AssertOp

from tilewright.errors import KernelError
from tilewright.ir.core.attributes import TRAP
from tilewright.lang.expressions import as_condition
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value


def hold(t: Tracer, condition: Value, message: str) -> None:
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


CHECKS = (Function("cuda.trap_when_assert_failed", _trap, "Ends the kernel where the condition does not hold."),)
