"""`dce`: what nobody uses goes; assertions stay."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from tilewright.ir.core.dead import remove_dead
from tilewright.passes.context import Context


def dce(module: ModuleOp, context: Context) -> None:
    """Removes dead ops, users before what they use."""
    remove_dead(module)
