"""Integer divisions that a processor traps: by zero, which is an error as on the simulator, and the least one by -1."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp, UnitAttr
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.attributes import TRAP
from tilewright.ir.core.facts import BINARY
from tilewright.ir.core.ranges import TightRanges, constant_of

DIVISIONS = tuple(row.op for row in BINARY if row.partial == "zero")
SIGNED = (arith.DivSIOp, arith.FloorDivSIOp, arith.CeilDivSIOp, arith.RemSIOp)
BY_ZERO = "division by zero"


def guarded(module: ModuleOp) -> ModuleOp:
    """The module, or a copy whose divisions by numbers that may be 0 or -1 never trap.

    By zero there is an assertion before; by -1 the quotient is the negated number, as two's complement has it.
    """
    if not any(map(_open, module.walk())):
        return module
    made = module.clone()
    ranges = TightRanges()
    for op in filter(_open, list(made.walk())):
        if not ranges.within(op.operands[1], 1, 1 << 64):
            _guard(op)
    return made


def _open(op: Operation) -> bool:
    """Does it divide integers by a number that nobody knows?"""
    kind = op.operands[1].type if isinstance(op, DIVISIONS) else None
    return isinstance(kind, IndexType | IntegerType) and constant_of(op.operands[1]) is None


def _guard(op: Operation) -> None:
    builder, (left, right) = Builder(InsertPoint.before(op)), op.operands
    zero = _number(builder, 0, right, op)
    here = _put(builder, arith.CmpiOp(right, zero, "ne"), op)
    claim = AssertOp(here, BY_ZERO)
    claim.attributes[TRAP] = UnitAttr()
    claim.location = op.location
    builder.insert(claim)
    if isinstance(op, SIGNED):
        negative = _put(builder, arith.CmpiOp(right, _number(builder, -1, right, op), "eq"), op)
        op.operands[1] = _put(builder, arith.SelectOp(negative, _number(builder, 1, right, op), right), op)
        behind = Builder(InsertPoint.after(op))
        turned = zero if isinstance(op, arith.RemSIOp) else _put(behind, arith.SubiOp(zero, left), op)
        chosen = arith.SelectOp(negative, turned, op.results[0])
        op.results[0].replace_uses_with_if(chosen.result, lambda use: use.operation is not chosen)
        chosen.location = op.location
        behind.insert(chosen)


def _number(builder: Builder, value: int, like: SSAValue, op: Operation) -> SSAValue:
    kind = like.type
    assert isinstance(kind, IndexType | IntegerType), "it divides integers"
    return _put(builder, arith.ConstantOp(IntegerAttr(value, kind)), op)


def _put(builder: Builder, made: Operation, op: Operation) -> SSAValue:
    made.location = op.location
    return builder.insert(made).results[0]
