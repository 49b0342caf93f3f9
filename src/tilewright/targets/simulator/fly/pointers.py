"""Handlers of where memory comes from: allocations, the shared memory of a launch, buffers, and pointers seen anew."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
from xdsl.dialects.builtin import DictionaryAttr, IntegerAttr
from xdsl.ir import Operation, SSAValue

from tilewright.errors import CompileError
from tilewright.ir.core.attributes import DYNAMIC
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.memories import cell_bits, function_of, memories, pointer_of, space_of
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.storage import SIZES
from tilewright.ir.fly.type_reader import BUFFER
from tilewright.ir.fly.types import MemRef
from tilewright.ir.tile.types import GLOBAL
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.layouts import same
from tilewright.targets.simulator.fly.values import Held, Place, held, integer
from tilewright.targets.simulator.fly.views import count_of, offsets, view_of
from tilewright.targets.simulator.memory.access import Number
from tilewright.targets.simulator.ops.arithmetic import numpy_type
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

MOST_SHARED = 64 << 10  # bytes of shared memory behind `get_dyn_shared`, where no launch says how many


def _view(compiler: Compiler, op: FlyOp) -> Step:
    """An allocation with a layout: as many elements as it reaches."""
    view = view_of(op.results[0], op)
    if run_time_leaves(MemRef(view.pointer, view.layout)):
        raise CompileError(f"{op.name}: the size of {op.results[0].type} is known at run time only\n{where(op)}")
    reached = offsets(view, Held(), count_of(view, op))
    if reached.min() < 0:
        raise CompileError(
            f"{op.name}: {op.results[0].type} reaches {-int(reached.min())} elements before it\n{where(op)}"
        )
    return _allocate(compiler, op, op.results[0], (int(reached.max()) + 1) * cell_bits(view.pointer))


def _pointer(compiler: Compiler, op: FlyOp) -> Step:
    """`make_ptr`: an allocation of so many elements, or a buffer of a pointer's memory."""
    if op.operands:
        return _buffer(compiler, op)
    facts = op.properties.get("dictAttrs")
    said = facts.data if isinstance(facts, DictionaryAttr) else {}
    found = {name: size.value.data for name, size in said.items() if isinstance(size, IntegerAttr)}
    elements = next((found[name] for name in SIZES if name in found), None)
    if elements is None and "allocBytes" not in found:
        raise CompileError(f"{op.name} says no allocSize, and has no operands\n{where(op)}")
    pointer = pointer_of(op.results[0].type)
    assert pointer is not None
    bits = 8 * found["allocBytes"] if elements is None else elements * cell_bits(pointer)
    return _allocate(compiler, op, op.results[0], bits)


def _dynamic(compiler: Compiler, op: FlyOp) -> Step:
    """All ops that ask for the shared memory of the launch give the same."""
    function = function_of(op)
    first = next(other for other in function.walk() if isinstance(other, FlyOp) and other.short == op.short)
    size = function.attributes.get(DYNAMIC)
    count = size.value.data if isinstance(size, IntegerAttr) else MOST_SHARED
    return once(compiler, op, _allocate(compiler, first, first.results[0], 8 * count), first.results[0])


def once(compiler: Compiler, op: Operation, allocate: Step, first: SSAValue) -> Step:
    """What several ops name, or one that is reached again, is there once: `allocate` puts it where `first` is."""
    slot, result = compiler.slot(first), compiler.slot(op.results[0])

    def step(frame: Frame) -> None:
        if not isinstance(frame.values[slot], Held):
            allocate(frame)
        frame.values[result] = frame.values[slot]

    return step


def _allocate(compiler: Compiler, op: FlyOp, root: SSAValue, length: int) -> Step:
    """A memory of so many bits."""
    pointer, result = pointer_of(op.results[0].type), compiler.slot(op.results[0])
    assert pointer is not None
    space, unit = space_of(pointer), memories(op).units[root]
    if space == GLOBAL:
        raise CompileError(f"{op.name} allocates registers or shared memory, not {pointer.space} memory\n{where(op)}")
    size, owner = -(-length // (8 * numpy_type(unit).itemsize)), cast("Operation", root.owner)

    def step(frame: Frame) -> None:
        memory = frame.domain.allocate(owner, unit, size, space)
        frame.values[result] = Held((), Place(memory, root, 0))  # type: ignore[arg-type]  # real lanes have real memories

    return step


def _buffer(compiler: Compiler, op: FlyOp) -> Step:
    """`make_ptr(%base, %stride, %bytes, %flags)`: what lies beyond so many bytes reads as 0, and is not written."""
    pointer = pointer_of(op.results[0].type)
    assert pointer is not None
    if pointer.space != BUFFER or len(op.operands) != 4 or pointer_of(op.operands[0].type) is None:
        raise CompileError(f"{op.name} makes a buffer of a pointer, a stride, its bytes and flags\n{where(op)}")
    base, stride, size, _ = map(compiler.slot, op.operands)
    result = compiler.slot(op.results[0])

    def step(frame: Frame) -> None:
        if np.any(integer(frame.values[stride])):
            raise CompileError(f"{op.name}: buffers with a stride are not simulated\n{where(op)}")
        place = held(frame.values, base).place
        assert place is not None
        window = place.at, _bytes(integer(frame.values[size]))
        frame.values[result] = Held((), Place(place.memory, place.root, place.at, window))

    return step


def _bytes(number: Number) -> Number:
    """The bytes of a descriptor, an unsigned number of 32 bits."""
    return number & 0xFFFFFFFF


POINTER_HANDLERS: Mapping[type[Operation], Handler] = {
    **{OPS[name]: _view for name in ("memref.alloca", "make_fragment_like", "mma.make_fragment")},
    OPS["make_ptr"]: _pointer,
    OPS["get_dyn_shared"]: _dynamic,
    OPS["recast_iter"]: same,
}
