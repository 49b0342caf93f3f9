"""Shuffles and votes of a warp whose lanes are turns of a loop: they look at what the lanes have shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, cast

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import IntegerAttr, IntegerType, UnrealizedConversionCastOp, i1
from xdsl.ir import Operation, SSAValue

from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.ranges import Index
from tilewright.ir.tile.together import ShuffleOp, VoteOp
from tilewright.passes.fission.memory import allocated
from tilewright.passes.fission.threads import Scope, Thread, Threads

Shown: TypeAlias = Callable[[Thread], SSAValue]


def shuffled(op: ShuffleOp, by: SSAValue, thread: Thread, lanes: int) -> Index:
    """The number of the thread whose value the lane takes."""
    index, width, kind = thread.index, op.segment(lanes), op.kind.data
    first = index.mul(index.div(thread.lane, width), width)
    last = index.add(first, width - 1)
    if kind == "idx":
        return index.sum_of([(thread.start, 1), (first, 1), (index.bits_and(by, width - 1), 1)])
    lane = index.value(thread.lane)
    made: Operation = {"up": arith.SubiOp, "down": arith.AddiOp, "xor": arith.XOrIOp}[kind](lane, by)
    there = thread.builder.insert(made).results[0]
    low, high = {"up": (first, lane), "down": (lane, last), "xor": (0, last)}[kind]
    insert = thread.builder.insert
    above = insert(arith.CmpiOp(index.value(low), there, "sle"))
    below = insert(arith.CmpiOp(there, index.value(high), "sle"))
    chosen = insert(arith.SelectOp(insert(arith.AndIOp(above, below)), there, lane))
    return index.add(thread.start, chosen.result)


def voted(op: VoteOp, threads: Threads, scope: Scope, shown: Shown) -> SSAValue:
    """The result of a vote, for the warp of the scope."""
    kind, result = op.kind.data, IntegerType(op.result.type.width.data)
    builder, zero = scope.builder, IndexBuilder(scope.builder).value(0)
    start = builder.insert(arith.ConstantOp(IntegerAttr(int(kind == "all"), result))).result
    found = builder.insert(allocated(result, 1, "votes")).memref
    builder.insert(memref.StoreOp.get(start, found, [zero]))
    with threads.each(scope) as thread:
        so_far = thread.builder.insert(memref.LoadOp.get(found, [zero])).res
        thread.builder.insert(memref.StoreOp.get(_added(kind, thread, so_far, shown(thread)), found, [zero]))
    made = builder.insert(memref.LoadOp.get(found, [zero])).res
    return made if result == i1 else builder.insert(UnrealizedConversionCastOp.get([made], [op.result.type])).results[0]


def _added(kind: str, thread: Thread, so_far: SSAValue, mine: SSAValue) -> SSAValue:
    insert = thread.builder.insert
    if kind == "any":
        return insert(arith.OrIOp(so_far, mine)).result
    if kind == "all":
        return insert(arith.AndIOp(so_far, mine)).result
    number = cast(IntegerType, so_far.type)
    lane = insert(arith.IndexCastOp(thread.index.value(thread.lane), number)).result
    bit = insert(arith.ShLIOp(insert(arith.ExtUIOp(mine, number)).result, lane)).result
    return insert(arith.OrIOp(so_far, bit)).result
