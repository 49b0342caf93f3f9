"""What memory is known to hold: by the values that were stored, copied and loaded until then."""

from __future__ import annotations

from collections.abc import Mapping

from tilewright.figures.trace.accesses import GLOBAL, Memory, memory
from tilewright.figures.trace.model import Trace, Value

Contents = Mapping[Memory, Mapping[int, Value]]
MOST_SHOWN = 16  # characters


def contents(trace: Trace, block: int, step: int) -> Contents:
    """(memory, element) -> value after a step: global memory, and what the block shares.

    An element that an atomic changed is unknown until it is loaded: a trace tells what was given, not the result.
    """
    found: dict[Memory, dict[int, Value]] = {}
    for event in trace.events:
        if event.step > step:
            break
        if event.op.space != GLOBAL and event.block != block:
            continue
        here = found.setdefault(memory(event.op), {})
        here.update(event.moved)
        if event.element is None:
            continue
        if event.op.kind in ("load", "store"):
            here[event.element] = event.value
        elif event.op.kind.startswith("atomic"):
            here.pop(event.element, None)
    return found


def shown(value: Value) -> str:
    """A value in a few characters.

    >>> shown(0.1 + 0.2), shown(10**40)
    ('0.3', '100000000000000..')
    """
    text = "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}.."
