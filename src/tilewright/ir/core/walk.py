"""All ops of a module as a list: passes go over them many times, and xDSL's `walk` asks three generators for each."""

from __future__ import annotations

from xdsl.ir import Operation


def operations(op: Operation) -> list[Operation]:
    """The op and all ops within it, in the order of the text, as they stand now."""
    found = [op]
    for region in op.regions:
        for block in region.blocks:
            inner = block.first_op
            while inner is not None:
                if inner.regions:
                    found += operations(inner)
                else:
                    found.append(inner)
                inner = inner.next_op
    return found
