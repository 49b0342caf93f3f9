"""`cse`: one op for equal pure ops, and for equal assertions, where the first dominates the others."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass

from tilewright.ir.core.effects import is_pure
from tilewright.ir.core.rewrite import erase
from tilewright.ir.core.walk import ops_of

Known = dict[Hashable, Operation]


@dataclass(frozen=True)
class Cse(ModulePass):
    """Equal pure ops with equal operands become one; memory is not looked at."""

    name = "cse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        _block(op.body.block, {})


def _block(block: Block, known: Known) -> None:
    for op in ops_of(block):
        for region in op.regions:
            for inner in region.blocks:
                _block(inner, dict(known))
        if (is_pure(op) or type(op) is AssertOp) and not op.regions:
            _merge(op, known)


def _merge(op: Operation, known: Known) -> None:
    properties = frozenset((*op.properties.items(), *op.attributes.items()))
    # What has been asserted once holds, whatever the second message says.
    properties = frozenset() if type(op) is AssertOp else properties
    first = known.setdefault((type(op), tuple(op.operands), properties, tuple(op.result_types)), op)
    if first is not op:
        for mine, theirs in zip(op.results, first.results, strict=True):
            mine.replace_all_uses_with(theirs)
        erase(op)
