"""Handlers of the `tile` dialect: what each op means, written from the layouts and never from its lowering."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add

from xdsl.ir import Operation, SSAValue

from tilewright.errors import SimulationError
from tilewright.ir.memory import storage_elements
from tilewright.ir.tile.ops import (
    AllocBufferOp,
    LoadOp,
    MatchBufferOp,
    PermuteLayoutOp,
    RegionOp,
    StorageOp,
    StoreOp,
    offsets,
)
from tilewright.ir.tile.remote import RemoteOp
from tilewright.ir.tile.types import BufferType
from tilewright.layout.axes import MEMORY
from tilewright.targets.launch import where
from tilewright.targets.simulator.domains.lockstep import Lockstep
from tilewright.targets.simulator.memory.access import NotUniformError, Operand
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.memory.remote import Remote
from tilewright.targets.simulator.ops.regions import (
    Groups,
    buffer_type,
    check_inside,
    refuse_threads,
    region_of,
    site_of,
)
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step


def _alias(compiler: Compiler, op: MatchBufferOp | StorageOp) -> Step:
    source, result = compiler.slot(op.operands[0]), compiler.slot(op.results[0])

    def step(frame: Frame) -> None:
        frame.values[result] = frame.values[source]

    return step


def _remote(compiler: Compiler, op: RemoteOp) -> Step:
    source, rank, result = compiler.slot(op.memory), compiler.slot(op.rank), compiler.slot(op.result)

    def step(frame: Frame) -> None:
        memory, lanes = frame.values[source], frame.domain
        if not isinstance(memory, Memory) or not isinstance(lanes, Lockstep):
            raise NotUniformError
        frame.values[result] = Remote(memory, frame.number(rank), lanes.launch.cluster, lanes.machine.visits)

    return step


def _allocate(compiler: Compiler, op: AllocBufferOp) -> Step:
    kind, result = buffer_type(op.result), compiler.slot(op.result)
    size = storage_elements(kind.layout)

    def step(frame: Frame) -> None:
        frame.values[result] = frame.domain.allocate(op, kind.element, size, kind.scope)

    return step


# ---- single elements


def _load(compiler: Compiler, op: LoadOp) -> Step:
    buffer, result, place = (
        compiler.slot(op.buffer),
        compiler.slot(op.result),
        place_of(compiler, op, op.buffer, op.indices),
    )
    site = site_of(compiler, op, "load", op.buffer)

    def step(frame: Frame) -> None:
        frame.values[result] = frame.memory(buffer).load(frame.domain, place(frame), frame.mask, site)

    return step


def _store(compiler: Compiler, op: StoreOp) -> Step:
    buffer, value, place = (
        compiler.slot(op.buffer),
        compiler.slot(op.value),
        place_of(compiler, op, op.buffer, op.indices),
    )
    site = site_of(compiler, op, "store", op.buffer)

    def step(frame: Frame) -> None:
        frame.memory(buffer).store(frame.domain, place(frame), frame.operand(value), frame.mask, site)

    return step


def place_of(
    compiler: Compiler, op: Operation, buffer: SSAValue, coordinate: Sequence[SSAValue], checked: bool = True
) -> Callable[[Frame], Operand]:
    """The offset of an element of a buffer, whose coordinate is checked; of flat memory it is the one index.

    What is not `checked` may lie outside of the buffer.
    """
    indices = [compiler.slot(index) for index in coordinate]
    if not isinstance(buffer.type, BufferType):
        return lambda frame: frame.operand(indices[0])
    layout, shape = buffer.type.layout, buffer.type.shape
    refuse_threads(layout, op)
    further = [compiler.slot(offset) for offset in offsets(buffer)]

    def place(frame: Frame) -> Operand:
        found = [frame.operand(index) for index in indices]
        for axis, index in enumerate(found if checked else ()):
            check_inside(frame, index, buffer, axis, op)
        at = frame.domain.apply(lambda *c: layout.base(*c, shape=shape).get(MEMORY, 0), *found)
        for offset in further:
            at = frame.domain.apply(add, at, frame.operand(offset))
        return at

    return place


# ---- primitives


def _permute(compiler: Compiler, op: PermuteLayoutOp) -> Step:
    """dst at L_dst(i) holds what src held at L_src(i), for every i; everything is read before anything is written."""
    source, target = region_of(compiler, op, op.src, "load"), region_of(compiler, op, op.dst, "store")
    scope = op.scope.data

    def step(frame: Frame) -> None:
        groups = Groups.of(frame, op)
        taken, given = source.box.shape(frame, groups), target.box.shape(frame, groups)
        if [extent for extent in taken if extent != 1] != [extent for extent in given if extent != 1]:
            raise SimulationError(f"permute_layout between regions of {taken} and {given}\n{where(op)}")
        values = source.read(frame, groups, taken)
        _meet(frame, op, scope)
        target.write(frame, groups, given, values)
        _meet(frame, op, scope)

    return step


def _meet(frame: Frame, op: Operation, scope: str) -> None:
    if scope != "thread":
        frame.domain.barrier(op, scope, frame.mask)


TILE_HANDLERS: dict[type[Operation], Handler] = {
    MatchBufferOp: _alias,
    StorageOp: _alias,
    RemoteOp: _remote,
    AllocBufferOp: _allocate,
    RegionOp: lambda compiler, op: None,
    LoadOp: _load,
    StoreOp: _store,
    PermuteLayoutOp: _permute,
}
