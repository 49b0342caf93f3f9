"""The registers in which others than their lanes work, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation

from tilewright.ir.core.walk import of_kinds
from tilewright.ir.tile.atoms import AtomOp
from tilewright.ir.tile.ops import root
from tilewright.targets.simulator.memory.guards import Guard
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.program import Compiler, Frame


def guarded(compiler: Compiler, op: Operation, kind: type[AtomOp]) -> list[int]:
    """The slots of the registers that ops of that kind in the op's kernel work in."""
    top = op
    while (above := top.parent_op()) is not None and not isinstance(top, FuncOp):
        top = above
    places = (place for inner in of_kinds(top, kind) for place in inner.places)
    return [compiler.slot(memory) for memory in dict.fromkeys(root(place.memory) for place in places)]


def guards(frame: Frame, slots: Sequence[int]) -> Iterator[Guard]:
    """What is known of those that there are by now."""
    for slot in slots:
        held = frame.values[slot]
        if isinstance(held, Registers) and held.guard is not None:
            yield held.guard
