"""JSON to a `Trace`: others may have written it, so every value is checked, and an error names the place."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from typing import TypeVar

from tilewright.errors import UsageError
from tilewright.figures.plain import Reader, below, optional, text, truth
from tilewright.figures.trace.model import Event, Fault, Op, Trace, Value

SCHEMA, VERSIONS = "tilewright.trace", (1, 2)
MOST_BYTES = 1 << 24
MOST_EVENTS = 1_000_000
MOST = 1 << 40  # of any number that counts
MOST_THREADS = 1024
MOST_TEXT = 1 << 16  # characters
MOST_WIDTH = 1024  # bytes of an element
FLAGS = ("truncated", "interrupted")
TEXTS = ("kind", "text", "file", "source", "buffer", "space")

T = TypeVar("T")
count = below(MOST)


def read(data: str | bytes) -> Trace:
    """The trace that a JSON text stands for.

    Raises:
        UsageError: more than 16 MiB or a million events, no JSON, or a value that is not as docs/trace.md says.

    >>> read('{"schema": "tilewright.trace", "version": 3}')
    Traceback (most recent call last):
    tilewright.errors.UsageError: trace.version must be 1 or 2, got 3
    """
    if len(data) > MOST_BYTES:
        raise UsageError(f"a trace of {len(data)} bytes is too long, the limit is {MOST_BYTES}: trace fewer lanes")
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise UsageError("a trace is JSON text in UTF-8, as `tilewright run --trace-json` writes it") from None
    return _trace(Reader(found, "trace"))


def _trace(root: Reader) -> Trace:
    schema, version = root.field("schema"), root.field("version")
    if schema.value != SCHEMA:
        raise schema.wrong(repr(SCHEMA))
    if type(version.value) is not int or version.value not in VERSIONS:
        raise version.wrong("1 or 2")
    grid, block = _extents(root.field("grid")), _extents(root.field("block"))
    if prod(block) > MOST_THREADS:
        raise root.field("block").wrong(f"of at most {MOST_THREADS} threads")
    lanes = root.field("lanes").read(below(129))
    if not lanes:
        raise root.field("lanes").wrong("the lanes of a warp")
    ops = tuple(map(_op, root.field("ops").items()))
    events = _events(root, ops, prod(grid), prod(block))
    truncated, interrupted = (root.field(name).read(_flag) for name in FLAGS)
    kernel, fault = root.field("kernel").read(_text), _fault(root.field("fault"))
    return Trace(kernel, prod(grid), prod(block), lanes, events, truncated, interrupted, fault)


def _fault(data: Reader) -> Fault | None:
    if data.value is None:
        return None
    kind, said = (data.field(name).read(_text) for name in ("kind", "text"))
    return Fault(kind, said, data.field("step").read(count))


def _extents(data: Reader) -> tuple[int, ...]:
    found = data.all(below(1 << 31))
    if len(found) != 3 or not all(found):
        raise data.wrong("three extents")
    return found


def _text(value: object) -> str:
    found = text(value)
    if len(found) > MOST_TEXT:
        raise TypeError(f"a text of at most {MOST_TEXT} characters")
    return found


def _flag(value: object) -> bool:
    return value is not None and truth(value)


def _op(data: Reader) -> Op:
    kind, body, file, source, buffer, space = (data.field(name).read(_text) for name in TEXTS)
    line, width, base = (data.field(name).read(_count) for name in ("line", "width_bytes", "base_bytes"))
    if not kind:
        raise data.field("kind").wrong("what the op does")
    if buffer and not 1 <= width <= MOST_WIDTH:
        raise data.field("width_bytes").wrong(f"from 1 to {MOST_WIDTH}, the bytes of an element")
    return Op(kind, body, file, line, source, buffer, space, width, base)


def _events(root: Reader, ops: Sequence[Op], blocks: int, threads: int) -> tuple[Event, ...]:
    data = root.field("events")
    if len(data.values()) > MOST_EVENTS:
        raise UsageError(f"{len(data.values())} events are too many, the limit is {MOST_EVENTS}: trace fewer lanes")
    block, thread, op = below(blocks), below(threads), below(max(1, len(ops)))

    def event(value: object) -> Event:
        if not isinstance(value, dict):
            raise TypeError("an object")
        one = ops[_named(value, "op", op)] if ops else None
        if one is None:
            raise TypeError("an event of one of the ops, of which there is none")
        who = _named(value, "block", block), _named(value, "thread", thread)
        moved = zip(_named(value, "elements", _counts), _named(value, "values", _values), strict=False)
        return Event(
            _named(value, "step", count),
            one,
            *who,
            _named(value, "coordinate", _counts),
            _named(value, "element", optional(count)),
            _named(value, "address", optional(count)),
            _named(value, "value", _value),
            _named(value, "bytes", optional(count)),
            tuple(moved),
        )

    events = data.all(event)
    late = next((i for i, (one, after) in enumerate(pairwise(events), 1) if after.step < one.step), None)
    if late is not None:
        raise data.items()[late].field("step").wrong(f"at least {events[late - 1].step}, the step before")
    return events


def _named(value: dict[str, object], name: str, kind: Callable[[object], T]) -> T:
    """A field of an event; what is wrong with it is told by its name."""
    try:
        return kind(value.get(name))
    except TypeError as error:
        raise TypeError(f"an event whose {name} is {error}") from None


def _counts(value: object) -> tuple[int, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise TypeError("a list")
    return tuple(map(count, value))


def _values(value: object) -> tuple[Value, ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise TypeError("a list")
    return tuple(map(_value, value))


def _value(value: object) -> Value:
    if isinstance(value, str):
        return text(value)
    if value is not None and not isinstance(value, int | float):
        raise TypeError("a number, or a text that stands for one")
    return value


def _count(value: object) -> int:
    """A number that counts; 0 where it is left out."""
    return 0 if value is None else count(value)
