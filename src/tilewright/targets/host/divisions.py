"""Integer divisions by zero, which a processor traps: an error, as on the simulator."""

from __future__ import annotations

from xdsl.builder import Builder
from xdsl.dialects import arith
from xdsl.dialects.builtin import IndexType, IntegerAttr, IntegerType, ModuleOp, UnitAttr
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Operation
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.attributes import TRAP
from tilewright.ir.core.facts import BINARY
from tilewright.ir.core.ranges import TightRanges, constant_of

DIVISIONS = tuple(row.op for row in BINARY if row.partial == "zero")
BY_ZERO = "division by zero"


def guarded(module: ModuleOp) -> ModuleOp:
    """The module, or a copy with an assertion before each division by a number that may be 0."""
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
    divisor = op.operands[1]
    kind = divisor.type
    assert isinstance(kind, IndexType | IntegerType), "it divides integers"
    zero = arith.ConstantOp(IntegerAttr(0, kind))
    here = arith.CmpiOp(divisor, zero, "ne")
    claim = AssertOp(here, BY_ZERO)
    claim.attributes[TRAP] = UnitAttr()
    for made in (zero, here, claim):
        made.location = op.location
    Builder(InsertPoint.before(op)).insert([zero, here, claim])
