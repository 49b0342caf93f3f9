"""`contract`: a multiplication and the addition of its result become one `math.fma`, which rounds once."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.builder import Builder
from xdsl.context import Context
from xdsl.dialects import arith, math
from xdsl.dialects.builtin import Float32Type, Float64Type, ModuleOp
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tilewright.ir.core.rewrite import erase
from tilewright.ir.core.walk import operations


@dataclass(frozen=True)
class Contract(ModulePass):
    """a * b + c, a * b - c and c - a * b of f32 and f64 become `math.fma`, where both ops allow it.

    They allow it by the flag `contract` (or `fast`): `arith.mulf %a, %b fastmath<contract> : f32`. The product must
    have no other use. Of two products that are added, the left one is taken in.
    No compiler is ever left to do so: CUDA, the host and the simulator execute what is written, so that one text has
    one result on all of them.

    Attributes:
        all: ops without the flag too.
    """

    name = "contract"
    all: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        for inner in operations(op):
            if isinstance(inner, arith.AddfOp | arith.SubfOp) and self._allows(inner):
                self._sum(inner)

    def _allows(self, op: arith.AddfOp | arith.SubfOp | arith.MulfOp) -> bool:
        flags = op.fastmath.data
        real = isinstance(op.result.type, Float32Type | Float64Type)
        return real and (self.all or FastMathFlag.ALLOW_CONTRACT in flags)

    def _product(self, value: SSAValue) -> arith.MulfOp | None:
        made = value.owner
        once = isinstance(made, arith.MulfOp) and value.has_one_use() and self._allows(made)
        return made if once and isinstance(made, arith.MulfOp) else None

    def _sum(self, op: arith.AddfOp | arith.SubfOp) -> None:
        left, right = self._product(op.lhs), self._product(op.rhs)
        product, other = (left, op.rhs) if left is not None else (right, op.lhs)
        if product is None:
            return
        builder = Builder(InsertPoint.before(op))
        factor, added = product.lhs, other
        if isinstance(op, arith.SubfOp) and product is left:
            added = builder.insert(arith.NegfOp(added)).result
        elif isinstance(op, arith.SubfOp):
            factor = builder.insert(arith.NegfOp(factor)).result
        made = builder.insert(math.FmaOp(factor, product.rhs, added))
        made.location, made.result.name_hint = op.location, op.result.name_hint
        op.result.replace_all_uses_with(made.result)
        erase(op)
        erase(product)
