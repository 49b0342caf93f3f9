"""Inserting and removing ops, and replacing their results."""

from __future__ import annotations

from typing import Protocol, TypeVar

from xdsl.builder import Builder
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

Op = TypeVar("Op", bound=Operation)


class Puts(Protocol):
    """Where ops go, one at a time."""

    def put(self, op: Op) -> Op:
        """Inserts the op."""


class Before:
    """Puts ops before one, one at a time: what passes do thousands of times, and xDSL in ten calls each."""

    def __init__(self, op: Operation) -> None:
        assert op.parent is not None, "it stands in a block"
        self._block, self._op = op.parent, op

    def put(self, op: Op) -> Op:
        """Inserts the op."""
        self._block.insert_op_before(op, self._op)
        return op


class AtEnd(Builder):
    """Builds at the end of a block, of which the same holds."""

    def __init__(self, block: Block) -> None:
        super().__init__(InsertPoint.at_end(block))
        self._block = block

    def put(self, op: Op) -> Op:
        """Inserts the op."""
        self._block.add_op(op)
        return op


def erase(op: Operation) -> None:
    """Removes an op whose results nobody uses."""
    Rewriter.erase_op(op)


def replace(op: Operation, value: SSAValue) -> None:
    """Puts `value` in the place of the op's one result, under that result's name if it has none, and removes the op."""
    op.results[0].replace_all_uses_with(value)
    erase(op)
