"""Handlers of votes of a block, and of the lanes that execute together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from xdsl.ir import Operation

from tilewright.ir.tile.together import ActiveMaskOp, BlockVoteOp
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.ops.atoms import real
from tilewright.targets.simulator.ops.warp import ballot_of, of_threads, voted
from tilewright.targets.simulator.order.votes import REDUCED
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step


def _vote(compiler: Compiler, op: BlockVoteOp) -> Step:
    condition, result = compiler.slot(op.condition), compiler.slot(op.result)
    found = partial(counted, op.kind.data, numpy_type(op.result.type))

    def step(frame: Frame) -> None:
        lanes = frame.domain
        lanes.barrier(op, "cta", frame.mask)
        frame.values[result] = lanes.apply(partial(found, lanes.shape[1]), frame.operand(condition))

    return step


def counted(kind: str, element: np.dtype[np.generic], threads: int, condition: Array) -> Array:
    """The vote of each block, whose threads lie along the last axis.

    >>> counted("count", np.dtype(np.int32), 3, np.array([[True, False, True]])).tolist()
    [[2, 2, 2]]
    """
    full = of_threads(np.asarray(condition, bool), threads)
    found: Array = REDUCED[kind].reduce(full, axis=-1, keepdims=True).astype(element)
    return np.broadcast_to(found, full.shape)


def _active(compiler: Compiler, op: ActiveMaskOp) -> Step:
    result = compiler.slot(op.result)

    def step(frame: Frame) -> None:
        lanes = real(frame)
        threads = lanes.launch.threads
        number = ballot_of(op, op.result.type.width.data, lanes.warp_size)
        active = np.zeros((lanes.shape[0], threads), bool)
        active[:, lanes.threads] = True if frame.mask is None else frame.mask
        frame.values[result] = voted("ballot", lanes.warp_size, threads, number, active)[:, lanes.threads]

    return step


BLOCK_VOTE_HANDLERS: Mapping[type[Operation], Handler] = {BlockVoteOp: _vote, ActiveMaskOp: _active}
