"""Ops of stage `final`, written one after the other: loops, branches, tables, and numbers of any type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import (
    AnyFloat,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    Signedness,
    UnrealizedConversionCastOp,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.index import INDEX, IndexBuilder
from tilewright.ir.core.ranges import Index


@dataclass(frozen=True)
class Code:
    """A place where ops are put; `index` builds indices there."""

    builder: Builder

    @staticmethod
    def before(op: Operation) -> Code:
        """Before an op."""
        return Code(Builder(InsertPoint.before(op)))

    @property
    def index(self) -> IndexBuilder:
        """Builds indices."""
        return IndexBuilder(self.builder)

    def op(self, kind: type[Operation], *given: SSAValue) -> SSAValue:
        """The result of a binary op."""
        binary: Any = kind
        result: SSAValue = self.builder.insert(binary(*given)).results[0]
        return result

    def cast(self, kind: type[Operation], value: SSAValue, wanted: Attribute) -> SSAValue:
        """The result of a cast."""
        conversion: Any = kind
        result: SSAValue = self.builder.insert(conversion(value, wanted)).results[0]
        return result

    def number(self, value: float, kind: Attribute) -> SSAValue:
        """A constant."""
        if isinstance(kind, AnyFloat):
            return self.builder.insert(arith.ConstantOp(FloatAttr(value, kind))).result
        assert isinstance(kind, IntegerType | IndexType), "a number"
        if isinstance(kind, IntegerType) and kind.signedness.data is Signedness.UNSIGNED:
            made = self.number(value, IntegerType(kind.width.data))
            cast: SSAValue = self.builder.insert(UnrealizedConversionCastOp.get([made], [kind])).results[0]
            return cast
        return self.builder.insert(arith.ConstantOp(IntegerAttr(int(value), kind))).result

    def compare(self, predicate: str, left: SSAValue, right: SSAValue) -> SSAValue:
        """A comparison, of integers or of floats."""
        made = arith.CmpfOp if isinstance(left.type, AnyFloat) else arith.CmpiOp
        return self.builder.insert(made(left, right, predicate)).result

    def choose(self, condition: SSAValue, yes: SSAValue, no: SSAValue) -> SSAValue:
        """One of two."""
        return self.builder.insert(arith.SelectOp(condition, yes, no)).result

    def load(self, memory: SSAValue, at: Index) -> SSAValue:
        """An element."""
        return self.builder.insert(memref.LoadOp.get(memory, [self.index.value(at)])).res

    def store(self, value: SSAValue, memory: SSAValue, at: Index) -> None:
        """Puts it there."""
        self.builder.insert(memref.StoreOp.get(value, memory, [self.index.value(at)]))

    @contextmanager
    def turns(self, count: int, carried: Sequence[SSAValue] = ()) -> Iterator[Loop]:
        """A loop from 0 on; what it gives to the next turn is put into the `Loop`."""
        block = Block(arg_types=[INDEX, *(value.type for value in carried)])
        loop = Loop(Code(Builder(InsertPoint.at_end(block))), block.args[0], list(block.args[1:]))
        yield loop
        loop.code.builder.insert(scf.YieldOp(*loop.values))
        low, high, by = (self.index.value(bound) for bound in (0, count, 1))
        made = self.builder.insert(scf.ForOp(low, high, by, list(carried), block))
        loop.values = list(made.res)

    def either(
        self, condition: SSAValue, yes: Code, no: Code, results: Sequence[tuple[SSAValue, SSAValue]]
    ) -> list[SSAValue]:
        """A branch whose sides have been written; the results are the pairs' one or the other."""
        regions = []
        for side, code in enumerate((yes, no)):
            code.builder.insert(scf.YieldOp(*(pair[side] for pair in results)))
            regions.append(Region(code.builder.insertion_point.block))
        types = [pair[0].type for pair in results]
        return list(self.builder.insert(scf.IfOp(condition, types, regions[0], regions[1])).results)

    @staticmethod
    def apart() -> Code:
        """A block by itself."""
        return Code(Builder(InsertPoint.at_end(Block())))


@dataclass
class Loop:
    """The body of a loop: its counter, and what is carried along, which the body is to replace; then the results."""

    code: Code
    counter: SSAValue
    values: list[SSAValue]
