"""Handlers of copies: a call of an atom moves the values of its layouts, one call after the other.

A call reads everything before it writes anything; lanes that work together change their bits in between. What goes
to shared memory past the registers lies lane behind lane.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias, cast

import numpy as np
from xdsl.ir import Operation, SSAValue

from tilewright.atoms.copy_atom import CopyAtom
from tilewright.dtypes import dtype
from tilewright.errors import CompileError
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.memories import space_of
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.registers import REGISTER
from tilewright.layout.inttuple import product
from tilewright.targets.launch import where
from tilewright.targets.simulator.collective.moves import moves_of
from tilewright.targets.simulator.fly.bits import Bytes, as_bytes, from_bytes
from tilewright.targets.simulator.fly.elements import as_rows, given, kind_of, of_rows, refuse_anything
from tilewright.targets.simulator.fly.ends import End, Predicate, changes, copy_atom
from tilewright.targets.simulator.fly.later import goes_on, send
from tilewright.targets.simulator.fly.values import Vector, held, integer, place_in
from tilewright.targets.simulator.fly.views import extents_of
from tilewright.targets.simulator.memory.access import Array, Mask
from tilewright.targets.simulator.memory.flat import Memory
from tilewright.targets.simulator.ops.atomic import FUNCTIONS
from tilewright.targets.simulator.ops.atoms import Warps, real
from tilewright.targets.simulator.ops.control import both
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

Put: TypeAlias = Callable[[Frame, Array, Bytes, Mask], None]


def copy(compiler: Compiler, op: FlyOp) -> Step:
    """The handler of copies between views: whole ones, or what one call moves."""
    _, source, target, *condition = op.operands
    calls = 1 if op.short == "copy_atom_call" else None
    load, store = End.of(compiler, op, source, "load", calls), End.of(compiler, op, target, "store", calls)
    if load.calls != store.calls:
        raise CompileError(f"{op.name} copies {load.calls} atoms to {store.calls}\n{where(op)}")
    rest = product(tuple(map(product, extents_of(load.view)[1:])))
    predicate = Predicate.of(compiler, op, condition[0], load.calls, rest) if condition else None
    put, atom = _put(op, store), copy_atom(op)

    def step(frame: Frame) -> None:
        starts, targets = load.starts(frame), store.starts(frame)
        frame.domain.burn(load.calls, op)
        for call in range(load.calls):
            mask = predicate.active(frame, call) if predicate else frame.mask
            data = load.read(frame, starts[call], _reading(frame, atom, mask))
            if store.view.pointer.space != REGISTER:
                refuse_anything(frame, op, load.anything(frame, starts[call]), mask)
            put(frame, targets[call], _exchanged(frame, op, atom, data, mask), mask)

    return step


def copy_value(compiler: Compiler, op: FlyOp) -> Step:
    """The handler of a call that takes or gives the values of registers."""
    source, target, condition = op.group("src")[0], op.group("dst"), op.group("pred")
    atom, read = copy_atom(op), _reader(compiler, op, source)
    active = _condition(compiler, op, condition[0]) if condition else lambda frame: frame.mask
    finish = _result(compiler, op, target) if op.results else _target(compiler, op, target[0])
    given_value = None if op.results or isinstance(source.type, FlyType) else compiler.slot(source)

    def step(frame: Frame) -> None:
        mask = active(frame)
        if given_value is not None:
            value = frame.values[given_value]
            refuse_anything(frame, op, value.anything if isinstance(value, Vector) else None, mask)
        finish(frame, _exchanged(frame, op, atom, read(frame, mask), mask), mask)

    return step


def _reader(compiler: Compiler, op: FlyOp, source: SSAValue) -> Callable[[Frame, Mask], Bytes]:
    """What a call reads: of a view, or a value."""
    if isinstance(source.type, FlyType):
        end = End.of(compiler, op, source, "load", 1)
        atom = copy_atom(op)
        return lambda frame, mask: end.read(frame, end.starts(frame)[0], _reading(frame, atom, mask))
    (element, count), slot = kind_of(source.type), compiler.slot(source)

    def value(frame: Frame, mask: Mask) -> Bytes:
        return as_bytes(as_rows(given(frame, op, frame.values[slot]), count, frame.domain.shape, element), element)

    return value


def _condition(compiler: Compiler, op: FlyOp, condition: SSAValue) -> Callable[[Frame], Mask]:
    """For which lanes the call is made."""
    if isinstance(condition.type, FlyType):
        predicate = Predicate.of(compiler, op, condition, 1, 1)
        return lambda frame: predicate.active(frame, 0)
    (element, count), slot = kind_of(condition.type), compiler.slot(condition)

    def value(frame: Frame) -> Mask:
        rows = as_rows(given(frame, op, frame.values[slot]), count, frame.domain.shape, element)
        return both(rows[..., 0].astype(bool), frame.mask, frame.domain.shape)

    return value


Finish: TypeAlias = Callable[[Frame, Bytes, Mask], None]


def _result(compiler: Compiler, op: FlyOp, target: Iterable[SSAValue]) -> Finish:
    """The bytes as the result; where the call is not made, what the target says that a lane keeps."""
    kept = [compiler.slot(value) for value in target]
    kind, result = op.results[0].type, compiler.slot(op.results[0])
    element, count = kind_of(kind)

    def finish(frame: Frame, data: Bytes, mask: Mask) -> None:
        rows, anything = from_bytes(data, element)[..., :count], None
        if kept and mask is not None:
            old = frame.values[kept[0]]
            before = as_rows(given(frame, op, old), count, frame.domain.shape, element)
            rows = np.where(mask[..., None], rows, before)
            anything = old.anything & ~mask if isinstance(old, Vector) and old.anything is not None else None
        found = of_rows(rows, kind)
        frame.values[result] = replace(found, anything=anything) if isinstance(found, Vector) else found

    return finish


def _target(compiler: Compiler, op: FlyOp, target: SSAValue) -> Finish:
    """The bytes to a view."""
    end = End.of(compiler, op, target, "store", 1)
    put, size = _put(op, end), end.whole.bits // 8
    return lambda frame, data, mask: put(frame, end.starts(frame)[0], data[..., :size], mask)


def _reading(frame: Frame, atom: CopyAtom, mask: Mask) -> Mask:
    """The active lanes whose own place counts: of an atom of several lanes some give no address."""
    if atom.threads == 1:
        return mask
    lanes = real(frame)
    reads = moves_of(atom, lanes.machine.warp_size).reads
    if reads.all():
        return mask
    return both(reads[lanes.threads % lanes.machine.warp_size][None], mask, lanes.shape)


def _exchanged(frame: Frame, op: FlyOp, atom: CopyAtom, data: Bytes, mask: Mask) -> Bytes:
    """The bytes that lanes hold once they have changed lanes, as the atom's layouts say."""
    if atom.threads == 1:
        return data
    inner = Frame(frame.values, frame.domain)
    inner.mask = mask
    warps = Warps.of(inner, real(frame), op, atom)
    moves = moves_of(atom, warps.size)
    return data if moves.taken is None else warps.spread(moves(warps.gather(data)))


def _put(op: FlyOp, store: End) -> Put:
    """How a call's bytes come to where the view is."""
    atom = copy_atom(op)
    if changes(atom):
        return _atomic(op, atom, store)
    if atom.spaces[1] != "shared" or space_of(store.view.pointer) != "shared":
        return store.write
    placed = _behind if atom.instruction.endswith("_lds") else lambda frame, starts, store: starts

    def put(frame: Frame, starts: Array, data: Bytes, mask: Mask) -> None:
        at = placed(frame, starts, store)
        if not goes_on(atom):
            store.write(frame, at, data, mask)
        elif store.together(at):
            send(frame, store.whole, place_in(frame.values, store.slot, op), at[:1], data[None], mask)
        else:
            raise CompileError(f"{op.name}: {atom.name} writes values side by side\n{where(op)}")

    return put


def _behind(frame: Frame, starts: Array, store: End) -> Array:
    """Where lanes write without registers: behind each other, from the place of their wave's first lane."""
    lanes, place = real(frame), place_in(frame.values, store.slot, store.op)
    lane = lanes.threads % lanes.machine.warp_size
    full = np.broadcast_to(place.at + starts, (*starts.shape[:-2], *lanes.shape))
    first = full[..., np.searchsorted(lanes.threads, lanes.threads - lane)]
    more = 8 * integer(held(frame.values, store.state).state.get("imm_offset", 0))
    return np.asarray(first + lane * store.whole.bits + more - place.at)


def _atomic(op: FlyOp, atom: CopyAtom, store: End) -> Put:
    """Lane after lane, an element and a value make a new element."""
    word, element = atom.instruction.rpartition(".")[2].rpartition("_")[2], dtype(store.view.pointer.element)
    function = FUNCTIONS.get(word)
    if function is None or store.values != 1:
        text = f"{op.name}: {atom.name} is not simulated; there are add, max, min, and, or of one element"
        raise CompileError(f"{text}\n{where(op)}")

    def put(frame: Frame, starts: Array, data: Bytes, mask: Mask) -> None:
        place = place_in(frame.values, store.slot, op)
        at, site = store.whole.located(frame, place, starts[:1]), store.whole.sites[place.root]
        cast("Memory", place.memory).update(frame.domain, at, from_bytes(data, element)[..., 0], mask, site, function)

    return put


COPY_HANDLERS: Mapping[type[Operation], Handler] = {
    OPS["copy"]: copy,
    OPS["copy_atom_call"]: copy,
    OPS["copy_atom_call_ssa"]: copy_value,
}
