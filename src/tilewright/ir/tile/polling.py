"""Loops that go on until other lanes have done something."""

from __future__ import annotations

from xdsl.dialects import scf
from xdsl.ir import Operation

from tilewright.ir.core.dependence import behind
from tilewright.ir.tile.atomic_vectors import AtomicVectorOp
from tilewright.ir.tile.mbarriers import MbarrierTestOp
from tilewright.ir.tile.ops import AtomicOp
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp

POLLS = (AtomicLoadOp, AtomicOp, AtomicCasOp, AtomicVectorOp, MbarrierTestOp)


def polls(op: Operation) -> bool:
    """Is the op a loop that goes on depending on what other lanes do?"""
    if not isinstance(op, scf.WhileOp) or not any(isinstance(inner, POLLS) for inner in op.walk()):
        return False
    last = op.before_region.block.last_op
    return last is not None and any(isinstance(value.owner, POLLS) for value in behind(last.operands))
