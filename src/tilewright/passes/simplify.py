"""`simplify`: index arithmetic by the rules of `ir.core.index`, and powers of two by bits."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.index import AND, DIV, KIND_OF_OP, MOD, SHR, IndexBuilder
from tilewright.ir.core.ranges import Index, Ranges, constant_of
from tilewright.ir.core.rewrite import replace
from tilewright.ir.core.walk import operations


@dataclass(frozen=True)
class Simplify(ModulePass):
    """Folds every index that a rule folds; x % 2^n becomes x & (2^n - 1), x // 2^n becomes x >> n."""

    name = "simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        ranges = Ranges()
        for inner in operations(op):
            if type(inner) in KIND_OF_OP and isinstance(inner.results[0].type, IndexType):
                index = IndexBuilder(Builder(InsertPoint.before(inner)), ranges)
                found = _simpler(index, inner)
                if found is not None:
                    replace(inner, index.value(found))


def _simpler(index: IndexBuilder, op: Operation) -> Index | None:
    kind, (x, y) = KIND_OF_OP[type(op)], op.operands
    if kind in (DIV, MOD, SHR) and not (index.ranges.natural(x) and index.ranges.natural(y)):
        return None
    folded = index.fold(kind, x, y)
    return _by_bits(index, op, x, constant_of(y)) if folded is None else folded


def _by_bits(index: IndexBuilder, op: Operation, x: SSAValue, c: int | None) -> Index | None:
    kind = KIND_OF_OP[type(op)]
    if c is None or c < 1 or c & (c - 1) or kind not in (DIV, MOD):
        return None
    return index.binary(AND, x, c - 1) if kind is MOD else index.binary(SHR, x, c.bit_length() - 1)
