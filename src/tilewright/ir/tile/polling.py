"""Loops that go on until other lanes have done something."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from tilewright.ir.core.dependence import behind, is_register
from tilewright.ir.core.effects import is_pure, is_read, is_store
from tilewright.ir.tile.atomic_vectors import AtomicVectorOp
from tilewright.ir.tile.mbarriers import MbarrierTestOp
from tilewright.ir.tile.ops import AtomicOp, root
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp

POLLS = (AtomicLoadOp, AtomicOp, AtomicCasOp, AtomicVectorOp, MbarrierTestOp)


def polls(op: Operation) -> bool:
    """Is the op a loop that goes on depending on what other lanes do?"""
    if not isinstance(op, scf.WhileOp):
        return False
    asked = any(isinstance(inner, POLLS) for inner in op.walk())
    return (asked and any(isinstance(value.owner, POLLS) for value in behind(_condition(op)))) or bool(plain_polls(op))


def plain_polls(loop: scf.WhileOp) -> Sequence[Operation]:
    """The plain loads that alone can end a loop; none where it changes itself what its condition depends on.

    The kernel writes that memory elsewhere. No rule says that such a loop ever sees that: it races with who writes.
    """
    asked = _Asked(loop)
    ends = all(map(asked.only, _condition(loop)))
    return asked.loads if ends and any(map(_is_written, {root(load.operands[0]) for load in asked.loads})) else ()


def waits_by(load: Operation) -> bool:
    """Is the op a plain load by which a loop waits for others?"""
    parent = load.parent_op()
    while parent is not None:
        if isinstance(parent, scf.WhileOp) and load in plain_polls(parent):
            return True
        parent = parent.parent_op()
    return False


def _is_written(memory: SSAValue) -> bool:
    views = {memory}
    while True:
        users = [use.operation for view in views for use in view.uses]
        found = {result for user in users if is_pure(user) for result in user.results} - views
        if not found:
            return any(not (is_pure(user) or is_read(user)) for user in users)
        views |= found


def _condition(loop: scf.WhileOp) -> Sequence[SSAValue]:
    last = loop.before_region.block.last_op
    return last.operands[:1] if last is not None else ()


class _Asked:
    """Which loads of memory decide on values of a loop, turn by turn."""

    def __init__(self, loop: scf.WhileOp) -> None:
        self.loop = loop
        self.loads: list[Operation] = []
        self.path: dict[SSAValue, int] = {}  # what is being asked, and how many calculations lie before it
        self.calculated = 0

    def only(self, value: SSAValue) -> bool:
        """Does the value change from turn to turn by these loads alone?"""
        op = value.owner
        if not self._inside(op):
            return True
        if value in self.path:  # what stays as it was may; what is made of itself counts turns
            return isinstance(op, Block) and self.path[value] == self.calculated
        self.path[value] = self.calculated
        found = self._carried(value) if isinstance(value, BlockArgument) else self._given(value.owner)
        del self.path[value]
        return found

    def _carried(self, value: BlockArgument) -> bool:
        """Of what the loop carries: from the end of a turn to the next condition, and from there into the turn."""
        before, after = self.loop.before_region.block, self.loop.after_region.block
        if value.block not in (before, after):
            return False
        last = (after if value.block is before else before).last_op
        return last is not None and self.only(last.operands[value.index + isinstance(last, scf.ConditionOp)])

    def _given(self, op: Operation | Block) -> bool:
        assert isinstance(op, Operation), "a block's arguments are carried"
        if is_read(op):
            known = self._stored(op) if is_register(op.operands[0]) else self._loaded(op)
            return known and all(map(self.only, op.operands[1:]))
        if isinstance(op, scf.IfOp):
            ends = [end for region in op.regions for block in region.blocks if (end := block.last_op) is not None]
            return self.only(op.cond) and all(self.only(value) for end in ends for value in end.operands)
        self.calculated += 1
        found = is_pure(op) and all(map(self.only, op.operands))
        self.calculated -= 1
        return found

    def _loaded(self, op: Operation) -> bool:
        """Of memory which the loop leaves alone."""
        memory = root(op.operands[0])
        self.loads.append(op)
        users = (inner for inner in self.loop.walk() if not is_pure(inner) and not is_read(inner))
        return not any(root(value) is memory for inner in users for value in inner.operands)

    def _stored(self, op: Operation) -> bool:
        """Of a register: what the loop puts there, and whether it does."""
        for user in (use.operation for use in op.operands[0].uses if self._inside(use.operation)):
            if is_read(user):
                continue
            if not is_store(user) or not all(map(self.only, (user.operands[0], *user.operands[2:]))):
                return False
            parent = user.parent_op()
            while parent is not None and parent is not self.loop:
                if not isinstance(parent, scf.IfOp) or not self.only(parent.cond):
                    return False
                parent = parent.parent_op()
        return True

    def _inside(self, op: Operation | Block) -> bool:
        parent = op if isinstance(op, Operation) else op.parent_op()
        while parent is not None and parent is not self.loop:
            parent = parent.parent_op()
        return parent is self.loop
