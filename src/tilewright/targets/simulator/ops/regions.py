"""Regions of buffers at stage `tile`: what the threads of a group read from one, and write to it, together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.errors import CompileError, SimulationError
from tilewright.ir.core.bounds import out_of_dimension
from tilewright.ir.core.effects import verb
from tilewright.ir.memory import MemoryLayout
from tilewright.ir.tile.ops import PrimitiveOp, RegionOp
from tilewright.ir.tile.types import LOCAL, BufferType
from tilewright.layout.axes import AXES, MEMORY
from tilewright.targets.launch import where
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import Array, NotUniformError, Number, Operand
from tilewright.targets.simulator.memory.flat import Memory, same_bits
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.order.present import Present
from tilewright.targets.simulator.program import Compiler, Frame
from tilewright.targets.simulator.sites import Site
from tilewright.tirx.tile_layout import TileLayout

LANE: str = AXES["laneid"].name


class Region(Protocol):
    """Elements in a row-major order, the same for every group."""

    @property
    def box(self) -> Box:
        """Where it lies in its buffer."""

    def read(self, frame: Frame, groups: Groups, extents: tuple[int, ...]) -> Array:
        """The elements, group after group."""

    def write(self, frame: Frame, groups: Groups, extents: tuple[int, ...], values: Array) -> None:
        """Puts the elements there."""


def region_of(compiler: Compiler, op: PrimitiveOp, region: SSAValue, kind: str) -> Region:
    """The region of a primitive's operand.

    Raises:
        CompileError: a buffer whose layout has no meaning in its scope.
    """
    box = Box.of(compiler, op, cast(RegionOp, region.owner), kind)
    buffer = buffer_type(box.op.buffer)
    if buffer.scope != LOCAL:
        refuse_threads(buffer.layout, op)
        return InMemory(box)
    spread = isinstance(buffer.layout, TileLayout) and not buffer.layout.replica
    if not spread or LANE not in buffer.layout.base(0) or set(buffer.layout.base(0)) - {LANE, MEMORY}:
        raise CompileError(f"{op.name} on registers that are not spread over {LANE}: {buffer.layout}\n{where(op)}")
    if op.scope.data != "warp":
        raise CompileError(f"{op.name} on registers over {LANE} is for a warp, not a {op.scope.data}\n{where(op)}")
    return InRegisters(box)


@dataclass(frozen=True)
class Box:
    """A region of a buffer; its starts and extents are read from a frame."""

    op: RegionOp
    buffer: int
    starts: tuple[Callable[[Frame], Number], ...]
    extents: tuple[Callable[[Frame], Number], ...]
    site: Site

    @staticmethod
    def of(compiler: Compiler, op: Operation, box: RegionOp, kind: str) -> Box:
        """The box of an op's operand."""
        starts, extents = (tuple(_number(compiler, index) for index in part) for part in (box.starts, box.extents))
        return Box(box, compiler.slot(box.buffer), starts, extents, site_of(compiler, op, kind, box.buffer, False))

    def shape(self, frame: Frame, groups: Groups) -> tuple[int, ...]:
        """The extents, on which the groups agree."""
        return tuple(groups.common(extent(frame), self.op) for extent in self.extents)

    def coordinate(self, frame: Frame, groups: Groups, extents: tuple[int, ...]) -> list[Array]:
        """The coordinates of the elements, by (group, element)."""
        grid = [index.reshape(-1) for index in np.indices(extents, dtype=np.int64)]
        found = []
        for axis, (start, index) in enumerate(zip(self.starts, grid, strict=True)):
            first = start(frame)
            found.append(groups.agreed(first, self.op)[:, None] + index)
            for corner in dict.fromkeys((0, extents[axis] - 1)) if index.size else ():
                check_inside(frame, first + corner, self.op.buffer, axis, self.op)
        return found


@dataclass(frozen=True)
class InMemory:
    """A region of a buffer in global or shared memory."""

    box: Box

    def read(self, frame: Frame, groups: Groups, extents: tuple[int, ...]) -> Array:
        """Of several copies the first."""
        at = self._positions(frame, groups, extents)[..., 0]
        return self._memory(frame).read(at.reshape(-1), groups.lanes, groups.first(at.shape[-1]), self.box.site)

    def write(self, frame: Frame, groups: Groups, extents: tuple[int, ...], values: Array) -> None:
        """To every copy."""
        at, memory = self._positions(frame, groups, extents), self._memory(frame)
        all_values = np.repeat(values, at.shape[-1])
        first = groups.first(at.shape[-2] * at.shape[-1])
        memory.write(at.reshape(-1), all_values, groups.lanes, first, self.box.site)
        _check_written(memory.data[at.reshape(-1)], all_values, self.box)

    def _memory(self, frame: Frame) -> Memory:
        return cast(Memory, frame.values[self.box.buffer])

    def _positions(self, frame: Frame, groups: Groups, extents: tuple[int, ...]) -> Array:
        """Positions in the memory's data, by (group, element, copy)."""
        kind = buffer_type(self.box.op.buffer)
        found = _places(kind.layout, self.box.coordinate(frame, groups, extents), kind.shape)
        memory = self._memory(frame)
        start = groups.lanes.rows * memory.pitch if memory.apart else np.zeros(groups.shape[0], np.int64)
        return np.asarray(found + start[np.nonzero(groups.active)[0]][:, None, None])


@dataclass(frozen=True)
class InRegisters:
    """A region of a local buffer that is spread over the lanes of each warp."""

    box: Box

    def read(self, frame: Frame, groups: Groups, extents: tuple[int, ...]) -> Array:
        """Each from the lane that holds it."""
        registers = cast(Registers, frame.values[self.box.buffer])
        return registers.gather(groups.lanes, *self._places(frame, groups, extents), self.box.site).reshape(-1)

    def write(self, frame: Frame, groups: Groups, extents: tuple[int, ...], values: Array) -> None:
        """Each to the lane that is to hold it."""
        registers = cast(Registers, frame.values[self.box.buffer])
        places = self._places(frame, groups, extents)
        registers.scatter(groups.lanes, *places, values.reshape(places[0].shape), self.box.site)
        _check_written(registers.gather(groups.lanes, *places, self.box.site).reshape(-1), values, self.box)

    def _places(self, frame: Frame, groups: Groups, extents: tuple[int, ...]) -> tuple[Array, Array, Array]:
        """Block, thread and register of the elements, by (group, element)."""
        kind, coordinate = buffer_type(self.box.op.buffer), self.box.coordinate(frame, groups, extents)
        found: Any = kind.layout.base(*coordinate, shape=kind.shape)
        lane, cell = (np.broadcast_to(np.asarray(found.get(axis, 0)), coordinate[0].shape) for axis in (LANE, MEMORY))
        if lane.size and not (lane.min() >= 0 and lane.max() < groups.size):
            raise SimulationError(f"{kind.layout} lies on lane {lane.max()} of {groups.size}\n{where(self.box.op)}")
        block, group = np.nonzero(groups.active)
        return np.broadcast_to(block[:, None], lane.shape), lane + (group * groups.size)[:, None], cell


@dataclass(frozen=True)
class Groups:
    """The groups of threads that execute a primitive together; `active` has shape (blocks, groups of a block)."""

    lanes: Lockstep
    size: int
    active: Array

    @staticmethod
    def of(frame: Frame, op: PrimitiveOp) -> Groups:
        """The groups that are active in a frame."""
        if not isinstance(frame.domain, Lockstep):
            raise NotUniformError
        lanes, scope = frame.domain, op.scope.data
        sizes = {"thread": 1, "warp": lanes.machine.warp_size, "cta": lanes.launch.threads}
        size = sizes.get(scope)
        if size is None or lanes.launch.threads % size:
            raise SimulationError(f"{lanes.launch.threads} threads make no whole number of {scope}s\n{where(op)}")
        mask = np.ones(lanes.shape, bool) if frame.mask is None else frame.mask
        return Groups(lanes, size, mask[:, ::size])

    @property
    def shape(self) -> tuple[int, int]:
        """Blocks and threads."""
        return self.lanes.shape

    def agreed(self, value: Number, op: Operation) -> Array:
        """One number for each active group, whose threads must agree on it."""
        full = np.broadcast_to(np.asarray(value, np.int64), self.shape)
        split = full.reshape(self.shape[0], -1, self.size)[self.active]
        if (split != split[:, :1]).any():
            raise SimulationError(f"the threads of a group disagree on the region's start or extent\n{where(op)}")
        return np.asarray(split[:, 0])

    def common(self, value: Number, op: Operation) -> int:
        """One natural number for all active groups."""
        found = self.agreed(value, op)
        if len(found) and (found[0] < 0 or (found != found[0]).any()):
            raise SimulationError(f"the extent {found[0]} of a region is negative, or not every group's\n{where(op)}")
        return int(found[0]) if len(found) else 0

    def first(self, times: int) -> Present:
        """The first thread of each active group, `times` times: it stands for the group."""
        first = np.zeros(self.shape, bool)
        first[:, :: self.size] = self.active
        present = self.lanes.present(first)
        return present[np.repeat(np.arange(len(present.actor)), times)]


def _number(compiler: Compiler, index: SSAValue | int) -> Callable[[Frame], Number]:
    if isinstance(index, int):
        return lambda frame: index
    slot = compiler.slot(index)
    return lambda frame: frame.number(slot)


def _places(layout: MemoryLayout, coordinate: Sequence[Array], shape: tuple[int, ...]) -> Array:
    """Offsets in memory, with one more dimension over the copies."""
    tile = layout if isinstance(layout, TileLayout) else layout.tile_layout
    found: Any = layout.apply(*coordinate, shape=shape)
    offsets = np.asarray(found.get(MEMORY, 0))
    return offsets if tile.replica else np.broadcast_to(offsets, coordinate[0].shape)[..., None]


def _check_written(found: Array, values: Array, box: Box) -> None:
    if not same_bits(found, values).all():
        raise SimulationError(f"the layout of the destination puts several elements in one place\n{where(box.op)}")


def check_inside(frame: Frame, index: Operand, buffer: SSAValue, axis: int, op: Operation) -> None:
    """Raises `OutOfBoundsError` where a coordinate of an active thread leaves its dimension."""
    extent = buffer_type(buffer).shape[axis]
    found = frame.domain.outside(index, 0, extent, frame.mask)
    if found is not None:
        raise out_of_dimension(*found, buffer, axis, extent, where(op), verb(op))


def refuse_threads(layout: MemoryLayout, op: Operation) -> None:
    """Raises `CompileError` for a layout that is no memory."""
    zeros = layout.base(0)
    foreign = [axis for axis in zeros if axis != MEMORY]
    if foreign:
        raise CompileError(
            f"the layout {layout} puts elements on {', '.join(foreign)}, which memory has not\n{where(op)}"
        )


def buffer_type(value: SSAValue) -> BufferType:
    """The type of a buffer value."""
    return cast(BufferType, value.type)


def site_of(compiler: Compiler, op: Operation, kind: str, buffer: SSAValue, counted: bool = True) -> Site:
    """The site of an access to a buffer."""
    described = buffer_type(buffer)
    return compiler.site(op, kind, buffer, described.scope, numpy_type(described.element).itemsize, counted)
