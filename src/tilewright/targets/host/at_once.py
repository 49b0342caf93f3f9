"""Asynchronous copies of single threads, done where they are begun: the first of the orders in which they may be done.

What waits for them, and the fences between what lanes do and what engines do, are then nothing.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerType, MemRefType, ModuleOp, i64
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.ranges import TightRanges
from tilewright.ir.core.rewrite import erase
from tilewright.ir.tile.address import AddressOp, address_of
from tilewright.ir.tile.asynchronous import ASYNCHRONOUS, AsyncCommitOp, AsyncWaitOp, CpAsyncOp, FenceOp
from tilewright.targets.host.lane_code import Code

GROUPS = (AsyncCommitOp, AsyncWaitOp, FenceOp)


def copied_at_once(module: ModuleOp) -> None:
    """Changes a module at stage `final` whose only asynchronous ops are cp.async, their groups, and fences."""
    found: list[Operation] = [op for op in module.walk() if isinstance(op, ASYNCHRONOUS)]
    if not all(isinstance(op, GROUPS) or (isinstance(op, CpAsyncOp) and _has_zero(op)) for op in found):
        return
    for op in found:
        if isinstance(op, CpAsyncOp):
            _copy(op)
        erase(op)
    for op in [op for op in module.walk() if isinstance(op, AddressOp)]:
        if op.result.first_use is None:
            erase(op)


def _has_zero(op: CpAsyncOp) -> bool:
    """Is there a 0 of its elements, with which a copy may fill the rest?"""
    return isinstance(_element(op), AnyFloat | IntegerType) and element_dtype(_element(op)).bits % 8 == 0


def _element(op: CpAsyncOp) -> Attribute:
    return cast("MemRefType[Attribute]", address_of(op.src).memory.type).element_type


def _copy(op: CpAsyncOp) -> None:
    """All is read before any is written, as one access would."""
    code, (dst, src) = Code.before(op), (address_of(op.dst), address_of(op.src))
    index = IndexBuilder(code.builder, TightRanges())
    width = element_dtype(_element(op)).bits // 8
    held = [
        _read(code, op, src.memory, index.value(index.add(src.indices[0], i)), i * width)
        for i in range(op.bytes.value.data // width)
    ]
    for i, value in enumerate(held):
        code.store(value, dst.memory, index.add(dst.indices[0], i))


def _read(code: Code, op: CpAsyncOp, memory: SSAValue, at: SSAValue, byte: int) -> SSAValue:
    """The element there; 0 where the copy ends before that byte."""
    if op.size is None:
        return code.load(memory, at)
    number = code.cast(arith.IndexCastOp, op.size, i64)
    inside = code.compare("ult", code.number(byte, i64), number)
    yes, no = Code.apart(), Code.apart()
    either = yes.load(memory, at), no.number(0, _element(op))
    return code.either(inside, yes, no, [either])[0]
