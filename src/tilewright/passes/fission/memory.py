"""What the loops of `fission` read: arrays of values, and pure ops done again where they are needed."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import cast

from xdsl.builder import Builder
from xdsl.dialects import arith, gpu, memref
from xdsl.dialects.builtin import IndexType, MemRefType, StringAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.ranges import Index
from tilewright.ir.tile.types import LOCAL


def allocated(element: Attribute, count: int, hint: str | None) -> memref.AllocaOp:
    """Flat memory of registers."""
    kind = MemRefType(element, [count], memory_space=StringAttr(LOCAL))
    made = memref.AllocaOp(operands=[[], []], result_types=[kind])
    made.memref.name_hint = hint
    return made


def element_of(array: SSAValue) -> Attribute:
    """The type of an array's elements."""
    return cast("MemRefType[Attribute]", array.type).element_type


def load(builder: Builder, memory: SSAValue, at: Index, kind: Attribute) -> SSAValue:
    """An element as a value of the type: integers of 64 bits keep indices."""
    found = builder.insert(memref.LoadOp.get(memory, [IndexBuilder(builder).value(at)])).res
    return builder.insert(arith.IndexCastOp(found, kind)).result if isinstance(kind, IndexType) else found


def worked_out(
    value: SSAValue, known: MutableMapping[SSAValue, SSAValue], builder: Builder, ids: Mapping[str, Index]
) -> SSAValue:
    """The value by the pure ops that give it, done again from what is known, which they add to.

    Args:
        value: what is wanted. known: what values are here. builder: where ops are put.
        ids: the thread's coordinates; one that is missing is 0.
    """
    waiting = [value]
    while waiting:
        op = waiting[-1].owner
        if waiting[-1] in known:
            waiting.pop()
            continue
        assert isinstance(op, Operation), "what is not known is an op's"
        missing = [operand for operand in op.operands if operand not in known]
        if missing:
            waiting += missing
        elif isinstance(op, gpu.ThreadIdOp):
            known[op.result] = IndexBuilder(builder).value(ids.get(op.dimension.data, 0))
        else:
            made = builder.insert(op.clone({operand: known[operand] for operand in op.operands}))
            known.update(zip(op.results, made.results, strict=True))
    return known[value]
