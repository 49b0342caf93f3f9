"""Handlers of asynchronous work: what sets out is checked where it begins, and done by the engine."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from xdsl.ir import Operation

from tilewright.errors import SimulationError
from tilewright.ir.tile.address import AddressOp, address_of
from tilewright.ir.tile.asynchronous import AsyncCommitOp, AsyncWaitOp, CpAsyncOp, FenceOp, sized_copies
from tilewright.ir.tile.types import BufferType
from tilewright.targets.launch import where
from tilewright.targets.simulator.agents.transfers import Side
from tilewright.targets.simulator.memory.access import Mask
from tilewright.targets.simulator.ops.addressed import Active, Operand, address
from tilewright.targets.simulator.ops.bulk import BULK_HANDLERS
from tilewright.targets.simulator.ops.mbarrier import MBARRIER_HANDLERS
from tilewright.targets.simulator.ops.regions import check_inside
from tilewright.targets.simulator.ops.setting_out import begin, transfer_of
from tilewright.targets.simulator.order.clocks import GLOBAL_PROXY, MBARRIERS, SHARED_PROXY, Flags
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

_FENCED: Mapping[str, tuple[int, ...]] = {
    "proxy.async": (SHARED_PROXY, GLOBAL_PROXY, MBARRIERS),
    "proxy.async.shared": (SHARED_PROXY, MBARRIERS),
    "proxy.async.global": (GLOBAL_PROXY,),
    "mbarrier_init": (MBARRIERS,),
}


def _cp_async(compiler: Compiler, op: CpAsyncOp) -> Step:
    count = op.bytes.value.data
    target = Operand.of(compiler, op, op.dst, "store", count, "cp.async")
    source = Operand.of(compiler, op, op.src, "load", count)
    elements = 8 * count // target.bits
    size = None if op.size is None else compiler.slot(op.size)

    look = _inside(compiler, op)

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        look(frame)
        to, of = active.number(frame, target.slot), active.number(frame, source.slot)
        inside = _read(frame, active, size, count, target.bits, elements, op)
        at = target.span(frame, active, to, elements)
        target.align(active, to, count)
        for operand, mask in ((target, frame.mask), (source, _reading(frame, active, inside))):
            active.lanes.count(operand.site, np.asarray(frame.number(operand.slot)), mask)
        if inside is None:
            read = source.span(frame, active, of, elements)
            source.align(active, of, count)
        else:
            some = inside.any(axis=1)
            read = source.span(frame, active, np.where(some, of, 0), 1) + np.where(inside, np.arange(elements), 0)
            source.span(frame, active, np.where(some, of + inside.sum(axis=1) - 1, 0), 1)
            source.align(active, np.where(some, of, 0), count)
        sides = Side(source.held(frame), read, source.site, inside), Side(target.held(frame), at, target.site)
        begin(active, transfer_of("cp", active, *sides, np.full(len(to), count)), generic=True)

    return step


def _inside(compiler: Compiler, op: CpAsyncOp) -> Step:
    """Refuses coordinates outside of their dimension, of lanes that read anything there."""
    source = address_of(op.src)
    if op.size is None or not isinstance(source.memory.type, BufferType) or not sized_copies(source):
        return lambda frame: None
    size, indices = compiler.slot(op.size), [compiler.slot(index) for index in source.indices]

    def step(frame: Frame) -> None:
        some = np.asarray(frame.number(size)) != 0
        for axis, index in enumerate(indices):
            check_inside(frame, np.where(some, frame.number(index), 0), source.memory, axis, source)

    return step


def _reading(frame: Frame, active: Active, inside: Flags | None) -> Mask:
    """Which lanes read anything."""
    if inside is None:
        return frame.mask
    mask = np.zeros(active.lanes.shape, bool)
    mask[active.at] = inside.any(axis=1)
    return mask


def _read(
    frame: Frame, active: Active, size: int | None, count: int, bits: int, elements: int, op: Operation
) -> Flags | None:
    """Which elements are read, where not all are."""
    if size is None:
        return None
    bytes_ = active.number(frame, size)
    wrong = (bytes_ < 0) | (bytes_ > count) | (8 * bytes_ % bits != 0)
    if wrong.any():
        bad = int(np.argmax(wrong))
        raise SimulationError(f"{active.name(bad)} reads {bytes_[bad]} bytes for a copy of {count}\n{where(op)}")
    return np.asarray(np.arange(elements) < (8 * bytes_ // bits)[:, None])


def _commit(compiler: Compiler, op: AsyncCommitOp) -> Step:
    kind = op.kind.data

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        active.lanes.machine.engine.committed(kind)[active.rows, active.threads] += 1

    return step


def _wait(compiler: Compiler, op: AsyncWaitOp) -> Step:
    kind, pending = op.kind.data, op.pending.value.data

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        active.lanes.machine.engine.wait(kind, pending, active.flags())

    return step


def _fence(compiler: Compiler, op: FenceOp) -> Step:
    planes = _FENCED[op.kind.data]

    def step(frame: Frame) -> None:
        active = Active.of(frame)
        rows, lanes, _ = active.among(np.ones(len(active.rows), bool))
        clocks = active.lanes.machine.clocks
        if op.kind.data == "mbarrier_init":
            clocks.beyond.announced.update(dict.fromkeys(active.actor.tolist(), clocks.now))
        clocks.fence(rows, lanes, planes)

    return step


ASYNC_HANDLERS: Mapping[type[Operation], Handler] = {
    AddressOp: address,
    CpAsyncOp: _cp_async,
    AsyncCommitOp: _commit,
    AsyncWaitOp: _wait,
    FenceOp: _fence,
    **BULK_HANDLERS,
    **MBARRIER_HANDLERS,
}
