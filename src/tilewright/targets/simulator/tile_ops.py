"""Handlers of the `tile` dialect: what each op means, written from the layouts and never from its lowering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.errors import CompileError, SimulationError
from tilewright.ir.bounds import out_of_dimension
from tilewright.ir.layouts import MemoryLayout, storage_elements
from tilewright.ir.tile import (
    AllocBufferOp,
    LoadOp,
    MatchBufferOp,
    PermuteLayoutOp,
    PrimitiveOp,
    RegionOp,
    StorageOp,
    StoreOp,
)
from tilewright.ir.types import LOCAL, BufferType
from tilewright.layout.axes import MEMORY
from tilewright.targets.launch import WARP, where
from tilewright.targets.simulator.lockstep import Lockstep
from tilewright.targets.simulator.memory import Memory, same_bits
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step
from tilewright.targets.simulator.races import Lanes
from tilewright.targets.simulator.record import NotUniformError
from tilewright.targets.simulator.sites import Site
from tilewright.tirx.layout import TileLayout

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]


def _alias(compiler: Compiler, op: MatchBufferOp | StorageOp) -> Step:
    source, result = compiler.slot(op.operands[0]), compiler.slot(op.results[0])

    def step(frame: Frame) -> None:
        frame.values[result] = frame.values[source]

    return step


def _allocate(compiler: Compiler, op: AllocBufferOp) -> Step:
    kind, result = _buffer(op.result), compiler.slot(op.result)
    size = storage_elements(kind.layout)

    def step(frame: Frame) -> None:
        frame.values[result] = frame.domain.allocate(op, kind.element, size, kind.scope)

    return step


# ---- single elements


def _load(compiler: Compiler, op: LoadOp) -> Step:
    buffer, result, place = compiler.slot(op.buffer), compiler.slot(op.result), _place(compiler, op)
    site = _site(compiler, op, "load", op.buffer)

    def step(frame: Frame) -> None:
        frame.values[result] = frame.values[buffer].load(place(frame), frame.mask, site)

    return step


def _store(compiler: Compiler, op: StoreOp) -> Step:
    buffer, value, place = compiler.slot(op.buffer), compiler.slot(op.value), _place(compiler, op)
    site = _site(compiler, op, "store", op.buffer)

    def step(frame: Frame) -> None:
        frame.values[buffer].store(place(frame), frame.values[value], frame.mask, site)

    return step


def _place(compiler: Compiler, op: LoadOp | StoreOp) -> Callable[[Frame], Any]:
    """The offset of the element at the op's indices."""
    indices = [compiler.slot(index) for index in op.indices]
    kind = _buffer(op.buffer)
    layout, shape = kind.layout, kind.shape
    _refuse_threads(layout, op)

    def place(frame: Frame) -> Any:
        coordinate = [frame.values[index] for index in indices]
        for axis, index in enumerate(coordinate):
            _inside(frame, index, op.buffer, axis, op)
        return frame.domain.apply(lambda *c: layout.base(*c, shape=shape).get(MEMORY, 0), *coordinate)

    return place


# ---- primitives


def _permute(compiler: Compiler, op: PermuteLayoutOp) -> Step:
    """dst at L_dst(i) holds what src held at L_src(i), for every i; everything is read before anything is written."""
    source, target = _Box.of(compiler, op, op.src, "load"), _Box.of(compiler, op, op.dst, "store")
    scope = op.scope.data

    def step(frame: Frame) -> None:
        groups = _Groups.of(frame, op)
        taken, given = source.shape(frame, groups), target.shape(frame, groups)
        if [extent for extent in taken if extent != 1] != [extent for extent in given if extent != 1]:
            raise SimulationError(f"permute_layout between regions of {taken} and {given}\n{where(op)}")
        read = source.positions(frame, groups, taken)[..., 0]
        values = source.memory(frame).read(read.reshape(-1), groups.lanes(read.shape[-1]), source.site)
        _meet(frame, op, scope)
        written = target.positions(frame, groups, given)
        copies = written.shape[-2] * written.shape[-1]
        all_values = np.repeat(values, written.shape[-1])
        target.memory(frame).write(written.reshape(-1), all_values, groups.lanes(copies), target.site)
        if not same_bits(target.memory(frame).data[written.reshape(-1)], all_values).all():
            raise SimulationError(f"the layout of the destination puts several elements in one place\n{where(op)}")
        _meet(frame, op, scope)

    return step


@dataclass(frozen=True)
class _Box:
    """A region of a buffer in global or shared memory; its starts and extents are read from a frame."""

    op: RegionOp
    buffer: int
    starts: tuple[Callable[[Frame], Any], ...]
    extents: tuple[Callable[[Frame], Any], ...]
    site: Site

    @staticmethod
    def of(compiler: Compiler, op: Operation, region: SSAValue, kind: str) -> _Box:
        box = cast(RegionOp, region.owner)
        if _buffer(box.buffer).scope == LOCAL:
            raise CompileError(f"{op.name} on a local buffer has no meaning in the simulator yet\n{where(op)}")
        _refuse_threads(_buffer(box.buffer).layout, op)
        starts, extents = (tuple(_number(compiler, index) for index in part) for part in (box.starts, box.extents))
        return _Box(box, compiler.slot(box.buffer), starts, extents, _site(compiler, op, kind, box.buffer, False))

    def shape(self, frame: Frame, groups: _Groups) -> tuple[int, ...]:
        return tuple(groups.common(extent(frame), self.op) for extent in self.extents)

    def memory(self, frame: Frame) -> Memory:
        return cast(Memory, frame.values[self.buffer])

    def positions(self, frame: Frame, groups: _Groups, extents: tuple[int, ...]) -> Array:
        """Positions in the memory's data, by (group, element, copy)."""
        kind = _buffer(self.op.buffer)
        grid = [index.reshape(-1) for index in np.indices(extents, dtype=np.int64)]
        coordinate = []
        for axis, (start, index) in enumerate(zip(self.starts, grid, strict=True)):
            first = start(frame)
            coordinate.append(groups.agreed(first, self.op)[:, None] + index)
            for corner in dict.fromkeys((0, extents[axis] - 1)) if index.size else ():
                _inside(frame, first + corner, self.op.buffer, axis, self.op)
        found = _places(kind.layout, coordinate, kind.shape)
        offset = np.broadcast_to(np.asarray(self.memory(frame).offset), groups.shape)[:, :: groups.size]
        return np.asarray(found + offset[groups.active][:, None, None])


@dataclass(frozen=True)
class _Groups:
    """The groups of threads that execute a primitive together; `active` has shape (blocks, groups of a block)."""

    machine: Lockstep
    size: int
    active: Array

    @staticmethod
    def of(frame: Frame, op: PrimitiveOp) -> _Groups:
        if not isinstance(frame.domain, Lockstep):
            raise NotUniformError
        machine, scope = frame.domain, op.scope.data
        sizes = {"thread": 1, "warp": WARP, "cta": machine.launch.threads}
        size = sizes.get(scope)
        if size is None or machine.launch.threads % size:
            raise SimulationError(f"{machine.launch.threads} threads make no whole number of {scope}s\n{where(op)}")
        mask = np.ones(machine.shape, bool) if frame.mask is None else frame.mask
        return _Groups(machine, size, mask[:, ::size])

    @property
    def shape(self) -> tuple[int, int]:
        return self.machine.shape

    def agreed(self, value: Any, op: Operation) -> Array:
        """One number for each active group, whose threads must agree on it."""
        full = np.broadcast_to(np.asarray(value, np.int64), self.shape)
        split = full.reshape(self.shape[0], -1, self.size)[self.active]
        if (split != split[:, :1]).any():
            raise SimulationError(f"the threads of a group disagree on the region's start or extent\n{where(op)}")
        return np.asarray(split[:, 0])

    def common(self, value: Any, op: Operation) -> int:
        """One natural number for all active groups."""
        found = self.agreed(value, op)
        if len(found) and (found[0] < 0 or (found != found[0]).any()):
            raise SimulationError(f"the extent {found[0]} of a region is negative, or not every group's\n{where(op)}")
        return int(found[0]) if len(found) else 0

    def lanes(self, times: int) -> Lanes:
        """The first thread of each active group, `times` times: it stands for the group."""
        first = np.zeros(self.shape, bool)
        first[:, :: self.size] = self.active
        lanes = self.machine.lanes(first)
        return lanes[np.repeat(np.arange(len(lanes.thread)), times)]


def _number(compiler: Compiler, index: SSAValue | int) -> Callable[[Frame], Any]:
    slot = compiler.slot(index) if isinstance(index, SSAValue) else None
    return lambda frame: index if slot is None else frame.values[slot]


def _meet(frame: Frame, op: Operation, scope: str) -> None:
    if scope != "thread":
        frame.domain.barrier(op, scope, frame.mask)


def _places(layout: MemoryLayout, coordinate: Sequence[Array], shape: tuple[int, ...]) -> Array:
    """Offsets in memory, with one more dimension over the copies."""
    tile = layout if isinstance(layout, TileLayout) else layout.tile_layout
    found: Any = layout.apply(*coordinate, shape=shape)
    offsets = np.asarray(found.get(MEMORY, 0))
    return offsets if tile.replica else np.broadcast_to(offsets, coordinate[0].shape)[..., None]


def _inside(frame: Frame, index: Any, buffer: SSAValue, axis: int, op: Operation) -> None:
    extent = _buffer(buffer).shape[axis]
    found = frame.domain.outside(index, 0, extent, frame.mask)
    if found is not None:
        raise out_of_dimension(*found, buffer, axis, extent, where(op))


def _refuse_threads(layout: MemoryLayout, op: Operation) -> None:
    zeros = layout.base(0)
    foreign = [axis for axis in zeros if axis != MEMORY]
    if foreign:
        raise CompileError(
            f"the layout {layout} puts elements on {', '.join(foreign)}, which memory has not\n{where(op)}"
        )


def _buffer(value: SSAValue) -> BufferType:
    return cast(BufferType, value.type)


def _site(compiler: Compiler, op: Operation, kind: str, buffer: SSAValue, counted: bool = True) -> Site:
    described = _buffer(buffer)
    return compiler.site(op, kind, buffer, described.scope, described.dtype.bytes, counted)


TILE_HANDLERS: dict[type[Operation], Handler] = {
    MatchBufferOp: _alias,
    StorageOp: _alias,
    AllocBufferOp: _allocate,
    RegionOp: lambda compiler, op: None,
    LoadOp: _load,
    StoreOp: _store,
    PermuteLayoutOp: _permute,
}
