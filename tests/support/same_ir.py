"""Whether two modules are the same IR: the same ops in the same order, but for pure ones, which may stand anywhere."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.effects import is_pure, is_read, moved_to
from tilewright.ir.core.ranges import Ranges, constant_of
from tilewright.ir.core.rewrite import replace
from tilewright.ir.script.choices import is_choice
from tilewright.passes.cse import Cse
from tilewright.passes.dce import Dce
from tilewright.passes.simplify import Simplify


def assert_same(one: ModuleOp, other: ModuleOp) -> None:
    """They are, once indices are folded; a read counts where its value is used, if nothing is written before."""
    _Pairs().op(tidied(one), tidied(other))


def tidied(module: ModuleOp) -> ModuleOp:
    """A copy whose indices are folded, without what nobody uses."""
    copy, ranges = module.clone(), Ranges()
    for op in list(copy.walk()):
        if (made := _told(op, ranges)) is not None:
            replace(op, Builder(InsertPoint.before(op)).insert(made).results[0])
    for step in (Simplify(), Cse(), Dce()):
        step.apply(Context(), copy)
    return copy


def _told(op: Operation, ranges: Ranges) -> Operation | None:
    """What an op is as soon as the lanes of a warp are known."""
    if isinstance(op, arith.FloorDivSIOp) and isinstance(op.result.type, IndexType):
        return arith.DivUIOp(op.lhs, op.rhs) if ranges.natural(op.lhs) and ranges.natural(op.rhs) else None
    number = constant_of(op.input) if isinstance(op, arith.IndexCastOp) else None
    kind = op.results[0].type if number is not None else None
    return arith.ConstantOp(IntegerAttr(number, kind)) if isinstance(kind, IntegerType) and number is not None else None


class _Pairs:
    """Values of one module with those of the other."""

    def __init__(self) -> None:
        self.known: dict[SSAValue, SSAValue] = {}
        self.seen: set[tuple[SSAValue, SSAValue]] = set()

    def op(self, one: Operation, other: Operation) -> None:
        assert _told_of(one) == _told_of(other)
        for pair in zip(one.operands, other.operands, strict=True):
            self.value(*pair)
        for left, right in zip(one.regions, other.regions, strict=True):
            for blocks in zip(left.blocks, right.blocks, strict=True):
                self.block(*blocks)

    def value(self, one: SSAValue, other: SSAValue) -> None:
        if one in self.known:
            assert self.known[one] is other
        elif (one, other) not in self.seen:
            self.op(_expression(one), _expression(other))
            self.seen.add((one, other))

    def block(self, one: Block, other: Block) -> None:
        assert [a.type for a in one.args] == [a.type for a in other.args]
        self.known.update(zip(one.args, other.args, strict=True))
        left, right = ([op for op in block.ops if not _expressed(op)] for block in (one, other))
        assert [op.name for op in left] == [op.name for op in right]
        for pair in zip(left, right, strict=True):
            self.op(*pair)
            self.known.update(zip(pair[0].results, pair[1].results, strict=True))


def _told_of(op: Operation) -> Sequence[object]:
    return type(op), op.attributes, op.properties, [result.type for result in op.results]


def _expression(value: SSAValue) -> Operation:
    """The op that counts where its value is used."""
    op = value.owner
    assert isinstance(op, Operation)
    assert _expressed(op)
    return op


def _expressed(op: Operation) -> bool:
    """Does the op count where its value is used?"""
    if is_read(op):
        return moved_to(op) is not None
    return is_pure(op) or (is_choice(op) and op.results[0].has_one_use())
