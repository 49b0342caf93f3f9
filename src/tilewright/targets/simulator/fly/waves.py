"""What the lanes of a wave tell each other by `rocdl`: values of one lane, permutes, votes; who is not there is off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.core.element_types import element_dtype
from tilewright.targets.simulator.fly.elements import given
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.ops.atoms import real
from tilewright.targets.simulator.order.clocks import Flags
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

# Of values and active lanes (.., lane), what each lane gets.
Told: TypeAlias = Callable[[Flags, Array], Array]
ToldBy: TypeAlias = Callable[[Flags, Array, Array], Array]


def _first(active: Flags, value: Array) -> Array:
    """What the first active lane has."""
    at = active.argmax(axis=-1)[..., None]
    return np.broadcast_to(np.take_along_axis(value, at, axis=-1), value.shape)


def _ballot(active: Flags, value: Array) -> Array:
    """A bit for each active lane that holds."""
    bits = np.uint64(1) << np.arange(value.shape[-1], dtype=np.uint64)
    found = np.where(active & value.astype(bool), bits, np.uint64(0)).sum(axis=-1, dtype=np.uint64)
    return np.broadcast_to(found[..., None].view(np.int64), value.shape)


def _lane(_active: Flags, value: Array, lane: Array) -> Array:
    """What a lane has, on or off; all name the first one's."""
    return np.take_along_axis(value, lane[..., :1] % value.shape[-1] + np.zeros_like(lane), axis=-1)


def _permuted(active: Flags, index: Array, value: Array) -> Array:
    """What the lane has whose number is a fourth of the index; 0 of one that is off."""
    at = index // 4 % value.shape[-1]
    return np.take_along_axis(np.where(active, value, np.zeros((), value.dtype)), at, axis=-1)


def _handler(function: Told | ToldBy) -> Handler:
    def handle(compiler: Compiler, op: Operation) -> Step:
        slots, result = list(map(compiler.slot, op.operands)), compiler.slot(op.results[0])
        kind = element_dtype(op.results[0].type).numpy()

        def step(frame: Frame) -> None:
            lanes = real(frame)
            lanes.hand_over(frame.mask)
            clocks = lanes.machine.clocks
            shape = (lanes.shape[0], clocks.warps * clocks.lanes)

            def whole(value: Array) -> Array:
                full = np.zeros(shape, value.dtype)
                full[:, lanes.threads] = np.broadcast_to(value, lanes.shape)
                return full.reshape(shape[0], clocks.warps, clocks.lanes)

            active = whole(np.asarray(True if frame.mask is None else frame.mask))
            values = (whole(np.asarray(given(frame, op, frame.values[slot]))) for slot in slots)
            found = np.asarray(function(active, *values)).reshape(shape)[:, lanes.threads]
            frame.values[result] = found.astype(kind, copy=False)

        return step

    return handle


WAVE_HANDLERS: Mapping[str, Handler] = MappingProxyType(
    {
        "rocdl.readfirstlane": _handler(_first),
        "rocdl.ballot": _handler(_ballot),
        "rocdl.readlane": _handler(_lane),
        "rocdl.ds_bpermute": _handler(_permuted),
    }
)
