"""What the lanes of a wave tell each other by `rocdl`, as shuffles and votes."""

from __future__ import annotations

from xdsl.dialects import arith, gpu
from xdsl.dialects.builtin import i1, i64
from xdsl.ir import Operation, SSAValue

from tilewright.ir.core.ranges import Index
from tilewright.ir.tile.together import BALLOTS, WHOLE, ShuffleOp, VoteOp
from tilewright.passes.fly_flat.bits import recast, width
from tilewright.passes.fly_flat.counted import trailing
from tilewright.passes.fly_flat.flat import Flat, Handlers
from tilewright.passes.fly_flat.held import types_of


def _told(out: Flat, op: Operation, value: SSAValue, lane: Index) -> None:
    """The result is what the lane of that number has."""
    made = out.insert(ShuffleOp("idx", out.one(value), out.index.value(lane), WHOLE))
    out.set(op.results[0], recast(out, [made.result], types_of(op.results[0].type)[0]))


def _ballot(out: Flat, op: Operation) -> None:
    """A bit for each lane of the wave that holds."""
    (kind,) = types_of(op.results[0].type)
    made = VoteOp("ballot", out.one(op.operands[0]), BALLOTS[width(kind)])
    out.set(op.results[0], recast(out, [out.insert(made).result], kind))


def _first(out: Flat, op: Operation) -> None:
    """Outside of branches and loops the first lane is there; within them a vote tells which one is."""
    _told(out, op, op.operands[0], 0 if isinstance(op.parent_op(), gpu.FuncOp) else _first_there(out))


def _first_there(out: Flat) -> SSAValue:
    there = out.insert(VoteOp("ballot", out.constant(1, i1), BALLOTS[64])).result
    (bits,) = recast(out, [there], i64)
    return out.as_index(trailing(out, bits, 64))


def _lane(out: Flat, op: Operation) -> None:
    value, lane = op.operands
    _told(out, op, value, out.as_index(out.one(lane)))


def _permuted(out: Flat, op: Operation) -> None:
    """The lane's number is a fourth of the index, of which a shuffle takes what is left by the lanes of a wave."""
    index, value = op.operands
    number = out.one(index)
    lane = out.insert(arith.ShRSIOp(number, out.constant(2, number.type))).result
    _told(out, op, value, out.as_index(lane))


WAVES: Handlers = {
    "rocdl.ballot": _ballot,
    "rocdl.readfirstlane": _first,
    "rocdl.readlane": _lane,
    "rocdl.ds_bpermute": _permuted,
}
