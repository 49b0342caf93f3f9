"""All ops of a module as a list: passes go over them many times, and xDSL's `walk` asks three generators for each."""

from __future__ import annotations

from xdsl.ir import Block, Operation


def operations(op: Operation) -> list[Operation]:
    """The op and all ops within it, in the order of the text, as they stand now."""
    found = [op]
    for region in op.regions:
        for block in region.blocks:
            for inner in ops_of(block):
                if inner.regions:
                    found += operations(inner)
                else:
                    found.append(inner)
    return found


def ops_of(block: Block) -> list[Operation]:
    """The ops of a block, as they stand now; `list(block.ops)` goes through them twice, as it asks for their number."""
    found, op = list[Operation](), block.first_op
    while op is not None:
        found.append(op)
        op = op._next_op  # a property would be asked for every op of every walk
    return found
