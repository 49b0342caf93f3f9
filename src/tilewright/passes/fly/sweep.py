"""Walking over a module's ops of fly, each in its place, with what has been emitted where it can be seen from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from tilewright.ir.core.rewrite import erase
from tilewright.ir.core.walk import ops_of
from tilewright.ir.fly.ops import FlyOp, is_fly
from tilewright.passes.fly.emission import Seen

# Emits what stands for an op, in its place; True if the op has no place any more.
Visit: TypeAlias = Callable[[FlyOp, Seen], bool]


def sweep(module: ModuleOp, visit: Visit) -> None:
    """Visits every op of fly, in the order of the text."""
    _block(module.body.block, Seen(), visit)


def _block(block: Block, seen: Seen, visit: Visit) -> None:
    gone: list[Operation] = []
    for op in ops_of(block):
        for region in op.regions:
            for inner in region.blocks:
                _block(inner, Seen(seen), visit)
        if is_fly(op) and visit(op, seen):
            gone.append(op)
    for op in reversed(gone):
        erase(op)
