"""Handlers of `memref` and `vector` on memory that dumps declare beside `fly`: globals of a block, views of bytes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import cast

import numpy as np
from xdsl.dialects import memref, vector
from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.bounds import out_of_dimension
from tilewright.ir.core.effects import verb
from tilewright.ir.fly.memories import (
    cell_bits,
    function_of,
    is_declared,
    memories,
    memory_of,
    space_of,
)
from tilewright.ir.tile.types import space_of as flat_space
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.access import Access
from tilewright.targets.simulator.fly.bits import as_bytes, from_bytes, width_of
from tilewright.targets.simulator.fly.elements import as_rows, given, kind_of, of_rows
from tilewright.targets.simulator.fly.pointers import once
from tilewright.targets.simulator.fly.values import Held, Place, integer, place_in
from tilewright.targets.simulator.memory.access import Number
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.ops.scalar import SCALAR_HANDLERS, flat_size, memref_type
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step
from tilewright.targets.simulator.sites import Site

Kind = MemRefType[Attribute]


def _shape(value: SSAValue, op: Operation) -> tuple[int, ...]:
    kind = cast("Kind", value.type)
    if min(kind.get_shape(), default=1) < 0 or not isinstance(kind.layout, NoneAttr):
        raise CompileError(f"{op.name}: memory is simulated of known extents, row by row, not {kind}\n{where(op)}")
    return tuple(kind.get_shape())


def _declared(compiler: Compiler, op: memref.GetGlobalOp) -> Step:
    """All ops that name one global give the same memory, of which each block has its own."""
    same = (o for o in function_of(op).walk() if isinstance(o, memref.GetGlobalOp) and o.name_ == op.name_)
    first = next(same)
    return once(compiler, op, _allocated(compiler, first), first.memref)


def _allocated(compiler: Compiler, op: memref.GetGlobalOp | memref.AllocaOp) -> Step:
    pointer, root, result = memory_of(op.results[0].type), op.results[0], compiler.slot(op.results[0])
    space = "global" if pointer is None else space_of(pointer)
    if pointer is None or space == "global":
        raise CompileError(f"{op.name} declares registers or memory of a block, not {op.results[0].type}\n{where(op)}")
    unit = memories(op).units[root]
    size = -(-prod(_shape(op.results[0], op)) * cell_bits(pointer) // (8 * numpy_type(unit).itemsize))

    def step(frame: Frame) -> None:
        memory = frame.domain.allocate(op, unit, size, space)
        frame.values[result] = Held((), Place(memory, root, 0))  # type: ignore[arg-type]  # real lanes have real memories

    return step


def _alloca(compiler: Compiler, op: memref.AllocaOp) -> Step | None:
    if not is_declared(op.memref.type):
        return SCALAR_HANDLERS[memref.AllocaOp](compiler, op)
    return _allocated(compiler, op)


def _view(compiler: Compiler, op: Operation) -> Step:
    """`memref.view %bytes[%shift][]`: from so many bytes on, as other elements."""
    source, shift = (compiler.slot(operand) for operand in op.operands[:2])
    result = compiler.slot(op.results[0])
    _shape(op.results[0], op)

    def step(frame: Frame) -> None:
        place = place_in(frame.values, source, op)
        frame.values[result] = Held((), place.moved(8 * integer(frame.values[shift])))

    return step


def _offset(
    compiler: Compiler, op: Operation, memory: SSAValue, indices: Sequence[SSAValue], last: int
) -> Callable[[Frame], Number]:
    """How many elements on the indices lead; along the last dimension so many more are accessed."""
    shape, slots = _shape(memory, op), list(map(compiler.slot, indices))

    def offset(frame: Frame) -> Number:
        total: Number = 0
        for axis, (slot, extent) in enumerate(zip(slots, shape, strict=True)):
            index = integer(frame.values[slot])
            beyond = extent - (last - 1 if axis == len(shape) - 1 else 0)
            found = frame.domain.outside(index, 0, beyond, frame.mask)
            if found is not None:
                raise out_of_dimension(*found, memory, axis, extent, where(op), verb(op))
            total = total * extent + index
        return total

    return offset


def _load(compiler: Compiler, op: memref.LoadOp | vector.LoadOp) -> Step | None:
    memory = op.operands[0]
    if not is_declared(memory.type):
        flat = isinstance(op, vector.LoadOp)
        return _load_flat(compiler, op) if flat else SCALAR_HANDLERS[memref.LoadOp](compiler, op)
    element, count = kind_of(op.results[0].type)
    offset = _offset(compiler, op, memory, op.operands[1:], count)
    slot, result, bits = compiler.slot(memory), compiler.slot(op.results[0]), width_of(element)
    access = Access.of(compiler, op, memory, "load", count * bits)

    def step(frame: Frame) -> None:
        data = access.read(frame, place_in(frame.values, slot, op), offset(frame) * bits, frame.mask)
        frame.values[result] = of_rows(from_bytes(data[0], element), op.results[0].type)

    return step


def _store(compiler: Compiler, op: memref.StoreOp | vector.StoreOp) -> Step | None:
    value, memory, *indices = op.operands
    if not is_declared(memory.type):
        flat = isinstance(op, vector.StoreOp)
        return _store_flat(compiler, op) if flat else SCALAR_HANDLERS[memref.StoreOp](compiler, op)
    element, count = kind_of(value.type)
    offset = _offset(compiler, op, memory, indices, count)
    source, slot, bits = compiler.slot(value), compiler.slot(memory), width_of(element)
    access = Access.of(compiler, op, memory, "store", count * bits)

    def step(frame: Frame) -> None:
        rows = as_rows(given(frame, op, frame.values[source]), count, frame.domain.shape, element)
        data = as_bytes(np.ascontiguousarray(rows), element)[None]
        access.write(frame, place_in(frame.values, slot, op), offset(frame) * bits, data, frame.mask)

    return step


def _flat(compiler: Compiler, op: Operation, kind: str, memory: SSAValue, count: int) -> Iterator[Site]:
    """The site of a vector in flat memory, which is counted as one access, and that of its further elements."""
    flat_size(memory)
    if len(op.operands) != (2 if kind == "load" else 3):
        raise CompileError(f"the simulator takes one index into a flat memref\n{where(op)}")
    width, space = numpy_type(memref_type(memory).element_type).itemsize, flat_space(memory)
    yield compiler.site(op, kind, memory, space, count * width, step_bytes=width)
    yield from [compiler.site(op, kind, memory, space, width, counted=False)] * (count - 1)


def _load_flat(compiler: Compiler, op: Operation) -> Step:
    memory, index = op.operands[:2]
    _, count = kind_of(op.results[0].type)
    sites = list(_flat(compiler, op, "load", memory, count))
    slot, at, result = compiler.slot(memory), compiler.slot(index), compiler.slot(op.results[0])

    def step(frame: Frame) -> None:
        first, shape = integer(frame.values[at]), frame.domain.shape
        found = (frame.memory(slot).load(frame.domain, first + i, frame.mask, site) for i, site in enumerate(sites))
        rows = np.stack([np.broadcast_to(cast("Number", one), shape) for one in found], axis=-1)
        frame.values[result] = of_rows(rows, op.results[0].type)

    return step


def _store_flat(compiler: Compiler, op: Operation) -> Step:
    value, memory, index = op.operands[:3]
    element, count = kind_of(value.type)
    sites = list(_flat(compiler, op, "store", memory, count))
    source, slot, at = map(compiler.slot, (value, memory, index))

    def step(frame: Frame) -> None:
        first, domain = integer(frame.values[at]), frame.domain
        rows = as_rows(given(frame, op, frame.values[source]), count, domain.shape, element)
        for i, site in enumerate(sites):
            frame.memory(slot).store(domain, first + i, rows[..., i], frame.mask, site)

    return step


MEMREF_HANDLERS: Mapping[type[Operation], Handler] = {
    memref.GetGlobalOp: _declared,
    memref.AllocaOp: _alloca,
    memref.ViewOp: _view,
    memref.LoadOp: _load,
    memref.StoreOp: _store,
    vector.LoadOp: _load,
    vector.StoreOp: _store,
}
