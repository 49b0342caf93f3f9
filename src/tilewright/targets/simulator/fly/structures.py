"""Handlers of structures, which carry the integers of run-time leaves into kernels, loops and branches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from xdsl.dialects.llvm import UndefOp
from xdsl.ir import Attribute, Operation

from tilewright.errors import CompileError
from tilewright.ir.mlir.llvm import ExtractValueOp, InsertValueOp, StructType
from tilewright.targets.launch import where
from tilewright.targets.simulator.fly.values import Held, held
from tilewright.targets.simulator.memory.access import Number
from tilewright.targets.simulator.program import Compiler, Frame, Handler, Step


def fields_of(kind: Attribute) -> int:
    """How many numbers a value of the type is, those of structures within it included."""
    return sum(map(fields_of, kind.types)) if isinstance(kind, StructType) else 1


def _range(kind: StructType, position: Sequence[int]) -> range:
    """Which of a structure's numbers the field at a position is."""
    start, inner = 0, kind
    for step in position:
        start += sum(map(fields_of, inner.types.data[:step]))
        inner = inner.types.data[step]  # type: ignore[assignment]  # the last one may be a number
    return range(start, start + fields_of(inner))


def _undefined(compiler: Compiler, op: UndefOp) -> None:
    kind = op.res.type
    if not isinstance(kind, StructType):
        raise CompileError(f"a value that is undefined is not simulated, but for structures and vectors\n{where(op)}")
    compiler.constants[compiler.slot(op.res)] = Held((0,) * fields_of(kind))


def _extract(compiler: Compiler, op: ExtractValueOp) -> Step:
    given, result, kind = compiler.slot(op.container), compiler.slot(op.res), op.res.type
    assert isinstance(op.container.type, StructType)
    at = _range(op.container.type, op.position.get_values())

    def step(frame: Frame) -> None:
        found = tuple(held(frame.values, given).numbers[i] for i in at)
        frame.values[result] = Held(found) if isinstance(kind, StructType) else found[0]

    return step


def _insert(compiler: Compiler, op: InsertValueOp) -> Step:
    container, value, result = compiler.slot(op.container), compiler.slot(op.value), compiler.slot(op.res)
    assert isinstance(op.container.type, StructType)
    at = _range(op.container.type, op.position.get_values())

    def step(frame: Frame) -> None:
        numbers: list[Number] = list(held(frame.values, container).numbers)
        new = frame.values[value]
        numbers[at.start : at.stop] = new.numbers if isinstance(new, Held) else [frame.number(value)]
        frame.values[result] = Held(tuple(numbers))

    return step


STRUCTURE_HANDLERS: Mapping[type[Operation], Handler] = {
    UndefOp: _undefined,
    ExtractValueOp: _extract,
    InsertValueOp: _insert,
}
