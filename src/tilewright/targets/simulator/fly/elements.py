"""Handlers of single elements and of whole views as vectors: loads and stores of `memref` and `ptr`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import prod
from typing import cast

import numpy as np
from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.dtypes import DType
from tilewright.errors import UninitializedError
from tilewright.ir.core.bounds import out_of_dimension
from tilewright.ir.core.effects import verb
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.fly.leaves import run_time_leaves
from tilewright.ir.fly.memories import cell_bits, pointer_of
from tilewright.ir.fly.ops import OPS, FlyOp
from tilewright.ir.fly.type_reader import BUFFER
from tilewright.ir.fly.types import CoordTensor
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.access import Access
from tilewright.targets.simulator.fly.bits import as_bytes, from_bytes, width_of
from tilewright.targets.simulator.fly.layouts import by_rule, value_of
from tilewright.targets.simulator.fly.values import Held, Place, Vector, held, place_in
from tilewright.targets.simulator.fly.views import (
    at_coordinate,
    coordinate_bounds,
    count_of,
    laid,
    offsets,
    tree_of,
    view_of,
)
from tilewright.targets.simulator.memory.access import Array, Mask, Number, Value
from tilewright.targets.simulator.memory.registers import Registers
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step


def kind_of(kind: Attribute) -> tuple[DType, int]:
    """The elements of a scalar or a vector, and how many it has."""
    if isinstance(kind, VectorType):
        found = cast("VectorType[Attribute]", kind)
        return element_dtype(found.element_type), prod(found.get_shape())
    return element_dtype(kind), 1


def as_rows(value: Value, count: int, shape: tuple[int, int], element: DType) -> Array:
    """A scalar or vector as (blocks, threads, element)."""
    full = np.asarray(value, element.numpy())
    full = full.reshape(-1, *full.shape[-2:]) if full.ndim > 2 else full
    return np.moveaxis(np.broadcast_to(full, (count, *shape)), 0, -1)


def of_rows(rows: Array, kind: Attribute) -> Value:
    """What `as_rows` gives, as a value of the type."""
    if not isinstance(kind, VectorType):
        found: Array = np.ascontiguousarray(rows[..., 0])
        return found
    shape = cast("VectorType[Attribute]", kind).get_shape()
    return Vector(np.ascontiguousarray(np.moveaxis(rows, -1, 0)).reshape(*shape, *rows.shape[:-1]))


def given(frame: Frame, op: Operation, value: Value) -> Value:
    """A scalar, or the elements of a vector, of which all have been given for active lanes.

    Raises:
        UninitializedError: one has not.
    """
    if not isinstance(value, Vector):
        return value
    if value.known is not None:
        missing = np.broadcast_to(~value.known, (*value.known.shape[:-2], *frame.domain.shape))
        missing = missing if frame.mask is None else missing & frame.mask
        if missing.any():
            at = [int(x[0]) for x in np.nonzero(missing)]
            who = frame.domain.name(int(frame.domain.present(None).actor.reshape(frame.domain.shape)[at[-2], at[-1]]))
            raise UninitializedError(f"{who} reads element {at[0]} of a vector, which nothing has written\n{where(op)}")
    return value.values


def refuse_anything(frame: Frame, op: Operation, flags: Array | None, mask: Mask) -> None:
    """Raises `UninitializedError` where an active lane has one of the elements that a machine leaves undefined."""
    if flags is None:
        return
    wrong = np.broadcast_to(flags, (*flags.shape[:-2], *frame.domain.shape)) & (True if mask is None else mask)
    if wrong.any():
        row, column = (int(x[0]) for x in np.nonzero(wrong)[-2:])
        who = frame.domain.name(int(frame.domain.present(None).actor.reshape(frame.domain.shape)[row, column]))
        text = f"{who} stores what a copy with a predicate has left out of its registers"
        raise UninitializedError(f"{text}; store it under the predicate too, or fill them before\n{where(op)}")


def stored(frame: Frame, op: Operation, access: Access, place: Place, starts: Number, value: Value) -> None:
    """Sees to the elements of a stored vector that are anything: registers hold them, memory does not."""
    flags = value.anything if isinstance(value, Vector) else None
    if flags is None:
        return
    if not isinstance(place.memory, Registers):
        refuse_anything(frame, op, flags, frame.mask)
        return
    each, cells = flags.reshape(-1, *flags.shape[-2:]), access.bits // (8 * place.memory.dtype.itemsize)
    whole = each if len(each) == cells else np.logical_or.reduce(each, axis=0, keepdims=True)
    access.leave(frame, place, starts, each[:, None] if cells == 1 else whole[None], frame.mask)


def loaded(access: Access, frame: Frame, place: Place, starts: Number, rows: Array, kind: Attribute) -> Value:
    """What `of_rows` gives, with the elements that registers hold anything in."""
    flags, found = access.anything(frame, place, starts), of_rows(rows, kind)
    if flags is None or not isinstance(found, Vector):
        return found
    each = flags.reshape(-1, *flags.shape[-2:])
    full = each if len(each) == rows.shape[-1] else np.logical_or.reduce(each, axis=0)
    return replace(
        found, anything=np.broadcast_to(full, (rows.shape[-1], *full.shape[-2:])).reshape(found.values.shape)
    )


# ---- behind a pointer


def _pointer_load(compiler: Compiler, op: FlyOp) -> Step:
    kind, pointer = op.results[0].type, pointer_of(op.operands[0].type)
    element, count = kind_of(kind)
    slot, result = compiler.slot(op.operands[0]), compiler.slot(op.results[0])
    assert pointer is not None
    access = Access.of(compiler, op, op.operands[0], "load", count * width_of(element), pointer.align)

    def step(frame: Frame) -> None:
        place = place_in(frame.values, slot, op)
        rows = from_bytes(access.read(frame, place, 0, frame.mask)[0], element)
        frame.values[result] = loaded(access, frame, place, 0, rows, kind)

    return step


def _pointer_store(compiler: Compiler, op: FlyOp) -> Step:
    kind, pointer = op.operands[0].type, pointer_of(op.operands[1].type)
    element, count = kind_of(kind)
    value, slot = map(compiler.slot, op.operands)
    assert pointer is not None
    access = Access.of(compiler, op, op.operands[1], "store", count * width_of(element), pointer.align)

    def step(frame: Frame) -> None:
        rows = as_rows(given(frame, op, frame.values[value]), count, frame.domain.shape, element)
        place = place_in(frame.values, slot, op)
        access.write(frame, place, 0, as_bytes(rows, element)[None], frame.mask)
        stored(frame, op, access, place, 0, frame.values[value])

    return step


# ---- at a coordinate of a view


def _at(compiler: Compiler, op: FlyOp, view: SSAValue, coord: SSAValue) -> Callable[[Frame], Number]:
    """How many bits behind the view's pointer the element lies, whose coordinate lies within the view.

    A buffer knows itself what lies outside of it.
    """
    described, where_ = view_of(view, op), value_of(coord.type)
    slots, bits = (compiler.slot(view), compiler.slot(coord)), cell_bits(described.pointer)

    def found(frame: Frame) -> Number:
        layout = laid(described.layout, held(frame.values, slots[0]).numbers)
        at = tree_of(where_, held(frame.values, slots[1]).numbers)
        bounds = [] if described.pointer.space == BUFFER else coordinate_bounds(at, layout.shape)
        for axis, (index, extent) in enumerate(bounds):
            _check(frame, op, view, axis, index, extent)
        return at_coordinate(layout, at) * bits

    return found


def _check(frame: Frame, op: FlyOp, view: SSAValue, axis: int, index: Number, extent: Number) -> None:
    shape = frame.domain.shape
    inside = np.broadcast_to((np.asarray(index) >= 0) & (np.asarray(index) < extent), shape)
    wrong = frame.domain.outside(inside.astype(np.int8), 1, 2, frame.mask)
    if wrong is not None:
        active = inside if frame.mask is None else inside | ~frame.mask
        at = int(np.argmin(active))
        first, limit = (int(np.broadcast_to(x, shape).flat[at]) for x in (index, extent))
        raise out_of_dimension(first, wrong[1], view, axis, limit, where(op), verb(op))


def _load(compiler: Compiler, op: FlyOp) -> Step:
    if isinstance(value_of(op.operands[0].type), CoordTensor):
        return by_rule(compiler, op)
    view, coord = op.operands
    at, slot, result = _at(compiler, op, view, coord), compiler.slot(view), compiler.slot(op.results[0])
    kind = op.results[0].type
    element = element_dtype(kind)
    access = Access.of(compiler, op, view, "load", width_of(element))

    def step(frame: Frame) -> None:
        data = access.read(frame, place_in(frame.values, slot, op), at(frame), frame.mask)
        frame.values[result] = of_rows(from_bytes(data[0], element), kind)

    return step


def _store(compiler: Compiler, op: FlyOp) -> Step:
    value, view, coord = op.operands
    at, slot, source = _at(compiler, op, view, coord), compiler.slot(view), compiler.slot(value)
    element, count = kind_of(value.type)
    access = Access.of(compiler, op, view, "store", count * width_of(element))

    def step(frame: Frame) -> None:
        rows = as_rows(given(frame, op, frame.values[source]), count, frame.domain.shape, element)
        access.write(frame, place_in(frame.values, slot, op), at(frame), as_bytes(rows, element)[None], frame.mask)

    return step


# ---- all of a view


def _load_coordinates(compiler: Compiler, op: FlyOp, tensor: CoordTensor) -> Step:
    """The integers of a coordinate tensor."""
    kind, first = op.results[0].type, len(run_time_leaves(tensor.base))
    element, count = kind_of(kind)
    slot, result = compiler.slot(op.operands[0]), compiler.slot(op.results[0])

    def step(frame: Frame) -> None:
        numbers = held(frame.values, slot).numbers
        base = cast("int", tensor.base) if not first else numbers[0]
        found = offsets(tensor, Held(numbers[first:]), count) + base
        rows = np.moveaxis(np.broadcast_to(found, (count, *frame.domain.shape)), 0, -1)
        frame.values[result] = of_rows(rows.astype(element.numpy()), kind)

    return step


def _load_vector(compiler: Compiler, op: FlyOp) -> Step:
    if isinstance(tensor := value_of(op.operands[0].type), CoordTensor):
        return _load_coordinates(compiler, op, tensor)
    view, kind = view_of(op.operands[0], op), op.results[0].type
    element, count = kind_of(kind)
    slot, result, bits = compiler.slot(op.operands[0]), compiler.slot(op.results[0]), cell_bits(view.pointer)
    access = Access.of(compiler, op, op.operands[0], "load", width_of(element))
    assert count == count_of(view, op), "verified"

    def step(frame: Frame) -> None:
        found = held(frame.values, slot)
        place, starts = place_in(frame.values, slot, op), offsets(view, found, count) * bits
        rows = np.moveaxis(from_bytes(access.read(frame, place, starts, frame.mask), element)[..., 0], 0, -1)
        frame.values[result] = loaded(access, frame, place, starts, rows, kind)

    return step


def _store_vector(compiler: Compiler, op: FlyOp) -> Step:
    view, kind = view_of(op.operands[1], op), op.operands[0].type
    element, count = kind_of(kind)
    value, slot = map(compiler.slot, op.operands)
    bits = cell_bits(view.pointer)
    access = Access.of(compiler, op, op.operands[1], "store", width_of(element))

    def step(frame: Frame) -> None:
        rows = as_rows(given(frame, op, frame.values[value]), count, frame.domain.shape, element)
        data = as_bytes(np.moveaxis(rows, -1, 0)[..., None], element)
        place, starts = place_in(frame.values, slot, op), offsets(view, held(frame.values, slot), count) * bits
        access.write(frame, place, starts, data, frame.mask)
        stored(frame, op, access, place, starts, frame.values[value])

    return step


ELEMENT_HANDLERS: Mapping[type[Operation], Handler] = {
    OPS["ptr.load"]: _pointer_load,
    OPS["ptr.store"]: _pointer_store,
    OPS["memref.load"]: _load,
    OPS["memref.store"]: _store,
    OPS["memref.load_vec"]: _load_vector,
    OPS["memref.store_vec"]: _store_vector,
}
