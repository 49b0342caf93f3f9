"""`fly-layout-lowering`: ops on layouts, coordinates, int tuples and views become integer arithmetic.

Every op's result is worked out by the rule that inferred its type (`ir.fly.worked`), on the integers that its operands
hold; what an op that stays needs of it is emitted in its place, by the fewest operations (`ir.core.formula`). What the
rule had to assume is asserted there.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tilewright.errors import CompileError, LayoutError
from tilewright.ir.core.dead import remove_dead
from tilewright.ir.core.location import place
from tilewright.ir.core.walk import operations
from tilewright.ir.fly.ops import FlyOp, is_fly
from tilewright.passes.fly.emission import Emission, Seen
from tilewright.passes.fly.expand import Expand
from tilewright.passes.fly.index_casts import fold_round_trips
from tilewright.passes.fly.lowered import rule_of
from tilewright.passes.fly.sweep import sweep
from tilewright.passes.fly.worked_out import Function


@dataclass(frozen=True)
class LayoutLowering(ModulePass):
    """Leaves of fly's ops on layouts those alone that build what other ops take.

    Raises:
        CompileError: an op is not defined for the values that it is given.
    """

    name = "fly-layout-lowering"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        speaks_fly = any(map(is_fly, operations(op)))
        if speaks_fly:
            Expand().apply(ctx, op)
        changed = remove_dead(op) or speaks_fly
        if speaks_fly:
            function = Function(lambda user: rule_of(user) is not None)
            sweep(op, lambda inner, seen: _lowered(inner, function, seen))
        if fold_round_trips(op) or changed:
            remove_dead(op)


def _lowered(op: FlyOp, function: Function, seen: Seen) -> bool:
    rule = rule_of(op)
    try:
        return rule is not None and rule(op, function, Emission(op, function.roots, seen))
    except LayoutError as error:
        raise CompileError(f"'{op.name}' op: {error}\n{place(op)}".rstrip()) from error
