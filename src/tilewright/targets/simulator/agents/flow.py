"""Kernels that can wait, as a list of instructions: between them lanes part, wait, and are resumed.

What cannot wait stays one step. A branch or a loop around something that waits becomes jumps, so that lanes which wait
at different places are resumed each at its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from xdsl.ir import Operation

from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.program import Frame, Step


class Waiting(Protocol):
    """What lanes wait for."""

    def ready(self, frame: Frame) -> Array | None:
        """Which lanes of (blocks, threads) may go on; None: all."""

    def over(self, frame: Frame) -> None:
        """These lanes go on, and know what they have waited for."""

    def reason(self, frame: Frame) -> str:
        """What is missing, for a person."""


@dataclass(frozen=True, eq=False)
class Run:
    """Steps that all lanes take together."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class Branch:
    """Lanes whose condition, in this slot, does not hold go on elsewhere."""

    condition: int
    otherwise: int


@dataclass(frozen=True, eq=False)
class Jump:
    """All lanes go on elsewhere: back to the head of the loop `op`, after so much work, or on behind a branch.

    `polls`: the loop asks for what other lanes do, so that they have their turn before it goes on. `counter`: the slot
    of what a loop counts.
    """

    op: Operation
    target: int
    work: int = 1
    polls: bool = False
    counter: int | None = None


@dataclass(frozen=True, eq=False)
class Meet:
    """Lanes come to where they may have to wait; None where they need not.

    `number`: the slot of what they come to, where the program tells it; lanes that name another go by themselves.
    `before`: they only gather here; what the op does comes with the next instruction.
    """

    op: Operation
    come: Callable[[Frame], Waiting | None]
    number: int | None = None
    before: bool = False

    def alike(self, frame: Frame) -> Array | None:
        """Those who come to the same as the first of them; None where all do."""
        if self.number is None:
            return None
        numbers = np.asarray(frame.number(self.number))
        same: Array = numbers == numbers.reshape(-1)[0]
        return None if same.all() else same


Instruction: TypeAlias = Run | Branch | Jump | Meet
