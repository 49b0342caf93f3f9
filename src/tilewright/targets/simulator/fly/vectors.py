"""Handlers of vectors of numbers, and of choices between values of fly: arithmetic element by element, parts, casts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import TypeAlias, cast

import numpy as np
from xdsl.dialects import arith, gpu, math, vector
from xdsl.dialects.builtin import DYNAMIC_INDEX, DenseIntOrFPElementsAttr, VectorType
from xdsl.dialects.ub import PoisonOp
from xdsl.ir import Attribute, Block, Operation

from tilewright.errors import CompileError, SimulationError
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.mlir.vector import (
    ExtractStridedSliceOp,
    FromElementsOp,
    InsertStridedSliceOp,
    ToElementsOp,
    integers,
)
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.bits import recast
from tilewright.targets.simulator.fly.elements import as_rows, given, kind_of, of_rows
from tilewright.targets.simulator.fly.values import Vector
from tilewright.targets.simulator.memory.access import Array, Compound, Function, Number, Value, select
from tilewright.targets.simulator.ops.arithmetic import ARITHMETIC, DIVISIONS, SHIFTS, meaning, numpy_type
from tilewright.targets.simulator.ops.scalar import SCALAR_HANDLERS
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step

_Kind: TypeAlias = "VectorType[Attribute]"


def _elements(kind: Attribute) -> Attribute:
    return cast("_Kind", kind).element_type if isinstance(kind, VectorType) else kind


def _arithmetic(compiler: Compiler, op: Operation) -> Step | None:
    if not any(isinstance(value.type, VectorType) for value in (*op.operands, *op.results)):
        if isinstance(op, arith.SelectOp) and isinstance(op.result.type, FlyType):
            return _select(compiler, op)
        return SCALAR_HANDLERS[type(op)](compiler, op)
    function, slots, result = meaning(_of_one(op)), list(map(compiler.slot, op.operands)), compiler.slot(op.results[0])
    check = _check(op)

    def step(frame: Frame) -> None:
        values = [cast("Number", given(frame, op, frame.values[slot])) for slot in slots]
        check(frame, values[-1])
        found = np.asarray(function(*values))
        frame.values[result] = Vector(found) if isinstance(op.results[0].type, VectorType) else found

    return step


def _of_one(op: Operation) -> Operation:
    """The op on single elements, which says what it means."""
    block = Block(arg_types=[_elements(value.type) for value in op.operands])
    kinds = [_elements(result.type) for result in op.results]
    return type(op).create(operands=block.args, result_types=kinds, properties=dict(op.properties))


def _check(op: Operation) -> Callable[[Frame, Number], None]:
    bits = 8 * numpy_type(_elements(op.results[0].type)).itemsize

    def check(frame: Frame, right: Number) -> None:
        number = np.asarray(right)
        wrong = number == 0 if isinstance(op, DIVISIONS) else (number < 0) | (number >= bits)
        if np.any(wrong if frame.mask is None else wrong & frame.mask):
            what = "division by zero" if isinstance(op, DIVISIONS) else f"a shift by a number outside 0..{bits - 1}"
            raise SimulationError(f"{what}\n{where(op)}")

    return check if isinstance(op, (*DIVISIONS, *SHIFTS)) else lambda frame, right: None


def _select(compiler: Compiler, op: arith.SelectOp) -> Step:
    """A choice between values of fly."""
    condition, yes, no = map(compiler.slot, op.operands)
    result = compiler.slot(op.result)

    def step(frame: Frame) -> None:
        chosen = frame.domain.decide(frame.operand(condition))
        one, other = frame.values[yes], frame.values[no]
        if np.ndim(chosen) == 0:
            frame.values[result] = one if chosen else other
            return
        assert isinstance(one, Compound)
        assert isinstance(other, Compound)
        frame.values[result] = one.with_(other, lambda a, b: a if a is b else select(chosen, a, b))  # type: ignore[arg-type]  # numbers

    return step


def _constant(compiler: Compiler, op: arith.ConstantOp) -> Step | None:
    if not isinstance(op.result.type, VectorType):
        return SCALAR_HANDLERS[arith.ConstantOp](compiler, op)
    if not isinstance(op.value, DenseIntOrFPElementsAttr):
        raise CompileError(f"the vector {op.value} is no list of numbers\n{where(op)}")
    shape, kind = cast("_Kind", op.result.type).get_shape(), numpy_type(_elements(op.result.type))
    found = np.array(list(op.value.get_values())).astype(kind)
    compiler.constants[compiler.slot(op.result)] = Vector(
        np.broadcast_to(found, (int(np.prod(shape)),)).reshape(*shape, 1, 1)
    )
    return None


def _poison(compiler: Compiler, op: PoisonOp) -> Step | None:
    """A vector of which no element has a value."""
    result, kind = compiler.slot(op.result), op.result.type
    if not isinstance(kind, VectorType):
        raise CompileError(f"a value that is undefined is not simulated, but for vectors\n{where(op)}")
    shape = (*cast("_Kind", kind).get_shape(), 1, 1)
    compiler.constants[result] = Vector(np.zeros(shape, numpy_type(_elements(kind))), np.zeros(shape, bool))
    return None


# ---- parts


def _parts(change: Callable[[Operation], Callable[..., Array]]) -> Handler:
    """The handler of an op that moves elements about: the same is done to which of them have a value."""

    def handle(compiler: Compiler, op: Operation) -> Step:
        function = change(op)
        slots, result = list(map(compiler.slot, op.operands)), compiler.slot(op.results[0])
        kind = op.results[0].type

        def step(frame: Frame) -> None:
            values = [_whole(frame.values[slot]) for slot in slots]
            moved = function(*(x.values for x in values))
            partial = any(x.known is not None for x in values)
            known = function(*_flags(values, op)) if partial else None
            found = Vector(moved, None if known is None or known.all() else known)
            if isinstance(op, ExtractStridedSliceOp | vector.ExtractOp):
                given(frame, op, found)
            frame.values[result] = found if isinstance(kind, VectorType) else moved

        return step

    return handle


def _flags(values: list[Vector], op: Operation) -> list[Array]:
    """A flag for each element; what says a place is itself."""
    places = isinstance(op, vector.ExtractOp | vector.InsertOp)
    moved = len(values) - len(op.dynamic_position) if places else len(values)  # type: ignore[attr-defined]  # one of these
    return [_known(x) if i < moved else x.values for i, x in enumerate(values)]


def _known(value: Vector) -> Array:
    """A flag for each element."""
    return np.ones((*value.values.shape[:-2], 1, 1), bool) if value.known is None else value.known


def _whole(value: Value) -> Vector:
    if isinstance(value, Vector):
        return value
    found = np.asarray(value)
    return Vector(found.reshape((1,) * (2 - found.ndim) + found.shape))


def _slice(op: Operation) -> Callable[..., Array]:
    assert isinstance(op, ExtractStridedSliceOp)
    at = _range(integers(op.offsets), cast("_Kind", op.result.type).get_shape())
    return lambda whole: whole[at]


def _sliced(op: Operation) -> Callable[..., Array]:
    assert isinstance(op, InsertStridedSliceOp)
    at = _range(integers(op.offsets), cast("_Kind", op.source.type).get_shape())
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
    shape = cast("_Kind", op.results[0].type).get_shape()

    def made(*elements: Array) -> Array:
        whole = np.stack(np.broadcast_arrays(*elements))
        return whole.reshape(*shape, *whole.shape[1:])

    return made


def _broadcast(op: Operation) -> Callable[..., Array]:
    shape = cast("_Kind", op.results[0].type).get_shape()
    return lambda part: np.broadcast_to(part, (*shape, *part.shape[-2:]))


def _reshape(op: Operation) -> Callable[..., Array]:
    shape = cast("_Kind", op.results[0].type).get_shape()
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


_REDUCED: Mapping[str, np.ufunc] = {
    "add": np.add, "mul": np.multiply, "minsi": np.minimum, "maxsi": np.maximum, "minimumf": np.minimum,
    "maximumf": np.maximum, "minnumf": np.fmin, "maxnumf": np.fmax, "and": np.bitwise_and, "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}  # fmt: skip


def _reduction(compiler: Compiler, op: vector.ReductionOp) -> Step:
    """One element after the other, in their order, behind what is given to begin with."""
    word = str(op.kind.data.value if hasattr(op.kind.data, "value") else op.kind.data)
    function, slots, result = _REDUCED.get(word), list(map(compiler.slot, op.operands)), compiler.slot(op.dest)
    if function is None:
        raise CompileError(f"the reduction {word} is not simulated; there are {', '.join(_REDUCED)}\n{where(op)}")

    def step(frame: Frame) -> None:
        elements = list(np.asarray(given(frame, op, frame.values[slots[0]])))
        start = [np.asarray(frame.values[slot]) for slot in slots[1:]]
        frame.values[result] = reduce(function, [*start, *elements])

    return step


# ---- functions of single numbers, worked out in binary64 and rounded once


def _rounded(function: Callable[[Array], Array]) -> Callable[[Operation], Function]:
    def made(op: Operation) -> Function:
        kind = numpy_type(_elements(op.results[0].type))
        return lambda value: np.asarray(function(np.asarray(value).astype(np.float64))).astype(kind)

    return made


_MATH: Mapping[type[Operation], Callable[[Operation], Function]] = {
    math.SqrtOp: _rounded(np.sqrt),
    math.RsqrtOp: _rounded(lambda x: 1 / np.sqrt(x)),
    math.ExpOp: _rounded(np.exp),
    math.Exp2Op: _rounded(np.exp2),
    math.LogOp: _rounded(np.log),
    math.Log2Op: _rounded(np.log2),
    math.SinOp: _rounded(np.sin),
    math.CosOp: _rounded(np.cos),
    math.TanhOp: _rounded(np.tanh),
    math.FloorOp: _rounded(np.floor),
    math.CeilOp: _rounded(np.ceil),
    math.AbsFOp: _rounded(np.abs),
    math.RoundEvenOp: _rounded(np.rint),
}


def _function(compiler: Compiler, op: Operation) -> Step:
    function, slot, result = _MATH[type(op)](op), compiler.slot(op.operands[0]), compiler.slot(op.results[0])

    def step(frame: Frame) -> None:
        found = function(given(frame, op, frame.values[slot]))
        frame.values[result] = Vector(found) if isinstance(op.results[0].type, VectorType) else found  # type: ignore[arg-type]  # an array

    return step


# ---- what a thread asks about the launch


def _dimension(compiler: Compiler, op: gpu.BlockDimOp | gpu.GridDimOp) -> Step:
    result, axis = compiler.slot(op.results[0]), "xyz".index(op.dimension.data)
    blocks = isinstance(op, gpu.GridDimOp)

    def step(frame: Frame) -> None:
        launch = frame.domain.launch  # type: ignore[attr-defined]  # real lanes, and what records
        frame.values[result] = (launch.grid if blocks else launch.block)[axis]

    return step


VECTOR_HANDLERS: Mapping[type[Operation], Handler] = {
    **dict.fromkeys(ARITHMETIC, _arithmetic),
    arith.ConstantOp: _constant,
    PoisonOp: _poison,
    ExtractStridedSliceOp: _parts(_slice),
    InsertStridedSliceOp: _parts(_sliced),
    vector.ExtractOp: _parts(_extract),
    vector.InsertOp: _parts(_insert),
    FromElementsOp: _parts(_from_elements),
    vector.BroadcastOp: _parts(_broadcast),
    vector.ShuffleOp: _parts(_shuffle),
    ToElementsOp: _elements_of,
    vector.BitcastOp: _bitcast,
    vector.ReductionOp: _reduction,
    **dict.fromkeys(_MATH, _function),
    gpu.BlockDimOp: _dimension,
    gpu.GridDimOp: _dimension,
}
