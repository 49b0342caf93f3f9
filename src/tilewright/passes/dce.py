"""`dce`: what nobody uses goes; assertions stay, and by `faults=false` whatever may be an error."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tilewright.ir.core.dead import remove_dead


@dataclass(frozen=True)
class Dce(ModulePass):
    """Removes dead ops, users before what they use; without `faults` none that may be an error where it is executed.

    What stays then are accesses of memory, and quotients and shifts whose operands no constant shows to be right.
    """

    name = "dce"
    faults: bool = True

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        remove_dead(op, self.faults)
