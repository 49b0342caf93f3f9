"""Rows: that what one instruction accesses at once lies in its memory, aligned, as assertions before it.

Loops and fibers alike have them: neither asks a memory for more than it has.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import singledispatch
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import MemRefType, ModuleOp, UnitAttr, i64
from xdsl.dialects.cf import AssertOp
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.core.attributes import BOUNDS, TRAP
from tilewright.ir.core.bounds import Row, assert_row
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.index import IndexBuilder
from tilewright.ir.core.ranges import TightRanges, constant_of
from tilewright.ir.tile.address import address_of
from tilewright.ir.tile.asynchronous import CpAsyncOp
from tilewright.ir.tile.bulk import BULK_BYTES, TENSOR_ALIGNMENT, BulkCopyOp, TensorCopyOp
from tilewright.targets.host.lane_code import Code

UNKNOWN = -1  # elements: the row is asked for its beginning's alignment alone


@dataclass(frozen=True)
class Reach:
    """So many bytes from an element of flat memory on, which an op accesses; `aligned` is what they begin at."""

    memory: SSAValue
    index: SSAValue
    bytes: int
    aligned: int
    verb: str

    @staticmethod
    def of(address: SSAValue, count: int, aligned: int, verb: str) -> Reach:
        """Those from an address on."""
        found = address_of(address)
        return Reach(found.memory, found.indices[0], count, aligned, verb)

    @property
    def name(self) -> str:
        """The memory's."""
        return self.memory.name_hint or "a memory"

    @property
    def size(self) -> int:
        """Its elements; -1: nobody knows."""
        return cast("MemRefType[Attribute]", self.memory.type).get_shape()[0]

    @property
    def bits(self) -> int:
        """Those of an element."""
        return element_dtype(cast("MemRefType[Attribute]", self.memory.type).element_type).bits

    def ask(self, code: Code, op: Operation) -> None:
        """Asserts that they lie there, on behalf of the op."""
        if self.bits % 8:
            return
        size = self.size if self.bytes >= 0 else -1
        step = max(1, self.aligned * 8 // self.bits)
        row = Row(self.name, size, self.bits // 8, max(1, self.bytes * 8 // self.bits), step, self.verb)
        assert_row(IndexBuilder(code.builder, TightRanges()), self.index, row, op)


@singledispatch
def reaches(op: Operation) -> Iterator[Reach]:
    """The rows of elements that an op moves at once."""
    yield from ()


@reaches.register
def _cp_async(op: CpAsyncOp) -> Iterator[Reach]:
    count = op.bytes.value.data
    yield Reach.of(op.dst, count, count, "writes")
    yield Reach.of(op.src, count if op.size is None else UNKNOWN, count, "reads")


@reaches.register
def _bulk(op: BulkCopyOp) -> Iterator[Reach]:
    count = constant_of(op.bytes)
    known = UNKNOWN if count is None else count
    yield Reach.of(op.src, known, BULK_BYTES, "reads")
    yield Reach.of(op.dst, known, BULK_BYTES, "writes")


@reaches.register
def _tensor(op: TensorCopyOp) -> Iterator[Reach]:
    yield Reach.of(op.tile, UNKNOWN, TENSOR_ALIGNMENT, "writes" if op.kind.data == "load" else "reads")


def with_rows(module: ModuleOp) -> ModuleOp:
    """The module, or a copy whose copies of several elements assert that these lie in their memories."""
    if not any(type(op) in reaches.registry for op in module.walk()):
        return module
    made = module.clone()
    for op in list(made.walk()):
        found = list(reaches(op))
        for reach in found:
            reach.ask(Code.before(op), op)
        if isinstance(op, CpAsyncOp) and op.size is not None:
            _ask_size(Code.before(op), op, op.size, found[1])
        elif isinstance(op, BulkCopyOp):
            for reach in found:
                _ask_end(Code.before(op), op, op.bytes, reach)
    return made


def _ask_size(code: Code, op: CpAsyncOp, size: SSAValue, source: Reach) -> None:
    """Asserts that a copy reads whole elements, no more than it writes, and none beyond the memory."""
    count, number = op.bytes.value.data, code.cast(arith.IndexCastOp, size, i64)
    over = code.op(arith.RemUIOp, number, code.number(max(1, source.bits // 8), i64))
    _insert(code, op, code.compare("ule", number, code.number(count, i64)), f"reads more than the {count} bytes", TRAP)
    _insert(code, op, code.compare("eq", over, code.number(0, i64)), "reads a part of an element", TRAP)
    _ask_end(code, op, size, source)


def _ask_end(code: Code, op: Operation, size: SSAValue, reach: Reach) -> None:
    """Asserts that so many bytes from there on end in the memory, where they are not known; none may be anywhere."""
    if reach.bytes != UNKNOWN or reach.size < 0:
        return
    number, zero = code.cast(arith.IndexCastOp, size, i64), code.number(0, i64)
    count = code.op(arith.DivUIOp, number, code.number(max(1, reach.bits // 8), i64))
    end = code.op(arith.AddiOp, code.cast(arith.IndexCastOp, reach.index, i64), count)
    last = code.choose(code.compare("eq", number, zero), zero, end)
    text = f"{reach.verb} beyond {reach.name}, which has {reach.size} elements"
    _insert(code, op, code.compare("ule", last, code.number(reach.size, i64)), text, BOUNDS)


def _insert(code: Code, op: Operation, holds: SSAValue, text: str, kind: str) -> None:
    made = AssertOp(holds, text)
    made.attributes[kind] = UnitAttr()
    made.location = op.location
    code.builder.insert(made)
