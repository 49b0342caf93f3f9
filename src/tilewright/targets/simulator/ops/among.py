"""Handlers of what some lanes of a warp do together: those that a mask names, which come with one mask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Operation

from tilewright.errors import BarrierError, SimulationError
from tilewright.ir.tile.among import ShuffleAmongOp, VoteAmongOp
from tilewright.targets.launch import where
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array
from tilewright.targets.simulator.ops.atoms import real
from tilewright.targets.simulator.ops.warp import shuffled
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step


@dataclass(frozen=True, eq=False)
class Among:
    """The lanes that come, of (block, thread of the launch), each with its mask."""

    op: Operation
    lanes: Lockstep
    active: Array
    masks: Array

    @staticmethod
    def of(frame: Frame, op: Operation, mask: Array) -> Among:
        """Those of a frame.

        Raises:
            BarrierError: a mask leaves out its own lane, or names one that does not come with the same mask.
        """
        lanes = real(frame)
        found = Among(op, lanes, np.zeros(0), np.zeros(0))
        active = found.spread(True if frame.mask is None else frame.mask, np.dtype(bool))
        made = Among(op, lanes, active, found.spread(mask, np.dtype(np.uint64)))
        made._check()
        return made

    def spread(self, value: Array | bool, element: np.dtype[np.generic]) -> Array:
        """The values of these lanes at their places among all threads; 0 elsewhere."""
        full = np.zeros((self.lanes.shape[0], self.lanes.launch.threads), element)
        full[:, self.lanes.threads] = np.broadcast_to(np.asarray(value), self.lanes.shape)
        return full

    def named(self, lane: Array | int) -> Array:
        """Does each thread's mask name that lane?"""
        return np.asarray(self.masks >> np.asarray(lane, np.uint64) & np.uint64(1)).astype(bool)

    def _check(self) -> None:
        threads, warp = np.arange(self.active.shape[1]), self.lanes.warp_size
        self.refuse(self.active & ~self.named(threads % warp), "comes with the mask {mask}, which leaves it out")
        for lane in range(warp):
            peer = threads // warp * warp + lane
            there = np.minimum(peer, threads[-1])
            agrees = (peer > threads[-1]) | (self.active[:, there] & (self.masks[:, there] == self.masks))
            says = f"comes with the mask {{mask}}, which names lane {lane}, and that does not come with the same mask"
            self.refuse(self.active & self.named(lane) & ~agrees, says)

    def refuse(self, wrong: Array, says: str, error: type[SimulationError] = BarrierError) -> None:
        """Raises the error where a thread is wrong."""
        if wrong.any():
            row, thread = (int(at[0]) for at in np.nonzero(wrong))
            block = int(self.lanes.blocks[row])
            who = self.lanes.name(block * self.lanes.machine.clocks.width + thread)
            text = says.format(mask=hex(int(self.masks[row, thread])))
            raise error(f"{who} {text}\n{where(self.op)}")


def _shuffle(compiler: Compiler, op: ShuffleAmongOp) -> Step:
    value, by, mask, result = (compiler.slot(x) for x in (op.value, op.by, op.mask, op.result))
    kind = op.kind.data

    def step(frame: Frame) -> None:
        among = Among.of(frame, op, np.asarray(frame.operand(mask)))
        lanes = among.lanes
        given, distance = (
            np.asarray(frame.operand(value)),
            among.spread(np.asarray(frame.operand(by)), np.dtype(np.int64)),
        )
        warp, threads = lanes.warp_size, lanes.launch.threads
        held = among.spread(given, given.dtype)
        numbers = np.broadcast_to(np.arange(threads), held.shape)
        source = shuffled(kind, op.segment(warp), warp, threads, op, numbers, distance)
        left_out = among.active & ~among.named(source % warp)
        among.refuse(left_out, "reads of a lane that its mask {mask} leaves out", SimulationError)
        frame.values[result] = np.take_along_axis(held, source, axis=-1)[:, lanes.threads]

    return step


def _vote(compiler: Compiler, op: VoteAmongOp) -> Step:
    condition, mask, result = (compiler.slot(x) for x in (op.condition, op.mask, op.result))
    kind, bits = op.kind.data, cast(IntegerType, op.mask.type).width.data

    def step(frame: Frame) -> None:
        among = Among.of(frame, op, np.asarray(frame.operand(mask)))
        threads, warp = np.arange(among.active.shape[1]), among.lanes.warp_size
        holds = among.spread(np.asarray(frame.operand(condition)), np.dtype(bool)) & among.active
        each = holds.astype(np.uint64) << (threads % warp).astype(np.uint64)
        starts = np.arange(0, len(threads), warp)
        whole = np.repeat(np.add.reduceat(each, starts, axis=-1), np.diff(np.append(starts, len(threads))), axis=-1)
        ballot, exists = whole & among.masks, _existing(threads, warp)
        found = {"ballot": ballot, "any": ballot != 0, "all": ballot == among.masks & exists}[kind]
        number = np.dtype(np.uint64 if bits == 64 else np.uint32)
        frame.values[result] = (found.astype(number) if kind == "ballot" else found)[:, among.lanes.threads]

    return step


def _existing(threads: Array, warp: int) -> Array:
    """The lanes of each thread's warp that the block has, as a mask."""
    count = np.minimum(len(threads) - threads // warp * warp, warp).tolist()
    return np.array([(1 << lanes) - 1 for lanes in count], np.uint64)


AMONG_HANDLERS: Mapping[type[Operation], Handler] = {ShuffleAmongOp: _shuffle, VoteAmongOp: _vote}
