"""Removing ops and replacing their results."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import Rewriter


def erase(op: Operation) -> None:
    """Removes an op whose results nobody uses."""
    Rewriter.erase_op(op)


def replace(op: Operation, value: SSAValue) -> None:
    """Puts `value` in the place of the op's one result, under that result's name if it has none, and removes the op."""
    op.results[0].replace_all_uses_with(value)
    erase(op)
