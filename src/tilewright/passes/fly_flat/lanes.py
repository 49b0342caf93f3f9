"""Vectors of a flat kernel taken apart and put together: which number is which."""

from __future__ import annotations

from math import prod
from typing import cast

from xdsl.dialects import arith, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, VectorType
from xdsl.ir import Attribute, Operation, SSAValue

from tilewright.ir.mlir.vector import (
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertStridedSliceOp,
    ToElementsOp,
    integers,
)
from tilewright.passes.fly_flat.bits import recast
from tilewright.passes.fly_flat.flat import Flat, Handlers, refused


def _shape(value: SSAValue) -> tuple[int, ...]:
    kind = value.type
    return tuple(cast("VectorType[Attribute]", kind).get_shape()) if isinstance(kind, VectorType) else ()


def _slice(offsets: tuple[int, ...], sizes: tuple[int, ...], whole: tuple[int, ...]) -> list[int]:
    """The numbers, in a vector, of the elements of a slice of it, in their order."""
    found = [0]
    for axis, extent in enumerate(whole):
        start = offsets[axis] if axis < len(offsets) else 0
        size = sizes[axis - (len(whole) - len(sizes))] if axis >= len(whole) - len(sizes) else 1
        found = [at * extent + start + i for at in found for i in range(size)]
    return found


def _taken(out: Flat, op: ExtractStridedSliceOp) -> None:
    chosen = _slice(integers(op.offsets), _shape(op.result), _shape(op.vector))
    numbers = out[op.vector].numbers
    out.set(op.result, [numbers[i] for i in chosen])


def _put(out: Flat, op: InsertStridedSliceOp) -> None:
    source, target = op.operands
    numbers = list(out[target].numbers)
    for i, number in zip(
        _slice(integers(op.offsets), _shape(source), _shape(target)), out[source].numbers, strict=True
    ):
        numbers[i] = number
    out.set(op.results[0], numbers)


def _extract(out: Flat, op: vector.ExtractOp) -> None:
    numbers, chosen = out[op.vector].numbers, _places(out, op, op.vector, op.result)
    if isinstance(chosen, list):
        out.set(op.result, [numbers[i] for i in chosen])
        return
    made = numbers[0]
    for i, number in enumerate(numbers[1:], 1):
        made = out.insert(arith.SelectOp(_is(out, chosen, i), number, made)).result
    out.set(op.result, [made])


def _insert(out: Flat, op: vector.InsertOp) -> None:
    numbers, source = list(out[op.dest].numbers), out[op.source].numbers
    chosen = _places(out, op, op.dest, op.source)
    if isinstance(chosen, list):
        for i, number in zip(chosen, source, strict=True):
            numbers[i] = number
    else:
        numbers = [out.insert(arith.SelectOp(_is(out, chosen, i), source[0], x)).result for i, x in enumerate(numbers)]
    out.set(op.result, numbers)


def _places(out: Flat, op: vector.ExtractOp | vector.InsertOp, whole: SSAValue, part: SSAValue) -> list[int] | SSAValue:
    """The numbers of the elements that an op works on; one of run time, of a vector of one dimension, as it is."""
    static = tuple(int(number) for number in op.static_position.get_values())
    if DYNAMIC_INDEX not in static:
        return _slice(static, _shape(part), _shape(whole))
    if len(static) != 1 or len(_shape(whole)) != 1:
        raise refused(op, "takes part of a vector of several dimensions at a place of run time")
    return out.as_index(out.one(op.dynamic_position[0]))


def _is(out: Flat, place: SSAValue, number: int) -> SSAValue:
    return out.insert(arith.CmpiOp(place, out.index.value(number), "eq")).result


def _gathered(out: Flat, op: Operation) -> None:
    out.set(op.results[0], out.spread(op.operands))


def _scattered(out: Flat, op: ToElementsOp) -> None:
    for result, number in zip(op.elements, out[op.source].numbers, strict=True):
        out.set(result, [number])


def _broadcast(out: Flat, op: vector.BroadcastOp) -> None:
    numbers = out[op.operands[0]].numbers
    out.set(op.results[0], numbers * (prod(_shape(op.results[0])) // len(numbers)))


def _shuffle(out: Flat, op: vector.ShuffleOp) -> None:
    one, other = (out[value].numbers for value in op.operands[:2])
    rows = _shape(op.operands[0])[1:]
    size, numbers = prod(rows), one + other
    chosen = [int(number) for number in op.mask.get_values()]
    out.set(op.results[0], [number for i in chosen for number in numbers[i * size : (i + 1) * size]])


def _bitcast(out: Flat, op: vector.BitcastOp) -> None:
    after = cast("VectorType[Attribute]", op.results[0].type).element_type
    out.set(op.results[0], recast(out, out[op.operands[0]].numbers, after))


LANES: Handlers = {
    ExtractStridedSliceOp: _taken,
    InsertStridedSliceOp: _put,
    vector.ExtractOp: _extract,
    vector.InsertOp: _insert,
    FromElementsOp: _gathered,
    "vector.shape_cast": _gathered,
    ToElementsOp: _scattered,
    vector.BroadcastOp: _broadcast,
    vector.ShuffleOp: _shuffle,
    vector.BitcastOp: _bitcast,
}
