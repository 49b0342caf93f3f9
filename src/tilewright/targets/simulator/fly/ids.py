"""Handlers of what a thread asks about the launch, and about its place in its wave."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from xdsl.dialects import gpu
from xdsl.ir import Operation

from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Number
from tilewright.targets.simulator.ops.atoms import real
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step


def _dimension(compiler: Compiler, op: gpu.BlockDimOp | gpu.GridDimOp) -> Step:
    axis, blocks = "xyz".index(op.dimension.data), isinstance(op, gpu.GridDimOp)
    return _told(compiler, op, lambda lanes: (lanes.launch.grid if blocks else lanes.launch.block)[axis])


def _global(compiler: Compiler, op: gpu.GlobalIdOp) -> Step:
    axis = "xyz".index(op.dimension.data)

    def found(lanes: Lockstep) -> Number:
        number: Number = lanes.block_id(axis) * lanes.launch.block[axis] + lanes.thread_id(axis)
        return number

    return _told(compiler, op, found)


def _in_wave(found: Callable[[Lockstep], Number]) -> Handler:
    return lambda compiler, op: _told(compiler, op, found)


def _told(compiler: Compiler, op: Operation, found: Callable[[Lockstep], Number]) -> Step:
    result = compiler.slot(op.results[0])

    def step(frame: Frame) -> None:
        frame.values[result] = found(real(frame))

    return step


ID_HANDLERS: Mapping[type[Operation], Handler] = {
    gpu.BlockDimOp: _dimension,
    gpu.GridDimOp: _dimension,
    gpu.GlobalIdOp: _global,
    gpu.LaneIdOp: _in_wave(lambda lanes: lanes.threads[None] % lanes.warp_size),
    gpu.SubgroupIdOp: _in_wave(lambda lanes: lanes.threads[None] // lanes.warp_size),
    gpu.SubgroupSizeOp: _in_wave(lambda lanes: lanes.warp_size),
    gpu.NumSubgroupsOp: _in_wave(lambda lanes: -(-lanes.launch.threads // lanes.warp_size)),
}
