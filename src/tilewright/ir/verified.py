"""Verifying ops one after the other: of ops of `arith` that are alike in all that their rules read, one."""

from __future__ import annotations

from collections.abc import Hashable

from xdsl.dialects.builtin import UnregisteredOp
from xdsl.ir import ErasedSSAValue, Operation


class Verifier:
    """Verifies ops of one module; xDSL's rules for an op take longer than anything else that is done with it."""

    def __init__(self) -> None:
        self._right: set[Hashable] = set()

    def module(self, module: Operation) -> None:
        """Every op of a module, and the module; raises whatever its rules do."""
        for op in module.walk():
            self.op(op)

    def op(self, op: Operation) -> None:
        """The op, without those in its regions; a block that is empty is its op's."""
        alike = _rules_read(op)
        if alike is None or alike not in self._right:
            op.verify(verify_nested_ops=False)
        if alike is not None:
            self._right.add(alike)
        for block in (block for region in op.regions for block in region.blocks):
            if block.is_empty:
                block.verify()


def _rules_read(op: Operation) -> Hashable | None:
    """All that the rules of an op of `arith` read; None of other ops, and of what ends a block or uses what is gone."""
    if not op.name.startswith("arith.") or isinstance(op, UnregisteredOp) or op.regions or op.successors:
        return None
    if op.next_op is None or any(isinstance(operand, ErasedSSAValue) for operand in op.operands):
        return None
    attributes = (*op.properties.items(), *op.attributes.items())
    return type(op), tuple(op.operand_types), tuple(op.result_types), attributes
