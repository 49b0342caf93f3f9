"""What an operation of a Triton dump asks of a buffer, whatever the buffer's layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tilewright.analysis.lowering.columns import Columns
from tilewright.analysis.lowering.cost import Cost
from tilewright.dumps.finding import Use
from tilewright.notation.triton_cover import per_block
from tilewright.notation.triton_fields import blocks_of
from tilewright.notation.ttgir_types import Tiled

# Where registers, lanes and warps lie -> the instructions and their costs, that which Triton takes first.
Ways: TypeAlias = Callable[[Columns], Iterator[tuple[str, Cost]]]


NOWHERE = Columns(())


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
        ways: what it costs, by every instruction that can do it.
        described: it goes through a descriptor, which knows the hardware's layouts only.
    """

    memory: Tiled
    columns: Columns | None
    ways: Ways
    described: bool = False

    @property
    def plain(self) -> Columns:
        """Where registers, lanes and warps lie in the plain tile; nowhere where it costs the same anywhere."""
        return self.columns or NOWHERE

    def plain_costs(self) -> list[Cost]:
        """What every instruction costs that can do it in the plain tile."""
        return [found for _, found in self.ways(self.plain)]
