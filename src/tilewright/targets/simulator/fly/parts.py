"""Handlers of vectors taken apart and put together: the same is done to which of their elements have a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast

import numpy as np
from xdsl.dialects import vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, VectorType
from xdsl.ir import Operation

from tilewright.errors import CompileError, SimulationError
from tilewright.ir.mlir.vector import (
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertStridedSliceOp,
    ToElementsOp,
    integers,
)
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.arithmetic import Kind
from tilewright.targets.simulator.fly.bits import recast
from tilewright.targets.simulator.fly.elements import as_rows, given, kind_of, of_rows
from tilewright.targets.simulator.fly.values import Vector
from tilewright.targets.simulator.memory.access import Array, Value
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step


def parts(change: Callable[[Operation], Callable[..., Array]]) -> Handler:
    """The handler of an op that moves elements about: the same is done to which of them have a value."""

    def handle(compiler: Compiler, op: Operation) -> Step:
        function = change(op)
        slots, result = list(map(compiler.slot, op.operands)), compiler.slot(op.results[0])
        kind = op.results[0].type

        def step(frame: Frame) -> None:
            values = [_whole(frame.values[slot]) for slot in slots]
            moved = function(*(x.values for x in values))
            partial = any(x.known is not None for x in values)
            known = function(*_flags(values, op, _known)) if partial else None
            found = Vector(moved, None if known is None or known.all() else known, _anything(function, values, op))
            if isinstance(op, ExtractStridedSliceOp | vector.ExtractOp):
                given(frame, op, found)
            frame.values[result] = found if isinstance(kind, VectorType) else moved

        return step

    return handle


def _flags(values: list[Vector], op: Operation, flags: Callable[[Vector], Array]) -> list[Array]:
    """A flag for each element; what says a place is itself."""
    places = isinstance(op, vector.ExtractOp | vector.InsertOp)
    moved = len(values) - len(op.dynamic_position) if places else len(values)  # type: ignore[attr-defined]  # one of these
    return [flags(x) if i < moved else x.values for i, x in enumerate(values)]


def _anything(function: Callable[..., Array], values: list[Vector], op: Operation) -> Array | None:
    """Which elements are anything; None: none."""
    if all(x.anything is None for x in values):
        return None
    found = function(*_flags(values, op, lambda x: _said(x, x.anything, False)))
    return found if found.any() else None


def _known(value: Vector) -> Array:
    """Which elements have a value."""
    return _said(value, value.known, True)


def _said(value: Vector, flags: Array | None, usual: bool) -> Array:
    return np.full((*value.values.shape[:-2], 1, 1), usual) if flags is None else flags


def _whole(value: Value) -> Vector:
    if isinstance(value, Vector):
        return value
    found = np.asarray(value)
    return Vector(found.reshape((1,) * (2 - found.ndim) + found.shape))


def _slice(op: Operation) -> Callable[..., Array]:
    assert isinstance(op, ExtractStridedSliceOp)
    at = _range(integers(op.offsets), cast("Kind", op.result.type).get_shape())
    return lambda whole: whole[at]


def _sliced(op: Operation) -> Callable[..., Array]:
    assert isinstance(op, InsertStridedSliceOp)
    at = _range(integers(op.offsets), cast("Kind", op.source.type).get_shape())
    return lambda part, whole: _put(part, whole, at)


def _range(offsets: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[slice, ...]:
    return tuple(slice(start, start + size) for start, size in zip(offsets, sizes, strict=True))


def _put(part: Array, whole: Array, at: tuple[slice | int, ...]) -> Array:
    lanes = np.broadcast_shapes(part.shape[-2:], whole.shape[-2:])
    found = np.broadcast_to(whole, (*whole.shape[:-2], *lanes)).copy()
    found[at] = part
    return found


def _element(op: vector.ExtractOp | vector.InsertOp) -> Callable[[Sequence[Array]], tuple[int | Array, ...]]:
    """Where in a vector an element is: numbers, or what operands say, which lanes may differ in."""
    static = [int(number) for number in op.static_position.get_values()]

    def at(dynamic: Sequence[Array]) -> tuple[int | Array, ...]:
        rest = iter(dynamic)
        return tuple(next(rest).astype(np.int64) if number == DYNAMIC_INDEX else number for number in static)

    return at


def _extract(op: Operation) -> Callable[..., Array]:
    assert isinstance(op, vector.ExtractOp)
    place = _element(op)
    return lambda whole, *dynamic: _taken(op, whole, place(dynamic))


def _taken(op: Operation, whole: Array, at: tuple[int | Array, ...]) -> Array:
    if all(isinstance(number, int) for number in at):
        return np.asarray(whole[at])
    _check_inside(op, whole, at)
    lanes = np.broadcast_shapes(whole.shape[-2:], *(np.shape(number) for number in at))
    full = np.broadcast_to(whole, (*whole.shape[:-2], *lanes))
    row, column = np.indices(lanes)
    if len(at) == whole.ndim - 2:
        return np.asarray(full[(*at, row, column)])
    raise CompileError(f"{op.name} of a part of a vector at a place that is known at run time only\n{where(op)}")


def _check_inside(op: Operation, whole: Array, at: tuple[int | Array, ...]) -> None:
    for number, extent in zip(at, whole.shape, strict=False):
        if np.any(np.asarray(number) < 0) or np.any(np.asarray(number) >= extent):
            raise SimulationError(f"an index outside a vector of {extent} elements\n{where(op)}")


def _insert(op: Operation) -> Callable[..., Array]:
    assert isinstance(op, vector.InsertOp)
    place = _element(op)

    def inserted(part: Array, whole: Array, *dynamic: Array) -> Array:
        at = place(dynamic)
        if all(isinstance(number, int) for number in at):
            return _put(part, whole, cast("tuple[int, ...]", at))
        _check_inside(op, whole, at)
        lanes = np.broadcast_shapes(part.shape[-2:], whole.shape[-2:], *(np.shape(number) for number in at))
        found = np.broadcast_to(whole, (*whole.shape[:-2], *lanes)).copy()
        row, column = np.indices(lanes)
        found[(*at, row, column)] = np.broadcast_to(part, lanes)
        return found

    return inserted


def _from_elements(op: Operation) -> Callable[..., Array]:
    shape = cast("Kind", op.results[0].type).get_shape()

    def made(*elements: Array) -> Array:
        whole = np.stack(np.broadcast_arrays(*elements))
        return whole.reshape(*shape, *whole.shape[1:])

    return made


def _broadcast(op: Operation) -> Callable[..., Array]:
    shape = cast("Kind", op.results[0].type).get_shape()
    return lambda part: np.broadcast_to(part, (*shape, *part.shape[-2:]))


def reshaped(op: Operation) -> Callable[..., Array]:
    """The elements in their order, in another shape."""
    shape = cast("Kind", op.results[0].type).get_shape()
    return lambda whole: whole.reshape(*shape, *whole.shape[-2:])


def _shuffle(op: Operation) -> Callable[..., Array]:
    assert isinstance(op, vector.ShuffleOp)
    chosen = [int(number) for number in op.mask.get_values()]

    def shuffled(one: Array, other: Array) -> Array:
        lanes = np.broadcast_shapes(one.shape[-2:], other.shape[-2:])
        both = [np.broadcast_to(x, (*x.shape[:-2], *lanes)) for x in (one, other)]
        return np.concatenate(both)[chosen]

    return shuffled


def _elements_of(compiler: Compiler, op: ToElementsOp) -> Step:
    slot, results = compiler.slot(op.source), [compiler.slot(result) for result in op.elements]

    def step(frame: Frame) -> None:
        whole = np.asarray(given(frame, op, frame.values[slot]))
        for result, element in zip(results, whole.reshape(-1, *whole.shape[-2:]), strict=True):
            frame.values[result] = element

    return step


def _bitcast(compiler: Compiler, op: vector.BitcastOp) -> Step:
    """The bits of the elements along the last dimension, as others."""
    slot, result = compiler.slot(op.operands[0]), compiler.slot(op.results[0])
    (before, count), (after, _) = kind_of(op.operands[0].type), kind_of(op.results[0].type)

    def step(frame: Frame) -> None:
        rows = as_rows(given(frame, op, frame.values[slot]), count, frame.domain.shape, before)
        frame.values[result] = of_rows(recast(rows, before, after), op.results[0].type)

    return step


PART_HANDLERS: Mapping[type[Operation], Handler] = {
    ExtractStridedSliceOp: parts(_slice),
    InsertStridedSliceOp: parts(_sliced),
    vector.ExtractOp: parts(_extract),
    vector.InsertOp: parts(_insert),
    FromElementsOp: parts(_from_elements),
    vector.BroadcastOp: parts(_broadcast),
    vector.ShuffleOp: parts(_shuffle),
    ToElementsOp: _elements_of,
    vector.BitcastOp: _bitcast,
}
