"""What a `for` runs over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.ranges import Index
from tilewright.lang.expressions import is_element
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, is_constant, is_index, show


class Loop(NamedTuple):
    """The (start, stop, step) of each variable of a `for`, and whether it is to be written out."""

    ranges: list[tuple[Index, Index, Index]]
    unroll: bool = False


def serial(t: Tracer, start: Value, stop: Value = None, step: Value = 1) -> Loop:
    """One iteration after another."""
    lower, upper = (_bound(t, value) for value in ((0, start) if stop is None else (start, stop)))
    if not (is_index(lower) and is_index(upper)):
        raise KernelError(f"loop bounds are integers, got {show(lower)} and {show(upper)}")
    if type(step) is not int or step < 1:
        raise KernelError(f"a loop's step is a constant of at least 1, got {show(step)}")
    return Loop([(lower, upper, step)])


def _bound(t: Tracer, value: Value) -> Value:
    """An integer element as an index; anything else as it is."""
    if is_element(value) and element_dtype(value.type).is_integer:
        return t.elements.as_index(value)
    return value


def unroll(t: Tracer, start: Value, stop: Value = None, step: Value = 1) -> Loop:
    """As `serial`, with constant bounds; the emitted text has each iteration by itself."""
    loop = serial(t, start, stop, step)
    if not all(map(is_constant, loop.ranges[0])):
        raise KernelError("T.unroll needs constant bounds; T.serial takes run-time ones")
    return Loop(loop.ranges, unroll=True)


def grid(t: Tracer, *extents: Value) -> Loop:
    """Loops within each other, the last variable fastest."""
    return Loop([serial(t, extent).ranges[0] for extent in extents])


_LOOPS: Mapping[str, tuple[Callable[..., Loop], str]] = {
    "serial": (serial, "A `for` runs one iteration after another; `range` is the same."),
    "unroll": (unroll, "The same with constant bounds; CUDA text has each iteration by itself."),
    "vectorized": (unroll, "The same; neighbours are one access by A.vload and A.vstore."),
    "parallel": (serial, "As T.serial: the threads are those of the launch."),
    "grid": (grid, "Loops within each other, `for i, j in T.grid(4, 8)`, the last variable fastest."),
}
LOOP_ROWS = tuple(Function(name, build, summary) for name, (build, summary) in _LOOPS.items())
LOOPS: Mapping[str, Callable[..., Loop]] = {"range": serial, **{name: build for name, (build, _) in _LOOPS.items()}}
