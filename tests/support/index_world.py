"""A function with variables to build index expressions in, and their evaluation on plain integers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from xdsl.builder import Builder
from xdsl.dialects import arith, func, gpu, scf
from xdsl.dialects.builtin import DenseArrayBase, IndexType, IntegerAttr, i64
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.attributes import BLOCK, GRID
from tilewright.ir.core.index import KIND_OF_SIGN, IndexBuilder
from tilewright.ir.core.ranges import Index

Tree = Any  # an integer, the name of a variable, or (sign, left, right)
Environment = Mapping[str, int]


@dataclass
class World:
    """`tx` of 32 threads, `bx` of 3 blocks, `i` in range(1, 8, 3), and `n`, of which nothing is known."""

    function: func.FuncOp = field(init=False)
    builder: Builder = field(init=False)
    variables: dict[str, SSAValue] = field(init=False)

    def __post_init__(self) -> None:
        self.function = func.FuncOp("f", ([IndexType()], []))
        self.function.attributes[BLOCK] = DenseArrayBase.from_list(i64, [32, 1, 1])
        self.function.attributes[GRID] = DenseArrayBase.from_list(i64, [3, 1, 1])
        outer = Builder(InsertPoint.at_end(self.function.body.block))
        dimension = gpu.DimensionAttr(gpu.DimensionEnum.X)
        tx = outer.insert(gpu.ThreadIdOp(dimension)).result
        bx = outer.insert(gpu.BlockIdOp(dimension)).result
        bounds = [outer.insert(arith.ConstantOp(IntegerAttr(n, IndexType()))).result for n in (1, 8, 3)]
        body = Block(arg_types=[IndexType()])
        outer.insert(scf.ForOp(*bounds, [], body))
        self.builder = Builder(InsertPoint.at_end(body))
        self.variables = {"tx": tx, "bx": bx, "i": body.args[0], "n": self.function.body.block.args[0]}

    def build(self, index: IndexBuilder, tree: Tree) -> Index:
        """The tree as an index expression."""
        if isinstance(tree, int):
            return tree
        if isinstance(tree, str):
            return self.variables[tree]
        sign, left, right = tree
        return index.binary(KIND_OF_SIGN[sign], self.build(index, left), self.build(index, right))

    def environments(self) -> Iterator[dict[SSAValue, int]]:
        """Every third thread, and the values around 0 for n."""
        values = (range(0, 32, 3), range(3), range(1, 8, 3), (-33, -1, 0, 7, 64))
        for point in product(*values):
            yield dict(zip(self.variables.values(), point, strict=True))


def value_of(tree: Tree, environment: Environment) -> int:
    """What the tree means in Python."""
    if isinstance(tree, int):
        return tree
    if isinstance(tree, str):
        return environment[tree]
    sign, left, right = tree
    return KIND_OF_SIGN[sign].meaning(value_of(left, environment), value_of(right, environment))


def run(index: Index, environment: Mapping[SSAValue, int]) -> int:
    """What the IR computes; unsigned ops insist on natural operands."""
    if isinstance(index, int):
        return index
    if index in environment:
        return environment[index]
    op = index.owner
    assert isinstance(op, Operation)
    if isinstance(op, arith.ConstantOp):
        assert isinstance(op.value, IntegerAttr)
        return op.value.value.data
    operands = [run(operand, environment) for operand in op.operands]
    if isinstance(op, arith.DivUIOp | arith.RemUIOp | arith.ShRUIOp):
        assert min(operands) >= 0
    return MEANINGS[type(op)](*operands)


MEANINGS: dict[type[Operation], Callable[[int, int], int]] = {
    **{kind.op: kind.meaning for kind in KIND_OF_SIGN.values()},
    arith.FloorDivSIOp: lambda a, b: a // b,
    arith.ShRSIOp: lambda a, b: a >> b,
}
