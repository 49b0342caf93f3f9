"""Handlers of what the lanes of a warp do together: shuffles and votes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray
from xdsl.ir import Operation

from tilewright.errors import SimulationError
from tilewright.ir.tile.together import RegistersOp, RequireOp, ShuffleOp, SleepOp, VoteOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

Lanes = NDArray[np.int64]

# The lane that lane i reads, in segments of w lanes; outside of what it may read, CUDA gives a lane its own value.
_FROM: Mapping[str, Callable[[Lanes, Lanes, int], Lanes]] = {
    "idx": lambda i, by, w: i // w * w + by % w,
    "up": lambda i, by, w: np.where(i - by >= i // w * w, i - by, i),
    "down": lambda i, by, w: np.where(i + by < i // w * w + w, i + by, i),
    "xor": lambda i, by, w: np.where((i ^ by) < i // w * w + w, i ^ by, i),
}


def of_threads(value: Array, threads: int) -> Array:
    """The value that each of so many threads holds, along the last axis; blocks lie along the one before.

    >>> of_threads(np.array(7), 3).tolist()
    [[7, 7, 7]]
    """
    held = np.atleast_2d(np.asarray(value))
    return np.broadcast_to(held, (*held.shape[:-1], threads))


def _shuffle(compiler: Compiler, op: ShuffleOp) -> Step:
    value, by, result = compiler.slot(op.value), compiler.slot(op.by), compiler.slot(op.result)
    kind = op.kind.data

    def step(frame: Frame) -> None:
        lanes = frame.domain
        lanes.together(op, frame.mask)
        moved = partial(shuffled, kind, op.lanes(lanes.warp_size), lanes.warp_size, lanes.shape[1], op)
        lanes.hand_over(frame.mask)
        frame.values[result] = lanes.apply(moved, frame.operand(value), frame.operand(by))

    return step


def shuffled(kind: str, width: int, warp: int, threads: int, op: Operation, value: Array, by: Array) -> Array:
    """What the threads of whole warps, along the last axis, get from each other.

    >>> from tilewright.ir.tile.together import ShuffleOp
    >>> shuffled("down", 4, 8, 8, None, np.arange(8) * 10, np.int64(1)).tolist()
    [[10, 20, 30, 30, 50, 60, 70, 70]]
    """
    distance = np.asarray(by)
    if kind != "idx" and distance.size and not (distance.min() >= 0 and distance.max() < warp):
        raise SimulationError(f"a shuffle {kind} by {distance.max()} of lanes 0 to {warp - 1}\n{where(op)}")
    thread = np.arange(threads)
    source = _FROM[kind](thread % warp, distance, width) + thread // warp * warp
    if source.size and source.max() >= threads:
        raise SimulationError(f"a shuffle reads thread {source.max()} of a block of {threads}\n{where(op)}")
    full = of_threads(value, threads)
    shape = np.broadcast_shapes(full.shape, source.shape)
    return np.take_along_axis(np.broadcast_to(full, shape), np.broadcast_to(source, shape), axis=-1)


def _vote(compiler: Compiler, op: VoteOp) -> Step:
    condition, result, kind = compiler.slot(op.condition), compiler.slot(op.result), op.kind.data
    bits = op.result.type.width.data

    def step(frame: Frame) -> None:
        lanes = frame.domain
        number = ballot_of(op, bits, lanes.warp_size)
        lanes.together(op, frame.mask)
        lanes.hand_over(frame.mask)
        frame.values[result] = lanes.apply(
            partial(voted, kind, lanes.warp_size, lanes.shape[1], number), frame.operand(condition)
        )

    return step


def ballot_of(op: Operation, bits: int, warp: int) -> np.dtype[np.unsignedinteger]:
    """The type of a ballot of so many bits; what is one truth (1 bit) has room for any.

    Raises:
        SimulationError: fewer bits than lanes.
    """
    if 1 < bits < warp:
        raise SimulationError(f"a number of {bits} bits for the {warp} lanes of a warp\n{where(op)}")
    return np.dtype(np.uint64 if bits == 64 else np.uint32)


def voted(kind: str, warp: int, threads: int, number: np.dtype[np.unsignedinteger], condition: Array) -> Array:
    """The vote of the warp of each thread, along the last axis; a ballot is a number of that type.

    >>> voted("ballot", 4, 6, np.dtype(np.uint32), np.array([True, False, True, False, False, True])).tolist()
    [[5, 5, 5, 5, 2, 2]]
    """
    full = of_threads(np.asarray(condition, bool), threads)
    starts = np.arange(0, threads, warp)
    if kind == "ballot":
        bits = number.type(1) << (np.arange(threads) % warp).astype(number)
        found = np.add.reduceat(np.where(full, bits, number.type(0)), starts, axis=-1, dtype=number)
    else:
        found = (np.logical_or if kind == "any" else np.logical_and).reduceat(full, starts, axis=-1)
    return np.repeat(found, np.diff(np.append(starts, threads)), axis=-1)


def _registers(compiler: Compiler, op: RegistersOp) -> Step:
    return lambda frame: frame.domain.together(op, frame.mask)


WARP_HANDLERS: Mapping[type[Operation], Handler] = {
    ShuffleOp: _shuffle,
    VoteOp: _vote,
    RegistersOp: _registers,
    SleepOp: lambda compiler, op: None,
    RequireOp: lambda compiler, op: None,
}
