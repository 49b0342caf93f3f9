"""`Trace`: what chosen lanes did, as an object, as text, and as JSON that others replay (docs/trace.md)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import isfinite
from typing import NamedTuple, TypeAlias

from tilewright.ir.core.location import text_of
from tilewright.targets.launch import Launch
from tilewright.targets.simulator.observers.selection import KEYS, Selection

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

Plain: TypeAlias = bool | int | float | complex | str

SCHEMA, VERSION = "tilewright.trace", 2
SHOWN = 200  # rows of the text
COLUMNS: tuple[str, ...] = ("step", "line", "block", "thread", "op", "buffer", "element", "address", "value")


@dataclass(frozen=True)
class TracedOp:
    """An op of a trace: `width_bytes` is that of an element, `base_bytes` where its memory begins in the block's."""

    kind: str
    text: str
    file: str = ""
    line: int = 0
    column: int = 0
    buffer: str = ""
    space: str = ""
    width_bytes: int = 0
    base_bytes: int = 0


class Event(NamedTuple):
    """One lane executes one op. Lanes that do so together have one step; `element` counts the memory's, flat.

    `bytes` is how much a copy copies, `moved` each element that it has written when it is done, with its value.
    """

    step: int
    op: TracedOp
    block: int
    thread: int
    coordinate: tuple[int, ...] = ()
    element: int | None = None
    value: Plain | None = None
    bytes: int | None = None
    moved: tuple[tuple[int, Plain], ...] = ()

    @property
    def address(self) -> int | None:
        """The byte where the element begins: in its array, or where it is of a pool, in that."""
        return None if self.element is None else self.op.base_bytes + self.element * self.op.width_bytes


class Fault(NamedTuple):
    """What ended the run: `race`, `uninitialised`, `out of bounds`, `barrier`, `alignment` or `undefined`; the message.

    The accesses that it is about, where they are known, are the events of `step`; else that is the last step before it.
    """

    kind: str
    text: str
    step: int


@dataclass(frozen=True)
class Trace:
    """What the selected lanes did, in order; `lanes` are those of a warp.

    `truncated`: there was more than fits; `interrupted`: the run did not end; `fault`: what the simulator refused.
    """

    kernel: str
    launch: Launch
    lanes: int
    selection: Selection
    events: tuple[Event, ...]
    truncated: bool = False
    interrupted: bool = False
    fault: Fault | None = None

    @property
    def ops(self) -> tuple[TracedOp, ...]:
        """The ops of the events, each once, in the order in which they first come."""
        return tuple({id(event.op): event.op for event in self.events}.values())

    def as_dict(self) -> dict[str, Json]:
        """What `json` writes."""
        numbers = {id(op): number for number, op in enumerate(self.ops)}
        selection = {key: getattr(self.selection, key) for key in KEYS}
        return {
            "schema": SCHEMA,
            "version": VERSION,
            "kernel": self.kernel,
            "grid": list(self.launch.grid),
            "block": list(self.launch.block),
            "lanes": self.lanes,
            "select": {key: list(chosen) for key, chosen in selection.items() if chosen is not None},
            "truncated": self.truncated,
            "interrupted": self.interrupted,
            "fault": None if self.fault is None else self.fault._asdict(),
            "ops": [_op(op) for op in self.ops],
            "events": [_event(event, numbers[id(event.op)], self.lanes) for event in self.events],
        }

    def json(self) -> str:
        """The trace as JSON, see docs/trace.md."""
        return json.dumps(self.as_dict(), allow_nan=False) + "\n"

    def __str__(self) -> str:
        rows: list[tuple[str, ...]] = [
            ("step", "line", "block", "thread", "op", "buffer", "element", "address", "value")
        ]
        rows += [_row(event) for event in self.events[:SHOWN]]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        more = len(self.events) - SHOWN
        ended = [] if self.fault is None else [f"{self.fault.kind}: {self.fault.text}"]
        return "\n".join([*lines, *[f".. and {more} more; the JSON has all"] * (more > 0), *ended])


def _op(op: TracedOp) -> dict[str, Json]:
    found: dict[str, Json] = {"kind": op.kind, "text": op.text, "file": op.file, "line": op.line, "column": op.column}
    if written := text_of(op.file, op.line).strip():
        found["source"] = written
    if op.buffer:
        found |= {
            "buffer": op.buffer,
            "space": op.space,
            "width_bytes": op.width_bytes,
            "base_bytes": op.base_bytes,
        }
    return found


def _event(event: Event, op: int, lanes: int) -> dict[str, Json]:
    found: dict[str, Json] = {
        "step": event.step,
        "op": op,
        "block": event.block,
        "thread": event.thread,
        "warp": event.thread // lanes,
        "lane": event.thread % lanes,
    }
    if event.coordinate:
        found["coordinate"] = list(event.coordinate)
    if event.element is not None:
        found |= {"element": event.element, "address": event.address}
    if event.value is not None:
        found["value"] = _value(event.value)
    if event.bytes is not None:
        found["bytes"] = event.bytes
    if event.moved:
        found["elements"] = [element for element, _ in event.moved]
        found["values"] = [_value(value) for _, value in event.moved]
    return found


def _value(value: Plain) -> Json:
    """Numbers that JSON does not have are texts."""
    if isinstance(value, complex):
        return str(value)
    return str(value) if isinstance(value, float) and not isfinite(value) else value


def _row(event: Event) -> tuple[str, ...]:
    op = event.op
    at = f"[{', '.join(map(str, event.coordinate))}]" if event.coordinate else event.element
    value = event.value if event.bytes is None else f"{event.bytes} bytes"
    cells = (event.step, op.line or "", event.block, event.thread, op.kind, op.buffer, at, event.address, value)
    return tuple("" if cell is None else f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in cells)
