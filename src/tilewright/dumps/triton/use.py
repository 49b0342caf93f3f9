"""What an operation of a Triton dump asks of a buffer, whatever the buffer's layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from tilewright.analysis.lowering.columns import Columns
from tilewright.analysis.lowering.cost import Cost
from tilewright.dumps.finding import Use
from tilewright.notation.triton_cover import per_block
from tilewright.notation.triton_fields import blocks_of
from tilewright.notation.ttgir_types import Tiled

# Where registers, lanes and warps lie -> the instruction that Triton takes, and its cost.
Count: TypeAlias = Callable[[Columns], tuple[str, Cost]]


@dataclass(frozen=True, slots=True)
class Plain:
    """A tile without any swizzle: what one block holds of it, the contiguous dimension first; bits of an element."""

    extents: tuple[int, ...]
    bits: int


def plain_of(memory: Tiled) -> Plain:
    """The tile that a view is cut from, or is."""
    own = extents_of(memory)
    return Plain(tuple(own[d] for d in memory.order), memory.bits)


def extents_of(memory: Tiled) -> tuple[int, ...]:
    """The extents of the allocation in the memory of one block, in the order of the type's dimensions."""
    whole = memory.whole[-len(memory.shape) :]
    return tuple(per_block(blocks_of(memory.attribute, len(whole)), whole))


@dataclass(frozen=True, eq=False, slots=True)
class TritonUse(Use):
    """An access.

    Attributes:
        memory: the view that it goes through.
        columns: where registers, lanes and warps lie in the plain tile; None for an access that costs the same
            wherever it goes.
        count: what it costs.
        described: it goes through a descriptor, which knows the hardware's layouts only.
    """

    memory: Tiled
    columns: Columns | None
    count: Count
    described: bool = False

    def under(self, moved: Callable[[int], int]) -> tuple[str, Cost]:
        """Its instruction and cost where a plain offset goes to another one, linearly in its bits."""
        table = self.columns.table if self.columns else ()
        return self.count(Columns(tuple([(bit, moved(image)) for bit, image in table])))
