"""The launch: how many blocks and threads, and which of them runs."""

from __future__ import annotations

from collections.abc import Callable

from xdsl.ir import SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.attributes import BLOCK, GRID
from tilewright.ir.core.dependence import WARP
from tilewright.lang.rows import Function
from tilewright.lang.tracer import Tracer
from tilewright.lang.values import Value, int_tuple, show


def _device_entry(t: Tracer) -> None:
    return None


def _cta_id(t: Tracer, extents: Value) -> Value:
    return _ids(t, extents, GRID, t.block)


def _thread_id(t: Tracer, extents: Value) -> Value:
    return _ids(t, extents, BLOCK, t.thread)


def _ids(t: Tracer, extents: Value, attribute: str, make: Callable[[str], SSAValue]) -> Value:
    counts = int_tuple(extents, "a launch extent")
    if not 1 <= len(counts) <= 3 or min(counts) < 1:
        raise KernelError(f"a launch has one to three extents of at least 1, got {list(counts)}")
    t.launch(attribute, counts)
    made = tuple(make(axis) for axis in "xyz"[: len(counts)])
    return made[0] if len(made) == 1 else made


def _warp_id(t: Tracer, extents: Value) -> Value:
    count, *more = int_tuple(extents, "the number of warps") or (0,)
    if more or count < 1:
        raise KernelError(f"T.warp_id takes one extent of at least 1, got {show(extents)}")
    t.launch(BLOCK, (count * WARP,))
    return t.index.div(t.thread("x"), WARP)


def _lane_id(t: Tracer, extents: Value = (WARP,)) -> Value:
    if int_tuple(extents, "the number of lanes") != (WARP,):
        raise KernelError(f"a warp has {WARP} lanes, got {show(extents)}")
    return t.index.mod(t.thread("x"), WARP)


LAUNCH = (
    Function("device_entry", _device_entry, "What follows runs on the device."),
    Function("cta_id", _cta_id, "The block's coordinate in the grid of these extents."),
    Function("thread_id", _thread_id, "The thread's coordinate in its block of these extents."),
    Function("warp_id", _warp_id, "The warp's number in its block of so many warps."),
    Function("lane_id", _lane_id, "The thread's number in its warp."),
)
