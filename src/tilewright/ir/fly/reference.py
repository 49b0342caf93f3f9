"""What each op on layouts, coordinates and addresses is, of values that are known: the definition that passes keep.

The result is that of the op's rule, run on the leaves by name, at the leaves' integers (`worked`). Nothing here emits
or simulates anything. A pointer is so many elements (`distance`) behind where its base points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from tilewright.errors import LayoutError
from tilewright.ir.fly.dialect_types import FlyType
from tilewright.ir.fly.leaves import mapped, run_time_leaves
from tilewright.ir.fly.ops import FlyOp, text_of
from tilewright.ir.fly.remembered import Numbers
from tilewright.ir.fly.rules.coordinates import is_number
from tilewright.ir.fly.types import Asked, MemRef, Pointer, Value, is_tree
from tilewright.ir.fly.worked import in_form, worked
from tilewright.layout.inttuple import leaves
from tilewright.layout.symbolic.conditions import Condition
from tilewright.layout.symbolic.operators import as_int
from tilewright.layout.symbolic.symint import Integer

Known: TypeAlias = "Value | int | bool"
SOURCES = ("static", "make_int_tuple", "make_shape", "make_stride", "make_coord")


def results(op: FlyOp, operands: Sequence[Value]) -> tuple[Known, ...]:
    """What the op gives for these operands: values of types, with integers for every leaf, and integers.

    Raises:
        LayoutError: it is not defined for them, or a condition on run-time values fails.
    """
    if op.short in SOURCES:
        return (_made(op, operands),)
    if op.short == "get_scalar":
        return _leaves(operands[0])
    if op.short == "get_leaves":
        kind = _said(op.operands[0].type)
        return tuple(map(as_int, _integers(operands[0], kind))) if op.attribute("dynamicOnly") else _leaves(operands[0])
    return (_by_rule(op, operands),)


def _leaves(value: Value) -> tuple[Known, ...]:
    assert is_tree(value)
    return tuple(leaves(value))


def _made(op: FlyOp, operands: Sequence[Value]) -> Value:
    kind = _said(op.results[0].type)
    numbers = [number for number in operands if is_number(number)]
    for leaf, number in zip(run_time_leaves(kind), numbers, strict=True):
        if number % leaf.div or not -(1 << leaf.width - 1) <= number < 1 << leaf.width - 1:
            raise LayoutError(f"{number} is no {leaf}")
    rest = iter(numbers)
    return mapped(kind, lambda _: next(rest))


def _by_rule(op: FlyOp, operands: Sequence[Value]) -> Known:
    done = worked(op.short, tuple(map(text_of, op.operand_types)), op.parameters)
    kinds = [_said(kind) for kind in op.operand_types]
    numbers = done.at([n for value, kind in zip(operands, kinds, strict=True) for n in _integers(value, kind)])
    failed = _failed(done.conditions, numbers)
    if failed is not None:
        raise LayoutError(f"{op.name} of {', '.join(map(str, operands))} is right only where {failed}")
    if isinstance(done.value, bool | Asked):
        return done.value if isinstance(done.value, bool) else numbers.truth(done.value.truth) is True
    wanted = _said(op.results[0].type)
    found, told = in_form(numbers.value(done.value), wanted)
    if not all(truth is True for truth in told):
        raise LayoutError(f"{op.name} has no result of type {op.results[0].type}")
    rest = iter(found)
    value = mapped(wanted, lambda _: next(rest))
    pointer = done.value.pointer if isinstance(done.value, MemRef) else done.value
    if not isinstance(pointer, Pointer):
        return value
    moved = pointer.distance if isinstance(pointer.distance, int) else numbers.of(pointer.distance.polynomial)
    return _moved(value, _start(operands) + moved)


def _failed(conditions: Sequence[Condition], numbers: Numbers) -> Condition | None:
    """The first condition that does not hold; one that is not defined, as a quotient by 0 is not, if there is none."""
    undefined: Condition | None = None
    for condition in conditions:
        try:
            if numbers.truth(condition) is not True:
                return condition
        except LayoutError:
            undefined = condition if undefined is None else undefined
    return undefined


def _start(operands: Sequence[Value]) -> int:
    pointers = (x.pointer if isinstance(x, MemRef) else x for x in operands)
    return next(int(x.distance) for x in pointers if isinstance(x, Pointer))  # type: ignore[arg-type]  # a run-time one refuses


def _moved(value: Value, distance: Integer) -> Value:
    if isinstance(value, MemRef):
        return replace(value, pointer=replace(value.pointer, distance=distance))
    return replace(value, distance=distance) if isinstance(value, Pointer) else value


def _integers(value: Value, kind: Value) -> tuple[Integer, ...]:
    return in_form(value, kind)[0] if not isinstance(value, Pointer) else ()


def _said(kind: object) -> Value:
    assert isinstance(kind, FlyType)
    found: Value = kind.value
    return found
