"""The places in a kernel that access memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.ir.core.effects import ACCESSES
from tilewright.ir.core.location import source, view_of
from tilewright.ir.tile.ops import offsets
from tilewright.ir.tile.polling import waits_by
from tilewright.ir.tile.types import BufferType
from tilewright.layout.axes import MEMORY
from tilewright.targets.launch import where

_PLAIN = (
    "\n  (a loop waits by this plain load, which need not see others' writes: ask by ld.relaxed, ld.acquire or atomics)"
)

MOST_SEARCHED = 1 << 22  # coordinates that are compared with an element

# What an access of a kind does, for a message.
DOES = {"load": "reads", "store": "writes", "atomic": "changes"}


class Line(NamedTuple):
    """A line of a source file; 0 where none is known."""

    file: str = ""
    line: int = 0

    @staticmethod
    def of(op: Operation) -> Line:
        """Where the op comes from."""
        return Place.of(op).of_line


class Place(NamedTuple):
    """A column of a line of a source file; 0 where none is known."""

    file: str = ""
    line: int = 0
    column: int = 0

    @staticmethod
    def of(op: Operation) -> Place:
        """Where the op comes from."""
        at = source(op.location)
        return Place(at.filename.data, at.line.data, at.column.data) if at else Place()

    @property
    def of_line(self) -> Line:
        """Its line."""
        return Line(self.file, self.line)


@dataclass(frozen=True, eq=False)
class Site:
    """One load or store of the kernel; `root` is the value that stands for its memory, which starts at `base_bytes`.

    What a whole warp does together in a tile primitive is not `counted`: that depends on how it is lowered.
    `step_bytes` lie between elements with successive numbers, of which an access may take several; 0: `width_bytes`.
    `instruction` is its row of the bank table, where that is not the kind. What is `inside` its memory by the ranges of
    its index is not asked for that when it runs. `view` is what the op names an element of: a buffer at stage `tile`,
    of which later the location of the op tells the type.
    """

    op: Operation
    kind: str
    root: SSAValue
    buffer: str
    space: str
    width_bytes: int
    counted: bool = True
    base_bytes: int = 0
    step_bytes: int = 0
    instruction: str = ""
    inside: bool = False
    view: SSAValue | None = None

    def coordinate(self, element: int) -> str:
        """Where an element of the memory stands in a view of several dimensions: `[3, 15]`.

        Nothing where no coordinate alone has it, where the view begins is known at run time only, or it is huge.
        """
        kind = view_of(self.op.location)
        if self.view is not None and isinstance(self.view.type, BufferType):
            kind = None if offsets(self.view) else self.view.type
        if not isinstance(kind, BufferType) or len(kind.shape) < 2 or prod(kind.shape) > MOST_SEARCHED:
            return ""
        everywhere = np.indices(kind.shape).reshape(len(kind.shape), -1)
        at = np.broadcast_to(kind.layout.base(*everywhere, shape=kind.shape).get(MEMORY, 0), everywhere.shape[1:])
        found = np.flatnonzero(at == element)
        return str(everywhere[:, found[0]].tolist()) if len(found) == 1 else ""

    @property
    def does(self) -> str:
        """What the access does to an element, for a message: it `reads`, `writes` or `changes` it."""
        return DOES.get(self.kind, ACCESSES)

    @cached_property
    def where(self) -> str:
        """The op and its place in the source, and what to do where it is one by which a loop waits."""
        return f"{where(self.op)}{_PLAIN}" if waits_by(self.op) else where(self.op)
