"""Loops over the threads of a block or the lanes of a warp, and which thread each turn is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import prod

from xdsl.builder import Builder
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IntegerAttr, i64
from xdsl.ir import Block, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.attributes import THREAD
from tilewright.ir.core.index import INDEX, IndexBuilder
from tilewright.ir.core.ranges import Index
from tilewright.passes.fission.plan import BLOCK


@dataclass
class Scope:
    """A place outside the threads: where ops are put, and what values are there; `warp` where it is one warp's."""

    builder: Builder
    known: dict[SSAValue, SSAValue]
    group: str = BLOCK
    warp: Index = 0

    def inside(self, block: Block) -> Scope:
        """A block within: it sees these values, and they do not see what it adds."""
        return replace(self, builder=Builder(InsertPoint.at_end(block)), known=dict(self.known))


@dataclass(frozen=True)
class Thread:
    """One turn: its thread of the block, by coordinates and by `number`, and where it lies in its warp."""

    builder: Builder
    ids: Mapping[str, Index]
    number: Index
    lane: Index = 0
    start: Index = 0

    @property
    def index(self) -> IndexBuilder:
        """Builds indices of the turn."""
        return IndexBuilder(self.builder)


@dataclass(frozen=True)
class Threads:
    """The threads of a block, x counting fastest, in warps of so many lanes."""

    extents: tuple[int, int, int]
    lanes: int

    @property
    def count(self) -> int:
        """Threads of a block."""
        return prod(self.extents)

    @property
    def warps(self) -> int:
        """Warps of a block; the last may be partly empty."""
        return -(-self.count // self.lanes)

    @contextmanager
    def each(self, scope: Scope) -> Iterator[Thread]:
        """A loop over the threads of the scope's group; ops are put into its innermost block."""
        each = self._of_block if scope.group == BLOCK else self._of_warp
        with each(scope) as thread:
            yield thread

    @contextmanager
    def _of_block(self, scope: Scope) -> Iterator[Thread]:
        (nx, ny, nz), builder = self.extents, scope.builder
        with (
            turns(builder, nz, "tz", nx * ny) as (around, z),
            turns(around, ny, "ty", nx) as (row, y),
            turns(row, nx, "tx", 1) as (inner, x),
        ):
            number = IndexBuilder(inner).sum_of([(z, nx * ny), (y, nx), (x, 1)])
            yield Thread(inner, {"x": x, "y": y, "z": z}, number)

    @contextmanager
    def _of_warp(self, scope: Scope) -> Iterator[Thread]:
        nx, ny, _ = self.extents
        start = IndexBuilder(scope.builder).mul(scope.warp, self.lanes)
        with turns(scope.builder, self._lanes(scope, start), "lane", 1) as (inner, lane):
            index = IndexBuilder(inner)
            t = index.add(start, lane)
            row = index.div(t, nx)
            ids = {"x": index.mod(t, nx), "y": index.mod(row, ny), "z": index.div(row, ny)}
            yield Thread(inner, ids, t, lane, start)

    def _lanes(self, scope: Scope, start: Index) -> Index:
        """The lanes that the warp has."""
        if self.count % self.lanes == 0 or self.warps == 1:
            return min(self.count, self.lanes)
        index = IndexBuilder(scope.builder)
        left = scope.builder.insert(arith.SubiOp(index.value(self.count), index.value(start)))
        return scope.builder.insert(arith.MinSIOp(left, index.value(self.lanes))).result

    def first(self, scope: Scope) -> Index:
        """The number of the first thread of the scope's group."""
        return 0 if scope.group == BLOCK else IndexBuilder(scope.builder).mul(scope.warp, self.lanes)


@contextmanager
def turns(builder: Builder, count: Index, name: str, stride: int = 0) -> Iterator[tuple[Builder, Index]]:
    """A loop from 0 to `count`; no loop where that is 1. Of threads, `stride` is how far their numbers lie apart."""
    if count == 1:
        yield builder, 0
        return
    index = IndexBuilder(builder)
    low, high, step = (index.value(bound) for bound in (0, count, 1))
    block = Block(arg_types=[INDEX])
    block.args[0].name_hint = name
    loop = builder.insert(scf.ForOp(low, high, step, [], block))
    if stride:
        loop.attributes[THREAD] = IntegerAttr(stride, i64)
    inside = Builder(InsertPoint.at_end(block))
    yield inside, block.args[0]
    inside.insert(scf.YieldOp())
