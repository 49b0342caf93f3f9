"""Choices at run time, of which only the side that is chosen is evaluated: a value that is read, or may be undefined.

Where neither side can go wrong both are worked out, and one is selected.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar, cast

from xdsl.dialects import scf
from xdsl.ir import Block, Region, SSAValue

from tilewright.errors import KernelError
from tilewright.ir.core.element_types import element_dtype
from tilewright.ir.core.elements import BOOL
from tilewright.ir.core.ranges import Index
from tilewright.ir.script.choices import is_harmless
from tilewright.lang.expressions import (
    Condition,
    as_condition,
    as_element,
    compare,
    is_element,
    logic,
    negated,
    same_type,
    select,
)
from tilewright.lang.known import contained
from tilewright.lang.tracer import Handlers, Tracer
from tilewright.lang.values import Value, is_index, show

V = TypeVar("V")
R = TypeVar("R")
Side = Callable[[], Value]


def choose(t: Tracer, condition: Value, yes: Side, no: Side) -> Value:
    """What `yes` gives where the condition holds, else what `no` gives.

    Raises:
        KernelError: two values without a common type.
    """
    decided = as_condition(t, condition)
    if isinstance(decided, bool):
        return yes() if decided else no()
    return _chosen(t, decided, yes, no, lambda one, other: select(t, decided, one, other))


def both(t: Tracer, left: Condition, right: Side) -> Condition:
    """left and right: the latter is evaluated only where the former holds."""
    if isinstance(left, bool):
        return as_condition(t, right()) if left else False
    return _chosen(t, left, lambda: as_condition(t, right()), lambda: False, lambda one, _: logic(t, left, one, "&"))


def either(t: Tracer, left: Condition, right: Side) -> Condition:
    """left or right: the latter is evaluated only where the former does not hold."""
    if isinstance(left, bool):
        return True if left else as_condition(t, right())
    return _chosen(t, left, lambda: True, lambda: as_condition(t, right()), lambda _, other: logic(t, left, other, "|"))


def _chosen(
    t: Tracer, condition: SSAValue, yes: Callable[[], V], no: Callable[[], V], harmless: Callable[[V, V], R]
) -> R | SSAValue:
    (first, one), (second, other) = _traced(t, yes), _traced(t, no)
    if is_harmless(first) and is_harmless(second):
        _splice(t, first)
        _splice(t, second)
        return harmless(one, other)
    agree = agreement(t, one, other)
    for block, value in ((first, one), (second, other)):
        with t.at(block):
            t.builder.insert(scf.YieldOp(agree(value)))
    last = first.last_op
    assert last is not None, "it yields"
    return t.insert(scf.IfOp(condition, [last.operands[0].type], Region(first), Region(second))).results[0]


def _traced(t: Tracer, side: Callable[[], V]) -> tuple[Block, V]:
    """The ops of a side, and its value."""
    block = Block()
    with t.at(block):
        return block, side()


def _splice(t: Tracer, block: Block) -> None:
    for op in list(block.ops):
        block.detach_op(op)
        t.builder.insert(op)


def agreement(t: Tracer, one: Value, other: Value) -> Callable[[Value], SSAValue]:
    """What makes of each value one of the type of both; like `select`, which says what is wrong."""
    if is_index(one) and is_index(other):
        return lambda value: t.index.value(cast("Index", value))
    if type(one) is type(other) is bool:
        return lambda value: as_element(t, value, BOOL)
    if is_element(one) == is_element(other):
        same_type(t, one, other)
    kind = element_dtype(next(value.type for value in (one, other) if is_element(value)))
    return lambda value: value if is_element(value) else as_element(t, value, kind)


# ---- the handlers of syntax


def _boolop(t: Tracer, node: ast.BoolOp) -> Value:
    join = both if isinstance(node.op, ast.And) else either
    return _joined(t, join, as_condition(t, t.visit(node.values[0])), node.values[1:])


def _joined(
    t: Tracer, join: Callable[[Tracer, Condition, Side], Condition], first: Condition, rest: Sequence[ast.expr]
) -> Condition:
    for item in rest:
        first = join(t, first, partial(t.visit, item))
    return first


def _ifexp(t: Tracer, node: ast.IfExp) -> Value:
    return choose(t, t.visit(node.test), lambda: t.visit(node.body), lambda: t.visit(node.orelse))


def _compare(t: Tracer, node: ast.Compare) -> Value:
    return _compared(t, t.visit(node.left), list(zip(node.ops, node.comparators, strict=True)))


def _compared(t: Tracer, left: Value, rest: Sequence[tuple[ast.cmpop, ast.expr]]) -> Value:
    (op, item), *more = rest
    if isinstance(op, ast.Is | ast.IsNot) and not more:
        return _is_none(left, item) == isinstance(op, ast.Is)
    if isinstance(op, ast.In | ast.NotIn) and not more:
        found = _contained(t, left, t.visit(item))
        return found if isinstance(op, ast.In) else negated(t, found)
    if type(op) not in _COMPARISONS:
        raise KernelError(f"the comparison {type(op).__name__.lower()!r} is not part of the kernel language")
    right = t.visit(item)
    found = compare(t, _COMPARISONS[type(op)], left, right)
    return both(t, found, lambda: _compared(t, right, more)) if more else found


def _contained(t: Tracer, left: Value, right: Value) -> Condition:
    """Is it in the text or dict, or is it one of the items, which may be values of run time?"""
    known = contained(left, right)
    if known is not None:
        return known
    if not isinstance(right, tuple):
        raise KernelError(f"`in` asks of texts, tuples and dicts, got {show(right)}")
    found: Condition = False
    for item in right:
        found = either(t, found, partial(compare, t, "==", left, item))
    return found


def _is_none(left: Value, item: ast.expr) -> bool:
    """Of `x is None`, which is known while the kernel is read; nothing else is compared so."""
    if not (isinstance(item, ast.Constant) and item.value is None):
        raise KernelError("`is` asks for None only; numbers are compared by `==`")
    return left is None


_COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
CHOICES: Handlers = {ast.IfExp: _ifexp, ast.BoolOp: _boolop, ast.Compare: _compare}
