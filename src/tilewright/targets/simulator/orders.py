"""Loops of which one order of the lanes shows too little: they wait for a count that several change.

In lockstep all who count have counted when somebody asks, so that a loop which waits for fewer than come looks right.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects import scf
from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from tilewright.ir.core.walk import only, operations
from tilewright.ir.tile.atomic_vectors import AtomicVectorOp
from tilewright.ir.tile.ops import AtomicOp, root
from tilewright.ir.tile.ordered import AtomicCasOp, AtomicLoadOp
from tilewright.ir.tile.polling import polls
from tilewright.targets.launch import where
from tilewright.targets.simulator.notes import Note
from tilewright.targets.simulator.sites import Place

_TEXT = 'lanes wait here for a count that others change, of which one order was run; schedule="random" runs others'


def waits_for_counts(func: FuncOp) -> tuple[Note, ...]:
    """The loops of a kernel that ask for elements which it changes by what is there, such as sums."""
    ops = operations(func)
    counts = {memory for op in only(ops, AtomicOp, AtomicVectorOp) for memory in _memories(op)}
    loops = filter(polls, only(ops, scf.WhileOp))
    found = [loop for loop in loops if any(not counts.isdisjoint(_memories(op)) for op in loop.walk())]
    return tuple(Note(*Place.of(loop), _TEXT, f"{_TEXT}\n{where(loop)}") for loop in found)


def _memories(op: Operation) -> Iterator[SSAValue]:
    """The memory that an atomic access reads."""
    if isinstance(op, AtomicOp):
        yield root(op.memory)
    elif isinstance(op, AtomicLoadOp | AtomicCasOp | AtomicVectorOp):
        yield root(op.place[0])
