"""A trace as it is read: ops, events, and the moments of a block, each of the events that share a step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

Value = int | float | str | None  # texts stand for numbers that JSON does not have


class Op(NamedTuple):
    """An op of the kernel, with its place in the source and the memory that it accesses, if it does."""

    kind: str
    text: str
    file: str = ""
    line: int = 0
    source: str = ""
    buffer: str = ""
    space: str = ""
    width_bytes: int = 0
    base_bytes: int = 0


class Event(NamedTuple):
    """One lane executes one op; `moved` are the elements that a copy has written, with their values."""

    step: int
    op: Op
    block: int
    thread: int
    coordinate: tuple[int, ...] = ()
    element: int | None = None
    address: int | None = None
    value: Value = None
    bytes: int | None = None
    moved: tuple[tuple[int, Value], ...] = ()


class Moment(NamedTuple):
    """What lanes of one block do at one step."""

    step: int
    events: tuple[Event, ...]

    @property
    def ops(self) -> tuple[Op, ...]:
        """The ops that they execute, each once."""
        return tuple(dict.fromkeys(event.op for event in self.events))

    @property
    def threads(self) -> tuple[int, ...]:
        """Who acts, ascending."""
        return tuple(sorted({event.thread for event in self.events}))


class Fault(NamedTuple):
    """What ended the run: a race or the like, its message; the step of the accesses, if known, else the last before."""

    kind: str
    text: str
    step: int


@dataclass(frozen=True, slots=True)
class Trace:
    """What lanes of a kernel did, in order; `lanes` are those of a warp, `threads` those of a block."""

    kernel: str
    blocks: int
    threads: int
    lanes: int
    events: tuple[Event, ...]
    truncated: bool = False
    interrupted: bool = False
    fault: Fault | None = None

    def moments(self, block: int, warps: Iterable[int] = ()) -> tuple[Moment, ...]:
        """The steps of a block, in order; of the warps named, or of all."""
        chosen, lanes = frozenset(warps), self.lanes
        own = (
            event for event in self.events if event.block == block and (not chosen or event.thread // lanes in chosen)
        )
        return tuple(Moment(step, tuple(events)) for step, events in groupby(own, key=lambda event: event.step))
