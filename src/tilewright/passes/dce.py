"""`dce`: what nobody uses goes; assertions stay."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tilewright.ir.core.dead import remove_dead


@dataclass(frozen=True)
class Dce(ModulePass):
    """Removes dead ops, users before what they use."""

    name = "dce"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        """Changes the module in place."""
        remove_dead(op)
